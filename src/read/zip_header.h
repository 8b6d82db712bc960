/* zip_header.h - the records of a zip archive: entries and their directory. */
#ifndef COOC_ZIP_HEADER_H
#define COOC_ZIP_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

#define ZIP_LOCAL_LEN 30u
#define ZIP_CENTRAL_LEN 46u

enum zip_flag {
    ZIP_ENCRYPTED = 1u << 0,
    ZIP_DESCRIPTOR = 1u << 3, /* sizes and CRC follow the data */
    ZIP_STRONG = 1u << 6,
    ZIP_MASKED = 1u << 13
};

struct zip_record {
    const char *name; /* not terminated; in the bytes that were parsed */
    size_t name_len;
    uint64_t offset;  /* of the local header */
    uint64_t packed, size;
    uint32_t crc;
    uint16_t flags, method;
    bool regular;
    bool dos;         /* by a program of DOS or Windows */
    bool zip64;       /* its descriptor has numbers of 64 bits */
};

/* The record at p[0..n); true if all of it is there and makes sense.  *used is
 * the size of it. */
bool zip_central(struct zip_record *r, const char *p, size_t n, size_t *used);
bool zip_local(struct zip_record *r, const char *p, size_t n, size_t *used);

struct zip_directory {
    struct buf bytes;         /* that names are in */
    struct zip_record *items; /* by place in the file */
    size_t n, cap;
};

/* 1: the directory of the file was read; 0: it has none; < 0: failed. */
int zip_directory_read(struct zip_directory *d, const char *name, int fd,
                       struct cooc_err *err);
void zip_directory_release(struct zip_directory *d);

#endif
