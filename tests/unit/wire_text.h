/* wire_text.h - messages of Protocol Buffers, written as text.
 *
 *     { ... }      a message after its length, as in a CIFF file
 *     1=7          field 1, an integer
 *     1'tea'       field 1, a string
 *     1{ ... }     field 1, a message
 *     1:8, 1:4     field 1, 8 or 4 bytes of zeros
 *     x0f          this byte
 *
 * Field 4{1=0 2=7} is written with the number 0, which real writers omit.
 */
#ifndef COOC_WIRE_TEXT_H
#define COOC_WIRE_TEXT_H

#include "harness.h"

#include "base/buf.h"
#include "base/bytes.h"

static inline void wire_add(struct buf *out, const void *data, size_t len)
{
    if (buf_add(out, data, len, NULL) != 0)
        fail_msg("out of memory");
}

static inline void wire_varint_add(struct buf *out, uint64_t v)
{
    uint8_t bytes[VARINT_MAX];

    wire_add(out, bytes, (size_t)(put_varint(bytes, v) - bytes));
}

static inline void wire_sized(struct buf *out, const struct buf *data)
{
    wire_varint_add(out, data->len);
    wire_add(out, data->data, data->len);
}

static inline const char *wire_parse(struct buf *out, const char *at);

/* What follows the number of a field. */
static inline const char *wire_value(struct buf *out, uint64_t number,
                                     const char *at)
{
    static const char zeros[8];
    struct buf inner = { 0 };
    const char *end;

    switch (*at++) {
    case '=':
        wire_varint_add(out, number << 3);
        wire_varint_add(out,
                        (uint64_t)strtoll(at, (char **)(uintptr_t)&at, 10));
        return at;
    case '\'':
        end = strchr(at, '\'');
        wire_add(&inner, at, (size_t)(end - at));
        at = end + 1;
        break;
    case ':':
        wire_varint_add(out, number << 3 | (*at == '8' ? 1 : 5));
        wire_add(out, zeros, *at == '8' ? 8 : 4);
        return at + 1;
    default:
        at = wire_parse(&inner, at) + 1;
        break;
    }
    wire_varint_add(out, number << 3 | 2);
    wire_sized(out, &inner);
    buf_release(&inner);
    return at;
}

/* Append everything up to the end or the '}' of this message. */
static inline const char *wire_parse(struct buf *out, const char *at)
{
    while (*at && *at != '}') {
        char *end;

        if (*at == ' ') {
            at++;
        } else if (*at == '{') {
            struct buf inner = { 0 };

            at = wire_parse(&inner, at + 1) + 1;
            wire_sized(out, &inner);
            buf_release(&inner);
        } else if (*at == 'x') {
            char digits[] = { at[1], at[2], '\0' };
            uint8_t byte = (uint8_t)strtoul(digits, NULL, 16);

            wire_add(out, &byte, 1);
            at += 3;
        } else {
            uint64_t number = strtoull(at, &end, 10);

            at = wire_value(out, number, end);
        }
    }
    return at;
}

#endif
