/* shard_writer.h - write the rows of a count to shard files. */
#ifndef COOC_SHARD_WRITER_H
#define COOC_SHARD_WRITER_H

#include <stdatomic.h>

#include "count/count_run.h"
#include "store/seal.h"

struct kernels;
struct watch;

/* Writes rows-NNNN.bin to dir.  infos[shard] is filled when a shard is
 * complete; a shard with infos filled in advance already exists.  For shards
 * from n_shards on, only the pairs are counted: batches count omitted rows as
 * well, because they do not have the whole forward index in memory. */
struct shard_writer {
    const char *dir;
    const struct count_plan *plan;
    struct shard_info *infos; /* by shard, n_shards items */
    uint32_t n_shards;
    atomic_uint_fast64_t unwritten; /* pairs in shards from n_shards on */
    struct row_source from;
    const struct kernels *k; /* NULL: the fastest */
    struct watch *watch; /* receives the number of bytes written */
};

/* Return sinks for count_run().  w must outlive them. */
struct shard_sinks shard_writer_sinks(struct shard_writer *w);

#endif
