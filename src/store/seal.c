/* seal.c - the last 48 bytes of a shard's payload (docs/FORMAT.md). */
#include "store/seal.h"

#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/err.h"

#define MAGIC "coocrows"
#define SEAL_VERSION 1u

uint64_t seal_collection(const struct checked_file_id *files)
{
    uint8_t both[16];

    put_le64(both, files[FILE_FORWARD].hash);
    put_le64(both + 8, files[FILE_FORWARD_OFF].hash);
    return XXH3_64bits(both, sizeof both);
}

void seal_make(uint8_t seal[SEAL_BYTES], const struct shard_info *shard,
               const struct row_source *from)
{
    memcpy(seal, MAGIC, 8);
    put_le32(seal + 8, SEAL_VERSION);
    put_le32(seal + 12, from->omitted_df);
    put_le32(seal + 16, shard->first);
    put_le32(seal + 20, shard->last);
    put_le64(seal + 24, shard->pairs);
    put_le64(seal + 32, shard->row_bytes);
    put_le64(seal + 40, from->collection);
}

bool seal_fits(const uint8_t seal[SEAL_BYTES], struct shard_info *shard,
               const struct row_source *from)
{
    uint8_t own[SEAL_BYTES];

    shard->pairs = get_le64(seal + 24);
    shard->row_bytes = get_le64(seal + 32);
    seal_make(own, shard, from);
    return !memcmp(seal, own, sizeof own);
}

int seal_check(struct checked_file *b, struct shard_info *shard,
               const struct row_source *from, struct cooc_err *err)
{
    uint64_t size = checked_file_size(b);
    uint64_t offsets = ((uint64_t)shard->last - shard->first + 1) * 8;
    const void *seal;
    int rc = checked_file_get(b, size - SEAL_BYTES, SEAL_BYTES, &seal, err);

    if (rc < 0)
        return rc;
    if (!seal_fits(seal, shard, from) || size - SEAL_BYTES < offsets ||
        shard->row_bytes != size - SEAL_BYTES - offsets)
        return err_path(err, COOC_EFORMAT, checked_file_path(b),
                        "is damaged: its seal does not match the manifest");
    return 0;
}
