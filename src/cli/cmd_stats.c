/* cmd_stats.c - "cooc stats": a collection in numbers.
 *
 * The facts are those of table 1 of Billerbeck et al., arXiv 2007.08709,
 * and then what stands out: frequent terms, the most frequent pair, long
 * documents.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/fail.h"
#include "cli/report.h"
#include "cli/shared.h"

struct longest {
    uint64_t length;
    uint32_t doc;
};

static void print_facts(struct out *o, const struct cooc_info *info,
                        const char *rules, uint64_t full_bytes)
{
    out_count(o, "documents", info->documents);
    out_real(o, "average length", info->mean_length, 1);
    out_count(o, "minimum length", info->shortest);
    out_count(o, "maximum length", info->longest);
    out_real(o, "standard deviation", info->sd_length, 1);
    out_count(o, "tokens", info->tokens);
    out_count(o, "postings", info->postings);
    out_count(o, "vocabulary", info->terms);
    out_count(o, "increments", info->increments);
    if (info->counted) {
        out_count(o, "distinct pairs", info->pairs);
        report_rows(o, info->left_out_df, info->left_out_rows,
                    info->left_out_pairs);
        out_count(o, "bytes of pairs", info->row_bytes);
        out_real(o, "bytes a pair",
                 ratio((double)info->row_bytes, (double)info->pairs), 3);
        if (info->rows == COOC_ROWS_COSTLY)
            out_count(o, "estimated bytes in full", full_bytes);
    }
    out_count(o, "bytes on disk", info->store_bytes);
    out_text(o, "rules", rules);
}

static int print_terms(struct out *o, struct cooc *db, uint32_t n,
                       struct cooc_err *err)
{
    static const struct column columns[] = { { "term", 0 }, { "df", 0 } };

    out_list(o, "most frequent terms", columns, 2);
    for (uint32_t t = 0; t < n; t++) {
        const char *name;
        uint64_t df;
        size_t len;
        int rc = cooc_term(db, t, &name, &len, err);

        if (rc == 0)
            rc = cooc_df(db, t, &df, err);
        if (rc < 0)
            return rc;
        const struct cell cells[] = { CELL_TEXT(name, len), CELL_COUNT(df) };
        rc = out_row(o, cells, err);
        if (rc < 0)
            return rc;
    }
    return out_list_end(o, err);
}

static int find_best_pair(struct cooc *db, uint32_t threads,
                          struct cooc_hit **hits, size_t *n,
                          struct cooc_err *err)
{
    struct cooc_choice choice;

    cooc_choice_init(&choice);
    choice.limit = 1;
    choice.threads = threads;
    return cooc_pairs(db, &choice, hits, n, err);
}

/* Longer first; of two as long, the one that came first. */
static bool is_longer(struct longest a, struct longest b)
{
    return a.length != b.length ? a.length > b.length : a.doc < b.doc;
}

static int compare(const void *a, const void *b)
{
    return is_longer(*(const struct longest *)a, *(const struct longest *)b)
               ? -1 : 1;
}

