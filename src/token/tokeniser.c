/* tokeniser.c - split text into words, block by block.
 *
 * A scan (word_scan.c) finds the words of a block with bitmaps.  Where only ICU
 * can find them, the text between two blanks is a chunk; its words come from
 * ICU (icu_words.c), or from the cache if the chunk was seen before
 * (chunk_cache.c):
 *
 *     The naive cafe-owner's \u65e5\u672c-vu; again
 *     ---------------------- ################## -----
 *     scan                   chunk              scan
 *
 * This gives the words that ICU finds in the whole text, because white space is
 * always a boundary, chunks begin at a boundary, and no rule depends on text
 * before a boundary.  (The rule for flags counts regional indicators back to
 * the start of their run, which is always inside one chunk.)  One difference is
 * intended: ICU does not split a blank or U+FFFD from a joiner and pictograph
 * that follow it (WB3c), so its word contains the blank or U+FFFD; ours begins
 * after it.
 *
 * White space mode uses the same scan with other kinds of characters; lines
 * and items use neither scan nor chunks.
 */
#include "token/tokeniser.h"

#include <libstemmer.h>
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "token/chunk_cache.h"
#include "token/icu_words.h"

#define KEEP_BYTES ((size_t)1 << 20) /* larger buffers are not reused */
#define LINES_BYTES ((size_t)1 << 16) /* about that many are read at a time */

int tokeniser_new(struct tokeniser **out, const struct rules *rules,
                  struct cooc_err *err)
{
    struct tokeniser *t = mem_zarray(1, sizeof *t);
    int rc;

    *out = NULL;
    if (!t)
        return err_nomem(err);
    t->rules = rules;
    rc = icu_words_new(&t->icu, rules->mode, rules->keep_case, err);
    if (rc == 0)
        rc = wide_kinds_new(&t->wide, rules->mode, t->icu, err);
    if (rc == 0)
        rc = word_scan_init(&t->scan, &rules->kinds, t->wide, err);
    if (rc == 0)
        rc = chunk_cache_new(&t->cache, err);
    if (rc == 0 && rules->stem) {
        t->stemmer = sb_stemmer_new(rules->stem, "UTF_8");
        rc = t->stemmer ? 0 : err_nomem(err);
    }
    if (rc < 0)
        tokeniser_free(t);
    else
        *out = t;
    return rc;
}

void tokeniser_free(struct tokeniser *t)
{
    if (!t)
        return;
    word_scan_release(&t->scan);
    wide_kinds_free(t->wide);
    icu_words_free(t->icu);
    chunk_cache_free(t->cache);
    buf_release(&t->chunk);
    sb_stemmer_delete(t->stemmer);
    buf_release(&t->stem);
    entry_words_release(&t->entry);
    mem_free(t);
}

void tokeniser_start(struct tokeniser *t, const char *text, size_t len)
{
    t->at = len ? text : "";
    t->end = t->at + len;
    t->words.n = t->next = 0;
    if (t->scan.folded.cap > KEEP_BYTES)
        word_scan_trim(&t->scan);
    if (t->chunk.cap > KEEP_BYTES)
        buf_release(&t->chunk);
}

uint64_t tokeniser_invalid_bytes(const struct tokeniser *t)
{
    return t->invalid;
}

/* ---- chunks ---------------------------------------------------------- */

/* Set packed[0..*n) to the words of chunk, from the cache or else from ICU. */
static int read_chunk(struct tokeniser *t, const char *chunk, size_t len,
                      const uint8_t **packed, size_t *n, struct cooc_err *err)
{
    uint64_t invalid = 0;
    unsigned known;
    int rc;

    if (chunk_cache_find(t->cache, chunk, len, packed, n, &known)) {
        t->invalid += known;
        return 0;
    }
    t->chunk.len = 0;
    rc = icu_words_split(t->icu, chunk, len, &t->chunk, &invalid, err);
    if (rc < 0)
        return rc;
    t->invalid += invalid;
    chunk_cache_add(t->cache, chunk, len, t->chunk.data, t->chunk.len,
                    invalid);
    *packed = (const uint8_t *)t->chunk.data;
    *n = t->chunk.len;
    return 0;
}

static int add_chunk(struct tokeniser *t, const char *chunk, size_t len,
                     struct cooc_err *err)
{
    const uint8_t *p, *end;
    uint64_t word_len;
    size_t n;
    int rc = read_chunk(t, chunk, len, &p, &n, err);

    if (rc < 0)
        return rc;
    for (end = p + n; rc == 0 && p < end && get_varint(&p, end, &word_len);
         p += word_len)
        rc = word_scan_add(&t->scan, (const char *)p, (size_t)word_len, err);
    return rc;
}

/* ---- modes ----------------------------------------------------------- */

