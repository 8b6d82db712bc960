/* estimate.c - estimate what a count will write, and whether the disk has room.
 *
 * The number of increments is known exactly (count/plan.h); the number of
 * distinct pairs is not known without counting.  A few hundred rows, the same
 * ones every time, are counted and the result is scaled up.
 *
 * Row t has at most as many pairs as increments, and at most as many as there
 * are columns before t; the smaller of the two is called its size.  Rows are
 * drawn in proportion to their size, in order of ids, that is, by falling df.
 * If S is the sum of all sizes and n rows are drawn,
 *
 *     pairs = S / n * sum over the sample of pairs(t) / size(t)
 *
 * and likewise for bytes.  The cost of counting a row is known in advance, so
 * the sample is made smaller until it is cheap enough: at most 1/400 of the
 * cost of counting all rows one by one, and at most one or two hundredths of a
 * second.  Omitted rows have pairs but no bytes.  The rows of terms with a
 * single document need no estimate: they have as many pairs as increments.
 */
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "jobs/counting.h"
#include "jobs/sum_rows.h"
#include "rows/accum.h"
#include "rows/row_sample.h"

#define SAMPLE 256u                      /* maximum number of rows */
#define DISK_BLOCK 4096u
#define RUN_ROW 3u                       /* bytes before each row of a run */
#define SAMPLE_MIN 32u
/* Scattered documents that are read before their pages are given back. */
#define DOCS_HELD 64u
#define ROWS_HELD 65536u
#define SHARE 400                        /* 1/400 of the increments, at most */
#define COST_MAX ((uint64_t)1 << 22)     /* increments, about 0.01 s */
#define COST_ANY ((uint64_t)1 << 20)     /* increments always counted */

/* An estimate for the shards that do not exist yet and for the omitted rows. */
struct estimate {
    struct counting *c;
    struct accum sum;
    uint64_t known_pairs, known_bytes; /* known without a sample */
    uint64_t cost; /* increments of all rows that may be drawn */
    double pairs, bytes;
    double temporary; /* bytes of runs in temporary files */
};

static uint64_t df_of(const struct estimate *g, uint32_t t)
{
    return g->c->job.inv.off[t + 1] - g->c->job.inv.off[t];
}

static uint64_t size_of(const struct estimate *g, uint32_t t)
{
    return g->c->plan.cost[t] < t ? g->c->plan.cost[t] : t;
}

/* ---- counting what is drawn --------------------------------------------- */

/* Count row t in the documents [from, end) of its list: encode its *n pairs. */
static int code_row(struct estimate *g, struct sample *s, uint32_t t,
                    uint64_t from, uint64_t end, size_t *n,
                    struct cooc_err *err)
{
    const struct lists *fwd = &g->c->job.fwd;
    int rc = 0;

    for (uint64_t i = from; i < end && rc == 0; i++) {
        uint32_t d = g->c->job.inv.ids[i];
        const uint32_t *terms = terms_before(fwd, d, t, n);

        rc = accum_add(&g->sum, terms, *n, err);
        if ((i - from) % DOCS_HELD == DOCS_HELD - 1)
            lists_forget(fwd, 0, fwd->n);
    }
    lists_forget(fwd, 0, fwd->n);
    if (rc == 0)
        rc = accum_take(&g->sum, t, n, err);
    return rc < 0 ? rc : sample_code(s, g->sum.entries, *n, err);
}

/* The same for each batch, to estimate the bytes in the temporary file. */
static int code_batches(struct estimate *g, struct sample *s, uint32_t t,
                        double weight, struct cooc_err *err)
{
    const struct lists *inv = &g->c->job.inv;
    const struct batch_ends *batches = &g->c->batches;
    uint64_t from = inv->off[t], end, last = inv->off[t + 1];
    int rc = 0;

    for (uint32_t b = 0; b < batches->n && from < last && rc == 0; b++) {
        size_t n = 0;

        for (end = from; end < last && inv->ids[end] < batches->last[b];)
            end++;
        if (end > from)
            rc = code_row(g, s, t, from, end, &n, err);
        if (n)
            g->temporary += weight * (double)(s->code.len + RUN_ROW);
        from = end;
    }
    return rc;
}

