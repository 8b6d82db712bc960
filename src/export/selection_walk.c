/* selection_walk.c - the walks through the rows of a selection.
 *
 * The idea.  Rows are divided into blocks of about BLOCK_PAIRS pairs, which the
 * workers of an ordered loop (base/ordered.h) take in order:
 *
 *     in parallel, for each block
 *         for each row of the block
 *             read it, filter it, score it (row_maker.h)
 *             format it into the output of the block, or keep it in a batch
 *     in order, on the calling thread
 *         write the output, or pass the rows of the batch to the callback
 *
 * The number of pairs of a row is not known in advance, so blocks are cut by an
 * upper limit: the row of a term has at most as many entries as there are terms
 * before it, and as there are other terms in its documents, on average.
 *
 * Memory.  Per worker, about 32 bytes per pair of the longest row; per block in
 * progress, its output or its batch.  Each of the two takes at most a quarter
 * of the memory of the selection: otherwise there are fewer workers, or blocks.
 */
#include "export/selection_walk.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/ordered.h"
#include "base/pool.h"
#include "export/row_maker.h"

#define BLOCK_PAIRS ((uint64_t)1 << 15)
#define BLOCK_ROWS 4096u
#define REPORT_ROWS 4096u /* between two reports of progress */
#define FORGET_PAIRS ((uint64_t)1 << 22) /* between two drops of pages */
#define WORKER_BYTES 36u /* per pair of the longest row */

struct block {
    struct output out;
    struct row_batch batch;
    uint64_t pairs; /* read since the last drop of pages */
    struct walker *walker;
    struct ordered *loop;
    unsigned worker;
    uint64_t job;
};

struct walker {
    struct selection *s;
    const struct walk *w;
    uint32_t *cuts; /* block i is the rows [cuts[i], cuts[i + 1]) */
    size_t n_blocks, cap;
    unsigned threads, slots;
    struct row_maker *makers; /* one per worker */
    struct block *blocks;     /* one per slot */
    uint64_t kept; /* pairs since pages were dropped */
};

/* ---- blocks ------------------------------------------------------------- */

/* About the number of pairs to read for row id. */
static uint64_t row_cost(const struct selection *s, uint32_t id)
{
    const struct collection *c = &s->db->store.docs;
    uint32_t t = selection_store_id(s, id);
    uint64_t average = c->n_docs ? s->off[c->n_terms] / c->n_docs : 0;
    uint64_t most = selection_df(s, id) * average;

    if (s->list || selection_df(s, id) < s->o->min_count)
        return 1;
    return 1 + (most < t ? most : t);
}

static int cut_blocks(struct walker *v, struct cooc_err *err)
{
    const struct later_partners *a = v->w->later;
    uint32_t id = a ? a->first : 0, last = a ? a->last : v->s->n;
    uint64_t pairs = BLOCK_PAIRS;
    int rc = 0;

    for (; id < last && rc == 0; id++) {
        uint64_t more = row_cost(v->s, id);

        if (a)
            more += a->start[id - a->first + 1] - a->start[id - a->first];
        if (pairs + more > BLOCK_PAIRS ||
            id - v->cuts[v->n_blocks - 1] == BLOCK_ROWS) {
            rc = array_grow(&v->cuts, &v->cap, v->n_blocks + 2,
                            sizeof *v->cuts, err);
            if (rc < 0)
                return rc;
            v->cuts[v->n_blocks++] = id;
            pairs = 0;
        }
        pairs += more;
    }
    if (v->n_blocks)
        v->cuts[v->n_blocks] = last;
    return rc;
}

void selection_cut(const struct selection *s, uint32_t *parts, unsigned n)
{
    uint64_t all = 0, sum = 0;
    unsigned part = 0;

    for (uint32_t id = 0; id < s->n; id++)
        all += row_cost(s, id);
    for (uint32_t id = 0; id < s->n; id++) {
        while (part < n && sum >= all / n * part)
            parts[part++] = id;
        sum += row_cost(s, id);
    }
    while (part <= n)
        parts[part++] = s->n;
}

