/* store_asks.c - every query on a store, and the expected results by brute
 * force. */
#include "store_asks.h"

#include <math.h>

#include "cooc_bulk.h"
#include "cooc_export.h"
#include "fuzz.h"

#define TERMS 16u /* number of ids to query, including some out of range */

struct asked {
    struct cooc *db;
    uint8_t how;
    bool good;
    uint32_t terms, documents;
    uint32_t counts[TERMS][TERMS]; /* of a good store, from its documents */
};

/* Whether a query succeeded; a good store must not give an error. */
static bool answered(const struct asked *a, int rc,
                     const struct cooc_err *err)
{
    MUST(rc >= 0 || err->text[0]);
    if (rc < 0 && a->good)
        fprintf(stderr, "a good store gives an error: %s\n", err->text);
    MUST(rc >= 0 || !a->good);
    return rc >= 0;
}

static void count_documents(struct asked *a)
{
    const uint32_t *terms;
    struct cooc_err err;
    uint64_t n;

    memset(a->counts, 0, sizeof a->counts);
    for (uint32_t d = 0; d < a->documents; d++) {
        int rc = cooc_document_terms(a->db, d, &terms, &n, &err);

        if (!answered(a, rc, &err))
            return;
        for (uint64_t i = 0; i < n && terms[i] < TERMS; i++)
            for (uint64_t j = 0; j <= i; j++)
                a->counts[terms[i]][terms[j]]++;
    }
}

static void ask_names(struct asked *a, uint32_t id)
{
    struct cooc_err err = { 0 };
    const char *name;
    uint32_t other;
    size_t len;
    bool there = id < a->terms;
    int rc = cooc_term_name(a->db, id, &name, &len, &err);

    MUST(there || rc < 0);
    if (there && answered(a, rc, &err)) {
        MUST(!len || memchr(name, *name, len));
        if (a->how % 16 == 0) /* the first word is slow */
            cooc_term_find(a->db, name, len, &other, &err);
    }
    rc = cooc_document_name(a->db, id, &name, &len, &err);
    MUST(id < a->documents || rc < 0);
    if (id < a->documents && answered(a, rc, &err))
        MUST(!len || memchr(name, *name, len));
}

static void ask_pairs_of(struct asked *a, uint32_t x)
{
    struct cooc_err err = { 0 };
    struct cooc_pair p;
    uint32_t *docs;
    size_t n;

    for (uint32_t y = 0; y <= x; y += a->good ? 1 : 1 + x / 2) {
        int rc = cooc_pair_get(a->db, x, y, &p, &err);

        if (x < a->terms && answered(a, rc, &err) && a->good)
            MUST(p.count == a->counts[x][y]);
        rc = cooc_docs(a->db, (const uint32_t[]){ x, y }, 2, COOC_MATCH_ALL,
                       &docs, &n, &err);
        if (x < a->terms && answered(a, rc, &err) && a->good)
            MUST(n == a->counts[x][y]);
        for (size_t i = 0; rc == 0 && i < n; i++)
            MUST(docs[i] < a->documents && (!i || docs[i] > docs[i - 1]));
        cooc_free(docs);
    }
}

static void ask_row(struct asked *a, uint32_t x)
{
    struct cooc_err err = { 0 };
    struct cooc_entry *row;
    struct cooc_hit *hits;
    size_t n, m = 0;
    int rc = cooc_row(a->db, x, &row, &n, &err);

    if (x < a->terms && answered(a, rc, &err) && a->good) {
        for (uint32_t y = 0; y < TERMS; y++)
            m += y != x && a->counts[x > y ? x : y][x > y ? y : x] > 0;
        MUST(n >= m && (a->terms > TERMS || n == m));
        for (size_t i = 0; i < n; i++)
            MUST(row[i].term >= TERMS || row[i].term == x ||
                 row[i].count == (row[i].term < x
                                      ? a->counts[x][row[i].term]
                                      : a->counts[row[i].term][x]));
    }
    cooc_free(row);
    rc = cooc_top(a->db, &x, 1, COOC_MATCH_ALL, NULL, &hits, &n, &err);
    if (x < a->terms && answered(a, rc, &err))
        for (size_t i = 1; i < n; i++)
            MUST(hits[i].score <= hits[i - 1].score);
    cooc_free(hits);
}

static void ask_rows(struct asked *a)
{
    struct cooc_rows *rows = NULL;
    const struct cooc_entry *e;
    struct cooc_err err = { 0 };
    uint32_t t;
    size_t n;
    int rc = cooc_rows_open(&rows, a->db, 0, a->terms, &err);

    while (answered(a, rc, &err) &&
           (rc = cooc_rows_next(rows, &t, &e, &n, &err)) > 0) {
        MUST(t < a->terms);
        for (size_t i = 0; i < n; i++) {
            MUST(e[i].term < t);
            if (a->good && t < TERMS)
                MUST(e[i].count == a->counts[t][e[i].term]);
        }
    }
    cooc_rows_close(rows);
}

static void ask_all(struct asked *a)
{
    const struct cooc_measure *by = cooc_measure_get(a->how % 20);
    struct cooc_term_filter terms = { .size = sizeof terms,
                                      .min_df = a->how & 1, .limit = 100 };
    const uint32_t both[] = { 0, 2 };
    struct cooc_rank_options options = COOC_RANK_OPTIONS;
    struct cooc_hit *hits;
    struct cooc_err err = { 0 };
    uint32_t *ids;
    size_t n;

    options.threads = 1;
    options.limit = 100;
    options.scoring.measure = by;
    answered(a, cooc_pairs(a->db, &options, &hits, &n, &err), &err);
    cooc_free(hits);
    answered(a, cooc_terms(a->db, &terms, &ids, &n, &err), &err);
    cooc_free(ids);
    if (a->terms > 2) {
        answered(a, cooc_docs(a->db, both, 2, COOC_MATCH_ANY, &ids, &n, &err),
                 &err);
        cooc_free(ids);
        answered(a, cooc_top(a->db, both, 2, COOC_MATCH_ANY, &options, &hits,
                             &n, &err), &err);
        cooc_free(hits);
    }
}

