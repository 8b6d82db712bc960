/* forward.c - translate chunks to final ids and write them, in parallel.
 *
 * A worker takes the next chunk and translates and sorts it.  When it is the
 * turn of the chunk, the number of postings before it is known; then the worker
 * writes it to its place in the files.  Dropped terms are removed here.
 */
#include "base/err.h"
#include "base/id_set.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/turns.h"
#include "base/watch.h"
#include "index/ingest.h"
#include "index/order.h"
#include "index/write.h"

struct forward_job {
    struct ingested *g;
    const struct ordering *o;
    struct files_writer *out;
    struct watch *watch; /* may be NULL */
    struct scratch {
        struct buf data, tmp, off;
        struct id_set set; /* unless it would take too much memory */
    } *scratch; /* by worker */
    struct turns turns;
    struct place {
        uint64_t docs, postings, name_bytes;
    } end; /* of the chunks that had their turn */
};

/* Translate n ids to final ids, ascending, and return their number. */
static uint32_t translate_document(struct scratch *s, const uint32_t *map,
                                   const uint32_t *ids, uint32_t n,
                                   uint32_t *to)
{
    uint32_t kept = 0;

    if (id_set_pays(&s->set, n)) {
        for (uint32_t i = 0; i < n; i++)
            if (map[ids[i]] != TERM_NONE)
                id_set_add(&s->set, map[ids[i]]);
        return (uint32_t)id_set_take(&s->set, to);
    }
    for (uint32_t i = 0; i < n; i++)
        if (map[ids[i]] != TERM_NONE)
            to[kept++] = map[ids[i]];
    sort_u32(to, (uint32_t *)(void *)s->tmp.data, kept);
    return kept;
}

/* Load a chunk and translate it in place: ids become final and ascending,
 * dropped terms are removed, and lens is adjusted. */
static int translate(const struct forward_job *job, unsigned worker,
                     const struct chunk *c, struct scratch *s,
                     struct cooc_err *err)
{
    const struct ingested *g = job->g;
    const uint32_t *map = job->o->maps + job->o->first[c->dict];
    uint32_t *lens, *ids, *to;
    int rc = buf_reserve(&s->data, c->bytes, err);

    if (rc == 0)
        rc = buf_reserve(&s->tmp, c->n_ids * sizeof *ids, err);
    if (rc == 0)
        rc = buf_reserve(&s->off, 2 * sizeof(uint64_t) * c->n_docs, err);
    if (rc == 0)
        rc = g->load ? g->load(g->source, worker, c, s->data.data, err)
                     : spool_load(&c->data, &g->chunk_file, s->data.data, err);
    if (rc < 0)
        return rc;
    lens = (uint32_t *)(void *)s->data.data;
    ids = to = lens + 2 * (size_t)c->n_docs;
    for (uint32_t d = 0; d < c->n_docs; d++) {
        uint32_t n = translate_document(s, map, ids, lens[d], to);

        ids += lens[d];
        to += n;
        lens[d] = n;
    }
    return 0;
}

/* Write a translated chunk at its place; *size is what it adds to the files. */
static int put_chunk(const struct forward_job *job, const struct chunk *c,
                     const struct scratch *s, const struct place *at,
                     const struct place *size, struct cooc_err *err)
{
    const uint32_t *lens = (const uint32_t *)(const void *)s->data.data;
    const uint32_t *name_lens = lens + c->n_docs;
    const uint32_t *ids = name_lens + c->n_docs;
    const char *names = (const char *)(ids + c->n_ids);
    uint64_t *ends = (uint64_t *)(void *)s->off.data;
    uint64_t *name_ends = ends + c->n_docs;
    uint64_t end = at->postings, name_end = at->name_bytes;
    uint64_t off = (at->docs + 1) * sizeof *ends;
    struct placed_file *const *out = job->out->files;
    int rc;

    for (uint32_t d = 0; d < c->n_docs; d++) {
        ends[d] = end += lens[d];
        name_ends[d] = name_end += name_lens[d];
    }
    rc = placed_file_put_u32(out[FILE_FORWARD], at->postings * sizeof *ids,
                             ids, size->postings, err);
    if (rc == 0)
        rc = placed_file_put_u64(out[FILE_FORWARD_OFF], off, ends, c->n_docs,
                                 err);
    if (rc == 0)
        rc = placed_file_put(out[FILE_DOCS], at->name_bytes, names,
                             size->name_bytes, err);
    return rc < 0 ? rc : placed_file_put_u64(out[FILE_DOCS_OFF], off,
                                             name_ends, c->n_docs, err);
}

static struct place size_of(const struct chunk *c, const struct scratch *s)
{
    const uint32_t *lens = (const uint32_t *)(const void *)s->data.data;
    struct place size = { .docs = c->n_docs };

    for (uint32_t d = 0; d < c->n_docs; d++) {
        size.postings += lens[d];
        size.name_bytes += lens[c->n_docs + d];
    }
    return size;
}

static int write_chunk(void *self, unsigned worker, uint64_t i,
                       struct cooc_err *err)
{
    struct forward_job *job = self;
    struct chunk *c = &job->g->chunks[i];
    struct scratch *s = &job->scratch[worker];
    struct place at = { 0 }, size = { 0 };
    int rc = translate(job, worker, c, s, err);
    bool go;

    if (rc == 0)
        size = size_of(c, s);
    go = turns_wait(&job->turns, i) && rc == 0;
    if (go) {
        at = job->end;
        job->end.docs += size.docs;
        job->end.postings += size.postings;
        job->end.name_bytes += size.name_bytes;
    }
    turns_pass(&job->turns, rc);
    if (go)
        rc = put_chunk(job, c, s, &at, &size, err);
    spool_drop(&c->data, &job->g->chunk_file);
    return rc < 0 ? rc : watch_add(job->watch, c->n_docs, 0, 0, err);
}

static int init_scratch(struct forward_job *f, const struct index_job *job,
                        struct cooc_err *err)
{
    uint32_t terms = f->o->n_terms;
    int rc = 0;

    f->scratch = mem_zarray(job->threads, sizeof *f->scratch);
    if (!f->scratch)
        return err_nomem(err);
    if (id_set_memory(terms) > job->memory / 16 / job->threads)
        return 0;
    for (unsigned i = 0; i < job->threads && rc == 0; i++)
        rc = id_set_init(&f->scratch[i].set, terms, err);
    return rc;
}

int write_forward(struct ingested *g, const struct ordering *o,
                  const struct index_job *job, struct files_writer *w,
                  struct cooc_err *err)
{
    struct forward_job f = { .g = g, .o = o, .out = w, .watch = job->watch,
                             .turns = TURNS_INIT };
    int rc = files_writer_open(w, job->dir, FILE_DOCS, FILE_FORWARD_OFF, err);

    if (rc == 0)
        rc = init_scratch(&f, job, err);
    if (rc == 0)
        rc = pool_for(g->n_chunks, job->threads, write_chunk, &f, err);
    for (unsigned i = 0; i < job->threads && f.scratch; i++) {
        buf_release(&f.scratch[i].data);
        buf_release(&f.scratch[i].tmp);
        buf_release(&f.scratch[i].off);
        id_set_release(&f.scratch[i].set);
    }
    mem_free(f.scratch);
    job->report->postings = f.end.postings;
    return rc;
}
