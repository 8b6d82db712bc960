/* dump_glove.c - GloVe's cooccurrence.bin.
 *
 * The file has no head: records of 16 bytes and nothing else.  So whatever
 * is neither of the other formats comes here, and is looked at before the
 * first cell is handed out: garbage should be named, not printed.
 */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/workdir.h"
#include "export/dump.h"

#define RECORD 16u /* two int32 and a double */
#define LOOK ((size_t)1 << 16) /* bytes to judge by */

struct record {
    uint32_t one, two;
    double value;
};

static struct record parse(const char *bytes)
{
    const uint8_t *p = (const uint8_t *)bytes;
    struct record r = { .one = get_le32(p), .two = get_le32(p + 4) };
    uint64_t bits = get_le64(p + 8);

    memcpy(&r.value, &bits, sizeof r.value);
    return r;
}

static bool has_words(const struct record *r)
{
    return r->one && r->two && r->one <= INT32_MAX && r->two <= INT32_MAX;
}

/* GloVe's own values are above 0, but an export by a measure has zeros,
 * negative and infinite ones, too.  Other bytes, taken for a double, are
 * mostly very large or very small. */
static bool is_plausible(const struct record *r)
{
    double size = fabs(r->value);

    return has_words(r) && (size == 0 || isinf(size) ||
                            (size > 1e-50 && size < 1e50));
}

static int not_glove(const struct dump *d, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, d->path,
                    "is not a Matrix Market file, a .npz file or GloVe's "
                    "cooccurrence.bin");
}

/* Files that are sometimes taken for a matrix. */
static int check_known(const struct dump *d, const char *head, size_t len,
                       struct cooc_err *err)
{
    static const struct {
        const char *magic, *what;
    } known[] = {
        { "\x7f" "ELF", "a program or library" },
        { "SQLite format 3", "an SQLite database; open it with sqlite3" },
        { "\x93NUMPY", "a single numpy array; save a sparse matrix with "
                       "scipy.sparse.save_npz" },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t n = strlen(known[i].magic);

        if (len >= n && !memcmp(head, known[i].magic, n))
            return err_path(err, COOC_EFORMAT, d->path,
                            "expected a sparse matrix, found %s",
                            known[i].what);
    }
    return 0;
}

/* Is it a file, read as it is, that ends inside a record?  A pipe shows its
 * end when it is there, and what is compressed has another size. */
static bool ends_inside(const char *path, const char *head, size_t len)
{
    int fd = workdir_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    struct stat st;
    char bytes[RECORD];
    bool yes;

    if (fd < 0)
        return false;
    yes = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
          st.st_size % RECORD != 0 && len >= RECORD &&
          pread(fd, bytes, RECORD, 0) == RECORD &&
          !memcmp(bytes, head, RECORD);
    close(fd);
    return yes;
}

static int check_head(const struct dump *d, struct byte_reader *in,
                      struct cooc_err *err)
{
    const char *head;
    size_t len;
    int rc = stream_peek(in->stream, LOOK, &head, &len, err);

    if (rc == 0)
        rc = check_known(d, head, len, err);
    if (rc < 0)
        return rc;
    if (len && !memchr(head, 0, len < RECORD ? len : RECORD))
        return not_glove(d, err); /* numbers have zeros: it is text */
    for (size_t at = 0; at + RECORD <= len && at < LOOK; at += RECORD) {
        struct record r = parse(head + at);

        if (!is_plausible(&r))
            return not_glove(d, err);
    }
    if ((len < LOOK && len % RECORD) || ends_inside(d->path, head, len))
        return err_path(err, COOC_EFORMAT, d->path,
                        "is truncated, or not GloVe's cooccurrence.bin: its "
                        "size is not a multiple of %u", RECORD);
    return 0;
}

int dump_glove(struct dump *d, struct byte_reader *in, struct cooc_err *err)
{
    char bytes[RECORD];
    int rc = check_head(d, in, err);

    d->report.format = "glove";
    d->report.first = 1;
    if (rc == 0)
        rc = dump_about(d, err);
    while (rc == 0 && (rc = byte_reader_take(in, bytes, RECORD, err)) > 0) {
        struct record r = parse(bytes);

        if (!has_words(&r))
            return not_glove(d, err);
        rc = dump_cell(d, r.one, r.two, r.value, err);
    }
    return rc;
}
