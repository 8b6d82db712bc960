/* rows_write.h - shard files, fed with rows. */
#ifndef COOC_ROWS_WRITE_H
#define COOC_ROWS_WRITE_H

#include "count/count_run.h"
#include "store/seal.h"

struct kernels;
struct watch;

/* Writes rows-NNNN.bin into dir; infos[shard] is filled when one ends, and
 * shards whose infos are filled beforehand are there already. */
struct shard_writer {
    const char *dir;
    const struct count_plan *plan;
    struct shard_info *infos;
    struct row_source from;
    const struct kernels *k; /* NULL: the best */
    struct watch *watch; /* told of the bytes written; may be NULL */
};

/* Sinks for count_run(); w must stay. */
struct shard_sinks shard_writer_sinks(struct shard_writer *w);

#endif
