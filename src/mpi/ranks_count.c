/* ranks_count.c - count the units of a store with all ranks.
 *
 * Rank 0 hands out ranges of consecutive units.  A range has a share of the
 * predicted cost of all units that are left, so the ranges become smaller, and
 * all ranks finish at about the same time although predictions are not exact
 * and hosts differ (guided self-scheduling):
 *
 *     cost of a range = cost that is left / (SPLIT * number of ranks)
 *
 * Example: 2 ranks get 1/4, 3/16, 9/64, 27/256, ... of the cost.
 *
 * If memory is so short that documents are counted in batches, each range costs
 * a pass over all documents.  Then every rank gets one large range and few
 * small ones.
 *
 * A single rank calls cooc_count(), which need not verify what it has written
 * itself: that would take up to a tenth of the time.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_parts.h"
#include "mpi/ranks.h"
#include "mpi/ranks_share.h"
#include "mpi/work.h"

enum { SPLIT = 2 };
static const uint64_t COST_MIN = 50000000; /* of a range, about 50 ms */

struct counting_job {
    struct work work;
    struct cooc_watch watch;
    struct cooc_count_options o;
    struct cooc_counter *counter;
    struct cooc_counter_info info;
    char label[HOST_NAME + 20];

    /* Rank 0. */
    uint64_t *cost; /* of each unit; 0: finished */
    uint64_t at;    /* first unit that is not handed out */
    uint64_t left;  /* cost of the units from there */
    uint64_t kept;  /* number of row files that are already finished */
};

/* ---- rank 0: ranges ------------------------------------------------------ */

static bool next_range(void *self, unsigned rank, struct item *out)
{
    struct counting_job *j = self;
    uint64_t share = j->left / (j->info.in_batches ? 1 : SPLIT) / ranks.size;
    uint64_t units = 0;

    (void)rank;
    while (j->at < j->info.units && !j->cost[j->at])
        j->at++;
    if (j->at == j->info.units)
        return false;
    if (share < COST_MIN)
        share = COST_MIN;
    *out = (struct item){ .first = j->at };
    while (j->at < j->info.units &&
           (out->cost < share || units < j->info.threads)) {
        units += j->cost[j->at] > 0;
        out->cost += j->cost[j->at++];
    }
    out->last = j->at;
    j->left -= out->cost;
    return true;
}

/* Find out which units are finished. */
static int survey(struct counting_job *j, struct cooc_err *err)
{
    int rc = cooc_counter_look(j->counter, 0, j->info.units, err);

    if (rc < 0)
        return rc;
    j->cost = mem_zarray(j->info.units, sizeof *j->cost);
    if (!j->cost)
        return err_nomem(err);
    for (uint64_t i = 0; i < j->info.units; i++) {
        uint64_t cost = cooc_counter_cost(j->counter, i);

        j->work.cost += cost;
        if (!cooc_counter_finished(j->counter, i))
            j->left += j->cost[i] = cost ? cost : 1;
        else
            j->kept += i < j->info.shards;
    }
    j->work.cost_done = j->work.cost > j->left ? j->work.cost - j->left : 0;
    j->work.now.total = j->info.increments;
    return 0;
}

/* ---- all ranks ----------------------------------------------------------- */

static int count_range(void *self, const struct item *item,
                       uint64_t result[WORK_RESULTS], char *text,
                       struct cooc_err *err)
{
    struct counting_job *j = self;

    (void)result;
    (void)text;
    own_stats()->units += item->last - item->first;
    return cooc_counter_count(j->counter, item->first, item->last, NULL, err);
}

static int open_counter(struct counting_job *j, const char *store,
                        struct cooc_err *err)
{
    int rc = cooc_counter_open(&j->counter, store, &j->o, err);

    cooc_init(&j->info, sizeof j->info);
    if (rc == 0)
        rc = cooc_counter_info_get(j->counter, &j->info, err);
    if (rc == 0)
        own_stats()->threads = j->info.threads;
    return rc < 0 || ranks.rank ? rc : survey(j, err);
}

