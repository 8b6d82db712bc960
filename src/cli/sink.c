/* sink.c - bulk output: a big buffer in front of stdout or a file. */
#include "cli/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fail.h"

static const char *name_of(const struct sink *s)
{
    return s->tmp ? s->tmp : s->path ? s->path : "standard output";
}

/* Only a regular file, or none yet, is replaced by renaming: what is at
 * /dev/null or a named pipe must stay there. */
static int open_file(struct sink *s, const char *path, struct cooc_err *err)
{
    struct stat st;

    s->path = strdup(path);
    if (!s->path)
        return fail_nomem(err);
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode)) {
        if (asprintf(&s->tmp, "%s.tmp", path) < 0) {
            s->tmp = NULL;
            return fail_nomem(err);
        }
    }
    s->fd = open(name_of(s), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (s->fd < 0) {
        fail_sys(err, "cannot write", name_of(s));
        free(s->tmp); /* nothing to remove */
        s->tmp = NULL;
        return COOC_EIO;
    }
    return 0;
}

int sink_open(struct sink *s, const char *path, struct cooc_err *err)
{
    *s = (struct sink){ .fd = STDOUT_FILENO };
    s->p = s->buf = malloc(SINK_ROOM);
    if (!s->buf)
        return fail_nomem(err);
    if (!path || !strcmp(path, "-"))
        return 0;
    s->fd = -1;
    return open_file(s, path, err);
}

static int flush(struct sink *s, struct cooc_err *err)
{
    const char *from = s->buf;

    while (from < s->p) {
        ssize_t n = write(s->fd, from, (size_t)(s->p - from));

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_sys(err, "cannot write", name_of(s));
        from += n;
        s->written += (uint64_t)n;
    }
    s->p = s->buf;
    return 0;
}

int sink_room(struct sink *s, size_t n, struct cooc_err *err)
{
    if (n > SINK_ROOM)
        return fail(err, COOC_ELIMIT, "a line of %zu bytes is too long", n);
    if (SINK_ROOM - (size_t)(s->p - s->buf) >= n)
        return 0;
    return flush(s, err);
}

int sink_commit(struct sink *s, struct cooc_err *err)
{
    int rc = flush(s, err);

    if (rc < 0 || !s->path)
        return rc;
    if (s->tmp && fsync(s->fd) != 0)
        return fail_sys(err, "cannot write", name_of(s));
    rc = close(s->fd);
    s->fd = -1;
    if (rc != 0)
        return fail_sys(err, "cannot write", name_of(s));
    if (s->tmp && rename(s->tmp, s->path) != 0)
        return fail_sys(err, "cannot rename to", s->path);
    free(s->tmp);
    s->tmp = NULL;
    return 0;
}

void sink_release(struct sink *s)
{
    if (s->path && s->fd >= 0)
        close(s->fd);
    if (s->tmp)
        unlink(s->tmp);
    free(s->tmp);
    free(s->path);
    free(s->buf);
    *s = (struct sink){ .fd = -1 };
}
