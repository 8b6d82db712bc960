/* ascii.h - the words of ASCII text, without ICU but as ICU finds them.
 *
 * A scan walks over a text and stops where only ICU can tell: at the first
 * byte of a word (or the separator in front of it) that a byte above 0x7f
 * has a say in.  The caller has that piece of text done by ICU and goes on
 * behind it.
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

/* What a byte does to words; 0: it only separates them. */
enum ascii_kind {
    ASCII_RUN = 1,         /* joins whatever of this kind is beside it */
    ASCII_ALNUM = 2,       /* makes a run a word: a letter or digit */
    ASCII_LETTER = 4,      /* a side that ASCII_MID_LETTER asks for */
    ASCII_DIGIT = 8,       /* a side that ASCII_MID_DIGIT asks for */
    ASCII_MID_LETTER = 16, /* joins two letters */
    ASCII_MID_DIGIT = 32,  /* joins two digits */
    ASCII_HARD = 64,       /* ask ICU */
    ASCII_BLANK = 128,     /* white space: always a boundary */
};

struct ascii_rules {
    uint8_t kind[256];
    uint8_t fold[256]; /* the byte's lower case, or itself */
    bool keep_case;
    bool fast; /* no ASCII character is ASCII_HARD */
};

/* Learn the rules of the ICU that we run with. */
int ascii_rules_init(struct ascii_rules *r, bool keep_case,
                     struct cooc_err *err);

#define ASCII_WINDOW 64 /* bytes looked at together */

struct ascii_scan {
    const char *at, *end; /* what is left of the text */
    uint64_t alnum;       /* bit i: at[i] is a letter or digit */
    uint64_t left;        /* for i < left; at[left] can be read too */
    const char *window;   /* where the window began */
    char folded[ASCII_WINDOW + WORD_SLACK]; /* all of it */
    struct buf word; /* a folded word that the window did not hold */
};

/* Begin with a text.  An all-zero scan is valid and at the end. */
void ascii_scan_start(struct ascii_scan *s, const char *text, size_t len);

/* Go on elsewhere in the text. */
void ascii_scan_move(struct ascii_scan *s, const char *at);

void ascii_scan_release(struct ascii_scan *s);

/* The next word if the window shows all of it and nothing but letters and
 * digits: its length, else 0 and nothing has changed. */
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

/* The next word, folded, living until the next call, WORD_SLACK bytes of it
 * readable.  ASCII_ASK_ICU: s->at
 * is where ICU must begin.  Or a negative error. */
int ascii_next(const struct ascii_rules *r, struct ascii_scan *s,
               const char **word, size_t *len, struct cooc_err *err);

/* Fold text[0..len), which must be ASCII and lie in the text of s, as words
 * are folded. */
int ascii_fold(const struct ascii_rules *r, struct ascii_scan *s,
               const char *text, size_t len, const char **word,
               struct cooc_err *err);

/* The first white space at or behind p, or end. */
const char *ascii_blank(const struct ascii_rules *r, const char *p,
                        const char *end);

#endif
