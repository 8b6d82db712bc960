/* exam.c - the queries. */
#include "exam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

struct asked {
    const struct exam *e;
    struct cooc *db;
    unsigned who;
    uint32_t x, y;
    uint64_t hash;
    struct cooc_err err;
};

static void mix(struct asked *a, const void *data, size_t len)
{
    a->hash = XXH3_64bits_withSeed(data, len, a->hash + 1);
}

static void mix_number(struct asked *a, uint64_t v)
{
    mix(a, &v, sizeof v);
}

static void mix_ids(struct asked *a, int rc, const uint32_t *ids, uint64_t n)
{
    if (rc == 0)
        mix(a, ids, n * sizeof *ids);
}

static void mix_hits(struct asked *a, int rc, const struct cooc_hit *hits,
                     size_t n)
{
    for (size_t i = 0; i < n && rc == 0; i++) {
        mix_number(a, hits[i].pair.x);
        mix_number(a, hits[i].pair.y);
        mix_number(a, hits[i].pair.count);
        mix_number(a, hits[i].pair.fx);
        mix_number(a, hits[i].pair.fy);
        mix(a, &hits[i].score, sizeof hits[i].score);
    }
}

static struct cooc_rank_options rank_by(const struct asked *a, const char *by)
{
    struct cooc_rank_options c = COOC_RANK_OPTIONS;

    cooc_measure_find(by, &c.scoring.measure, NULL);
    c.limit = COOC_ALL;
    c.threads = a->e->threads;
    return c;
}

/* ---- the store ----------------------------------------------------------- */

static int ask_info(struct asked *a)
{
    struct cooc_info i = COOC_INFO;
    struct cooc_lengths l = COOC_LENGTHS;
    int rc = cooc_info_get(a->db, &i, &a->err);

    if (rc == 0)
        rc = cooc_lengths_get(a->db, &l, &a->err);
    if (rc == 0) {
        const uint64_t v[] = { i.documents, i.terms, i.postings, i.tokens,
                               i.increments, i.counted, i.pairs,
                               i.omitted_df, i.omitted_rows,
                               i.omitted_pairs, i.row_bytes, i.store_bytes,
                               l.shortest, l.longest };

        mix(a, v, sizeof v);
        mix(a, &l.sd, sizeof l.sd);
    }
    return rc;
}

static int ask_manifest(struct asked *a)
{
    const char *text = cooc_manifest(a->db);

    mix(a, text, strlen(text));
    return 0;
}

static int ask_full_bytes(struct asked *a)
{
    uint64_t bytes = 0;
    int rc = cooc_full_bytes(a->db, &bytes, &a->err);

    mix_number(a, rc == 0 ? bytes : 0);
    return rc;
}

static int ask_terms(struct asked *a)
{
    const size_t size = sizeof(struct cooc_term_filter);
    const struct cooc_term_filter filters[] = {
        { .size = size }, { .size = size, .prefix = "w1" },
        { .size = size, .like = "*[0-4]" }, { .size = size, .min_df = 3 },
    };
    uint32_t *ids = NULL;
    size_t n = 0;
    int rc = cooc_terms(a->db, &filters[a->x], &ids, &n, &a->err);

    mix_ids(a, rc, ids, n);
    cooc_free(ids);
    return rc;
}

static int ask_pairs(struct asked *a)
{
    static const char *const by[] = { "count", "llr", "npmi" };
    struct cooc_rank_options c = rank_by(a, by[a->x]);
    struct cooc_hit *hits = NULL;
    size_t n = 0;
    int rc;

    c.limit = a->x == 2 ? 10 : COOC_ALL;
    c.scoring.smoothing = a->x == 2 ? 0.75 : 0;
    rc = cooc_pairs(a->db, &c, &hits, &n, &a->err);
    mix_hits(a, rc, hits, n);
    cooc_free(hits);
    return rc;
}

/* The second question has other norms than the first and the third. */
static int ask_similar(struct asked *a)
{
    struct cooc_similar_options o = COOC_SIMILAR_OPTIONS;
    const uint32_t terms[] = { 0, a->e->terms / 2, a->e->terms - 1 };
    struct cooc_hit *hits = NULL;
    size_t n = 0;
    int rc;

    o.threads = a->e->threads;
    o.limit = a->x == 2 ? 3 : COOC_ALL;
    o.min_df = a->x == 2 ? 2 : 1;
    o.contexts = a->x == 1 ? 5 : COOC_ALL;
    rc = cooc_similar(a->db, terms, a->e->terms ? 3 : 0, &o, &hits, &n,
                      &a->err);
    mix_hits(a, rc, hits, n);
    cooc_free(hits);
    return rc;
}

static int mix_pair(void *self, const struct cooc_pair *p,
                    struct cooc_err *err)
{
    (void)err;
    mix(self, &p->x, sizeof p->x);
    mix(self, &p->y, sizeof p->y);
    mix_number(self, p->count);
    mix_number(self, p->fx * 1000003 + p->fy);
    return 0;
}

