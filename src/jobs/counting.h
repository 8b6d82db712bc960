/* counting.h - the state of a count, and its steps.
 *
 * count.c runs the steps of a whole count, counter.c those of a part.
 * count_rows.c plans and counts rows; estimate.c estimates, before counting,
 * how much will be written and whether it fits on the disk; resume.c keeps
 * finished units.
 */
#ifndef COOC_COUNTING_H
#define COOC_COUNTING_H

#include "base/watch.h"
#include "cooc_build.h"
#include "jobs/batch.h"
#include "jobs/runs.h"
#include "jobs/steps.h"
#include "rows/doc_maps.h"
#include "store/shard_writer.h"
#include "store/store.h"

/* The part of the predicted time that passes before rows are counted. */
#define COUNTING_CHECK 0.05

struct parts_file;

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
    struct shard_writer w; /* knows the units to count */
    struct doc_maps maps;  /* made when they are first needed */
    bool has_maps;
    double maps_seconds;   /* time that making them took */
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

/* Find the finished units in [w->first, w->last) and fill their infos.  With
 * `clean`, remove files that are damaged or do not belong to the plan; with
 * `quick`, verify only seals.  Sets the numbers of shards kept and dropped. */
int resume_units(struct shard_writer *w, bool clean, bool quick,
                 unsigned threads, uint64_t *kept, uint64_t *dropped,
                 struct watch *watch, struct cooc_err *err);

/* Remove files that belong neither to the store, nor to one of n_shards shards
 * or n_shares shares: files that were being written when a job was killed,
 * journals except `own` (which may be NULL), and rows of other plans. */
int resume_clean(const char *dir, uint32_t n_shards, uint32_t n_shares,
                 const struct journal *own, struct cooc_err *err);

/* ---- agreement.c: parts divide and omit the same rows ------------------- */

/* If parts of the store have been counted, write the same rows as they do.
 * COOC_EINVAL if the options say otherwise, unless they ask for a recount. */
int parts_adopt(struct counting *c, struct cooc_err *err);

/* Describe the plan.  work: the predicted time of each unit. */
int parts_describe(struct parts_file *p, const struct counting *c,
                   const uint64_t *work, struct cooc_err *err);

/* Write the plan for other parts, or compare it with the one that is there. */
int parts_agree(const struct counting *c, const uint64_t *work,
                struct cooc_err *err);

/* Divide units [first, last) with these costs into `parts` ranges of about
 * equal cost: set the ends of range `part`. */
void units_range(const uint64_t *work, uint64_t first, uint64_t last,
                 uint64_t part, uint64_t parts, uint64_t *begin_at,
                 uint64_t *end_at);

/* ---- count_rows.c: planning and counting -------------------------------- */

/* Set the parameters of the job from the options. */
void counting_init(struct counting *c);
void counting_release(struct counting *c);

/* Decide which rows to write.  A recount writes the same kind of rows as
 * before, and a count the same kind as its parts, unless the options say
 * otherwise. */
void counting_choose_rows(struct counting *c);

/* Open and verify the collection, all of it or only the documents, and plan its
 * units. */
int counting_plan(struct counting *c, bool documents_only,
                  struct cooc_err *err);

/* Count the missing units in [c->w.first, c->w.last). */
int counting_run(struct counting *c, struct cooc_err *err);

/* The increments of the units to count, finished or not. */
uint64_t counting_increments(const struct counting *c);

/* The predicted time of a unit (count_plan_work()). */
uint64_t counting_work(const struct counting *c, uint32_t unit);

/* Fill the report, except for what only a finished store has. */
void counting_report(struct counting *c);

#endif
