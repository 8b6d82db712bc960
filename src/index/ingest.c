/* ingest.c - read and tokenise documents and assign provisional
 * ids, in parallel.
 *
 * The reader is shared: a worker locks it, copies about a megabyte of
 * documents, and processes them alone.  Apart from the reader, only the lists
 * of chunks and dictionaries are shared, so workers rarely wait for each other.
 * The final index does not depend on the number of workers.
 */
#include "index/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "base/dict.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "index/forms.h"
#include "index/term_extractor.h"
#include "read/read.h"
#include "token/token.h"

#define BLOCK_BYTES ((size_t)1 << 20)
#define BLOCK_DOCS 65536u

/* ---- chunks and dictionaries -------------------------------------------- */

static int open_file(struct spool_file *f, const struct index_job *job,
                     uint64_t room, struct cooc_err *err)
{
    int rc = spool_file_open(f, job->tmpdir, err);

    f->fixed_dir = job->fixed_tmpdir;
    f->room = room;
    return rc;
}

int ingested_open(struct ingested *g, const struct index_job *job,
                  struct cooc_err *err)
{
    int rc = open_file(&g->chunk_file, job, job->memory / 8, err);

    return rc < 0 ? rc
                  : open_file(&g->names_file, job, job->memory / 24, err);
}

uint64_t ingested_spilled(const struct ingested *g)
{
    return atomic_load(&g->chunk_file.end) + atomic_load(&g->names_file.end);
}

int ingested_add_chunk_of(struct ingested *g, const struct chunk *c,
                          struct cooc_err *err)
{
    int rc;

    pthread_mutex_lock(&g->lock);
    rc = array_grow(&g->chunks, &g->chunks_cap, g->n_chunks + 1,
                    sizeof *g->chunks, err);
    if (rc == 0)
        g->chunks[g->n_chunks++] = *c;
    pthread_mutex_unlock(&g->lock);
    return rc;
}

static int by_seq(const void *x, const void *y)
{
    const struct chunk *a = x, *b = y;

    return (a->seq > b->seq) - (a->seq < b->seq);
}

void ingested_sort(struct ingested *g)
{
    if (g->n_chunks)
        qsort(g->chunks, g->n_chunks, sizeof *g->chunks, by_seq);
}

int ingested_add_chunk(struct ingested *g, struct chunk c,
                       struct chunk_docs *d, struct cooc_err *err)
{
    struct buf *parts[] = { &d->lens, &d->name_lens, &d->ids, &d->names };
    int rc = 0;

    c.n_docs = (uint32_t)(d->lens.len / sizeof(uint32_t));
    c.n_ids = d->ids.len / sizeof(uint32_t);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == 0; i++) {
        rc = spool_add(&c.data, &g->chunk_file, parts[i]->data,
                       parts[i]->len, err);
        parts[i]->len = 0;
    }
    c.bytes = c.data.len;
    if (rc == 0)
        rc = ingested_add_chunk_of(g, &c, err);
    if (rc < 0)
        spool_drop(&c.data, &g->chunk_file);
    return rc;
}

int ingested_add_names(struct ingested *g, struct names_list *list,
                       struct sorted_names *names, uint32_t *number,
                       struct cooc_err *err)
{
    int rc;

    pthread_mutex_lock(&g->lock);
    rc = array_grow(&list->items, &list->cap, list->n + 1,
                    sizeof *list->items, err);
    if (rc == 0 && number)
        *number = (uint32_t)list->n;
    if (rc == 0)
        list->items[list->n++] = *names;
    pthread_mutex_unlock(&g->lock);
    if (rc < 0)
        sorted_names_release(names, &g->names_file);
    return rc;
}

static void names_list_release(struct names_list *l, struct spool_file *file)
{
    for (size_t i = 0; i < l->n; i++)
        sorted_names_release(&l->items[i], file);
    mem_free(l->items);
}

void ingested_release(struct ingested *g)
{
    spool_file_close(&g->chunk_file); /* first, so that spool_drop() need not
                                       * free space in them */
    spool_file_close(&g->names_file);
    for (size_t i = 0; i < g->n_chunks; i++)
        spool_drop(&g->chunks[i].data, &g->chunk_file);
    names_list_release(&g->terms, &g->names_file);
    names_list_release(&g->forms, &g->names_file);
    mem_free(g->chunks);
    *g = INGESTED_NONE;
}

void chunk_docs_release(struct chunk_docs *d)
{
    buf_release(&d->lens);
    buf_release(&d->name_lens);
    buf_release(&d->ids);
    buf_release(&d->names);
}

/* ---- blocks ------------------------------------------------------------- */

struct shared {
    const struct index_job *job;
    struct ingested *out;
    pthread_mutex_t lock; /* protects the reader and the fields below */
    uint64_t next_seq, documents;
    uint64_t seen_bytes; /* bytes read, as reported to the watch */
    bool done;           /* no more documents, or a worker has failed */
};

