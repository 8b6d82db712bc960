/* count.c - cooc_count(): count the rows of a store.
 *
 * Counting adds files that become part of the store only in the last step, when
 * the new manifest is written.  If a count ends before that, the finished
 * shards remain, and the next count continues from them (resume.c).
 *
 * A recount writes the same bytes again, so the old rows remain valid while
 * they are replaced shard by shard, and a recount that fails halfway does no
 * harm.  Only if other rows are to be omitted than before do the files differ;
 * then the old rows are discarded first.
 */
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "jobs/counting.h"
#include "jobs/input_fingerprint.h"
#include "store/journal.h"
#include "store/parts_file.h"

/* Whether the shards in the manifest are those of the plan. */
static bool same_rows(const struct manifest *m, const struct count_plan *p)
{
    if (m->n_shards != p->n_shards || m->omitted.df != p->omitted_df ||
        rows_written(m) != p->made)
        return false;
    for (uint32_t i = 0; i < m->n_shards; i++)
        if (m->shards[i].last != p->cuts[i + 1])
            return false;
    return true;
}

/* Discard old rows that cannot be replaced shard by shard. */
static int discard_old_rows(struct counting *c, struct cooc_err *err)
{
    struct manifest *m = &c->s.manifest;
    int rc;

    if (!m->counted || same_rows(m, &c->plan))
        return 0;
    m->counted = false;
    rc = manifest_write(m, c->dir, err);
    return rc < 0 ? rc : resume_clean(c->dir, 0, 0, c->w.journal, err);
}

/* Find the rows that already exist; the infos of units say which are
 * finished. */
static int begin_rows(struct counting *c, struct cooc_err *err)
{
    struct manifest *m = &c->s.manifest;
    struct cooc_estimate *e = &c->estimate;
    int rc = discard_old_rows(c, err);

    c->recount = m->counted;
    for (uint32_t i = 0; i < m->n_shards; i++)
        if (m->shards[i].id.size > c->largest)
            c->largest = m->shards[i].id.size;
    if (rc == 0)
        rc = resume_clean(c->dir, c->plan.n_shards, c->plan.n_shares,
                          c->w.journal, err);
    mem_free(m->shards);
    m->n_shards = 0;
    m->shards = c->w.infos;
    if (rc == 0 && !c->recount)
        rc = resume_units(&c->w, true, c->order->o.rows_known,
                          c->order->o.threads, &e->shards_kept,
                          &e->shards_dropped, &c->watch, err);
    for (uint32_t i = 0; rc == 0 && i < c->plan.n_shards; i++) {
        c->kept_pairs += c->w.infos[i].pairs;
        c->kept_bytes += c->w.infos[i].id.size;
    }
    for (uint32_t i = 0; rc == 0 && i < c->plan.n_shares; i++)
        c->kept_pairs += c->w.shares[i].pairs;
    c->r.shards_done = e->shards_kept;
    return rc;
}

/* Make all shards part of the store by writing the manifest. */
static int publish_rows(struct counting *c, struct cooc_err *err)
{
    struct manifest *m = &c->s.manifest;
    uint64_t omitted = 0;
    int rc;

    for (uint32_t i = 0; i < c->plan.n_shares; i++)
        omitted += c->w.shares[i].pairs;
    watch_phase(&c->watch, "writing the manifest", "", 0);
    watch_expect(&c->watch, 1, 1, 0);
    rc = watch_add(&c->watch, 0, 0, 0, err);
    if (rc < 0)
        return rc;
    m->omitted = (struct omitted_info){ .df = c->plan.omitted_df,
                                        .rows = m->terms - c->plan.made,
                                        .pairs = omitted };
    m->n_shards = c->plan.n_shards;
    m->pairs = omitted;
    for (uint32_t i = 0; i < m->n_shards; i++)
        m->pairs += m->shards[i].pairs;
    m->counted = true;
    journal_remove(c->w.journal); /* a counted store has no journal */
    return manifest_write(m, c->dir, err);
}

/* Record which shards are finished and, if the disk is full, what the
 * remaining shards need. */
static void record_outcome(struct counting *c, int rc)
{
    c->r.shards_done = 0;
    for (uint32_t i = 0; i < c->plan.n_shards; i++)
        c->r.shards_done += c->w.infos[i].id.size > 0;
    if (rc < 0)
        resume_clean(c->dir, c->plan.n_shards, c->plan.n_shares,
                     c->w.journal, NULL);
    if (rc == COOC_EFULL)
        counting_estimate_again(c);
}

