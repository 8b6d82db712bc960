/* ascii.c - find words in ASCII text exactly as ICU does, without calling ICU.
 *
 * Most text is ASCII or nearly so, and for ASCII text UAX #29 reduces to a few
 * rules:
 *
 *     a run of letters, digits and '_' is a word if it has a letter or digit
 *     a single "mid" character between two letters (don't, u.s) or between two
 *     digits (3.14, 1,000) joins the runs on both sides into one word
 *     every other character separates words
 *
 * Which characters are mid depends on the version of ICU: in ICU 72, '@' is a
 * letter and ':' only separates.  So ascii_probe.c queries the ICU library in
 * use and fills a table.  A character that does not follow these rules is
 * marked "ask ICU" (ASCII_HARD), and so is every byte above 0x7f.
 *
 * The fast path looks at a window of 64 bytes.  A few additions on eight bytes
 * at a time lowercase it and make a bitmap of its letters and digits.  A word
 * is then a run of ones, found by counting zeros, without reading its bytes and
 * without a branch that depends on its length.  The window ends before the
 * first byte above 0x7f.  Anything that is not a run of letters and digits
 * between plain separators, or that touches the end of the window, takes the
 * slow path, byte by byte.
 *
 * Example.  "The U.S., 1,000 caf\u00e9s":
 *     "The"   fast
 *     "U.S"   slow: '.' is mid and 'S' follows; the second '.' is followed
 *             by ',' and so ends the word
 *     "1,000" slow
 *     "caf"   ends at a byte above 0x7f: ask ICU, starting at the 'c'
 *
 * Cost.  2.2 to 2.5 ns per byte of English text on one core at 2.9 GHz; a plain
 * loop over bytes, without any word rules, takes 2.8 ns.
 */
#include "token/ascii.h"

#include <string.h>

#include "base/bytes.h"

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))
#define JOINS (ASCII_RUN | ASCII_HARD)
#define MIDS (ASCII_MID_LETTER | ASCII_MID_DIGIT)

/* Classify eight bytes.  In the result, bit 7 of a byte is set if that byte of
 * x is a letter or digit.  *lower is x with capitals lowercased.  Each sum
 * stays below 0x100, so no byte carries into the next.
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

/* Collect bit 7 of each of eight bytes into one byte, the first byte's bit as
 * the lowest. */
static inline uint64_t gather(uint64_t x)
{
    return (x >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/* Load the window at s->at, which must be before s->end. */
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
        s->alnum = s->left = 0; /* slide() loads the window if needed */
    }
}

void ascii_scan_release(struct ascii_scan *s)
{
    if (s)
        buf_release(&s->word);
}

/* Does a mid character of this kind join neighbours of these kinds? */
static bool glues(unsigned mid, unsigned left, unsigned right)
{
    return (mid & ASCII_MID_LETTER && left & right & ASCII_LETTER) ||
           (mid & ASCII_MID_DIGIT && left & right & ASCII_DIGIT);
}

/* The end of the word that begins at p, or NULL if only ICU can find it. */
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

/* Does the next word need ICU?  In most scripts, a word that needs ICU is
 * followed by another one. */
static bool hard_ahead(const struct ascii_rules *r, const char *p,
                       const char *end)
{
    if (end - p > 1 && r->kind[(uint8_t)*p] & ASCII_BLANK)
        p++;
    return r->kind[(uint8_t)*p] & ASCII_HARD;
}

/* Advance the window past separators; false if the fast path cannot go on. */
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
    else /* keep the last byte: it may join the next word */
        skip = s->left - 1;
    if (!skip || r->kind[(uint8_t)s->at[skip - 1]] & (ASCII_RUN | MIDS))
        return false;
    s->at += skip;
    look(r, s);
    return true;
}

/* Find the next word byte by byte. */
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
            p--; /* ICU may join this separator to what follows */
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
