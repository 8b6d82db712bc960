/* estimate.c - count a sample of rows, scale it up.
 *
 * A row of t has no more pairs than increments, and no more than there are
 * columns before t; the smaller of the two is its size here.  Rows are drawn
 * in proportion to size, at equal steps along the ids, which are sorted by
 * df: so every kind of row has its share of the sample.  With S the sum of
 * all sizes and n rows drawn,
 *
 *     pairs = S / n * sum over the sample of pairs(t) / size(t)
 *
 * and the same for bytes.  What a row would cost is known beforehand, so the
 * sample is made smaller until it is cheap enough.  Rows that are left out
 * have pairs but no bytes; those of terms in a single document need no guess,
 * they have as many pairs as increments.
 *
 * Example.  Sizes 10, 30, 20; n = 2: the steps end at 15 and 45, which draws
 * the second row and the third.
 */
#include "jobs/estimate.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "jobs/batch.h"
#include "rows/accum.h"
#include "rows/row_code.h"
#include "store/seal.h"

#define SAMPLE 256u                      /* rows, at most */
#define DISK_BLOCK 4096u
#define RUN_ROW 3u                       /* bytes before a row of a run */
#define SAMPLE_MIN 32u
#define DOCS_HELD 64u                      /* they lie anywhere */
#define ROWS_HELD 65536u
#define SHARE 400                          /* of the increments, at most */
#define COST_MAX ((uint64_t)1 << 22)      /* increments, about 0.01 s */
#define COST_ANY ((uint64_t)1 << 20)      /* so few may always be counted */

struct sample {
    const struct count_plan *plan;
    const struct count_job *job;
    const struct shard_info *done;
    const struct batch_ends *batches;
    struct watch *watch;
    struct accum sum;
    struct buf code;
    struct row_scratch scratch;
    double pairs, bytes, temporary;
};

static uint64_t df_of(const struct sample *s, uint32_t t)
{
    return s->job->inv.off[t + 1] - s->job->inv.off[t];
}

static uint64_t size_of(const struct sample *s, uint32_t t)
{
    return s->plan->cost[t] < t ? s->plan->cost[t] : t;
}

/* Row t in the documents [from, end) of its list: its n pairs in s->code. */
static int code_row(struct sample *s, uint32_t t, uint64_t from, uint64_t end,
                    size_t *n, struct cooc_err *err)
{
    const struct lists *fwd = &s->job->fwd, *inv = &s->job->inv;
    int rc = 0;

    for (uint64_t i = from; i < end && rc == 0; i++) {
        const uint32_t *terms = terms_before(fwd, inv->ids[i], t, n);

        rc = accum_add(&s->sum, terms, *n, err);
        if ((i - from) % DOCS_HELD == DOCS_HELD - 1)
            lists_forget(fwd, 0, fwd->n);
    }
    lists_forget(fwd, 0, fwd->n);
    s->code.len = 0;
    if (rc == 0)
        rc = accum_take(&s->sum, t, n, err);
    return rc < 0 ? rc : row_encode(&s->code, s->sum.entries, *n, &s->scratch,
                                    err);
}

/* The same for each batch: what of it goes to the temporary file. */
static int code_batches(struct sample *s, uint32_t t, double weight,
                        struct cooc_err *err)
{
    const struct lists *inv = &s->job->inv;
    uint64_t from = inv->off[t], end, last = inv->off[t + 1];
    int rc = 0;

    for (uint32_t b = 0; b < s->batches->n && from < last && rc == 0; b++) {
        size_t n = 0;

        for (end = from; end < last && inv->ids[end] < s->batches->last[b];)
            end++;
        if (end > from)
            rc = code_row(s, t, from, end, &n, err);
        if (n)
            s->temporary += weight * (double)(s->code.len + RUN_ROW);
        from = end;
    }
    return rc;
}

/* Count row t, which stands for weight rows. */
static int count_row(struct sample *s, uint32_t t, double weight,
                     struct cooc_err *err)
{
    const struct lists *inv = &s->job->inv;
    size_t n = 0;
    int rc = code_row(s, t, inv->off[t], inv->off[t + 1], &n, err);

    s->pairs += weight * (double)n;
    if (t < s->plan->made)
        s->bytes += weight * (double)s->code.len;
    if (rc == 0)
        rc = code_batches(s, t, weight, err);
    return rc < 0 ? rc : watch_add(s->watch, 0, 0, 0, err);
}

