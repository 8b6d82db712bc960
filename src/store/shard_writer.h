/* shard_writer.h - write the rows of a count to shard files. */
#ifndef COOC_SHARD_WRITER_H
#define COOC_SHARD_WRITER_H

#include "count/count_run.h"
#include "store/seal.h"

struct kernels;
struct watch;

/* Writes rows-NNNN.bin to dir.  infos[shard] is filled when a shard is
 * complete; a shard with infos filled in advance already exists.  Shards from
 * n_shards on are shares of the omitted rows, of which only the pairs are
 * counted: batches count them as well, because they do not have the whole
 * forward index in memory.  The number of a shard, or n_shards plus the number
 * of a share, is called a unit. */
struct shard_writer {
    const char *dir;
    const struct count_plan *plan;
    struct shard_info *infos; /* by shard, n_shards items */
    uint32_t n_shards;
    struct shard_info *shares; /* by share; last is 0 if it is not counted */
    uint64_t *share_pairs; /* of its rows that are in no shard; or NULL */
    uint32_t first, last; /* only these units are requested */
    bool shared; /* others write units, too; write files of shares */
    struct journal *journal; /* receives finished units; or NULL */
    struct row_source from;
    const struct kernels *k; /* NULL: the fastest */
    struct watch *watch; /* receives the number of bytes written */
};

/* Note the number of pairs in a share. */
int shard_writer_share(struct shard_writer *w, uint32_t share, uint64_t pairs,
                       struct cooc_err *err);
/* Whether a share need not be counted. */
bool shard_writer_has(struct shard_writer *w, uint32_t unit);

/* Examine the file of a unit, if there is one.  Returns 1 and fills its info if
 * the unit is finished, 0 if there is no file, COOC_EFORMAT if the file is
 * damaged or another unit, or another error. */
int shard_writer_look(struct shard_writer *w, uint32_t unit, bool quick,
                      struct watch *watch, struct cooc_err *err);
/* Whether the info of a unit says that it is finished. */
static inline bool shard_writer_knows(const struct shard_writer *w,
                                      uint32_t unit)
{
    return unit < w->n_shards ? w->infos[unit].id.size > 0
                              : w->shares[unit - w->n_shards].last > 0;
}
static inline uint32_t shard_writer_units(const struct shard_writer *w)
{
    return w->n_shards + w->plan->n_shares;
}

/* Return sinks for count_run().  w must outlive them. */
struct shard_sinks shard_writer_sinks(struct shard_writer *w);

#endif
