/* generate.c - cooc-generate: write generated documents as a store or as text.
 *
 * The store is byte-identical to the one that "cooc index" makes from the
 * text, but no text is written, read or tokenised: the documents are passed
 * to the writers of the indexer as if they had been ingested (ingest.h).
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "documents.h"
#include "index/build.h"
#include "index/ingest.h"
#include "index/order.h"
#include "index/write.h"
#include "store/manifest.h"
#include "store/settings.h"
#include "store/staging.h"

#define CHUNK_IDS ((uint64_t)1 << 20)
#define MEMORY ((uint64_t)4 << 30) /* bytes, for inverting the lists */

struct options {
    uint32_t documents;
    uint64_t seed;
    bool text, replace;
};

/* ---- as text ------------------------------------------------------------ */

static int doc_spell(uint32_t doc, struct buf *out, struct cooc_err *err)
{
    return buf_printf(out, err, "doc%" PRIu32, doc);
}

static int write_text(const struct options *o, struct cooc_err *err)
{
    struct documents docs;
    struct buf line = { 0 };
    int rc = documents_init(&docs, o->seed, err);

    for (uint32_t i = 0; rc == 0 && i < o->documents; i++) {
        const uint32_t *terms;
        uint32_t n;

        line.len = 0;
        rc = documents_next(&docs, &terms, &n, err);
        if (rc == 0)
            rc = doc_spell(i, &line, err);
        if (rc == 0)
            rc = buf_reserve(&line, (size_t)n * (TERM_NAME_MAX + 1) + 1, err);
        if (rc < 0)
            break;
        for (uint32_t t = 0; t < n; t++) {
            line.data[line.len++] = t ? ' ' : '\t';
            line.len += term_spell(terms[t], line.data + line.len);
        }
        line.data[line.len++] = '\n';
        if (fwrite(line.data, 1, line.len, stdout) != line.len)
            rc = err_sys(err, "cannot write", "standard output");
    }
    if (rc == 0 && fflush(stdout) != 0)
        rc = err_sys(err, "cannot write", "standard output");
    buf_release(&line);
    documents_release(&docs);
    return rc;
}

/* ---- as a store --------------------------------------------------------- */

static int add_document(struct chunk_docs *b, uint32_t doc,
                        const uint32_t *terms, uint32_t n,
                        struct cooc_err *err)
{
    size_t start = b->names.len;
    int rc = doc_spell(doc, &b->names, err);
    uint32_t len = (uint32_t)(b->names.len - start);

    if (rc == 0)
        rc = buf_add(&b->lens, &n, sizeof n, err);
    if (rc == 0)
        rc = buf_add(&b->name_lens, &len, sizeof len, err);
    if (rc == 0)
        rc = buf_add(&b->ids, terms, n * sizeof *terms, err);
    return rc;
}

static int fill_df(void *self, struct name_record *r, struct cooc_err *err)
{
    const struct documents *docs = self;

    (void)err;
    r->number = docs->df[r->id];
    return 1;
}

/* Add the names of all terms: the dictionary for the ids in all chunks. */
static int make_terms(struct ingested *g, struct documents *docs,
                      struct cooc_err *err)
{
    struct sorted_names names = { .n_ids = docs->n_terms };
    struct dict *d = NULL;
    char name[TERM_NAME_MAX];
    uint32_t id;
    int rc = dict_new(&d, err);

    for (uint32_t t = 0; rc == 0 && t < docs->n_terms; t++)
        rc = dict_add(d, name, term_spell(t, name), &id, err);
    if (rc == 0)
        rc = names_write_dict(&names, &g->names_file, d, fill_df, docs, err);
    if (rc == 0)
        rc = ingested_add_names(g, &g->terms, &names, NULL, err);
    dict_free(d);
    return rc;
}

/* Generate all documents in the form in which the indexer ingests them. */
static int make_documents(const struct options *o, struct ingested *g,
                          struct manifest *m, struct cooc_err *err)
{
    struct documents docs;
    struct chunk_docs b = { 0 };
    int rc = documents_init(&docs, o->seed, err);

    while (rc == 0 && docs.n_docs < o->documents) {
        const uint32_t *terms;
        uint32_t n;

        rc = documents_next(&docs, &terms, &n, err);
        if (rc == 0)
            rc = add_document(&b, docs.n_docs - 1, terms, n, err);
        if (rc == 0 && (b.ids.len / sizeof *terms > CHUNK_IDS ||
                        docs.n_docs == o->documents))
            rc = ingested_add_chunk(
                g, (struct chunk){ .seq = g->n_chunks }, &b, err);
        m->increments += (uint64_t)n * (n - 1) / 2;
    }
    m->documents = docs.n_docs;
    m->terms = docs.n_terms;
    m->postings = m->tokens = docs.n_postings;
    if (rc == 0)
        rc = make_terms(g, &docs, err);
    documents_release(&docs);
    chunk_docs_release(&b);
    return rc;
}

