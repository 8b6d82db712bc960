/* json_skim.h - take the long strings out of a line of JSON, and numbers that
 * jansson would change or refuse: fractions, exponents, long integers.
 *
 * An all-zero struct skim is valid.  (And, since escapes are known here,
 * mend those that jansson refuses.)
 */
#ifndef COOC_JSON_SKIM_H
#define COOC_JSON_SKIM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct skim {
    struct buf reduced; /* the line with marks for what was taken out */
    struct buf decoded; /* those that held escapes, one after the other */
    struct skim_span *spans;
    size_t n, cap;
    const char *line;
};

/* 1: reduced stands for line[0..len), which is valid UTF-8 and must stay;
 * 0: it could not be made, parse the line itself; < 0: failed. */
int skim_line(struct skim *k, const char *line, size_t len,
              struct cooc_err *err);
void skim_release(struct skim *k);

/* The string that value[0..*len), from the parsed reduced line, means. */
const char *skim_string(const struct skim *k, const char *value, size_t *len);

/* Is that string a number, as skim_string() gives it?  Integers of up to 18
 * digits are not taken out; jansson has them. */
bool skim_is_number(const struct skim *k, const char *value, size_t len);

/* Write \ufffd over each \ud800..\udfff that is not half of a pair; returns
 * how many there were. */
size_t json_mend_escapes(char *line, size_t len);

#endif
