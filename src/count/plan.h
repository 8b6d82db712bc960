/* plan.h - what the rows will cost, and where they are cut into shards.
 *
 * The cost of row t is the number of increments it takes: over the documents
 * of t, the place of t in the document.  It is also exactly the sum of the
 * row's counts, which is how every method is checked.
 *
 * Shards are cut by cost and depend on the collection alone, so that the
 * files are the same whatever the method, threads or memory.
 *
 * Rows of the rarest terms need not be made: a reader has them from the few
 * documents of the term in no time.  Ids are by frequency, so these are the
 * last rows.  The row of a term in one document is a prefix of it and is
 * never made; how far the rest go is up to count_plan_leave_out().
 */
#ifndef COOC_PLAN_H
#define COOC_PLAN_H

#include <stdint.h>

#include "cooc_build.h"
#include "index/collection.h"

struct count_plan {
    uint64_t *cost;    /* by row */
    size_t mapped;     /* bytes of cost, if it is a file */
    uint64_t total;    /* all increments */
    uint32_t omitted_df; /* rows of terms in so few documents, if they are */
    uint32_t made;        /* the last rows, are not made, but [0, made) are */
    uint32_t *cuts;    /* shard i is rows [cuts[i], cuts[i + 1]) of those */
    uint32_t n_shards; /* at least 1 if a row is made */
    uint32_t longest_row; /* no row has more entries */
    uint32_t longest_doc; /* terms */
};

/* So a byte counts in rows that are left out. */
#define OMITTED_DF_MAX ((uint32_t)COOC_COMPACT_DF_MAX)

/* Every row is made. */
int count_plan_init(struct count_plan *p, const struct lists *fwd,
                    uint32_t n_terms, struct cooc_err *err);
/* The same with at most memory bytes of costs at a time: the rest is in a
 * nameless file in dir, and the documents are walked through more often. */
int count_plan_within(struct count_plan *p, const struct lists *fwd,
                      uint32_t n_terms, uint64_t memory, const char *dir,
                      struct cooc_err *err);
/* Only the costs; without cuts. */
int count_plan_costs(struct count_plan *p, const struct lists *fwd,
                     uint32_t n_terms, struct cooc_err *err);
/* Make no rows of terms that are in df documents or fewer, at most
 * OMITTED_DF_MAX; 0: choose df by what such rows cost. */
int count_plan_leave_out(struct count_plan *p, const struct lists *inv,
                         uint32_t df, struct cooc_err *err);
/* More shards, for the rows [made, last). */
int count_plan_widen(struct count_plan *p, uint32_t last,
                     struct cooc_err *err);
void count_plan_release(struct count_plan *p);

/* omitted.c: the number of pairs in the rows from p->made on, which are
 * reported to watch. */
int omitted_pairs(const struct count_plan *p, const struct lists *fwd,
                   const struct lists *inv, unsigned threads,
                   struct watch *watch, uint64_t *pairs,
                   struct cooc_err *err);

/* Costs [first, last) are not needed for a while. */
void count_plan_forget(const struct count_plan *p, uint32_t first,
                       uint32_t last);

#endif
