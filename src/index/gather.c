/* gather.c - read, tokenise and number, on all cores.
 *
 * The reader is shared: a worker locks it, copies about a megabyte of
 * documents, and works on them alone.  Nothing else is shared but the lists
 * of chunks and runs, so workers hardly ever wait for each other, and the
 * result does not depend on how many there are.
 */
#include "index/gather.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "dict/dict.h"
#include "index/forms.h"
#include "index/reduce.h"
#include "index/run.h"
#include "read/read.h"

#define BATCH_BYTES ((size_t)1 << 20)
#define BATCH_DOCS 65536u

struct shared {
    const struct gather_job *job;
    struct gathered *out;
    struct cooc_index_report *report;
    pthread_mutex_t lock;
    uint64_t next_seq, documents, chunk_bytes;
    uint64_t seen_bytes; /* of the reader, told to the watch */
    bool failed, done;
    struct cooc_err err; /* of the earliest failure */
    uint64_t failed_seq;
};

struct worker {
    struct shared *sh;
    unsigned number;
    struct reducer red;         /* its ids are the chunk being made */
    uint32_t run;
    struct buf text, names;     /* the batch */
    uint64_t *text_ends, *name_ends;
    size_t ends_cap, name_ends_cap;
    uint32_t n_docs;
    uint64_t seq;
    uint32_t *lens;             /* of each document of the batch */
    size_t lens_cap;
    uint64_t fd_end, spilled;
};

/* ---- batches and chunks ------------------------------------------------ */

/* Copy documents out of the reader; the lock is held.  1: some; 0: none. */
static int take_batch(struct worker *w, struct cooc_err *err)
{
    struct shared *sh = w->sh;
    size_t want = BATCH_BYTES;

    if (want > sh->job->memory / 64 / sh->job->threads)
        want = sh->job->memory / 64 / sh->job->threads;
    w->text.len = w->names.len = 0;
    w->n_docs = 0;
    w->seq = sh->next_seq++;
    while (w->text.len + w->names.len < want && w->n_docs < BATCH_DOCS) {
        struct document doc;
        int rc = reader_next(sh->job->reader, &doc, err);

        if (rc == 0) {
            sh->done = true;
            break;
        }
        if (rc > 0 && sh->documents >= UINT32_MAX - 1)
            rc = err_set(err, COOC_ELIMIT, "more than 2^32 documents");
        if (rc > 0)
            rc = buf_add(&w->text, doc.text, doc.text_len, err);
        if (rc == 0)
            rc = buf_add(&w->names, doc.name, doc.name_len, err);
        if (rc == 0)
            rc = array_grow(&w->text_ends, &w->ends_cap,
                            (size_t)w->n_docs + 1, sizeof *w->text_ends, err);
        if (rc == 0)
            rc = array_grow(&w->name_ends, &w->name_ends_cap,
                            (size_t)w->n_docs + 1, sizeof *w->name_ends, err);
        if (rc < 0)
            return rc;
        w->text_ends[w->n_docs] = w->text.len;
        w->name_ends[w->n_docs++] = w->names.len;
        sh->documents++;
    }
    return w->n_docs > 0;
}

static int worker_fd(struct worker *w, int *fd, struct cooc_err *err)
{
    int *mine = &w->sh->out->fds[w->number];
    int rc = 0;

    if (*mine < 0)
        rc = file_temp(mine, w->sh->job->tmpdir, err);
    *fd = *mine;
    return rc;
}

/* Pack ids and names of the batch into one piece. */
static int pack_chunk(struct worker *w, struct chunk *c, struct cooc_err *err)
{
    uint64_t ids_bytes = w->red.n_ids * sizeof(uint32_t), start = 0;
    uint64_t lens_bytes = w->n_docs * sizeof(uint32_t);
    int rc = buf_reserve(&c->data, 2 * lens_bytes + ids_bytes + w->names.len,
                         err);

    if (rc < 0)
        return rc;
    buf_add(&c->data, w->lens, lens_bytes, NULL); /* room is reserved */
    for (uint32_t i = 0; i < w->n_docs; i++) {
        uint32_t n = (uint32_t)(w->name_ends[i] - start);

        start = w->name_ends[i];
        buf_add(&c->data, &n, sizeof n, NULL);
    }
    buf_add(&c->data, w->red.ids, ids_bytes, NULL);
    buf_add(&c->data, w->names.data, w->names.len, NULL);
    c->n_docs = w->n_docs;
    c->n_ids = w->red.n_ids;
    c->seq = w->seq;
    c->run = w->run;
    c->len = c->data.len;
    return 0;
}

