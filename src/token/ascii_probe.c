/* ascii_probe.c - learn from ICU how each ASCII character affects words.
 *
 * The word rules differ between versions of ICU, and a count must not depend on
 * whether a word took the fast path.  So for every character c, ICU segments
 * short strings such as "ac", "c1" and "aca".  If the results are unambiguous,
 * c is recorded as joining, mid or separating.  Otherwise c is ASCII_HARD, and
 * every word next to it is left to ICU.
 */
#include "token/ascii.h"

#include <string.h>
#include <unicode/ubrk.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "token/icu_words.h"

struct probe {
    UBreakIterator *words;
    UErrorCode status;
};

/* Is this string of n characters a single segment? */
static bool whole(struct probe *p, int32_t n, char a, char b, char c)
{
    const UChar text[3] = { (UChar)a, (UChar)b, (UChar)c };

    ubrk_setText(p->words, text, n, &p->status);
    return U_SUCCESS(p->status) && ubrk_next(p->words) == n;
}

/* Put c before and after letters, digits and '_': how many of the 10 pairs does
 * ICU leave whole? */
static int joints(struct probe *p, char c)
{
    int n = 0;

    for (const char *s = "aZ19_"; *s; s++)
        n += whole(p, 2, *s, c, 0) + whole(p, 2, c, *s, 0);
    return n;
}

/* The kind of mid character that can join c to another character of its class;
 * 0 for '_'. */
static unsigned mid_for(char c)
{
    return c == '_' ? 0 : c <= '9' ? ASCII_MID_DIGIT : ASCII_MID_LETTER;
}

static unsigned probe_kind(struct probe *p, char c)
{
    int n = joints(p, c);
    unsigned kind = 0;

    if (n == 10)
        return whole(p, 2, c, c, 0) ? ASCII_RUN : ASCII_HARD;
    if (n > 0)
        return ASCII_HARD;
    for (const char *left = "aZ19_"; *left; left++)
        for (const char *right = "aZ19_"; *right; right++) {
            unsigned mid = mid_for(*left) & mid_for(*right);

            if (whole(p, 3, *left, c, *right))
                kind |= mid ? mid : ASCII_HARD;
        }
    return kind & ASCII_HARD ? ASCII_HARD : kind;
}

/* Does the joining character c count as a letter or as a digit next to a mid
 * character? */
static unsigned probe_side(struct probe *p, const struct ascii_rules *r, char c)
{
    unsigned kind = 0;

    for (int m = 0; m < 0x80; m++) {
        if (r->kind[m] & ASCII_MID_LETTER && whole(p, 3, c, (char)m, 'a'))
            kind |= ASCII_LETTER;
        if (r->kind[m] & ASCII_MID_DIGIT && whole(p, 3, c, (char)m, '1'))
            kind |= ASCII_DIGIT;
    }
    return kind;
}

static void probe_all(struct probe *p, struct ascii_rules *r)
{
    bool fits = true;

    r->fast = true;
    for (int c = 0; c < 0x80; c++) {
        r->kind[c] = (uint8_t)probe_kind(p, (char)c);
        r->fast = r->fast && r->kind[c] != ASCII_HARD;
    }
    for (int c = 0; c < 0x80; c++)
        if (r->kind[c] == ASCII_RUN)
            r->kind[c] |= (uint8_t)probe_side(p, r, (char)c);
    for (int c = 0; c < 0x80; c++) {
        if (ascii_is_alnum((char)c))
            fits = fits && r->kind[c] & ASCII_RUN;
        if (ascii_space((char)c))
            fits = fits && !r->kind[c];
    }
    r->fast = r->fast && fits;
    for (int c = 0; c < 0x100; c++) {
        if (c >= 0x80 || !fits) /* unknown rules: leave everything to ICU */
            r->kind[c] = ASCII_HARD;
        else if (ascii_is_alnum((char)c))
            r->kind[c] |= ASCII_ALNUM;
        if (ascii_space((char)c))
            r->kind[c] = ASCII_BLANK;
    }
}

int ascii_rules_init(struct ascii_rules *r, bool keep_case,
                     struct cooc_err *err)
{
    struct probe p = { .status = U_ZERO_ERROR };

    memset(r, 0, sizeof *r);
    r->keep_case = keep_case;
    for (int c = 0; c < 0x100; c++)
        r->fold[c] = (uint8_t)(keep_case ? c : ascii_lower((char)c));
    p.words = ubrk_open(UBRK_WORD, "", NULL, 0, &p.status);
    if (U_SUCCESS(p.status))
        probe_all(&p, r);
    ubrk_close(p.words);
    return U_FAILURE(p.status) ? icu_error(err, p.status) : 0;
}
