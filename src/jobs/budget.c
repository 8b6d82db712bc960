/* budget.c - compute the memory of counting, and decide how to count. */
#include "jobs/budget.h"

#include "base/bytes.h"
#include "base/err.h"
#include "base/spool.h"
#include "count/plan.h"

#define MB ((uint64_t)1 << 20)

#define BASE (10 * MB)   /* program, libraries, allocator: 6 MB measured */
#define PASSING (2 * MB) /* pages of a file that is read and given back */

#define ZONE 65536u /* the widest bitmap of bit-scan */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The maximum size of the bit planes of a row, in bytes. */
static uint64_t largest_room(const struct count_plan *p,
                             const struct lists *inv)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < p->n_shards; i++) {
        for (uint32_t t = p->cuts[i]; t < p->cuts[i + 1]; t++) {
            unsigned bits = bit_length(inv->off[t + 1] - inv->off[t]);
            uint64_t words = least(t / 64, p->cost[t]) + 4;

            words *= (2 * bits + 1) * sizeof(uint64_t);
            most = words > most ? words : most;
        }
        lists_forget(inv, p->cuts[i], p->cuts[i + 1]);
        count_plan_forget(p, p->cuts[i], p->cuts[i + 1]);
    }
    return most;
}

struct count_size budget_size(const struct count_plan *p,
                              const struct lists *fwd,
                              const struct lists *inv)
{
    uint64_t postings = fwd->off[fwd->n];

    return (struct count_size){
        .docs = fwd->n, .terms = inv->n, .postings = postings,
        .longest_row = p->longest_row, .longest_doc = p->longest_doc,
        .row_room = largest_room(p, inv),
        .frequent = (uint32_t)least(postings / 256, UINT32_MAX),
    };
}

uint32_t budget_dense(uint32_t terms)
{
    return terms < 1 << 18 ? terms : 1 << 18;
}

/* Bytes to encode or decode the longest row. */
static uint64_t code_bytes(const struct count_size *s)
{
    return (uint64_t)s->longest_row * 10 + s->row_room;
}

/* Bytes to write a shard: buffers, offsets of its rows, the code of one row,
 * and the pages in use of lists and costs. */
static uint64_t writer_bytes(const struct count_size *s)
{
    return 3 * MB + PASSING + least(s->terms, 1 << 18) * 8 + code_bytes(s);
}

/* Bytes to write a shard of a batch to the spool. */
static uint64_t segment_bytes(const struct count_size *s)
{
    return MB + code_bytes(s) + (uint64_t)s->longest_row * 16;
}

/* Bytes to add up rows (accum.h): counters, a row that is read, the
 * sum, its code. */
static uint64_t sum_bytes(const struct count_size *s)
{
    uint64_t dense = budget_dense(s->terms);
    uint64_t row = s->terms > dense ? 48 : 16;

    return dense * 4 + dense / 7 + s->longest_row * row + code_bytes(s);
}

/* Bytes for a worker that merges runs: sums, windows, a shard being written. */
static uint64_t merger_bytes(const struct budget *b)
{
    return sum_bytes(&b->size) + b->window * BUDGET_FAN_IN +
           writer_bytes(&b->size);
}

/* Bytes that are needed in any case. */
static uint64_t fixed_bytes(const struct budget *b)
{
    return BASE + b->costs + b->size.postings / 1024; /* checksums */
}

/* Bytes for the estimate (estimate.c), which adds up some rows before counting
 * begins, when nothing but the fixed memory is in use.  With batches, this is
 * less than one worker needs for merging. */
static uint64_t estimate_bytes(const struct budget *b)
{
    return fixed_bytes(b) + 2 * PASSING + sum_bytes(&b->size);
}

static uint64_t direct_bytes(const struct budget *b)
{
    const struct count_size *s = &b->size;
    struct count_need need = b->method->need(s);
    uint64_t list = (uint64_t)s->docs * 4; /* the longest inverted list */

    return fixed_bytes(b) + s->postings * 4 + (uint64_t)s->docs * 8 +
           (b->method->all_lists ? (uint64_t)s->terms * 8 : 0) + need.shared +
           b->threads * (need.worker + writer_bytes(s) + list);
}

/* ---- batches ------------------------------------------------------------ */

static struct count_size batch_size(const struct budget *b, uint32_t docs,
                                    uint64_t postings, uint64_t tails)
{
    struct count_size s = b->size;

    s.docs = docs;
    s.postings = postings;
    s.terms = (uint32_t)least(s.terms, b->zone + tails);
    s.longest_row = (uint32_t)least(s.longest_row, s.terms);
    return s;
}

/* Bytes for the forward and the inverted index of a batch, offsets, costs, and
 * the names of the terms beyond the zone, which are sorted. */
static uint64_t views_bytes(const struct count_size *s, uint64_t tails)
{
    return s->postings * 8 + (uint64_t)s->docs * 8 + (uint64_t)s->terms * 16 +
           tails * 20;
}

static uint64_t batch_bytes(const struct budget *b, uint32_t docs,
                            uint64_t postings, uint64_t tails)
{
    struct count_size s = batch_size(b, docs, postings, tails);
    struct count_need need = b->method->need(&s);

    return views_bytes(&s, tails) + need.shared +
           b->threads * (need.worker + segment_bytes(&s));
}

