/* walk.c - walk a directory tree, depth first, without recursion.
 *
 * Each level holds the sorted names of one directory, all read at once so that
 * no descriptor stays open; the levels form a stack.  The order, and so the
 * numbers of documents, depends neither on the file system nor on the locale.
 */
#include "read/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/recognise.h"
#include "base/workdir.h"
#include "read/hidden.h"
#include "read/read.h"

struct level {
    char **names;
    size_t n, cap, next;
    size_t visible; /* number of names that are not hidden */
    size_t path_len; /* of the directory's path, with its '/' */
    dev_t dev;
    ino_t ino;
};

struct walk {
    struct level *levels;
    size_t n, cap;
    struct buf path;
    struct reader_stats *stats;
    struct watch *watch;
};

static void level_release(struct level *l)
{
    for (size_t i = 0; i < l->n; i++)
        mem_free(l->names[i]);
    mem_free(l->names);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(struct walk *w, struct level *l, DIR *dir,
                      struct cooc_err *err)
{
    struct dirent *e;
    int rc;

    while ((void)(errno = 0), (e = readdir(dir)) != NULL) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        rc = array_grow(&l->names, &l->cap, l->n + 1, sizeof *l->names, err);
        if (rc < 0)
            return rc;
        l->names[l->n] = mem_dup(e->d_name, strlen(e->d_name));
        if (!l->names[l->n])
            return err_nomem(err);
        l->n++;
        l->visible += e->d_name[0] != '.';
    }
    if (errno)
        return err_sys(err, "cannot read the directory", w->path.data);
    if (l->n)
        qsort(l->names, l->n, sizeof *l->names, by_bytes);
    return 0;
}

/* Enter the directory at w->path, unless it is a store.  The names are read
 * before the check: a store that is created meanwhile is either recognised by
 * the check or not among the names. */
static int push(struct walk *w, const struct stat *st, struct cooc_err *err)
{
    struct level l = { .dev = st->st_dev, .ino = st->st_ino };
    DIR *dir = workdir_opendir(w->path.data, 0);
    int rc;

    if (!dir)
        return err_sys(err, "cannot open the directory", w->path.data);
    rc = read_names(w, &l, dir, err);
    if (rc == 0 && l.visible && recognise_store_at(dirfd(dir), w->path.data)) {
        w->stats->stores++;
        goto out;
    }
    if (rc == 0)
        rc = array_grow(&w->levels, &w->cap, w->n + 1, sizeof l, err);
    if (rc == 0 && (w->path.len == 0 || w->path.data[w->path.len - 1] != '/'))
        rc = buf_byte(&w->path, '/', err);
    if (rc == 0) {
        l.path_len = w->path.len;
        w->levels[w->n++] = l;
        l = (struct level){ 0 };
    }
out:
    level_release(&l);
    closedir(dir);
    return rc;
}

int walk_open(struct walk **out, const char *dir, struct reader_stats *stats,
              struct watch *watch, struct cooc_err *err)
{
    struct walk *w = mem_zarray(1, sizeof *w);
    struct stat st;
    int rc;

    *out = NULL;
    if (!w)
        return err_nomem(err);
    w->stats = stats;
    w->watch = watch;
    rc = buf_printf(&w->path, err, "%s", dir);
    if (rc == 0 && workdir_stat(dir, &st) < 0)
        rc = err_sys(err, "cannot open", dir);
    if (rc == 0)
        rc = push(w, &st, err);
    if (rc < 0) {
        walk_close(w);
        return rc;
    }
    *out = w;
    return 0;
}

void walk_close(struct walk *w)
{
    if (!w)
        return;
    while (w->n)
        level_release(&w->levels[--w->n]);
    mem_free(w->levels);
    buf_release(&w->path);
    mem_free(w);
}

static bool is_above(const struct walk *w, const struct stat *st)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->levels[i].dev == st->st_dev && w->levels[i].ino == st->st_ino)
            return true;
    return false;
}

int walk_next(struct walk *w, const char **path, struct cooc_err *err)
{
    while (w->n) {
        struct level *l = &w->levels[w->n - 1];
        struct stat st;
        const char *name;
        int rc;

        if (l->next == l->n) {
            level_release(l);
            w->n--;
            continue;
        }
        name = l->names[l->next++];
        w->path.len = l->path_len;
        rc = buf_printf(&w->path, err, "%s", name);
        if (rc < 0)
            return rc;
        if (*name == '.') {
            note_hidden(w->watch, w->path.data);
            w->stats->skipped++;
        } else if (workdir_stat(w->path.data, &st) < 0) {
            if (errno != ENOENT && errno != ELOOP)
                return err_sys(err, "cannot open", w->path.data);
            w->stats->skipped++;
        } else if (S_ISREG(st.st_mode) && !recognise_file(w->path.data)) {
            *path = w->path.data;
            return 1;
        } else if (!S_ISDIR(st.st_mode) || is_above(w, &st))
            w->stats->skipped++;
        else if ((rc = push(w, &st, err)) < 0)
            return rc;
    }
    return 0;
}
