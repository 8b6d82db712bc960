/* ascii.c - words in ASCII text, as ICU finds them but without it.
 *
 * Most text is ASCII or nearly so, and on it UAX #29 comes down to little:
 *
 *     a run of letters, digits and '_' is a word if it has a letter or digit
 *     a "mid" character glues two runs if it stands alone between two
 *     letters (don't, u.s) or two digits (3.14, 1,000)
 *     everything else separates
 *
 * Which characters are mid is not fixed: to ICU 72 '@' is a letter and ':'
 * only separates.  So ascii_probe.c asks the ICU at hand and fills a table; a
 * character that does not fit the picture is marked "ask ICU", like every
 * byte above 0x7f.
 *
 * The fast path looks at a window of 64 bytes.  A few additions, eight bytes
 * at once, lower it and make a bit map of the letters and digits in it.  Then
 * a word is a run of ones, found by counting zeros: that needs no look at its
 * bytes and no branch that depends on its length.  The window ends before the
 * first byte above 0x7f.  What is not a run of letters and digits between
 * plain separators, or touches the end of the window, goes the slow way, byte
 * by byte.
 *
 * Example.  "The U.S., 1,000 caf\u00e9s":
 *     "The"   fast
 *     "U.S"   slow: '.' is mid and 'S' follows; the second '.' is followed
 *             by ',' and so ends the word
 *     "1,000" slow
 *     "caf"   ends at a byte above 0x7f: ask ICU, beginning at the 'c'
 *
 * Cost.  2.2 to 2.5 ns a byte of English on one core at 2.9 GHz; a loop
 * over bytes alone, which knows no rules, takes 2.8 ns.
 */
#include "token/ascii.h"

#include <string.h>

#include "base/bytes.h"

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define JOINS (ASCII_RUN | ASCII_HARD)
#define MIDS (ASCII_MID_LETTER | ASCII_MID_DIGIT)

/* Bit 7 of each of eight bytes: is it a letter or digit?  *lower: the bytes
 * with capitals lowered.  Sums stay below 0x100, so no byte disturbs another.
 */
static inline uint64_t classify(uint64_t x, uint64_t *lower)
{
    uint64_t seven = x & EACH(0x7f), small = seven | EACH(0x20);
    uint64_t letter = (small + EACH(0x80 - 'a')) &
                      ~(small + EACH(0x80 - 'z' - 1)) & ~x & EACH(0x80);
    uint64_t digit = (seven + EACH(0x80 - '0')) &
                     ~(seven + EACH(0x80 - '9' - 1)) & ~x & EACH(0x80);

    *lower = x | letter >> 2; /* 0x80 >> 2 is 0x20 */
    return letter | digit;
}