static int write_files(const struct options *o, const char *dir,
                       struct manifest *m, struct cooc_err *err)
{
    const struct term_filter all = { 0 };
    struct cooc_index_report report = { .documents = o->documents };
    struct watch watch;
    const struct index_job job = { .dir = dir, .tmpdir = dir,
                                   .threads = pool_cores(), .memory = MEMORY,
                                   .ids = m->files, .report = &report,
                                   .watch = &watch };
    struct ingested g = INGESTED_NONE;
    int rc = ingested_open(&g, &job, err);

    watch_init(&watch, NULL, NULL);
    g.chunk_file.room = UINT64_MAX;
    if (rc == 0)
        rc = make_documents(o, &g, m, err);
    if (rc == 0)
        rc = index_write(&g, &job, &all, NULL, err);
    if (rc == 0)
        rc = write_file(dir, FILE_STOP, "", 0, m->files, err);
    if (rc == 0)
        rc = write_file(dir, FILE_THESAURUS, "", 0, m->files, err);
    ingested_release(&g);
    watch_release(&watch);
    return rc;
}

static int write_store(const struct options *o, const char *store,
                       struct cooc_err *err)
{
    const struct index_rules how = { .mode = TOKENS_WORDS };
    struct cooc_index_options as_indexed = COOC_INDEX_OPTIONS;
    struct manifest m = { 0 };
    struct staging staging;
    int rc = staging_begin(&staging, store, o->replace, err);

    if (rc == 0)
        rc = write_files(o, staging.part.data, &m, err);
    if (rc == 0)
        rc = settings_write(&m, &as_indexed, &how, err);
    if (rc == 0)
        rc = manifest_write(&m, staging.part.data, err);
    if (rc == 0)
        rc = staging_publish(&staging, err);
    staging_release(&staging);
    manifest_release(&m);
    return rc;
}

/* ---- the command line --------------------------------------------------- */

static const char usage[] =
    "Usage: cooc-generate [-n N] [--seed S] [-f] NAME.cooc\n"
    "       cooc-generate [-n N] [--seed S] --text\n"
    "\n"
    "Generate documents with the lengths, terms and pairs of Web pages, and\n"
    "write them as an indexed store, ready for \"cooc count\".\n"
    "\n"
    "  -n, --documents N  generate N documents (default: 100000)\n"
    "      --seed S       seed the random numbers with S (default: 1)\n"
    "      --text         write text to standard output instead, one document\n"
    "                     per line: name, TAB, words\n"
    "  -f, --force        replace an existing store\n"
    "  -h, --help         show this help\n";

static bool parse_number(const char *s, uint64_t max, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(s, &end, 10);
    return *s >= '0' && *s <= '9' && !*end && !errno && *out <= max;
}

/* Returns 0 to continue, or 1 plus the exit status. */
static int parse(int argc, char **argv, struct options *o)
{
    static const struct option names[] = {
        { "documents", required_argument, NULL, 'n' },
        { "seed", required_argument, NULL, 's' },
        { "text", no_argument, NULL, 't' },
        { "force", no_argument, NULL, 'f' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    uint64_t n;
    bool ok = true;
    int c;

    while (ok && (c = getopt_long(argc, argv, "n:fh", names, NULL)) != -1)
        switch (c) {
        case 'n':
            ok = parse_number(optarg, UINT32_MAX - 1, &n);
            o->documents = ok ? (uint32_t)n : 0;
            break;
        case 's': ok = parse_number(optarg, UINT64_MAX, &o->seed); break;
        case 't': o->text = true; break;
        case 'f': o->replace = true; break;
        case 'h': fputs(usage, stdout); return 1;
        default: ok = false;
        }
    if (ok && argc - optind == (o->text ? 0 : 1))
        return 0;
    fputs(usage, stderr);
    return 3;
}

int main(int argc, char **argv)
{
    struct options o = { .documents = 100000, .seed = 1 };
    struct cooc_err err = { 0 };
    int rc = parse(argc, argv, &o);

    if (rc)
        return rc - 1;
    rc = o.text ? write_text(&o, &err) : write_store(&o, argv[optind], &err);
    if (rc < 0)
        fprintf(stderr, "cooc-generate: %s%s\n", err.text,
                !strcmp(err.option, "replace") ? " with --force" : "");
    return rc < 0;
}
