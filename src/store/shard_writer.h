/* shard_writer.h - shard files, fed with rows. */
#ifndef COOC_SHARD_WRITER_H
#define COOC_SHARD_WRITER_H

#include <stdatomic.h>

#include "count/count_run.h"
#include "store/seal.h"

struct kernels;
struct watch;

/* Writes rows-NNNN.bin into dir; infos[shard] is filled when one ends, and
 * shards whose infos are filled beforehand are there already.  Of shards from
 * n_shards on, only the pairs are counted: batches make rows that are left
 * out as well, since they do not have the whole forward index in memory. */
struct shard_writer {
    const char *dir;
    const struct count_plan *plan;
    struct shard_info *infos; /* n_shards of them */
    uint32_t n_shards;
    atomic_uint_fast64_t unwritten; /* pairs of later shards */
    struct row_source from;
    const struct kernels *k; /* NULL: the best */
    struct watch *watch; /* told of the bytes written */
};

/* Sinks for count_run(); w must stay. */
struct shard_sinks shard_writer_sinks(struct shard_writer *w);

#endif
