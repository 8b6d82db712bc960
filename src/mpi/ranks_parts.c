/* ranks_parts.c - the directory with the parts of an index. */
#include "mpi/ranks_parts.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "mpi/protocol.h"
#include "mpi/ranks_inputs.h"

#define WHOLE "all.cooc"

enum { PARTS_PER_RANK = 2, PARTS_MAX = 4096 };

int parts_dir_init(struct parts_dir *d, const char *store,
                   struct cooc_err *err)
{
    size_t len = strlen(store), base;

    *d = (struct parts_dir){ .store = store, .lock = -1 };
    while (len > 1 && store[len - 1] == '/')
        len--;
    base = len;
    while (base && store[base - 1] != '/')
        base--;
    return buf_printf(&d->path, err, "%.*s.%.*s.parts", (int)base, store,
                      (int)(len - base), store + base);
}

int parts_dir_part(struct buf *path, const struct parts_dir *d, uint64_t part,
                   struct cooc_err *err)
{
    return buf_printf(path, err, "%s/%llu-of-%llu.cooc", d->path.data,
                      (unsigned long long)part,
                      (unsigned long long)d->parts);
}

int parts_dir_whole(struct buf *path, const struct parts_dir *d,
                    struct cooc_err *err)
{
    return buf_printf(path, err, "%s/" WHOLE, d->path.data);
}

/* Parse "I-of-N.cooc" or "I-of-N.cooc.part"; return N, or 0. */
static uint64_t parts_of_name(const char *name, bool *finished)
{
    unsigned long long part, parts;
    int end = 0;

    *finished = false;
    if (sscanf(name, "%llu-of-%llu.cooc%n", &part, &parts, &end) < 2 || !end)
        return 0;
    *finished = !name[end];
    return *finished || !strcmp(name + end, ".part") ? parts : 0;
}

/* Remove an entry of the directory, unless it is a finished part of the current
 * division, or the merged store of an open directory.  Others are foreign. */
static int remove_entry(const struct parts_dir *d, const char *name,
                        struct cooc_err *err)
{
    struct buf path = { 0 };
    bool finished;
    uint64_t parts = parts_of_name(name, &finished);
    int rc = buf_printf(&path, err, "%s/%s", d->path.data, name);

    if (rc == 0 &&
        (!strncmp(name, ".tmp-mpi-", 9) || !strcmp(name, INPUTS_LIST)))
        unlink(path.data); /* of a killed job */
    else if (rc == 0 &&
             (parts ? parts != d->parts || !finished
                    : !d->parts && !strncmp(name, WHOLE, strlen(WHOLE))))
        rc = dir_remove(path.data, err);
    buf_release(&path);
    return rc;
}

/* Look at each part in the directory: find out into how many parts an earlier
 * job has divided the inputs; or remove the parts of all other divisions. */
static int scan(struct parts_dir *d, bool keep, struct cooc_err *err)
{
    DIR *dir = opendir(d->path.data);
    struct dirent *e;
    int rc = 0;

    if (!dir)
        return err_sys(err, "cannot open", d->path.data);
    while (rc == 0 && (errno = 0, e = readdir(dir)) != NULL) {
        bool finished;
        uint64_t parts = parts_of_name(e->d_name, &finished);

        if (!keep)
            rc = remove_entry(d, e->d_name, err);
        else if (finished && parts >= ranks.size && parts <= PARTS_MAX)
            d->parts = parts;
    }
    closedir(dir);
    return rc;
}

int parts_dir_open(struct parts_dir *d, bool anew, struct cooc_err *err)
{
    int rc;

    if (mkdir(d->path.data, 0777) < 0 && errno != EEXIST)
        return err_sys(err, "cannot create", d->path.data);
    rc = dir_lock(&d->lock, d->path.data, d->store, err);
    d->parts = 0;
    if (rc == 0)
        rc = anew ? scan(d, false, err) : scan(d, true, err);
    if (!d->parts && ranks.size == 1)
        d->parts = 1;
    else if (!d->parts)
        d->parts = (uint64_t)PARTS_PER_RANK * ranks.size;
    if (d->parts > PARTS_MAX && d->parts == PARTS_PER_RANK * ranks.size)
        d->parts = ranks.size;
    return rc < 0 ? rc : scan(d, false, err);
}

int parts_dir_remove(struct parts_dir *d, struct cooc_err *err)
{
    int rc;

    d->parts = 0;
    rc = scan(d, false, err);
    if (rc == 0 && rmdir(d->path.data) < 0)
        rc = err_sys(err, "cannot remove", d->path.data);
    return rc;
}

void parts_dir_tidy(struct parts_dir *d)
{
    struct stat st;

    if (stat(d->path.data, &st) == 0 &&
        dir_lock(&d->lock, d->path.data, d->store, NULL) == 0)
        parts_dir_remove(d, NULL);
}

void parts_dir_release(struct parts_dir *d, int rc)
{
    if (d->store && d->lock >= 0 && rc < 0) {
        inputs_remove(d->path.data);
        rmdir(d->path.data); /* only if no part was finished */
    }
    if (d->store)
        dir_unlock(d->lock);
    buf_release(&d->path);
}
