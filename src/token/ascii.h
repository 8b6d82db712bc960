/* ascii.h - find words in ASCII text exactly as ICU does, without calling ICU.
 *
 * A scan walks over a text and stops where it needs ICU: at the start of a word
 * that may depend on a byte above 0x7f, or at the separator before it.  The
 * caller lets ICU process the text up to the next white space and resumes the
 * scan after it.
 *
 * Threads    The rules are read-only once made; a scan belongs to one
 *            thread.
 */
#ifndef COOC_ASCII_H
#define COOC_ASCII_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "token/token.h"

struct cooc_err;

/* How a byte affects word boundaries, as flags; 0: it only separates words. */
enum ascii_kind {
    ASCII_RUN = 1,         /* joins adjacent bytes that are also ASCII_RUN */
    ASCII_ALNUM = 2,       /* letter or digit: makes a run a word */
    ASCII_LETTER = 4,      /* a letter to an adjacent ASCII_MID_LETTER */
    ASCII_DIGIT = 8,       /* a digit to an adjacent ASCII_MID_DIGIT */
    ASCII_MID_LETTER = 16, /* joins two letters if it is alone between them */
    ASCII_MID_DIGIT = 32,  /* joins two digits if it is alone between them */
    ASCII_HARD = 64,       /* words next to it need ICU */
    ASCII_BLANK = 128,     /* white space: always a boundary */
};

struct ascii_rules {
    uint8_t kind[256];
    uint8_t fold[256]; /* the byte in lower case, or unchanged if keep_case */
    bool keep_case;
    bool fast; /* no ASCII character is ASCII_HARD */
};

/* Derive the rules from the ICU library in use (ascii_probe.c). */
int ascii_rules_init(struct ascii_rules *r, bool keep_case,
                     struct cooc_err *err);

#define ASCII_WINDOW 64 /* bytes classified at a time */

struct ascii_scan {
    const char *at, *end; /* the rest of the text */
    uint64_t alnum;       /* bit i: at[i] is a letter or digit (i < left) */
    uint64_t left;        /* bytes left in the window; at[left] is readable */
    const char *window;   /* where the window starts in the text */
    char folded[ASCII_WINDOW + WORD_SLACK]; /* the window, folded */
    struct buf word; /* a folded word that is not inside the window */
};

/* Start scanning text[0..len), which must stay valid during the scan.  An
 * all-zero scan is valid and is at its end. */
void ascii_scan_start(struct ascii_scan *s, const char *text, size_t len);

/* Continue the scan at another position in its text. */
void ascii_scan_move(struct ascii_scan *s, const char *at);

void ascii_scan_release(struct ascii_scan *s);

/* If the next word is inside the window and has only letters and digits,
 * consume it and return its length.  Otherwise return 0 and change nothing. */
static inline size_t ascii_window_word(const struct ascii_rules *r,
                                       struct ascii_scan *s, const char **word)
{
    const unsigned mids = ASCII_MID_LETTER | ASCII_MID_DIGIT;
    uint64_t skip, n;
    unsigned before, behind, next;
    const char *p;

    if (!s->alnum)
        return 0;
    skip = (uint64_t)__builtin_ctzll(s->alnum);
    n = (uint64_t)__builtin_ctzll(~(s->alnum >> skip)); /* bit 63 is 0 */
    if (skip + n >= s->left)
        return 0;
    p = s->at + skip;
    before = skip ? r->kind[(uint8_t)p[-1]] : 0;
    behind = r->kind[(uint8_t)p[n]];
    next = r->kind[(uint8_t)p[n + 1]] & (ASCII_RUN | ASCII_HARD);
    if (before & (ASCII_RUN | mids) || behind & ASCII_RUN ||
        (behind & mids && next))
        return 0;
    *word = s->folded + (p - s->window);
    s->at = p + n;
    s->alnum >>= skip + n;
    s->left -= skip + n;
    return n;
}

enum { ASCII_END, ASCII_WORD, ASCII_ASK_ICU };

/* Return ASCII_WORD and the next word, folded; it lives until the next call,
 * and WORD_SLACK bytes are readable at it.  ASCII_ASK_ICU: only ICU can find
 * the next word, starting at s->at.  ASCII_END: no more words.  < 0: failed. */
int ascii_next(const struct ascii_rules *r, struct ascii_scan *s,
               const char **word, size_t *len, struct cooc_err *err);

/* Set *word to text[0..len), folded like a word; it lives until the next call.
 * The text must be ASCII and part of the text that s scans. */
int ascii_fold(const struct ascii_rules *r, struct ascii_scan *s,
               const char *text, size_t len, const char **word,
               struct cooc_err *err);

/* The first white space at or after p, or end. */
const char *ascii_blank(const struct ascii_rules *r, const char *p,
                        const char *end);

#endif