/* Bytes that runs take in memory: descriptions of streams, a few per shard. */
static uint64_t runs_bytes(const struct budget *b)
{
    uint64_t runs = b->size.postings / (b->memory / 64) + 1;

    return PASSING + runs * b->n_shards * 96;
}

bool budget_fits(const struct budget *b, uint32_t docs, uint64_t postings,
                 uint64_t tails)
{
    if (b->batch_postings && postings > b->batch_postings)
        return false;
    return batch_bytes(b, docs, postings, tails) <= b->room;
}

void budget_params(const struct budget *b, uint32_t docs, uint64_t postings,
                   uint64_t tails, struct count_params *params)
{
    struct count_size s = batch_size(b, docs, postings, tails);
    struct count_need need = b->method->need(&s);
    uint64_t used =
        fixed_bytes(b) + runs_bytes(b) + batch_bytes(b, docs, postings, tails);
    uint64_t left = b->memory > used ? b->memory - used : 0;

    params->memory = need.worker + left / b->threads;
    params->shared_memory = need.shared + left;
    if (params->head_terms > b->zone) /* bitmaps keep their ids */
        params->head_terms = b->zone;
}

/* The minimum bytes for batches on b->threads threads.  A batch has at least
 * the longest document. */
static uint64_t batches_bytes(const struct budget *b)
{
    uint64_t longest = b->size.longest_doc;
    uint64_t one = runs_bytes(b) + batch_bytes(b, 1, longest, longest);
    uint64_t merge = runs_bytes(b) + b->threads * merger_bytes(b);

    return fixed_bytes(b) + (one > merge ? one : merge);
}

/* The minimum bytes for adding up rows of stores.  Each worker reads a
 * row, splits it, writes it, and later merges; the order of a store's
 * rows is shared. */
static uint64_t sums_bytes(const struct budget *b)
{
    uint64_t adder = merger_bytes(b) + segment_bytes(&b->size) +
                     code_bytes(&b->size) + (uint64_t)b->most_terms * 2 +
                     b->mapped;

    return fixed_bytes(b) + runs_bytes(b) + PASSING +
           (uint64_t)b->most_terms * 24 + b->threads * adder;
}

/* The minimum bytes for runs on b->threads threads. */
static uint64_t needed_bytes(const struct budget *b)
{
    return b->sums ? sums_bytes(b) : batches_bytes(b);
}

/* Set the sizes of the buffers of a worker that reads and merges runs. */
static void size_worker(struct budget *b)
{
    b->dense = budget_dense(b->size.terms);
    b->window = b->memory / 32 / b->threads / BUDGET_FAN_IN;
    b->window = b->window > 1 << 18 ? 1 << 18 : b->window;
    b->window = b->window < SPOOL_BLOCK ? SPOOL_BLOCK : b->window;
    b->mapped = b->memory / 16 / b->threads;
    if (b->mapped < 3 * PASSING) /* rows are read out of order */
        b->mapped = 3 * PASSING;
}

/* ---- the decision ------------------------------------------------------- */

static int refuse(struct budget b, struct cooc_err *err)
{
    uint64_t need = needed_bytes(&b) + MB;

    if (!b.sums)
        return err_option(err, COOC_ELIMIT, "memory",
                          "memory must be at least %llu MiB to count this "
                          "collection", (unsigned long long)(need / MB));
    for (; need > b.memory; need = needed_bytes(&b) + MB) {
        b.memory = need;
        size_worker(&b);
    }
    return err_option(err, COOC_ELIMIT, "memory",
                      "memory must be at least %llu MiB to add up the rows of "
                      "these stores; increase it, or recount from documents",
                      (unsigned long long)((b.memory + MB - 1) / MB));
}

static int decide_runs(struct budget *b, struct cooc_err *err)
{
    uint64_t room;

    b->batches = true;
    b->zone = b->zone ? b->zone : ZONE;
    for (;; b->threads--) {
        size_worker(b);
        room = b->memory - least(b->memory, needed_bytes(b));
        /* At least a quarter of the memory should be left for a batch. */
        if (room >= b->memory / 4 ||
            (b->threads == 1 && room >= (b->sums ? MB : 1)))
            break;
        if (b->threads == 1)
            return refuse(*b, err);
    }
    b->room = room;
    if (b->sums)
        return 0;
    b->room = b->memory - fixed_bytes(b) - runs_bytes(b);
    if (b->method->need(&b->size).shared) /* for larger shared tables */
        b->room -= room / 3;
    return 0;
}

int budget_decide(struct budget *b, struct cooc_err *err)
{
    unsigned asked = b->threads;

    for (; !b->batch_postings && !b->sums && b->threads; b->threads--) {
        struct count_need need = b->method->need(&b->size);
        uint64_t used = direct_bytes(b), left = b->memory - used;

        if (used > b->memory || estimate_bytes(b) > b->memory)
            continue;
        b->worker = need.worker + left / b->threads;
        b->shared = need.shared + left;
        return 0;
    }
    b->threads = asked;
    return decide_runs(b, err);
}
