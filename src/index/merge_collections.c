/* merge_collections.c - turn collections into dictionaries and chunks, from
 * which the later stages of indexing build one collection.
 *
 *     for each collection                       in parallel
 *         copy its names, with df, to the spool     a dictionary
 *         divide its documents into ranges          chunks without data
 *     order the terms, write the forward index  (order.c, forward.c)
 *         for each chunk                            in parallel
 *             open its collection, copy and verify the documents
 *
 * Cost.  Names are copied to the spool and read back; forward lists are copied
 * once, when they are translated.  Everything passes the checks of the
 * collection on its way.
 *
 * The df of each term must be the same in the forward and in the inverted
 * index, because the numbering and the filters depend on it.  They are compared
 * by a keyed sum over the postings: r(t) for each posting of t in the forward
 * index, df(t) r(t) for each term, with random numbers r.
 */
#include "index/merge_collections.h"

#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/parallel_sort.h"
#include "base/pool.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "index/build.h"
#include "index/labels.h"
#include "index/term_arrays.h"
#include "index/write.h"

#define CHUNK_BYTES ((uint64_t)1 << 20)
#define CHUNK_DOCS 65536u
#define ASK_EVERY 65536u /* terms */

/* The hash of the name of a document. */
struct named {
    uint64_t hash;
    uint32_t doc;
};

struct merging {
    const struct index_job *job;
    const struct collection_source *from;
    struct ingested g;
    uint64_t key;         /* of the sums */
    atomic_uint_fast64_t *sums; /* by collection: df(t) r(t) minus r(t) of the
                                 * postings so far */
    uint32_t *first_docs; /* by collection: number of documents before it */
    struct named *names;  /* by document, if they must be distinct */
};

/* A random number for term t. */
static inline uint64_t term_number(uint64_t key, uint32_t t)
{
    uint64_t z = (t + key) * 0x9e3779b97f4a7c15u;

    return (z ^ z >> 32) * 0xd6e8feb86659fd93u;
}

/* ---- documents ---------------------------------------------------------- */

/* Copy document d to the end of the four parts of a chunk (struct chunk_docs),
 * and return the sum of its terms in *sum. */
static int copy_document(const struct merging *u, const struct collection *c,
                         uint32_t d, uint32_t **ids, const uint32_t *end,
                         uint64_t *sum, struct cooc_err *err)
{
    const uint32_t *terms = NULL;
    uint64_t n = 0, all = 0;
    int rc = collection_doc(c, d, &terms, &n, err);

    if (rc == 0 && n > (uint64_t)(end - *ids))
        rc = err_path(err, COOC_EBUSY,
                      checked_file_path(c->files[FILE_FORWARD]),
                      "was replaced while it was being merged; try again");
    if (rc < 0)
        return rc;
    if (n)
        memcpy(*ids, terms, n * sizeof *terms);
    *ids += n;
    for (uint64_t i = 0; i < n; i++)
        all += term_number(u->key, terms[i]);
    *sum += all;
    return 0;
}

static int copy_name(struct merging *u, const struct collection *c,
                     uint32_t doc, uint32_t d, char **to, const char *end,
                     uint32_t *len32, struct cooc_err *err)
{
    const char *name = NULL;
    size_t len = 0;
    int rc = collection_doc_name(c, d, &name, &len, err);

    if (rc == 0 && len > (size_t)(end - *to))
        rc = err_path(err, COOC_EBUSY, checked_file_path(c->files[FILE_DOCS]),
                      "was replaced while it was being merged; try again");
    if (rc < 0)
        return rc;
    if (len)
        memcpy(*to, name, len);
    *to += len;
    *len32 = (uint32_t)len;
    if (u->names)
        u->names[doc] = (struct named){ XXH3_64bits(name, len), doc };
    return 0;
}

