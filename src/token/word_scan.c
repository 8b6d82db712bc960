/* word_scan.c - find words in a block of text with bitmaps.
 *
 * With one bit per byte, the rules of char_kinds.h are shifts and logic on 64
 * bytes at a time.  In "don't (it's) x_1", where a dot is a zero:
 *
 *     run       111.1..11.1..111
 *     letter    111.1..11.1..1..
 *     mid       ...1.....1......    between two letters: part of the word
 *     words     11111..1111..111
 *     flips     1....1.1...1.1..1   words ^ words << 1: starts and ends
 *
 * The positions of all flips are extracted at once; every other one begins a
 * word.  No step depends on the length of a word or on what follows it, so
 * there is almost no branch to mispredict.
 *
 * Characters that are not ASCII are then added to the bitmaps one by one, from
 * a table.  What remains hard (other scripts, combining marks, invalid UTF-8)
 * makes the text between two cuts a chunk for ICU: blanks, and separators that
 * are boundaries in any context (KIND_CUT).  The words are those that ICU finds
 * in the whole text, because no rule depends on text before a boundary.
 *
 * Cost.  0.3 ns per byte of ASCII text.
 */
#include "token/word_scan.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"

#define BLOCK 4096u /* bytes; the bitmaps stay in the L1 cache */

int word_scan_init(struct word_scan *s, const struct byte_classes *kinds,
                   struct wide_kinds *wide, struct cooc_err *err)
{
    *s = (struct word_scan){ .kinds = kinds, .wide = wide,
                             .classify = classify_best(),
                             .k = kernel_find(NULL, err) };
    return s->k ? 0 : COOC_EINVAL;
}

void word_scan_trim(struct word_scan *s)
{
    mem_free(s->masks);
    mem_free(s->words);
    mem_free(s->flips);
    mem_free(s->chunks);
    mem_free(s->at);
    buf_release(&s->folded);
    *s = (struct word_scan){ .kinds = s->kinds, .wide = s->wide,
                             .classify = s->classify, .k = s->k };
}

void word_scan_release(struct word_scan *s)
{
    word_scan_trim(s);
}

/* ---- loading ------------------------------------------------------------ */

static int classify(struct word_scan *s, const char *text, size_t len,
                    struct cooc_err *err)
{
    size_t windows = windows_of(len), full = len / WINDOW;
    char tail[WINDOW] = { 0 };
    int rc = array_grow(&s->masks, &s->masks_cap, windows, sizeof *s->masks,
                        err);

    if (rc == 0)
        rc = array_grow(&s->words, &s->words_cap, windows, sizeof *s->words,
                        err);
    if (rc == 0)
        rc = array_grow(&s->flips, &s->flips_cap, windows, sizeof *s->flips,
                        err);
    s->folded.len = 0;
    if (rc == 0)
        rc = buf_reserve(&s->folded, windows * WINDOW + WORD_SLACK, err);
    if (rc < 0)
        return rc;
    s->classify(s->kinds, text, full, s->folded.data, s->masks);
    if (full < windows) {
        memcpy(tail, text + full * WINDOW, len - full * WINDOW);
        s->classify(s->kinds, tail, 1, s->folded.data + full * WINDOW,
                    s->masks + full);
    }
    return 0;
}

/* Bit i: byte i is white space. */
static uint64_t blanks(const uint64_t *masks)
{
    return masks[BIT_BLANK];
}

/* Bit i: byte i is white space or belongs to a KIND_CUT. */
static uint64_t cuts(const uint64_t *masks)
{
    return masks[BIT_BLANK] | (masks[BIT_ALNUM] & ~masks[BIT_RUN]);
}

/* Bit i: byte i - 1 is KIND_CUT, and byte i is part of a run. */
static uint64_t run_starts(const uint64_t *masks)
{
    return masks[BIT_RUN] & cuts(masks) << 1;
}

