/* report.c - print the reports of indexing, counting and merging. */
#include "cli/report.h"

#include <string.h>

#include "ask/ask.h"
#include "cli/job_args.h"
#include "cooc_build.h"

static const struct field read_fields[] = {
    FIELD_CHARS(struct cooc_index_report, format, "input format"),
    FIELD_COUNT(struct cooc_index_report, documents, "documents"),
    FIELD_COUNT(struct cooc_index_report, terms, "terms"),
    FIELD_COUNT(struct cooc_index_report, postings, "postings"),
    FIELD_COUNT(struct cooc_index_report, tokens, "tokens"),
    FIELD_END
};

/* What was dropped or changed on the way into the store; zeros are omitted. */
#define LOSS(m, label) FIELD_LOSS(struct cooc_index_report, m, label)
static const struct field loss_fields[] = {
    LOSS(invalid_bytes, "invalid bytes replaced"),
    LOSS(skipped_inputs, "inputs skipped"),
    LOSS(bad_files, "unreadable files skipped"),
    LOSS(bad_records, "unreadable records skipped"),
    LOSS(skipped_stores, "stores skipped"),
    LOSS(phrases, "phrases found"),
    LOSS(dropped_stop, "stop words dropped"),
    LOSS(dropped_short, "short words dropped"),
    LOSS(dropped_long, "long words dropped"),
    LOSS(dropped_numbers, "numbers dropped"),
    LOSS(dropped_thesaurus, "words dropped by the thesaurus"),
    LOSS(merged_thesaurus, "words merged"),
    LOSS(capped_documents, "documents cut"),
    LOSS(capped_tokens, "tokens cut"),
    LOSS(dropped_terms_min_df, "terms below min df"),
    LOSS(dropped_terms_max_df, "terms above max df"),
    LOSS(dropped_terms_list, "terms not listed"),
    LOSS(dropped_terms_top, "terms beyond the top"),
    LOSS(dropped_postings, "postings dropped"),
    LOSS(spilled_bytes, "bytes spilled to disk"),
    FIELD_END
};
#undef LOSS

#define DROPPED(m, label) FIELD_LOSS(struct cooc_merge_report, m, label)
static const struct field merge_fields[] = {
    FIELD_COUNT(struct cooc_merge_report, stores, "stores merged"),
    FIELD_COUNT(struct cooc_merge_report, documents, "documents"),
    FIELD_COUNT(struct cooc_merge_report, terms, "terms"),
    FIELD_COUNT(struct cooc_merge_report, postings, "postings"),
    FIELD_COUNT(struct cooc_merge_report, tokens, "tokens"),
    DROPPED(dropped_terms_min_df, "terms below min df"),
    DROPPED(dropped_terms_max_df, "terms above max df"),
    DROPPED(dropped_terms_list, "terms not listed"),
    DROPPED(dropped_terms_top, "terms beyond the top"),
    DROPPED(dropped_postings, "postings dropped"),
    FIELD_REAL(struct cooc_merge_report, seconds_documents,
               "seconds to merge documents", 2),
    FIELD_END
};
#undef DROPPED

static const struct field part_fields[] = {
    FIELD_COUNT(struct cooc_count_report, memory, "memory"),
    FIELD_COUNT(struct cooc_count_report, shards, "parts"),
    FIELD_COUNT(struct cooc_count_report, shards_done, "parts finished"),
    FIELD_END
};

static const struct field estimate_fields[] = {
    FIELD_COUNT(struct cooc_estimate, shards_kept, "parts kept"),
    FIELD_COUNT(struct cooc_estimate, pairs, "estimated pairs"),
    FIELD_COUNT(struct cooc_estimate, row_bytes, "estimated bytes of pairs"),
    FIELD_END
};

/* How documents were found, for readers who do not know the formats. */
static void report_format(struct answer *a, const char *format)
{
    static const struct {
        const char *name, *text;
    } plain[] = {
        { "files", "files (each file is a document)" },
        { "lines", "lines (each line is a document)" },
    };

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!strcmp(format, plain[i].name))
            format = plain[i].text;
    answer_text(a, "input format", format);
}

static double seconds_to_index(const struct cooc_index_report *r)
{
    return r->seconds_read + r->seconds_order + r->seconds_write;
}

void report_index_brief(struct answer *a, const char *store,
                        const struct cooc_index_report *r)
{
    answer_text(a, "store", store);
    report_format(a, r->format);
    answer_count(a, "documents", r->documents);
    answer_count(a, r->ready_made ? "terms" : "words", r->tokens);
    answer_count(a, r->ready_made ? "different terms" : "different words",
                 r->terms);
}