/* chunk_load_fn: copy and verify the documents of a chunk. */
static int load_chunk(void *self, unsigned worker, const struct chunk *k,
                      void *out, struct cooc_err *err)
{
    struct merging *u = self;
    const struct collection *c = NULL;
    uint32_t *lens = out, *name_lens = lens + k->n_docs;
    uint32_t *ids = name_lens + k->n_docs, *ids_end = ids + k->n_ids;
    char *names = (char *)ids_end, *end = (char *)out + k->bytes;
    uint64_t sum = 0;
    int rc = u->from->open(u->from->self, worker, k->dict, &c, err);

    for (uint32_t i = 0; i < k->n_docs && rc == 0; i++) {
        uint32_t d = k->first_doc + i, *start = ids;

        rc = copy_document(u, c, d, &ids, ids_end, &sum, err);
        lens[i] = (uint32_t)(ids - start); /* fits: ids are ascending */
        if (rc == 0)
            rc = copy_name(u, c, u->first_docs[k->dict] + d, d, &names, end,
                           &name_lens[i], err);
    }
    if (rc < 0)
        return rc;
    checked_file_forget(c->files[FILE_FORWARD], UINT64_MAX);
    atomic_fetch_sub(&u->sums[k->dict], sum);
    return 0;
}

/* Get the n + 1 offsets of an .off file, which must be ascending. */
static int get_offsets(const struct collection *c, enum collection_file f,
                       const uint64_t **off, struct cooc_err *err)
{
    const void *p = NULL;
    int rc = checked_file_get(c->files[f], 0, ((uint64_t)c->n_docs + 1) * 8, &p,
                              err);

    *off = p;
    for (uint32_t d = 0; d < c->n_docs && rc == 0; d++)
        if ((*off)[d + 1] < (*off)[d] ||
            (f == FILE_DOCS_OFF && (*off)[d + 1] - (*off)[d] > UINT32_MAX))
            rc = err_path(err, COOC_EFORMAT, checked_file_path(c->files[f]),
                          "is damaged: the length of document %u is out of "
                          "range", d);
    return rc;
}

/* Divide the documents of collection number i into chunks. */
static int add_chunks(struct merging *u, const struct collection *c, uint32_t i,
                      struct cooc_err *err)
{
    uint64_t want = u->job->memory / 64 / u->job->threads;
    const uint64_t *off = NULL, *names = NULL;
    uint32_t first = 0;
    int rc = get_offsets(c, FILE_FORWARD_OFF, &off, err);

    if (rc == 0)
        rc = get_offsets(c, FILE_DOCS_OFF, &names, err);
    want = want < CHUNK_BYTES ? want : CHUNK_BYTES;
    for (uint32_t d = 0; d < c->n_docs && rc == 0; d++) {
        uint32_t n = d + 1 - first;
        struct chunk k = { .seq = (uint64_t)i << 32 | first, .dict = i,
                           .n_docs = n, .first_doc = first };

        k.n_ids = off[d + 1] - off[first];
        k.bytes = k.n_ids * 4 + names[d + 1] - names[first];
        if (d + 1 < c->n_docs && n < CHUNK_DOCS && k.bytes < want)
            continue;
        k.bytes += 2 * sizeof(uint32_t) * (uint64_t)n;
        rc = ingested_add_chunk_of(&u->g, &k, err);
        first = d + 1;
    }
    return rc;
}

/* ---- terms -------------------------------------------------------------- */

/* Gets the record at a position in the byte order of a collection. */
typedef int (*record_fn)(const struct collection *c, uint32_t at,
                         struct name_record *r, struct cooc_err *err);

static int get_term(const struct collection *c, uint32_t at,
                    struct name_record *r, struct cooc_err *err)
{
    int rc = collection_sorted(c, at, &r->id, err);

    if (rc == 0)
        rc = collection_term(c, r->id, &r->name, &r->len, err);
    return rc < 0 ? rc : collection_df(c, r->id, &r->number, err);
}

static int get_form(const struct collection *c, uint32_t at,
                    struct name_record *r, struct cooc_err *err)
{
    struct form f;
    int rc;

