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

struct watch;

#define SEAL_BYTES 48u

/* The origin of rows. */
struct row_source {
    uint64_t collection;  /* seal_collection() */
    uint32_t omitted_df; /* count_plan.omitted_df */
};

/* A share of the omitted rows has a file of its own until the count is
 * finished; it contains nothing but a seal with the number of pairs. */
int share_path(char **out, const char *dir, uint32_t share,
               struct cooc_err *err);
int share_write(const char *dir, uint32_t share,
                const struct shard_info *info, const struct row_source *from,
                struct cooc_err *err);

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

/* Verify that the file at path is the shard, or the share, with the rows
 * [info->first, info->last), and fill the rest of *info.  COOC_EFORMAT if it is
 * damaged or another one.  With quick, only footer and seal are verified. */
enum seal_of { SEAL_SHARD, SEAL_SHARE };
int seal_verify(const char *path, enum seal_of what, struct shard_info *info,
                const struct row_source *from, bool quick,
                struct watch *watch, struct cooc_err *err);

#endif
