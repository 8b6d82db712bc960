/* report.c - what indexing and counting did, as facts. */
#include "cli/report.h"

#include <string.h>

double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* What did not reach the store as it was; said only if it happened. */
static const struct {
    const char *label;
    size_t offset;
} losses[] = {
#define LOSS(label, field) { label, offsetof(struct cooc_index_report, field) }
    LOSS("invalid bytes replaced", invalid_bytes),
    LOSS("inputs skipped", skipped_inputs),
    LOSS("stores skipped", skipped_stores),
    LOSS("stop words dropped", dropped_stop),
    LOSS("short words dropped", dropped_short),
    LOSS("long words dropped", dropped_long),
    LOSS("numbers dropped", dropped_numbers),
    LOSS("words dropped by the thesaurus", dropped_thesaurus),
    LOSS("words merged", merged_thesaurus),
    LOSS("documents cut", capped_documents),
    LOSS("tokens cut", capped_tokens),
    LOSS("terms below min df", dropped_terms_min_df),
    LOSS("terms above max df", dropped_terms_max_df),
    LOSS("terms not listed", dropped_terms_list),
    LOSS("terms beyond the top", dropped_terms_top),
    LOSS("postings dropped", dropped_postings),
    LOSS("bytes spilled to disk", spilled_bytes),
#undef LOSS
};

void report_losses(struct out *o, const struct cooc_index_report *r)
{
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        uint64_t v;

        memcpy(&v, (const char *)r + losses[i].offset, sizeof v);
        if (v)
            out_count(o, losses[i].label, v);
    }
}

void report_index(struct out *o, const char *store,
                  const struct cooc_index_report *r)
{
    double seconds = r->seconds_read + r->seconds_order + r->seconds_write;

    out_text(o, "store", store);
    out_text(o, "input taken for", r->format);
    out_count(o, "documents", r->documents);
    out_count(o, "terms", r->terms);
    out_count(o, "postings", r->postings);
    out_count(o, "tokens", r->tokens);
    report_losses(o, r);
    out_count(o, "input bytes", r->input_bytes);
    out_real(o, "seconds to index", seconds, 2);
    out_real(o, "MB indexed a second",
             ratio((double)r->input_bytes / 1e6, seconds), 1);
    out_real(o, "documents indexed a second",
             ratio((double)r->documents, seconds), 0);
}

void report_rows(struct out *o, uint32_t left_out_df, uint64_t rows,
                 uint64_t pairs)
{
    out_text(o, "rows written", left_out_df > 1 ? "costly" : "all");
    if (left_out_df <= 1)
        return; /* prefixes of documents: they are not missed */
    out_count(o, "left out up to df", left_out_df);
    out_count(o, "rows left out", rows);
    out_count(o, "pairs left out", pairs);
}

void report_count(struct out *o, const struct cooc_count_report *r,
                  uint64_t documents)
{
    out_text(o, "method", r->method ? r->method : "");
    out_count(o, "threads", r->threads);
    if (r->head_terms)
        out_count(o, "head terms", r->head_terms);
    if (r->batches) {
        out_count(o, "batches", r->batches);
        out_count(o, "temporary bytes", r->temporary_bytes);
    }
    out_count(o, "increments", r->increments);
    out_count(o, "pairs", r->pairs);
    report_rows(o, r->left_out_df, r->left_out_rows, r->left_out_pairs);
    out_count(o, "bytes of pairs", r->row_bytes);
    out_real(o, "bytes a pair",
             ratio((double)r->row_bytes, (double)r->pairs), 3);
    out_real(o, "seconds to count", r->seconds, 2);
    if (documents)
        out_real(o, "documents counted a second",
                 ratio((double)documents, r->seconds), 0);
    out_real(o, "million increments a second",
             ratio((double)r->increments / 1e6, r->seconds), 1);
}

void report_run(struct out *o, const void *run_facts)
{
    const struct run_facts *f = run_facts;
    const struct cooc_count_report *c = f->counted;

    out_text(o, "command", f->command);
    if (f->indexed) {
        out_count(o, "threads to index", f->indexed->threads);
        out_count(o, "memory to index", f->indexed->memory);
        report_index(o, f->store, f->indexed);
    } else {
        out_text(o, "store", f->store);
    }
    if (!c)
        return;
    out_text(o, "kernel", c->kernel ? c->kernel : "");
    out_count(o, "memory", c->memory);
    out_count(o, "parts", c->parts);
    out_count(o, "parts finished", c->parts_done);
    out_count(o, "parts kept", c->estimate.parts_kept);
    out_count(o, "estimated pairs", c->estimate.pairs);
    out_count(o, "estimated bytes of pairs", c->estimate.row_bytes);
    report_count(o, c, 0);
}
