/* icu_words.c - find words in text of any script, with ICU.
 *
 * Words follow the language-neutral rules of UAX #29; Chinese, Japanese, Thai,
 * Khmer, Lao and Burmese also need dictionaries.  ICU has both.  It works on
 * UTF-16, so the steps are
 *
 *     UTF-8 -> UTF-16 -> segments -> fold case -> NFC -> UTF-8
 *
 * A segment is a word if ICU's rule status says so and it contains a letter
 * (Unicode property Alphabetic) or a digit: "___" is a segment but not a word.
 * In white space mode, segments are the runs between white space; with
 * keep_case they are left unchanged.
 *
 * NFC comes after folding because folding decomposes letters (U+0390 becomes
 * three code points), and because canonically equivalent words are one term.
 *
 * Cost.  0.1 to 1 us per word, linear in the length of the text; 2 to 8 bytes
 * of memory per byte of text.  ASCII words and repeated chunks therefore never
 * get here (word_scan.c, chunk_cache.c).
 */
#include "token/icu_words.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"

#define KEEP_UNITS 65536 /* larger buffers are freed after use */

/* A word with more UTF-16 units than this exceeds TERM_MAX bytes even after
 * folding and normalising (at most four units become one letter), so the rest
 * is cut off. */
#define WORD_UNITS (4 * (int32_t)TERM_MAX + 4)

struct units {
    UChar *u;
    size_t cap;
};

struct icu_words {
    enum token_mode mode;
    bool fold, normalise;
    UBreakIterator *words; /* TOKENS_WORDS only */
    const UNormalizer2 *nfc;
    struct units text, folded, composed;
};

int icu_error(struct cooc_err *err, UErrorCode status)
{
    if (status == U_MEMORY_ALLOCATION_ERROR)
        return err_nomem(err);
    return err_set(err, COOC_EINVAL,
                   "the ICU library failed: %s; check that its data is "
                   "installed", u_errorName(status));
}

/* ICU loads the dictionary of a script when it first sees a character of that
 * script.  Until then it segments characters shared by several scripts
 * differently: in "\u30fc\u3005 \u30fc\u3005" the first half is two words and
 * the second half is one.  So each new iterator first reads a character of
 * every script that has a dictionary. */
static void load_dictionaries(UBreakIterator *words, UErrorCode *status)
{
    static const UChar text[] = {
        0x4e00, 0x3005, 0x3042, 0x30a2, 0x30fc, 0x3005, /* Han, Kana */
        ' ', 0x0e01, 0x0e01, ' ', 0x0e81, 0x0e81,       /* Thai, Lao */
        ' ', 0x1000, 0x1000, ' ', 0x1780, 0x1780,       /* Burmese, Khmer */
        ' ', 0xac00, 0xac00,                            /* Hangul */
    };

    ubrk_setText(words, text, sizeof text / sizeof *text, status);
    if (U_SUCCESS(*status))
        while (ubrk_next(words) != UBRK_DONE)
            ;
}

int icu_words_new(struct icu_words **out, enum token_mode mode, bool keep_case,
                  struct cooc_err *err)
{
    struct icu_words *w = mem_zarray(1, sizeof *w);
    UErrorCode status = U_ZERO_ERROR;

    *out = NULL;
    if (!w)
        return err_nomem(err);
    w->mode = mode;
    w->fold = !keep_case && mode != TOKENS_LINES;
    w->normalise = w->fold || mode == TOKENS_WORDS || mode == TOKENS_ITEMS;
    w->nfc = unorm2_getNFCInstance(&status);
    if (mode == TOKENS_WORDS)
        w->words = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
    if (w->words && U_SUCCESS(status))
        load_dictionaries(w->words, &status);
    if (U_FAILURE(status)) {
        icu_words_free(w);
        return icu_error(err, status);
    }
    *out = w;
    return 0;
}

static void units_release(struct units *b)
{
    mem_free(b->u);
    *b = (struct units){ 0 };
}

void icu_words_free(struct icu_words *w)
{
    if (!w)
        return;
    ubrk_close(w->words);
    units_release(&w->text);
    units_release(&w->folded);
    units_release(&w->composed);
    mem_free(w);
}

