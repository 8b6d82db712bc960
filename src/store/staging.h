/* staging.h - build a new store in a temporary directory, then rename it.
 *
 * A store is built in NAME.part, which is locked, and renamed when everything
 * is on disk, so that NAME is always a complete store or does not exist.  The
 * next job removes what an interrupted job has left in NAME.part.  A directory
 * that contains foreign files is never touched.  If NAME is a link to a store,
 * the target of the link is replaced.
 */
#ifndef COOC_STAGING_H
#define COOC_STAGING_H

#include <stdbool.h>

#include "base/buf.h"

struct cooc_err;

struct staging {
    char *path, *dir; /* the store; its parent directory */
    struct buf part; /* part.data: path of the directory to build in */
    int part_lock;
    int old_lock;    /* lock of the store to be replaced, or -1 */
    bool begun, published;
};

/* The state before staging_begin(). */
#define STAGING_NONE { .part_lock = -1, .old_lock = -1 }

/* Create and lock the directory p->part.data.  COOC_EEXISTS if something exists
 * at the path of the store and must not be replaced, COOC_EBUSY if another
 * process or another call is writing the store. */
int staging_begin(struct staging *p, const char *store, bool replace,
                  struct cooc_err *err);

/* staging_begin() in two steps: lock the store that will be replaced, without
 * creating anything, with the errors that creating would give at once; and
 * create the directory. */
int staging_lock(struct staging *p, const char *store, struct cooc_err *err);
int staging_create(struct staging *p, struct cooc_err *err);

/* Return the errors that staging_begin() would return at once, without
 * creating anything. */
int staging_check(const char *store, bool replace, struct cooc_err *err);

/* Take over the finished store at from: staging_publish() then renames it to
 * `to`.  COOC_EBUSY if either is being written. */
int staging_adopt(struct staging *p, const char *from, const char *to,
                  struct cooc_err *err);

/* Rename the new store to its final name and remove the store that it replaces.
 * Atomic: if this fails, the previous state is restored. */
int staging_publish(struct staging *p, struct cooc_err *err);
/* Release p; remove NAME.part unless it was published. */
void staging_release(struct staging *p);

#endif