/* Some documents of a block come from the same file. */
struct source {
    uint32_t first;  /* document of the block */
    uint64_t entry;  /* see struct document */
    size_t name;     /* where it is in names */
};

struct worker {
    struct shared *sh;
    struct term_extractor red;
    uint32_t dict;              /* number of its current dictionary */
    struct buf text, text_ends; /* of the block; u64 per document */
    struct buf ends, n_ends;    /* struct text_end; u64 per document */
    struct chunk_docs docs;
    struct source *sources; /* ascending by first */
    size_t n_sources, sources_cap;
    struct buf source_names;
    uint32_t n_docs;
    uint64_t seq;
};

/* Note which file the next document of the block is from. */
static int note_source(struct worker *w, const struct document *doc,
                       struct cooc_err *err)
{
    size_t n = w->n_sources;
    int rc;

    if (!doc->file || (n && w->sources[n - 1].entry == doc->entry))
        return 0;
    rc = array_grow(&w->sources, &w->sources_cap, n + 1, sizeof *w->sources,
                    err);
    if (rc < 0)
        return rc;
    w->sources[w->n_sources++] =
        (struct source){ w->n_docs, doc->entry, w->source_names.len };
    return buf_add(&w->source_names, doc->file, strlen(doc->file) + 1, err);
}

/* Report that document i of the block has invalid bytes. */
static int report_invalid(struct worker *w, uint32_t i, uint64_t bytes,
                          struct cooc_err *err)
{
    size_t k = w->n_sources;
    int rc;

    while (k && w->sources[k - 1].first > i)
        k--;
    if (!k--)
        return 0; /* not from a file */
    pthread_mutex_lock(&w->sh->lock);
    rc = reader_add_invalid(w->sh->job->reader, w->sources[k].entry,
                            w->source_names.data + w->sources[k].name, bytes,
                            err);
    pthread_mutex_unlock(&w->sh->lock);
    return rc;
}

/* Copy a block of documents from the reader.  The caller holds the lock.
 * Returns 1 if there were documents, 0 at the end. */
static int take_block(struct worker *w, struct cooc_err *err)
{
    struct shared *sh = w->sh;
    size_t want = BLOCK_BYTES;

    if (want > sh->job->memory / 64 / sh->job->threads)
        want = sh->job->memory / 64 / sh->job->threads;
    w->text.len = w->text_ends.len = w->ends.len = w->n_ends.len = 0;
    w->n_sources = w->source_names.len = 0;
    w->n_docs = 0;
    w->seq = sh->next_seq++;
    while (w->text.len + w->docs.names.len < want && w->n_docs < BLOCK_DOCS) {
        struct document doc;
        uint64_t end, n_ends;
        uint32_t name_len;
        int rc = reader_next(sh->job->reader, &doc, err);

        if (rc == 0) {
            sh->done = true;
            break;
        }
        if (rc > 0 && sh->documents >= UINT32_MAX - 1)
            rc = err_set(err, COOC_ELIMIT,
                         "more than 2^32 documents are not supported");
        if (rc > 0)
            rc = buf_add(&w->text, doc.text, doc.text_len, err);
        end = w->text.len;
        n_ends = doc.n_ends;
        name_len = (uint32_t)doc.name_len;
        if (rc == 0)
            rc = buf_add(&w->text_ends, &end, sizeof end, err);
        if (rc == 0)
            rc = buf_add(&w->n_ends, &n_ends, sizeof n_ends, err);
        if (rc == 0 && n_ends)
            rc = buf_add(&w->ends, doc.ends, n_ends * sizeof *doc.ends, err);
        if (rc == 0)
            rc = buf_add(&w->docs.names, doc.name, name_len, err);
        if (rc == 0)
            rc = buf_add(&w->docs.name_lens, &name_len, sizeof name_len, err);
        if (rc == 0)
            rc = note_source(w, &doc, err);
        if (rc < 0)
            return rc;
        w->n_docs++;
        sh->documents++;
    }
    return w->n_docs > 0;
}

