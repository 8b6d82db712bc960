/* merge_collections.c - turn collections into dictionaries and chunks, from
 * which the later stages of indexing build one collection.
 *
 * Cost.  Dictionaries in byte order, forward lists and names are copied to the
 * spool, read back and translated.  Everything passes the checks of the
 * collection on its way.  The df of each term is counted, and must be the same
 * in the forward and the inverted index, because the numbering depends on it.
 */
#include "index/merge_collections.h"

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "index/build.h"
#include "index/labels.h"
#include "index/write.h"

#define CHUNK_BYTES ((uint64_t)1 << 20)
#define CHUNK_DOCS 65536u
#define ASK_EVERY 65536u /* terms */

struct merging {
    const struct index_job *job;
    struct ingested g;
    uint32_t *df; /* by term of the current collection */
    size_t df_cap;
    struct chunk_docs docs;
};

/* ---- documents ---------------------------------------------------------- */

static int add_document(struct merging *u, const struct collection *c,
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
        rc = err_path(err, COOC_EFORMAT, checked_file_path(c->files[FILE_DOCS]),
                      "is damaged: the name of document %u is longer than 4 GB",
                      d);
    if (rc < 0)
        return rc;
    n32 = (uint32_t)n; /* fits: ids are 32 bits and strictly ascending */
    len32 = (uint32_t)len;
    for (uint64_t i = 0; i < n; i++)
        u->df[terms[i]]++;
    rc = buf_add(&u->docs.lens, &n32, sizeof n32, err);
    if (rc == 0)
        rc = buf_add(&u->docs.name_lens, &len32, sizeof len32, err);
    if (rc == 0)
        rc = buf_add(&u->docs.ids, terms, n * sizeof *terms, err);
    return rc < 0 ? rc : buf_add(&u->docs.names, name, len, err);
}

static int add_documents(struct merging *u, const struct collection *c,
                         uint32_t dict, struct cooc_err *err)
{
    struct cooc_index_report *rep = u->job->report;
    uint64_t want = u->job->memory / 64;
    uint32_t first = 0;
    int rc = 0;

    want = want < CHUNK_BYTES ? want : CHUNK_BYTES;
    if (rep->documents + c->n_docs >= UINT32_MAX)
        return err_set(err, COOC_ELIMIT,
                       "more than 2^32 documents are not supported");
    for (uint32_t d = 0; d < c->n_docs && rc == 0; d++) {
        uint32_t n = d + 1 - first;

        rc = add_document(u, c, d, err);
        if (rc < 0 || (d + 1 < c->n_docs && n < CHUNK_DOCS &&
                       u->docs.ids.len + u->docs.names.len < want))
            continue;
        rc = ingested_add_chunk(&u->g,
                                (struct chunk){ .seq = u->g.n_chunks,
                                                .dict = dict },
                                &u->docs, err);
        if (rc == 0)
            rc = watch_add(u->job->watch, n, n, 0, err);
        checked_file_forget(c->files[FILE_FORWARD], UINT64_MAX);
        first = d + 1;
    }
    rep->documents += c->n_docs;
    return rc;
}

/* ---- terms -------------------------------------------------------------- */

/* Gets the record at a position in the byte order of a collection. */
typedef int (*record_fn)(struct merging *u, const struct collection *c,
                         uint32_t at, struct name_record *r,
                         struct cooc_err *err);

static int get_term(struct merging *u, const struct collection *c,
                    uint32_t at, struct name_record *r, struct cooc_err *err)
{
    int rc = collection_sorted(c, at, &r->id, err);

    if (rc == 0)
        rc = collection_term(c, r->id, &r->name, &r->len, err);
    if (rc == 0)
        rc = collection_df(c, r->id, &r->number, err);
    if (rc == 0 && r->number != u->df[r->id])
        rc = err_path(err, COOC_EFORMAT,
                      checked_file_path(c->files[FILE_INVERTED_OFF]),
                      "is damaged: its df of term %u does not match %s", r->id,
                      checked_file_path(c->files[FILE_FORWARD]));
    return rc;
}

static int get_form(struct merging *u, const struct collection *c,
                    uint32_t at, struct name_record *r, struct cooc_err *err)
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
        *r = (struct name_record){ .id = f.term, .number = f.tokens,
                                   .name = f.name, .len = f.len };
    return rc;
}

