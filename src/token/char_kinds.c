/* char_kinds.c - learn from ICU how characters affect words.
 *
 * The word rules differ between versions of ICU, and a count must not depend on
 * how a word was found.  So for a character c, ICU segments short strings such
 * as "ac", "c1" and "aca".  If the results are unambiguous, c is recorded as
 * joining, mid or separating.  Otherwise c is KIND_HARD.
 *
 * Characters that are not ASCII are looked up when they first occur.  Most
 * texts use few of them.
 */
#include "token/char_kinds.h"

#include <string.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "token/icu_words.h"

/* Is this string of n characters a single segment? */
static bool whole(struct icu_words *icu, int32_t n, UChar a, UChar b, UChar c)
{
    const UChar text[3] = { a, b, c };

    return icu_words_whole(icu, text, n);
}

/* Put c before and after letters, digits and '_': how many of the 10 pairs does
 * ICU leave whole? */
static int joints(struct icu_words *icu, UChar c)
{
    int n = 0;

    for (const char *s = "aZ19_"; *s; s++)
        n += whole(icu, 2, (UChar)*s, c, 0) + whole(icu, 2, c, (UChar)*s, 0);
    return n;
}

/* The kind of mid character that can join c to another character of its class;
 * 0 for '_'. */
static unsigned mid_for(char c)
{
    return c == '_' ? 0 : c <= '9' ? KIND_MID_DIGIT : KIND_MID_LETTER;
}

static unsigned probe(struct icu_words *icu, UChar c)
{
    int n = joints(icu, c);
    unsigned kind = 0;

    if (n == 10)
        return whole(icu, 2, c, c, 0) ? KIND_RUN : KIND_HARD;
    if (n > 0)
        return KIND_HARD;
    for (const char *left = "aZ19_"; *left; left++)
        for (const char *right = "aZ19_"; *right; right++) {
            unsigned mid = mid_for(*left) & mid_for(*right);

            if (whole(icu, 3, (UChar)*left, c, (UChar)*right))
                kind |= mid ? mid : KIND_HARD;
        }
    return kind & KIND_HARD ? KIND_HARD : kind;
}

static bool is_cut(UChar c)
{
    int32_t property = u_getIntPropertyValue(c, UCHAR_WORD_BREAK);

    return property == U_WB_OTHER && /* not '"', which joins Hebrew letters */
           !u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC);
}

bool char_is_joined(int32_t c)
{
    switch (u_getIntPropertyValue(c, UCHAR_WORD_BREAK)) {
    case U_WB_EXTEND:
    case U_WB_FORMAT:
    case U_WB_ZWJ:
        return true;
    default:
        return false;
    }
}

static bool is_east_asian(UScriptCode script)
{
    return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA ||
           script == USCRIPT_KATAKANA || script == USCRIPT_HANGUL;
}

/* May ICU look c up in a dictionary? */
static bool has_dictionary(UChar c)
{
    UErrorCode status = U_ZERO_ERROR;

    return is_east_asian(uscript_getScript(c, &status)) ||
           u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT;
}

/* ---- ASCII -------------------------------------------------------------- */

/* Does the joining character c count as a letter or as a digit next to a mid
 * character? */
static unsigned probe_side(struct icu_words *icu, const uint8_t *kinds, UChar c)
{
    unsigned kind = 0;

    for (UChar m = 0; m < 0x80; m++) {
        if (kinds[m] & KIND_MID_LETTER && whole(icu, 3, c, m, 'a'))
            kind |= KIND_LETTER;
        if (kinds[m] & KIND_MID_DIGIT && whole(icu, 3, c, m, '1'))
            kind |= KIND_DIGIT;
    }
    return kind;
}

static void probe_ascii(struct icu_words *icu, uint8_t *kinds)
{
    bool fits = true;

    for (UChar c = 0; c < 0x80; c++)
        kinds[c] = (uint8_t)probe(icu, c);
    for (UChar c = 0; c < 0x80; c++)
        if (kinds[c] == KIND_RUN)
            kinds[c] |= (uint8_t)probe_side(icu, kinds, c);
    for (int c = 0; c < 0x80; c++) {
        if (ascii_is_alnum((char)c))
            fits = fits && kinds[c] & KIND_RUN;
        if (ascii_space((char)c))
            fits = fits && !kinds[c];
    }
    for (int c = 0; c < 0x80; c++) {
        if (!fits) /* unknown rules: leave everything to ICU */
            kinds[c] = KIND_HARD;
        else if (!kinds[c] && is_cut((UChar)c))
            kinds[c] = KIND_CUT;
        else if (ascii_is_alnum((char)c))
            kinds[c] |= KIND_ALNUM;
    }
}

