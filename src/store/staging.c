/* staging.c - build a store in NAME.part, then rename it to NAME. */
#include "store/staging.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/recognise.h"
#include "base/workdir.h"
#include "store/journal.h"
#include "store/manifest.h"

struct contents {
    bool manifest, files, foreign;
};

/* Find out which kinds of files a directory contains.  False if it cannot be
 * read or is a symbolic link. */
static bool scan_directory(const char *path, struct contents *c)
{
    DIR *d = workdir_opendir(path, O_NOFOLLOW);
    struct dirent *e;
    struct stat st;

    *c = (struct contents){ 0 };
    if (!d)
        return false;
    while ((e = readdir(d)) != NULL) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        if (!recognise_name(e->d_name) ||
            (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
             S_ISDIR(st.st_mode)))
            c->foreign = true;
        else if (!strcmp(e->d_name, MANIFEST_NAME))
            c->manifest = true;
        else
            c->files = true;
    }
    closedir(d);
    return true;
}

/* Check that this user may rename and remove the store, before the work
 * instead of after it. */
static int check_rights(const struct staging *p, const struct stat *store,
                        struct cooc_err *err)
{
    uid_t self = geteuid();
    struct stat dir;

    if (workdir_access(p->path, W_OK | X_OK) < 0)
        return err_sys(err, "cannot replace the store", p->path);
    if (workdir_stat(p->dir, &dir) < 0)
        return err_sys(err, "cannot stat", p->dir);
    if (self && self != store->st_uid &&
        ((dir.st_mode & S_ISVTX && self != dir.st_uid) ||
         store->st_mode & S_ISVTX)) {
        errno = EPERM;
        return err_sys(err, "cannot replace the store", p->path);
    }
    return 0;
}

/* Check that the path is free or is a store that may be replaced.  If so, lock
 * the store, so that nobody can count in it. */
static int check_target(struct staging *p, bool replace, struct cooc_err *err)
{
    struct contents c;
    struct stat st;
    int rc;

    if (workdir_lstat(p->path, &st) < 0)
        return errno == ENOENT ? 0 : err_sys(err, "cannot stat", p->path);
    /* A damaged store may be replaced, but it must have a manifest and no
     * foreign files. */
    if (!scan_directory(p->path, &c) || !c.manifest || !c.files ||
        !recognise_store(p->path))
        return err_path(err, COOC_EEXISTS, p->path,
                        "already exists and is not a cooc store, so it is "
                        "not replaced; choose another name");
    if (c.foreign)
        return err_path(err, COOC_EEXISTS, p->path,
                        "contains files of other programs, so it is not "
                        "replaced; move them or choose another name");
    if (!replace)
        return err_path_option(err, COOC_EEXISTS, p->path, "replace",
                               "already exists; choose another name or "
                               "replace it");
    rc = check_rights(p, &st, err);
    return rc < 0 ? rc : journal_lock(&p->old_lock, p->path, false, err);
}

static bool ends_in(const char *name, const char *ending)
{
    size_t n = strlen(name), m = strlen(ending);

    return n >= m && !strcmp(name + n - m, ending);
}

/* Refuse names inside another store, which would damage both, and names that
 * end in .part, because NAME.part is removed when NAME is built. */
static int check_name(const struct staging *p, struct cooc_err *err)
{
    if (ends_in(p->path, ".part"))
        return err_path(err, COOC_EINVAL, p->path,
                        "names ending in .part are reserved for unfinished "
                        "stores; choose another name");
    if (recognise_store(p->dir))
        return err_path(err, COOC_EINVAL, p->path,
                        "is inside another store; choose another name");
    return 0;
}