static int keep_chunk(struct worker *w, struct chunk *c, struct cooc_err *err)
{
    struct shared *sh = w->sh;
    struct gathered *g = sh->out;
    bool spill;
    int rc = 0;

    pthread_mutex_lock(&sh->lock);
    spill = sh->chunk_bytes + c->data.cap > sh->job->memory / 6;
    if (!spill)
        sh->chunk_bytes += c->data.cap;
    pthread_mutex_unlock(&sh->lock);
    if (spill) {
        rc = worker_fd(w, &c->fd, err);
        c->hash = XXH3_64bits(c->data.data, c->len);
        if (rc == 0)
            rc = file_write(c->fd, c->data.data, c->len, sh->job->tmpdir,
                            err);
        c->off = w->fd_end;
        w->fd_end += c->len;
        w->spilled += c->len;
        buf_release(&c->data);
        if (rc < 0)
            return rc;
    }
    pthread_mutex_lock(&sh->lock);
    rc = array_grow(&g->chunks, &g->chunks_cap, g->n_chunks + 1,
                    sizeof *g->chunks, err);
    if (rc == 0)
        g->chunks[g->n_chunks++] = *c;
    pthread_mutex_unlock(&sh->lock);
    return rc;
}

static int make_chunk(struct worker *w, struct cooc_err *err)
{
    struct chunk c = { .fd = -1 };
    uint64_t start = 0;
    int rc;

    w->red.n_ids = 0;
    rc = array_grow(&w->lens, &w->lens_cap, w->n_docs, sizeof *w->lens, err);
    if (rc == 0) /* so that there is text, though all of it is empty */
        rc = buf_reserve(&w->text, 1, err);
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < w->n_docs; i++) {
        uint64_t before = w->red.n_ids;

        rc = reducer_add(&w->red, w->text.data + start,
                         (size_t)(w->text_ends[i] - start), err);
        if (rc < 0)
            return rc;
        w->lens[i] = (uint32_t)(w->red.n_ids - before);
        start = w->text_ends[i];
    }
    rc = pack_chunk(w, &c, err);
    if (rc == 0)
        rc = keep_chunk(w, &c, err);
    if (rc < 0)
        buf_release(&c.data);
    return rc;
}

/* ---- runs --------------------------------------------------------------- */

static int begin_run(struct worker *w, struct cooc_err *err)
{
    struct gathered *g = w->sh->out;
    int rc;

    pthread_mutex_lock(&w->sh->lock);
    rc = array_grow(&g->runs, &g->runs_cap, g->n_runs + 1, sizeof *g->runs,
                    err);
    if (rc == 0) {
        w->run = (uint32_t)g->n_runs++;
        g->runs[w->run] = (struct run){ .fd = -1 };
    }
    pthread_mutex_unlock(&w->sh->lock);
    return rc;
}

/* Write all terms of the run to the file, sorted. */
static int spill_terms(struct worker *w, struct run *r, const uint32_t *df,
                       struct cooc_err *err)
{
    const struct dict *d = w->red.terms;
    struct run_out out = { .run = r, .path = w->sh->job->tmpdir };
    uint32_t *order = NULL, n = dict_size(d);
    int rc = worker_fd(w, &r->fd, err);

    r->off = w->fd_end;
    r->n = 0; /* until they are written */
    if (rc == 0)
        rc = dict_sorted(d, &order, err);
    for (uint32_t i = 0; i < n && rc == 0; i++) {
        size_t len;
        const char *term = dict_term(d, order[i], &len);

        rc = run_out_add(&out, order[i], df[order[i]], term, len, err);
    }
    if (rc == 0)
        rc = run_out_end(&out, err);
    w->fd_end += r->len;
    w->spilled += r->len;
    mem_free(order);
    buf_release(&out.buf);
    return rc;
}

/* Publish the surface forms of the run, in memory or in the file. */
static int end_forms(struct worker *w, bool spill, struct cooc_err *err)
{
    struct gathered *g = w->sh->out;
    struct run forms[FORM_RUNS] = {
        { .owner = w->run, .off = w->fd_end, .fd = -1 }, { .fd = -1 },
    };
    int rc = spill ? worker_fd(w, &forms[0].fd, err) : 0;

    if (rc == 0)
        rc = forms_make_runs(&w->red, forms, w->sh->job->tmpdir, err);
    for (int i = 0; i < FORM_RUNS; i++) {
        w->fd_end += forms[i].len;
        w->spilled += forms[i].len;
    }
    pthread_mutex_lock(&w->sh->lock);
    if (rc == 0)
        rc = array_grow(&g->forms, &g->forms_cap, g->n_forms + FORM_RUNS,
                        sizeof *g->forms, err);
    for (int i = 0; i < FORM_RUNS; i++)
        if (rc == 0 && forms[i].n)
            g->forms[g->n_forms++] = forms[i];
        else
            run_release(&forms[i]);
    pthread_mutex_unlock(&w->sh->lock);
    return rc;
}

