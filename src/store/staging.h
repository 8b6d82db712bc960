/* staging.h - where a new store is built, and how it gets its name.
 *
 * A store is built in NAME.part, locked, and renamed when everything is on
 * disk, so under its name it is there whole or not at all.  What an
 * interrupted job left in NAME.part is removed by the next; a directory that
 * holds anything that is not ours is never touched.  A link to a store is
 * followed.
 */
#ifndef COOC_STAGING_H
#define COOC_STAGING_H

#include <stdbool.h>

#include "base/buf.h"

struct cooc_err;

struct staging {
    char *path, *dir; /* of the store, and of the directory it is in */
    struct buf part; /* the directory to build in; part.data */
    int part_lock;
    int old_lock;    /* of the store that will be replaced, or -1 */
    bool begun, published;
};

#define STAGING_NONE { .part_lock = -1, .old_lock = -1 } /* not begun */

/* COOC_EEXISTS if something is there that may not be replaced, COOC_EBUSY
 * if another process or another call is writing it. */
int staging_begin(struct staging *p, const char *store, bool replace,
                  struct cooc_err *err);

/* What staging_begin() would refuse at once, without making anything. */
int staging_check(const char *store, bool replace, struct cooc_err *err);

/* The place of a finished store: staging_publish() then gives it the name `to`
 * instead of its own, from.  COOC_EBUSY if either is being written. */
int staging_adopt(struct staging *p, const char *from, const char *to,
                  struct cooc_err *err);

/* Give the new store its name; an old one goes.  It is all or nothing: if it
 * fails, what was there before is there again. */
int staging_publish(struct staging *p, struct cooc_err *err);
void staging_release(struct staging *p); /* not published: removes the part */

#endif
