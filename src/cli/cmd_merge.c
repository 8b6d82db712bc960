/* cmd_merge.c - "cooc merge": combine stores into one; "cooc add": add
 * documents to a store. */
#include <string.h>

#include "base/err.h"
#include "cli/cmd.h"
#include "cli/index_args.h"
#include "cli/report.h"
#include "cooc_build.h"

struct merge_args {
    const char *store;         /* merge: the new store */
    struct cooc_index_options input; /* add: how to read documents */
    struct cooc_merge_options o;
    struct cooc_count_options count;
    struct cooc_tuning tuning;
    const char *pairs_from;    /* "rows", "documents" or NULL */
    const char *rows;          /* "full", "compact" or NULL */
    struct share max_df;       /* merge */
    struct job_args how;
    struct skip_args skip; /* for add */
};

static const char *const ways[] = { "rows", "documents", NULL };

static const struct opt from_options[] = {
    OPT_TITLE("Counting"),
    OPT_NAME(struct merge_args, pairs_from, 0, "pairs-from", "WHAT",
             "the faster one", ways,
             "choose the source of the counts"),
    OPT_END
};

static const struct opt count_options[] = {
    OPT_COMPACT_DF(struct merge_args, count.compact_df,
                   "omit rows of terms in at most N documents, N <= 255"),
    OPT_U64(struct merge_args, tuning.batch_postings, 0,
            "batch-postings", "N", "as memory allows",
            "recount documents in batches of N postings"),
    OPT_U64(struct merge_args, o.batch_pairs, 0, "batch-pairs", "N",
            "as memory allows",
            "sort at most N pairs at a time when adding up rows"),
    OPT_FLAG(struct merge_args, o.accept_rules, 0, "accept-rules",
             "accept differences between versions of cooc or ICU"),
    OPT_TEXT(struct merge_args, count.tmpdir, 0, "tmpdir", "DIR",
             "inside the store", "write temporary files to DIR"),
    OPT_END
};

#define OPT_MERGE(rows_unset)                                                \
    { .kind = OPT_KIND_TABLE, .table = from_options },                       \
    OPT_ROWS(struct merge_args, rows, rows_unset),                            \
    { .kind = OPT_KIND_TABLE, .table = count_options }

static const struct opt merge_options[] = {
    OPT_TEXT(struct merge_args, store, 'o', "output", "NAME.cooc", NULL,
             "create this store (required)"),
    OPT_TITLE("Terms"),
    OPT_U64(struct merge_args, o.min_df, 0, "min-df", "N", "none",
            "drop terms in fewer than N documents"),
    OPT_SHARE(struct merge_args, max_df, 0, "max-df", "none",
              "drop terms in more than N (or N%) of the documents"),
    OPT_U32(struct merge_args, o.top_terms, 0, "top-terms", "N", "all",
            "keep only the N most frequent terms"),
    OPT_TEXT(struct merge_args, o.terms_file, 0, "terms", "FILE", NULL,
             "keep only the terms listed in FILE, one per line"),
    OPT_MERGE("as in the stores if all agree, else compact"),
    OPT_JOB(struct merge_args,
            "replace an existing store and ignore low disk space"),
    OPT_END
};

static const struct opt add_options[] = {
    OPT_TABLE(struct merge_args, input, input_options),
    OPT_TABLE(struct merge_args, skip, skip_options),
    OPT_TEXT(struct merge_args, input.terms_file, 0, "terms", "FILE", NULL,
             "repeat the list of terms that the store was made with"),
    OPT_MERGE("as in the store"),
    OPT_JOB(struct merge_args, "continue despite low disk space"),
    OPT_END
};

static void init(void *args)
{
    struct merge_args *job = args;

    cooc_init(&job->input, sizeof job->input);
    cooc_init(&job->o, sizeof job->o);
    cooc_init(&job->count, sizeof job->count);
    cooc_init(&job->tuning, sizeof job->tuning);
}

/* Merge the stores in inputs into facts->store, or, if add, add the documents
 * in inputs to it. */
static int work(struct merge_args *job, char **inputs, int n, bool add,
                struct job_facts *facts, struct cooc_err *err)
{
    const char *const *from = (const char *const *)inputs;
    struct cooc_index_report indexed = COOC_INDEX_REPORT;
    struct cooc_merge_report merged = COOC_MERGE_REPORT;
    struct cooc_count_report counted = COOC_COUNT_REPORT;
    struct cooc_add_options more = COOC_ADD_OPTIONS;
    struct cooc_merge_options *o = &job->o;
    struct job_stats stats;
    struct progress progress;
    struct cooc_watch watch;
    struct findings notes = { 0 };
    int rc = check_directory(job->count.tmpdir, err);

