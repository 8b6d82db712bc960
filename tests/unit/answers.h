/* answers.h - the answers of an open store to every query, as lines of text.
 *
 * A query that fails gives the line "error", so two lists of answers of the
 * same store can be compared line by line.
 */
#ifndef COOC_TEST_ANSWERS_H
#define COOC_TEST_ANSWERS_H

#include "cooc_bulk.h"
#include "query/db.h"
#include "rank_tools.h"

#define ASK_TERMS 10u /* ids queried; a small store has fewer terms */

static inline void answer_hits(FILE *out, const char *what, int rc,
                               const struct cooc_hit *hits, size_t n)
{
    if (rc < 0) {
        fprintf(out, "error\n");
        return;
    }
    fprintf(out, "%s", what);
    for (size_t i = 0; i < n; i++)
        fprintf(out, " %u-%u:%llu:%.9g", hits[i].pair.x, hits[i].pair.y,
                (unsigned long long)hits[i].pair.count, hits[i].score);
    fputc('\n', out);
}

static inline void answer_list(FILE *out, const char *what, int rc,
                               const uint32_t *ids, uint64_t n)
{
    if (rc < 0) {
        fprintf(out, "error\n");
        return;
    }
    fprintf(out, "%s", what);
    for (uint64_t i = 0; i < n; i++)
        fprintf(out, " %u", ids[i]);
    fputc('\n', out);
}

static inline void answer_name(FILE *out, int rc, const char *name,
                               size_t len)
{
    if (rc < 0)
        fprintf(out, "error\n");
    else
        fprintf(out, "name %.*s\n", (int)len, name);
}

static inline void answer_rows(FILE *out, struct cooc *db)
{
    for (uint32_t t = 0; t < ASK_TERMS; t++) {
        struct cooc_rows *rows = NULL;
        const struct cooc_entry *e = NULL;
        uint32_t term = 0;
        size_t n = 0;
        int rc = cooc_rows_open(&rows, db, t, t + 1, NULL);

        if (rc == 0)
            rc = cooc_rows_next(rows, &term, &e, &n, NULL);
        if (rc <= 0) {
            fprintf(out, "error\n");
        } else {
            fprintf(out, "row %u:", term);
            for (size_t i = 0; i < n; i++)
                fprintf(out, " %u=%llu", e[i].term,
                        (unsigned long long)e[i].count);
            fputc('\n', out);
        }
        cooc_rows_close(rows);
    }
}

static inline void answer_matrix(FILE *out, struct cooc *db, uint64_t terms)
{
    uint64_t starts[ASK_TERMS + 1] = { 0 };
    uint32_t columns[ASK_TERMS * ASK_TERMS], counts[ASK_TERMS * ASK_TERMS];
    double scores[ASK_TERMS * ASK_TERMS];
    struct cooc_matrix m = { .size = sizeof m,
                             .n = terms < ASK_TERMS ? terms : ASK_TERMS,
                             .symmetric = true, .diagonal = true,
                             .starts = starts, .columns = columns,
                             .counts = counts, .scores = scores };
    int rc = cooc_matrix_size(db, &m, NULL);

    if (rc == 0)
        rc = cooc_matrix_fill(db, &m, NULL);
    fprintf(out, rc < 0 ? "error" : "matrix");
    for (uint64_t i = 0; i < starts[m.n] && rc == 0; i++)
        fprintf(out, " %u=%u:%.9g", columns[i], counts[i], scores[i]);
    fputc('\n', out);
}

static inline void answer_term(FILE *out, struct cooc *db, uint32_t t,
                               bool words)
{
    struct cooc_hit *hits;
    struct cooc_pair p;
    const uint32_t *ids = NULL;
    const char *name = NULL;
    uint32_t *docs, id = 0;
    struct cooc_entry *row;
    uint64_t n64 = 0;
    size_t n = 0, len = 0;
    int rc = cooc_term_name(db, t, &name, &len, NULL);

    answer_name(out, rc, name, len);
    if (rc == 0 && words && cooc_term_find(db, name, len, &id, NULL) == 0)
        fprintf(out, "found %u\n", id);
    else
        fprintf(out, "error\n");
    rc = cooc_term_documents(db, t, &ids, &n64, NULL);
    answer_list(out, "docs of", rc, ids, n64);
    rc = cooc_document_terms(db, t, &ids, &n64, NULL);
    answer_list(out, "terms of", rc, ids, n64);
    rc = cooc_document_name(db, t, &name, &len, NULL);
    answer_name(out, rc, name, len);
    for (int any = 0; any < 2; any++) {
        const struct cooc_rank_options all =
            rank_by(any ? "llr" : "count", 0, COOC_ALL);
        const uint32_t both[] = { t, t + 1 };

        db->row_use = any ? ROW_NEVER : ROW_ALWAYS;
        rc = cooc_top(db, both, any ? 2 : 1, COOC_MATCH_ANY, &all, &hits, &n,
                      NULL);
        answer_hits(out, "top", rc, hits, n);
        cooc_free(hits);
        rc = cooc_row(db, t, &row, &n, NULL);
        fprintf(out, rc < 0 ? "error\n" : "row of %zu\n", n);
        cooc_free(row);
    }
    for (uint32_t u = 0; u < ASK_TERMS; u++) {
        rc = cooc_pair_get(db, t, u, &p, NULL);
        if (rc < 0)
            fprintf(out, "error\n");
        else
            fprintf(out, "pair %u-%u: %llu of %llu %llu %llu\n", t, u,
                    (unsigned long long)p.count, (unsigned long long)p.fx,
                    (unsigned long long)p.fy, (unsigned long long)p.total);
        rc = cooc_docs(db, (const uint32_t[]){ t, u }, 2, COOC_MATCH_ALL,
                       &docs, &n, NULL);
        answer_list(out, "both", rc, docs, n);
        cooc_free(docs);
    }
}

