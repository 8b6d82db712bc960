/* zip_header.h - parse the records of zip archives: entries and directory. */
#ifndef COOC_ZIP_HEADER_H
#define COOC_ZIP_HEADER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "read/lookahead.h"

#define ZIP_LOCAL_LEN 30u
#define ZIP_CENTRAL_LEN 46u

enum zip_flag {
    ZIP_ENCRYPTED = 1u << 0,
    ZIP_DESCRIPTOR = 1u << 3, /* sizes and CRC follow the data */
    ZIP_STRONG = 1u << 6,
    ZIP_MASKED = 1u << 13
};

struct zip_record {
    const char *name; /* not NUL-terminated; in the parsed bytes */
    size_t name_len;
    uint64_t offset;  /* of the local header */
    uint64_t packed, size;
    uint32_t crc;
    uint16_t flags, method;
    bool regular;
    bool dos;         /* written by a DOS or Windows program */
    bool zip64;       /* its descriptor has 64-bit numbers */
};

/* Parse the record at p[0..n); true if it is complete and valid.  *used is set
 * to its size. */
bool zip_central(struct zip_record *r, const char *p, size_t n, size_t *used);
bool zip_local(struct zip_record *r, const char *p, size_t n, size_t *used);

struct zip_directory {
    struct buf bytes;         /* the directory, which names point into */
    struct zip_record *items; /* sorted by offset */
    size_t n, cap;
};

/* Does p[0..4) begin the directory? */
static inline bool zip_is_directory(const char *p)
{
    return memcmp(p, "PK\1\2", 4) == 0 || memcmp(p, "PK\5\6", 4) == 0 ||
           memcmp(p, "PK\6\6", 4) == 0;
}

/* Skip the directory, with which the next bytes begin, up to the record that
 * ends it; it can be skipped again.  COOC_EFORMAT if it is truncated. */
int zip_directory_skip(struct lookahead *from, const char *name,
                       struct cooc_err *err);

/* 1: the directory of the file was read; 0: the file has none; < 0: failed. */
int zip_directory_read(struct zip_directory *d, const char *name, int fd,
                       struct cooc_err *err);
void zip_directory_release(struct zip_directory *d);

#endif
