/* ranks_index.c - index documents with all ranks.
 *
 * Rank 0 hands out parts of the inputs; each becomes a store in a directory
 * next to the new store.  Then rank 0 merges them, which takes less than a
 * tenth of the time of indexing and counting, and gives the result its name:
 *
 *     .NAME.cooc.parts/1-of-8.cooc, 2-of-8.cooc, ...
 *     .NAME.cooc.parts/all.cooc
 *     NAME.cooc
 *
 * A job that was killed leaves its finished parts.  Each store contains a note
 * of all inputs and of the options (cooc_inputs_note()).  If the same command
 * is repeated, stores with the same note are kept.  Rank 0 locks the directory.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_parts.h"
#include "mpi/ranks.h"
#include "mpi/ranks_share.h"
#include "mpi/work.h"

#define MERGED "all.cooc"

enum { PARTS_PER_RANK = 2, PARTS_MAX = 4096 };

struct indexing_job {
    struct work work;
    struct cooc_watch watch;
    const char *const *inputs;
    size_t n_inputs;
    const char *store;
    struct cooc_index_options o; /* for one part */
    struct cooc_inputs id; /* of all inputs */
    struct buf dir;
    uint64_t parts;

    /* Rank 0. */
    uint64_t next;
    uint64_t kept; /* number of parts that were finished before */
    int lock;
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
    if (result[N_SUMS]) {
        j->kept++;
        return;
    }
    /* Every rank examines all inputs. */
    j->report->skipped_inputs = result[N_SUMS + 1];
    j->report->skipped_stores = result[N_SUMS + 2];
    snprintf(j->report->format, sizeof j->report->format, "%s", text);
}

/* ---- parts --------------------------------------------------------------- */

static bool next_part(void *self, unsigned rank, struct item *out)
{
    struct indexing_job *j = self;

    (void)rank;
    if (j->next == j->parts)
        return false;
    ++j->next;
    *out = (struct item){ .first = j->next, .last = j->parts, .cost = 1 };
    return true;
}