int char_kinds_init(struct byte_classes *c, enum token_mode mode,
                    bool keep_case, struct cooc_err *err)
{
    struct icu_words *icu;
    int rc;

    *c = (struct byte_classes){ .high = BIT_HARD, .lower = !keep_case };
    memset(c->of, KIND_RUN | KIND_ALNUM, 0x80);
    if (mode == TOKENS_WORDS) {
        rc = icu_words_new(&icu, mode, keep_case, err);
        if (rc < 0)
            return rc;
        probe_ascii(icu, c->of);
        icu_words_free(icu);
    }
    for (int b = 0; b < 0x80; b++)
        if (ascii_space((char)b))
            c->of[b] = KIND_BLANK;
    byte_classes_complete(c);
    return 0;
}

/* ---- other characters --------------------------------------------------- */

int wide_kinds_new(struct wide_kinds **out, enum token_mode mode,
                   struct icu_words *icu, struct cooc_err *err)
{
    *out = mem_zarray(1, sizeof **out);
    if (!*out)
        return err_nomem(err);
    (*out)->mode = mode;
    (*out)->icu = icu;
    return 0;
}

void wide_kinds_free(struct wide_kinds *k)
{
    if (!k)
        return;
    buf_release(&k->folded);
    mem_free(k);
}

/* Fold c.  False if its folded form has another length, or could combine with
 * the character before it. */
static bool fold(struct wide_kinds *k, int32_t c, struct wide_kind *out)
{
    char text[4];
    size_t len = 0;
    int32_t first;

    U8_APPEND_UNSAFE(text, len, c);
    k->folded.len = 0;
    if (icu_words_fold(k->icu, text, len, &k->folded, NULL) < 0) {
        k->failed = true;
        return false;
    }
    if (k->folded.len != len)
        return false;
    memcpy(out->folded, k->folded.data, len);
    utf8_next(out->folded, out->folded + len, &first);
    return icu_words_stable(k->icu, c) && icu_words_stable(k->icu, first);
}

static unsigned word_kind(struct wide_kinds *k, UChar c)
{
    unsigned kind = probe(k->icu, c);
    int32_t property = u_getIntPropertyValue(c, UCHAR_WORD_BREAK);
    bool letter = property == U_WB_ALETTER && u_isUAlphabetic(c);
    bool joins = kind == KIND_RUN && whole(k->icu, 3, c, '\'', 'a') &&
                 whole(k->icu, 3, 'a', '\'', c);

    if (has_dictionary(c))
        return KIND_HARD;
    if (kind == KIND_RUN)
        return letter && joins ? KIND_RUN | KIND_ALNUM | KIND_LETTER
                               : KIND_HARD;
    switch (property) { /* others have rules of their own */
    case U_WB_OTHER:
        if (u_isUAlphabetic(c) || u_isdigit(c))
            return KIND_HARD;
        __attribute__((fallthrough));
    case U_WB_NEWLINE:
    case U_WB_WSEGSPACE:
        return kind ? KIND_HARD : is_cut(c) ? KIND_CUT : 0;
    case U_WB_MIDLETTER:
    case U_WB_MIDNUM:
    case U_WB_MIDNUMLET:
        return kind;
    default:
        return KIND_HARD;
    }
}

const struct wide_kind *wide_kind_of(struct wide_kinds *k, int32_t c)
{
    struct wide_kind *w = &k->of[c];
    unsigned kind;

    if (w->kind)
        return w;
    if (!fold(k, c, w))
        kind = KIND_HARD;
    else if (k->mode == TOKENS_WORDS)
        kind = word_kind(k, (UChar)c);
    else
        kind = u_isUWhiteSpace(c) ? KIND_HARD
                                  : KIND_RUN | KIND_ALNUM | KIND_LETTER;
    w->kind = (uint8_t)(kind | WIDE_KNOWN);
    return w;
}

int wide_kinds_check(struct wide_kinds *k, struct cooc_err *err)
{
    bool failed = k->failed;

    k->failed = false;
    return failed ? err_nomem(err) : 0;
}
