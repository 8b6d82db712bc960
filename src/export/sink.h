/* sink.h - bulk output: a large buffer for stdout, a file or a callback.
 *
 * A file is written under a unique hidden name and renamed when it is complete:
 * a half-written file is never visible, and of several writers, the last one to
 * finish wins.  It is written in the background and without the page cache
 * (base/disk.h), unless it is small.  Pipes, devices and open descriptors are
 * written in place.  Symbolic links are followed.  Nothing is written into a
 * store.
 */
#ifndef COOC_SINK_H
#define COOC_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cooc_export.h"

struct disk_file;
struct watch;

/* The largest argument of sink_room(), in bytes. */
#define SINK_ROOM ((size_t)1 << 20)

struct sink {
    int fd;           /* -1: closed, or a callback */
    char *path, *tmp; /* NULL: stdout or a callback; tmp NULL: written in
                       * place */
    char *dir;        /* the directory of both */
    struct disk_file *disk; /* writes the file; NULL: written in place, or
                             * nothing has been written yet */
    cooc_write_fn write; /* the callback, or NULL */
    void *self;
    int stopped;      /* the non-zero value that the callback returned */
    char *buf, *p;    /* p: position of the next byte */
    uint64_t written; /* bytes written, without those in the buffer */
    struct watch *watch; /* NULL, or asked whether to stop after a signal */
};

/* A closed sink is all zeros except for fd. */
#define SINK_CLOSED { .fd = -1 }

/* Open a sink for path; NULL or "-" is standard output. */
int sink_open(struct sink *s, const char *path, struct cooc_err *err);

/* The sink of a callback, which is called by the thread that fills the sink.
 * If the callback does not return 0, the sink keeps the value in stopped and
 * returns COOC_ECANCELLED; the caller restores the value at the end. */
int sink_open_callback(struct sink *s, cooc_write_fn write, void *self,
                       struct cooc_err *err);

/* A second sink for the file of s, from offset at: what is added to s and what
 * is added to part is written at the same time.  Only if sink_has_parts(s).
 * sink_join() ends both when s has reached the offset; then s may only be
 * finished. */
bool sink_has_parts(const struct sink *s);
int sink_open_part(struct sink *part, struct sink *s, uint64_t at,
                   struct cooc_err *err);
int sink_join(struct sink *s, struct sink *part, struct cooc_err *err);

/* Whether path means an open descriptor, for example /dev/fd/3. */
bool sink_is_descriptor(const char *path);

/* Make room for n <= SINK_ROOM bytes at s->p; the caller moves p. */
int sink_room(struct sink *s, size_t n, struct cooc_err *err);

/* Add any number of bytes, or a line of text. */
int sink_add(struct sink *s, const void *data, size_t len,
             struct cooc_err *err);
int sink_text(struct sink *s, const char *text, struct cooc_err *err);
int sink_printf(struct sink *s, struct cooc_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Write everything and make it durable, so that sink_commit() can hardly fail.
 * */
int sink_finish(struct sink *s, struct cooc_err *err);

/* Durably remove an existing file with the final name. */
int sink_clear(struct sink *s, struct cooc_err *err);
/* Durably give the finished file its final name. */
int sink_commit(struct sink *s, struct cooc_err *err);

/* Set the error for a failed write, from errno. */
int sink_failed(const struct sink *s, struct cooc_err *err);

/* Close the sink; a file that was not committed is removed. */
void sink_release(struct sink *s);

#endif