static int count_rows(struct counting *c, struct cooc_err *err)
{
    int rc = counting_run(c, err);

    if (rc == 0)
        rc = publish_rows(c, err);
    record_outcome(c, rc);
    return rc;
}

static int count_all(struct counting *c, struct cooc_err *err)
{
    int rc;

    c->w = (struct shard_writer){
        .dir = c->dir, .plan = &c->plan, .watch = &c->watch,
        .k = c->job.params.kernels, .journal = c->how->journal,
        .from = { .collection = seal_collection(c->s.manifest.files) },
    };
    if (c->s.manifest.counted && !c->order->o.recount)
        return err_path_option(err, COOC_EEXISTS, c->dir, "recount",
                               "the pairs of this store are already counted");
    if (workdir_access(c->dir, W_OK | X_OK) < 0) /* fail early */
        return err_sys(err, "cannot write to the store", c->dir);
    rc = parts_adopt(c, err);
    counting_choose_rows(c);
    if (rc == 0)
        rc = counting_plan(c, false, err);
    if (rc == 0)
        rc = begin_rows(c, err);
    if (rc == 0)
        rc = counting_estimate(c, err);
    if (rc == 0)
        rc = count_rows(c, err);
    if (rc == 0)
        counting_report(c);
    return rc;
}

int count_rows_in(const char *dir, const struct count_order *order,
                  const struct rows_order *how, struct count_outcome *outcome,
                  struct cooc_err *err)
{
    struct counting c = { .dir = dir, .order = order, .how = how };
    double start = clock_seconds();
    int rc;

    counting_init(&c);
    rc = watch_init(&c.watch, &order->watch, err);
    if (rc == 0)
        rc = store_open(&c.s, dir, false, err);
    if (rc == 0)
        rc = count_all(&c, err);
    c.r.seconds = clock_seconds() - start;
    c.r.head_terms = c.head_terms;
    *outcome = (struct count_outcome){ .r = c.r, .estimate = c.estimate };
    counting_release(&c);
    return rc;
}

/* Remove what is not part of a counted store. */
static int clean_counted(const char *dir, struct cooc_err *err)
{
    struct manifest m;
    int rc = manifest_read(&m, dir, err);

    if (rc == 0)
        rc = resume_clean(dir, m.n_shards, 0, NULL, err);
    manifest_release(&m);
    return rc < 0 ? rc : parts_file_remove(dir, err);
}

/* Lock the directory at path and count in it, even if it is renamed later. */
static int count_locked(struct workdir *workdir, const char *path,
                        const struct count_order *order,
                        struct count_outcome *outcome, struct cooc_err *err)
{
    struct rows_order how = { 0 };
    struct journal *journal = NULL;
    int lock, rc = journal_lock(&lock, path, false, err);

    if (rc < 0)
        return rc;
    workdir_alias(workdir, path, lock);
    if (workdir_access(path, W_OK | X_OK) == 0) /* else fail later */
        rc = journal_open(&journal, path, false, order->o.label, err);
    how.journal = journal;
    if (rc == 0)
        rc = count_rows_in(path, order, &how, outcome, err);
    journal_close(journal, JOURNAL_DROP);
    if (rc == 0 || rc == COOC_EEXISTS || rc == COOC_EFORMAT)
        /* counted, or damaged and to be indexed again */
        input_fingerprint_remove(path);
    if (rc == 0 || rc == COOC_EEXISTS)
        clean_counted(path, NULL); /* what is left does no harm */
    workdir_alias(workdir, NULL, -1);
    dir_unlock(lock);
    return rc;
}

int cooc_count(const char *path, const struct cooc_count_options *options,
               struct cooc_count_report *report, struct cooc_err *err)
{
    struct count_order order;
    struct count_outcome own = { 0 };
    struct manifest m = { 0 };
    struct workdir workdir;
    int rc = workdir_begin(&workdir, err);

    if (rc == 0)
        rc = count_report_check(report, err);
    if (rc == 0)
        rc = count_order_read(&order, options, err);
    if (rc == 0) /* first, for better messages */
        rc = manifest_read(&m, path, err);
    manifest_release(&m);
    if (rc == 0)
        rc = count_locked(&workdir, path, &order, &own, err);
    workdir_end(&workdir);
    if (rc < 0) /* a published store remains a success */
        rc = library_alloc_end(rc, err);
    count_report_write(&own, report);
    return rc;
}
