/* count_store.c - cooc_count(): the rows of a store.
 *
 * Counting adds files that only the last step, the new manifest, makes part
 * of the store.  To count again is to write the same bytes again, so the old
 * rows stay in force until each is replaced by its like, and a recount that
 * fails half-way has done no harm.  Only if other rows are to be left out
 * than before do the files differ: then the store is not counted from the
 * first new file to the last.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "count/count_run.h"
#include "count/left_out.h"
#include "kernel/kernel.h"
#include "store/rows_write.h"
#include "store/store.h"

void cooc_count_options_init(struct cooc_count_options *o)
{
    *o = (struct cooc_count_options){ .flush_pairs = 100000000,
                                      .accumulators = 100 };
}

static bool is_shard(const char *name, uint32_t n_shards)
{
    char own[SHARD_NAME_MAX];
    unsigned long i = strtoul(name + strlen("rows-"), NULL, 10);

    if (i >= n_shards)
        return false;
    shard_name(own, (uint32_t)i);
    return !strcmp(name, own);
}

/* Remove row files that the manifest, with its n_shards, does not name: they
 * are from a run that did not end. */
static int remove_rows(const char *dir, uint32_t n_shards,
                       struct cooc_err *err)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    int rc = 0;

    if (!d)
        return err_sys(err, "cannot open", dir);
    while (rc == 0 && (e = readdir(d)) != NULL)
        if (!strncmp(e->d_name, "rows-", 5) &&
            !is_shard(e->d_name, n_shards) &&
            unlinkat(dirfd(d), e->d_name, 0) < 0)
            rc = err_sys(err, "cannot remove old rows in", dir);
    closedir(d);
    return rc;
}

static int check_count_options(const struct cooc_count_options *o,
                               struct cooc_err *err)
{
    if (!o->flush_pairs || !o->accumulators)
        return err_set(err, COOC_EINVAL,
                       "flush-pairs and accumulators must not be 0");
    if (o->threads > 1024)
        return err_set(err, COOC_EINVAL, "threads: at most 1024");
    if ((unsigned)o->rows > COOC_ROWS_COSTLY)
        return err_set(err, COOC_EINVAL, "there are no rows %d", (int)o->rows);
    if (o->costly_df && o->rows != COOC_ROWS_COSTLY)
        return err_set(err, COOC_EINVAL, "costly-df needs rows costly");
    if (o->costly_df > LEFT_OUT_DF_MAX)
        return err_set(err, COOC_EINVAL, "costly-df: at most %u",
                       LEFT_OUT_DF_MAX);
    if (!kernel_find(o->kernel, err))
        return COOC_EINVAL;
    if (o->tmpdir && access(o->tmpdir, W_OK | X_OK) < 0)
        return err_sys(err, "cannot write temporary files", o->tmpdir);
    return 0;
}

/* The rows of the store go out of force, and then go, if the plan is to
 * leave out others. */
static int drop_other_rows(struct manifest *m, const struct count_plan *p,
                           const char *dir, struct cooc_err *err)
{
    int rc;

    if (!m->counted || (m->left_out.df == p->left_out_df &&
                        rows_written(m) == p->made &&
                        m->n_shards == p->n_shards))
        return 0;
    m->counted = false;
    m->n_shards = 0;
    rc = manifest_write(m, dir, err);
    return rc < 0 ? rc : remove_rows(dir, 0, err);
}

/* Shards are written; make them the store's. */
static int name_rows(struct manifest *m, const struct count_plan *p,
                     uint64_t left_out, const char *dir, struct cooc_err *err)
{
    m->left_out = (struct left_out_info){ .df = p->left_out_df,
                                          .rows = m->terms - p->made,
                                          .pairs = left_out };
    m->n_shards = p->n_shards;
    m->pairs = left_out;
    for (uint32_t i = 0; i < m->n_shards; i++)
        m->pairs += m->shards[i].pairs;
    m->counted = true;
    return manifest_write(m, dir, err);
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
                    .head_terms = o->head_terms,
                    .kernels = kernel_find(o->kernel, err),
                    .memory = memory / threads,
                    .tmpdir = o->tmpdir ? o->tmpdir : dir },
    };
    struct count_plan plan = { 0 };
    struct shard_writer w = { .dir = dir, .plan = &plan };
    struct shard_sinks sinks = shard_writer_sinks(&w);
    struct manifest *m = &s->manifest;
    uint64_t left_out = 0;
    uint32_t old_shards;
    int rc;

    watch_phase(watch, "checking the index", "", 0);
    rc = collection_load(&s->docs, &job.fwd, &job.inv, err);
    if (rc == 0)
        rc = count_plan_init(&plan, &job.fwd, m->terms, err);
    if (rc == 0 && plan.total != m->increments)
        rc = err_set(err, COOC_EFORMAT,
                     "%s: the documents' lengths do not fit the manifest",
                     dir);
    if (rc == 0)
        rc = count_plan_leave_out(&plan, &job.inv,
                                  o->rows == COOC_ROWS_ALL ? 1 : o->costly_df,
                                  err);
    if (rc == 0)
        rc = drop_other_rows(m, &plan, dir, err);
    if (rc < 0)
        goto out;
    old_shards = m->n_shards;
    mem_free(m->shards);
    m->shards = w.infos = mem_zarray(plan.n_shards, sizeof *w.infos);
    rc = w.infos ? 0 : err_nomem(err);
    if (rc < 0)
        goto out;
    watch_phase(watch, "counting", "increments", plan.total);
    rc = left_out_pairs(&plan, &job.fwd, &job.inv, threads, watch, &left_out,
                        err);
    if (rc == 0)
        rc = count_run(method, &plan, &job, threads, &sinks, watch, err);
    if (rc < 0) {
        remove_rows(dir, old_shards, NULL);
        goto out;
    }
    rc = name_rows(m, &plan, left_out, dir, err);
out:
    count_plan_release(&plan);
    return rc;
}

static void fill_report(struct cooc_count_report *r, const struct manifest *m,
                        const struct count_method *method, unsigned threads,
                        double seconds)
{
    if (!method->by_rows || !m->n_shards)
        threads = 1;
    else if (threads > m->n_shards) /* a shard is one thread's work */
        threads = m->n_shards;
    *r = (struct cooc_count_report){ .method = method->about.name,
                                     .threads = threads,
                                     .increments = m->increments,
                                     .pairs = m->pairs,
                                     .left_out_df = m->left_out.df,
                                     .left_out_rows = m->left_out.rows,
                                     .left_out_pairs = m->left_out.pairs,
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
    rc = store_open_documents(&s, path, err); /* first: better messages */
    store_close(&s);
    if (rc == 0)
        rc = dir_lock(&lock, path, err);
    if (rc == 0)
        rc = store_open_documents(&s, path, err);
    if (rc == 0 && s.manifest.counted && !options->recount)
        rc = err_set(err, COOC_EEXISTS,
                     "%s: its pairs are counted already; use --force to "
                     "count them again", path);
    if (rc == 0)
        rc = remove_rows(path, s.manifest.n_shards, err);
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
