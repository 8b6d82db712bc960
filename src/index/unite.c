/* unite.c - collections as runs and chunks, which indexing makes one of.
 *
 * Cost.  A dictionary is copied to a temporary file in byte order, forward
 * lists and names go where the memory or that file has room, and come back
 * translated.  Everything passes the collection's checks on its way, and a
 * term's df is counted: both views must agree, or the numbering is wrong.
 */
#include "index/unite.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"
#include "index/build.h"

#define CHUNK_BYTES ((uint64_t)1 << 20)
#define CHUNK_DOCS 65536u
#define WRITE_AT ((size_t)1 << 18)

struct uniting {
    const struct gather_job *job;
    struct gathered *g;
    struct cooc_index_report *report;
    int fd;              /* g->fds[0] */
    uint64_t end;        /* of that file */
    uint64_t kept;       /* bytes of chunks in memory */
    uint32_t *df;        /* of the collection at hand */
    size_t df_cap;
    struct buf lens, name_lens, names, ids; /* of a chunk */
};

/* ---- documents ---------------------------------------------------------- */

static int add_document(struct uniting *u, const struct collection *c,
                        uint32_t d, struct cooc_err *err)
{
    const uint32_t *terms = NULL;
    const char *name = NULL;
    uint64_t n = 0;
    size_t len = 0;
    uint32_t n32, len32;
    int rc = collection_doc(c, d, &terms, &n, err);

    if (rc == 0)
        rc = collection_doc_name(c, d, &name, &len, err);
    if (rc == 0 && len > UINT32_MAX)
        rc = err_set(err, COOC_EFORMAT, "%s: the name of document %u is "
                     "longer than 4 GB", blob_path(c->files[FILE_DOCS]), d);
    if (rc < 0)
        return rc;
    n32 = (uint32_t)n; /* terms are fewer than 2^32, and ascend */
    len32 = (uint32_t)len;
    for (uint64_t i = 0; i < n; i++)
        u->df[terms[i]]++;
    rc = buf_add(&u->lens, &n32, sizeof n32, err);
    if (rc == 0)
        rc = buf_add(&u->name_lens, &len32, sizeof len32, err);
    if (rc == 0)
        rc = buf_add(&u->ids, terms, n * sizeof *terms, err);
    return rc < 0 ? rc : buf_add(&u->names, name, len, err);
}

/* Write the chunk to the file, or leave it in memory. */
static int keep_chunk(struct uniting *u, struct chunk *c,
                      struct cooc_err *err)
{
    struct gathered *g = u->g;
    int rc = array_grow(&g->chunks, &g->chunks_cap, g->n_chunks + 1,
                        sizeof *g->chunks, err);

    if (rc == 0 && u->kept + c->len > u->job->memory / 6) {
        rc = file_write(u->fd, c->data.data, c->len, u->job->tmpdir, err);
        c->fd = u->fd;
        c->off = u->end;
        u->end += c->len;
        u->report->spilled_bytes += c->len;
        buf_release(&c->data);
    }
    if (rc < 0)
        return rc;
    u->kept += c->data.cap;
    g->chunks[g->n_chunks++] = *c;
    return 0;
}

static int end_chunk(struct uniting *u, uint32_t run, uint32_t n_docs,
                     struct cooc_err *err)
{
    struct chunk c = { .seq = u->g->n_chunks, .run = run, .n_docs = n_docs,
                       .n_ids = u->ids.len / sizeof(uint32_t), .fd = -1 };
    struct buf *parts[] = { &u->lens, &u->name_lens, &u->ids, &u->names };
    int rc = 0;

    for (size_t i = 0; i < 4; i++)
        c.len += parts[i]->len;
    rc = buf_reserve(&c.data, c.len, err);
    for (size_t i = 0; i < 4; i++) {
        if (rc == 0)
            rc = buf_add(&c.data, parts[i]->data, parts[i]->len, err);
        parts[i]->len = 0;
    }
    if (rc == 0)
        rc = keep_chunk(u, &c, err);
    if (rc < 0)
        buf_release(&c.data);
    return rc < 0 ? rc : watch_add(u->job->watch, n_docs, n_docs, 0, err);
}

static int add_documents(struct uniting *u, const struct collection *c,
                         uint32_t run, struct cooc_err *err)
{
    uint64_t want = u->job->memory / 64;
    uint32_t first = 0;
    int rc = 0;

    want = want < CHUNK_BYTES ? want : CHUNK_BYTES;
    if (u->report->documents + c->n_docs >= UINT32_MAX)
        return err_set(err, COOC_ELIMIT, "more than 2^32 documents");
    for (uint32_t d = 0; d < c->n_docs && rc == 0; d++) {
        rc = add_document(u, c, d, err);
        if (rc == 0 && (d + 1 == c->n_docs || d + 1 - first == CHUNK_DOCS ||
                        u->ids.len + u->names.len >= want)) {
            rc = end_chunk(u, run, d + 1 - first, err);
            blob_forget(c->files[FILE_FORWARD], UINT64_MAX);
            first = d + 1;
        }
    }
    u->report->documents += c->n_docs;
    return rc;
}

/* ---- terms -------------------------------------------------------------- */

/* The term that stands at that place of the byte order. */
static int add_term(struct uniting *u, const struct collection *c,
                    uint32_t at, struct buf *out, struct cooc_err *err)
{
    const char *name = NULL;
    uint32_t head[3] = { 0 };
    uint64_t df = 0;
    size_t len = 0;
    int rc = collection_sorted(c, at, &head[0], err);

    if (rc == 0)
        rc = collection_term(c, head[0], &name, &len, err);
    if (rc == 0)
        rc = collection_df(c, head[0], &df, err);
    if (rc < 0)
        return rc;
    if (df != u->df[head[0]] || len > UINT32_MAX)
        return err_set(err, COOC_EFORMAT,
                       "%s: it and %s do not agree on term %u",
                       blob_path(c->files[FILE_INVERTED_OFF]),
                       blob_path(c->files[FILE_FORWARD]), head[0]);
    head[1] = (uint32_t)df;
    head[2] = (uint32_t)len;
    rc = buf_add(out, head, sizeof head, err);
    return rc < 0 ? rc : buf_add(out, name, len, err);
}

