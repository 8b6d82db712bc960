/* checked_footer.h - the end of a checked file, for its two writers.
 *
 * A footer has 48 bytes: magic (8), kind (8), format version (4), block size
 * (4), payload size (8), hash of the table (8), hash of all fields before (8).
 */
#ifndef COOC_CHECKED_FOOTER_H
#define COOC_CHECKED_FOOTER_H

#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/checked_file.h"

/* Files are little-endian.  This is a constant instead of a macro, so that the
 * code for big-endian hosts is always compiled. */
enum { FOREIGN = BYTE_ORDER != LITTLE_ENDIAN };

/* Make the footer of a file with this kind (8 bytes), payload and table, and
 * describe the file in *id. */
static inline void checked_footer_make(uint8_t *f, const char *kind,
                                       uint64_t payload, const void *table,
                                       size_t table_bytes,
                                       struct checked_file_id *id)
{
    memcpy(f, CHECKED_FILE_MAGIC, 8);
    memcpy(f + 8, kind, 8);
    put_le32(f + 16, 1);
    put_le32(f + 20, CHECKED_FILE_BLOCK);
    put_le64(f + 24, payload);
    put_le64(f + 32, XXH3_64bits(table ? table : "", table_bytes));
    put_le64(f + 40, XXH3_64bits(f, 40));
    id->size = payload + table_bytes + CHECKED_FILE_FOOTER;
    id->hash = XXH3_64bits(f, CHECKED_FILE_FOOTER);
}

#endif
