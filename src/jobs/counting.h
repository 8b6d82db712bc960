/* counting.h - one count of a store, as its steps see it.
 *
 * count.c goes from step to step; estimate.c says before the work how much
 * will be written, and whether the disk has room for it.
 */
#ifndef COOC_COUNTING_H
#define COOC_COUNTING_H

#include "base/watch.h"
#include "cooc_build.h"
#include "jobs/batch.h"
#include "jobs/runs.h"
#include "jobs/steps.h"
#include "store/shard_writer.h"
#include "store/store.h"

struct counting {
    const char *dir;
    const struct rows_order *how;
    const struct count_order *order;
    struct watch watch;
    struct store s;
    struct count_job job; /* both views, parameters */
    struct count_plan plan;
    struct budget budget; /* its method counts, on its threads */
    struct batch_ends batches;
    struct runs_report runs;
    struct shard_writer w;
    bool recount;
    uint32_t head_terms; /* with bitmaps */
    uint64_t kept_cost, kept_pairs, kept_bytes; /* of finished shards */
    uint64_t largest; /* bytes of a shard that is to be replaced */
    struct cooc_count_report r;
    struct cooc_estimate estimate;
};

/* Report what is coming, and refuse to count if the disk seems too small. */
int counting_estimate(struct counting *c, struct cooc_err *err);

/* The disk was full: estimate again what the missing shards need. */
void counting_estimate_again(struct counting *c);

/* ---- resume.c: the rows that an earlier count left behind ----------------
 *
 * Until the manifest names them, rows are no part of the store.  A count
 * begins by looking at what is there: finished shards of the same rows and
 * collection are verified whole and kept, all else is removed. */

/* Find the finished shards of w->plan in w->dir, fill their w->infos, remove
 * those that are damaged or do not belong.  kept and dropped: how many. */
int resume_shards(const struct shard_writer *w, uint64_t *kept,
                  uint64_t *dropped, struct watch *watch,
                  struct cooc_err *err);

/* Remove what no shard of n_shards and no store is: files being written when
 * a job was killed, and rows of other plans. */
int resume_clean(const char *dir, uint32_t n_shards, struct cooc_err *err);

#endif
