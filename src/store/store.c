/* store.c - open a store and read its rows. */
#include "store/store.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "store/seal.h"

#define OPEN_TRIES 100
/* Opening a file takes a few microseconds, over a network a millisecond, and
 * the number of maps of a process is limited (vm.max_map_count). */
#define SHARDS_AT_ONCE 512u
/* Verifying the index and making bitmaps pays off if at least this part of all
 * postings belongs to rows that are recomputed. */
#define BULK_SHARE 64

/* Open a shard and check its size. */
static int open_shard(struct checked_file **out, const struct manifest *m,
                      const char *path, uint32_t shard, struct cooc_err *err)
{
    const struct shard_info *info = &m->shards[shard];
    uint64_t index = ((uint64_t)info->last - info->first + 1) * 8 + SEAL_BYTES;
    char *file;
    int rc = shard_path(&file, path, shard, err);

    if (rc == 0)
        rc = checked_file_open(out, file, "rows", &info->id, err);
    if (rc == 0 && (info->row_bytes % 8 ||
                    info->row_bytes > checked_file_size(*out) ||
                    checked_file_size(*out) - info->row_bytes != index)) {
        rc = err_path(err, COOC_EFORMAT, file,
                      "is damaged: its size does not match the manifest");
        checked_file_close(*out);
        *out = NULL;
    }
    mem_free(file);
    return rc;
}

/* Open all shards, or only the directory if there are many. */
static int open_shards(struct store *s, const char *path,
                       struct cooc_err *err)
{
    const struct manifest *m = &s->manifest;
    int rc = 0;