static int part_path(struct buf *path, const struct indexing_job *j,
                     uint64_t part, uint64_t parts, struct cooc_err *err)
{
    return buf_printf(path, err, "%s/%llu-of-%llu.cooc", j->dir.data,
                      (unsigned long long)part, (unsigned long long)parts);
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
    int rc = part_path(&path, j, item->first, item->last, err);

    o.part = (uint32_t)item->first;
    o.parts = (uint32_t)item->last;
    own_stats()->units++;
    own_stats()->threads = o.threads;
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

/* ---- the directory ------------------------------------------------------- */

/* ".NAME.cooc.parts" in the directory of the store. */
static int name_directory(struct indexing_job *j, struct cooc_err *err)
{
    size_t len = strlen(j->store), base;

    while (len > 1 && j->store[len - 1] == '/')
        len--;
    base = len;
    while (base && j->store[base - 1] != '/')
        base--;
    return buf_printf(&j->dir, err, "%.*s.%.*s.parts", (int)base, j->store,
                      (int)(len - base), j->store + base);
}

/* Parse "I-of-N.cooc" or "I-of-N.cooc.part"; return N, or 0. */
static uint64_t parts_of_name(const char *name, bool *finished)
{
    unsigned long long part, parts;
    int end = 0;

    *finished = false;
    if (sscanf(name, "%llu-of-%llu.cooc%n", &part, &parts, &end) < 2 || !end)
        return 0;
    *finished = !name[end];
    return *finished || !strcmp(name + end, ".part") ? parts : 0;
}

/* Look at each part in the directory: find out into how many parts an earlier
 * job has divided the inputs; or remove the parts of all other divisions. */
static int scan_directory(struct indexing_job *j, bool keep,
                          struct cooc_err *err)
{
    DIR *dir = opendir(j->dir.data);
    struct buf path = { 0 };
    struct dirent *e;
    int rc = 0;

    if (!dir)
        return err_sys(err, "cannot open", j->dir.data);
    while (rc == 0 && (errno = 0, e = readdir(dir)) != NULL) {
        bool finished;
        uint64_t parts = parts_of_name(e->d_name, &finished);

        if (keep && finished && parts >= ranks.size && parts <= PARTS_MAX)
            j->parts = parts;
        path.len = 0;
        if (!keep)
            rc = buf_printf(&path, err, "%s/%s", j->dir.data, e->d_name);
        if (!keep && rc == 0 && !strncmp(e->d_name, ".tmp-mpi-", 9))
            unlink(path.data); /* of a killed job */
        if (!keep && rc == 0 &&
            (parts ? parts != j->parts || !finished
                   : !j->parts && !strncmp(e->d_name, MERGED, strlen(MERGED))))
            rc = dir_remove(path.data, err);
    }
    closedir(dir);
    buf_release(&path);
    return rc;
}

/* Rank 0: create and lock the directory, and choose the number of parts. */
static int open_directory(struct indexing_job *j, struct cooc_err *err)
{
    int rc;

    if (mkdir(j->dir.data, 0777) < 0 && errno != EEXIST)
        return err_sys(err, "cannot create", j->dir.data);
    rc = dir_lock(&j->lock, j->dir.data, j->store, err);
    j->parts = (uint64_t)PARTS_PER_RANK * ranks.size;
    if (j->parts > PARTS_MAX)
        j->parts = ranks.size;
    if (rc == 0)
        rc = scan_directory(j, true, err);
    return rc < 0 ? rc : scan_directory(j, false, err);
}

/* Remove all parts, when they are no longer needed. */
static int remove_directory(struct indexing_job *j, struct cooc_err *err)
{
    int rc;

    j->parts = 0;
    rc = scan_directory(j, false, err);
    if (rc == 0 && rmdir(j->dir.data) < 0)
        rc = err_sys(err, "cannot remove", j->dir.data);
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

static int merge(struct indexing_job *j, const char *to,
                 const struct cooc_index_options *given, struct cooc_err *err)
{
    struct cooc_count_options how = COOC_COUNT_OPTIONS;
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_merge_report r = COOC_MERGE_REPORT;
    struct buf *paths = mem_zarray(j->parts, sizeof *paths);
    const char **names = mem_zarray(j->parts, sizeof *names);
    int rc = paths && names ? 0 : err_nomem(err);

    for (uint64_t i = 0; i < j->parts && rc == 0; i++) {
        rc = part_path(&paths[i], j, i + 1, j->parts, err);
        names[i] = paths[i].data;
    }
    how.threads = share_all_threads(given->threads);
    how.memory = j->o.memory;
    how.watch = &j->watch;
    o.count = &how;
    o.replace = true;
    set_filters(&o, given);
    if (rc == 0)
        rc = cooc_merge(names, j->parts, to, &o, &r, err);
    for (uint64_t i = 0; paths && i < j->parts; i++)
        buf_release(&paths[i]);
    mem_free(paths);
    mem_free(names);
    report_merge(j->report, &r);
    return rc;
}

/* Rank 0: give the merged store its name. */
static int publish(struct indexing_job *j, const char *merged,
                   const struct cooc_index_options *given,
                   struct cooc_err *err)
{
    struct stat st;
    int rc;

    if (!given->replace && lstat(j->store, &st) == 0)
        return err_path_option(err, COOC_EEXISTS, j->store, "replace",
                               "was created by another program while this "
                               "job was running; remove or replace it");
    rc = cooc_replace(merged, j->store, err);
    return rc < 0 ? rc : remove_directory(j, err);
}

/* Rank 0, after the parts are made. */
static int finish(struct indexing_job *j,
                  const struct cooc_index_options *given,
                  struct cooc_err *err)
{
    struct buf path = { 0 };
    bool merged = false;
    int rc = buf_printf(&path, err, "%s/" MERGED, j->dir.data);

    if (rc == 0 && given->count_follows)
        rc = cooc_inputs_noted(path.data, &j->id, &merged, err);
    if (rc == 0 && !merged)
        rc = merge(j, path.data, given, err);
    if (rc == 0 && given->count_follows)
        rc = cooc_inputs_note(path.data, &j->id, err);
    if (rc == 0)
        rc = publish(j, path.data, given, err);
    buf_release(&path);
    j->report->resumable = given->count_follows && *j->id.text;
    return rc;
}

/* ---- the job ------------------------------------------------------------- */

static void prepare(struct indexing_job *j,
                    const struct cooc_index_options *o)
{
    j->work = (struct work){ .self = j, .next = next_part, .run = index_part,
                             .done = part_done, .watch = o->watch,
                             .now = COOC_INIT(cooc_progress) };
    j->work.now.phase = "reading";
    j->work.now.unit = "parts";
    j->work.now.share = -1;
    j->lock = -1;
    j->watch = work_watch(&j->work);
    j->o = *o;
    clear_filters(&j->o);
    j->o.watch = &j->watch;
    j->o.threads = share_threads(o->threads);
    j->o.memory = share_memory(o->memory);
    j->o.replace = true;
    j->o.count_follows = false;
}

static int refuse_streams(const char *const *inputs, size_t n,
                          struct cooc_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(inputs[i], "-"))
            return err_set(err, COOC_EINVAL,
                           "ranks cannot share standard input; write it to a "
                           "file first");
    return 0;
}

/* Rank 0: if the store exists, find out what cooc_index() reports about it.
 * Sets *exists unless the store is to be replaced. */
static int look_at_store(struct indexing_job *j,
                         const struct cooc_index_options *given, bool *exists,
                         struct cooc_err *err)
{
    struct cooc_index_options o = *given;
    struct stat st;
    int rc;

    *exists = lstat(j->store, &st) == 0;
    if (!*exists)
        return 0;
    o.replace = false;
    rc = cooc_index(j->inputs, j->n_inputs, j->store, &o, j->report, err);
    if (rc == COOC_EEXISTS && given->replace &&
        !strcmp(err->option, "replace")) {
        *exists = false;
        return 0;
    }
    /* A job may have been killed before it removed its parts. */
    if (stat(j->dir.data, &st) == 0 &&
        dir_lock(&j->lock, j->dir.data, j->store, NULL) == 0)
        remove_directory(j, NULL);
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
        j->parts = m.n[0];
        memcpy(j->id.text, m.text, sizeof j->id.text);
    } else {
        m.n[0] = j->parts;
        memcpy(m.text, j->id.text, sizeof j->id.text);
        message_send_all(&m);
    }
    return rc;
}

