/* tally_rows.h - sinks for more shards than are written.
 *
 * The first shards go where they should; of the others only the pairs are
 * counted.  Batches need this for rows that are left out: without the
 * forward lists in memory, counting such a row is making it.
 */
#ifndef COOC_TALLY_ROWS_H
#define COOC_TALLY_ROWS_H

#include <stdatomic.h>

#include "count/count_run.h"

struct tally_rows {
    const struct shard_sinks *sinks; /* of the first shards, */
    uint32_t written;                /* which are so many */
    atomic_uint_fast64_t pairs;      /* of the others */
};

/* Sinks for count_run(); t must stay. */
struct shard_sinks tally_rows_sinks(struct tally_rows *t);

#endif
