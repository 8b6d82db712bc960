/* stream.c - read files and standard input, entry by entry, in blocks.
 *
 *     file -> unpack -> entry [-> unpack, if the entry is compressed]
 *
 * Files are read in blocks of 1 MiB: large enough that the cost of system calls
 * is negligible, small enough to stay in the cache until the line reader has
 * processed them.  The bytes of a plain file are not copied on the way.
 */
#include "read/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/recognise.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "read/hard_links.h"
#include "read/hidden.h"
#include "read/magic.h"
#include "read/office.h"
#include "read/read.h"
#include "read/unpack.h"

#define WAIT_MS 200
#define MANIFEST_HEAD 64 /* bytes needed to recognise a manifest */

#ifdef COOC_MEM_TEST
size_t stream_block_size = STREAM_BLOCK;
#else
static const size_t stream_block_size = STREAM_BLOCK;
#endif

struct stream {
    const char *path;
    struct reader_stats *stats;
    struct watch *watch; /* may be NULL */
    int fd;
    bool waits; /* a pipe or terminal: reading may have to wait */
    bool plain; /* read only this range, as it is */
    struct stream_range range;
    uint64_t left; /* plain: bytes of the range that have not been read */
    char *block;
    struct office_limits limits;
    struct unpack *file;  /* the file at path */
    struct unpack *inner; /* the current entry if it is compressed, or NULL */
    struct buf name;
    bool archive, failed;
    bool notes;          /* note hidden entries */
    uint64_t at;         /* number of the entry in the archive, from 1 */
    struct hard_links links; /* hard links of the archive */
    bool links_only;     /* other entries were returned; links is resolved */
    uint64_t links_lost; /* links in a pipe, which cannot be read twice */
};

/* Wait until there is something to read or the caller cancels. */
static int wait_for_input(struct stream *s, struct cooc_err *err)
{
    struct pollfd p = { .fd = s->fd, .events = POLLIN };

    while (poll(&p, 1, WAIT_MS) <= 0) { /* timeout or signal */
        int rc = watch_add(s->watch, 0, 0, 0, err);

        if (rc < 0)
            return rc;
    }
    return 0;
}

/* Read a whole block, or what is left; a pipe returns less per read(). */
static int read_block(void *self, const char **data, size_t *len,
                      struct cooc_err *err)
{
    struct stream *s = self;
    size_t have = 0, size = stream_block_size;

    while (have < size) {
        ssize_t n;

        if (s->waits && s->watch) {
            int rc = wait_for_input(s, err);

            if (rc < 0)
                return rc;
        }
        if (s->plain && size > s->left)
            size = (size_t)s->left;
        n = size > have ? read(s->fd, s->block + have, size - have) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return err_sys(err, "cannot read", s->path);
        if (n == 0)
            break;
        have += (size_t)n;
    }
    if (s->plain)
        s->left -= have;
    *data = s->block;
    *len = have;
    return have > 0;
}