/* Free buffers that grew for a very long text. */
static void trim(struct icu_words *w)
{
    struct units *all[] = { &w->text, &w->folded, &w->composed };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i]->cap > KEEP_UNITS)
            units_release(all[i]);
}

/* Convert text to UTF-16 in w->text.  UTF-16 never has more units than UTF-8
 * has bytes. */
static int to_units(struct icu_words *w, const char *text, size_t len,
                    int32_t *n, uint64_t *invalid, struct cooc_err *err)
{
    const uint8_t *p = (const uint8_t *)text, *end = p + len;
    UChar *u;
    int32_t at = 0;
    int rc;

    if (len > ICU_WORDS_MAX)
        return err_set(err, COOC_ELIMIT,
                       "a piece of text of %zu bytes has no blank; at most "
                       "%zu are supported; check that the input is text", len,
                       ICU_WORDS_MAX);
    rc = array_grow(&w->text.u, &w->text.cap, len, sizeof(UChar), err);
    if (rc < 0)
        return rc;
    u = w->text.u;
    while (p < end) {
        int32_t c;
        size_t size = utf8_next(p, end, &c);

        if (c == UTF8_INVALID) {
            *invalid += size;
            c = UTF8_REPLACEMENT;
        }
        U16_APPEND_UNSAFE(u, at, c);
        p += size;
    }
    *n = at;
    return 0;
}

/* Fold the case of *u[0..*n); afterwards *u is in w->folded. */
static int fold(struct icu_words *w, const UChar **u, int32_t *n,
                struct cooc_err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    size_t room = (size_t)*n * 3; /* a letter folds to at most 3 units */
    int rc = array_grow(&w->folded.u, &w->folded.cap, room, sizeof(UChar),
                        err);

    if (rc < 0)
        return rc;
    *n = u_strFoldCase(w->folded.u, (int32_t)room, *u, *n, U_FOLD_CASE_DEFAULT,
                       &status);
    *u = w->folded.u;
    return U_FAILURE(status) ? icu_error(err, status) : 0;
}

/* Normalise *u[0..*n) to NFC; afterwards *u may be in w->composed. */
static int compose(struct icu_words *w, const UChar **u, int32_t *n,
                   struct cooc_err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    size_t room = (size_t)*n * 3;
    int rc;

    if (unorm2_spanQuickCheckYes(w->nfc, *u, *n, &status) == *n)
        return 0;
    rc = array_grow(&w->composed.u, &w->composed.cap, room, sizeof(UChar),
                    err);
    if (rc < 0)
        return rc;
    *n =
        unorm2_normalize(w->nfc, *u, *n, w->composed.u, (int32_t)room, &status);
    *u = w->composed.u;
    return U_FAILURE(status) ? icu_error(err, status) : 0;
}

static size_t utf8_length(const UChar *u, int32_t n)
{
    size_t len = 0;

    for (int32_t i = 0; i < n; i++)
        len += u[i] < 0x80                              ? 1u
               : u[i] < 0x800 || U16_IS_SURROGATE(u[i]) ? 2u
                                                        : 3u;
    return len;
}

static void put_utf8(char *p, const UChar *u, int32_t n)
{
    size_t len = 0;

    for (int32_t i = 0; i < n;) {
        UChar32 c;

        U16_NEXT(u, i, n, c);
        U8_APPEND_UNSAFE(p, len, c);
    }
}

/* Fold and normalise u[0..n) and append it as UTF-8, after its length if
 * packed. */
static int add_word(struct icu_words *w, const UChar *u, int32_t n, bool packed,
                    struct buf *out, struct cooc_err *err)
{
    size_t len;
    int rc = 0;

    if (n > WORD_UNITS)
        n = U16_IS_TRAIL(u[WORD_UNITS]) ? WORD_UNITS - 1 : WORD_UNITS;
    if (w->fold)
        rc = fold(w, &u, &n, err);
    if (rc == 0 && w->normalise)
        rc = compose(w, &u, &n, err);
    if (rc < 0)
        return rc;
    len = utf8_length(u, n);
    rc = buf_reserve(out, len + VARINT_MAX, err);
    if (rc < 0)
        return rc;
    if (packed) {
        uint8_t *p = (uint8_t *)out->data + out->len;

        out->len += (size_t)(put_varint(p, len) - p);
    }
    put_utf8(out->data + out->len, u, n);
    out->len += len;
    return 0;
}