/* Count row t, which represents `weight` rows. */
static int count_row(struct estimate *g, struct sample *s, uint32_t t,
                     double weight, struct cooc_err *err)
{
    const struct lists *inv = &g->c->job.inv;
    size_t n = 0;
    int rc = code_row(g, s, t, inv->off[t], inv->off[t + 1], &n, err);

    g->pairs += weight * (double)n;
    if (t < g->c->plan.made)
        g->bytes += weight * (double)s->code.len;
    return rc < 0 ? rc : code_batches(g, s, t, weight, err);
}

/* ---- walking through the rows ------------------------------------------- */

/* Give pages of the rows before t back to the kernel. */
static void forget_rows(const struct estimate *g, uint32_t t)
{
    if (t % ROWS_HELD || !t)
        return;
    lists_forget(&g->c->job.inv, t - ROWS_HELD, t);
    count_plan_forget(&g->c->plan, t - ROWS_HELD, t);
}

/* The number of units, which are ranges of rows to estimate. */
static uint32_t units(const struct estimate *g)
{
    return shard_writer_units(&g->c->w);
}

/* Get the rows of a unit.  False if the unit already exists or is not to be
 * counted. */
static bool range_of(const struct estimate *g, uint32_t i, uint32_t *first,
                     uint32_t *last)
{
    const struct count_plan *p = &g->c->plan;
    const struct shard_writer *w = &g->c->w;
    const uint32_t *cuts = i < p->n_shards ? p->cuts + i
                                           : p->share_cuts + (i - p->n_shards);

    *first = cuts[0];
    *last = cuts[1];
    return i >= w->first && i < w->last && !shard_writer_knows(w, i);
}

static int draw_rows(void *self, struct sample *s, struct cooc_err *err)
{
    struct estimate *g = self;
    const struct count_plan *p = &g->c->plan;
    uint32_t first, last;
    int rc = 0;

    for (uint32_t i = 0; i < units(g); i++)
        for (uint32_t t = range_of(g, i, &first, &last) ? first : last;
             t < last && rc == 0; t++) {
            uint64_t size = size_of(g, t);
            double hits;

            forget_rows(g, t);
            if (df_of(g, t) < 2 || !size)
                continue;
            hits = sample_hits(s, size);
            if (hits < 1)
                continue;
            s->cost += p->cost[t];
            if (!s->count)
                continue;
            rc = count_row(g, s, t, s->n ? hits * s->step / (double)size : 1,
                           err);
            if (rc == 0)
                rc = watch_add(&g->c->watch, 0, 0, 0, err);
        }
    return rc;
}

/* Add the bytes and pairs that are known exactly, and the sizes of
 * all other rows. */
static void add_known(struct estimate *g, struct sample *s)
{
    const struct count_plan *p = &g->c->plan;
    uint32_t first, last;

    for (uint32_t i = 0; i < units(g); i++) {
        if (!range_of(g, i, &first, &last))
            continue;
        if (i < p->n_shards)
            g->known_bytes += ((uint64_t)last - first + 2) * 8 + SEAL_BYTES +
                              8 + CHECKED_FILE_FOOTER;
        for (uint32_t t = first; t < last; t++) {
            forget_rows(g, t);
            if (df_of(g, t) < 2) {
                g->known_pairs += p->cost[t];
            } else {
                s->sizes += size_of(g, t);
                g->cost += p->cost[t];
            }
        }
    }
}

static int estimate_rows(struct estimate *g, struct cooc_err *err)
{
    struct sample s = { .walk = draw_rows, .self = g, .n = SAMPLE };
    uint64_t limit;
    int rc;

    add_known(g, &s);
    limit = g->cost / SHARE < COST_MAX ? g->cost / SHARE : COST_MAX;
    limit = limit > COST_ANY ? limit : COST_ANY;
    if (g->cost <= COST_ANY)
        s.n = 0;
    if (!g->cost)
        return 0;
    rc = accum_init(&g->sum, budget_dense(g->c->job.inv.n), err);
    if (rc == 0)
        rc = sample_draw(&s, SAMPLE_MIN, limit, err);
    accum_release(&g->sum);
    sample_release(&s);
    return rc;
}

/* ---- the disk ----------------------------------------------------------- */

/* The disk space needed to write this estimated number of bytes to a number of
 * files.  The estimate is right within a few percent on real text; in addition,
 * the last disk block of each file is partly unused, and there is the
 * manifest. */
static uint64_t room_for(uint64_t bytes, uint32_t files)
{
    return bytes + bytes / 8 + DISK_BLOCK * ((uint64_t)files + 2);
}

