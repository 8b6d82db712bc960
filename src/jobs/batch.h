/* batch.h - a range of documents as a small collection of its own.
 *
 * The memory of a batch is bounded by its postings, for any size of the
 * vocabulary: the terms of the zone, which are the most frequent ones, keep
 * their ids, and the other terms that occur in the batch are numbered after
 * them, in order.  So the order of ids is preserved, and the frequent
 * columns of a row need no translation.  Documents with fewer than two
 * terms are left out.
 */
#ifndef COOC_BATCH_H
#define COOC_BATCH_H

#include "count/plan.h"
#include "jobs/budget.h"

struct runs;

struct batch {
    uint32_t first, last; /* documents [first, last) of the collection */
    uint32_t docs;        /* number of documents with at least 2 terms */
    uint64_t postings;    /* postings of these documents */
    uint64_t tails;       /* postings of terms beyond the zone */
    uint32_t zone;        /* ids below are those of the collection */

    /* set by batch_load() */
    uint32_t *names; /* names[i]: collection's id of term zone + i */
    uint32_t n_names;
    uint64_t *fwd_off, *inv_off;
    uint32_t *fwd, *inv;
    struct lists forward, inverted;
    struct count_plan plan; /* shards of the same terms as the collection's */
};

/* Find the longest batch, beginning with document first, that fits the budget;
 * it has at least one document. */
void batch_cut(struct batch *b, const struct lists *fwd, uint32_t first,
               const struct budget *budget);

/* The ends of all batches.  All zero: there are no batches. */
struct batch_ends {
    uint32_t *last; /* batch i ends before document last[i] */
    uint32_t n;
};

int batch_ends_init(struct batch_ends *e, const struct lists *fwd,
                    const struct budget *budget, struct cooc_err *err);
void batch_ends_release(struct batch_ends *e);

/* Load the batch that batch_cut() has found.  Shard i of the batch's plan
 * contains the rows [cuts[i], cuts[i + 1]) of the collection. */
int batch_load(struct batch *b, const struct lists *fwd,
               const uint32_t *cuts, uint32_t n_shards,
               struct cooc_err *err);
void batch_release(struct batch *b);

/* runs_job.fill (runs.h): count one batch after another with the method of the
 * budget, and write the rows of each as a run. */
int batch_count(struct runs *r, const struct count_job *job,
                struct cooc_err *err);

/* Return the id in the collection of term t of the batch. */
static inline uint32_t batch_term(const struct batch *b, uint32_t t)
{
    return t < b->zone ? t : b->names[t - b->zone];
}

#endif
