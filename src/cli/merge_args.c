/* merge_args.c - options and report of "merge" and "add". */
#include "cli/merge_args.h"

#include <string.h>

#include "cli/forecast.h"
#include "cli/report.h"

static const char *const ways[] = { "rows", "documents", NULL };
static const char *const rows_kinds[] = { "all", "costly", NULL };

void merge_args_init(struct merge_args *a, const char *rows_unset)
{
    struct cooc_merge_options *o = &a->o;
    const struct opt table[] = {
        OPT_TITLE("Counting"),
        OPT_NAME(0, "pairs-from", &a->pairs_from, "WHAT", "the quicker",
                 ways, "add up old rows, or count documents; same result"),
        OPT_NAME(0, "rows", &a->rows, "ROWS", rows_unset, rows_kinds,
                 "rows to write; costly leaves out the quick ones"),
        OPT_U32(0, "costly-df", &o->count.costly_df, "N", "by cost",
                "costly: leave out rows up to this df"),
        OPT_U64(0, "batch-postings", &o->count.batch_postings, "N",
                "as memory allows",
                "documents: count in batches of so many postings"),
        OPT_U64(0, "batch-pairs", &o->batch_pairs, "N", "as memory allows",
                "rows: sort so many pairs at a time"),
        OPT_FLAG(0, "accept-rules", &o->accept_rules,
                 "unite documents of different versions of cooc or ICU"),
        OPT_TEXT(0, "tmpdir", &o->count.tmpdir, "DIR", "inside the store",
                 "where temporary files go"),
        OPT_END,
    };

    _Static_assert(sizeof table <= sizeof a->opts, "opts is too small");
    *a = (struct merge_args){ 0 };
    cooc_merge_options_init(&a->o);
    memcpy(a->opts, table, sizeof table);
}

void merge_args_take(struct merge_args *a, const struct run_args *run,
                     struct progress *p, struct run_stats *stats)
{
    struct cooc_merge_options *o = &a->o;

    if (a->pairs_from)
        o->pairs_from = a->pairs_from == ways[0] ? COOC_FROM_ROWS
                                                 : COOC_FROM_DOCUMENTS;
    if (a->rows)
        o->count.rows = a->rows == rows_kinds[0] ? COOC_ROWS_ALL
                                                 : COOC_ROWS_COSTLY;
    o->count.threads = run->threads;
    o->count.memory = run->memory;
    o->replace = o->count.ignore_space = run->force;
    progress_init(p, run->quiet);
    p->json = run->progress_json;
    p->stats = stats;
    o->count.watch = progress_watch(p);
    o->count.watch.estimate = forecast_say;
}

void report_merge(struct out *o, const struct cooc_merge_report *r)
{
    out_count(o, "stores merged", r->stores);
    out_count(o, "documents", r->documents);
    out_count(o, "terms", r->terms);
    out_count(o, "postings", r->postings);
    out_count(o, "tokens", r->tokens);
    out_real(o, "seconds to unite", r->seconds_unite, 2);
    if (!r->counted)
        return;
    out_text(o, "pairs from", ways[r->pairs_from == COOC_FROM_DOCUMENTS]);
    if (r->pairs_read)
        out_count(o, "pairs added up", r->pairs_read);
    report_count(o, &r->count, r->documents);
}

void report_merge_run(struct out *o, const void *merge_facts)
{
    const struct merge_facts *f = merge_facts;

    out_text(o, "command", f->command);
    out_text(o, "store", f->store);
    if (f->indexed) {
        out_count(o, "documents added", f->indexed->documents);
        out_count(o, "input bytes", f->indexed->input_bytes);
    }
    report_merge(o, f->merged);
    out_count(o, "bytes to unite", f->merged->temporary_bytes);
    out_count(o, "memory", f->merged->count.memory);
}
