/* pair_classes.h - the pairs of two classes of terms, given by patterns.
 *
 *     au:* and kw:*   an author with a keyword
 *     au:* and au:*   two authors
 *     au:* alone      an author with any term
 *
 * One term of a pair must be in the first class and the other in the second, in
 * either role.  Without a pattern, a class has all terms.  So the classes of a
 * term decide in which classes its partners must be, and a row needs one test
 * per entry.
 */
#ifndef COOC_PAIR_CLASSES_H
#define COOC_PAIR_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

struct cooc;
struct cooc_err;

struct pair_classes {
    uint8_t *of; /* by term: bit 0: in class 1, bit 1: in class 2; NULL: all
                  * pairs are wanted */
    uint32_t n[2]; /* number of terms in each class */
};

/* Find the terms of both classes; a pattern may be NULL.  COOC_ENOTFOUND if no
 * term matches a pattern. */
int pair_classes_init(struct pair_classes *c, struct cooc *db,
                      const char *like1, const char *like2,
                      struct cooc_err *err);
void pair_classes_release(struct pair_classes *c);

/* The classes in which a partner of t must be: in at least one of them.  0: t
 * has no wanted pairs. */
static inline unsigned pair_classes_needed(const struct pair_classes *c,
                                           uint32_t t)
{
    unsigned of = c->of ? c->of[t] : 3;

    return of >> 1 | (of & 1) << 1;
}

static inline bool pair_classes_have(const struct pair_classes *c, uint32_t t,
                                     unsigned needed)
{
    return !c->of || c->of[t] & needed;
}

#endif
