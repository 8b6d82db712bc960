/* run.h - a worker's dictionary in byte order, from memory or from a file.
 *
 * A record in a file is u32 id, u32 df, u32 length, the term's bytes, in
 * the machine's own byte order: it never outlives the process.
 */
#ifndef COOC_RUN_H
#define COOC_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct dict;
struct run;
struct cooc_err;

/* Append all terms to fd, sorted; *bytes is how much was written. */
int run_write(const struct dict *d, const uint32_t *df, int fd,
              const char *path, uint64_t *bytes, struct cooc_err *err);

struct run_cursor {
    const char *term; /* the current one, until the next call */
    size_t len;
    uint32_t id, df;

    const struct run *run;
    const char *path;
    uint32_t *order; /* in memory */
    uint32_t next;
    struct buf window; /* in a file: a part of it */
    size_t at;
    uint64_t left;
};

/* Start before the first term.  window: bytes to read at once. */
int run_cursor_init(struct run_cursor *c, const struct run *run,
                    const char *path, size_t window, struct cooc_err *err);
/* 1: the next term; 0: no more; < 0: failed. */
int run_cursor_next(struct run_cursor *c, struct cooc_err *err);
void run_cursor_release(struct run_cursor *c);

#endif
