/* runs.c - write runs, merge them, and a counting method that does both. */
#include "jobs/runs.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"

#define WRITE_AT ((size_t)1 << 18)

/* ---- writing ------------------------------------------------------------ */

static int add_code(struct run_writer *w, uint32_t t, const void *code,
                    size_t len, struct cooc_err *err)
{
    int rc = buf_reserve(&w->pending, 2 * VARINT_MAX + len, err);
    uint8_t *p;

    if (rc < 0)
        return rc;
    p = (uint8_t *)w->pending.data + w->pending.len;
    p = put_varint(p, t - w->next);
    p = put_varint(p, len);
    memcpy(p, code, len);
    w->pending.len = (size_t)((char *)p + len - w->pending.data);
    w->next = t + 1;
    return w->pending.len < WRITE_AT ? 0 : run_writer_finish(w, err);
}

int run_writer_row(struct run_writer *w, uint32_t t, const struct entry *e,
                   size_t n, struct cooc_err *err)
{
    int rc;

    if (!n)
        return 0;
    w->code.len = 0;
    rc = row_encode(&w->code, e, n, &w->scratch, err);
    return rc < 0 ? rc : add_code(w, t, w->code.data, w->code.len, err);
}

int run_writer_parts(struct run_writer *w, uint32_t t,
                     const struct row_parts *row, struct cooc_err *err)
{
    int rc;

    w->code.len = 0;
    rc = row_encode_parts(&w->code, row, &w->scratch, err);
    if (rc < 0 || !w->code.len)
        return rc;
    return add_code(w, t, w->code.data, w->code.len, err);
}

int run_writer_finish(struct run_writer *w, struct cooc_err *err)
{
    int rc = spool_add(w->to, w->file, w->pending.data, w->pending.len, err);

    w->pending.len = 0;
    return rc;
}

void run_writer_release(struct run_writer *w)
{
    buf_release(&w->pending);
    buf_release(&w->code);
    row_scratch_release(&w->scratch);
}

/* ---- adding up streams -------------------------------------------------- */

struct run_input {
    struct spool_reader reader;
    uint8_t *window;
    uint64_t row; /* the current row, or NO_ROW */
    uint64_t len; /* bytes of its code, which is next in the stream */
};

#define NO_ROW UINT64_MAX

int run_merger_init(struct run_merger *m, const struct spool_file *file,
                    size_t max_inputs, size_t window, uint32_t dense,
                    struct cooc_err *err)
{
    int rc = 0;

    *m = (struct run_merger){ .file = file, .window = window };
    m->inputs = mem_zarray(max_inputs, sizeof *m->inputs);
    if (!m->inputs)
        return err_nomem(err);
    for (; m->max_inputs < max_inputs && rc == 0; m->max_inputs++) {
        m->inputs[m->max_inputs].window = mem_array(window, 1);
        rc = m->inputs[m->max_inputs].window ? 0 : err_nomem(err);
    }
    return rc < 0 ? rc : accum_init(&m->sum, dense, err);
}

void run_merger_release(struct run_merger *m)
{
    for (size_t i = 0; i < m->max_inputs; i++)
        mem_free(m->inputs[i].window);
    mem_free(m->inputs);
    accum_release(&m->sum);
    mem_free(m->entries);
    mem_free(m->code);
    row_scratch_release(&m->scratch);
    *m = (struct run_merger){ 0 };
}

/* Advance to the next row of the stream, which is at least next and below
 * last. */
static int next_row(struct run_input *in, uint64_t next, uint32_t last,
                    struct cooc_err *err)
{
    uint64_t gap = 0;
    int rc;

    in->row = NO_ROW;
    if (!in->reader.left)
        return 0;
    rc = spool_varint(&in->reader, &gap, err);
    if (rc == 0)
        rc = spool_varint(&in->reader, &in->len, err);
    if (rc < 0)
        return rc;
    if (gap >= last || next + gap >= last || !in->len ||
        in->len > in->reader.left)
        return spool_damaged(in->reader.file, err);
    in->row = next + gap;
    return 0;
}

/* Read the code of the current row into m->code. */
static int read_code(struct run_merger *m, struct run_input *in,
                     struct cooc_err *err)
{
    int rc = array_grow(&m->code, &m->code_cap, (size_t)in->len, 1, err);

    return rc < 0 ? rc : spool_read(&in->reader, m->code, (size_t)in->len, err);
}

