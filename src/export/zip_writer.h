/* zip_writer.h - write a zip file of a few uncompressed members, sequentially.
 *
 *     zip_writer_begin, zip_writer_add ..., for each member;
 *     then zip_writer_end
 *
 * The CRC-32 of data can be computed in pieces, for example by several threads:
 * zip_sum() and zip_sum_join().
 *
 * Nothing is allocated.  The size of a member must be known when it begins; its
 * CRC follows the data.  Sizes and offsets of 4 GiB or more use zip64.
 */
#ifndef COOC_ZIP_WRITER_H
#define COOC_ZIP_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "export/sink.h"

#define ZIP_MEMBERS_MAX 8u

struct zip_writer {
    struct sink *out; /* NULL: nothing is written, but pos is correct */
    uint64_t pos;
    struct zip_member {
        const char *name; /* must stay valid until zip_writer_end() */
        uint64_t size, at;
        uint32_t crc;
    } members[ZIP_MEMBERS_MAX];
    unsigned n;
};

uint32_t zip_sum(const void *data, size_t len);
/* The CRC-32 of a piece followed by another one of len bytes. */
uint32_t zip_sum_join(uint32_t crc, uint32_t next, uint64_t len);

int zip_writer_begin(struct zip_writer *w, const char *name, uint64_t size,
                     struct cooc_err *err);
int zip_writer_add(struct zip_writer *w, const void *data, size_t len,
                   struct cooc_err *err);
/* Add data of the member that another sink has; crc is its CRC-32. */
void zip_writer_skip(struct zip_writer *w, uint64_t len, uint32_t crc);
/* Add data with a known CRC-32. */
int zip_writer_add_summed(struct zip_writer *w, const void *data, size_t len,
                          uint32_t crc, struct cooc_err *err);
/* End the last member and write the directory. */
int zip_writer_end(struct zip_writer *w, struct cooc_err *err);

#endif