static int ask_lists(struct asked *a)
{
    uint32_t ids[8], n = a->e->terms < 8 ? a->e->terms : 8;

    for (uint32_t i = 0; i < n; i++) /* rare and frequent terms */
        ids[i] = i % 2 ? a->e->terms - 1 - i / 2 : i / 2;
    return a->x ? cooc_within(a->db, ids, n, mix_pair, a, &a->err)
                : cooc_between(a->db, ids, n / 2, ids + n / 2, n - n / 2,
                               mix_pair, a, &a->err);
}

static int ask_matrix(struct asked *a)
{
    uint32_t n = a->e->terms;
    uint64_t *starts = calloc((size_t)n + 1, sizeof *starts);
    struct cooc_matrix m = { .size = sizeof m, .n = n, .symmetric = true,
                             .diagonal = true, .starts = starts };
    int rc = cooc_matrix_size(a->db, &m, &a->err);

    if (rc == 0) {
        m.columns = calloc(starts[n] + 1, sizeof *m.columns);
        m.counts = calloc(starts[n] + 1, sizeof *m.counts);
        m.scores = calloc(starts[n] + 1, sizeof *m.scores);
        rc = cooc_matrix_fill(a->db, &m, &a->err);
    }
    if (rc == 0) {
        mix(a, starts, ((size_t)n + 1) * sizeof *starts);
        mix(a, m.columns, starts[n] * sizeof *m.columns);
        mix(a, m.counts, starts[n] * sizeof *m.counts);
        mix(a, m.scores, starts[n] * sizeof *m.scores);
    }
    free(starts);
    free(m.columns);
    free(m.counts);
    free(m.scores);
    return rc;
}

static void mix_file(struct asked *a, const char *path)
{
    FILE *f = *path ? fopen(path, "rb") : NULL;
    char bytes[4096];
    size_t n;

    while (f && (n = fread(bytes, 1, sizeof bytes, f)) > 0)
        mix(a, bytes, n);
    if (f)
        fclose(f);
    if (*path)
        unlink(path);
}

static int ask_export(struct asked *a)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_export_report r = COOC_EXPORT_REPORT;
    char path[256];
    int rc;

    o.format = cooc_export_format_get(a->x, NULL);
    o.threads = a->e->threads;
    snprintf(path, sizeof path, "%s/export-%u", a->e->scratch, a->who);
    rc = cooc_export(a->db, path, &o, &r, &a->err);
    if (rc == 0) {
        mix_number(a, r.pairs);
        mix_number(a, r.bytes);
        mix_file(a, r.file);
        mix_file(a, r.side_file);
    } else if (access(path, F_OK) == 0) {
        unlink(path); /* a file of a failed export */
        return 1;
    }
    return rc;
}

static int ask_unknown(struct asked *a)
{
    static const char *const word[] = { "w1x", "zzzzzz", "two words", "?" };
    uint32_t id;

    return cooc_term_find(a->db, word[a->x], strlen(word[a->x]), &id, &a->err);
}

/* ---- a document ---------------------------------------------------------- */

static int ask_document(struct asked *a)
{
    const char *name = NULL;
    const uint32_t *ids = NULL;
    size_t len = 0;
    uint64_t n = 0;
    int rc = cooc_document_name(a->db, a->x, &name, &len, &a->err);

    if (rc == 0) {
        mix(a, name, len);
        rc = cooc_document_terms(a->db, a->x, &ids, &n, &a->err);
    }
    mix_ids(a, rc, ids, n);
    return rc;
}

/* ---- a term -------------------------------------------------------------- */

static int ask_name(struct asked *a)
{
    const char *name = NULL;
    size_t len = 0;
    int rc = cooc_term_name(a->db, a->x, &name, &len, &a->err);

    if (rc == 0)
        mix(a, name, len);
    return rc;
}

static int ask_find(struct asked *a)
{
    uint32_t id = 0;
    bool found = false;
    const char *name = a->e->names[a->x];
    size_t len = a->e->name_lens[a->x];
    int rc = a->x % 2 ? cooc_term_find(a->db, name, len, &id, &a->err)
                      : cooc_term_lookup(a->db, name, len, &id, &found,
                                         &a->err);

    mix_number(a, rc == 0 ? id * 2 + found : 0);
    return rc;
}

static int ask_df(struct asked *a)
{
    const uint32_t *ids = NULL;
    uint64_t df = 0, n = 0;
    int rc = cooc_term_df(a->db, a->x, &df, &a->err);

    mix_number(a, rc == 0 ? df : 0);
    if (rc == 0)
        rc = cooc_term_documents(a->db, a->x, &ids, &n, &a->err);
    mix_ids(a, rc, ids, n);
    return rc;
}

static int ask_top(struct asked *a)
{
    struct cooc_rank_options c = rank_by(a, a->x % 2 ? "llr" : "count");
    const uint32_t both[] = { a->x, (a->x + 1) % a->e->terms };
    struct cooc_hit *hits = NULL;
    size_t n = 0;
    int rc = cooc_top(a->db, both, 1 + a->x / 2 % 2,
                      a->x / 4 % 2 ? COOC_MATCH_ANY : COOC_MATCH_ALL, &c, &hits,
                      &n, &a->err);

    mix_hits(a, rc, hits, n);
    cooc_free(hits);
    return rc;
}