static bool has_alnum(const UChar *u, int32_t n)
{
    for (int32_t i = 0; i < n;) {
        UChar32 c;

        U16_NEXT(u, i, n, c);
        if (u_isUAlphabetic(c) || u_isdigit(c))
            return true;
    }
    return false;
}

static int split_words(struct icu_words *w, int32_t n, struct buf *out,
                       struct cooc_err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    const UChar *u = w->text.u;
    int32_t from = 0, to;
    int rc = 0;

    ubrk_setText(w->words, u, n, &status);
    if (U_FAILURE(status))
        return icu_error(err, status);
    for (; rc == 0 && (to = ubrk_next(w->words)) != UBRK_DONE; from = to) {
        if (u[from] == UTF8_REPLACEMENT)
            from++; /* WB3c may attach it to a word */
        if (ubrk_getRuleStatus(w->words) >= UBRK_WORD_NONE_LIMIT &&
            has_alnum(u + from, to - from))
            rc = add_word(w, u + from, to - from, true, out, err);
    }
    return rc;
}

/* All white space is in the basic multilingual plane, so one UTF-16 unit is
 * enough to recognise it. */
static int split_blanks(struct icu_words *w, int32_t n, struct buf *out,
                        struct cooc_err *err)
{
    const UChar *u = w->text.u;
    int32_t from = 0;
    int rc = 0;

    while (rc == 0 && from < n) {
        int32_t to = from;

        while (to < n && !u_isUWhiteSpace(u[to]))
            to++;
        if (to > from)
            rc = add_word(w, u + from, to - from, true, out, err);
        from = to + 1;
    }
    return rc;
}

int icu_words_split(struct icu_words *w, const char *text, size_t len,
                    struct buf *out, uint64_t *invalid, struct cooc_err *err)
{
    int32_t n;
    int rc = to_units(w, text, len, &n, invalid, err);

    if (rc < 0)
        return rc;
    rc = w->mode == TOKENS_WORDS ? split_words(w, n, out, err)
                                 : split_blanks(w, n, out, err);
    trim(w);
    return rc;
}

_Static_assert(TOKEN_ICU_MAX >= U_MAX_VERSION_STRING_LENGTH, "too short");

void token_icu_version(char out[TOKEN_ICU_MAX])
{
    UVersionInfo v;

    u_getVersion(v);
    u_versionToString(v, out);
}

/* Drop white space around u[0..n), and replace each run of white space in it by
 * a blank.  Returns the new length. */
static int32_t collapse_blanks(UChar *u, int32_t n)
{
    int32_t to = 0;
    bool blank = false;

    for (int32_t i = 0; i < n; i++) {
        if (u_isUWhiteSpace(u[i])) {
            blank = to > 0;
            continue;
        }
        if (blank)
            u[to++] = ' ';
        blank = false;
        u[to++] = u[i];
    }
    return to;
}

static int fold_whole(struct icu_words *w, const char *text, size_t len,
                      bool join, struct buf *out, struct cooc_err *err)
{
    uint64_t invalid = 0;
    int32_t n;
    int rc = to_units(w, text, len, &n, &invalid, err);

    if (rc < 0)
        return rc;
    if (join)
        n = collapse_blanks(w->text.u, n);
    rc = add_word(w, w->text.u, n, false, out, err);
    trim(w);
    return rc;
}

int icu_words_fold(struct icu_words *w, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err)
{
    return fold_whole(w, text, len, w->mode == TOKENS_ITEMS, out, err);
}

int icu_words_name(struct icu_words *w, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err)
{
    return fold_whole(w, text, len, true, out, err);
}

bool icu_words_whole(struct icu_words *w, const UChar *text, int32_t n)
{
    UErrorCode status = U_ZERO_ERROR;

    ubrk_setText(w->words, text, n, &status);
    return U_SUCCESS(status) && ubrk_next(w->words) == n;
}

bool icu_words_stable(const struct icu_words *w, int32_t c)
{
    return !w->normalise || unorm2_hasBoundaryBefore(w->nfc, c);
}
