/* resume.c - keep or remove the rows that an earlier count has left. */
#include "jobs/counting.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/recognise.h"
#include "base/workdir.h"

static bool is_shard(const char *name, uint32_t n_shards)
{
    char own[SHARD_NAME_MAX];
    unsigned long i = strtoul(name + strlen("rows-"), NULL, 10);

    if (i >= n_shards)
        return false;
    shard_name(own, (uint32_t)i);
    return !strcmp(name, own);
}

static bool is_left_over(const char *name, uint32_t n_shards)
{
    enum store_name is = recognise_name(name);

    if (!strncmp(name, "rows-", 5))
        return !is_shard(name, n_shards);
    return is == NAME_HIDDEN || is == NAME_LEFTOVER;
}

int resume_clean(const char *dir, uint32_t n_shards, struct cooc_err *err)
{
    DIR *d = workdir_opendir(dir, 0);
    struct dirent *e;
    int rc = 0;

    if (!d)
        return err_sys(err, "cannot open", dir);
    while (rc == 0 && (e = readdir(d)) != NULL)
        if (is_left_over(e->d_name, n_shards) &&
            unlinkat(dirfd(d), e->d_name, 0) < 0)
            rc = err_sys(err, "cannot remove old rows", dir);
    closedir(d);
    return rc;
}

/* Verify that this file is the shard of rows [info->first, info->last), and
 * fill the rest of *info.  COOC_EFORMAT if it is damaged or another shard. */
static int verify_shard(const char *path, struct shard_info *info,
                        const struct row_source *from, struct watch *watch,
                        struct cooc_err *err)
{
    struct checked_file *b;
    int rc = checked_file_open(&b, path, "rows", NULL, err);

    if (rc < 0)
        return rc;
    rc = seal_check(b, info, from, err);
    if (rc == 0)
        rc = checked_file_verify(b, watch, err);
    if (rc == 0)
        checked_file_describe(b, &info->id);
    checked_file_close(b);
    return rc;
}

/* Returns 1 if the shard is kept, 0 if there is no file, COOC_EFORMAT if there
 * was an invalid file, which has been removed, or another error. */
static int resume_shard(const struct shard_writer *w, uint32_t shard,
                        struct watch *watch, struct cooc_err *err)
{
    struct shard_info info = { .first = w->plan->cuts[shard],
                               .last = w->plan->cuts[shard + 1] };
    char *path = NULL;
    struct stat st;
    int rc = shard_path(&path, w->dir, shard, err);

    if (rc < 0)
        return rc;
    if (workdir_lstat(path, &st) < 0 && errno == ENOENT)
        goto out;
    rc = verify_shard(path, &info, &w->from, watch, err);
    if (rc == 0) {
        w->infos[shard] = info;
        rc = 1;
    } else if (rc == COOC_EFORMAT && workdir_unlink(path) < 0) {
        rc = err_sys(err, "cannot remove old rows", path);
    }
out:
    mem_free(path);
    return rc;
}

/* Bytes of all row files, the total for the progress report. */
static uint64_t bytes_there(const struct shard_writer *w)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < w->plan->n_shards; i++) {
        char *path = NULL;
        struct stat st;

        if (shard_path(&path, w->dir, i, NULL) == 0 &&
            workdir_lstat(path, &st) == 0)
            sum += (uint64_t)st.st_size;
        mem_free(path);
    }
    return sum;
}

int resume_shards(const struct shard_writer *w, uint64_t *kept,
                  uint64_t *dropped, struct watch *watch,
                  struct cooc_err *err)
{
    uint64_t bytes = bytes_there(w);

    *kept = *dropped = 0;
    if (!bytes)
        return 0;
    watch_phase(watch, "verifying finished parts", "bytes", bytes);
    for (uint32_t i = 0; i < w->plan->n_shards; i++) {
        int rc = resume_shard(w, i, watch, err);

        if (rc < 0 && rc != COOC_EFORMAT)
            return rc;
        *kept += rc == 1;
        *dropped += rc == COOC_EFORMAT;
    }
    return 0;
}
