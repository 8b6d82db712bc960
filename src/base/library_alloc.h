/* library_alloc.h - allocators for ICU, jansson and libxml2 that remember a
 * failure.
 *
 * After a failed allocation, ICU may split words differently without an error,
 * loop forever or crash, jansson may drop a byte of a string, and libxml2 may
 * report malformed XML.  All three let the program replace their allocators.
 * cooc_global_init() installs ours: when
 * malloc() fails, they serve the request from a reserve, so the library
 * continues correctly, and set a per-thread flag.  cooc checks the flag
 * before it publishes or returns a result:
 *
 *     library_alloc_begin()  the call begins; workdir_begin() does this too
 *     library_alloc_check()  before a store is published; pool_for() checks
 *                            after each job, watch_add() at each report
 *     library_alloc_end()    the call ends
 *
 * Without cooc_global_init() the flag is never set.
 *
 * Threads    Each thread has its own flag; an allocator takes a lock only
 *            while the reserve is in use.
 */
#ifndef COOC_LIBRARY_ALLOC_H
#define COOC_LIBRARY_ALLOC_H

struct cooc_err;

/* Clear the failure flag of this thread, so that failures of earlier calls do
 * not count. */
void library_alloc_begin(void);

/* COOC_ENOMEM if an allocation failed on this thread since
 * library_alloc_begin() or the last check, otherwise 0. */
int library_alloc_check(struct cooc_err *err);

/* Return COOC_ENOMEM if an allocation failed on this thread, otherwise rc. */
int library_alloc_end(int rc, struct cooc_err *err);

#endif
