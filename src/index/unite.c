/* unite.c - collections as runs and chunks, which indexing makes one of.
 *
 * Cost.  A dictionary is copied to a temporary file in byte order, forward
 * lists and names go where the memory or that file has room, and come back
 * translated.  Everything passes the collection's checks on its way, and a
 * term's df is counted: both views must agree, or the numbering is wrong.
 */
#include "index/unite.h"

#include <string.h>
#include <xxhash.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"
#include "index/build.h"
#include "index/labels.h"
#include "index/run.h"

#define CHUNK_BYTES ((uint64_t)1 << 20)
#define CHUNK_DOCS 65536u
#define ASK_EVERY 65536u /* terms */

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
        c->hash = XXH3_64bits(c->data.data, c->len);
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

/* A record of the collection at hand, at that place of the byte order. */
struct record {
    const char *name;
    size_t len;
    uint32_t id;
    uint64_t number;
};

static int get_term(struct uniting *u, const struct collection *c,
                    uint32_t at, struct record *r, struct cooc_err *err)
{
    int rc = collection_sorted(c, at, &r->id, err);

    if (rc == 0)
        rc = collection_term(c, r->id, &r->name, &r->len, err);
    if (rc == 0)
        rc = collection_df(c, r->id, &r->number, err);
    if (rc == 0 && r->number != u->df[r->id])
        rc = err_set(err, COOC_EFORMAT,
                     "%s and %s do not agree on the df of term %u",
                     blob_path(c->files[FILE_INVERTED_OFF]),
                     blob_path(c->files[FILE_FORWARD]), r->id);
    return rc;
}

static int get_form(struct uniting *u, const struct collection *c,
                    uint32_t at, struct record *r, struct cooc_err *err)
{
    struct form f;
    int rc;

    if (!c->labels) {
        rc = get_term(u, c, at, r, err);
        r->number = 0;
        return rc;
    }
    rc = collection_form(c, at, &f, err);
    if (rc == 0)
        *r = (struct record){ f.name, f.len, f.term, f.tokens };
    return rc;
}

typedef int (*record_fn)(struct uniting *u, const struct collection *c,
                         uint32_t at, struct record *r, struct cooc_err *err);

/* Names must ascend: then they differ, and terms have ids of their own.  A form
 * may come again, for another term. */
static bool ascends(const struct buf *last, uint32_t last_id,
                    const struct record *r, bool again)
{
    size_t n = last->len < r->len ? last->len : r->len;
    int c = n ? memcmp(last->data, r->name, n) : 0;

    if (c == 0 && last->len == r->len)
        return again && last_id < r->id;
    return c ? c < 0 : last->len < r->len;
}

/* All records of the collection, n of them, as a run. */
static int add_run(struct uniting *u, const struct collection *c,
                   record_fn get, uint32_t n, enum collection_file order,
                   struct run *run, struct cooc_err *err)
{
    struct run_out out = { .run = run, .path = u->job->tmpdir };
    struct buf last = { 0 };
    uint32_t last_id = 0;
    int rc = 0;

    *run = (struct run){ .fd = u->fd, .off = u->end, .n_ids = c->n_terms };
    for (uint32_t i = 0; i < n && rc == 0; i++) {
        struct record r = { 0 };

        rc = get(u, c, i, &r, err);
        if (rc == 0 && (r.len > UINT32_MAX ||
                        (i && !ascends(&last, last_id, &r, get == get_form))))
            rc = err_set(err, COOC_EFORMAT, "%s: names are out of order",
                         blob_path(c->files[order]));
        last.len = 0;
        if (rc == 0)
            rc = buf_add(&last, r.name, r.len, err);
        last_id = r.id;
        if (rc == 0)
            rc = run_out_add(&out, r.id, r.number, r.name, r.len, err);
        if (rc == 0 && i % ASK_EVERY == 0)
            rc = watch_add(u->job->watch, 0, 0, 0, err);
    }
    if (rc == 0)
        rc = run_out_end(&out, err);
    u->end += run->len;
    u->report->spilled_bytes += run->len;
    buf_release(&out.buf);
    buf_release(&last);
    return rc;
}

static int add_forms(struct uniting *u, const struct collection *c,
                     uint32_t owner, struct cooc_err *err)
{
    struct gathered *g = u->g;
    struct run *run;
    int rc = array_grow(&g->forms, &g->forms_cap, g->n_forms + 1,
                        sizeof *g->forms, err);

    if (rc < 0)
        return rc;
    run = &g->forms[g->n_forms];
    rc = add_run(u, c, get_form, collection_names(c),
                 c->labels ? FILE_FORMS : FILE_TERMS_SORT, run, err);
    run->owner = owner;
    g->n_forms += run->n > 0;
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
    if (rc == 0)
        rc = add_run(u, c, get_term, c->n_terms, FILE_TERMS_SORT,
                     &u->g->runs[run], err);
    return rc < 0 || !u->job->labels ? rc : add_forms(u, c, run, err);
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
    struct gathered g = { .stems = job->labels };
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