static int open_path(struct stream *s, struct cooc_err *err)
{
    struct stat st;

    if (strcmp(s->path, "-") == 0) {
        s->fd = STDIN_FILENO;
        s->waits = true;
        return 0;
    }
    s->fd = workdir_open(s->path, O_RDONLY | O_CLOEXEC, 0);
    if (s->fd < 0 || fstat(s->fd, &st) < 0)
        return err_sys(err, "cannot open", s->path);
    s->waits = !S_ISREG(st.st_mode);
    if (!s->waits)
        posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

/* Start reading the file, or start over. */
static int open_file(struct stream *s, struct cooc_err *err)
{
    struct pull from = { read_block, s, NULL };

    unpack_free(s->file);
    s->file = NULL;
    if ((s->at || s->plain) &&
        lseek(s->fd, (off_t)s->range.from, SEEK_SET) < 0)
        return err_sys(err, "cannot seek", s->path);
    s->at = 0;
    if (s->plain)
        return unpack_plain(&s->file, s->path, from, err);
    return unpack_new(&s->file, s->path, from, s->waits ? -1 : s->fd,
                      &s->limits, err);
}

static int open_stream(struct stream **out, const char *path,
                       const struct stream_range *range,
                       struct reader_stats *stats, struct watch *watch,
                       struct cooc_err *err)
{
    struct stream *s = mem_zarray(1, sizeof *s);
    int rc;

    *out = NULL;
    if (!s)
        return err_nomem(err);
    s->fd = -1;
    s->path = path;
    s->stats = stats;
    s->watch = watch;
    s->limits = (struct office_limits){ DOCUMENT_MAX, &stats->invalid_bytes };
    if (range) {
        s->plain = true;
        s->range = *range;
        s->left = range->to > range->from ? range->to - range->from : 0;
    }
    rc = open_path(s, err);
    if (rc == 0) {
        s->block = mem_array(stream_block_size, 1);
        rc = s->block ? open_file(s, err) : err_nomem(err);
    }
    if (rc < 0)
        stream_close(s);
    else
        *out = s;
    return rc;
}

int stream_open(struct stream **out, const char *path,
                struct reader_stats *stats, struct watch *watch,
                struct cooc_err *err)
{
    return open_stream(out, path, NULL, stats, watch, err);
}

int stream_open_range(struct stream **out, const char *path,
                      struct stream_range range, struct reader_stats *stats,
                      struct watch *watch, struct cooc_err *err)
{
    return open_stream(out, path, &range, stats, watch, err);
}

int stream_lines_before(struct stream *s, uint64_t *n, struct cooc_err *err)
{
    uint64_t at = 0;
    char *block = mem_array(stream_block_size, 1);
    int rc = block ? 0 : err_nomem(err);

    *n = 0;
    while (rc == 0 && s->plain && at < s->range.from) {
        uint64_t want = s->range.from - at;
        ssize_t got = pread(s->fd, block,
                            want < stream_block_size ? (size_t)want
                                                     : stream_block_size,
                            (off_t)at);

        if (got <= 0) {
            if (got < 0 && errno == EINTR)
                continue;
            rc = got < 0 ? err_sys(err, "cannot read", s->path)
                         : err_path(err, COOC_EIO, s->path,
                                    "changed while it was being read");
            break;
        }
        for (ssize_t i = 0; i < got; i++) /* the compiler vectorises this */
            *n += block[i] == '\n';
        at += (uint64_t)got;
        rc = s->watch ? watch_add(s->watch, 0, 0, 0, err) : 0;
    }
    mem_free(block);
    return rc;
}

void stream_close(struct stream *s)
{
    if (!s)
        return;
    unpack_free(s->inner);
    unpack_free(s->file);
    if (s->fd > STDIN_FILENO || (s->fd == 0 && strcmp(s->path, "-") != 0))
        close(s->fd);
    mem_free(s->block);
    buf_release(&s->name);
    hard_links_release(&s->links);
    mem_free(s);
}

static int set_name(struct stream *s, const char *entry, struct cooc_err *err)
{
    s->name.len = 0;
    while (entry && strncmp(entry, "./", 2) == 0)
        entry += 2;
    return buf_printf(&s->name, err, "%s%s%s", s->path, entry ? "/" : "",
                      entry ? entry : "");
}

/* Decompress an entry of the archive if its first bytes say that it is
 * compressed. */
static int open_inner(struct stream *s, struct cooc_err *err)
{
    struct lookahead *packed = unpack_bytes(s->file);
    const char *head;
    struct unpacked none;
    size_t len;
    int rc = lookahead_sample(packed, MAGIC_HEAD, &head, &len, err);

    if (rc < 0 || !magic_is_compressed(magic_detect(head, len)))
        return rc;
    rc = unpack_new(&s->inner, s->name.data, lookahead_pull(packed), -1, NULL,
                    err);
    if (rc == 0)
        rc = unpack_entry(s->inner, &none, err);
    return rc < 0 ? rc : 0;
}

/* Reject an archive that contains a store.  An archive is read from front to
 * back, so other files of the store may have been read before its manifest: the
 * only remedy is an error. */
static int refuse_store(struct stream *s, struct cooc_err *err)
{
    const char *slash = strrchr(s->name.data, '/'), *head;
    size_t len;
    int rc;

    if (!slash || strcmp(slash + 1, STORE_MANIFEST) != 0)
        return 0;
    rc = lookahead_peek(unpack_bytes(s->file), MANIFEST_HEAD, &head, &len, err);
    if (rc < 0 || !recognise_manifest(head, len))
        return rc;
    return err_path(err, COOC_EINVAL, s->name.data,
                    "is part of a cooc store, not a document; make the "
                    "archive without the store");
}

/* ---- hard links --------------------------------------------------------- */

/* After the first pass over the archive, find the targets of its hard links. */
static int resolve_links(struct stream *s, struct cooc_err *err)
{
    struct unpacked entry;
    uint64_t lost;
    int rc = hard_links_sort(&s->links, err);

    if (rc == 0)
        rc = open_file(s, err);
    if (rc < 0)
        return rc;
    while ((rc = unpack_entry(s->file, &entry, err)) > 0) {
        s->at++;
        if (entry.path && entry.regular)
            hard_links_visit(&s->links, entry.path, s->at, entry.link != NULL);
        rc = s->watch ? watch_add(s->watch, 0, 0, 0, err) : 0;
        if (rc < 0)
            return rc;
    }
    lost = hard_links_resolve(&s->links);
    s->stats->skipped += lost;
    if (lost)
        watch_warn(s->watch,
                   "%s: the targets of hard links are not in the archive "
                   "(links skipped: %llu)", s->path, (unsigned long long)lost);
    s->links_only = true;
    return rc;
}

/* Move to the next entry that is the target of a hard link.  1: there is one;
 * 0: all targets have been read. */
static int next_link(struct stream *s, struct cooc_err *err)
{
    struct unpacked entry;
    int rc = 0;

    if (hard_links_pass_done(&s->links)) {
        if (!hard_links_begin_pass(&s->links))
            return 0;
        rc = open_file(s, err);
    }
    while (rc >= 0 && (rc = unpack_entry(s->file, &entry, err)) > 0) {
        const char *path = hard_links_name_at(&s->links, ++s->at);

        if (path && entry.path && entry.regular && !entry.link) {
            rc = set_name(s, path, err);
            return rc < 0 ? rc : 1;
        }
    }
    return rc < 0 ? rc
                  : err_path(err, COOC_EIO, s->path,
                             "changed while it was being read");
}

/* Skip an entry and count it. */
static int skip(struct stream *s, const char *path, struct cooc_err *err)
{
    int rc = 0;

    s->stats->skipped++;
    if (s->notes && is_hidden(path)) {
        rc = set_name(s, path, err);
        if (rc == 0)
            note_hidden(s->watch, s->name.data);
    }
    return rc;
}

/* Record a hard link in the first pass.  Its target precedes it. */
static int keep_link(struct stream *s, const struct unpacked *entry,
                     struct cooc_err *err)
{
    bool wanted = !is_hidden(entry->path);
    int rc = s->waits || !wanted ? skip(s, entry->path, err) : 0;

    if (rc < 0 || s->waits) {
        s->links_lost += s->waits && wanted;
        return rc;
    }
    return hard_links_add(&s->links, entry->path, entry->link, s->at, wanted,
                          err);
}

/* ---- entries ------------------------------------------------------------ */

/* The next entry of the first pass: 1, or 0 if there are no more. */
static int next_plain(struct stream *s, struct cooc_err *err)
{
    struct unpacked entry;
    int rc;

    while ((rc = unpack_entry(s->file, &entry, err)) > 0) {
        s->at++;
        s->archive = entry.path != NULL;
        if (!entry.path || (entry.regular && !entry.link &&
                            !is_hidden(entry.path))) {
            rc = set_name(s, entry.path, err);
            return rc < 0 ? rc : 1;
        }
        if (entry.link)
            rc = keep_link(s, &entry, err);
        else if (entry.regular || !*entry.path ||
                 entry.path[strlen(entry.path) - 1] != '/')
            rc = skip(s, entry.path, err);
        if (rc < 0)
            return rc;
    }
    if (rc == 0 && s->links_lost)
        watch_warn(s->watch,
                   "%s: hard links were skipped (%" PRIu64 "), because they "
                   "need a second pass and a pipe cannot be read twice; read "
                   "the archive from a file", s->path, s->links_lost);
    s->links_lost = 0;
    if (rc == 0 && entry.no_end)
        watch_warn(s->watch, "%s: the tar archive has no end mark, so it may "
                             "be truncated", s->path);
    return rc;
}

int stream_entry(struct stream *s, struct cooc_err *err)
{
    int rc = 0;

    unpack_free(s->inner);
    s->inner = NULL;
    if (!s->links_only) {
        rc = next_plain(s, err);
        if (rc == 0 && s->links.n)
            rc = resolve_links(s, err);
    }
    if (rc == 0 && s->links_only)
        rc = next_link(s, err);
    if (rc > 0 && s->archive) {
        rc = refuse_store(s, err);
        if (rc == 0)
            rc = open_inner(s, err);
        rc = rc < 0 ? rc : 1;
    }
    s->failed |= rc < 0;
    return rc;
}

const char *stream_name(const struct stream *s)
{
    return s->name.data;
}

bool stream_is_archive(const struct stream *s)
{
    return s->archive;
}

bool stream_is_office(const struct stream *s)
{
    return unpack_is_office(s->file);
}

void stream_limit(struct stream *s, size_t document_max)
{
    s->limits.max = document_max;
}

void stream_note_hidden(struct stream *s)
{
    s->notes = true;
}

const struct binary *stream_binary(const struct stream *s)
{
    return unpack_binary(s->file);
}

static struct lookahead *entry_bytes(struct stream *s)
{
    return unpack_bytes(s->inner ? s->inner : s->file);
}

static int noted(struct stream *s, int rc)
{
    s->failed |= rc < 0 && !s->inner;
    return rc;
}

int stream_peek(struct stream *s, size_t want, const char **data, size_t *len,
                struct cooc_err *err)
{
    return noted(s, lookahead_peek(entry_bytes(s), want, data, len, err));
}

int stream_sample(struct stream *s, size_t want, const char **data, size_t *len,
                  struct cooc_err *err)
{
    return noted(s, lookahead_sample(entry_bytes(s), want, data, len, err));
}

int stream_finish(struct stream *s, struct cooc_err *err)
{
    return noted(s, unpack_finish(s->inner ? s->inner : s->file, err));
}

bool stream_failed(const struct stream *s)
{
    return s->failed;
}

int stream_block(struct stream *s, const char **data, size_t *len,
                 struct cooc_err *err)
{
    int rc = lookahead_block(entry_bytes(s), data, len, err);

    if (rc > 0)
        s->stats->bytes += *len;
    return noted(s, rc);
}