/* Terms must ascend: then they differ, and so do their ids. */
static bool ascends(const struct buf *last, const char *name, size_t len)
{
    size_t n = last->len < len ? last->len : len;
    int c = n ? memcmp(last->data, name, n) : 0;

    return c ? c < 0 : last->len < len;
}

static int check_order(struct buf *last, const struct collection *c,
                       const struct buf *out, size_t at, bool first,
                       struct cooc_err *err)
{
    const char *name = out->data + at + 3 * sizeof(uint32_t);
    size_t len = out->len - at - 3 * sizeof(uint32_t);

    if (!first && !ascends(last, name, len))
        return err_set(err, COOC_EFORMAT, "%s: its terms are out of order",
                       blob_path(c->files[FILE_TERMS_SORT]));
    last->len = 0;
    return buf_add(last, name, len, err);
}

static int add_terms(struct uniting *u, const struct collection *c,
                     struct run *run, struct cooc_err *err)
{
    struct buf out = { 0 }, last = { 0 };
    int rc = 0;

    *run = (struct run){ .fd = u->fd, .off = u->end, .n = c->n_terms };
    for (uint32_t i = 0; i < c->n_terms && rc == 0; i++) {
        size_t at = out.len;

        rc = add_term(u, c, i, &out, err);
        if (rc == 0)
            rc = check_order(&last, c, &out, at, i == 0, err);
        if (rc == 0 && (out.len >= WRITE_AT || i + 1 == c->n_terms)) {
            rc = file_write(u->fd, out.data, out.len, u->job->tmpdir, err);
            u->end += out.len;
            run->len += out.len;
            u->report->spilled_bytes += out.len;
            out.len = 0;
            if (rc == 0)
                rc = watch_add(u->job->watch, 0, 0, 0, err);
        }
    }
    buf_release(&out);
    buf_release(&last);
    return rc;
}

/* ---- all together ------------------------------------------------------- */

static int add_collection(struct uniting *u, const struct collection *c,
                          uint32_t run, struct cooc_err *err)
{
    int rc = array_grow(&u->df, &u->df_cap, c->n_terms, sizeof *u->df, err);

    if (rc < 0)
        return rc;
    if (c->n_terms)
        memset(u->df, 0, c->n_terms * sizeof *u->df);
    rc = add_documents(u, c, run, err);
    return rc < 0 ? rc : add_terms(u, c, &u->g->runs[run], err);
}

static int begin(struct uniting *u, size_t n, struct cooc_err *err)
{
    struct gathered *g = u->g;

    g->runs = mem_zarray(n, sizeof *g->runs);
    g->fds = mem_array(1, sizeof *g->fds);
    if (!g->runs || !g->fds)
        return err_nomem(err);
    g->n_runs = g->runs_cap = n;
    g->fds[0] = -1;
    g->n_fds = 1;
    return file_temp(&g->fds[0], u->job->tmpdir, err);
}

/* The lists of the first collection, which are those of all. */
static int copy_list(const struct collection *c, enum collection_file f,
                     const char *dir, struct blob_id *id,
                     struct cooc_err *err)
{
    struct blob_writer *w = NULL;
    uint64_t len = blob_size(c->files[f]);
    const void *p = NULL;
    int rc = blob_get(c->files[f], 0, len, &p, err);

    if (rc == 0)
        rc = collection_create(&w, dir, f, err);
    if (rc == 0)
        rc = blob_write(w, p, len, err);
    if (rc == 0)
        rc = blob_commit(w, id, err);
    blob_writer_free(w);
    return rc;
}

static int gather_all(struct uniting *u, const struct unite_source *from,
                      const char *dir, struct blob_id *ids,
                      struct cooc_err *err)
{
    int rc = begin(u, from->n, err);

    for (size_t i = 0; i < from->n && rc == 0; i++) {
        const struct collection *c = NULL;

        u->fd = u->g->fds[0];
        rc = from->open(from->self, i, &c, err);
        if (rc == 0 && i == 0)
            rc = copy_list(c, FILE_STOP, dir, &ids[FILE_STOP], err);
        if (rc == 0 && i == 0)
            rc = copy_list(c, FILE_THESAURUS, dir, &ids[FILE_THESAURUS],
                           err);
        if (rc == 0)
            rc = add_collection(u, c, (uint32_t)i, err);
    }
    mem_free(u->df);
    buf_release(&u->lens);
    buf_release(&u->name_lens);
    buf_release(&u->names);
    buf_release(&u->ids);
    return rc;
}

int index_unite(const struct unite_source *from, const char *dir,
                const struct gather_job *job, struct blob_id *ids,
                struct ordering *maps, struct cooc_index_report *report,
                struct cooc_err *err)
{
    const struct term_filter all = { 0 };
    struct gathered g = { 0 };
    struct uniting u = { .job = job, .g = &g, .report = report };
    double start = clock_seconds();
    int rc;

    *maps = (struct ordering){ 0 };
    rc = gather_all(&u, from, dir, ids, err);
    report->seconds_read = clock_seconds() - start;
    if (rc == 0)
        rc = index_write(&g, dir, job, &all, ids, maps, report, err);
    gathered_release(&g);
    return rc;
}
