/* tokeniser.c - split text into words, and turn words into terms.
 *
 * Words mode finds words in two ways, and the result must not depend on where
 * it switches between them.  The ASCII scan (ascii.c) runs until it meets a
 * byte above 0x7f that affects the current word.  The text from there to the
 * next ASCII white space is a chunk; its words come from ICU (icu_words.c), or
 * from the cache if the chunk was seen before (chunk_cache.c):
 *
 *     The naive cafe-owner's d\u00e9j\u00e0-vu; again
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
 * White space mode uses the same chunks without the scan; lines mode uses
 * neither.
 */
#include <libstemmer.h>
#include <string.h>
#include <unicode/uchar.h>

#include "base/bytes.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "token/chunk_cache.h"
#include "token/icu_words.h"
#include "token/rules.h"

#define KEEP_BYTES ((size_t)1 << 20) /* larger buffers are not reused */

struct tokeniser {
    const struct rules *rules;
    struct ascii_scan scan;
    struct icu_words *icu;
    struct chunk_cache *cache;
    const uint8_t *packed, *packed_end; /* unread words of the last chunk */
    struct buf chunk;                   /* packed words not in the cache */
    bool fast; /* words mode with rules->ascii.fast */
    uint64_t invalid;
    struct sb_stemmer *stemmer; /* NULL: no stemming */
    struct buf stem;            /* the last stemmed term */
};

int tokeniser_new(struct tokeniser **out, const struct rules *rules,
                  struct cooc_err *err)
{
    struct tokeniser *t = mem_zarray(1, sizeof *t);
    int rc;

    *out = NULL;
    if (!t)
        return err_nomem(err);
    t->rules = rules;
    t->fast = rules->mode == TOKENS_WORDS && rules->ascii.fast;
    rc = icu_words_new(&t->icu, rules->mode, rules->keep_case, err);
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
    ascii_scan_release(&t->scan);
    icu_words_free(t->icu);
    chunk_cache_free(t->cache);
    buf_release(&t->chunk);
    sb_stemmer_delete(t->stemmer);
    buf_release(&t->stem);
    mem_free(t);
}

void tokeniser_start(struct tokeniser *t, const char *text, size_t len)
{
    ascii_scan_start(&t->scan, text, len);
    t->packed = t->packed_end = NULL;
}

uint64_t tokeniser_invalid_bytes(const struct tokeniser *t)
{
    return t->invalid;
}

/* ---- chunks ---------------------------------------------------------- */

/* Set t->packed to the words of chunk, from the cache or else from ICU. */
static int read_chunk(struct tokeniser *t, const char *chunk, size_t len,
                      struct cooc_err *err)
{
    uint64_t invalid = 0;
    unsigned known;
    size_t n;
    int rc;

    if (chunk_cache_find(t->cache, chunk, len, &t->packed, &n, &known)) {
        t->packed_end = t->packed + n;
        t->invalid += known;
        return 0;
    }
    if (t->chunk.cap > KEEP_BYTES)
        buf_release(&t->chunk);
    t->chunk.len = 0;
    rc = icu_words_split(t->icu, chunk, len, &t->chunk, &invalid, err);
    if (rc == 0)
        rc = buf_reserve(&t->chunk, WORD_SLACK, err);
    if (rc < 0)
        return rc;
    t->invalid += invalid;
    chunk_cache_add(t->cache, chunk, len, t->chunk.data, t->chunk.len,
                    invalid);
    t->packed = (const uint8_t *)t->chunk.data;
    t->packed_end = t->packed + t->chunk.len;
    return 0;
}

static bool next_packed(struct tokeniser *t, const char **word, size_t *len)
{
    uint64_t n;

    if (t->packed == t->packed_end ||
        !get_varint(&t->packed, t->packed_end, &n))
        return false;
    *word = (const char *)t->packed;
    *len = (size_t)n;
    t->packed += n;
    return true;
}

/* ---- modes ----------------------------------------------------------- */

static int next_word(struct tokeniser *t, const char **word, size_t *len,
                     struct cooc_err *err)
{
    for (;;) {
        const char *from, *to;
        int rc;

        if (next_packed(t, word, len))
            return 1;
        rc = ascii_next(&t->rules->ascii, &t->scan, word, len, err);
        if (rc != ASCII_ASK_ICU)
            return rc;
        from = t->scan.at;
        to = ascii_blank(&t->rules->ascii, from, t->scan.end);
        ascii_scan_move(&t->scan, to);
        rc = read_chunk(t, from, (size_t)(to - from), err);
        if (rc < 0)
            return rc;
    }
}

