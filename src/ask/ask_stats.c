/* ask_stats.c - "stats": the size of a collection.
 *
 * Prints the figures of table 1 of Billerbeck et al., arXiv 2007.08709, and
 * then lists of the most frequent terms, the most frequent pair and the longest
 * documents.
 */
#include <inttypes.h>
#include <stdio.h>

#include "ask/ask.h"
#include "ask/number.h"
#include "ask/rank_args.h"
#include "ask/term_args.h"
#include "base/mem.h"
#include "base/top_k.h"
#include "cooc_bulk.h"

struct stats_args {
    uint32_t limit, threads;
};

static const struct opt options[] = {
    OPT_U32(struct stats_args, limit, 'n', "limit", "N", NULL,
            "list the N most frequent terms and longest documents"),
    OPT_THREADS(struct stats_args, threads, "use N threads"),
    OPT_END
};

static const struct stats_args defaults = { .limit = 10 };

struct facts {
    struct cooc_info info;
    struct cooc_lengths lengths;
};

static const struct field info_fields[] = {
    FIELD_COUNT(struct facts, info.documents, "documents"),
    FIELD_REAL(struct facts, lengths.mean, "average length", 1),
    FIELD_COUNT(struct facts, lengths.shortest, "minimum length"),
    FIELD_COUNT(struct facts, lengths.longest, "maximum length"),
    FIELD_REAL(struct facts, lengths.sd, "standard deviation", 1),
    FIELD_COUNT(struct facts, info.tokens, "tokens"),
    FIELD_COUNT(struct facts, info.postings, "postings"),
    FIELD_COUNT(struct facts, info.terms, "vocabulary"),
    FIELD_COUNT(struct facts, info.increments, "increments"),
    FIELD_END
};

struct longest {
    uint64_t length;
    uint32_t doc;
};

static const struct field longest_fields[] = {
    FIELD_OF(FIELD_KIND_DOCUMENT, uint32_t, struct longest, doc, "document"),
    FIELD_COUNT(struct longest, length, "terms"),
    FIELD_END
};

static const struct field omitted_fields[] = {
    FIELD_COUNT(struct cooc_info, omitted_df, "omitted up to df"),
    FIELD_COUNT(struct cooc_info, omitted_rows, "rows omitted"),
    FIELD_COUNT(struct cooc_info, omitted_pairs, "pairs omitted"),
    FIELD_END
};

double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

void answer_pairs(struct answer *a, const char *label,
                  const struct cooc_info *info)
{
    bool compact = info->omitted_df > 1; /* else only rows that are
                                          * prefixes of documents */

    answer_count(a, label, info->pairs);
    answer_text(a, "rows written", compact ? "compact" : "full");
    if (compact)
        answer_facts(a, omitted_fields, info, NULL);
    answer_count(a, "bytes of pairs", info->row_bytes);
    answer_real(a, "bytes per pair",
                ratio((double)info->row_bytes, (double)info->pairs), 3);
}

static void answer_info(struct answer *a, const struct facts *facts,
                        uint64_t full_bytes)
{
    const struct cooc_info *info = &facts->info;
    char part[NUMBER_MAX];

    answer_facts(a, info_fields, facts, NULL);
    if (info->counted)
        answer_pairs(a, "distinct pairs", info);
    if (info->counted && info->rows == COOC_ROWS_COMPACT)
        answer_count(a, "estimated bytes in full", full_bytes);
    answer_count(a, "bytes on disk", info->store_bytes);
    answer_text(a, "rules", cooc_rule_versions(a->db));
    if (info->phrases)
        answer_count(a, "phrases", info->phrases);
    if (info->parts) {
        snprintf(part, sizeof part, "%" PRIu32 "/%" PRIu32, info->part,
                 info->parts);
        answer_text(a, "part", part);
    }
}

static int answer_terms(struct answer *a, uint64_t n, struct cooc_err *err)
{
    int rc = 0;

    answer_list(a, "most frequent terms", term_fields);
    for (uint32_t t = 0; t < n && rc == 0; t++)
        rc = answer_row(a, &t, err);
    return rc < 0 ? rc : answer_list_end(a, err);
}

