/* resume.c - keep or remove the rows that an earlier count has left. */
#include "jobs/counting.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/recognise.h"
#include "base/workdir.h"
#include "store/journal.h"

#define SHARDS "rows-" /* beginnings of file names */
#define SHARES "omitted-"

/* Whether the name is that of a shard, or of a share, with a number below n. */
static bool is_unit(const char *name, const char *prefix, uint32_t n)
{
    char own[SHARD_NAME_MAX];
    unsigned long i = strtoul(name + strlen(prefix), NULL, 10);

    if (i >= n)
        return false;
    snprintf(own, sizeof own, "%s%04lu.bin", prefix, i);
    return !strcmp(name, own);
}

static bool is_left_over(const char *name, uint32_t n_shards,
                         uint32_t n_shares, const struct journal *own)
{
    enum store_name is = recognise_name(name);

    if (!strncmp(name, SHARDS, strlen(SHARDS)))
        return !is_unit(name, SHARDS, n_shards);
    if (is == NAME_FILE && !strncmp(name, SHARES, strlen(SHARES)))
        return !is_unit(name, SHARES, n_shares);
    if (own && !strcmp(name, journal_name(own)))
        return false;
    return is == NAME_HIDDEN || is == NAME_LEFTOVER;
}

int resume_clean(const char *dir, uint32_t n_shards, uint32_t n_shares,
                 const struct journal *own, struct cooc_err *err)
{
    DIR *d = workdir_opendir(dir, 0);
    struct dirent *e;
    int rc = 0;

    if (!d)
        return err_sys(err, "cannot open", dir);
    while (rc == 0 && (e = readdir(d)) != NULL)
        if (is_left_over(e->d_name, n_shards, n_shares, own) &&
            unlinkat(dirfd(d), e->d_name, 0) < 0 && errno != ENOENT)
            rc = err_sys(err, "cannot remove old rows", dir);
    closedir(d);
    return rc;
}

static int unit_path(char **path, const struct shard_writer *w, uint32_t unit,
                     struct cooc_err *err)
{
    return unit < w->n_shards
               ? shard_path(path, w->dir, unit, err)
               : share_path(path, w->dir, unit - w->n_shards, err);
}

struct resuming {
    struct shard_writer *w;
    bool clean, quick;
    struct watch *watch;
    atomic_uint_least64_t kept, dropped;
};

/* As shard_writer_look(); with `clean`, remove an invalid file. */
static int resume_unit(const struct resuming *r, uint32_t unit,
                       struct cooc_err *err)
{
    struct shard_writer *w = r->w;
    int rc = shard_writer_look(w, unit, r->quick, r->watch, err);
    char *path = NULL;

    if (rc != COOC_EFORMAT || !r->clean)
        return rc;
    rc = unit_path(&path, w, unit, err);
    if (rc == 0)
        rc = workdir_unlink(path) < 0
                 ? err_sys(err, "cannot remove old rows", path) : COOC_EFORMAT;
    mem_free(path);
    return rc;
}

/* Bytes of all files of units, the total for the progress report. */
static uint64_t bytes_there(const struct shard_writer *w)
{
    uint64_t sum = 0;

    for (uint32_t i = w->first; i < w->last; i++) {
        char *path = NULL;
        struct stat st;

        if (!shard_writer_knows(w, i) && unit_path(&path, w, i, NULL) == 0 &&
            workdir_lstat(path, &st) == 0)
            sum += (uint64_t)st.st_size;
        mem_free(path);
    }
    return sum;
}

static int resume_job(void *self, unsigned worker, uint64_t job,
                      struct cooc_err *err)
{
    struct resuming *r = self;
    uint32_t unit = r->w->first + (uint32_t)job;
    int rc = shard_writer_knows(r->w, unit)
                 ? 1 : resume_unit(r, unit, err);

    (void)worker;
    if (unit < r->w->n_shards && rc == 1)
        atomic_fetch_add(&r->kept, 1);
    else if (unit < r->w->n_shards && rc == COOC_EFORMAT)
        atomic_fetch_add(&r->dropped, 1);
    return rc < 0 && rc != COOC_EFORMAT ? rc : 0;
}

int resume_units(struct shard_writer *w, bool clean, bool quick,
                 unsigned threads, uint64_t *kept, uint64_t *dropped,
                 struct watch *watch, struct cooc_err *err)
{
    struct resuming r = { .w = w, .clean = clean, .quick = quick,
                          .watch = watch };
    uint64_t bytes = bytes_there(w);
    int rc = 0;

    if (bytes) {
        watch_phase(watch, "verifying finished row files", "bytes",
                    quick ? 0 : bytes);
        rc = pool_for(w->last - w->first, threads, resume_job, &r, err);
    }
    *kept = atomic_load(&r.kept);
    *dropped = atomic_load(&r.dropped);
    return rc;
}