static int next_between_blanks(struct tokeniser *t, const char **word,
                               size_t *len, struct cooc_err *err)
{
    const uint8_t *kind = t->rules->ascii.kind;

    for (;;) {
        const char *from = t->scan.at, *to;
        uint8_t any = 0;
        int rc;

        if (next_packed(t, word, len))
            return 1;
        while (from < t->scan.end && kind[(uint8_t)*from] & ASCII_BLANK)
            from++;
        for (to = from; to < t->scan.end; to++) {
            if (kind[(uint8_t)*to] & ASCII_BLANK)
                break;
            any |= (uint8_t)*to;
        }
        t->scan.at = to;
        *len = (size_t)(to - from);
        if (!*len)
            return 0;
        if (any < 0x80) {
            rc = ascii_fold(&t->rules->ascii, &t->scan, from, *len, word, err);
            return rc < 0 ? rc : 1;
        }
        rc = read_chunk(t, from, *len, err);
        if (rc < 0)
            return rc;
    }
}

static int next_line(struct tokeniser *t, const char **word, size_t *len,
                     struct cooc_err *err)
{
    const char *from = t->scan.at, *end = t->scan.end, *nl;
    int rc;

    while (from < end && *from == '\n')
        from++;
    nl = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL;
    t->scan.at = nl ? nl : end;
    *word = from;
    *len = (size_t)(t->scan.at - from);
    if (!*len)
        return 0;
    if (end - from >= WORD_SLACK && utf8_is_valid(from, *len))
        return 1;
    t->chunk.len = 0;
    rc = utf8_repair(from, *len, &t->chunk, &t->invalid, err);
    if (rc == 0)
        rc = buf_reserve(&t->chunk, WORD_SLACK, err);
    *word = t->chunk.data;
    *len = t->chunk.len;
    return rc < 0 ? rc : 1;
}

int tokeniser_next(struct tokeniser *t, const char **word, size_t *len,
                   struct cooc_err *err)
{
    if (t->fast && t->packed == t->packed_end) {
        *len = ascii_window_word(&t->rules->ascii, &t->scan, word);
        if (*len)
            return 1;
    }
    switch (t->rules->mode) {
    case TOKENS_WORDS:
        return next_word(t, word, len, err);
    case TOKENS_WHITESPACE:
        return next_between_blanks(t, word, len, err);
    case TOKENS_LINES:
        break;
    }
    return next_line(t, word, len, err);
}

/* ---- from words to terms --------------------------------------------- */

static uint32_t count_characters(const char *word, size_t len)
{
    uint32_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += ((uint8_t)word[i] & 0xc0) != 0x80;
    return n;
}

/* Does c join two digits into one number?  UAX #29 keeps 3.14, 1,000 and 1_000
 * in one piece but splits 10:30 into two numbers; with --tokens whitespace,
 * 10:30 is one number. */
static bool joins_digits(int32_t c)
{
    switch (u_getIntPropertyValue(c, UCHAR_WORD_BREAK)) {
    case U_WB_MIDNUM:
    case U_WB_MIDNUMLET:
    case U_WB_SINGLE_QUOTE:
    case U_WB_EXTENDNUMLET:
    case U_WB_NUMERIC: /* the Arabic decimal separator */
        return true;
    default:
        return c == ':';
    }
}

/* Is the word a number: decimal digits of any script (General_Category Nd),
 * optionally after a sign, with at most one joining character between two
 * digits? */
static bool is_number(const char *word, size_t len)
{
    const uint8_t *p = (const uint8_t *)word, *end = p + len;
    bool sign = true, digit = false;

    while (p < end) {
        int32_t c;

        p += utf8_next(p, end, &c);
        if (u_isdigit(c))
            digit = true;
        else if (digit && joins_digits(c))
            digit = false;
        else if (!sign || (c != '+' && c != '-' && c != 0x2212))
            return false;
        sign = false;
    }
    return digit;
}

