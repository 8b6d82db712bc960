/* ranks_index.c - index documents with all ranks.
 *
 * Rank 0 hands out parts of the inputs; each becomes a store in a directory
 * next to the new store.  Then rank 0 merges them, which takes less than a
 * tenth of the time of indexing and counting, and gives the result its name:
 *
 *     .NAME.cooc.parts/inputs.list
 *     .NAME.cooc.parts/1-of-8.cooc, 2-of-8.cooc, ...
 *     .NAME.cooc.parts/all.cooc
 *     NAME.cooc
 *
 * A job that was killed leaves its finished parts.  Each store contains a note
 * of all inputs and of the options (cooc_inputs_note()).  If the same command
 * is repeated, stores with the same note are kept.  Rank 0 locks the directory.
 *
 * A single rank has nothing to divide: it makes all.cooc at once, unless there
 * are parts that several ranks have left.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_parts.h"
#include "mpi/ranks.h"
#include "mpi/ranks_inputs.h"
#include "mpi/ranks_parts.h"
#include "mpi/ranks_share.h"
#include "mpi/work.h"

struct indexing_job {
    struct work work;
    struct cooc_watch watch;
    const char *const *inputs;
    size_t n_inputs;
    const char *store;
    const struct cooc_index_options *given;
    struct cooc_index_options o; /* for one part */
    struct cooc_inputs id; /* of all inputs */
    struct parts_dir dir;

    /* Rank 0. */
    uint64_t next;
    struct cooc_index_report *report;
};

/* ---- reports of parts ---------------------------------------------------- */

/* The numbers of a report that are added up. */
static const size_t sums[] = {
#define SUM(m) offsetof(struct cooc_index_report, m)
    SUM(documents), SUM(postings), SUM(tokens), SUM(input_bytes),
    SUM(invalid_bytes), SUM(dropped_stop), SUM(dropped_short),
    SUM(dropped_long), SUM(dropped_numbers), SUM(dropped_thesaurus),
    SUM(merged_thesaurus), SUM(capped_documents), SUM(capped_tokens),
    SUM(spilled_bytes), SUM(phrases),
#undef SUM
};
enum { N_SUMS = sizeof sums / sizeof *sums };

static uint64_t *number_at(struct cooc_index_report *r, size_t offset)
{
    return (uint64_t *)((char *)r + offset);
}

static void part_done(void *self, unsigned rank,
                      const uint64_t result[WORK_RESULTS], const char *text)
{
    struct indexing_job *j = self;

    (void)rank;
    for (size_t i = 0; i < N_SUMS; i++)
        *number_at(j->report, sums[i]) += result[i];
    if (result[N_SUMS]) /* was finished before */
        return;
    /* Every rank examines all inputs. */
    j->report->skipped_inputs = result[N_SUMS + 1];
    j->report->skipped_stores = result[N_SUMS + 2];
    snprintf(j->report->format, sizeof j->report->format, "%s", text);
}

/* ---- parts --------------------------------------------------------------- */

/* Whether the only rank makes the whole index at once. */
static bool is_whole(const struct indexing_job *j)
{
    return j->dir.parts == 1;
}

static bool next_part(void *self, unsigned rank, struct item *out)
{
    struct indexing_job *j = self;

    (void)rank;
    if (j->next == j->dir.parts)
        return false;
    ++j->next;
    *out = (struct item){ .first = j->next, .last = j->dir.parts, .cost = 1 };
    return true;
}

/* Make all.cooc without parts.  The report is complete, so there is nothing to
 * add up. */
static int index_whole(struct indexing_job *j, struct cooc_err *err)
{
    struct buf path = { 0 };
    bool kept = false, resumable = j->given->count_follows;
    int rc = parts_dir_whole(&path, &j->dir, err);

    if (rc == 0 && resumable)
        rc = cooc_inputs_noted(path.data, &j->id, &kept, err);
    if (rc == 0 && !kept)
        rc = cooc_index(j->inputs, j->n_inputs, path.data, &j->o, j->report,
                        err);
    if (rc == 0 && !kept && resumable)
        rc = cooc_inputs_note(path.data, &j->id, err);
    buf_release(&path);
    return rc;
}

static int index_part(void *self, const struct item *item,
                      uint64_t result[WORK_RESULTS], char *text,
                      struct cooc_err *err)
{
    struct indexing_job *j = self;
    struct cooc_index_options o = j->o;
    struct cooc_index_report r = COOC_INDEX_REPORT;
    struct buf path = { 0 };
    bool kept = false;
    int rc;