unsigned selection_threads(const struct selection *s)
{
    uint64_t room = s->memory / 4 / ((uint64_t)s->n * WORKER_BYTES + 1);

    return room >= s->threads ? s->threads : room > 1 ? (unsigned)room : 1;
}

static unsigned choose_slots(const struct walker *v)
{
    uint64_t most = v->threads > 1 ? 2 * (uint64_t)v->threads + 2 : 1, room;
    uint64_t batch = (BLOCK_PAIRS + v->s->n) *
                     (sizeof(struct entry) + sizeof(double));

    room = v->s->memory / 4 /
           (v->w->format ? v->w->streams * OUTPUT_ROOM : batch);
    room = room > 1 ? room : 1;
    return (unsigned)(room < most ? room : most);
}

/* ---- one block ---------------------------------------------------------- */

static int pass_on(struct output *to, struct cooc_err *err)
{
    struct block *b = to->owner;
    const struct walk *w = b->walker->w;

    if (w->seal)
        w->seal(w->self, to);
    return ordered_pass(b->loop, b->worker, b->job, err);
}

static int open_output(struct block *b, struct cooc_err *err)
{
    struct output *to = &b->out;

    to->pass = pass_on;
    to->owner = b;
    for (unsigned i = 0; i < b->walker->w->streams; i++) {
        if (!to->buf[i])
            to->p[i] = to->buf[i] = mem_array(OUTPUT_ROOM, 1);
        if (!to->buf[i])
            return err_nomem(err);
    }
    return 0;
}

static int format_row(struct block *b, struct row_maker *m, uint32_t id,
                      struct cooc_err *err)
{
    const struct walk *w = b->walker->w;
    struct export_row row;
    int rc = row_maker_get(m, id, &row, err);

    if (rc == 0)
        rc = w->format(w->self, &row, &b->out, err);
    if (rc == 0)
        b->out.entries += row.n;
    return rc;
}

static int keep_row(struct block *b, struct row_maker *m, uint32_t id,
                    struct cooc_err *err)
{
    int rc = row_maker_add(m, id, &b->batch, err);

    if (rc == 0 && b->batch.n >= BLOCK_PAIRS)
        rc = ordered_pass(b->loop, b->worker, b->job, err);
    return rc;
}

static int make_block(void *self, struct ordered *loop, unsigned worker,
                      unsigned slot, uint64_t job, struct cooc_err *err)
{
    struct walker *v = self;
    struct row_maker *m = &v->makers[worker];
    struct block *b = &v->blocks[slot];
    int rc = 0;

    b->walker = v;
    b->loop = loop;
    b->worker = worker;
    b->job = job;
    if (v->w->format)
        rc = open_output(b, err);
    for (uint32_t id = v->cuts[job]; id < v->cuts[job + 1] && rc == 0; id++)
        rc = v->w->format ? format_row(b, m, id, err)
                          : keep_row(b, m, id, err);
    if (rc == 0 && v->w->format && v->w->seal)
        v->w->seal(v->w->self, &b->out);
    if (rc == 0)
        rc = watch_add(v->s->watch, m->done, 0, m->done, err);
    b->pairs = m->done;
    m->done = 0;
    return rc;
}

static int take_batch(const struct walk *w, struct row_batch *b,
                      struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < b->n_rows && rc == 0; i++) {
        struct export_row row = row_batch_get(b, i, w);

        rc = w->fn(w->self, &row, err);
    }
    b->n = b->n_rows = 0;
    return rc;
}

static int take_block(void *self, unsigned slot, uint64_t job,
                      struct cooc_err *err)
{
    struct walker *v = self;
    struct block *b = &v->blocks[slot];
    int rc = v->w->format ? v->w->take(v->w->self, &b->out, err)
                          : take_batch(v->w, &b->batch, err);

    for (unsigned i = 0; i < OUTPUT_STREAMS; i++)
        b->out.p[i] = b->out.buf[i];
    b->out.entries = 0;
    v->kept += b->pairs;
    b->pairs = 0;
    if (v->kept >= FORGET_PAIRS && !v->s->list) {
        store_forget_rows(&v->s->db->store,
                          selection_store_id(v->s, v->cuts[job]));
        v->kept = 0;
    }
    return rc;
}

/* ---- all blocks --------------------------------------------------------- */

