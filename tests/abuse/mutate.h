/* mutate.h - the ways in which files are damaged, numbered.
 *
 *     singles   for each file: every flipped bit, every shorter length, one
 *               more byte (three values), every sector zeroed, every two
 *               sectors exchanged, the file missing
 *     twice     two random single damages at once
 *     foreign   files of another store in place of one file or of a random
 *               set of files
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
    const char *prefix;          /* only files with this prefix; "": all */
    uint64_t singles, twice, total;
    bool touched[IMAGE_FILES];   /* by the last mutation */
    enum mutation kind;          /* of the last mutation */
    char what[160];              /* the last mutation, for messages */
};

void mutator_init(struct mutator *m, const struct image *good,
                  const struct image *foreign, const char *prefix,
                  uint64_t twice, uint64_t subsets);

/* Damage the copy of good in dir; false if number i changes nothing. */
bool mutator_apply(struct mutator *m, uint64_t i, const char *dir);

/* A pseudo-random permutation of numbers. */
uint64_t scramble(uint64_t i);

#endif
