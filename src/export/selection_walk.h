/* selection_walk.h - the walk through the rows of a selection.
 *
 * Rows are handed on in order, by the calling thread; their scores are taken
 * on all threads.
 */
#ifndef COOC_SELECTION_WALK_H
#define COOC_SELECTION_WALK_H

#include "base/entry.h"
#include "export/selection.h"

/* A row: the pairs of a term with those before it (in symmetric_walk(): with
 * all others), ids new and ascending. */
struct export_row {
    uint32_t id;
    const struct entry *entries;
    const double *scores; /* NULL: the counts are what was asked for */
    size_t n;
};

typedef int (*row_fn)(void *self, const struct export_row *row,
                      struct cooc_err *err);

enum direction {
    NO_SCORES,
    FROM_FREQUENT, /* to the term of the row, which is the rarer one */
    FROM_ROW,      /* to the term of the entry */
};

/* Partners after each of the terms [first, last): those of the i-th are
 * entries[start[i]..start[i + 1]). */
struct later_partners {
    uint32_t first, last;
    struct entry *entries;
    uint64_t *start;
};

/* What a walk makes of the rows: every row in order, empty ones too. */
struct walk {
    const char *phase;         /* for the watch; NULL: the phase goes on */
    enum direction direction;  /* of the scores */
    bool diagonal;             /* df at (x, x), after the entries before it */
    /* NULL, or these rows alone, each followed by the partners after its
     * term. */
    const struct later_partners *later;
    row_fn fn;                 /* called on this thread alone */
    void *self;
};

int selection_walk(struct selection *s, const struct walk *w,
                   struct cooc_err *err);

/* After top_edges: the list by strength, the strongest first and equals in the
 * order of `cooc pairs`, as rows of one pair each; with both, each pair from
 * its more frequent term and then from the other; with diagonal, df at (x, x)
 * at the end.  The list is then out of order for other walks. */
int selection_walk_list(struct selection *s, const struct walk *w, bool both,
                        struct cooc_err *err);

/* The walk over whole rows: each pair is in the rows of both of its terms.
 * The survey has been made.  See symmetric.c. */
int symmetric_walk(struct selection *s, const struct walk *w,
                   const char *tmpdir, struct cooc_err *err);

#endif
