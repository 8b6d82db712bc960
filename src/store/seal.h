/* seal.h - what a file of rows says of itself.
 *
 * A shard is written long before the manifest that names it.  Its last bytes
 * tell whose rows it holds, so that a count that was killed can be continued:
 * a shard whose seal fits and whose checksums hold is as good as new.
 */
#ifndef COOC_SEAL_H
#define COOC_SEAL_H

#include <stdint.h>

#include "store/manifest.h"

#define SEAL_BYTES 48u

/* What rows are made of. */
struct row_source {
    uint64_t collection;  /* seal_collection() */
    uint32_t omitted_df; /* of the plan */
};

/* A number for the documents alone: no other collection has the same. */
uint64_t seal_collection(const struct checked_file_id *files);

/* The seal of a finished shard. */
void seal_make(uint8_t seal[SEAL_BYTES], const struct shard_info *shard,
               const struct row_source *from);

/* Is it the seal of a shard of these rows, made of that?  Pairs and row_bytes
 * are taken from it. */
bool seal_fits(const uint8_t seal[SEAL_BYTES], struct shard_info *shard,
               const struct row_source *from);

/* The same for the seal at the end of b; COOC_EFORMAT if it does not fit. */
int seal_check(struct checked_file *b, struct shard_info *shard,
               const struct row_source *from, struct cooc_err *err);

#endif