static int open_walker(struct walker *v, struct cooc_err *err)
{
    int rc = cut_blocks(v, err);

    if (rc < 0)
        return rc;
    v->threads = selection_threads(v->s);
    if (v->n_blocks < v->threads)
        v->threads = v->n_blocks ? (unsigned)v->n_blocks : 1;
    v->slots = choose_slots(v);
    v->makers = mem_zarray(v->threads, sizeof *v->makers);
    v->blocks = mem_zarray(v->slots, sizeof *v->blocks);
    if (!v->makers || !v->blocks)
        return err_nomem(err);
    for (unsigned i = 0; i < v->threads; i++)
        row_maker_init(&v->makers[i], v->s, v->w);
    return 0;
}

static void release_walker(struct walker *v)
{
    for (unsigned i = 0; v->makers && i < v->threads; i++)
        row_maker_release(&v->makers[i]);
    for (unsigned i = 0; v->blocks && i < v->slots; i++) {
        row_batch_release(&v->blocks[i].batch);
        for (unsigned k = 0; k < OUTPUT_STREAMS; k++)
            mem_free(v->blocks[i].out.buf[k]);
    }
    mem_free(v->makers);
    mem_free(v->blocks);
    mem_free(v->cuts);
}

static void begin_phase(const struct selection *s, const char *phase,
                        unsigned times)
{
    const struct manifest *m = &s->db->store.manifest;
    bool whole = s->n == m->terms && !s->list;

    if (phase)
        watch_phase(s->watch, phase, "pairs", whole ? m->pairs * times : 0);
}

/* The number of postings of the omitted rows that the selection reads, without
 * those of terms in one document, which are copied. */
static uint64_t omitted_postings(const struct selection *s)
{
    uint32_t written = rows_written(&s->db->store.manifest);
    uint64_t postings = 0;

    for (uint32_t id = 0; id < s->n && !s->list; id++)
        if (selection_store_id(s, id) >= written && selection_df(s, id) > 1 &&
            selection_df(s, id) >= s->o->min_count)
            postings += selection_df(s, id);
    return postings;
}

/* Make bitmaps of the documents if many omitted rows are read. */
static int prepare_omitted(struct selection *s, unsigned threads,
                           struct cooc_err *err)
{
    return store_bulk(&s->db->store, omitted_postings(s), s->memory / 4,
                      threads, s->watch, &s->bulk, err);
}

int selection_walk(struct selection *s, const struct walk *w,
                   struct cooc_err *err)
{
    struct walker v = { .s = s, .w = w };
    int rc = open_walker(&v, err);

    if (rc == 0)
        rc = prepare_omitted(s, v.threads, err);
    begin_phase(s, w->phase, w->later ? 2 : 1);
    if (rc == 0)
        rc = ordered_for(v.n_blocks, v.threads, v.slots, make_block,
                         take_block, &v, err);
    release_walker(&v);
    return rc;
}

/* ---- parts -------------------------------------------------------------- */

struct parts {
    struct selection *s;
    const uint32_t *parts;
    part_fn fn;
    void *self;
    struct row_maker *makers;
};

static int do_part(void *self, unsigned worker, uint64_t part,
                   struct cooc_err *err)
{
    struct parts *p = self;
    struct row_maker *m = &p->makers[worker];
    uint32_t last = p->parts[part + 1];
    uint64_t kept = 0; /* pairs since pages were dropped */
    int rc = 0;

    for (uint32_t id = p->parts[part]; id < last && rc == 0; id++) {
        struct export_row row;

        rc = row_maker_get(m, id, &row, err);
        if (rc == 0)
            rc = p->fn(p->self, worker, (unsigned)part, &row, err);
        if (rc == 0 && (m->done >= BLOCK_PAIRS || id + 1 == last ||
                        id % REPORT_ROWS == 0)) {
            rc = watch_add(p->s->watch, m->done, 0, m->done, err);
            kept += m->done;
            m->done = 0;
        }
        if (kept >= FORGET_PAIRS) {
            store_forget_rows(&p->s->db->store,
                              selection_store_id(p->s, id));
            kept = 0;
        }
    }
    return rc;
}

