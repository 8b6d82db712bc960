/* omitted.c - the number of pairs in the omitted rows.
 *
 * Counting distinct pairs is cheaper than listing them with their counts: each
 * row has a stamp, which it writes to every term that it meets; a term counts
 * if it does not yet have the stamp of the row.
 *
 *     for each row t, each document d in inverted[t], each s < t in forward[d]
 *         pairs += stamps[s] != stamp of t
 *         stamps[s] = stamp of t
 *
 * Cost.  1 to 2 ns per increment.  Nothing is sorted, and since a stamp is a
 * byte, stamps are cleared only every 255 rows.  The row of a term with a
 * single document has as many pairs as increments.
 *
 * Threads.  Rows are independent; a job is a range of rows.  Memory: one byte
 * per term per worker.
 */
#include "count/plan.h"

#include <stdatomic.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"

#define ROWS_AT_ONCE 1024u

struct stamps {
    uint8_t *of;  /* stamp of each term; 0: none */
    uint8_t last; /* the last stamp used */
};

struct omitted {
    const struct count_plan *plan;
    const struct lists *fwd, *inv;
    struct watch *watch;
    struct stamps *stamps; /* by worker */
    atomic_uint_fast64_t pairs;
};

static uint8_t next_stamp(struct stamps *s, uint32_t n_terms)
{
    if (s->last == UINT8_MAX) {
        memset(s->of, 0, n_terms);
        s->last = 0;
    }
    return ++s->last;
}

static uint64_t row_pairs(const struct omitted *l, uint32_t t,
                          struct stamps *s)
{
    uint64_t start = l->inv->off[t], end = l->inv->off[t + 1], pairs = 0;
    uint8_t *const stamps = s->of;
    uint8_t own;

    if (end - start <= 1)
        return l->plan->cost[t];
    own = next_stamp(s, l->inv->n);
    for (uint64_t i = start; i < end; i++) {
        size_t n;
        const uint32_t *terms = terms_before(l->fwd, l->inv->ids[i], t, &n);

        for (size_t k = 0; k < n; k++) {
            pairs += stamps[terms[k]] != own;
            stamps[terms[k]] = own;
        }
    }
    return pairs;
}

static int count_rows(void *self, unsigned worker, uint64_t job,
                      struct cooc_err *err)
{
    struct omitted *l = self;
    struct stamps *stamps = &l->stamps[worker];
    uint32_t first = l->plan->made + (uint32_t)job * ROWS_AT_ONCE;
    uint32_t last = l->inv->n - first > ROWS_AT_ONCE ? first + ROWS_AT_ONCE
                                                     : l->inv->n;
    uint64_t pairs = 0, increments = 0;

    if (!stamps->of)
        stamps->of = mem_zarray(l->inv->n, 1);
    if (!stamps->of)
        return err_nomem(err);
    for (uint32_t t = first; t < last; t++) {
        pairs += row_pairs(l, t, stamps);
        increments += l->plan->cost[t];
    }
    lists_forget(l->inv, first, last);
    count_plan_forget(l->plan, first, last);
    atomic_fetch_add(&l->pairs, pairs);
    return watch_add(l->watch, increments, 0, pairs, err);
}

int omitted_pairs(const struct count_plan *plan, const struct lists *fwd,
                   const struct lists *inv, unsigned threads,
                   struct watch *watch, uint64_t *pairs, struct cooc_err *err)
{
    struct omitted l = { .plan = plan, .fwd = fwd, .inv = inv,
                         .watch = watch,
                         .stamps = mem_zarray(threads, sizeof *l.stamps) };
    uint64_t rows = inv->n - plan->made;
    int rc = l.stamps ? pool_for((rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE,
                                 threads, count_rows, &l, err)
                      : err_nomem(err);

    for (unsigned i = 0; l.stamps && i < threads; i++)
        mem_free(l.stamps[i].of);
    mem_free(l.stamps);
    if (rc == 0)
        *pairs = l.pairs;
    return rc;
}