/* Put v at the root of a heap of n, the shortest on top. */
static void sift_down(struct longest *heap, size_t n, struct longest v)
{
    size_t at = 0, child;

    for (; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_longer(heap[child], heap[child + 1]))
            child++;
        if (!is_longer(v, heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = v;
}

/* The n longest of all documents, longest first. */
static int find_longest(struct cooc *db, uint32_t documents,
                        struct longest *heap, size_t n, struct cooc_err *err)
{
    for (size_t i = 0; i < n; i++)
        heap[i] = (struct longest){ 0, UINT32_MAX }; /* shorter than any */
    for (uint32_t d = 0; d < documents; d++) {
        struct longest v = { .doc = d };
        const uint32_t *terms;
        int rc = cooc_document_terms(db, d, &terms, &v.length, err);

        if (rc < 0)
            return rc;
        if (is_longer(v, heap[0]))
            sift_down(heap, n, v);
    }
    qsort(heap, n, sizeof *heap, compare);
    return 0;
}

static int print_longest(struct out *o, struct cooc *db, uint32_t documents,
                         size_t n, struct cooc_err *err)
{
    static const struct column columns[] = { { "document", 0 },
                                             { "terms", 0 } };
    struct longest *heap = calloc(n ? n : 1, sizeof *heap);
    int rc = heap ? 0 : fail_nomem(err);

    if (rc == 0 && n)
        rc = find_longest(db, documents, heap, n, err);
    if (rc == 0)
        out_list(o, "longest documents", columns, 2);
    for (size_t i = 0; i < n && rc == 0; i++) {
        const char *name;
        size_t len;

        rc = cooc_document(db, heap[i].doc, &name, &len, err);
        if (rc < 0)
            break;
        const struct cell cells[] = { CELL_TEXT(name, len),
                                      CELL_COUNT(heap[i].length) };
        rc = out_row(o, cells, err);
    }
    if (rc == 0)
        rc = out_list_end(o, err);
    free(heap);
    return rc;
}

static int print_stats(struct out *o, struct cooc *db, uint32_t n,
                       uint32_t threads, struct cooc_err *err)
{
    struct cooc_info info;
    struct cooc_hit *hits = NULL;
    uint64_t full_bytes = 0;
    size_t n_hits = 0;
    int rc;

    /* What can be refused comes before the first line. */
    rc = cooc_info(db, &info, err);
    if (rc == 0 && info.counted)
        rc = cooc_full_bytes(db, &full_bytes, err);
    if (rc == 0 && info.counted)
        rc = find_best_pair(db, threads, &hits, &n_hits, err);
    if (rc < 0)
        return rc;
    out_open(o);
    print_facts(o, &info, cooc_rules(db), full_bytes);
    rc = print_terms(o, db, (uint32_t)(n < info.terms ? n : info.terms), err);
    if (rc == 0 && info.counted)
        rc = print_pair_hits(o, "most frequent pair", db, cooc_measure(0),
                             hits, n_hits, err);
    if (rc == 0)
        rc = print_longest(o, db, (uint32_t)info.documents,
                           n < info.documents ? n : info.documents, err);
    out_close(o);
    cooc_hits_free(hits);
    return rc;
}

static int run_stats(int argc, char **argv, struct cooc_err *err)
{
    uint32_t n = 10, threads = 0;
    bool json = false, stems = false;
    const struct opt opts[] = {
        OPT_U32('n', "limit", &n, "N", NULL,
                "list N frequent terms and N long documents"),
        OPT_U32('j', "threads", &threads, "N", "every core",
                "use N threads"),
        OPT_STEMS(&stems),
        OPT_FLAG(0, "json", &json, JSON_OBJECT),
        OPT_END
    };
    struct cooc *db = NULL;
    struct out out;
    int rc;

    rc = opt_parse(&argc, &argv, opts, &cmd_stats, 1, 1, err);
    if (rc)
        return rc;
    out_init(&out, stdout, out_form(json));
    rc = open_store(&db, argv[0], stems, err);
    if (rc < 0)
        goto out;
    rc = print_stats(&out, db, n, threads, err);
out:
    out_release(&out);
    cooc_close(db);
    return rc;
}

const struct cmd cmd_stats = {
    .name = "stats", .group = CMD_ASK,
    .args = "[options] NAME.cooc",
    .summary = "describe a collection: sizes, what is frequent or long",
    .details = "A document's length is its number of distinct terms; "
               "postings are the sum of all lengths; increments are the sum "
               "of all counts.  Of a store made with --rows costly, the bytes "
               "that all its pairs would take are estimated from some rows.  "
               "rules lists the versions of cooc's rules and of ICU that made "
               "terms out of the documents; there are several after a merge "
               "with --accept-rules.",
    .examples = "cooc stats news.cooc\n"
                "cooc stats news.cooc --json | jq .distinct_pairs\n",
    .run = run_stats,
};
