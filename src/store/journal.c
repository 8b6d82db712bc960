/* journal.c - write and read journals, and find running processes. */
#include "store/journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/workdir.h"

#define SHARED ".tmp-part-"    /* beginnings of file names */
#define EXCLUSIVE ".tmp-count-"
#define HEAD "cooc counting 1\t"
#define END "end\t"
#define JOURNAL_MAX ((size_t)4 << 20)

struct journal {
    int fd;
    struct buf path;
    size_t name_at;
    atomic_uint_fast64_t units;
};

/* ---- locks -------------------------------------------------------------- */

/* Whether somebody holds the lock on an open file. */
static bool is_locked(int fd)
{
    struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

static int lock_file(int fd, const char *path, struct cooc_err *err)
{
    struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    return fcntl(fd, F_OFD_SETLK, &l) < 0
               ? err_sys(err, "cannot lock (the file system must support "
                         "locks)", path) : 0;
}

static bool is_journal(const char *name)
{
    return !strncmp(name, SHARED, strlen(SHARED)) ||
           !strncmp(name, EXCLUSIVE, strlen(EXCLUSIVE));
}

/* Copy a field up to a tab or the end of the line, without control characters,
 * and return what follows. */
static const char *get_text(char to[JOURNAL_TEXT], const char *from)
{
    size_t n = strcspn(from, "\t\n"), len = 0;

    for (size_t i = 0; i < n && len + 1 < JOURNAL_TEXT; i++)
        to[len++] = from[i] >= ' ' && from[i] < 0x7f ? from[i] : '?';
    to[len] = '\0';
    return from + n + (from[n] == '\t');
}

static const char *get_number(uint64_t *to, const char *from)
{
    char *end;

    if (*from < '0' || *from > '9')
        return NULL;
    *to = strtoull(from, &end, 10);
    return *end == '\t' || *end == '\n' ? end + 1 : NULL;
}

/* Parse the NUL-terminated text of a journal.  False if it is not one. */
static int parse(struct journal_entry *e, const char *text,
                 struct cooc_err *err)
{
    size_t cap = 0;
    const char *at = text + strlen(HEAD);

    if (strncmp(text, HEAD, strlen(HEAD)) != 0)
        return 0;
    at = get_text(e->host, at);
    at = get_number(&e->pid, at);
    at = at ? get_number(&e->start, at) : NULL;
    if (!at)
        return 0;
    at = get_text(e->label, at);
    e->last = e->start;
    for (at += *at == '\n'; at && *at;) {
        struct journal_unit u;
        int rc;

        if (!strncmp(at, END, strlen(END))) {
            get_number(&e->done, at + strlen(END));
            break;
        }
        at = get_number(&u.unit, at);
        at = at ? get_number(&u.time, at) : NULL;
        if (!at)
            break;
        rc = array_grow(&e->units, &cap, e->n_units + 1, sizeof *e->units,
                        err);
        if (rc < 0)
            return rc;
        e->units[e->n_units++] = u;
        e->last = u.time > e->last ? u.time : e->last;
    }
    return 1;
}

/* Read a journal into *e.  Returns 1, 0 if it is not one, or an error. */
static int read_journal(struct journal_entry *e, int dir, const char *name,
                        struct cooc_err *err)
{
    struct buf text = { 0 };
    int fd, rc = 0;
    ssize_t n = 1;

    *e = (struct journal_entry){ 0 };
    if (file_open_own(&fd, dir, name, NULL) < 0)
        return 0;
    e->shared = !strncmp(name, SHARED, strlen(SHARED));
    e->running = is_locked(fd);
    while (rc == 0 && n > 0 && text.len < JOURNAL_MAX) {
        rc = buf_reserve(&text, 65536, err);
        n = rc == 0 ? read(fd, text.data + text.len, 65535) : 0;
        text.len += n > 0 ? (size_t)n : 0;
    }
    close(fd);
    if (rc == 0)
        rc = buf_text(&text, err);
    if (rc == 0)
        rc = parse(e, text.data, err);
    buf_release(&text);
    if (rc < 1) {
        mem_free(e->units);
        e->units = NULL;
    }
    return rc;
}

static int compare(const void *a, const void *b)
{
    const struct journal_entry *x = a, *y = b;
    int cmp = strcmp(x->host, y->host);

    if (!cmp)
        cmp = (x->start > y->start) - (x->start < y->start);
    return cmp ? cmp : (x->pid > y->pid) - (x->pid < y->pid);
}

int journal_list_read(struct journal_list *list, const char *dir,
                      struct cooc_err *err)
{
    DIR *d = workdir_opendir(dir, 0);
    struct dirent *e;
    size_t cap = 0;
    int rc = 0;

    *list = (struct journal_list){ 0 };
    if (!d)
        return err_sys(err, "cannot open", dir);
    while (rc == 0 && (e = readdir(d)) != NULL) {
        if (!is_journal(e->d_name))
            continue;
        rc = array_grow(&list->entries, &cap, list->n + 1,
                        sizeof *list->entries, err);
        if (rc < 0)
            break;
        rc = read_journal(&list->entries[list->n], dirfd(d), e->d_name, err);
        list->n += rc == 1;
        rc = rc < 0 ? rc : 0;
    }
    closedir(d);
    if (rc < 0)
        journal_list_release(list);
    else if (list->n)
        qsort(list->entries, list->n, sizeof *list->entries, compare);
    return rc;
}

void journal_list_release(struct journal_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        mem_free(list->entries[i].units);
    mem_free(list->entries);
    *list = (struct journal_list){ 0 };
}

/* ---- exclusion ---------------------------------------------------------- */

/* Say who excludes this process from the store. */
static int err_busy(const struct journal_entry *e, const char *path,
                    struct cooc_err *err)
{
    return err_path(err, COOC_EBUSY, path,
                    "process %" PRIu64 " on %s is counting in this store "
                    "(%s); wait until it finishes", e->pid,
                    *e->host ? e->host : "another machine",
                    *e->label ? e->label : "count");
}

enum { PARTS = 1, COUNTS = 2 }; /* kinds of journals */

static int excluded_by(bool shared)
{
    return shared ? COUNTS : PARTS | COUNTS;
}

/* Look for a running process with a journal of these kinds, except `own`. */
static int check_others(const char *dir, int kinds, const struct journal *own,
                        const char *path, struct cooc_err *err)
{
    DIR *d = workdir_opendir(dir, 0);
    struct dirent *e;
    int rc = 0;

    if (!d)
        return err_sys(err, "cannot open", dir);
    while (rc == 0 && (e = readdir(d)) != NULL) {
        bool excludes =
            (kinds & PARTS && !strncmp(e->d_name, SHARED, strlen(SHARED))) ||
            (kinds & COUNTS &&
             !strncmp(e->d_name, EXCLUSIVE, strlen(EXCLUSIVE)));
        struct journal_entry entry = { 0 };
        int fd;

        if (!excludes || (own && !strcmp(e->d_name, journal_name(own))) ||
            file_open_own(&fd, dirfd(d), e->d_name, NULL) < 0)
            continue;
        excludes = is_locked(fd);
        close(fd);
        if (!excludes)
            continue;
        rc = read_journal(&entry, dirfd(d), e->d_name, err);
        if (rc >= 0)
            rc = err_busy(&entry, path, err);
        mem_free(entry.units);
    }
    closedir(d);
    return rc;
}

int journal_lock(int *lock, const char *path, bool shared,
                 struct cooc_err *err)
{
    struct cooc_err busy = { 0 };
    int rc = shared ? dir_lock_shared(lock, path, path, &busy)
                    : dir_lock(lock, path, path, &busy);
    int others = 0;

    if (rc == 0)
        others = check_others(path, excluded_by(shared), NULL, path, err);
    else if (rc == COOC_EBUSY && !shared) /* say which part is running */
        others = check_others(path, PARTS, NULL, path, err);
    if (rc == 0 && others < 0) {
        dir_unlock(*lock);
        *lock = -1;
    }
    return rc == 0 || others < 0 ? others : err_copy(err, &busy);
}

/* ---- writing ------------------------------------------------------------ */

static int create(struct journal *j, const char *dir, bool shared,
                  struct cooc_err *err)
{
    char host[JOURNAL_TEXT] = "";
    uint64_t digits;
    int rc;

    gethostname(host, sizeof host - 1);
    for (char *p = host; *p; p++)
        if (*p <= ' ' || *p == '/' || *p > '~')
            *p = '-';
    if (getrandom(&digits, sizeof digits, 0) != sizeof digits)
        return err_set(err, COOC_EIO, "cannot get random bytes");
    rc = buf_printf(&j->path, err, "%s/", dir);
    j->name_at = j->path.len;
    if (rc == 0)
        rc = buf_printf(&j->path, err, "%s%.32s-%ld-%016" PRIx64,
                        shared ? SHARED : EXCLUSIVE, host, (long)getpid(),
                        digits);
    if (rc < 0)
        return rc;
    j->fd = workdir_open(j->path.data, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
                         O_CLOEXEC | O_APPEND, 0666);
    return j->fd < 0 ? err_sys(err, "cannot create", j->path.data) : 0;
}

static int write_head(const struct journal *j, const char *label,
                      struct cooc_err *err)
{
    char host[JOURNAL_TEXT] = "", what[JOURNAL_TEXT];
    struct buf line = { 0 };
    int rc;

    gethostname(host, sizeof host - 1);
    host[strcspn(host, "\t\n")] = '\0';
    get_text(what, label ? label : "");
    rc = buf_printf(&line, err, HEAD "%s\t%ld\t%lld\t%s\n", host,
                    (long)getpid(), (long long)time(NULL), what);
    if (rc == 0)
        rc = file_write(j->fd, line.data, line.len, j->path.data, err);
    buf_release(&line);
    return rc;
}

int journal_open(struct journal **out, const char *dir, bool shared,
                 const char *label, struct cooc_err *err)
{
    struct journal *j = mem_zarray(1, sizeof *j);
    int rc;

    *out = NULL;
    if (!j)
        return err_nomem(err);
    j->fd = -1;
    rc = create(j, dir, shared, err);
    if (rc == 0)
        rc = write_head(j, label, err);
    if (rc == 0)
        rc = lock_file(j->fd, j->path.data, err);
    if (rc == 0) /* now that others can see this one */
        rc = check_others(dir, excluded_by(shared), j, dir, err);
    if (rc < 0)
        journal_close(j, JOURNAL_DROP);
    else
        *out = j;
    return rc;
}

int journal_unit(struct journal *j, uint64_t unit, struct cooc_err *err)
{
    char line[64];
    int n, rc;

    if (!j)
        return 0;
    n = snprintf(line, sizeof line, "%" PRIu64 "\t%lld\n", unit,
                 (long long)time(NULL));
    /* usually one write, so that lines do not mix */
    rc = file_write(j->fd, line, (size_t)n, j->path.data, err);
    if (rc == 0)
        atomic_fetch_add(&j->units, 1);
    return rc;
}

const char *journal_name(const struct journal *j)
{
    return j->path.data + j->name_at;
}

void journal_remove(const struct journal *j)
{
    if (j && j->fd >= 0)
        workdir_unlink(j->path.data);
}

void journal_close(struct journal *j, enum journal_end how)
{
    char line[64];
    int n;

    if (!j)
        return;
    n = snprintf(line, sizeof line, END "%lld\n", (long long)time(NULL));
    if (how == JOURNAL_DROP || !j->units)
        journal_remove(j);
    else if (how == JOURNAL_DONE) /* only a report depends on it */
        file_write(j->fd, line, (size_t)n, j->path.data, NULL);
    if (j->fd >= 0)
        close(j->fd);
    buf_release(&j->path);
    mem_free(j);
}