/* The cosine of two rows of counts, from the documents. */
static double cosine_of(const struct asked *a, uint32_t x, uint32_t y)
{
    double dot = 0, squares_x = 0, squares_y = 0;

    for (uint32_t c = 0; c < a->terms; c++) {
        double v = c == x ? 0 : a->counts[c > x ? c : x][c > x ? x : c];
        double u = c == y ? 0 : a->counts[c > y ? c : y][c > y ? y : c];

        dot += v * u;
        squares_x += v * v;
        squares_y += u * u;
    }
    return dot / sqrt(squares_x * squares_y);
}

static void ask_similar(struct asked *a)
{
    const uint32_t terms[] = { 0, a->terms - 1 };
    struct cooc_similar_options o = COOC_SIMILAR_OPTIONS;
    struct cooc_hit *hits;
    struct cooc_err err = { 0 };
    size_t n;
    bool all = a->good && a->terms <= TERMS; /* counts has all contexts */

    if (!a->terms)
        return;
    o.scoring.measure = cooc_measure_get(all ? 0 : a->how % 20);
    o.contexts = all ? COOC_ALL : a->how;
    o.limit = COOC_ALL;
    o.min_df = 1;
    o.threads = 1 + a->how % 2;
    if (!answered(a, cooc_similar(a->db, terms, 2, &o, &hits, &n, &err), &err))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct cooc_pair *p = &hits[i].pair;

        MUST(p->x < a->terms && p->y < a->terms && p->x != p->y);
        MUST(hits[i].score >= -1.001 && hits[i].score <= 1.001);
        MUST(!all || fabs(hits[i].score - cosine_of(a, p->x, p->y)) < 1e-9);
    }
    cooc_free(hits);
}

static int see_pair(void *self, const struct cooc_pair *p,
                    struct cooc_err *err)
{
    const struct asked *a = self;
    uint32_t x = p->x > p->y ? p->x : p->y, y = p->x > p->y ? p->y : p->x;

    (void)err;
    MUST(!a->good || p->count == a->counts[x][y]);
    return 0;
}

/* Query all pairs of the first terms, as a matrix and one by one. */
static void ask_square(struct asked *a)
{
    uint64_t starts[TERMS + 1], dfs[TERMS];
    uint32_t columns[TERMS * TERMS], counts[TERMS * TERMS], ids[TERMS];
    struct cooc_matrix m = { .size = sizeof m,
                             .n = a->terms < TERMS ? a->terms : TERMS,
                             .symmetric = true, .diagonal = true,
                             .starts = starts, .columns = columns,
                             .counts = counts };
    struct cooc_err err = { 0 };

    for (uint32_t i = 0; i < TERMS; i++)
        ids[i] = i;
    answered(a, cooc_within(a->db, ids, m.n, see_pair, a, &err), &err);
    answered(a, cooc_term_dfs(a->db, 0, (uint32_t)m.n, dfs, &err), &err);
    if (!answered(a, cooc_matrix_size(a->db, &m, &err), &err))
        return;
    MUST(starts[m.n] <= m.n * m.n);
    if (!answered(a, cooc_matrix_fill(a->db, &m, &err), &err) || !a->good)
        return;
    for (uint32_t x = 0; x < m.n; x++)
        for (uint64_t i = starts[x]; i < starts[x + 1]; i++)
            MUST(counts[i] == (columns[i] < x ? a->counts[x][columns[i]]
                                              : a->counts[columns[i]][x]));
}

static void ask_export(struct asked *a)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_err err = { 0 };
    char *path = fuzz_path("out");
    unsigned formats = 0;

    while (cooc_export_format_get(formats, NULL))
        formats++;
    o.format = cooc_export_format_get(a->how / 8 % formats, NULL);
    o.threads = 1;
    o.diagonal = a->how & 8 && strcmp(o.format, "ciff") != 0;
    answered(a, cooc_export(a->db, path, &o, NULL, &err), &err);
    free(path);
}

void ask_store(const char *store, uint8_t how, bool good)
{
    struct asked a = { .how = how, .good = good };
    struct cooc_info info = COOC_INFO;
    struct cooc_err err = { 0 };
    uint64_t bytes;
    int rc = cooc_open(&a.db, store, &err);

    if (!answered(&a, rc, &err))
        return;
    answered(&a, cooc_info_get(a.db, &info, &err), &err);
    a.terms = (uint32_t)info.terms;
    a.documents = (uint32_t)info.documents;
    count_documents(&a);
    for (uint32_t x = good ? 0 : how % 3; x < TERMS && x <= a.terms;
         x += good ? 1 : 3) { /* fewer for a bad store, to be faster */
        ask_names(&a, x);
        ask_pairs_of(&a, x);
        ask_row(&a, x);
    }
    ask_rows(&a);
    ask_all(&a);
    ask_similar(&a);
    ask_square(&a);
    answered(&a, cooc_full_bytes(a.db, &bytes, &err), &err);
    if (how % 8 == 1)
        ask_export(&a);
    cooc_close(a.db);
}