static inline void answer_terms(FILE *out, struct cooc *db, bool words)
{
    static const struct cooc_term_filter filters[] = {
        { 0 }, { .prefix = "a" }, { .like = "*a*" }, { .min_df = 2 },
    };
    const uint32_t both[] = { 0, 1 };
    uint32_t *ids;
    size_t n;

    for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
        struct cooc_term_filter filter = filters[i];
        bool folds = filter.prefix || filter.like;
        int rc;

        filter.size = sizeof filter;
        ids = NULL;
        rc = folds && !words ? -1
                             : cooc_terms(db, &filter, &ids, &n, NULL);
        answer_list(out, "terms", rc, ids, n);
        cooc_free(ids);
    }
    for (int any = 0; any < 2; any++) {
        int rc = cooc_docs(db, both, 2, any ? COOC_MATCH_ANY : COOC_MATCH_ALL,
                           &ids, &n, NULL);

        answer_list(out, "docs", rc, ids, n);
        cooc_free(ids);
    }
}

static inline void answer_similar(FILE *out, struct cooc *db,
                                  unsigned threads)
{
    struct cooc_similar_options o = COOC_SIMILAR_OPTIONS;
    const uint32_t terms[] = { 0, 3 };
    struct cooc_hit *hits;
    size_t n;
    int rc;

    o.min_df = 1;
    o.limit = COOC_ALL;
    o.threads = threads;
    rc = cooc_similar(db, terms, 2, &o, &hits, &n, NULL);
    answer_hits(out, "similar", rc, hits, n);
    cooc_free(hits);
}

/* All answers of the store, or only "error\n" if it cannot be opened.  The
 * first lookup of a word is slow, so words can be left out.  For free(). */
static inline char *ask_everything(const char *store, bool words)
{
    char *text = NULL;
    size_t size = 0, n = 0;
    FILE *out = open_memstream(&text, &size);
    struct cooc_info info = COOC_INFO;
    struct cooc_lengths lengths = COOC_LENGTHS;
    struct cooc_hit *hits;
    struct cooc *db;
    int rc = cooc_open(&db, store, NULL);

    if (rc < 0) {
        fprintf(out, "error\n");
        fclose(out);
        return text;
    }
    if (cooc_info_get(db, &info, NULL) < 0 ||
        cooc_lengths_get(db, &lengths, NULL) < 0)
        fprintf(out, "error\n");
    else
        fprintf(out, "%d %d %d %d %d %d %.9g %.9g\n", (int)info.documents,
                (int)info.terms, (int)info.postings, (int)info.pairs,
                (int)lengths.shortest, (int)lengths.longest, lengths.mean,
                lengths.sd);
    for (uint32_t t = 0; t < ASK_TERMS; t++)
        answer_term(out, db, t, words);
    answer_rows(out, db);
    answer_terms(out, db, words);
    answer_matrix(out, db, info.terms);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct cooc_rank_options all = rank_by("llr", 0, COOC_ALL);

        all.threads = threads;
        rc = cooc_pairs(db, &all, &hits, &n, NULL);
        answer_hits(out, "pairs", rc, hits, n);
        cooc_free(hits);
        answer_similar(out, db, threads);
    }
    fprintf(out, "%d\n", (int)strlen(cooc_manifest(db)));
    cooc_close(db);
    fclose(out);
    return text;
}

/* Whether every line of got equals the line of want, or is "error". */
static inline bool answers_right(const char *got, const char *want)
{
    if (!strcmp(got, "error\n"))
        return true;
    while (*got && *want) {
        size_t n = strcspn(got, "\n") + 1, m = strcspn(want, "\n") + 1;

        if ((n != 6 || strncmp(got, "error\n", 6) != 0) &&
            (n != m || strncmp(got, want, n) != 0))
            return false;
        got += n;
        want += m;
    }
    return !*got && !*want;
}

#endif