/* Add up row t, which is in several streams. */
static int add_rows(struct run_merger *m, size_t n, uint32_t t, uint32_t last,
                    const struct row_sink *out, struct run_writer *copy,
                    struct cooc_err *err)
{
    size_t pairs;
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        struct run_input *in = &m->inputs[i];

        if (in->row != t)
            continue;
        rc = read_code(m, in, err);
        if (rc == 0)
            rc = row_decode(m->code, (size_t)in->len, t, &m->entries, &m->cap,
                            &pairs, &m->scratch, err);
        if (rc == 0)
            rc = accum_add_entries(&m->sum, m->entries, pairs, err);
        if (rc == 0)
            rc = next_row(in, (uint64_t)t + 1, last, err);
    }
    if (rc == 0)
        rc = accum_take(&m->sum, t, &pairs, err);
    if (rc < 0)
        return rc;
    return copy ? run_writer_row(copy, t, m->sum.entries, pairs, err)
                : out->row(out->self, t, m->sum.entries, pairs, err);
}

/* Pass on row t, which is in one stream only. */
static int copy_row(struct run_merger *m, struct run_input *in, uint32_t last,
                    const struct row_sink *out, struct run_writer *copy,
                    struct cooc_err *err)
{
    uint32_t t = (uint32_t)in->row;
    size_t pairs, len = (size_t)in->len;
    int rc = read_code(m, in, err);

    if (rc == 0 && copy)
        rc = add_code(copy, t, m->code, len, err);
    else if (rc == 0)
        rc = row_decode(m->code, len, t, &m->entries, &m->cap, &pairs,
                        &m->scratch, err);
    if (rc == 0 && !copy)
        rc = out->row(out->self, t, m->entries, pairs, err);
    return rc < 0 ? rc : next_row(in, (uint64_t)t + 1, last, err);
}

int run_merge(struct run_merger *m, const struct spool *const *from, size_t n,
              uint32_t last, const struct row_sink *out,
              struct run_writer *copy, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        struct run_input *in = &m->inputs[i];

        spool_reader_init(&in->reader, m->file, from[i], in->window,
                          m->window);
        rc = next_row(in, 0, last, err);
    }
    while (rc == 0) {
        uint64_t t = NO_ROW;
        size_t holders = 0, one = 0;

        for (size_t i = 0; i < n; i++) {
            if (m->inputs[i].row < t) {
                t = m->inputs[i].row;
                holders = 0;
                one = i;
            }
            holders += m->inputs[i].row == t;
        }
        if (t == NO_ROW)
            break;
        rc = holders > 1 ? add_rows(m, n, (uint32_t)t, last, out, copy, err)
                         : copy_row(m, &m->inputs[one], last, out, copy, err);
    }
    return rc;
}

/* ---- the list ----------------------------------------------------------- */

static void choose_shards(struct runs *r, const struct count_job *job)
{
    const struct count_plan *p = r->given->plan;
    uint32_t last = p->n_shards;

    while (r->first_shard < last && p->cuts[r->first_shard + 1] <= job->first)
        r->first_shard++;
    while (last > r->first_shard && p->cuts[last - 1] >= job->last)
        last--;
    r->shards = last - r->first_shard;
    r->cuts = p->cuts + r->first_shard;
}

int runs_append(struct runs *r, struct spool **to, struct cooc_err *err)
{
    int rc = array_grow(&r->runs, &r->cap, r->n + 1, sizeof *r->runs, err);

    if (rc < 0)
        return rc;
    *to = mem_zarray(r->shards, sizeof **to);
    if (!*to)
        return err_nomem(err);
    r->runs[r->n++] = *to;
    return 0;
}

/* Drop the first n runs. */
static void drop_runs(struct runs *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < r->shards; k++)
            spool_drop(&r->runs[i][k], &r->file);
        mem_free(r->runs[i]);
    }
}

/* ---- fewer runs --------------------------------------------------------- */

/* A merge of the first n runs into the last one. */
struct merging_runs {
    struct runs *r;
    size_t n;
    struct watch *watch;
    struct run_merger *mergers; /* by worker */
};

/* Merge a shard of the first n runs; out and copy as in run_merge(). */
static int merge_shard(const struct runs *r, struct run_merger *m, size_t n,
                       uint32_t shard, const struct row_sink *out,
                       struct run_writer *copy, struct cooc_err *err)
{
    const struct spool *from[BUDGET_FAN_IN];

    for (size_t i = 0; i < n; i++)
        from[i] = &r->runs[i][shard];
    return run_merge(m, from, n, r->cuts[shard + 1], out, copy, err);
}