/* Gather bit 7 of eight bytes into one byte, the first byte's lowest. */
static inline uint64_t gather(uint64_t x)
{
    return (x >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/* Open the window at s->at, which is before s->end. */
static void look(const struct ascii_rules *r, struct ascii_scan *s)
{
    char tail[ASCII_WINDOW] = { 0 };
    const char *p = s->at;
    uint64_t lower, high = 0;

    s->window = p;
    s->alnum = 0;
    s->left = ASCII_WINDOW - 1;
    if (s->end - p < ASCII_WINDOW) {
        s->left = (uint64_t)(s->end - p) - 1;
        memcpy(tail, p, s->left);
        p = tail;
    }
    for (unsigned i = 0; i < ASCII_WINDOW; i += 8) {
        uint64_t x = get_le64(p + i);

        s->alnum |= gather(classify(x, &lower)) << i;
        high |= gather(x & EACH(0x80)) << i;
        put_le64(s->folded + i, r->keep_case ? x : lower);
    }
    if (high && (uint64_t)__builtin_ctzll(high) < s->left)
        s->left = (uint64_t)__builtin_ctzll(high);
    s->alnum &= (UINT64_C(1) << s->left) - 1;
}

void ascii_scan_start(struct ascii_scan *s, const char *text, size_t len)
{
    s->at = s->end = len ? text : "";
    s->end += len;
    s->alnum = s->left = 0;
}

void ascii_scan_move(struct ascii_scan *s, const char *at)
{
    size_t by = (size_t)(at - s->at);

    s->at = at;
    if (by < s->left) {
        s->alnum >>= by;
        s->left -= by;
    } else {
        s->alnum = s->left = 0; /* slide() will look, if it is worth it */
    }
}

void ascii_scan_release(struct ascii_scan *s)
{
    if (s)
        buf_release(&s->word);
}

/* Does the mid character of this kind glue the kinds at its sides? */
static bool glues(unsigned mid, unsigned left, unsigned right)
{
    return (mid & ASCII_MID_LETTER && left & right & ASCII_LETTER) ||
           (mid & ASCII_MID_DIGIT && left & right & ASCII_DIGIT);
}

/* The end of the word that begins at p; NULL if ICU must tell. */
static const char *word_end(const struct ascii_rules *r, const char *p,
                            const char *end)
{
    for (;;) {
        unsigned left, mid, right;

        while (p < end && r->kind[(uint8_t)*p] & ASCII_RUN)
            p++;
        if (p == end)
            return p;
        mid = r->kind[(uint8_t)*p];
        if (mid & ASCII_HARD)
            return NULL;
        if (!(mid & MIDS) || p + 1 == end)
            return p;
        left = r->kind[(uint8_t)p[-1]];
        right = r->kind[(uint8_t)p[1]];
        if (right & ASCII_HARD) /* could be a letter or digit of any script */
            return glues(mid, left, ASCII_LETTER | ASCII_DIGIT) ? NULL : p;
        if (!glues(mid, left, right))
            return p;
        p++;
    }
}

static bool has_alnum(const struct ascii_rules *r, const char *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (r->kind[(uint8_t)p[i]] & ASCII_ALNUM)
            return true;
    return false;
}

int ascii_fold(const struct ascii_rules *r, struct ascii_scan *s,
               const char *text, size_t len, const char **word,
               struct cooc_err *err)
{
    size_t i = 0;
    int rc;

    *word = text;
    while (i < len && r->fold[(uint8_t)text[i]] == (uint8_t)text[i])
        i++;
    if (i == len && s->end - text >= WORD_SLACK)
        return 0;
    s->word.len = 0;
    rc = buf_reserve(&s->word, len + WORD_SLACK, err);
    if (rc < 0)
        return rc;
    for (i = 0; i < len; i++)
        s->word.data[i] = (char)r->fold[(uint8_t)text[i]];
    *word = s->word.data;
    return 0;
}

const char *ascii_blank(const struct ascii_rules *r, const char *p,
                        const char *end)
{
    while (p < end && !(r->kind[(uint8_t)*p] & ASCII_BLANK))
        p++;
    return p;
}

/* Is the next thing a word for ICU?  In most scripts the next word is, if the
 * last was. */
static bool hard_ahead(const struct ascii_rules *r, const char *p,
                       const char *end)
{
    if (end - p > 1 && r->kind[(uint8_t)*p] & ASCII_BLANK)
        p++;
    return r->kind[(uint8_t)*p] & ASCII_HARD;
}

/* Move the window on over separators; false if it cannot show more. */
static bool slide(const struct ascii_rules *r, struct ascii_scan *s)
{
    uint64_t skip;

    if (!s->left) {
        if (s->at == s->end || hard_ahead(r, s->at, s->end))
            return false;
        look(r, s);
        return s->left != 0;
    }
    if (s->alnum)
        skip = (uint64_t)__builtin_ctzll(s->alnum);
    else /* the last one may matter to what comes */
        skip = s->left - 1;
    if (!skip || r->kind[(uint8_t)s->at[skip - 1]] & (ASCII_RUN | MIDS))
        return false;
    s->at += skip;
    look(r, s);
    return true;
}

/* The next word byte by byte. */
static int slow_word(const struct ascii_rules *r, struct ascii_scan *s,
                     const char **word, size_t *len, struct cooc_err *err)
{
    const char *p = s->at, *end = s->end, *e;
    int rc;

    for (;; p = e) {
        while (p < end && !(r->kind[(uint8_t)*p] & JOINS))
            p++;
        if (p == end) {
            ascii_scan_move(s, p);
            return ASCII_END;
        }
        e = NULL;
        if (!(r->kind[(uint8_t)*p] & ASCII_HARD))
            e = word_end(r, p, end);
        else if (p > s->at && !(r->kind[(uint8_t)p[-1]] & ASCII_BLANK))
            p--; /* ICU may glue what follows to it */
        if (!e) {
            ascii_scan_move(s, p);
            return ASCII_ASK_ICU;
        }
        if (has_alnum(r, p, (size_t)(e - p)))
            break;
    }
    ascii_scan_move(s, e);
    *len = (size_t)(e - p);
    rc = ascii_fold(r, s, p, *len, word, err);
    return rc < 0 ? rc : ASCII_WORD;
}

int ascii_next(const struct ascii_rules *r, struct ascii_scan *s,
               const char **word, size_t *len, struct cooc_err *err)
{
    while (r->fast) {
        *len = ascii_window_word(r, s, word);
        if (*len)
            return ASCII_WORD;
        if (!slide(r, s))
            break;
    }
    return slow_word(r, s, word, len, err);
}
