/* tar_header.h - parse tar headers and the extended headers before them. */
#ifndef COOC_TAR_HEADER_H
#define COOC_TAR_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define TAR_BLOCK 512u

/* A part of a sparse file that has data. */
struct tar_part {
    uint64_t at, len;
};

/* What extended headers say about the next entry. */
struct tar_extra {
    struct buf path, link; /* NUL-terminated; empty: not given */
    bool has_path, has_link, has_size;
    bool pax;              /* there was a POSIX extended header */
    uint64_t size;
    bool map_in_data;      /* sparse 1.0: the map precedes the data */
    bool sparse;
    struct tar_part *parts;
    size_t n_parts, parts_cap;
    uint64_t offset;       /* sparse 0.0: offset of the next part */
};

/* Is the checksum of the header right? */
bool tar_sum_is_right(const char *head);

/* Parse an octal or binary number; false if it is negative or too large. */
bool tar_number(const char *p, size_t n, uint64_t *out);

/* Parse the body of a pax header, which consists of "length key=value\n"
 * records. */
int tar_pax(struct tar_extra *x, const char *name, const char *p, size_t n,
            struct cooc_err *err);

int tar_add_part(struct tar_extra *x, uint64_t at, uint64_t len,
                 struct cooc_err *err);

/* Forget everything, but keep the allocated memory. */
void tar_extra_clear(struct tar_extra *x);
void tar_extra_release(struct tar_extra *x);

#endif
