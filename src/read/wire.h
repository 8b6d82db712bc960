/* wire.h - messages of Protocol Buffers, read from an entry field by field.
 *
 *     while (wire_message())         a message, after its length
 *         while (wire_field())       a field: its tag and its value
 *             wire_bytes()           its bytes, if it is a string, or
 *             wire_enter(), wire_field() until 0, wire_leave()
 *                                    its fields, if it is a message
 *
 * A message is never held in memory, so it may have any length.  What the
 * caller does not read of a field is skipped.
 *
 * Threads    One at a time.
 * Errors     COOC_EFORMAT, naming the message, if it is damaged or truncated.
 */
#ifndef COOC_WIRE_H
#define COOC_WIRE_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct cooc_err;
struct input;

struct wire {
    struct input *in; /* its text is read in blocks */
    /* The message, for errors: "document", 7.  what NULL: not named. */
    const char *what;
    uint64_t number;
    const uint8_t *at, *end; /* the rest of the current block */
    uint64_t left;           /* bytes of the message, or of the field entered */
    uint64_t unread;         /* the first of them, which belong to the field
                              * that was returned last */
};

struct wire_field {
    uint64_t tag;   /* number << 3 | type */
    uint64_t value; /* an integer, or the number of bytes */
};

/* Start reading at the beginning of the entry. */
void wire_init(struct wire *w, struct input *in);

/* 1: at the beginning of the next message; 0: the entry has no more bytes;
 * < 0: failed. */
int wire_message(struct wire *w, struct cooc_err *err);
/* 1: there are more bytes; 0: the entry has ended; < 0: failed. */
int wire_more(struct wire *w, struct cooc_err *err);

/* 1: the next field of the message; 0: no more fields; < 0: failed. */
int wire_field(struct wire *w, struct wire_field *f, struct cooc_err *err);

/* Append the bytes of the field to a buffer.  COOC_EFORMAT if there are more
 * than max; name is that of the field, for this message. */
int wire_bytes(struct wire *w, const char *name, size_t max, struct buf *out,
               struct cooc_err *err);

/* From now on, wire_field() returns the fields of the message in this field.
 * When it has returned 0, call wire_leave() with what this returned. */
uint64_t wire_enter(struct wire *w);
void wire_leave(struct wire *w, uint64_t rest);

/* COOC_EFORMAT, with a message about the current message. */
int wire_wrong(struct wire *w, struct cooc_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
