/* resume.h - the rows that an earlier count left behind.
 *
 * Until the manifest names them, rows are no part of the store.  A count
 * begins by looking at what is there: finished shards of the same rows and
 * collection are verified whole and kept, all else is removed.
 */
#ifndef COOC_RESUME_H
#define COOC_RESUME_H

#include "store/shard_writer.h"

struct watch;

/* Find the finished shards of w->plan in w->dir, fill their w->infos, remove
 * those that are damaged or do not belong.  kept and dropped: how many. */
int resume_shards(const struct shard_writer *w, uint64_t *kept,
                  uint64_t *dropped, struct watch *watch,
                  struct cooc_err *err);

/* Remove what no shard of n_shards and no store is: files being written when
 * a job was killed, and rows of other plans. */
int resume_clean(const char *dir, uint32_t n_shards, struct cooc_err *err);

#endif