    if (!c->labels) {
        rc = get_term(c, at, r, err);
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

/* Write the n records of a collection to *s, a dictionary.  *sum receives the
 * sum of number r(id). */
static int copy_names(struct merging *u, const struct collection *c,
                      record_fn get, uint32_t n, enum collection_file order,
                      struct sorted_names *s, uint64_t *sum,
                      struct cooc_err *err)
{
    struct names_writer w = NAMES_WRITER(s, &u->g.names_file);
    struct name_record r, last = { 0 };
    struct term_arrays arrays = { 0 };
    uint64_t key, last_key = 0;
    int rc = 0;

    if (get == get_term)
        term_arrays_get(c, &arrays);
    *sum = 0;
    for (uint32_t i = 0; i < n && rc == 0; i++, last = r, last_key = key) {
        if (!arrays.sort || !term_arrays_term(c, &arrays, i, &r))
            rc = get(c, i, &r, err);
        key = rc == 0 ? name_key(r.name, r.len) : 0;
        if (rc == 0 && (r.len > UINT32_MAX ||
                        (i && key <= last_key && !ascends(&last, &r, get))))
            rc = err_path(err, COOC_EFORMAT, checked_file_path(c->files[order]),
                          "is damaged: names are out of order");
        if (rc == 0)
            rc = names_write(&w, &r, err);
        if (rc == 0)
            *sum += r.number * term_number(u->key, r.id);
        if (rc == 0 && i % ASK_EVERY == 0)
            rc = watch_add(u->job->watch, 0, 0, 0, err);
    }
    return names_writer_end(&w, rc, err);
}

/* ---- all together ------------------------------------------------------- */

/* Job: prepare collection i. */
static int add_collection(void *self, unsigned worker, uint64_t i,
                          struct cooc_err *err)
{
    struct merging *u = self;
    const struct collection *c = NULL;
    struct sorted_names s = { 0 }, forms = { 0 };
    uint64_t sum = 0, unused;
    int rc = u->from->open(u->from->self, worker, i, &c, err);

    if (rc < 0)
        return rc;
    s.n_ids = forms.n_ids = c->n_terms;
    forms.owner = (uint32_t)i;
    rc = copy_names(u, c, get_term, c->n_terms, FILE_TERMS_SORT, &s, &sum,
                    err);
    if (rc < 0)
        return rc;
    u->g.terms.items[i] = s;
    atomic_store(&u->sums[i], sum);
    rc = add_chunks(u, c, (uint32_t)i, err);
    if (rc == 0 && u->job->labels) {
        rc = copy_names(u, c, get_form, collection_names(c),
                        c->labels ? FILE_FORMS : FILE_TERMS_SORT, &forms,
                        &unused, err);
        if (rc == 0)
            rc = ingested_add_names(&u->g, &u->g.forms, &forms, NULL, err);
    }
    return rc < 0 ? rc : watch_add(u->job->watch, c->n_docs, c->n_docs, 0, err);
}

/* Copy a list; all collections have the same as the first. */
static int copy_list(const struct collection *c, enum collection_file f,
                     const struct index_job *job, struct cooc_err *err)
{
    uint64_t len = checked_file_size(c->files[f]);
    const void *p = NULL;
    int rc = checked_file_get(c->files[f], 0, len, &p, err);

    return rc < 0 ? rc : write_file(job->dir, f, p, len, job->ids, err);
}

static int copy_lists(const struct merging *u, struct cooc_err *err)
{
    const struct collection *c = NULL;
    int rc = u->from->open(u->from->self, 0, 0, &c, err);

    if (rc == 0)
        rc = copy_list(c, FILE_STOP, u->job, err);
    if (rc == 0)
        rc = copy_list(c, FILE_THESAURUS, u->job, err);
    return rc < 0 || !c->phrases ? rc
                                 : copy_list(c, FILE_PHRASES, u->job, err);
}

/* Compare the df of all terms. */
static int check_sums(const struct merging *u, struct cooc_err *err)
{
    for (size_t i = 0; i < u->from->n; i++) {
        const struct collection *c = NULL;
        int rc;

        if (!atomic_load(&u->sums[i]))
            continue;
        rc = u->from->open(u->from->self, 0, i, &c, err);
        return rc < 0 ? rc
                      : err_path(err, COOC_EFORMAT,
                                 checked_file_path(c->files[FILE_INVERTED_OFF]),
                                 "is damaged: the df of its terms do not match "
                                 "%s", checked_file_path(
                                           c->files[FILE_FORWARD]));
    }
    return 0;
}

static int by_hash(const void *x, const void *y)
{
    const struct named *a = x, *b = y;

    return a->hash != b->hash ? (a->hash > b->hash) - (a->hash < b->hash)
                              : (a->doc > b->doc) - (a->doc < b->doc);
}

/* The document occurs twice. */
static int repeated(const struct merging *u, uint32_t doc,
                    struct cooc_err *err)
{
    const struct collection *c = NULL;
    const char *name;
    size_t i = u->from->n - 1, len;
    int rc;

    while (u->first_docs[i] > doc)
        i--;
    rc = u->from->open(u->from->self, 0, i, &c, err);
    if (rc == 0)
        rc = collection_doc_name(c, doc - u->first_docs[i], &name, &len, err);
    if (rc < 0)
        return rc;
    return err_set(err, COOC_EFORMAT,
                   "document '%.*s' appears again after other documents; sort "
                   "the inputs by the first column, LC_ALL=C sort -s -t $'\\t' "
                   "-k1,1, and index all parts again",
                   len < 100 ? (int)len : 100, name);
}

/* The names of all documents must be distinct.  They are compared by their
 * hashes, as in fmt_triples.c. */
static int check_names(const struct merging *u, struct cooc_err *err)
{
    uint64_t n = u->job->report->documents;
    const struct sort_part all = { u->names, n };
    struct named *sorted = mem_array(n, sizeof *sorted);
    int rc = sorted ? parallel_sort(sorted, &all, 1, sizeof *sorted, by_hash,
                                    u->job->threads, u->job->watch, err)
                    : err_nomem(err);

    for (uint64_t i = 1; i < n && rc == 0; i++)
        if (sorted[i].hash == sorted[i - 1].hash)
            rc = repeated(u, sorted[i].doc, err);
    mem_free(sorted);
    return rc;
}

/* All chunks have been loaded. */
static int check_loaded(void *self, struct cooc_err *err)
{
    const struct merging *u = self;
    int rc = check_sums(u, err);

    return rc == 0 && u->names ? check_names(u, err) : rc;
}

/* Number the documents and allocate what depends on the number of
 * collections. */
static int begin(struct merging *u, struct cooc_err *err)
{
    const struct collection_source *from = u->from;
    uint64_t n = 0;
    int rc = ingested_open(&u->g, u->job, err);

    u->g.load = load_chunk;
    u->g.loaded = check_loaded;
    u->g.source = u;
    u->sums = mem_zarray(from->n, sizeof *u->sums);
    u->first_docs = mem_array(from->n, sizeof *u->first_docs);
    if (rc == 0 && (!u->sums || !u->first_docs))
        rc = err_nomem(err);
    for (size_t i = 0; i < from->n && rc == 0; i++) {
        struct sorted_names none = { 0 };

        u->first_docs[i] = (uint32_t)n;
        n += from->n_docs[i];
        if (n >= UINT32_MAX)
            rc = err_set(err, COOC_ELIMIT,
                         "more than 2^32 documents are not supported");
        if (rc == 0)
            rc = ingested_add_names(&u->g, &u->g.terms, &none, NULL, err);
    }
    u->job->report->documents = n;
    if (rc == 0 && from->distinct) {
        u->names = mem_zarray(n, sizeof *u->names);
        rc = u->names ? 0 : err_nomem(err);
    }
    if (rc == 0 && getentropy(&u->key, sizeof u->key) < 0)
        rc = err_set(err, COOC_EIO, "cannot get random bytes");
    return rc;
}

int index_merge(const struct collection_source *from,
                const struct index_job *job, const struct term_filter *filter,
                struct ordering *maps, struct cooc_err *err)
{
    struct merging u = { .job = job, .from = from, .g = INGESTED_NONE };
    double start = clock_seconds();
    int rc;

    *maps = (struct ordering){ 0 };
    rc = begin(&u, err);
    if (rc == 0)
        rc = copy_lists(&u, err);
    if (rc == 0)
        rc = pool_for(from->n, job->threads, add_collection, &u, err);
    if (rc == 0)
        ingested_sort(&u.g);
    job->report->seconds_read = clock_seconds() - start;
    if (rc == 0)
        rc = index_write(&u.g, job, filter, maps, err);
    ingested_release(&u.g);
    mem_free(u.sums);
    mem_free(u.first_docs);
    mem_free(u.names);
    return rc;
}
