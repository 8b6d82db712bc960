/* run.h - a worker's dictionary in byte order, from memory or from a file.
 *
 * A run is a sorted list of records: an id, a number and a name.  The runs of
 * terms hold provisional ids and df; the runs of forms hold the provisional id
 * of a term, the number of tokens and a surface form (forms.h).
 *
 * In a file a record is u32 id, u32 length, u64 number, the name's bytes, in
 * the machine's own byte order: it never outlives the process.
 */
#ifndef COOC_RUN_H
#define COOC_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct dict;
struct cooc_err;

struct run {
    uint32_t n;        /* records */
    uint32_t n_ids;    /* ids are below this */
    uint32_t owner;    /* forms: the run of terms with these ids */
    struct dict *dict; /* not NULL: the names are here, */
    uint32_t *df;      /* the numbers, by id, here */
    struct buf data;   /* otherwise records, as in a file, */
    int fd;            /* or, if this is not -1, the bytes of that file */
    uint64_t off, len;
    uint64_t hash;     /* of all records, one after the other */
};

void run_release(struct run *r);

/* Records on their way to a file, or into run->data. */
struct run_out {
    struct run *run; /* fd and off are set; len and n grow */
    const char *path;
    struct buf buf;
};

/* Names must come in byte order. */
int run_out_add(struct run_out *o, uint32_t id, uint64_t number,
                const char *name, size_t len, struct cooc_err *err);
/* Done with all of them.  Release o->buf afterwards, whatever happens. */
int run_out_end(struct run_out *o, struct cooc_err *err);

struct run_cursor {
    const char *term; /* the current name, until the next call */
    size_t len;
    uint32_t id;
    uint64_t number;

    const struct run *run;
    const char *path;
    uint32_t *order; /* in memory */
    uint32_t next;
    struct buf window; /* in a file: a part of it */
    size_t at;
    uint64_t left, hash;
};

/* Start before the first record.  window: bytes to read at once. */
int run_cursor_init(struct run_cursor *c, const struct run *run,
                    const char *path, size_t window, struct cooc_err *err);
/* 1: the next record; 0: no more; < 0: failed. */
int run_cursor_next(struct run_cursor *c, struct cooc_err *err);
void run_cursor_release(struct run_cursor *c);

/* Several runs as one, in byte order of names. */
struct run_heap {
    struct run_cursor *cursors; /* one per run */
    size_t *items;              /* runs that have a record left; the first has
                                 * the least name */
    size_t n, n_runs;
};

int run_heap_open(struct run_heap *h, const struct run *runs, size_t n,
                  const char *path, uint64_t memory, struct cooc_err *err);
/* The current record is used up.  h->n is 0 after the last one. */
int run_heap_next(struct run_heap *h, struct cooc_err *err);
void run_heap_close(struct run_heap *h);

#endif