static void mix_entries(struct asked *a, const struct cooc_entry *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mix_number(a, (uint64_t)e[i].term << 32 | e[i].count);
}

static int ask_row(struct asked *a)
{
    struct cooc_entry *row = NULL;
    size_t n = 0;
    int rc = cooc_row(a->db, a->x, &row, &n, &a->err);

    if (rc == 0)
        mix_entries(a, row, n);
    cooc_free(row);
    return rc;
}

static int ask_stored_row(struct asked *a)
{
    struct cooc_rows *rows = NULL;
    const struct cooc_entry *e = NULL;
    uint32_t term = 0;
    size_t n = 0;
    int rc = cooc_rows_open(&rows, a->db, a->x, a->x + 1, &a->err);

    if (rc == 0)
        rc = cooc_rows_next(rows, &term, &e, &n, &a->err);
    if (rc > 0)
        mix_entries(a, e, n);
    cooc_rows_close(rows);
    return rc > 0 ? 0 : rc;
}

/* ---- two terms ----------------------------------------------------------- */

static int ask_pair(struct asked *a)
{
    struct cooc_pair p;
    int rc = cooc_pair_get(a->db, a->x, a->y, &p, &a->err);

    return rc < 0 ? rc : mix_pair(a, &p, NULL);
}

static int mix_docs(struct asked *a, enum cooc_match match)
{
    const uint32_t both[] = { a->x, a->y };
    uint32_t *docs = NULL;
    size_t n = 0;
    int rc = cooc_docs(a->db, both, 2, match, &docs, &n, &a->err);

    mix_ids(a, rc, docs, n);
    cooc_free(docs);
    return rc;
}

static int ask_docs(struct asked *a)
{
    return mix_docs(a, COOC_MATCH_ALL);
}

static int ask_docs_of_any(struct asked *a)
{
    return mix_docs(a, COOC_MATCH_ANY);
}

/* ---- all queries --------------------------------------------------------- */

enum { DOCUMENT = 100, TERM, TWO_TERMS, FORMAT }; /* or a number */

static const struct kind {
    const char *name;
    int each;
    int (*ask)(struct asked *a);
} kinds[] = {
    { "info", 1, ask_info },         { "manifest", 1, ask_manifest },
    { "full bytes", 1, ask_full_bytes },
    { "terms", 4, ask_terms },       { "pairs", 3, ask_pairs },
    { "similar", 3, ask_similar },
    { "lists", 2, ask_lists },       { "matrix", 1, ask_matrix },
    { "export", FORMAT, ask_export }, { "unknown", 4, ask_unknown },
    { "document", DOCUMENT, ask_document },
    { "name", TERM, ask_name },      { "find", TERM, ask_find },
    { "df", TERM, ask_df },          { "top", TERM, ask_top },
    { "row", TERM, ask_row },        { "stored row", TERM, ask_stored_row },
    { "pair", TWO_TERMS, ask_pair }, { "docs", TWO_TERMS, ask_docs },
    { "docs of any", TWO_TERMS, ask_docs_of_any },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static size_t times(const struct exam *e, const struct kind *k)
{
    size_t formats = 0;

    switch (k->each) {
    case DOCUMENT:
        return e->documents;
    case TERM:
        return e->terms;
    case TWO_TERMS:
        return (size_t)e->paired * e->paired;
    case FORMAT:
        while (cooc_export_format_get((unsigned)formats, NULL))
            formats++;
        return e->all_formats ? formats : 1;
    default:
        return (size_t)k->each;
    }
}

size_t exam_count(const struct exam *e)
{
    size_t n = 0;

    for (int i = 0; i < KINDS; i++)
        n += times(e, &kinds[i]);
    return n;
}

static const struct kind *find_kind(const struct exam *e, size_t q,
                                    uint32_t *x, uint32_t *y)
{
    const struct kind *k = kinds;

    for (size_t n; q >= (n = times(e, k)); k++)
        q -= n;
    *x = (uint32_t)q;
    *y = 0;
    if (k->each == TWO_TERMS) {
        *x = (uint32_t)(q / e->paired * e->terms / e->paired);
        *y = (uint32_t)(q % e->paired * e->terms / e->paired);
    }
    return k;
}

struct exam_answer exam_ask(const struct exam *e, struct cooc *db, size_t q,
                            unsigned who)
{
    struct asked a = { .e = e, .db = db, .who = who };
    const struct kind *k = find_kind(e, q, &a.x, &a.y);
    int rc = k->ask(&a);

    if (rc == COOC_ENOTFOUND || rc == COOC_EINVAL) /* also an answer */
        mix(&a, a.err.text, strlen(a.err.text));
    else if (rc != 0)
        a.hash = 0;
    return (struct exam_answer){ rc, a.hash };
}

void exam_describe(const struct exam *e, size_t q, char *out, size_t size)
{
    uint32_t x, y;
    const struct kind *k = find_kind(e, q, &x, &y);

    snprintf(out, size, "%s %u %u", k->name, x, y);
}