/* Reduce the documents of the block to a chunk. */
static int make_chunk(struct worker *w, struct cooc_err *err)
{
    const uint64_t *ends = (const uint64_t *)(const void *)w->text_ends.data;
    const uint64_t *n_ends = (const uint64_t *)(const void *)w->n_ends.data;
    struct document doc = {
        .ends = (const struct text_end *)(const void *)w->ends.data,
    };
    uint64_t start = 0;
    int rc = buf_reserve(&w->text, 1, err); /* text.data must not be NULL */

    for (uint32_t i = 0; i < w->n_docs && rc == 0; start = ends[i++]) {
        uint64_t invalid = tokeniser_invalid_bytes(w->red.tok);

        doc.text = w->text.data + start;
        doc.text_len = (size_t)(ends[i] - start);
        doc.n_ends = (size_t)n_ends[i];
        rc = term_extractor_add(&w->red, &doc, err);
        if (doc.n_ends)
            doc.ends += doc.n_ends;
        if (rc == 0)
            rc = buf_add(&w->docs.lens, &w->red.doc_terms,
                         sizeof w->red.doc_terms, err);
        invalid = tokeniser_invalid_bytes(w->red.tok) - invalid;
        if (rc == 0 && invalid)
            rc = report_invalid(w, i, invalid, err);
    }
    return rc < 0 ? rc
                  : ingested_add_chunk(w->sh->out,
                                       (struct chunk){ .seq = w->seq,
                                                       .dict = w->dict },
                                       &w->docs, err);
}

/* ---- dictionaries ------------------------------------------------------- */

static int begin_dict(struct worker *w, struct cooc_err *err)
{
    struct sorted_names none = { 0 };

    return ingested_add_names(w->sh->out, &w->sh->out->terms, &none, &w->dict,
                              err);
}

/* Sort the dictionary and hand it over, with its surface forms. */
static int end_dict(struct worker *w, struct cooc_err *err)
{
    struct ingested *g = w->sh->out;
    struct sorted_names s = { .n_ids = dict_size(w->red.terms) };
    int rc = w->red.stems ? forms_ingest(g, &w->red, w->dict, err) : 0;

    if (rc == 0)
        rc = term_extractor_finish(&w->red, err);
    if (rc == 0)
        rc = names_write_dict(&s, &g->names_file, w->red.terms,
                              term_extractor_df, &w->red, err);
    term_extractor_clear(&w->red);
    pthread_mutex_lock(&g->lock);
    g->terms.items[w->dict] = s;
    pthread_mutex_unlock(&g->lock);
    return rc;
}

static bool dict_is_full(const struct worker *w)
{
    return term_extractor_memory(&w->red) >
               w->sh->job->memory / 8 / w->sh->job->threads ||
           w->red.doc > UINT32_MAX - 2 * BLOCK_DOCS;
}

/* ---- workers ------------------------------------------------------------ */

/* Process blocks until there are no more documents. */
static int ingest_blocks(struct worker *w, struct cooc_err *err)
{
    struct shared *sh = w->sh;
    int rc = begin_dict(w, err);

    while (rc == 0) {
        uint64_t bytes = 0;

        if (dict_is_full(w)) {
            rc = end_dict(w, err);
            if (rc == 0)
                rc = begin_dict(w, err);
            if (rc < 0)
                return rc;
        }
        pthread_mutex_lock(&sh->lock);
        rc = sh->done ? 0 : take_block(w, err);
        if (rc > 0) {
            struct reader_stats s = reader_stats(sh->job->reader);

            bytes = s.bytes - s.watched - sh->seen_bytes;
            sh->seen_bytes += bytes;
        }
        sh->done |= rc < 0;
        pthread_mutex_unlock(&sh->lock);
        if (rc <= 0)
            return rc < 0 ? rc : end_dict(w, err);
        rc = make_chunk(w, err);
        if (rc == 0)
            rc = watch_add(sh->job->watch, bytes, w->n_docs, 0, err);
    }
    return rc;
}

static int work(void *self, unsigned number, uint64_t job, struct cooc_err *err)
{
    struct shared *sh = self;
    struct worker w = { .sh = sh };
    struct cooc_err why = { 0 };
    int rc = term_extractor_init(&w.red, sh->job, &w.docs.ids, &why);

    (void)number;
    (void)job;
    if (rc == 0)
        rc = ingest_blocks(&w, &why);
    if (rc < 0) {
        reader_fail(sh->job->reader, rc, &why);
        if (err)
            *err = why;
    }
    pthread_mutex_lock(&sh->lock);
    term_extractor_report(&w.red, sh->job->report);
    sh->done |= rc < 0;
    pthread_mutex_unlock(&sh->lock);
    term_extractor_release(&w.red);
    chunk_docs_release(&w.docs);
    mem_free(w.sources);
    buf_release(&w.source_names);
    buf_release(&w.text);
    buf_release(&w.text_ends);
    buf_release(&w.ends);
    buf_release(&w.n_ends);
    return rc;
}

int ingest(struct ingested *out, const struct index_job *job,
           struct cooc_err *err)
{
    struct shared sh = { .job = job, .out = out,
                         .lock = PTHREAD_MUTEX_INITIALIZER };
    int rc = ingested_open(out, job, err);

    watch_phase(job->watch, "reading", "bytes", 0);
    if (rc == 0)
        rc = pool_for(job->threads, job->threads, work, &sh, err);
    if (rc == 0) {
        ingested_sort(out);
        reader_note_invalid(job->reader);
    }
    job->report->documents = sh.documents;
    return rc;
}
