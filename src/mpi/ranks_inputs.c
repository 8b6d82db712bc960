/* ranks_inputs.c - check that all ranks see the same inputs.
 *
 * Every rank divides the inputs on its own.  If a host has an older copy of a
 * file, the parts do not fit together; if only the text is different, nobody
 * would notice.  So rank 0 lists the inputs in a file of the shared directory,
 * and the other ranks compare this list with theirs:
 *
 *     nodea NUL
 *     BYTES TIME PATH NUL      "- - PATH" if it does not exist
 *     ...
 *
 * Times are compared in whole seconds, because file systems round them.
 */
#include "mpi/ranks_inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "cooc_parts.h"
#include "mpi/protocol.h"

enum { FLUSH = 1 << 16 };

struct list {
    const char *path;
    int fd;             /* rank 0: written */
    FILE *from;         /* other ranks: read */
    struct buf out;
    char *line;         /* the next entry of rank 0, or NULL */
    size_t room;
    char host[HOST_NAME];       /* of rank 0 */
};

static int list_path(struct buf *path, const char *dir, struct cooc_err *err)
{
    return buf_printf(path, err, "%s/" INPUTS_LIST, dir);
}

/* ---- rank 0 -------------------------------------------------------------- */

static int flush(struct list *l, struct cooc_err *err)
{
    int rc = file_write(l->fd, l->out.data, l->out.len, l->path, err);

    l->out.len = 0;
    return rc;
}

static int describe(struct buf *out, const struct cooc_input_file *f,
                    struct cooc_err *err)
{
    int rc = f->found ? buf_printf(out, err, "%" PRIu64 " %" PRId64 " %s",
                                   f->bytes, f->modified, f->path)
                      : buf_printf(out, err, "- - %s", f->path);

    return rc < 0 ? rc : buf_byte(out, '\0', err);
}

static int write_entry(void *self, const struct cooc_input_file *f,
                       struct cooc_err *err)
{
    struct list *l = self;
    int rc = describe(&l->out, f, err);

    return rc < 0 || l->out.len < FLUSH ? rc : flush(l, err);
}

int inputs_write(const char *dir, const char *const *inputs, size_t n,
                 const struct cooc_index_options *o, struct cooc_err *err)
{
    struct buf path = { 0 };
    struct list l = { .fd = -1 };
    int rc = list_path(&path, dir, err);

    l.path = path.data;
    if (rc == 0 && (l.fd = file_create(l.path, 0)) < 0)
        rc = err_sys(err, "cannot create", l.path);
    if (rc == 0)
        rc = buf_add(&l.out, own_stats()->host,
                     strlen(own_stats()->host) + 1, err);
    if (rc == 0)
        rc = cooc_inputs_list(inputs, n, o, write_entry, &l, err);
    if (rc == 0)
        rc = flush(&l, err);
    if (l.fd >= 0 && close(l.fd) < 0 && rc == 0)
        rc = err_sys(err, "cannot write", l.path);
    buf_release(&l.out);
    buf_release(&path);
    return rc;
}

void inputs_remove(const char *dir)
{
    struct buf path = { 0 };

    if (list_path(&path, dir, NULL) == 0)
        unlink(path.data);
    buf_release(&path);
}

/* ---- other ranks --------------------------------------------------------- */

#define REMEDY "; let all ranks read the same files, or copies with the same " \
               "times"

/* Read the next entry of rank 0. */
static int next_entry(struct list *l, struct cooc_err *err)
{
    if (getdelim(&l->line, &l->room, '\0', l->from) > 0)
        return 0;
    if (ferror(l->from))
        return err_sys(err, "cannot read", l->path);
    free(l->line);
    l->line = NULL;
    return 0;
}

static const char *path_of(const char *entry)
{
    const char *blank = strchr(entry, ' ');

    blank = blank ? strchr(blank + 1, ' ') : NULL;
    return blank ? blank + 1 : entry;
}

static int err_unseen(const struct list *l, const char *path, bool here,
                      struct cooc_err *err)
{
    return here ? err_path(err, COOC_EIO, path,
                           "is not seen by rank 0 on %s" REMEDY, l->host)
                : err_path(err, COOC_EIO, path,
                           "is not seen by this rank, but by rank 0 on %s"
                           REMEDY, l->host);
}

/* "120 bytes of 2026-11-19 22:41:05 UTC" */
static const char *facts(char *out, size_t room, uint64_t bytes, int64_t when)
{
    time_t time = (time_t)when;
    char date[40] = "an unknown time";
    struct tm tm;

    if (gmtime_r(&time, &tm))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", &tm);
    snprintf(out, room, "%" PRIu64 " %s of %s", bytes,
             bytes == 1 ? "byte" : "bytes", date);
    return out;
}

/* This rank's file is not the one that rank 0 has at this place. */
static int err_differs(const struct list *l, const struct cooc_input_file *f,
                       struct cooc_err *err)
{
    const char *theirs = l->line ? path_of(l->line) : NULL;
    char a[100], b[100];
    uint64_t bytes;
    int64_t when;

    if (!theirs)
        return err_unseen(l, f->path, true, err);
    if (strcmp(theirs, f->path) != 0)
        return access(theirs, F_OK) == 0
                   ? err_unseen(l, f->path, true, err)
                   : err_unseen(l, theirs, false, err);
    if (!f->found || sscanf(l->line, "%" SCNu64 " %" SCNd64, &bytes, &when) < 2)
        return err_unseen(l, f->path, f->found, err);
    return err_path(err, COOC_EIO, f->path,
                    "has %s here, but %s for rank 0 on %s" REMEDY,
                    facts(a, sizeof a, f->bytes, f->modified),
                    facts(b, sizeof b, bytes, when), l->host);
}

static int compare_entry(void *self, const struct cooc_input_file *f,
                         struct cooc_err *err)
{
    struct list *l = self;
    int rc = next_entry(l, err);

    l->out.len = 0;
    if (rc == 0)
        rc = describe(&l->out, f, err);
    if (rc < 0)
        return rc;
    return l->line && !strcmp(l->line, l->out.data) ? 0
                                                    : err_differs(l, f, err);
}

int inputs_compare(const char *dir, const char *const *inputs, size_t n,
                   const struct cooc_index_options *o, struct cooc_err *err)
{
    struct buf path = { 0 };
    struct list l = { .fd = -1 };
    int rc = list_path(&path, dir, err);

    l.path = path.data;
    if (rc == 0 && !(l.from = fopen(l.path, "re")))
        rc = err_sys(err, "cannot open", l.path);
    if (rc == 0)
        rc = next_entry(&l, err);
    if (rc == 0)
        snprintf(l.host, sizeof l.host, "%s", l.line ? l.line : "");
    if (rc == 0)
        rc = cooc_inputs_list(inputs, n, o, compare_entry, &l, err);
    if (rc == 0)
        rc = next_entry(&l, err);
    if (rc == 0 && l.line)
        rc = err_unseen(&l, path_of(l.line), false, err);
    if (l.from)
        fclose(l.from);
    free(l.line);
    buf_release(&l.out);
    buf_release(&path);
    return rc;
}
