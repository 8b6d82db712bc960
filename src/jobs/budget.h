/* budget.h - how counting uses the memory that it may use.
 *
 * --memory is a limit for the resident set of the process: program, mapped
 * files, index, buffers.  For everything that grows with the collection, this
 * module (and docs/MEMORY.md) computes a number of bytes.  If the sum is too
 * large, it is reduced in this order:
 *
 *     bitmaps of bit-scan, tables of other methods     params.*memory
 *     number of threads
 *     the collection: count batches of documents and merge their rows
 *
 * If even a batch of the longest document on one thread does not fit, the error
 * says how much memory would be enough.
 */
#ifndef COOC_BUDGET_H
#define COOC_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count/method.h"

struct count_plan;

#define BUDGET_FAN_IN 32 /* runs merged at a time */
#define BUDGET_COSTS 16  /* costs of the plan: at most 1/16 of the memory */

struct budget {
    /* Set by the caller. */
    const struct count_method *method;
    struct count_size size; /* size of the collection */
    uint64_t memory;
    uint64_t costs;          /* bytes of the plan's costs in memory */
    uint64_t batch_postings; /* not 0: approximate postings per batch */
    bool sums;               /* add up rows of stores instead of counting */
    uint32_t most_terms;     /* largest number of terms of a store */
    uint32_t n_shards;
    /* Terms that keep their ids in a batch; 0: the widest bitmap of
     * bit-scan. */
    uint32_t zone;
    /* Set by budget_decide(). */
    unsigned threads; /* requested number, then the decision */
    bool batches;
    uint64_t worker, shared; /* bytes for count_params, unless batches */
    /* Bytes for a batch and the method that counts it; with sums, bytes for
     * collected pairs. */
    uint64_t room;
    uint64_t mapped;         /* bytes of rows a worker may keep mapped */
    size_t window;           /* bytes per window for reading a run */
    uint32_t dense;          /* columns with own counters in a merge */
};

/* The size of a collection with this plan, for budget_decide(). */
struct count_size budget_size(const struct count_plan *p,
                              const struct lists *fwd,
                              const struct lists *inv);

/* The number of columns that have their own counters when rows are added up. */
uint32_t budget_dense(uint32_t terms);

/* Decide how to use the memory.  COOC_ELIMIT if there is too little. */
int budget_decide(struct budget *b, struct cooc_err *err);

/* Whether a batch of this size fits.  tails: postings of terms from b->zone
 * on. */
bool budget_fits(const struct budget *b, uint32_t docs, uint64_t postings,
                 uint64_t tails);

/* Set the memory parameters for a method that counts a batch of this size. */
void budget_params(const struct budget *b, uint32_t docs, uint64_t postings,
                   uint64_t tails, struct count_params *params);

#endif