/* Return the error for a NAME.part that exists and must not be removed. */
static int err_not_removable(const char *part, struct cooc_err *err)
{
    struct stat st;

    if (workdir_lstat(part, &st) == 0 && S_ISDIR(st.st_mode) &&
        st.st_uid != geteuid())
        return err_path(err, COOC_EEXISTS, part,
                        "already exists and belongs to another user (uid "
                        "%ld), perhaps left by an interrupted command; have "
                        "it removed or choose another name for the store",
                        (long)st.st_uid);
    return err_path(err, COOC_EEXISTS, part,
                    "already exists and was not made by cooc; move it or "
                    "choose another name for the store");
}

/* Whether NAME.part was made by cooc and may be removed.  An empty
 * directory may be. */
static bool is_ours(const char *part, const struct contents *c)
{
    return !c->foreign &&
           ((!c->manifest && !c->files) || recognise_store(part));
}

/* Create NAME.part and lock it; only the owner of this lock may publish the
 * store.  Remove what an earlier job left there. */
static int begin_part(struct staging *p, struct cooc_err *err)
{
    const char *part = p->part.data;
    struct contents c;
    bool made;
    int rc;

    do {
        made = workdir_mkdir(part, 0777) == 0;
        if (!made && errno != EEXIST)
            return err_sys(err, "cannot create", part);
        if (scan_directory(part, &c) ? is_ours(part, &c) : errno == ENOENT)
            rc = dir_lock(&p->part_lock, part, p->path, err);
        else if (made)
            rc = err_sys(err, "cannot open", part);
        else
            rc = err_not_removable(part, err);
    } while (rc == COOC_ENOTFOUND); /* another job has just finished with it */
    if (rc == 0 && !made && workdir_access(part, W_OK | X_OK) < 0)
        rc = err_not_removable(part, err);
    p->begun = rc == 0;
    /* COOC_EBUSY: another job uses the directory by now. */
    if (made && rc < 0 && rc != COOC_EBUSY)
        workdir_rmdir(part);
    /* An existing part may be a store that was replaced: its new name must be
     * on disk before it is emptied (see staging_publish()). */
    if (rc == 0 && !made)
        rc = dir_sync(p->dir, err);
    return rc < 0 ? rc : dir_empty(part, err);
}

/* Set the path of the store, and check that it may be written there. */
static int name_staging(struct staging *p, const char *store, bool replace,
                        struct cooc_err *err)
{
    size_t len = strlen(store);
    char *named;
    int rc;

    *p = (struct staging)STAGING_NONE;
    while (len > 1 && store[len - 1] == '/')
        len--;
    if (len == 0)
        return err_set(err, COOC_EINVAL, "the name of the store is empty");
    /* A link to a store is kept, and its target is replaced: the new store is
     * built next to the old one, on the same disk. */
    named = mem_dup(store, len);
    rc = named ? workdir_follow(&p->path, named, err) : err_nomem(err);
    mem_free(named);
    if (rc == 0)
        rc = path_dir(&p->dir, p->path, err);
    if (rc == 0)
        rc = check_name(p, err);
    return rc < 0 ? rc : check_target(p, replace, err);
}

static int create(struct staging *p, bool replace, struct cooc_err *err)
{
    int rc = buf_printf(&p->part, err, "%s.part", p->path);

    if (rc == 0)
        rc = begin_part(p, err);
    if (rc == 0 && p->old_lock < 0) /* it may have been created meanwhile */
        rc = check_target(p, replace, err);
    return rc;
}

int staging_begin(struct staging *p, const char *store, bool replace,
                  struct cooc_err *err)
{
    int rc = name_staging(p, store, replace, err);

    return rc < 0 ? rc : create(p, replace, err);
}

int staging_lock(struct staging *p, const char *store, struct cooc_err *err)
{
    struct contents c;
    int rc = name_staging(p, store, true, err);

    if (rc == 0 && workdir_access(p->dir, W_OK | X_OK) < 0)
        rc = err_sys(err, "cannot create a store", p->dir);
    if (rc == 0)
        rc = buf_printf(&p->part, err, "%s.part", p->path);
    if (rc == 0 && workdir_access(p->part.data, F_OK) == 0 &&
        !(scan_directory(p->part.data, &c) && is_ours(p->part.data, &c)))
        rc = err_not_removable(p->part.data, err);
    p->part.len = 0; /* staging_create() sets it */
    return rc;
}