static int begin(struct indexing_job *j,
                 const struct cooc_index_options *given, struct cooc_err *err)
{
    bool exists = false;
    int rc;

    if (ranks.rank)
        return announce(j, err);
    rc = look_at_store(j, given, &exists, err);
    if (rc == 0 && !exists)
        rc = cooc_inputs_identify(j->inputs, j->n_inputs, given, &j->id, err);
    if (rc == 0 && !exists)
        rc = open_directory(j, err);
    if (rc < 0)
        return rc;
    j->work.cost = j->work.now.total = j->parts;
    return announce(j, err);
}

static int run(struct indexing_job *j, const struct cooc_index_options *given,
               struct cooc_err *err)
{
    double start = clock_seconds();
    int rc = refuse_streams(j->inputs, j->n_inputs, err);

    if (rc == 0)
        rc = name_directory(j, err);
    if (rc == 0)
        rc = begin(j, given, err);
    if (rc == 0 && j->parts)
        rc = share_directory(j->dir.data, given->watch, err);
    if (rc < 0 || !j->parts)
        return rc;
    rc = work_run(&j->work, err);
    rc = work_leave(&j->work, rc, err);
    j->report->seconds_read = clock_seconds() - start;
    if (rc == 0 && ranks.rank == 0)
        rc = finish(j, given, err);
    return work_agree(&j->work, rc, err);
}

int ranks_index(const char *const *inputs, size_t n, const char *store,
                const struct cooc_index_options *options,
                struct cooc_index_report *report, struct cooc_err *err)
{
    struct indexing_job j = { .inputs = inputs, .n_inputs = n,
                              .store = store, .report = report,
                              .id = COOC_INPUTS };
    int rc;

    if (ranks.size == 1)
        return cooc_index(inputs, n, store, options, report, err);
    if (options->parts)
        return err_set(err, COOC_EINVAL, "cooc-mpi divides the work itself; "
                                         "remove --part");
    prepare(&j, options);
    rc = run(&j, options, err);
    if (rc < 0 && j.lock >= 0)
        rmdir(j.dir.data); /* only if no part was finished */
    dir_unlock(j.lock);
    buf_release(&j.dir);
    return rc;
}
