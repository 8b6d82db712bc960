/* plan.c - costs and shards. */
#include "count/plan.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define SHARD_COST ((uint64_t)1 << 24) /* at least so many increments */
#define SHARDS_MAX 128                 /* and not many more shards */
#define SHARD_ROWS ((uint32_t)1 << 18) /* their offsets are held */
#define RECOUNT_COST 16384u /* increments: 20 to 60 microseconds */

/* Cut the rows [0, made). */
static int cut_shards(struct count_plan *p, uint32_t made,
                      struct cooc_err *err)
{
    uint64_t each = 0, sum = 0;
    size_t cap = 0;
    int rc;

    mem_free(p->cuts);
    p->cuts = NULL;
    p->n_shards = 0;
    p->made = made;
    rc = array_grow(&p->cuts, &cap, 1, sizeof *p->cuts, err);
    if (rc < 0)
        return rc;
    p->cuts[0] = 0;
    for (uint32_t t = 0; t < made; t++)
        each += p->cost[t];
    each /= SHARDS_MAX;
    each = each > SHARD_COST ? each : SHARD_COST;
    for (uint32_t t = 0; t < made; t++) {
        sum += p->cost[t];
        if (sum < each && t + 1 < made &&
            t + 1 - p->cuts[p->n_shards] < SHARD_ROWS)
            continue;
        rc = array_grow(&p->cuts, &cap, (size_t)p->n_shards + 2,
                        sizeof *p->cuts, err);
        if (rc < 0)
            return rc;
        p->cuts[++p->n_shards] = t + 1;
        sum = 0;
    }
    return 0;
}

int count_plan_init(struct count_plan *p, const struct lists *fwd,
                    uint32_t n_terms, struct cooc_err *err)
{
    int rc;

    *p = (struct count_plan){ 0 };
    p->cost = mem_zarray(n_terms, sizeof *p->cost);
    if (!p->cost)
        return err_nomem(err);
    for (uint32_t d = 0; d < fwd->n; d++) {
        const uint32_t *terms = fwd->ids + fwd->off[d];
        uint64_t len = fwd->off[d + 1] - fwd->off[d];

        for (uint64_t i = 0; i < len; i++)
            p->cost[terms[i]] += i;
        p->total += len ? len * (len - 1) / 2 : 0;
    }
    rc = cut_shards(p, n_terms, err);
    if (rc < 0)
        count_plan_release(p);
    return rc;
}

static uint64_t df_of(const struct lists *inv, uint32_t t)
{
    return inv->off[t + 1] - inv->off[t];
}

/* The largest df whose rows, and those of every smaller df, cost no more
 * than RECOUNT_COST on average. */
static uint32_t choose_df(const struct count_plan *p, const struct lists *inv)
{
    uint32_t chosen = 1;

    for (uint32_t t = inv->n; t > 0;) {
        uint64_t df = df_of(inv, t - 1), cost = 0, rows = 0;

        for (; t > 0 && df_of(inv, t - 1) == df; t--, rows++)
            cost += p->cost[t - 1];
        if (df > LEFT_OUT_DF_MAX || (df > 1 && cost / rows > RECOUNT_COST))
            break;
        chosen = df > chosen ? (uint32_t)df : chosen;
    }
    return chosen;
}

int count_plan_leave_out(struct count_plan *p, const struct lists *inv,
                         uint32_t df, struct cooc_err *err)
{
    uint32_t made = inv->n;

    p->left_out_df = df ? df : choose_df(p, inv);
    while (made > 0 && df_of(inv, made - 1) <= p->left_out_df)
        made--;
    return cut_shards(p, made, err);
}

void count_plan_release(struct count_plan *p)
{
    mem_free(p->cost);
    mem_free(p->cuts);
    *p = (struct count_plan){ 0 };
}