    own_stats()->units++;
    own_stats()->threads = o.threads;
    if (is_whole(j)) {
        result[N_SUMS] = true;
        return index_whole(j, err);
    }
    rc = parts_dir_part(&path, &j->dir, item->first, err);
    o.part = (uint32_t)item->first;
    o.parts = (uint32_t)item->last;
    if (rc == 0)
        rc = cooc_inputs_noted(path.data, &j->id, &kept, err);
    if (rc == 0 && !kept)
        rc = cooc_index(j->inputs, j->n_inputs, path.data, &o, &r, err);
    if (rc == 0 && !kept)
        rc = cooc_inputs_note(path.data, &j->id, err);
    buf_release(&path);
    for (size_t i = 0; i < N_SUMS; i++)
        result[i] = *number_at(&r, sums[i]);
    result[N_SUMS] = kept;
    result[N_SUMS + 1] = r.skipped_inputs;
    result[N_SUMS + 2] = r.skipped_stores;
    snprintf(text, MESSAGE_TEXT, "%s", r.format);
    return rc;
}

/* ---- merge --------------------------------------------------------------- */

static void set_filters(struct cooc_merge_options *m,
                        const struct cooc_index_options *o)
{
    m->min_df = o->min_df;
    m->max_df = o->max_df;
    m->max_df_share = o->max_df_share;
    m->top_terms = o->top_terms;
    m->terms_file = o->terms_file;
}

static void clear_filters(struct cooc_index_options *o)
{
    o->min_df = o->max_df = 0;
    o->max_df_share = 0;
    o->top_terms = 0;
    o->merge_terms_file = o->terms_file;
    o->terms_file = NULL;
}

static void report_merge(struct cooc_index_report *r,
                         const struct cooc_merge_report *m)
{
    r->documents = m->documents;
    r->terms = m->terms;
    r->postings = m->postings;
    r->tokens = m->tokens;
    r->dropped_terms_min_df = m->dropped_terms_min_df;
    r->dropped_terms_max_df = m->dropped_terms_max_df;
    r->dropped_terms_list = m->dropped_terms_list;
    r->dropped_terms_top = m->dropped_terms_top;
    r->dropped_postings = m->dropped_postings;
    r->seconds_order = m->seconds_documents;
}

/* Parts that do not fit together would be kept, and not fit again. */
static int err_parts(int rc, struct cooc_err *err)
{
    char text[sizeof err->text];

    if (rc != COOC_EINVAL || *err->option)
        return rc;
    memcpy(text, err->text, sizeof text);
    return err_set(err, COOC_EIO, "%s; the same command with --force discards "
                                  "the parts and reads everything again", text);
}

static int merge(struct indexing_job *j, const char *to, struct cooc_err *err)
{
    struct cooc_count_options how = COOC_COUNT_OPTIONS;
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_merge_report r = COOC_MERGE_REPORT;
    uint64_t n = j->dir.parts;
    struct buf *paths = mem_zarray(n, sizeof *paths);
    const char **names = mem_zarray(n, sizeof *names);
    int rc = paths && names ? 0 : err_nomem(err);

    for (uint64_t i = 0; i < n && rc == 0; i++) {
        rc = parts_dir_part(&paths[i], &j->dir, i + 1, err);
        names[i] = paths[i].data;
    }
    how.threads = share_all_threads(j->given->threads);
    how.memory = j->o.memory;
    how.watch = &j->watch;
    o.count = &how;
    o.replace = true;
    set_filters(&o, j->given);
    if (rc == 0)
        rc = err_parts(cooc_merge(names, n, to, &o, &r, err), err);
    for (uint64_t i = 0; paths && i < n; i++)
        buf_release(&paths[i]);
    mem_free(paths);
    mem_free(names);
    report_merge(j->report, &r);
    return rc;
}

/* Rank 0: give the merged store its name. */
static int publish(struct indexing_job *j, const char *merged,
                   struct cooc_err *err)
{
    struct stat st;
    int rc;

    if (!j->given->replace && lstat(j->store, &st) == 0)
        return err_path_option(err, COOC_EEXISTS, j->store, "replace",
                               "was created by another program while this "
                               "job was running; remove or replace it");
    rc = cooc_replace(merged, j->store, err);
    return rc < 0 ? rc : parts_dir_remove(&j->dir, err);
}

/* Rank 0, after the parts are made. */
static int finish(struct indexing_job *j, struct cooc_err *err)
{
    struct buf path = { 0 };
    bool merged = is_whole(j), resumable = j->given->count_follows;
    int rc = parts_dir_whole(&path, &j->dir, err);

    if (rc == 0 && !merged) {
        if (resumable)
            rc = cooc_inputs_noted(path.data, &j->id, &merged, err);
        if (rc == 0 && !merged)
            rc = merge(j, path.data, err);
        if (rc == 0 && resumable)
            rc = cooc_inputs_note(path.data, &j->id, err);
    }
    if (rc == 0)
        rc = publish(j, path.data, err);
    buf_release(&path);
    j->report->resumable = resumable && *j->id.text;
    return rc;
}

