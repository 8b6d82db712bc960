/* batch.h - some documents of a collection as a small collection of its own.
 *
 * Everything about a batch is bounded by its postings, however large the
 * vocabulary: the terms of the zone, the most frequent ones, keep their ids,
 * those of the rest that occur follow in order.  So the order of ids is the
 * same, and a row's frequent columns need no translation.  Documents of fewer
 * than two terms are left out.
 */
#ifndef COOC_BATCH_H
#define COOC_BATCH_H

#include "count/plan.h"
#include "jobs/budget.h"

struct runs;

struct batch {
    uint32_t first, last; /* documents of the collection */
    uint32_t docs;        /* with two terms or more */
    uint64_t postings;    /* of those */
    uint64_t tails;       /* of those, of terms beyond the zone */
    uint32_t zone;        /* ids below are the collection's */

    /* made by batch_load() */
    uint32_t *names; /* names[i]: of term zone + i in the collection */
    uint32_t n_names;
    uint64_t *fwd_off, *inv_off;
    uint32_t *fwd, *inv;
    struct lists forward, inverted;
    struct count_plan plan; /* its cuts are at the collection's */
};

/* The longest batch from document first on that fits the budget, but at
 * least one document. */
void batch_cut(struct batch *b, const struct lists *fwd, uint32_t first,
               const struct budget *budget);

/* Where all batches end.  All zero: there are none. */
struct batch_ends {
    uint32_t *last; /* last[i]: documents before it are in batches 0 to i */
    uint32_t n;
};

int batch_ends_init(struct batch_ends *e, const struct lists *fwd,
                    const struct budget *budget, struct cooc_err *err);
void batch_ends_release(struct batch_ends *e);

/* Read what batch_cut() has found.  Shard i of the batch's plan will be rows
 * [cuts[i], cuts[i + 1]) of the collection. */
int batch_load(struct batch *b, const struct lists *fwd,
               const uint32_t *cuts, uint32_t n_shards,
               struct cooc_err *err);
void batch_release(struct batch *b);

/* runs_job.fill (runs.h): count batch after batch with the method of the
 * budget, and write the rows of each as a run. */
int batch_count(struct runs *r, const struct count_job *job,
                struct cooc_err *err);

/* The collection's id of a batch's term. */
static inline uint32_t batch_term(const struct batch *b, uint32_t t)
{
    return t < b->zone ? t : b->names[t - b->zone];
}

#endif