int staging_create(struct staging *p, struct cooc_err *err)
{
    return create(p, true, err);
}

int staging_check(const char *store, bool replace, struct cooc_err *err)
{
    struct staging p;
    int rc = name_staging(&p, store, replace, err);

    if (rc == 0 && workdir_access(p.dir, W_OK | X_OK) < 0)
        rc = err_sys(err, "cannot create a store", p.dir);
    staging_release(&p);
    return rc;
}

int staging_adopt(struct staging *p, const char *from, const char *to,
                  struct cooc_err *err)
{
    size_t len = strlen(from);
    struct manifest m = { 0 };
    int rc = name_staging(p, to, true, err);

    while (len > 1 && from[len - 1] == '/')
        len--;
    if (rc == 0 && p->old_lock >= 0 && dir_is(p->old_lock, from))
        rc = err_path(err, COOC_EINVAL, to, "is the same store as %s", from);
    if (rc == 0)
        rc = dir_lock(&p->part_lock, from, from, err);
    if (rc == 0)
        rc = manifest_read(&m, from, err);
    manifest_release(&m);
    return rc < 0 ? rc : buf_printf(&p->part, err, "%.*s", (int)len, from);
}

/* Check that path still names the locked directory. */
static int check_not_moved(int lock, const char *path, struct cooc_err *err)
{
    if (dir_is(lock, path))
        return 0;
    if (errno && errno != ENOENT)
        return err_sys(err, "cannot stat", path);
    return err_path(err, COOC_EIO, path,
                    "was moved or replaced while the new store was being "
                    "written; try again");
}

/* Move the new store to its final name.  An old store is exchanged with the new
 * one, because rename() cannot replace a directory that is not empty. */
static int move(struct staging *p, struct cooc_err *err)
{
    const char *part = p->part.data, *path = p->path;

    int rc = check_not_moved(p->part_lock, part, err);

    if (rc == 0 && p->old_lock >= 0)
        rc = check_not_moved(p->old_lock, path, err);
    if (rc < 0)
        return rc;
    if (p->old_lock < 0)
        return workdir_rename(part, path, 0) < 0
                   ? err_sys(err, "cannot rename the finished store to this "
                                  "name", path)
                   : 0;
    if (workdir_rename(part, path, RENAME_EXCHANGE) == 0)
        return 0;
    if (errno == EINVAL || errno == ENOSYS)
        return err_path(err, COOC_EIO, path,
                        "cannot replace: this file system cannot exchange "
                        "two directories; remove the old store first");
    return err_sys(err, "cannot replace", path);
}

static bool move_back(struct staging *p)
{
    const char *part = p->part.data, *path = p->path;
    unsigned flags = p->old_lock < 0 ? RENAME_NOREPLACE : RENAME_EXCHANGE;

    return workdir_rename(path, part, flags) == 0;
}

/* The old store is not removed until the new name is on disk.  Until then, a
 * power failure may bring back the old directory entry, which must still name a
 * complete store. */
int staging_publish(struct staging *p, struct cooc_err *err)
{
    int rc = library_alloc_check(err);

    if (rc == 0)
        rc = move(p, err);
    if (rc < 0)
        return rc;
    rc = dir_sync(p->dir, err);
    p->published = rc == 0 || !move_back(p);
    if (rc == 0 && p->old_lock >= 0)
        dir_remove(p->part.data, NULL); /* else the next job does */
    return rc;
}

void staging_release(struct staging *p)
{
    if (p->begun && !p->published)
        dir_remove(p->part.data, NULL);
    dir_unlock(p->part_lock);
    dir_unlock(p->old_lock);
    buf_release(&p->part);
    mem_free(p->path);
    mem_free(p->dir);
}