/* ---- the job ------------------------------------------------------------- */

static void prepare(struct indexing_job *j)
{
    const struct cooc_index_options *o = j->given;

    j->work = (struct work){ .self = j, .next = next_part, .run = index_part,
                             .done = part_done, .watch = o->watch,
                             .now = COOC_INIT(cooc_progress) };
    j->work.now.phase = "reading";
    j->work.now.unit = "parts";
    j->work.now.share = -1;
    j->watch = work_watch(&j->work);
    j->o = *o;
    j->o.watch = &j->watch;
    j->o.threads = share_threads(o->threads);
    j->o.memory = share_memory(o->memory);
    j->o.replace = true;
    j->o.count_follows = false;
}

static int refuse(const struct indexing_job *j, struct cooc_err *err)
{
    if (j->given->parts)
        return err_set(err, COOC_EINVAL, "cooc-mpi divides the work itself; "
                                         "remove --part");
    for (size_t i = 0; i < j->n_inputs; i++)
        if (!strcmp(j->inputs[i], "-"))
            return err_set(err, COOC_EINVAL,
                           "ranks cannot share standard input; write it to a "
                           "file first");
    return 0;
}

/* Rank 0: if the store exists, find out what cooc_index() reports about it.
 * Sets *exists unless the store is to be replaced. */
static int look_at_store(struct indexing_job *j, bool *exists,
                         struct cooc_err *err)
{
    struct cooc_index_options o = *j->given;
    struct stat st;
    int rc;

    *exists = lstat(j->store, &st) == 0;
    if (!*exists)
        return 0;
    o.replace = false;
    rc = cooc_index(j->inputs, j->n_inputs, j->store, &o, j->report, err);
    if (rc == COOC_EEXISTS && j->given->replace &&
        !strcmp(err->option, "replace")) {
        *exists = false;
        return 0;
    }
    parts_dir_tidy(&j->dir); /* of a job that was killed before it did so */
    return rc;
}

/* Rank 0 tells the others into how many parts it has divided the inputs; 0: the
 * store is already indexed. */
static int announce(struct indexing_job *j, struct cooc_err *err)
{
    struct message m = message_of(MSG_WELCOME);
    int rc = 0;

    if (ranks.rank) {
        rc = message_await(MSG_WELCOME, &m, j->work.watch, err);
        j->dir.parts = m.n[0];
        memcpy(j->id.text, m.text, sizeof j->id.text);
    } else {
        m.n[0] = j->dir.parts;
        memcpy(m.text, j->id.text, sizeof j->id.text);
        message_send_all(&m);
    }
    return rc;
}

static int begin(struct indexing_job *j, struct cooc_err *err)
{
    bool exists = false;
    int rc;

    if (ranks.rank)
        return announce(j, err);
    rc = look_at_store(j, &exists, err);
    if (rc == 0 && !exists)
        rc = cooc_inputs_identify(j->inputs, j->n_inputs, j->given, &j->id,
                                  err);
    if (rc == 0 && !exists)
        rc = parts_dir_open(&j->dir, j->given->replace, err);
    if (rc == 0 && !exists && ranks.size > 1)
        rc = inputs_write(j->dir.path.data, j->inputs, j->n_inputs, j->given,
                          err);
    if (rc < 0)
        return rc;
    j->work.cost = j->work.now.total = j->dir.parts;
    return announce(j, err);
}

static int run(struct indexing_job *j, struct cooc_err *err)
{
    double start = clock_seconds();
    int rc = refuse(j, err);

    if (rc == 0)
        rc = parts_dir_init(&j->dir, j->store, err);
    if (rc == 0)
        rc = begin(j, err);
    if (rc == 0 && j->dir.parts)
        rc = share_directory(j->dir.path.data, j->given->watch, err);
    if (rc == 0 && j->dir.parts && ranks.rank)
        rc = inputs_compare(j->dir.path.data, j->inputs, j->n_inputs, j->given,
                            err);
    if (rc < 0 || !j->dir.parts)
        return rc;
    if (!is_whole(j))
        clear_filters(&j->o);
    rc = work_run(&j->work, err);
    rc = work_leave(&j->work, rc, err);
    if (!is_whole(j))
        j->report->seconds_read = clock_seconds() - start;
    if (rc == 0 && ranks.rank == 0)
        rc = finish(j, err);
    return work_agree(&j->work, rc, err);
}

int ranks_index(const char *const *inputs, size_t n, const char *store,
                const struct cooc_index_options *options,
                struct cooc_index_report *report, struct cooc_err *err)
{
    struct indexing_job j = { .inputs = inputs, .n_inputs = n,
                              .store = store, .given = options,
                              .report = report, .id = COOC_INPUTS };
    int rc;

    prepare(&j);
    rc = run(&j, err);
    parts_dir_release(&j.dir, rc);
    return rc;
}
