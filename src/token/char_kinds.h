/* char_kinds.h - how a character affects word boundaries, learned from ICU.
 *
 * For most characters, the rules of UAX #29 reduce to a few kinds:
 *
 *     a run of letters, digits and '_' is a word if it has a letter or digit
 *     a single "mid" character between two letters (don't, u.s) or between two
 *     digits (3.14, 1,000) joins the runs on both sides into one word
 *     a separator never is part of a word
 *
 * Which characters are mid depends on the version of ICU: in ICU 72, '@' is a
 * letter and ':' only separates.  So the kinds are found by letting ICU segment
 * short strings.  A character that does not fit is KIND_HARD; words next to it
 * are left to ICU.
 */
#ifndef COOC_CHAR_KINDS_H
#define COOC_CHAR_KINDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "kernel/classify.h"
#include "token/token.h"

struct cooc_err;
struct icu_words;

/* Flags; bit k is class k of a struct byte_classes.  0: a separator. */
enum char_kind {
    KIND_RUN = 1,         /* joins adjacent characters that are KIND_RUN */
    KIND_ALNUM = 2,       /* with KIND_RUN, letter or digit: makes a run a
                           * word */
    KIND_CUT = 2,         /* without KIND_RUN: a separator with a boundary
                           * before it, whatever precedes it, and after it,
                           * unless char_is_joined() what follows */
    KIND_LETTER = 4,      /* a letter to an adjacent KIND_MID_LETTER */
    KIND_DIGIT = 8,       /* a digit to an adjacent KIND_MID_DIGIT */
    KIND_MID_LETTER = 16, /* joins two letters if it is alone between them */
    KIND_MID_DIGIT = 32,  /* joins two digits if it is alone between them */
    KIND_HARD = 64,       /* words next to it need ICU */
    KIND_BLANK = 128,     /* ASCII white space: always a boundary */
};

enum { BIT_RUN, BIT_ALNUM, BIT_LETTER, BIT_DIGIT, BIT_MID_LETTER, BIT_MID_DIGIT,
       BIT_HARD, BIT_BLANK };

/* The kinds of ASCII characters.  Bytes above 0x7f are KIND_HARD. */
int char_kinds_init(struct byte_classes *c, enum token_mode mode,
                    bool keep_case, struct cooc_err *err);

/* ---- other characters --------------------------------------------------- */

#define WIDE_MAX 0x10000 /* characters from here on are KIND_HARD */

/* What is known about a character that is not ASCII: its kind, and its folded
 * form, which takes as many bytes in UTF-8 as the character itself. */
struct wide_kind {
    uint8_t kind;      /* 0: not looked up yet */
    uint8_t folded[3]; /* unless it is KIND_HARD */
};

#define WIDE_KNOWN KIND_BLANK /* the flag of every kind that was looked up */

struct wide_kinds {
    enum token_mode mode;
    struct icu_words *icu;
    bool failed;
    struct buf folded;
    struct wide_kind of[WIDE_MAX];
};

int wide_kinds_new(struct wide_kinds **out, enum token_mode mode,
                   struct icu_words *icu, struct cooc_err *err);
void wide_kinds_free(struct wide_kinds *k);

/* The kind of character c, 0x80 <= c < WIDE_MAX.  If memory runs out, it is
 * KIND_HARD, and wide_kinds_check() fails. */
const struct wide_kind *wide_kind_of(struct wide_kinds *k, int32_t c);

/* Does c belong to the character before it, whatever that is? */
bool char_is_joined(int32_t c);

/* COOC_ENOMEM if a lookup since the last check failed. */
int wide_kinds_check(struct wide_kinds *k, struct cooc_err *err);

#endif
