/* make.c - cooc_index() and cooc_count(): the jobs that change a store.
 *
 * Indexing builds in NAME.part and renames when everything is on disk, so a
 * store is there whole or not at all; what an interrupted run leaves is
 * removed by the next.  Counting adds files to the store that only the last
 * step, the new manifest, makes part of it.  Both hold a lock meanwhile.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "count/count_run.h"
#include "index/build.h"
#include "store/rows_write.h"
#include "store/store.h"

void cooc_index_options_init(struct cooc_index_options *o)
{
    *o = (struct cooc_index_options){ 0 };
}

void cooc_count_options_init(struct cooc_count_options *o)
{
    *o = (struct cooc_count_options){ .flush_pairs = 100000000,
                                      .accumulators = 100 };
}

/* ---- indexing ----------------------------------------------------------- */

/* The sum over documents of n(n-1)/2: what all counts must add up to. */
static int sum_increments(const char *dir, const struct blob_id *ids,
                          uint64_t n_docs, uint64_t *sum,
                          struct cooc_err *err)
{
    struct blob *b = NULL;
    const void *p;
    char *path;
    int rc = path_join(&path, dir, collection_file_name(FILE_FORWARD_OFF),
                       err);

    *sum = 0;
    if (rc == 0)
        rc = blob_open(&b, path, "offsets", &ids[FILE_FORWARD_OFF], err);
    if (rc == 0)
        rc = blob_get(b, 0, (n_docs + 1) * 8, &p, err);
    for (uint64_t d = 0; rc == 0 && d < n_docs; d++) {
        const uint64_t *off = p;
        uint64_t n = off[d + 1] - off[d];

        *sum += n ? n * (n - 1) / 2 : 0;
    }
    blob_close(b);
    mem_free(path);
    return rc;
}

static int build_in(const char *const *inputs, size_t n, const char *dir,
                    const struct cooc_index_options *o,
                    struct cooc_index_report *rep, struct cooc_err *err)
{
    struct manifest m = { 0 };
    struct watch watch;
    enum token_mode mode;
    int rc;

    watch_init(&watch, &o->watch);
    rc = index_build(inputs, n, dir, o, m.files, &mode, rep, &watch, err);
    watch_release(&watch);
    if (rc == 0)
        rc = sum_increments(dir, m.files, rep->documents, &m.increments,
                            err);
    if (rc == 0)
        rc = manifest_settings(&m, o, mode, err);
    m.documents = (uint32_t)rep->documents;
    m.terms = (uint32_t)rep->terms;
    m.postings = rep->postings;
    m.tokens = rep->tokens;
    if (rc == 0)
        rc = manifest_write(&m, dir, err);
    manifest_release(&m);
    return rc;
}

/* A name that a file of a store has, or had while it was written. */
static bool is_store_file(const char *name)
{
    for (int f = 0; f < COLLECTION_FILES; f++) {
        const char *own = collection_file_name(f);
        size_t len = strlen(own);

        if (!strncmp(name, own, len) &&
            (!name[len] || !strcmp(name + len, ".tmp")))
            return true;
    }
    return !strcmp(name, "manifest.json.tmp") ||
           (!strncmp(name, "rows-", 5) && strstr(name, ".bin"));
}

/* A directory with a manifest, files of a store and nothing else: it may be
 * damaged, but removing it destroys nothing that is not ours. */
static bool is_store(const char *path)
{
    DIR *d = opendir(path);
    struct dirent *e;
    bool manifest = false, files = false, foreign = false;

    if (!d)
        return false;
    while ((e = readdir(d)) != NULL)
        if (!strcmp(e->d_name, "manifest.json"))
            manifest = true;
        else if (is_store_file(e->d_name))
            files = true;
        else if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            foreign = true;
    closedir(d);
    return manifest && files && !foreign;
}

/* Is there something at path, and may it be replaced?  If so it is locked:
 * nobody may be counting in it. */
static int check_target(const char *path, bool replace, int *lock,
                        struct cooc_err *err)
{
    struct stat st;

    if (lstat(path, &st) < 0)
        return errno == ENOENT ? 0 : err_sys(err, "cannot look at", path);
    if (!replace)
        return err_set(err, COOC_EEXISTS,
                       "%s: exists already; choose another name or replace "
                       "it with --force", path);
    if (!S_ISDIR(st.st_mode) || !is_store(path))
        return err_set(err, COOC_EEXISTS,
                       "%s: is not a cooc store, so it will not be replaced; "
                       "choose another name", path);
    return dir_lock(lock, path, err);
}

/* Make the entries of the directory that holds path durable.  Cuts path:
 * the store is public by now, so nothing may be allocated any more. */