/* The last of these bits before bit len, plus 1; 0 if there is none. */
static size_t last_of(uint64_t (*bits)(const uint64_t *),
                      const struct word_scan *s, size_t len)
{
    for (size_t w = windows_of(len); w-- > 0;) {
        uint64_t b = bits(s->masks[w]) & low_bits(len - w * WINDOW);

        if (b)
            return w * WINDOW + 64 - (size_t)__builtin_clzll(b);
    }
    return 0;
}

/* The first of these bits from bit i on; len if there is none. */
static size_t next_of(uint64_t (*bits)(const uint64_t *),
                      const struct word_scan *s, size_t i, size_t len)
{
    for (size_t w = i / WINDOW; w < windows_of(len); w++) {
        uint64_t b = bits(s->masks[w]);

        if (w == i / WINDOW)
            b &= ~low_bits(i % WINDOW);
        if (b)
            return w * WINDOW + (size_t)__builtin_ctzll(b);
    }
    return len;
}

int word_scan_load(struct word_scan *s, const char *text, size_t left,
                   size_t *len, struct cooc_err *err)
{
    uint64_t hard = 0;
    size_t n = BLOCK, end, last;

    do {
        int rc;

        n = n < left ? n : left;
        rc = classify(s, text, n, err);
        if (rc < 0)
            return rc;
        end = n == left ? n : last_of(blanks, s, n);
        if (!end && (end = last_of(run_starts, s, n)))
            end--;
        n *= 2; /* only if there is no boundary at all */
    } while (!end);
    last = windows_of(end) - 1;
    for (unsigned c = 0; c < CLASSES; c++)
        s->masks[last][c] &= low_bits(end - last * WINDOW);
    for (size_t w = 0; w <= last; w++)
        hard |= s->masks[w][BIT_HARD];
    s->has_hard = hard != 0;
    s->folded.len = end;
    *len = end;
    return 0;
}

/* ---- words -------------------------------------------------------------- */

/* Bit i: the byte before (after) byte i of window w is in the class. */
static inline uint64_t before(const struct word_scan *s, size_t w, unsigned c)
{
    return s->masks[w][c] << 1 | (w ? s->masks[w - 1][c] >> 63 : 0);
}

static inline uint64_t after(const struct word_scan *s, size_t w, size_t n,
                             unsigned c)
{
    return s->masks[w][c] >> 1 | (w + 1 < n ? s->masks[w + 1][c] << 63 : 0);
}

/* Return whether a run may lack letters and digits. */
static bool join_runs(struct word_scan *s, size_t n)
{
    uint64_t bare = 0;

    for (size_t w = 0; w < n; w++) {
        const uint64_t *m = s->masks[w];

        s->words[w] =
            m[BIT_RUN] |
            (m[BIT_MID_LETTER] & before(s, w, BIT_LETTER) &
             after(s, w, n, BIT_LETTER)) |
            (m[BIT_MID_DIGIT] & before(s, w, BIT_DIGIT) &
             after(s, w, n, BIT_DIGIT));
        bare |= m[BIT_RUN] & ~m[BIT_ALNUM];
    }
    return bare;
}

static bool bit_at(const struct word_scan *s, size_t i)
{
    return s->words[i / WINDOW] >> i % WINDOW & 1;
}

static void clear_words(struct word_scan *s, size_t from, size_t to)
{
    for (; from < to; from = (from / WINDOW + 1) * WINDOW) {
        size_t w = from / WINDOW, start = w * WINDOW;

        s->words[w] &= low_bits(from - start) | ~low_bits(to - start);
    }
}

/* Remove words without letters and digits, as "__".  They begin with a
 * character that is KIND_RUN but not KIND_ALNUM. */
static void drop_bare(struct word_scan *s, size_t len)
{
    for (size_t w = 0; w < windows_of(len); w++) {
        uint64_t starts = s->words[w] & ~(s->words[w] << 1 |
                                          (w ? s->words[w - 1] >> 63 : 0));
        uint64_t bare = starts & ~s->masks[w][BIT_ALNUM];

        for (; bare; bare &= bare - 1) {
            size_t from = w * WINDOW + (size_t)__builtin_ctzll(bare), to;
            bool alnum = false;

            for (to = from; to < len && bit_at(s, to); to++)
                alnum |= s->masks[to / WINDOW][BIT_ALNUM] >> to % WINDOW & 1;
            if (!alnum)
                clear_words(s, from, to);
        }
    }
}

