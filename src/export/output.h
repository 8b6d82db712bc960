/* output.h - the bytes of some rows, formatted by a worker.
 *
 * Workers format rows in parallel, each into an output of its own; outputs are
 * written in order by the calling thread (selection_walk.h).  An output has one
 * or two streams of OUTPUT_ROOM bytes.  If one of them is full, the outputs are
 * written up to here, and the streams are empty again:
 *
 *     if (output_left(to, 0) < need) {
 *         rc = output_pass(to, err);
 *         ...
 *     }
 *     memcpy(to->p[0], ...);
 *     to->p[0] += ...;
 */
#ifndef COOC_OUTPUT_H
#define COOC_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cooc_err;

#define OUTPUT_ROOM ((size_t)1 << 20)
#define OUTPUT_STREAMS 2

struct output {
    char *buf[OUTPUT_STREAMS];
    char *p[OUTPUT_STREAMS]; /* position of the next byte */
    uint64_t entries;        /* number of entries formatted */
    uint32_t crc[OUTPUT_STREAMS]; /* for formats that use it */
    int (*pass)(struct output *to, struct cooc_err *err);
    void *owner;             /* of pass */
};

static inline size_t output_used(const struct output *to, unsigned stream)
{
    return (size_t)(to->p[stream] - to->buf[stream]);
}

static inline size_t output_left(const struct output *to, unsigned stream)
{
    return OUTPUT_ROOM - output_used(to, stream);
}

/* Have everything written, in order, and empty the streams. */
static inline int output_pass(struct output *to, struct cooc_err *err)
{
    return to->pass(to, err);
}

/* Add any number of bytes to a stream. */
static inline int output_add(struct output *to, unsigned stream,
                             const void *data, size_t len,
                             struct cooc_err *err)
{
    const char *from = data;

    while (len > 0) {
        size_t left = output_left(to, stream), n = len < left ? len : left;
        int rc = 0;

        if (n) {
            memcpy(to->p[stream], from, n);
            to->p[stream] += n;
            from += n;
            len -= n;
        } else {
            rc = output_pass(to, err);
        }
        if (rc < 0)
            return rc;
    }
    return 0;
}

#endif
