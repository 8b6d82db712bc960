/* seal.h - the last bytes of a shard, which say which rows it contains.
 *
 * A shard is written long before the manifest that names it.  Its seal
 * identifies the collection and the rows, so that an interrupted count can be
 * resumed: a shard with a matching seal and valid checksums need not be
 * counted again.
 */
#ifndef COOC_SEAL_H
#define COOC_SEAL_H

#include <stdint.h>

#include "store/manifest.h"

#define SEAL_BYTES 48u

/* The origin of rows. */
struct row_source {
    uint64_t collection;  /* seal_collection() */
    uint32_t omitted_df; /* count_plan.omitted_df */
};

/* A hash of the forward index, which identifies the collection. */
uint64_t seal_collection(const struct checked_file_id *files);

/* Make the seal of a finished shard. */
void seal_make(uint8_t seal[SEAL_BYTES], const struct shard_info *shard,
               const struct row_source *from);

/* Whether this is the seal of the rows [shard->first, shard->last) from this
 * origin.  Sets shard->pairs and shard->row_bytes from the seal. */
bool seal_fits(const uint8_t seal[SEAL_BYTES], struct shard_info *shard,
               const struct row_source *from);

/* The same for the seal at the end of b, and check the size of b.  COOC_EFORMAT
 * if they do not match. */
int seal_check(struct checked_file *b, struct shard_info *shard,
               const struct row_source *from, struct cooc_err *err);

#endif