    s->shards = mem_zarray(m->n_shards, sizeof *s->shards);
    if (!s->shards)
        return err_nomem(err);
    if (m->n_shards > SHARDS_AT_ONCE) {
        s->path = mem_dup(path, strlen(path));
        if (!s->path)
            return err_nomem(err);
        s->dir = workdir_open(path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
        return s->dir < 0 ? err_sys(err, "cannot open", path) : 0;
    }
    for (uint32_t i = 0; i < m->n_shards && rc == 0; i++) {
        struct checked_file *b = NULL;

        rc = open_shard(&b, m, path, i, err);
        s->shards[i] = b;
    }
    return rc;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Whether the open directory still has the manifest that was read. */
static bool still_there(const struct store *s)
{
    struct stat now;

    return fstatat(s->dir, MANIFEST_NAME, &now, 0) == 0 &&
           same_file(&now, &s->opened);
}

int store_shard(const struct store *s, uint32_t shard,
                struct checked_file **out, struct cooc_err *err)
{
    struct workdir in = { .dir = AT_FDCWD }; /* the directory that is open */
    const struct workdir *before = workdir_get();
    struct checked_file *b = NULL, *other = NULL;
    int rc;

    *out = s->shards[shard];
    if (*out)
        return 0;
    workdir_alias(&in, s->path, s->dir);
    workdir_set(&in);
    rc = open_shard(&b, &s->manifest, s->path, shard, err);
    workdir_set(before);
    if (rc < 0 && rc != COOC_ENOMEM && !still_there(s))
        return err_path(err, COOC_EBUSY, s->path,
                        "was replaced or counted again after it was opened; "
                        "open it again");
    if (rc < 0)
        return rc;
    /* Another thread may have opened it in the meantime. */
    if (!atomic_compare_exchange_strong(&s->shards[shard], &other, b)) {
        checked_file_close(b);
        b = other;
    }
    *out = b;
    return 0;
}

static int open_files(struct store *s, const char *path, bool rows,
                      struct cooc_err *err)
{
    int rc;

    *s = (struct store){ .dir = -1 };
    rc = manifest_read(&s->manifest, path, err);
    if (rc == 0)
        rc = collection_open(&s->docs, path, s->manifest.files,
                             s->manifest.documents, s->manifest.terms,
                             s->manifest.postings, s->manifest.labels,
                             s->manifest.rules.phrases, err);
    if (rc == 0 && rows && s->manifest.counted)
        rc = open_shards(s, path, err);
    if (rc < 0)
        store_close(s);
    return rc;
}

/* Identify the current manifest; all zero if there is none. */
static struct stat manifest_now(const char *path)
{
    int fd = workdir_open(path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    struct stat st;

    if (fd < 0 || fstatat(fd, MANIFEST_NAME, &st, 0) < 0)
        st = (struct stat){ 0 };
    if (fd >= 0)
        close(fd);
    return st;
}

/* Open all files.  If another process replaces files in the meantime, the files
 * that were opened may not belong together, so try again. */
int store_open(struct store *s, const char *path, bool rows,
               struct cooc_err *err)
{
    struct stat before, after = manifest_now(path);
    int rc;

    for (int i = 0; i < OPEN_TRIES; i++) {
        before = after;
        rc = open_files(s, path, rows, err);
        after = manifest_now(path);
        s->opened = after;
        if (rc == COOC_ENOMEM || same_file(&before, &after))
            return rc;
        store_close(s);
    }
    return err_path(err, COOC_EBUSY, path,
                    "other processes keep replacing this store; wait until "
                    "they finish");
}

void store_close(struct store *s)
{
    for (uint32_t i = 0; s->shards && i < s->manifest.n_shards; i++)
        checked_file_close(s->shards[i]);
    mem_free(s->shards);
    if (s->path && s->dir >= 0) /* an all-zero store may be closed */
        close(s->dir);
    mem_free(s->path);
    collection_close(&s->docs);
    manifest_release(&s->manifest);
    *s = (struct store){ .dir = -1 };
}

void store_forget(const struct store *s)
{
    for (uint32_t i = 0; s->shards && i < s->manifest.n_shards; i++)
        if (s->shards[i])
            checked_file_forget(s->shards[i], UINT64_MAX);
    for (int f = 0; f < COLLECTION_FILES; f++)
        if (s->docs.files[f])
            checked_file_forget(s->docs.files[f], UINT64_MAX);
}

void row_reader_release(struct row_reader *r)
{
    mem_free(r->decoded);
    row_scratch_release(&r->scratch);
    row_recompute_release(&r->recompute);
    bulk_row_release(&r->bulk_row);
    *r = (struct row_reader){ 0 };
}

static uint32_t shard_of(const struct manifest *m, uint32_t t)
{
    uint32_t lo = 0, hi = m->n_shards;

    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;

        if (m->shards[mid].first <= t)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* The position of the offset of row t in shard i.  The next offset is
 * that of row t + 1. */
static uint64_t offset_at(const struct shard_info *i, uint32_t t)
{
    return i->row_bytes + (uint64_t)(t - i->first) * 8;
}

int store_row_code(const struct store *s, uint32_t t, const uint8_t **code,
                   size_t *len, struct cooc_err *err)
{
    const struct manifest *m = &s->manifest;
    struct checked_file *b;
    uint32_t i;
    uint64_t start, end;
    const void *p;
    int rc;

    if (!m->counted)
        return err_set(err, COOC_ENOTCOUNTED,
                       "the pairs of this store are not counted yet");
    if (t >= m->terms)
        return err_set(err, COOC_EINVAL,
                       "row %u is out of range (the store has %u terms)", t,
                       m->terms);
    *code = NULL;
    *len = 0;
    if (t >= rows_written(m))
        return 0;
    i = shard_of(m, t);
    rc = store_shard(s, i, &b, err);
    if (rc < 0)
        return rc;
    rc = checked_file_get(b, offset_at(&m->shards[i], t), 16, &p,
                          err);
    if (rc < 0)
        return rc;
    start = get_le64(p);
    end = get_le64((const uint8_t *)p + 8);
    if (start > end || end > m->shards[i].row_bytes)
        return err_path(err, COOC_EFORMAT, checked_file_path(b),
                        "is damaged: row %u is outside the file", t);
    rc = checked_file_get(b, start, end - start, &p, err);
    if (rc < 0)
        return rc;
    *code = p;
    *len = (size_t)(end - start);
    return 0;
}

const char *store_row_path(const struct store *s, uint32_t t)
{
    const struct checked_file *b =
        t < rows_written(&s->manifest)
            ? s->shards[shard_of(&s->manifest, t)]
            : s->docs.files[FILE_FORWARD];

    return b ? checked_file_path(b) : s->path;
}

static int bad_code(const struct store *s, uint32_t t,
                    const struct cooc_err *why, struct cooc_err *err)
{
    if (why->code != COOC_EFORMAT)
        return err_copy(err, why);
    return err_path(err, why->code, store_row_path(s, t), "is damaged: %s",
                    why->text);
}

int store_count(const struct store *s, uint32_t t, uint32_t column,
                uint32_t *count, struct cooc_err *err)
{
    const uint8_t *code;
    size_t len;
    struct cooc_err why;
    int rc = store_row_code(s, t, &code, &len, err);

    *count = 0;
    if (rc < 0)
        return rc;
    rc = row_find(code, len, t, column, NULL, count, &why);
    return rc < 0 ? bad_code(s, t, &why, err) : 0;
}

void store_forget_rows(const struct store *s, uint32_t t)
{
    const struct manifest *m = &s->manifest;
    uint32_t i = m->n_shards ? shard_of(m, t) : 0;
    const void *p;

    if (t >= rows_written(m)) { /* documents are needed again and again */
        for (uint32_t k = 0; s->shards && k < m->n_shards; k++)
            if (s->shards[k])
                checked_file_forget(s->shards[k], UINT64_MAX);
        return;
    }
    if (i && s->shards[i - 1])
        checked_file_forget(s->shards[i - 1], UINT64_MAX);
    if (s->shards[i] &&
        checked_file_get(s->shards[i], offset_at(&m->shards[i], t), 8, &p,
                         NULL) == 0)
        checked_file_forget(s->shards[i], get_le64(p));
}

int store_bulk(const struct store *s, uint64_t postings, uint64_t memory,
               unsigned threads, struct watch *watch, struct bulk_rows *b,
               struct cooc_err *err)
{
    if (b->ready || !postings || postings < s->manifest.postings / BULK_SHARE)
        return 0;
    return bulk_rows_open(b, &s->docs, memory ? memory : memory_half() / 4,
                          threads, watch, err);
}

/* Recompute row t, which is omitted. */
static int recompute_row(const struct store *s, uint32_t t,
                         struct row_reader *r, struct cooc_err *err)
{
    uint32_t most_df = s->manifest.omitted.df;
    struct cooc_err why;
    int rc;

    if (r->bulk && r->bulk->ready) {
        rc = bulk_row_make(&r->bulk_row, r->bulk, t, most_df, &why);
        r->entries = r->bulk_row.entries;
        r->n = r->bulk_row.n;
        return rc < 0 ? bad_code(s, t, &why, err) : 0;
    }
    rc = row_recompute(&r->recompute, &s->docs, t, most_df, err);
    r->entries = r->recompute.entries;
    r->n = r->recompute.n;
    return rc;
}

int store_row(const struct store *s, uint32_t t, struct row_reader *r,
              struct cooc_err *err)
{
    const struct manifest *m = &s->manifest;
    const uint8_t *code;
    size_t len;
    struct cooc_err why;
    int rc = store_row_code(s, t, &code, &len, err);

    r->n = 0;
    if (rc < 0)
        return rc;
    if (t >= rows_written(m))
        return recompute_row(s, t, r, err);
    rc = row_decode(code, len, t, &r->decoded, &r->cap, &r->n, &r->scratch,
                    &why);
    r->entries = r->decoded;
    return rc < 0 ? bad_code(s, t, &why, err) : 0;
}