/* Rows before t have been looked at. */
static void forget_rows(const struct sample *s, uint32_t t)
{
    if (t % ROWS_HELD || !t)
        return;
    lists_forget(&s->job->inv, t - ROWS_HELD, t);
    count_plan_forget(s->plan, t - ROWS_HELD, t);
}

/* The i-th run of rows to be guessed: a shard, or at last what is left out;
 * false if the shard is there already. */
static bool run_of(const struct sample *s, uint32_t i, uint32_t *first,
                   uint32_t *last)
{
    const struct count_plan *p = s->plan;

    *first = i < p->n_shards ? p->cuts[i] : p->made;
    *last = i < p->n_shards ? p->cuts[i + 1] : s->job->inv.n;
    return i == p->n_shards || !s->done[i].id.size;
}

/* Walk the rows to be guessed and draw n of them; 0 draws all.  count: else
 * *cost alone, the increments of those drawn. */
static int draw(struct sample *s, uint64_t sizes, uint32_t n, bool count,
                uint64_t *cost, struct cooc_err *err)
{
    const struct count_plan *p = s->plan;
    double step = n ? (double)sizes / n : 0, at = 0, next = step / 2;
    uint32_t first, last;
    int rc = 0;

    *cost = 0;
    for (uint32_t i = 0; i <= p->n_shards; i++)
        for (uint32_t t = run_of(s, i, &first, &last) ? first : last;
             t < last && rc == 0; t++) {
            double size = (double)size_of(s, t), hits = n ? 0 : 1;

            forget_rows(s, t);
            if (df_of(s, t) < 2 || size < 1)
                continue;
            for (at += size; n && next < at; next += step)
                hits++;
            if (hits < 1)
                continue;
            *cost += p->cost[t];
            if (count)
                rc = count_row(s, t, n ? hits * step / size : 1, err);
        }
    return rc;
}

/* The rest of the files, and rows that need no guess. */
static void add_known(const struct sample *s, uint64_t *sizes,
                      uint64_t *cost, struct rows_guess *out)
{
    const struct count_plan *p = s->plan;
    uint32_t first, last;

    *sizes = *cost = 0;
    for (uint32_t i = 0; i <= p->n_shards; i++) {
        if (!run_of(s, i, &first, &last))
            continue;
        if (i < p->n_shards)
            out->bytes += ((uint64_t)last - first + 2) * 8 + SEAL_BYTES + 8 +
                          BLOB_FOOTER;
        for (uint32_t t = first; t < last; t++) {
            forget_rows(s, t);
            if (df_of(s, t) < 2) {
                out->pairs += p->cost[t];
            } else {
                *sizes += size_of(s, t);
                *cost += p->cost[t];
            }
        }
    }
}

int rows_estimate(const struct count_plan *plan, const struct count_job *job,
                  const struct shard_info *done,
                  const struct batch_ends *batches, struct rows_guess *out,
                  struct watch *watch, struct cooc_err *err)
{
    struct sample s = { .plan = plan, .job = job, .done = done,
                        .batches = batches, .watch = watch };
    uint64_t sizes, all, limit, cost;
    uint32_t n = SAMPLE;
    int rc = 0;

    *out = (struct rows_guess){ 0 };
    add_known(&s, &sizes, &all, out);
    limit = all / SHARE < COST_MAX ? all / SHARE : COST_MAX;
    limit = limit > COST_ANY ? limit : COST_ANY;
    if (all <= COST_ANY)
        n = 0;
    while (n > SAMPLE_MIN) {
        draw(&s, sizes, n, false, &cost, err);
        if (cost <= limit)
            break;
        n /= 2;
    }
    if (all)
        rc = accum_init(&s.sum, budget_dense(job->inv.n), err);
    if (all && rc == 0)
        rc = draw(&s, sizes, n, true, &cost, err);
    out->pairs += (uint64_t)s.pairs;
    out->bytes += (uint64_t)(s.bytes * (1 + 8.0 / BLOB_BLOCK));
    out->temporary = (uint64_t)s.temporary;
    accum_release(&s.sum);
    buf_release(&s.code);
    row_scratch_release(&s.scratch);
    return rc;
}

/* The guess is good to a few percent on real text; a file ends in a block of
 * the disk that is not full, and there is the manifest. */
uint64_t estimate_room(uint64_t bytes, uint32_t files)
{
    return bytes + bytes / 8 + DISK_BLOCK * ((uint64_t)files + 2);
}