static int sync_parent(char *path, struct cooc_err *err)
{
    char *slash = strrchr(path, '/');

    if (slash)
        slash[slash == path] = '\0';
    return dir_sync(slash ? path : ".", err);
}

/* Move the finished directory to its name.  An old store there changes
 * places with it and then goes; rename() alone would not replace it. */
static int publish(const char *part, const char *path, bool replace,
                   struct cooc_err *err)
{
    struct stat st;

    if (replace && stat(path, &st) == 0) {
        if (renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_EXCHANGE) == 0)
            return dir_remove(part, err);
        if (errno == EINVAL || errno == ENOSYS)
            return err_set(err, COOC_EIO,
                           "%s: this file system cannot replace a directory "
                           "in one step; remove the old store first", path);
        return err_sys(err, "cannot replace", path);
    }
    if (rename(part, path) < 0)
        return err_sys(err, "cannot rename to", path);
    return 0;
}

/* Is everything in dir something that an unfinished run leaves? */
static bool is_ours(const char *dir)
{
    static const char *const ours[] = { "terms.", "docs.", "forward.",
                                        "inverted.", "stop.txt", "thesaurus.",
                                        "rows-", "manifest.json", "tmp-" };
    const size_t n = sizeof ours / sizeof *ours;
    DIR *d = opendir(dir);
    struct dirent *e;
    bool all = d != NULL;

    while (all && (e = readdir(d)) != NULL) {
        size_t i = 0;

        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        while (i < n && strncmp(e->d_name, ours[i], strlen(ours[i])) != 0)
            i++;
        all = i < n;
    }
    if (d)
        closedir(d);
    return all;
}

/* An empty, locked directory; what an earlier run left there goes. */
static int begin_part(const char *part, int *lock, struct cooc_err *err)
{
    int rc;

    *lock = -1;
    if (mkdir(part, 0777) < 0) {
        if (errno != EEXIST)
            return err_sys(err, "cannot create", part);
        if (!is_ours(part))
            return err_set(err, COOC_EEXISTS,
                           "%s: is in the way and not cooc's; move it or "
                           "choose another name for the store", part);
        rc = dir_lock(lock, part, err);
        if (rc == 0)
            rc = dir_remove(part, err);
        if (*lock >= 0)
            close(*lock);
        *lock = -1;
        if (rc < 0)
            return rc;
        if (mkdir(part, 0777) < 0)
            return err_sys(err, "cannot create", part);
    }
    return dir_lock(lock, part, err);
}

int cooc_index(const char *const *inputs, size_t n_inputs, const char *store,
               const struct cooc_index_options *options,
               struct cooc_index_report *report, struct cooc_err *err)
{
    struct cooc_index_options defaults;
    struct cooc_index_report own = { 0 };
    struct buf part = { 0 };
    size_t len = strlen(store);
    char *path;
    int lock = -1, old = -1, rc;

    cooc_index_options_init(&defaults);
    options = options ? options : &defaults;
    while (len > 1 && store[len - 1] == '/')
        len--;
    path = mem_dup(store, len);
    if (!path)
        return err_nomem(err);
    rc = n_inputs ? check_target(path, options->replace, &old, err)
                  : err_set(err, COOC_EINVAL, "no input given");
    if (rc == 0)
        rc = buf_printf(&part, err, "%s.part", path);
    if (rc == 0)
        rc = begin_part(part.data, &lock, err);
    if (rc < 0)
        goto out;
    rc = build_in(inputs, n_inputs, part.data, options, &own, err);
    if (rc == 0)
        rc = publish(part.data, path, old >= 0, err);
    if (rc == 0)
        rc = sync_parent(path, err);
    else
        dir_remove(part.data, NULL);
    if (report)
        *report = own;
out:
    if (lock >= 0)
        close(lock);
    if (old >= 0)
        close(old);
    buf_release(&part);
    mem_free(path);
    return rc;
}

/* ---- counting ----------------------------------------------------------- */

/* Row files that the manifest does not name: from a run that did not end. */
static int remove_rows(const char *dir, struct cooc_err *err)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    int rc = 0;

    if (!d)
        return err_sys(err, "cannot open", dir);
    while (rc == 0 && (e = readdir(d)) != NULL)
        if (!strncmp(e->d_name, "rows-", 5) &&
            unlinkat(dirfd(d), e->d_name, 0) < 0)
            rc = err_sys(err, "cannot remove old rows in", dir);
    closedir(d);
    return rc;
}

/* Forget the rows that are there, so that they can be counted again. */
static int reset_rows(struct store *s, const char *dir, bool recount,
                      struct cooc_err *err)
{
    int rc;

