/* zip_writer.h - a zip file of a few stored members, from front to back.
 *
 *     zip_writer_begin, zip_writer_add ..., for each member;
 *     then zip_writer_end
 *
 * Nothing is allocated.  A member's size must be known when it begins; its CRC
 * follows the data.  Sizes and places from 4 GiB on are written as zip64.
 */
#ifndef COOC_ZIP_WRITER_H
#define COOC_ZIP_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "export/sink.h"

#define ZIP_MEMBERS_MAX 8u

struct zip_writer {
    struct sink *out;
    uint64_t pos;
    struct zip_member {
        const char *name; /* must stay valid until zip_writer_end() */
        uint64_t size, at;
        uint32_t crc;
    } members[ZIP_MEMBERS_MAX];
    unsigned n;
};

int zip_writer_begin(struct zip_writer *w, const char *name, uint64_t size,
                     struct cooc_err *err);
int zip_writer_add(struct zip_writer *w, const void *data, size_t len,
                   struct cooc_err *err);
/* End the last member and write the directory. */
int zip_writer_end(struct zip_writer *w, struct cooc_err *err);

#endif