int selection_each(struct selection *s, const char *phase,
                   const uint32_t *parts, unsigned n_parts, part_fn fn,
                   void *self, struct cooc_err *err)
{
    static const struct walk plain = { .direction = NO_SCORES };
    unsigned threads = selection_threads(s);
    struct parts p = { .s = s, .parts = parts, .fn = fn, .self = self };
    int rc;

    p.makers = mem_zarray(threads, sizeof *p.makers);
    if (!p.makers)
        return err_nomem(err);
    for (unsigned i = 0; i < threads; i++)
        row_maker_init(&p.makers[i], s, &plain);
    rc = prepare_omitted(s, threads, err);
    begin_phase(s, phase, 1);
    if (rc == 0)
        rc = pool_for(n_parts, threads, do_part, &p, err);
    for (unsigned i = 0; i < threads; i++)
        row_maker_release(&p.makers[i]);
    mem_free(p.makers);
    return rc;
}

/* ---- the list by strength ----------------------------------------------- */

struct listed {
    const struct selection *s;
    const struct walk *w;
    struct block block; /* its output, if rows are formatted */
};

static int take_listed(struct listed *l, struct cooc_err *err)
{
    const struct walk *w = l->w;
    struct output *out = &l->block.out;
    int rc;

    if (w->seal)
        w->seal(w->self, out);
    rc = w->take(w->self, out, err);
    for (unsigned i = 0; i < OUTPUT_STREAMS; i++)
        out->p[i] = out->buf[i];
    out->entries = 0;
    return rc;
}

static int pass_listed(struct output *to, struct cooc_err *err)
{
    return take_listed(to->owner, err);
}

static int by_strength(const void *a, const void *b)
{
    return edge_stronger(a, b) ? -1 : edge_stronger(b, a);
}

static int emit_pair(struct listed *l, uint32_t id, uint32_t term,
                     uint32_t count, struct cooc_err *err)
{
    const struct walk *w = l->w;
    struct entry e = { term, count };
    struct export_row row = { .id = id, .entries = &e, .n = 1 };
    double value;

    if (w->direction != NO_SCORES) {
        row_score(l->s, w->direction == FROM_FREQUENT, id, &e, 1, &value);
        row.scores = &value;
    }
    l->block.out.entries++;
    return w->format ? w->format(w->self, &row, &l->block.out, err)
                     : w->fn(w->self, &row, err);
}

static int emit_listed(struct listed *l, bool both, struct cooc_err *err)
{
    const struct selection *s = l->s;
    int rc = 0;

    for (size_t i = 0; i < s->n_list && rc == 0; i++) {
        const struct edge *e = &s->list[i];
        uint32_t x = selection_new_id(s, e->x);
        uint32_t y = selection_new_id(s, e->y);

        if (x == NOT_SELECTED || y == NOT_SELECTED)
            continue;
        if (both)
            rc = emit_pair(l, x, y, e->count, err);
        if (rc == 0)
            rc = emit_pair(l, y, x, e->count, err);
        if (rc == 0 && i % REPORT_ROWS == 0)
            rc = watch_add(s->watch, i ? REPORT_ROWS : 0, 0, 0, err);
    }
    for (uint32_t id = 0; l->w->diagonal && id < s->n && rc == 0; id++)
        rc = emit_pair(l, id, id, (uint32_t)selection_df(s, id), err);
    return rc;
}

int selection_walk_list(struct selection *s, const struct walk *w, bool both,
                        struct cooc_err *err)
{
    struct walker v = { .s = s, .w = w };
    struct listed l = { .s = s, .w = w, .block = { .walker = &v } };
    int rc = w->format ? open_output(&l.block, err) : 0;

    l.block.out.pass = pass_listed;
    l.block.out.owner = &l;
    qsort(s->list, s->n_list, sizeof *s->list, by_strength);
    watch_phase(s->watch, w->phase, "pairs", s->n_list);
    if (rc == 0)
        rc = emit_listed(&l, both, err);
    if (rc == 0 && w->format)
        rc = take_listed(&l, err);
    for (unsigned i = 0; i < OUTPUT_STREAMS; i++)
        mem_free(l.block.out.buf[i]);
    return rc;
}