static int open_merger(const struct runs *r, struct run_merger *m, size_t n,
                       struct cooc_err *err)
{
    const struct budget *b = r->given->budget;
    int rc = run_merger_init(m, &r->file, n, b->window, b->dense, err);

    m->scratch.k = r->k;
    return rc;
}

static int merge_job(void *self, unsigned worker, uint64_t shard,
                     struct cooc_err *err)
{
    struct merging_runs *c = self;
    struct run_merger *m = &c->mergers[worker];
    struct runs *r = c->r;
    struct run_writer w = runs_writer(r, &r->runs[r->n - 1][shard]);
    int rc = m->inputs ? 0 : open_merger(r, m, BUDGET_FAN_IN, err);

    if (rc == 0)
        rc = merge_shard(r, m, c->n, (uint32_t)shard, NULL, &w, err);
    if (rc == 0)
        rc = run_writer_finish(&w, err);
    run_writer_release(&w);
    for (size_t i = 0; i < c->n; i++)
        spool_drop(&r->runs[i][shard], &r->file);
    return rc < 0 ? rc : watch_add(c->watch, 0, 0, 0, err);
}

/* Merge the first n runs into a new one, which becomes the last. */
static int merge_runs(struct runs *r, size_t n, struct watch *watch,
                      struct cooc_err *err)
{
    unsigned threads = r->given->budget->threads;
    struct merging_runs c = { .r = r, .n = n, .watch = watch };
    struct spool *to;
    int rc = runs_append(r, &to, err);

    if (rc < 0)
        return rc;
    c.mergers = mem_zarray(threads, sizeof *c.mergers);
    rc = c.mergers ? pool_for(r->shards, threads, merge_job, &c, err)
                   : err_nomem(err);
    for (unsigned i = 0; c.mergers && i < threads; i++)
        run_merger_release(&c.mergers[i]);
    mem_free(c.mergers);
    if (rc < 0)
        return rc;
    drop_runs(r, n);
    r->n -= n;
    memmove(r->runs, r->runs + n, r->n * sizeof *r->runs);
    return 0;
}

/* Merge runs until at most BUDGET_FAN_IN are left. */
static int merge_to_fan_in(struct runs *r, struct watch *watch,
                           struct cooc_err *err)
{
    struct runs_report *report = r->given->report;
    int rc = 0;

    while (rc == 0 && r->n > BUDGET_FAN_IN) {
        size_t more = r->n - BUDGET_FAN_IN + 1;

        rc = merge_runs(r, more < BUDGET_FAN_IN ? more : BUDGET_FAN_IN, watch,
                        err);
        report->merges += rc == 0;
    }
    report->bytes = atomic_load(&r->file.end);
    return rc;
}

/* ---- the method --------------------------------------------------------- */

static void release(void *runs)
{
    struct runs *r = runs;

    if (!r)
        return;
    spool_file_close(&r->file); /* first, so that drop_runs() need not
                                 * free space in it */
    drop_runs(r, r->n);
    mem_free(r->runs);
    mem_free(r);
}

static int prepare(const struct count_job *job, void **shared,
                   struct cooc_err *err)
{
    const struct runs_job *given = job->given;
    struct runs *r = *shared = mem_zarray(1, sizeof *r);
    int rc;

    if (!r)
        return err_nomem(err);
    r->given = given;
    r->k = job->params.kernels;
    choose_shards(r, job);
    rc = spool_file_open(&r->file, job->params.tmpdir, err);
    if (rc == 0)
        rc = given->fill(r, job, err);
    if (rc == 0)
        rc = merge_to_fan_in(r, job->watch, err);
    if (rc == 0)
        watch_phase(job->watch, "merging", "increments", given->plan->total);
    if (rc < 0) {
        release(r);
        *shared = NULL;
    }
    return rc;
}

/* Emit rows: the last merge. */
static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    const struct runs *r = job->shared;
    struct run_merger m;
    int rc = open_merger(r, &m, r->n, err);

    for (uint32_t i = 0; i < r->shards && rc == 0; i++)
        if (r->cuts[i] >= job->first && r->cuts[i + 1] <= job->last)
            rc = merge_shard(r, &m, r->n, i, out, NULL, err);
    run_merger_release(&m);
    return rc;
}

const struct count_method runs_method = { .by_rows = true,
                                          .prepare = prepare,
                                          .release = release,
                                          .run = run };
