/* sink.h - bulk output: a big buffer in front of stdout, a file or a callback.
 *
 * A file is written under a hidden name that nobody else has, and gets its own
 * when it is complete: a half-written FILE is never seen, and of several
 * writers the last to finish wins.  Pipes, devices and open descriptors are
 * written in place.  A link is followed.  Nothing is written into a store.
 */
#ifndef COOC_SINK_H
#define COOC_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cooc_export.h"

struct watch;

/* Bytes that sink_room() can promise at once. */
#define SINK_ROOM ((size_t)1 << 20)

struct sink {
    int fd;           /* -1: closed, or a callback */
    char *path, *tmp; /* NULL: stdout or a callback; tmp NULL: written in
                       * place */
    char *dir;        /* where both are */
    cooc_write_fn write; /* the callback, or NULL */
    void *self;
    int stopped;      /* what the callback returned if it was not 0 */
    char *buf, *p;    /* p: where the next byte goes */
    uint64_t written; /* without what is still in the buffer */
    struct watch *watch; /* NULL, or asked when a signal comes */
};

/* An all-zero struct but for fd -1 is closed. */
#define SINK_CLOSED { .fd = -1 }

/* path NULL or "-": standard output. */
int sink_open(struct sink *s, const char *path, struct cooc_err *err);

/* The sink of a callback, which is called by the thread that fills the sink.
 * If the callback does not return 0, the sink keeps the value in stopped and
 * returns COOC_ECANCELLED; the caller restores the value at the end. */
int sink_open_callback(struct sink *s, cooc_write_fn write, void *self,
                       struct cooc_err *err);

/* Whether path means an open descriptor, for example /dev/fd/3. */
bool sink_is_descriptor(const char *path);

/* Make room for n <= SINK_ROOM bytes at s->p; the caller moves p. */
int sink_room(struct sink *s, size_t n, struct cooc_err *err);

/* Any number of bytes; a line of text. */
int sink_add(struct sink *s, const void *data, size_t len,
             struct cooc_err *err);
int sink_text(struct sink *s, const char *text, struct cooc_err *err);
int sink_printf(struct sink *s, struct cooc_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Write everything, to stay: sink_commit() can hardly fail then. */
int sink_finish(struct sink *s, struct cooc_err *err);

/* Remove what is under the name of the file, for good. */
int sink_clear(struct sink *s, struct cooc_err *err);
/* Give the finished file its name, for good. */
int sink_commit(struct sink *s, struct cooc_err *err);

/* What a write that failed is called. */
int sink_failed(const struct sink *s, struct cooc_err *err);

/* Close; what was not committed is removed. */
void sink_release(struct sink *s);

#endif