static void prepare(struct counting_job *j, const struct cooc_count_options *o)
{
    *j = (struct counting_job){
        .work = { .self = j, .next = next_range, .run = count_range,
                  .watch = o->watch, .now = COOC_INIT(cooc_progress) },
        .o = *o,
    };
    j->work.now.phase = "counting";
    j->work.now.unit = "increments";
    j->work.now.share = -1;
    j->watch = work_watch(&j->work);
    j->o.watch = &j->watch;
    j->o.recount = false; /* the store is not counted yet */
    j->o.threads = share_threads(o->threads);
    j->o.memory = share_memory(o->memory);
    snprintf(j->label, sizeof j->label, "rank %u on %s", ranks.rank,
             own_stats()->host);
    j->o.label = j->label;
}

/* Rank 0, when the others have closed their counters. */
static int finish(struct counting_job *j, const char *store, double start,
                  const struct cooc_count_options *given,
                  struct cooc_count_report *report, struct cooc_err *err)
{
    struct cooc_count_options o = j->o;
    struct cooc_watch watch = j->watch;
    int rc;

    watch.estimate = NULL; /* everything is counted */
    o.watch = &watch;
    o.label = NULL;
    o.rows_known = true; /* survey() verified what the ranks did not write */
    o.threads = share_all_threads(given->threads);
    rc = cooc_count(store, &o, report, err);
    report->seconds = clock_seconds() - start;
    if (report->estimate)
        report->estimate->shards_kept = j->kept;
    report->threads = 0;
    for (unsigned r = 0; r < ranks.size; r++)
        report->threads += (unsigned)ranks.stats[r].threads;
    return rc;
}

/* Rank 0: report what is wrong with the store before anything is done. */
static int check_store(const char *store, const struct cooc_count_options *o,
                       struct cooc_err *err)
{
    struct cooc_info info = COOC_INFO;
    struct cooc *db = NULL;
    int rc = cooc_open(&db, store, err);

    if (rc == 0)
        rc = cooc_info_get(db, &info, err);
    cooc_close(db);
    if (rc < 0 || !info.counted)
        return rc;
    if (o->recount)
        return err_path(err, COOC_EEXISTS, store,
                        "the pairs of this store are already counted; ranks "
                        "do not count again, but 'cooc count --force' does");
    return err_path(err, COOC_EEXISTS, store,
                    "the pairs of this store are already counted");
}

static int count_alone(const char *store, const struct cooc_count_options *o,
                       struct cooc_count_report *report, struct cooc_err *err)
{
    struct cooc_count_options own = *o;
    struct rank_stats *s = own_stats();
    double start = clock_seconds();
    int rc = check_store(store, o, err);

    own.recount = false; /* as with several ranks */
    if (rc == 0)
        rc = cooc_count(store, &own, report, err);
    s->busy += clock_seconds() - start;
    s->threads = report->threads;
    s->items++;
    return rc;
}

int ranks_count(const char *store, const struct cooc_count_options *options,
                struct cooc_count_report *report, struct cooc_err *err)
{
    struct counting_job j;
    double start = clock_seconds();
    int rc = 0;

    if (ranks.size == 1)
        return count_alone(store, options, report, err);
    prepare(&j, options);
    if (ranks.rank == 0)
        rc = check_store(store, options, err);
    if (rc == 0)
        rc = share_directory(store, options->watch, err);
    if (rc == 0)
        rc = open_counter(&j, store, err);
    if (rc == 0) {
        rc = work_run(&j.work, err);
        cooc_counter_close(j.counter);
        rc = work_leave(&j.work, rc, err);
        if (rc == 0 && ranks.rank == 0)
            rc = finish(&j, store, start, options, report, err);
        rc = work_agree(&j.work, rc, err);
    } else {
        cooc_counter_close(j.counter);
    }
    mem_free(j.cost);
    return rc;
}
