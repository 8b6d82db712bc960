/* parts_file.c - read and write counting.parts (docs/FORMAT.md). */
#include "store/parts_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/checked_file.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/workdir.h"

#define NAME "counting.parts"
#define KIND "parts"
#define VERSION 1u
#define UNITS_MAX ((uint64_t)1 << 20)

enum { AT_VERSION, AT_COLLECTION, AT_WRITTEN, AT_COMPACT_DF, AT_OMITTED_DF,
       AT_TERMS, AT_SHARDS, AT_SHARES, AT_INCREMENTS, HEAD };

void parts_file_release(struct parts_file *p)
{
    mem_free(p->cuts);
    mem_free(p->work);
    *p = (struct parts_file){ 0 };
}

static uint32_t units(const struct parts_file *p)
{
    return p->n_shards + p->n_shares;
}

bool parts_file_equal(const struct parts_file *a, const struct parts_file *b)
{
    return a->collection == b->collection && a->written == b->written &&
           a->compact_df == b->compact_df && a->omitted_df == b->omitted_df &&
           a->terms == b->terms && a->n_shards == b->n_shards &&
           a->n_shares == b->n_shares && a->increments == b->increments &&
           !memcmp(a->cuts, b->cuts, (units(a) + 1) * sizeof *a->cuts);
}

int parts_file_write(const struct parts_file *p, const char *dir,
                     struct cooc_err *err)
{
    const uint64_t head[HEAD] = { VERSION, p->collection, p->written,
                                  p->compact_df, p->omitted_df, p->terms,
                                  p->n_shards, p->n_shares, p->increments };
    struct checked_file_writer *w = NULL;
    char *path = NULL;
    int rc = path_join(&path, dir, NAME, err);

    if (rc == 0)
        rc = checked_file_create_unique(&w, path, KIND, err);
    if (rc == 0)
        rc = checked_file_write_u64(w, head, HEAD, err);
    for (uint32_t i = 0; i < units(p) && rc == 0; i++) {
        const uint64_t unit[] = { p->cuts[i + 1], p->work[i] };

        rc = checked_file_write_u64(w, unit, 2, err);
    }
    if (rc == 0)
        rc = checked_file_commit_first(w, err);
    checked_file_writer_free(w);
    mem_free(path);
    return rc;
}

/* Read the units that follow the head; rows must ascend. */
static int get_units(struct parts_file *p, const uint64_t *unit,
                     const char *path, struct cooc_err *err)
{
    p->cuts = mem_zarray(units(p) + 1, sizeof *p->cuts);
    p->work = mem_zarray(units(p), sizeof *p->work);
    if (!p->cuts || !p->work)
        return err_nomem(err);
    for (uint32_t i = 0; i < units(p); i++, unit += 2) {
        if (unit[0] <= p->cuts[i] || unit[0] > p->terms)
            return err_path(err, COOC_EFORMAT, path,
                            "is damaged: its rows do not ascend");
        p->cuts[i + 1] = (uint32_t)unit[0];
        p->work[i] = unit[1];
    }
    return p->cuts[units(p)] == p->terms
               ? 0 : err_path(err, COOC_EFORMAT, path,
                              "is damaged: its units do not have all rows");
}

static int get_all(struct parts_file *p, struct checked_file *b,
                   struct cooc_err *err)
{
    const char *path = checked_file_path(b);
    uint64_t size = checked_file_size(b);
    const uint64_t *h;
    const void *all;
    int rc;

    checked_file_holds(b, 8);
    rc = checked_file_get(b, 0, size, &all, err);
    if (rc < 0)
        return rc;
    h = all;
    if (size < 8 || h[AT_VERSION] != VERSION)
        return err_path(err, COOC_EVERSION, path,
                        "was written by another version of cooc; use that "
                        "version for all parts, or remove this file to start "
                        "over");
    if (size < HEAD * 8 || h[AT_SHARDS] > UNITS_MAX ||
        h[AT_SHARES] > UNITS_MAX || h[AT_TERMS] >= UINT32_MAX ||
        (h[AT_WRITTEN] != COOC_ROWS_FULL &&
         h[AT_WRITTEN] != COOC_ROWS_COMPACT) ||
        h[AT_COMPACT_DF] > UINT8_MAX || h[AT_OMITTED_DF] > UINT8_MAX ||
        size != (HEAD + 2 * (h[AT_SHARDS] + h[AT_SHARES])) * 8)
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: a number is out of range");
    p->collection = h[AT_COLLECTION];
    p->written = (enum cooc_row_set)h[AT_WRITTEN];
    p->compact_df = (uint32_t)h[AT_COMPACT_DF];
    p->omitted_df = (uint32_t)h[AT_OMITTED_DF];
    p->terms = (uint32_t)h[AT_TERMS];
    p->n_shards = (uint32_t)h[AT_SHARDS];
    p->n_shares = (uint32_t)h[AT_SHARES];
    p->increments = h[AT_INCREMENTS];
    return get_units(p, h + HEAD, path, err);
}

/* Say what to do about a damaged file. */
static int err_damaged(struct cooc_err *err, int rc)
{
    struct cooc_err own;

    if (err && rc == COOC_EFORMAT) {
        own = *err;
        err_reword(err, "%s; remove this file and count again: finished row "
                   "files are kept", own.text);
    }
    return rc;
}

int parts_file_read(struct parts_file *p, const char *dir,
                    struct cooc_err *err)
{
    struct checked_file *b = NULL;
    char *path = NULL;
    struct stat st;
    int rc = path_join(&path, dir, NAME, err);

    *p = (struct parts_file){ 0 };
    if (rc < 0)
        return rc;
    if (workdir_lstat(path, &st) < 0 && errno == ENOENT) {
        mem_free(path);
        return 0;
    }
    rc = checked_file_open(&b, path, KIND, NULL, err);
    if (rc == 0)
        rc = get_all(p, b, err);
    checked_file_close(b);
    mem_free(path);
    if (rc < 0)
        parts_file_release(p);
    return rc < 0 ? err_damaged(err, rc) : 1;
}

int parts_file_remove(const char *dir, struct cooc_err *err)
{
    char *path = NULL;
    int rc = path_join(&path, dir, NAME, err);

    if (rc == 0 && workdir_unlink(path) < 0 && errno != ENOENT)
        rc = err_sys(err, "cannot remove", path);
    mem_free(path);
    return rc;
}
