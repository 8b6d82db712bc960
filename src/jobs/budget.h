/* budget.h - what counting does with the memory it may use.
 *
 * --memory is a ceiling on the resident set of the process: program, mapped
 * files, index, buffers.  Everything that grows with the collection is
 * written down here (and in docs/MEMORY.md) as a number of bytes; what
 * does not fit is made smaller in this order:
 *
 *     bit-scan's bitmaps, other methods' tables     params.*memory
 *     threads
 *     the collection: batches of documents, counted apart, merged
 *
 * If even a batch of the longest document, on one thread, is too large, the
 * error says how much would do.
 */
#ifndef COOC_BUDGET_H
#define COOC_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/method.h"

struct count_plan;

#define BUDGET_FAN_IN 32 /* runs merged at once */
#define BUDGET_COSTS 16  /* the plan's costs may take 1/16 of the memory */

struct budget {
    /* asked */
    const struct count_method *method;
    struct count_size size; /* of the collection */
    uint64_t memory;
    uint64_t costs;          /* bytes of the plan that stay in memory */
    uint64_t batch_postings; /* not 0: batches, of about so many */
    bool sums;               /* add up rows of stores, count no documents */
    uint32_t most_terms;     /* of one of these stores */
    uint32_t n_shards;
    uint32_t zone; /* terms that keep their ids in a batch; 0: as many as
                      bitmaps have at most */
    /* decided */
    unsigned threads; /* asked, then decided */
    bool batches;
    uint64_t worker, shared; /* bytes for count_params, if not batches */
    uint64_t room;           /* bytes for a batch and what counts it; with
                                sums, for pairs that are collected */
    uint64_t mapped;         /* bytes of rows that a worker may have mapped */
    size_t window;           /* bytes to read a run through */
    uint32_t dense;          /* columns with counters of their own in merging */
};

/* What the budget must know of the collection with this plan. */
struct count_size budget_size(const struct count_plan *p,
                              const struct lists *fwd,
                              const struct lists *inv);

/* So many columns have counters of their own where rows are added up. */
uint32_t budget_dense(uint32_t terms);

/* COOC_ELIMIT if the memory is too little. */
int budget_decide(struct budget *b, struct cooc_err *err);

/* May a batch be so large?  tails: postings of terms from b->zone on. */
bool budget_fits(const struct budget *b, uint32_t docs, uint64_t postings,
                 uint64_t tails);

/* The memory parameters for a method that counts such a batch. */
void budget_params(const struct budget *b, uint32_t docs, uint64_t postings,
                   uint64_t tails, struct count_params *params);

#endif