/* The reason why the word is dropped, or TOKEN_KEPT. */
static enum token_verdict judge(const struct rules *r, const char *word,
                                size_t len)
{
    if (len > TERM_MAX)
        return TOKEN_LONG;
    if (r->drop_numbers && is_number(word, len))
        return TOKEN_NUMBER;
    if (r->min_length || r->max_length) {
        uint32_t n = count_characters(word, len);

        if (n < r->min_length)
            return TOKEN_SHORT;
        if (r->max_length && n > r->max_length)
            return TOKEN_LONG;
    }
    if (r->stop && dict_find(r->stop, word, len) != DICT_NONE)
        return TOKEN_STOP;
    return TOKEN_KEPT;
}

/* Append the stem of one word to out, or the word itself if its stem is
 * empty. */
static int add_stem(struct tokeniser *t, const char *word, size_t len,
                    struct buf *out, struct cooc_err *err)
{
    const sb_symbol *stem =
        sb_stemmer_stem(t->stemmer, (const sb_symbol *)word, (int)len);
    int n = stem ? sb_stemmer_length(t->stemmer) : 0;

    if (!stem)
        return err_nomem(err);
    return n > 0 ? buf_add(out, stem, (size_t)n, err)
                 : buf_add(out, word, len, err);
}

/* Stem each word of form into t->stem, joined by blanks.  Only preferred forms
 * contain blanks: a blank in a document ends a word.  With
 * TOKENS_LINES, each line is one term and is stemmed as a whole. */
static int stem_form(struct tokeniser *t, const char *form, size_t len,
                     struct cooc_err *err)
{
    const char *p = form, *end = form + len;
    int rc = 0;

    t->stem.len = 0;
    if (t->rules->mode == TOKENS_LINES)
        return add_stem(t, form, len, &t->stem, err);
    while (rc == 0 && p < end) {
        const char *blank = memchr(p, ' ', (size_t)(end - p));
        const char *to = blank ? blank : end;

        if (to > p && t->stem.len)
            rc = buf_byte(&t->stem, ' ', err);
        if (rc == 0 && to > p)
            rc = add_stem(t, p, (size_t)(to - p), &t->stem, err);
        p = blank ? blank + 1 : end;
    }
    return rc;
}

void tokeniser_form(const struct tokeniser *t, const char *word, size_t len,
                    const char **form, size_t *form_len)
{
    if (!thesaurus_find(&t->rules->thesaurus, word, len, form, form_len)) {
        *form = word;
        *form_len = len;
    }
}

static bool same(const char *a, size_t n, const char *b, size_t m)
{
    return n == m && memcmp(a, b, n) == 0;
}

int tokeniser_term(struct tokeniser *t, const char *word, size_t len,
                   enum token_verdict *verdict, const char **term,
                   size_t *term_len, struct cooc_err *err)
{
    int rc;

    *term = word;
    *term_len = len;
    *verdict = judge(t->rules, word, len);
    if (*verdict != TOKEN_KEPT)
        return 0;
    tokeniser_form(t, word, len, term, term_len);
    if (!*term_len && len)
        *verdict = TOKEN_UNWANTED;
    else if (!same(*term, *term_len, word, len))
        *verdict = TOKEN_MERGED;
    if (!t->stemmer || *verdict == TOKEN_UNWANTED)
        return 0;
    rc = stem_form(t, *term, *term_len, err);
    if (rc < 0)
        return rc;
    *term = t->stem.data;
    *term_len = t->stem.len;
    if (*verdict == TOKEN_KEPT && !same(*term, *term_len, word, len))
        *verdict = TOKEN_RENAMED;
    return 0;
}

int tokeniser_preferred(struct tokeniser *t, const char *text, size_t len,
                        const char **term, size_t *term_len,
                        struct cooc_err *err)
{
    int rc = 0;

    if (!t->rules->thesaurus.n || !len)
        return 0;
    t->chunk.len = 0;
    rc = icu_words_fold(t->icu, text, len, &t->chunk, err);
    if (rc < 0 || !thesaurus_prefers(&t->rules->thesaurus, t->chunk.data,
                                     t->chunk.len))
        return rc;
    if (t->stemmer)
        rc = stem_form(t, t->chunk.data, t->chunk.len, err);
    *term = t->stemmer ? t->stem.data : t->chunk.data;
    *term_len = t->stemmer ? t->stem.len : t->chunk.len;
    return rc < 0 ? rc : 1;
}

int tokeniser_fold(struct tokeniser *t, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err)
{
    return icu_words_fold(t->icu, text, len, out, err);
}
