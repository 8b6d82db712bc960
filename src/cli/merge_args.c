/* merge_args.c - the options of "merge" and "add". */
#include "cli/merge_args.h"

#include <string.h>

static const char *const ways[] = { "rows", "documents", NULL };

const struct opt from_options[] = {
    OPT_TITLE("Counting"),
    OPT_NAME(struct merge_args, pairs_from, 0, "pairs-from", "WHAT",
             "the quicker", ways,
             "add up old rows, or count documents; same result"),
    OPT_END
};

const struct opt merge_options[] = {
    OPT_U32(struct merge_args, o.count.costly_df, 0, "costly-df", "N",
            "by cost", "costly: leave out rows up to this df"),
    OPT_U64(struct merge_args, o.count.batch_postings, 0, "batch-postings",
            "N", "as memory allows",
            "documents: count in batches of so many postings"),
    OPT_U64(struct merge_args, o.batch_pairs, 0, "batch-pairs", "N",
            "as memory allows", "rows: sort so many pairs at a time"),
    OPT_FLAG(struct merge_args, o.accept_rules, 0, "accept-rules",
             "unite documents of different versions of cooc or ICU"),
    OPT_TEXT(struct merge_args, o.count.tmpdir, 0, "tmpdir", "DIR",
             "inside the store", "where temporary files go"),
    OPT_END
};

void merge_args_take(struct merge_args *a, const struct run_args *run,
                     struct progress *p, struct run_stats *stats)
{
    struct cooc_merge_options *o = &a->o;

    if (a->pairs_from)
        o->pairs_from = strcmp(a->pairs_from, ways[0]) ? COOC_FROM_DOCUMENTS
                                                       : COOC_FROM_ROWS;
    o->count.rows = rows_kind(a->rows);
    o->count.threads = run->threads;
    o->count.memory = run->memory;
    o->replace = o->count.ignore_space = run->force;
    o->count.watch = run_watch(run, p, stats);
}