/* Names must be strictly ascending, which also makes them distinct.  Only a
 * form may be repeated, for another term. */
static bool ascends(const struct name_record *last,
                    const struct name_record *r, record_fn get)
{
    int c = bytes_compare(last->name, last->len, r->name, r->len);

    return c < 0 || (c == 0 && get == get_form && last->id < r->id);
}

/* Append a dictionary with the n records of the collection to list. */
static int copy_names(struct merging *u, const struct collection *c,
                      record_fn get, uint32_t n, enum collection_file order,
                      struct names_list *list, struct cooc_err *err)
{
    struct sorted_names s = { .n_ids = c->n_terms };
    struct names_writer w = NAMES_WRITER(&s, &u->g.names_file);
    struct name_record r, last = { 0 };
    int rc = 0;

    for (uint32_t i = 0; i < n && rc == 0; i++, last = r) {
        rc = get(u, c, i, &r, err);
        if (rc == 0 && (r.len > UINT32_MAX || (i && !ascends(&last, &r, get))))
            rc = err_path(err, COOC_EFORMAT, checked_file_path(c->files[order]),
                          "is damaged: names are out of order");
        if (rc == 0)
            rc = names_write(&w, &r, err);
        if (rc == 0 && i % ASK_EVERY == 0)
            rc = watch_add(u->job->watch, 0, 0, 0, err);
    }
    rc = names_writer_end(&w, rc, err);
    s.owner = (uint32_t)u->g.terms.n - 1; /* the terms have just been added */
    return rc < 0 ? rc : ingested_add_names(&u->g, list, &s, NULL, err);
}

/* ---- all together ------------------------------------------------------- */

static int add_collection(struct merging *u, const struct collection *c,
                          uint32_t dict, struct cooc_err *err)
{
    int rc = array_grow(&u->df, &u->df_cap, c->n_terms, sizeof *u->df, err);

    if (rc < 0)
        return rc;
    if (c->n_terms)
        memset(u->df, 0, c->n_terms * sizeof *u->df);
    rc = add_documents(u, c, dict, err);
    if (rc == 0)
        rc = copy_names(u, c, get_term, c->n_terms, FILE_TERMS_SORT,
                        &u->g.terms, err);
    if (rc == 0 && u->job->labels)
        rc = copy_names(u, c, get_form, collection_names(c),
                        c->labels ? FILE_FORMS : FILE_TERMS_SORT, &u->g.forms,
                        err);
    return rc;
}

/* Copy a stop list or thesaurus; all collections have the same as the first. */
static int copy_list(const struct collection *c, enum collection_file f,
                     const struct index_job *job, struct cooc_err *err)
{
    uint64_t len = checked_file_size(c->files[f]);
    const void *p = NULL;
    int rc = checked_file_get(c->files[f], 0, len, &p, err);

    return rc < 0 ? rc : write_file(job->dir, f, p, len, job->ids, err);
}

static int ingest_all(struct merging *u, const struct collection_source *from,
                      struct cooc_err *err)
{
    int rc = ingested_open(&u->g, u->job, err);

    for (size_t i = 0; i < from->n && rc == 0; i++) {
        const struct collection *c = NULL;

        rc = from->open(from->self, i, &c, err);
        if (rc == 0 && i == 0)
            rc = copy_list(c, FILE_STOP, u->job, err);
        if (rc == 0 && i == 0)
            rc = copy_list(c, FILE_THESAURUS, u->job, err);
        if (rc == 0)
            rc = add_collection(u, c, (uint32_t)i, err);
    }
    mem_free(u->df);
    chunk_docs_release(&u->docs);
    return rc;
}

int index_merge(const struct collection_source *from,
                const struct index_job *job, struct ordering *maps,
                struct cooc_err *err)
{
    const struct term_filter all = { 0 };
    struct merging u = { .job = job, .g = INGESTED_NONE };
    double start = clock_seconds();
    int rc;

    *maps = (struct ordering){ 0 };
    rc = ingest_all(&u, from, err);
    job->report->seconds_read = clock_seconds() - start;
    if (rc == 0)
        rc = index_write(&u.g, job, &all, maps, err);
    ingested_release(&u.g);
    return rc;
}
