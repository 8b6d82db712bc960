/* mutate.h - the ways in which files are damaged, numbered.
 *
 *     singles   for each file: every bit flipped, every length shorter, a
 *               byte more (three of them), every sector zeroed, every two
 *               sectors exchanged, the file gone
 *     twice     two of these at once, at random
 *     foreign   files of another store in place of some: of one, or of any
 *               set of them at random
 */
#ifndef COOC_TEST_MUTATE_H
#define COOC_TEST_MUTATE_H

#include "image.h"

enum mutation {
    FLIP, CUT, GROW, ZERO, SWAP, GONE, TWICE, FOREIGN, MUTATIONS
};
extern const char *const mutation_names[MUTATIONS];

struct mutator {
    const struct image *good;
    const struct image *foreign; /* NULL: none */
    const char *prefix;          /* only files named like that; "": all */
    uint64_t singles, twice, total;
    bool touched[IMAGE_FILES];   /* by the last mutation */
    enum mutation kind;          /* of it */
    char what[160];              /* it, for messages */
};

void mutator_init(struct mutator *m, const struct image *good,
                  const struct image *foreign, const char *prefix,
                  uint64_t twice, uint64_t subsets);

/* Damage the copy of good in dir; false if number i changes nothing. */
bool mutator_apply(struct mutator *m, uint64_t i, const char *dir);

/* Another number, as if at random; no two have the same. */
uint64_t scramble(uint64_t i);

#endif
