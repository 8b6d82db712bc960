/* seal.c - the last 48 bytes of a shard's payload (docs/FORMAT.md). */
#include "store/seal.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"

#define SHARD_MAGIC "coocrows"
#define SHARE_MAGIC "coocomit"
#define SEAL_VERSION 1u

static const char *const kinds[] = { [SEAL_SHARD] = "rows",
                                     [SEAL_SHARE] = "omitted" };

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
    memcpy(seal, SHARD_MAGIC, 8);
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

static void share_seal(uint8_t seal[SEAL_BYTES], const struct shard_info *info,
                       const struct row_source *from)
{
    struct shard_info share = *info;

    share.row_bytes = 0;
    seal_make(seal, &share, from);
    memcpy(seal, SHARE_MAGIC, 8);
}

int share_path(char **out, const char *dir, uint32_t share,
               struct cooc_err *err)
{
    char name[SHARD_NAME_MAX];

    snprintf(name, sizeof name, "omitted-%04u.bin", share);
    return path_join(out, dir, name, err);
}

int share_write(const char *dir, uint32_t share,
                const struct shard_info *info, const struct row_source *from,
                struct cooc_err *err)
{
    struct checked_file_writer *w = NULL;
    struct checked_file_id id;
    uint8_t seal[SEAL_BYTES];
    char *path = NULL;
    int rc = share_path(&path, dir, share, err);

    share_seal(seal, info, from);
    if (rc == 0)
        rc = checked_file_create_unique(&w, path, kinds[SEAL_SHARE], err);
    if (rc == 0)
        rc = checked_file_write(w, seal, sizeof seal, err);
    if (rc == 0)
        rc = checked_file_commit(w, &id, err);
    checked_file_writer_free(w);
    mem_free(path);
    return rc;
}

static int check_share(struct checked_file *b, struct shard_info *info,
                       const struct row_source *from, struct cooc_err *err)
{
    uint8_t own[SEAL_BYTES];
    const void *p;
    int rc = checked_file_get(b, 0, SEAL_BYTES, &p, err);

    if (rc < 0)
        return rc;
    info->row_bytes = 0;
    info->pairs = get_le64((const uint8_t *)p + 24);
    share_seal(own, info, from);
    if (checked_file_size(b) != SEAL_BYTES || memcmp(p, own, SEAL_BYTES) != 0)
        return err_path(err, COOC_EFORMAT, checked_file_path(b),
                        "is damaged: its seal does not match the store");
    return 0;
}

int seal_verify(const char *path, enum seal_of what, struct shard_info *info,
                const struct row_source *from, bool quick,
                struct watch *watch, struct cooc_err *err)
{
    struct checked_file *b;
    int rc = checked_file_open(&b, path, kinds[what], NULL, err);

    if (rc < 0)
        return rc;
    rc = what == SEAL_SHARD ? seal_check(b, info, from, err)
                            : check_share(b, info, from, err);
    if (rc == 0 && !quick)
        rc = checked_file_verify(b, watch, err);
    if (rc == 0)
        checked_file_describe(b, &info->id);
    checked_file_close(b);
    return rc;
}