    if (rc == 0)
        rc = job_stats_init(&stats, job->how.stats_file, err);
    if (rc == 0 && add)
        rc = begin_findings(&notes, &job->skip, &job->input, &job->how, inputs,
                            n, err);
    if (rc < 0)
        return rc;
    if (job->pairs_from)
        o->from = strcmp(job->pairs_from, ways[0]) ? COOC_MERGE_DOCUMENTS
                                                   : COOC_MERGE_ROWS;
    watch = job_watch(&job->how, &progress, &stats);
    progress.notes = &notes;
    job->count.rows = rows_kind(job->rows);
    job->count.threads = job->how.threads;
    job->count.memory = job->how.memory;
    job->count.tuning = &job->tuning;
    job->count.watch = &watch;
    o->replace = job->count.ignore_space = job->how.force;
    o->max_df = job->max_df.count;
    o->max_df_share = job->max_df.part;
    o->count = &job->count;
    more.input = &job->input;
    more.merge = o;
    merged.count = &counted;
    facts->indexed = add ? &indexed : NULL;
    facts->merged = &merged;
    rc = add ? cooc_add(facts->store, from, (size_t)n, &more, &indexed,
                        &merged, err)
             : cooc_merge(from, (size_t)n, facts->store, o, &merged, err);
    progress_clear(&progress);
    rc = findings_end(&notes, rc, err);
    if (rc == COOC_ECANCELLED && add)
        err_set(err, rc, "interrupted; %s is unchanged", facts->store);
    else if (rc == COOC_ECANCELLED)
        err_set(err, rc, "interrupted; nothing was stored");
    rc = job_stats_end(&stats, rc, facts, err);
    if (rc == 0 && job_reports(&job->how))
        report_merge(facts, &job->how);
    return rc;
}

static int merge_stores(void *args, int argc, char **argv, struct cooc_err *err)
{
    struct merge_args *job = args;
    struct job_facts facts = { .command = "merge", .store = job->store };
    int rc;

    if (!job->store)
        return err_set(err, COOC_EINVAL,
                       "no name for the new store; run: cooc merge %.150s%s "
                       "-o NAME.cooc", argv[0], argc > 1 ? " ..." : "");
    rc = check_output(job->store, err);
    return rc < 0 ? rc : work(job, argv, argc, false, &facts, err);
}

static int add_documents(void *args, int argc, char **argv,
                         struct cooc_err *err)
{
    struct merge_args *job = args;
    struct job_facts facts = { .command = "add", .store = argv[0] };
    int rc = refuse_stores(argv + 1, argc - 1, err);

    if (rc == 0)
        rc = refuse_output("--stats-json", job->how.stats_file, &job->input,
                           argv + 1, argc - 1, err);
    return rc < 0 ? rc : work(job, argv + 1, argc - 1, true, &facts, err);
}

const struct job job_merge = {
    .usage = {
        .name = "merge", .min = 1, .max = -1,
        .args = "[options] STORE... -o NAME.cooc",
        .summary = "combine several stores into one",
        .details = "Use this to count the parts of a collection separately, "
                   "for example on several machines, and then to combine "
                   "them. The new store is byte for byte identical to a "
                   "store made from all documents at once. Its documents are "
                   "in the order of the stores, and it is counted if at least "
                   "one of the stores is. With --pairs-from rows, the counts "
                   "in the stores are added up; with --pairs-from documents, "
                   "all documents are counted again. The result is the "
                   "same.\n\n"
                   "The parts of an index (see 'cooc index --part') may be "
                   "given in any order, but all of them must be given.\n\n"
                   "All stores must have been made with the same options for "
                   "words, the same word lists, and without --min-df, "
                   "--max-df and --top-terms: a term that one of these "
                   "options dropped from one store might have been kept in "
                   "the whole collection. Give these options to 'merge' "
                   "instead: they then apply to all documents, and the "
                   "result is the store that 'index' makes with them. "
                   "Documents cannot be removed from a "
                   "store, so keep the original stores if you may need them.",
        .output = "A report: the number of stores, the size of the new "
                  "store, whether its counts were added up from rows or "
                  "counted from documents, and the figures that 'cooc count' "
                  "prints.",
        .examples = "cooc merge 2023.cooc 2024.cooc -o both.cooc\n"
                    "cooc merge parts/*.cooc -o all.cooc --memory 8G\n"
                    "cooc merge a.cooc b.cooc -o c.cooc --pairs-from rows\n"
                    "cooc merge part-*.cooc -o all.cooc --min-df 5\n",
        .options = merge_options, .size = sizeof(struct merge_args),
        .init = init,
    },
    .run = merge_stores,
};

const struct job job_add = {
    .usage = {
        .name = "add", .min = 2, .max = -1,
        .args = "[options] NAME.cooc INPUT...",
        .summary = "add documents to an existing store",
        .details = "The new documents are processed with the options for "
                   "words, the stop list, the thesaurus and the phrases "
                   "that the store was made with. Files are read with the "
                   "format and the options that the store was made with, and "
                   "files of another format are refused; options that you "
                   "give replace those of the store. A list of --terms and a "
                   "--vocab file are not kept: give them again.\n\n"
                   "The result is byte for byte identical to a store made "
                   "from all documents at once; it is counted if the old "
                   "store was. With --pairs-from rows, the counts of the new "
                   "documents are added to those in the store; with "
                   "--pairs-from documents, all documents are counted again. "
                   "The old store is replaced in one step at the end, so the "
                   "disk must have room for both until then. Added documents "
                   "cannot be removed, so keep a copy of the old store if "
                   "you may need it.",
        .output = "A report: the number of documents added, everything that "
                  "was dropped or replaced in them, the size of the store, "
                  "and the figures that 'cooc count' prints.",
        .examples = "cooc add letters.cooc letters/2024/\n"
                    "cooc add news.cooc today.jsonl.gz --text-field "
                    "title,body\n",
        .options = add_options, .size = sizeof(struct merge_args),
        .init = init,
    },
    .run = add_documents,
};
