/* count_within.c - at once or in batches. */
#include "jobs/count_within.h"

#include "base/bytes.h"
#include "base/err.h"
#include "count/left_out.h"
#include "jobs/store_sum.h"
#include "jobs/tally_rows.h"

/* Bytes that the bit planes of any row take at most. */
static uint64_t largest_room(const struct count_plan *p,
                             const struct lists *inv)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < p->n_shards; i++) {
        for (uint32_t t = p->cuts[i]; t < p->cuts[i + 1]; t++) {
            unsigned bits = bit_length(inv->off[t + 1] - inv->off[t]);
            uint64_t words = t / 64 + 4;

            words = words < p->cost[t] + 4 ? words : p->cost[t] + 4;
            words *= (2 * bits + 1) * sizeof(uint64_t);
            most = words > most ? words : most;
        }
        lists_forget(inv, p->cuts[i], p->cuts[i + 1]);
        count_plan_forget(p, p->cuts[i], p->cuts[i + 1]);
    }
    return most;
}

int count_within_decide(struct count_within *w,
                        const struct count_method *method, uint64_t memory,
                        uint64_t batch_postings, unsigned threads,
                        struct cooc_err *err)
{
    const struct lists *fwd = &w->job->fwd, *inv = &w->job->inv;
    const struct count_plan *p = w->plan;
    uint64_t postings = fwd->off[fwd->n], frequent = postings / 256;

    w->budget = (struct budget){
        .method = method,
        .size = { .docs = fwd->n, .terms = inv->n, .postings = postings,
                  .longest_row = p->longest_row,
                  .longest_doc = p->longest_doc,
                  .row_room = largest_room(p, inv),
                  .frequent = frequent < UINT32_MAX ? (uint32_t)frequent
                                                    : UINT32_MAX },
        .memory = memory,
        .costs = p->mapped ? 0 : (uint64_t)inv->n * sizeof *p->cost,
        .batch_postings = batch_postings,
        .n_shards = p->n_shards,
        .threads = threads,
    };
    if (w->stored)
        return budget_decide_sums(&w->budget, w->stored->most_terms, err);
    return budget_decide(&w->budget, err);
}

static bool all_done(const struct shard_sinks *sinks, uint32_t n)
{
    uint32_t i = 0;

    while (i < n && sinks->done && sinks->done(sinks->self, i))
        i++;
    return i == n;
}

/* Rows that are left out are counted with the others: only those of terms in
 * one document are known without. */
static int count_batches(struct count_within *w,
                         const struct shard_sinks *sinks,
                         struct cooc_err *err)
{
    struct count_plan *plan = w->plan;
    struct tally_rows tally = { .sinks = sinks, .written = plan->n_shards };
    struct shard_sinks all = tally_rows_sinks(&tally);
    struct count_method method = w->stored ? sum_method()
                                           : batch_method(w->budget.method);
    struct batch_job batches = { .inner = w->budget.method, .plan = plan,
                                 .budget = &w->budget, .sinks = &all,
                                 .report = &w->report };
    struct sum_job sums = { .rows = w->stored, .budget = &w->budget,
                            .plan = plan, .report = &w->report };
    struct count_plan single = *plan; /* without rows that are recounted */
    const struct lists *inv = &w->job->inv;
    int rc;

    while (single.made < inv->n &&
           inv->off[single.made + 1] - inv->off[single.made] > 1)
        single.made++;
    rc = left_out_pairs(&single, &w->job->fwd, inv, 1, w->watch,
                        &w->left_out, err);
    if (rc == 0)
        rc = count_plan_widen(plan, single.made, err);
    w->job->given = w->stored ? (const void *)&sums : &batches;
    if (rc == 0 && !all_done(&all, plan->n_shards))
        rc = count_run(&method, plan, w->job, w->budget.threads, &all,
                       w->watch, err);
    plan->n_shards = tally.written;
    w->left_out += atomic_load(&tally.pairs);
    return rc;
}

int count_within_run(struct count_within *w, const struct shard_sinks *sinks,
                     struct cooc_err *err)
{
    const struct budget *b = &w->budget;
    int rc;

    if (b->batches)
        return count_batches(w, sinks, err);
    w->job->params.memory = b->worker;
    w->job->params.shared_memory = b->shared;
    rc = left_out_pairs(w->plan, &w->job->fwd, &w->job->inv, b->threads,
                        w->watch, &w->left_out, err);
    if (rc == 0 && !all_done(sinks, w->plan->n_shards))
        rc = count_run(b->method, w->plan, w->job, b->threads, sinks,
                       w->watch, err);
    return rc;
}