/* Publish the current dictionary, in memory or (spill) in the file. */
static int end_run(struct worker *w, bool spill, struct cooc_err *err)
{
    struct run r = { .fd = -1, .n = dict_size(w->red.terms),
                     .n_ids = dict_size(w->red.terms) };
    int rc = reducer_df(&w->red, &r.df, err);

    if (rc == 0 && w->red.stems)
        rc = end_forms(w, spill, err);
    if (rc < 0) {
        mem_free(r.df);
        return rc;
    }
    if (spill) {
        rc = spill_terms(w, &r, r.df, err);
        mem_free(r.df);
        r.df = NULL;
        reducer_clear(&w->red);
    } else {
        r.dict = w->red.terms;
        w->red.terms = NULL;
    }
    pthread_mutex_lock(&w->sh->lock);
    w->sh->out->runs[w->run] = r;
    pthread_mutex_unlock(&w->sh->lock);
    return rc;
}

static bool run_is_full(const struct worker *w)
{
    return reducer_memory(&w->red) >
               w->sh->job->memory / 8 / w->sh->job->threads ||
           w->red.doc > UINT32_MAX - 2 * BATCH_DOCS;
}

/* ---- workers ------------------------------------------------------------ */

static int worker_init(struct worker *w, struct shared *sh, unsigned number,
                       struct cooc_err *err)
{
    int rc;

    *w = (struct worker){ .sh = sh, .number = number };
    rc = reducer_init(&w->red, sh->job->rules, sh->job->max_doc_terms, err);
    w->red.watch = sh->job->watch;
    if (rc == 0)
        rc = begin_run(w, err);
    return rc;
}

static void worker_release(struct worker *w)
{
    reducer_release(&w->red);
    mem_free(w->text_ends);
    mem_free(w->name_ends);
    mem_free(w->lens);
    buf_release(&w->text);
    buf_release(&w->names);
}

/* One batch after the other until there are no more. */
static int work_through(struct worker *w, struct cooc_err *err)
{
    struct shared *sh = w->sh;
    int rc;

    for (;;) {
        uint64_t bytes = 0;

        if (run_is_full(w)) {
            rc = end_run(w, true, err);
            if (rc == 0)
                rc = begin_run(w, err);
            if (rc < 0)
                return rc;
        }
        pthread_mutex_lock(&sh->lock);
        rc = sh->failed || sh->done ? 0 : take_batch(w, err);
        if (rc > 0) {
            bytes = reader_stats(sh->job->reader).bytes - sh->seen_bytes;
            sh->seen_bytes += bytes;
        }
        pthread_mutex_unlock(&sh->lock);
        if (rc <= 0)
            return rc < 0 ? rc : end_run(w, false, err);
        rc = make_chunk(w, err);
        if (rc == 0)
            rc = watch_add(sh->job->watch, bytes, w->n_docs, 0, err);
        if (rc < 0)
            return rc;
    }
}

static void work(void *self, unsigned number)
{
    struct shared *sh = self;
    struct worker w;
    struct cooc_err err = { 0 };
    int rc = worker_init(&w, sh, number, &err);

    if (rc == 0)
        rc = work_through(&w, &err);
    pthread_mutex_lock(&sh->lock);
    reducer_report(&w.red, sh->report);
    sh->report->spilled_bytes += w.spilled;
    if (rc < 0 && (!sh->failed || w.seq < sh->failed_seq)) {
        sh->failed = true;
        sh->failed_seq = w.seq;
        sh->err = err;
        sh->err.code = rc;
    }
    pthread_mutex_unlock(&sh->lock);
    worker_release(&w);
}

static int by_seq(const void *x, const void *y)
{
    const struct chunk *a = x, *b = y;

    return (a->seq > b->seq) - (a->seq < b->seq);
}

int gather(struct gathered *out, const struct gather_job *job,
           struct cooc_index_report *report, struct cooc_err *err)
{
    struct shared sh = { .job = job, .out = out, .report = report };

    *out = (struct gathered){ .stems = rules_stem(job->rules) };
    out->fds = mem_array(job->threads, sizeof *out->fds);
    if (!out->fds)
        return err_nomem(err);
    out->n_fds = job->threads;
    for (unsigned i = 0; i < job->threads; i++)
        out->fds[i] = -1;
    watch_phase(job->watch, "reading", "bytes", 0);
    pthread_mutex_init(&sh.lock, NULL);
    pool_run(job->threads, work, &sh);
    pthread_mutex_destroy(&sh.lock);
    if (sh.failed)
        return err_set(err, sh.err.code, "%s", sh.err.text);
    if (out->n_chunks)
        qsort(out->chunks, out->n_chunks, sizeof *out->chunks, by_seq);
    report->documents = sh.documents;
    return 0;
}

void gathered_release(struct gathered *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n_chunks; i++)
        buf_release(&g->chunks[i].data);
    for (size_t i = 0; i < g->n_runs; i++)
        run_release(&g->runs[i]);
    for (size_t i = 0; i < g->n_forms; i++)
        run_release(&g->forms[i]);
    for (unsigned i = 0; i < g->n_fds; i++)
        if (g->fds[i] >= 0)
            close(g->fds[i]);
    mem_free(g->chunks);
    mem_free(g->runs);
    mem_free(g->forms);
    mem_free(g->fds);
    *g = (struct gathered){ 0 };
}
