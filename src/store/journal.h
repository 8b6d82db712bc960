/* journal.h - which processes are counting in a store, and what they have done.
 *
 * Each process that counts in a store keeps a journal there: a hidden file that
 * says who it is and to which it appends a line for each finished unit.  It
 * holds a lock on the file, so that others can see whether it is still running,
 * also from another machine if the file system has locks (NFS: lockd or
 * version 4).  The lock of a directory (base/file.h) works on one machine only
 * if the file system is NFS.
 *
 *     cooc counting 1 <tab> HOST <tab> PID <tab> START <tab> LABEL
 *     UNIT <tab> TIME
 *     ...
 *     end <tab> TIME          unless the process was stopped
 *
 * A journal is not part of the store.  Nothing but reports and the mutual
 * exclusion of processes depends on it; the count that finishes removes all.
 *
 * Threads    journal_unit() may be called by several threads at a time.
 */
#ifndef COOC_JOURNAL_H
#define COOC_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct journal;

#define JOURNAL_TEXT 80 /* bytes of a host name or label, with '\0' */

/* Lock the store at path for counting: with a shared lock, so that others can
 * count units of it, too, or exclusively.  COOC_EBUSY if somebody has a lock
 * that excludes this one; the message says who.  Unlock with dir_unlock(). */
int journal_lock(int *lock, const char *path, bool shared,
                 struct cooc_err *err);

/* Begin a journal in the store, which the caller has locked in the same way.
 * label says what the process does, as in "part 3/64".  COOC_EBUSY as above: if
 * two processes on different machines begin at the same time, at least one of
 * them fails. */
int journal_open(struct journal **out, const char *dir, bool shared,
                 const char *label, struct cooc_err *err);
/* Note that a unit is finished.  No-op if j is NULL. */
int journal_unit(struct journal *j, uint64_t unit, struct cooc_err *err);
/* The name of the file, without directory. */
const char *journal_name(const struct journal *j);
/* Remove the file, but keep its lock.  No-op if j is NULL. */
void journal_remove(const struct journal *j);
/* How to end a journal. */
enum journal_end {
    JOURNAL_DROP, /* remove the file */
    JOURNAL_STOP, /* keep it if it has units: the work was stopped */
    JOURNAL_DONE  /* the same, but all work was done */
};
/* End the journal.  NULL is allowed. */
void journal_close(struct journal *j, enum journal_end how);

struct journal_unit {
    uint64_t unit, time;
};

/* A process that counts or has counted in a store, as read from its journal. */
struct journal_entry {
    char host[JOURNAL_TEXT], label[JOURNAL_TEXT];
    uint64_t pid, start, last; /* last: time of the last unit, or start */
    uint64_t done;             /* when all work was done, or 0 */
    bool running, shared;
    struct journal_unit *units;
    size_t n_units;
};

struct journal_list {
    struct journal_entry *entries; /* in order of host, start and pid */
    size_t n;
};

/* Read all journals in the store.  Whatever cannot be read is skipped; running
 * processes are not disturbed. */
int journal_list_read(struct journal_list *list, const char *dir,
                      struct cooc_err *err);
void journal_list_release(struct journal_list *list);

#endif