/* ---- chunks ------------------------------------------------------------- */

/* The start of the chunk around text[i]: after a cut, or before it if the next
 * character belongs to it. */
static size_t chunk_start(const struct word_scan *s, const char *text,
                          size_t len, size_t i)
{
    const uint8_t *p = (const uint8_t *)text;
    size_t from = last_of(cuts, s, i);
    int32_t c;

    if (!from || s->kinds->of[p[from - 1]] & KIND_BLANK)
        return from;
    utf8_next(p + from, p + len, &c);
    if (!char_is_joined(c))
        return from;
    do
        from--;
    while ((p[from] & 0xc0) == 0x80);
    return from;
}

/* Turn the text around hard characters into chunks. */
static int find_chunks(struct word_scan *s, const char *text, size_t len,
                       struct cooc_err *err)
{
    size_t done = 0;

    for (size_t w = 0; w < windows_of(len); w++) {
        size_t start = w * WINDOW;
        uint64_t hard = s->masks[w][BIT_HARD];

        while (done < start + WINDOW &&
               (hard &= ~low_bits(done > start ? done - start : 0))) {
            size_t i = start + (size_t)__builtin_ctzll(hard);
            size_t from = chunk_start(s, text, len, i);
            int rc = array_grow(&s->chunks, &s->chunks_cap, s->n_chunks + 1,
                                sizeof *s->chunks, err);

            if (rc < 0)
                return rc;
            done = next_of(cuts, s, i, len);
            clear_words(s, from, done);
            s->chunks[s->n_chunks++] =
                (struct chunk_range){ (uint32_t)from, (uint32_t)done };
        }
    }
    return 0;
}

int word_scan_find(struct word_scan *s, const char *text, size_t len,
                   struct cooc_err *err)
{
    int rc = 0;

    s->n_chunks = s->n_at = 0;
    if (s->has_hard) {
        word_scan_wide(s, text, len);
        rc = wide_kinds_check(s->wide, err);
    }
    if (join_runs(s, windows_of(len)))
        drop_bare(s, len);
    return rc == 0 && s->has_hard ? find_chunks(s, text, len, err) : rc;
}

/* ---- positions ---------------------------------------------------------- */

int word_scan_emit(struct word_scan *s, size_t from, size_t to,
                   struct cooc_err *err)
{
    size_t first = from / WINDOW, n = windows_of(to) - first, found;
    uint64_t carry = 0;
    uint32_t *out;
    int rc;

    if (from == to)
        return 0;
    for (size_t i = 0; i < n; i++) {
        size_t start = (first + i) * WINDOW;
        uint64_t words = s->words[first + i] & low_bits(to - start);

        if (i == 0)
            words &= ~low_bits(from - start);
        s->flips[i] = words ^ (words << 1 | carry);
        carry = words >> 63;
    }
    rc = array_grow(&s->at, &s->at_cap,
                    s->n_at + s->k->ones(s->flips, n) + KERNEL_SLACK,
                    sizeof *s->at, err);
    if (rc < 0)
        return rc;
    out = s->at + s->n_at;
    found = s->k->columns(out, s->flips, NULL, NULL, n);
    for (size_t i = 0; first && i < found; i++)
        out[i] += (uint32_t)(first * WINDOW);
    if (found % 2)
        out[found++] = (uint32_t)to;
    s->n_at += found;
    return 0;
}

int word_scan_add(struct word_scan *s, const char *text, size_t len,
                  struct cooc_err *err)
{
    int rc = array_grow(&s->at, &s->at_cap, s->n_at + 2, sizeof *s->at, err);

    if (rc == 0)
        rc = buf_reserve(&s->folded, len + WORD_SLACK, err);
    if (rc < 0)
        return rc;
    s->at[s->n_at++] = (uint32_t)s->folded.len;
    memcpy(s->folded.data + s->folded.len, text, len);
    s->folded.len += len;
    s->at[s->n_at++] = (uint32_t)s->folded.len;
    return 0;
}