    if (s->manifest.counted) {
        if (!recount)
            return err_set(err, COOC_EEXISTS,
                           "%s: its pairs are counted already; use --force "
                           "to count them again", dir);
        for (uint32_t i = 0; i < s->manifest.n_shards; i++)
            blob_close(s->shards[i]);
        mem_free(s->shards);
        s->shards = NULL;
        mem_free(s->manifest.shards);
        s->manifest.shards = NULL;
        s->manifest.n_shards = 0;
        s->manifest.counted = false;
        rc = manifest_write(&s->manifest, dir, err);
        if (rc < 0)
            return rc;
    }
    return remove_rows(dir, err);
}

static int check_count_options(const struct cooc_count_options *o,
                               struct cooc_err *err)
{
    if (!o->flush_pairs || !o->accumulators)
        return err_set(err, COOC_EINVAL,
                       "flush-pairs and accumulators must not be 0");
    if (o->threads > 1024)
        return err_set(err, COOC_EINVAL, "threads: at most 1024");
    if (o->tmpdir && access(o->tmpdir, W_OK | X_OK) < 0)
        return err_sys(err, "cannot write temporary files", o->tmpdir);
    return 0;
}

static int count_rows(struct store *s, const char *dir,
                      const struct count_method *method,
                      const struct cooc_count_options *o, unsigned threads,
                      struct watch *watch, struct cooc_err *err)
{
    uint64_t memory = o->memory ? o->memory : memory_half();
    struct count_job job = {
        .params = { .flush_pairs = o->flush_pairs,
                    .block_terms = o->block_terms,
                    .accumulators = o->accumulators,
                    .memory = memory / threads,
                    .tmpdir = o->tmpdir ? o->tmpdir : dir },
    };
    struct count_plan plan = { 0 };
    struct shard_writer w = { .dir = dir, .plan = &plan, .inv = &job.inv };
    struct shard_sinks sinks = shard_writer_sinks(&w);
    struct manifest *m = &s->manifest;
    int rc;

    watch_phase(watch, "checking the index", "", 0);
    rc = collection_load(&s->docs, &job.fwd, &job.inv, err);
    if (rc == 0)
        rc = count_plan_init(&plan, &job.fwd, m->terms, err);
    if (rc == 0 && plan.total != m->increments)
        rc = err_set(err, COOC_EFORMAT,
                     "%s: the documents' lengths do not fit the manifest",
                     dir);
    if (rc < 0)
        goto out;
    m->shards = w.infos = mem_zarray(plan.n_shards, sizeof *w.infos);
    rc = w.infos ? 0 : err_nomem(err);
    if (rc < 0)
        goto out;
    watch_phase(watch, "counting", "increments", plan.total);
    rc = count_run(method, &plan, &job, threads, &sinks, watch, err);
    if (rc < 0) {
        remove_rows(dir, NULL);
        goto out;
    }
    m->n_shards = plan.n_shards;
    m->pairs = 0;
    for (uint32_t i = 0; i < m->n_shards; i++)
        m->pairs += m->shards[i].pairs;
    m->counted = true;
    rc = manifest_write(m, dir, err);
out:
    count_plan_release(&plan);
    return rc;
}

static void fill_report(struct cooc_count_report *r, const struct manifest *m,
                        const struct count_method *method, unsigned threads,
                        double seconds)
{
    *r = (struct cooc_count_report){ .method = method->about.name,
                                     .threads = method->by_rows ? threads : 1,
                                     .increments = m->increments,
                                     .pairs = m->pairs,
                                     .seconds = seconds };
    for (uint32_t i = 0; i < m->n_shards; i++)
        r->row_bytes += m->shards[i].id.size;
}

int cooc_count(const char *path, const struct cooc_count_options *options,
               struct cooc_count_report *report, struct cooc_err *err)
{
    struct cooc_count_options defaults;
    const struct count_method *method;
    struct store s = { 0 };
    struct watch watch;
    double start = clock_seconds();
    unsigned threads;
    int lock = -1, rc;

    cooc_count_options_init(&defaults);
    options = options ? options : &defaults;
    rc = check_count_options(options, err);
    if (rc < 0)
        return rc;
    method = count_method_find(options->method, err);
    if (!method)
        return COOC_EINVAL;
    threads = options->threads ? options->threads : pool_cores();
    watch_init(&watch, &options->watch);
    rc = store_open(&s, path, err); /* before the lock: better messages */
    store_close(&s);
    if (rc == 0)
        rc = dir_lock(&lock, path, err);
    if (rc == 0)
        rc = store_open(&s, path, err);
    if (rc == 0)
        rc = reset_rows(&s, path, options->recount, err);
    if (rc == 0)
        rc = count_rows(&s, path, method, options, threads, &watch, err);
    if (rc == 0 && report)
        fill_report(report, &s.manifest, method, threads,
                    clock_seconds() - start);
    store_close(&s);
    if (lock >= 0)
        close(lock);
    watch_release(&watch);
    return rc;
}
