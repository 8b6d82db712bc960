/* ranks_parts.h - the directory with the parts of an index, ".NAME.cooc.parts"
 * next to the store.  Rank 0 locks it. */
#ifndef COOC_MPI_RANKS_PARTS_H
#define COOC_MPI_RANKS_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "cooc.h"

struct parts_dir {
    struct buf path;
    const char *store;
    uint64_t parts; /* number of parts; 0: not open */
    int lock;       /* rank 0 */
};

/* Name the directory of a store, which must live as long as d. */
int parts_dir_init(struct parts_dir *d, const char *store,
                   struct cooc_err *err);

/* Rank 0: create and lock the directory, and choose the number of parts: that
 * of the finished parts of an earlier job, if all ranks get one.  Parts of
 * other divisions are removed; if anew is set, all of them. */
int parts_dir_open(struct parts_dir *d, bool anew, struct cooc_err *err);

/* Append the path of a part, or of the merged store. */
int parts_dir_part(struct buf *path, const struct parts_dir *d, uint64_t part,
                   struct cooc_err *err);
int parts_dir_whole(struct buf *path, const struct parts_dir *d,
                    struct cooc_err *err);

/* Rank 0: remove the directory when it is no longer needed, or, after
 * parts_dir_init(), that of an earlier job. */
int parts_dir_remove(struct parts_dir *d, struct cooc_err *err);
void parts_dir_tidy(struct parts_dir *d);

/* Unlock the directory.  If the job has failed, with the result rc, remove it
 * unless it contains finished parts. */
void parts_dir_release(struct parts_dir *d, int rc);

#endif