/* Longest first; documents of equal length by id. */
static int compare(const void *a, const void *b)
{
    const struct longest *x = a, *y = b;

    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return (x->doc > y->doc) - (x->doc < y->doc);
}

/* List the n longest documents, longest first. */
static int answer_longest(struct answer *a, uint32_t documents, size_t n,
                          struct cooc_err *err)
{
    struct top_k all = { .size = sizeof(struct longest), .compare = compare,
                         .limit = n };
    int rc = 0;

    for (uint32_t d = 0; d < documents && n && rc == 0; d++) {
        struct longest v = { .doc = d };
        const uint32_t *terms;

        rc = cooc_document_terms(a->db, d, &terms, &v.length, err);
        if (rc == 0)
            rc = top_k_add(&all, &v, err);
    }
    top_k_sort(&all);
    if (rc == 0)
        rc = answer_rows(a, "longest documents", longest_fields, all.items,
                         all.size, n, err);
    mem_free(all.items);
    return rc;
}

static int ask(struct answer *a, const struct request *q, struct cooc_err *err)
{
    const struct stats_args *stats = q->args;
    struct cooc_hit *hits = NULL;
    struct facts facts = { COOC_INFO, COOC_LENGTHS };
    const struct cooc_info *info = &facts.info;
    struct cooc_rank_options ranking = COOC_RANK_OPTIONS;
    uint64_t full_bytes = 0;
    size_t n_hits = 0;
    int rc;

    ranking.limit = 1;
    ranking.threads = stats->threads;
    /* Do everything that can fail before the first line is printed. */
    rc = cooc_info_get(a->db, &facts.info, err);
    if (rc == 0)
        rc = cooc_lengths_get(a->db, &facts.lengths, err);
    if (rc == 0 && info->counted)
        rc = cooc_full_bytes(a->db, &full_bytes, err);
    if (rc == 0 && info->counted)
        rc = cooc_pairs(a->db, &ranking, &hits, &n_hits, err);
    if (rc < 0)
        return rc;
    answer_info(a, &facts, full_bytes);
    rc = answer_terms(
        a, stats->limit < info->terms ? stats->limit : info->terms, err);
    if (rc == 0 && info->counted)
        rc = answer_rows(a, "most frequent pair", pair_hit_fields, hits,
                         sizeof *hits, n_hits, err);
    if (rc == 0)
        rc = answer_longest(a, (uint32_t)info->documents,
                            stats->limit < info->documents
                                ? stats->limit
                                : (size_t)info->documents,
                            err);
    cooc_free(hits);
    return rc;
}

const struct question question_stats = {
    .usage = {
        .name = "stats", .min = 1, .max = 1,
        .args = "[options] NAME.cooc",
        .summary = "print a store's size, most frequent terms and longest "
                   "documents",
        .details = "Use this first to see what a store contains and whether "
                   "it is counted.",
        .output = "- length: number of distinct terms in a document\n"
                  "- tokens: number of running words in all documents\n"
                  "- postings: sum of the lengths of all documents\n"
                  "- vocabulary: number of distinct terms\n"
                  "- increments: sum of the counts of all pairs\n"
                  "- distinct pairs: number of pairs that share a document "
                  "(counted stores only)\n"
                  "- estimated bytes in full: size of the pairs with all "
                  "rows stored, estimated from a sample (stores made with "
                  "--rows compact)\n"
                  "- rules: versions of ICU and of cooc's rules for words "
                  "when the documents were read; more than one after a merge "
                  "with --accept-rules\n"
                  "Then come the most frequent terms, the most frequent pair "
                  "and the longest documents.",
        .examples = "cooc stats news.cooc\n"
                    "cooc stats news.cooc --json | jq .distinct_pairs\n",
        .options = options, .size = sizeof(struct stats_args),
        .defaults = &defaults,
    },
    .facts = true,
    .stems = true,
    .ask = ask,
};
