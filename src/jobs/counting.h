/* counting.h - the state of a count, shared by its steps.
 *
 * count.c runs the steps; estimate.c estimates, before counting, how much will
 * be written and whether it fits on the disk; resume.c keeps finished shards.
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

/* The part of the predicted time that passes before rows are counted. */
#define COUNTING_CHECK 0.05

struct counting {
    const char *dir;
    const struct rows_order *how;
    const struct count_order *order;
    struct watch watch;
    struct store s;
    struct count_job job; /* forward and inverted index, parameters */
    struct count_plan plan;
    struct budget budget; /* the method and the number of threads */
    struct batch_ends batches;
    struct runs_report runs;
    struct shard_writer w;
    bool recount;
    uint32_t head_terms; /* number of terms in bitmaps */
    uint64_t kept_cost, kept_pairs, kept_bytes; /* totals of finished shards */
    uint64_t largest; /* bytes of the largest shard to be replaced */
    struct cooc_count_report r;
    struct cooc_estimate estimate;
};

/* Report the estimate.  COOC_EFULL if the disk seems too small. */
int counting_estimate(struct counting *c, struct cooc_err *err);

/* Estimate again what the missing shards need, after the disk was full. */
void counting_estimate_again(struct counting *c);

/* ---- resume.c: the rows that an earlier count has left -----------------
 *
 * Rows are not part of the store until the manifest names them.  A count
 * begins by examining the existing row files: finished shards of the same rows
 * and the same collection are verified completely and kept, all other row
 * files are removed.
 */

/* Find the finished shards of w->plan in w->dir and fill their w->infos.
 * Remove shards that are damaged or do not belong to the plan.  Sets the
 * numbers of shards kept and dropped. */
int resume_shards(const struct shard_writer *w, uint64_t *kept,
                  uint64_t *dropped, struct watch *watch,
                  struct cooc_err *err);

/* Remove files that belong neither to the store nor to one of n_shards shards:
 * files that were being written when a job was killed, and rows of other
 * plans. */
int resume_clean(const char *dir, uint32_t n_shards, struct cooc_err *err);

#endif