void report_index(struct answer *a, const char *store,
                  const struct cooc_index_report *r)
{
    double seconds = seconds_to_index(r);

    answer_text(a, "store", store);
    answer_facts(a, read_fields, r, NULL);
    answer_facts(a, loss_fields, r, NULL);
    answer_count(a, "input bytes", r->input_bytes);
    answer_real(a, "seconds to index", seconds, 2);
    answer_real(a, "MB indexed per second",
                ratio((double)r->input_bytes / 1e6, seconds), 1);
    answer_real(a, "documents indexed per second",
                ratio((double)r->documents, seconds), 0);
}

void report_count(struct answer *a, const struct cooc_count_report *r,
                  uint64_t documents)
{
    const struct cooc_info info = {
        .pairs = r->pairs, .omitted_df = r->omitted_df,
        .omitted_rows = r->omitted_rows,
        .omitted_pairs = r->omitted_pairs, .row_bytes = r->row_bytes,
    };

    answer_text(a, "method", r->method ? r->method : "");
    answer_count(a, "threads", r->threads);
    if (r->head_terms)
        answer_count(a, "head terms", r->head_terms);
    if (r->batches) {
        answer_count(a, "batches", r->batches);
        answer_count(a, "temporary bytes", r->temporary_bytes);
    }
    answer_count(a, "increments", r->increments);
    answer_pairs(a, "pairs", &info);
    answer_real(a, "seconds to count", r->seconds, 2);
    if (documents)
        answer_real(a, "documents counted per second",
                    ratio((double)documents, r->seconds), 0);
    answer_real(a, "million increments per second",
                ratio((double)r->increments / 1e6, r->seconds), 1);
}

static void report_merged(struct answer *a, const struct cooc_merge_report *r)
{
    answer_facts(a, merge_fields, r, NULL);
    if (!r->counted)
        return;
    answer_text(a, "pairs from", r->from == COOC_MERGE_DOCUMENTS
                                     ? "documents" : "rows");
    if (r->pairs_read)
        answer_count(a, "pairs added up", r->pairs_read);
    report_count(a, r->count, r->documents);
}

static void report_merge_brief(struct answer *a, const struct job_facts *f)
{
    const struct cooc_merge_report *r = f->merged;

    if (f->indexed)
        answer_count(a, "documents added", f->indexed->documents);
    else
        answer_count(a, "stores merged", r->stores);
    answer_count(a, "documents", r->documents);
    answer_count(a, "different terms", r->terms);
    if (r->counted)
        answer_count(a, "pairs", r->count->pairs);
    answer_real(a, "seconds", r->seconds_documents + r->count->seconds, 2);
}

void report_merge(const struct job_facts *f, const struct job_args *how)
{
    struct answer out;

    answer_init(&out, stdout, out_form(how->json));
    answer_text(&out, "store", f->store);
    if (job_brief(how, &out)) {
        report_merge_brief(&out, f);
        answer_finish(&out);
        suggest_query(f->store, f->merged->counted);
        return;
    }
    if (f->indexed) {
        answer_text(&out, "input format", f->indexed->format);
        answer_count(&out, "documents added", f->indexed->documents);
        answer_facts(&out, loss_fields, f->indexed, NULL);
    }
    report_merged(&out, f->merged);
    answer_finish(&out);
}

static void report_merge_job(struct answer *a, const struct job_facts *f)
{
    answer_text(a, "store", f->store);
    if (f->indexed) {
        answer_count(a, "documents added", f->indexed->documents);
        answer_count(a, "input bytes", f->indexed->input_bytes);
    }
    report_merged(a, f->merged);
    answer_count(a, "bytes to merge documents", f->merged->temporary_bytes);
    answer_count(a, "memory", f->merged->count->memory);
}

void report_job(struct answer *a, const struct job_facts *f)
{
    const struct cooc_count_report *c = f->counted;

    answer_text(a, "command", f->command);
    if (f->merged) {
        report_merge_job(a, f);
        return;
    }
    if (f->indexed) {
        answer_count(a, "threads to index", f->indexed->threads);
        answer_count(a, "memory to index", f->indexed->memory);
        report_index(a, f->store, f->indexed);
    } else {
        answer_text(a, "store", f->store);
    }
    if (!c)
        return;
    answer_text(a, "kernel", c->kernel ? c->kernel : "");
    answer_facts(a, part_fields, c, NULL);
    answer_facts(a, estimate_fields, c->estimate, NULL);
    report_count(a, c, 0);
}
