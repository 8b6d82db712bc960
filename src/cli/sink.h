/* sink.h - bulk output: a big buffer in front of stdout or a file.
 *
 * A file is written as FILE.tmp and gets its name when it is complete, so
 * a half-written FILE is never seen.  Pipes and devices are written as they
 * are.
 */
#ifndef COOC_CLI_SINK_H
#define COOC_CLI_SINK_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;

/* Bytes that sink_room() can promise at once. */
#define SINK_ROOM ((size_t)1 << 20)

struct sink {
    int fd;
    char *path, *tmp; /* NULL: stdout; tmp NULL: written in place */
    char *buf, *p;    /* p: where the next byte goes */
    uint64_t written; /* without what is still in the buffer */
};

/* path NULL or "-": standard output. */
int sink_open(struct sink *s, const char *path, struct cooc_err *err);

/* Make room for n <= SINK_ROOM bytes at s->p; the caller moves p. */
int sink_room(struct sink *s, size_t n, struct cooc_err *err);

/* Write everything and give the file its name. */
int sink_commit(struct sink *s, struct cooc_err *err);

/* Close; what was not committed is removed. */
void sink_release(struct sink *s);

#endif