/* The same for temporary files.  Runs that are merged into others free their
 * space, so the number of merges does not matter. */
static uint64_t temporary_room(const struct cooc_estimate *e)
{
    return e->temporary ? room_for(e->temporary, 1) : 0;
}

static int refuse(const struct counting *c, struct cooc_err *err)
{
    const char *name = c->how->name ? c->how->name : c->dir;
    const struct cooc_estimate *e = &c->estimate;
    bool rows = e->needed > e->available; /* else temporary files */
    double needed = (double)(rows ? e->needed : temporary_room(e));
    double scale = needed < 1e6 ? 1e3 : needed < 1e9 ? 1e6 : 1e9;
    char letter = scale < 1e6 ? 'K' : scale < 1e9 ? 'M' : 'G';

    return err_path_option(
        err, COOC_EFULL, rows ? name : c->job.params.tmpdir,
        !rows                                      ? "ignore_space"
        : c->s.manifest.written == COOC_ROWS_FULL ? "rows" : "min_df",
        "%s about %.1f %cB of disk space, but %.1f %cB is free",
        !rows ? "temporary files need"
        : e->temporary && !e->temporary_elsewhere
            ? "rows and temporary files need"
            : "the rows need",
        needed / scale, letter,
        (double)(rows ? e->available : e->temporary_available) / scale, letter);
}

/* Whether the temporary directory is on another disk than the store. */
static bool on_other_disk(const struct counting *c)
{
    struct stat store, tmp;

    return workdir_stat(c->dir, &store) == 0 &&
           workdir_stat(c->job.params.tmpdir, &tmp) == 0 &&
           store.st_dev != tmp.st_dev;
}

/* Bytes of all row files, with their checksums. */
static uint64_t all_bytes(const struct estimate *g)
{
    return g->known_bytes +
           (uint64_t)(g->bytes * (1 + 8.0 / CHECKED_FILE_BLOCK));
}

/* Estimate the disk space for the missing shards, and get the available
 * space. */
static int estimate_size(struct estimate *g, struct cooc_err *err)
{
    struct counting *c = g->c;
    struct cooc_estimate *e = &c->estimate;
    uint32_t files = (uint32_t)(c->r.shards - c->r.shards_done);
    uint64_t bytes;
    int rc = estimate_rows(g, err);

    if (rc == 0)
        rc = dir_room(&e->available, c->dir, err);
    if (rc == 0)
        rc = dir_room(&e->temporary_available, c->job.params.tmpdir, err);
    if (rc < 0)
        return rc;
    bytes = all_bytes(g);
    /* A recount replaces the old shards one by one. */
    if (c->recount && c->budget.threads < files) {
        bytes = c->largest * c->budget.threads;
        files = c->budget.threads;
    }
    e->batches = c->batches.n;
    e->temporary = c->how->stored ? c->how->stored->temporary
                                  : (uint64_t)g->temporary;
    e->temporary_elsewhere = on_other_disk(c);
    e->needed = room_for(bytes, files) +
                (e->temporary_elsewhere ? 0 : temporary_room(e));
    return 0;
}

int counting_estimate(struct counting *c, struct cooc_err *err)
{
    struct cooc_estimate *e = &c->estimate;
    const struct cooc_watch *hook = &c->order->watch;
    struct estimate g = { .c = c };
    int rc;

    watch_phase(&c->watch, "estimating", "", 0);
    watch_expect(&c->watch, COUNTING_CHECK, COUNTING_CHECK, 0);
    rc = estimate_size(&g, err);
    if (rc < 0)
        return rc;
    e->increments = counting_increments(c);
    e->size = sizeof *e;
    e->shards = c->r.shards;
    e->pairs = g.known_pairs + (uint64_t)g.pairs + c->kept_pairs;
    e->row_bytes = all_bytes(&g) + c->kept_bytes;
    if (hook->estimate && hook->estimate(hook->self, e))
        return err_set(err, COOC_ECANCELLED, "interrupted");
    if (!c->order->o.ignore_space &&
        (e->needed > e->available ||
         (e->temporary_elsewhere &&
          temporary_room(e) > e->temporary_available)))
        return refuse(c, err);
    return 0;
}

void counting_estimate_again(struct counting *c)
{
    estimate_size(&(struct estimate){ .c = c }, NULL);
}
