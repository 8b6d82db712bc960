/* estimate.h - how much a count will write, from a sample of rows.
 *
 * The number of increments is known exactly (count/plan.h); how many distinct
 * pairs they make is not, short of counting.  A few hundred rows, chosen the
 * same way every time, tell it well enough to know whether the disk will do.
 */
#ifndef COOC_ESTIMATE_H
#define COOC_ESTIMATE_H

#include "count/method.h"
#include "count/plan.h"
#include "store/manifest.h"

struct batch_ends;
struct watch;

struct rows_guess {
    uint64_t pairs;
    uint64_t bytes;     /* of whole files */
    uint64_t temporary; /* bytes that batches write to be merged */
};

/* The rows of the shards whose done[] is not filled, and those left out;
 * counted in these batches, if there are any.
 * Costs at most a 400th of counting them one by one, and a hundredth of a
 * second or two. */
int rows_estimate(const struct count_plan *plan, const struct count_job *job,
                  const struct shard_info *done,
                  const struct batch_ends *batches, struct rows_guess *out,
                  struct watch *watch, struct cooc_err *err);

/* What to have free on the disk before guessed bytes go into so many files. */
uint64_t estimate_room(uint64_t bytes, uint32_t files);

#endif