/* Find the words of the next block. */
static int scan_block(struct tokeniser *t, struct cooc_err *err)
{
    struct word_scan *s = &t->scan;
    const char *text = t->at;
    size_t len, from = 0;
    int rc = word_scan_load(s, text, (size_t)(t->end - text), &len, err);

    if (rc < 0)
        return rc;
    rc = word_scan_find(s, text, len, err);
    for (size_t i = 0; i < s->n_chunks && rc == 0; i++) {
        const struct chunk_range *c = &s->chunks[i];

        rc = word_scan_emit(s, from, c->from, err);
        if (rc == 0)
            rc = add_chunk(t, text + c->from, c->to - c->from, err);
        from = c->to;
    }
    if (rc == 0)
        rc = word_scan_emit(s, from, len, err);
    t->at = text + len;
    return rc;
}

/* Add a line as it is, but valid UTF-8. */
static int add_line(struct tokeniser *t, const char *line, size_t len,
                    struct cooc_err *err)
{
    int rc;

    if (utf8_is_valid(line, len))
        return len ? word_scan_add(&t->scan, line, len, err) : 0;
    t->chunk.len = 0;
    rc = utf8_repair(line, len, &t->chunk, &t->invalid, err);
    return rc < 0 ? rc
                  : word_scan_add(&t->scan, t->chunk.data, t->chunk.len, err);
}

bool token_ascii_item(const char *item, size_t len, bool keep_case, char *out,
                      size_t *out_len)
{
    size_t to = 0;
    bool blank = false;

    for (size_t i = 0; i < len; i++) {
        char c = item[i];

        if ((unsigned char)c >= 0x80)
            return false;
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            blank = to > 0;
            continue;
        }
        if (blank)
            out[to++] = ' ';
        blank = false;
        out[to++] = (char)(keep_case ? c : ascii_lower(c));
    }
    *out_len = to;
    return true;
}

/* Add a finished item, unless nothing is left of it. */
static int add_item(struct tokeniser *t, const char *item, size_t len,
                    struct cooc_err *err)
{
    int rc;

    t->chunk.len = 0;
    rc = buf_reserve(&t->chunk, len + 1, err);
    if (rc == 0 && !token_ascii_item(item, len, t->rules->keep_case,
                                     t->chunk.data, &t->chunk.len)) {
        uint64_t invalid = 0;

        if (!utf8_is_valid(item, len)) {
            t->stem.len = 0;
            rc = utf8_repair(item, len, &t->stem, &invalid, err);
            item = t->stem.data;
            len = t->stem.len;
        }
        t->invalid += invalid;
        t->chunk.len = 0;
        if (rc == 0)
            rc = icu_words_fold(t->icu, item, len, &t->chunk, err);
    }
    return rc < 0 || !t->chunk.len
               ? rc : word_scan_add(&t->scan, t->chunk.data, t->chunk.len,
                                    err);
}

/* Add the next lines. */
static int take_lines(struct tokeniser *t, struct cooc_err *err)
{
    struct word_scan *s = &t->scan;
    int rc = 0;

    s->n_at = s->folded.len = 0;
    while (rc == 0 && t->at < t->end && s->folded.len < LINES_BYTES) {
        const char *from = t->at;
        const char *nl = memchr(from, '\n', (size_t)(t->end - from));
        size_t len = (size_t)((nl ? nl : t->end) - from);

        t->at = from + len + (nl != NULL);
        rc = t->rules->mode == TOKENS_ITEMS ? add_item(t, from, len, err)
                                            : add_line(t, from, len, err);
    }
    return rc;
}

static bool has_lines(const struct tokeniser *t)
{
    return t->rules->mode == TOKENS_LINES || t->rules->mode == TOKENS_ITEMS;
}

int tokeniser_words(struct tokeniser *t, struct words *out,
                    struct cooc_err *err)
{
    struct word_scan *s = &t->scan;
    int rc = 0;

    out->n = 0;
    while (rc == 0 && out->n == 0) {
        if (t->at == t->end)
            return 0;
        rc = has_lines(t) ? take_lines(t, err) : scan_block(t, err);
        out->n = s->n_at / 2;
    }
    out->text = s->folded.data;
    out->at = s->at;
    out->may_be_long = s->folded.len > TERM_MAX;
    return rc < 0 ? rc : 1;
}

int tokeniser_next(struct tokeniser *t, const char **word, size_t *len,
                   struct cooc_err *err)
{
    const uint32_t *at;

    if (t->next == t->words.n) {
        int rc = tokeniser_words(t, &t->words, err);

        t->next = 0;
        if (rc <= 0)
            return rc;
    }
    at = &t->words.at[2 * t->next++];
    *word = t->words.text + at[0];
    *len = at[1] - at[0];
    return 1;
}
