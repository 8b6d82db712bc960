/* unpack.c - decompress a file layer by layer, then read its entries.
 *
 *     from -> [decompress, while it is compressed]
 *          -> plain: the blocks as they are
 *          -> tar, zip -> entries
 *          -> zip, if it is an office file -> one entry of HTML
 *
 * The first bytes of each layer decide (magic.c).  A plain file passes through
 * in the blocks in which it was read, without a copy.
 *
 * Nothing may be lost silently: damage and wrong checksums are errors, and what
 * follows the end of a tar archive is read as another archive.
 */
#include "read/unpack.h"

#include "base/mem.h"
#include "read/container.h"
#include "read/decompress.h"
#include "read/office.h"

#define LAYERS_MAX 4 /* maximum number of nested compressions */

struct unpack {
    const char *name;
    struct lookahead layers[LAYERS_MAX + 1]; /* layers[0] is the file */
    struct lookahead *top;
    struct container container; /* all zero: not an archive */
    int fd;
    bool office;          /* container is the text of an office file */
    const struct binary *binary; /* see unpack_binary() */
    bool begun;           /* an entry was returned, or there is none */
    struct lookahead out; /* the bytes of the current entry */
};

/* ---- layers ------------------------------------------------------------- */

/* Decompress until the result is not compressed.  *magic is set to its type,
 * and u->fd to -1 if anything was decompressed. */
static int open_layers(struct unpack *u, struct pull from,
                       enum magic *magic, struct cooc_err *err)
{
    const char *head;
    size_t len;
    int rc = 0;

    u->top = u->layers;
    while (rc == 0) {
        struct pull below;

        lookahead_begin(u->top, from);
        rc = lookahead_sample(u->top, MAGIC_HEAD, &head, &len, err);
        if (rc < 0)
            return rc;
        *magic = magic_detect(head, len);
        if (!magic_is_compressed(*magic))
            return 0;
        if (u->top == u->layers + LAYERS_MAX)
            return err_path(err, COOC_ELIMIT, u->name,
                            "has more than %d layers of compression; "
                            "decompress it first", LAYERS_MAX);
        u->fd = -1;
        below = lookahead_pull(u->top++);
        rc = decompress_new(&from, u->name, codec_of(*magic), below, err);
    }
    return rc;
}

/* ---- containers --------------------------------------------------------- */

#define PADDING_MAX ((uint64_t)1 << 20) /* largest empty tar archive */

/* A file that begins with NUL bytes may be an empty tar archive, but only if it
 * has nothing else: a text that lost its first block must not be read as
 * empty. */
static int check_zeros(struct unpack *u, struct cooc_err *err)
{
    uint64_t left = PADDING_MAX;
    const char *p;
    size_t n;
    int rc;

    while ((rc = lookahead_block(u->top, &p, &n, err)) > 0 && n <= left) {
        left -= n;
        if (!all_zero(p, n))
            break;
    }
    u->begun = true; /* there are no entries */
    return rc <= 0 ? rc
                   : err_path(err, COOC_EFORMAT, u->name,
                              "begins with NUL bytes; its beginning may be "
                              "lost; remove them to read the rest");
}

static int open_container(struct unpack *u, enum magic magic,
                          const struct office_limits *limits,
                          struct cooc_err *err)
{
    enum office_kind kind;
    const char *head;
    size_t len;
    int rc = lookahead_sample(u->top, MAGIC_HEAD, &head, &len, err);

    if (rc < 0)
        return rc;
    if (magic == MAGIC_TAR && head[0] == 0)
        return check_zeros(u, err);
    if (magic == MAGIC_TAR)
        return tar_new(&u->container, u->name, u->top, err);
    rc = zip_new(&u->container, u->name, u->top, u->fd, err);
    kind = rc < 0 ? OFFICE_NONE : office_detect(&u->container, head, len);
    u->binary = office_binary(kind);
    u->office = kind != OFFICE_NONE && !u->binary;
    return u->office ? office_new(&u->container, kind, u->name, limits, err)
                     : rc;
}

int unpack_new(struct unpack **out, const char *name, struct pull from, int fd,
               const struct office_limits *limits, struct cooc_err *err)
{
    struct unpack *u = mem_zarray(1, sizeof *u);
    enum magic magic = MAGIC_NONE;
    int rc;

    *out = NULL;
    if (!u)
        return err_nomem(err);
    u->name = name;
    u->fd = fd;
    rc = open_layers(u, from, &magic, err);
    if (rc == 0 && magic != MAGIC_NONE && limits)
        rc = open_container(u, magic, limits, err);
    if (rc < 0)
        unpack_free(u);
    else
        *out = u;
    return rc;
}

int unpack_plain(struct unpack **out, const char *name, struct pull from,
                 struct cooc_err *err)
{
    struct unpack *u = *out = mem_zarray(1, sizeof *u);

    if (!u)
        return err_nomem(err);
    u->name = name;
    u->fd = -1;
    u->top = u->layers;
    lookahead_begin(u->top, from);
    return 0;
}

void unpack_free(struct unpack *u)
{
    if (!u)
        return;
    lookahead_release(&u->out);
    if (u->container.free)
        u->container.free(u->container.self);
    for (size_t i = LAYERS_MAX + 1; i-- > 0;)
        lookahead_release(&u->layers[i]);
    mem_free(u);
}

/* ---- entries ------------------------------------------------------------ */

static int drain(struct lookahead *a, struct cooc_err *err)
{
    const char *data;
    size_t len;
    int rc;

    do
        rc = lookahead_block(a, &data, &len, err);
    while (rc > 0);
    return rc;
}

static bool is_compressed(const struct unpack *u)
{
    return u->top != u->layers;
}

int unpack_finish(struct unpack *u, struct cooc_err *err)
{
    return u->container.self || is_compressed(u) ? drain(&u->out, err) : 0;
}

int unpack_entry(struct unpack *u, struct unpacked *entry,
                 struct cooc_err *err)
{
    bool first = !u->begun;
    int rc;

    *entry = (struct unpacked){ .regular = true };
    u->begun = true;
    if (!u->container.self) {
        lookahead_begin(&u->out, lookahead_pull(u->top));
        return first;
    }
    rc = u->container.entry(u->container.self, entry, err);
    if (rc > 0)
        lookahead_begin(&u->out, (struct pull){ u->container.block,
                                            u->container.self, NULL });
    else if (rc == 0 && is_compressed(u))
        rc = drain(u->top, err); /* find damage in what follows */
    return rc;
}

struct lookahead *unpack_bytes(struct unpack *u)
{
    return &u->out;
}

bool unpack_is_office(const struct unpack *u)
{
    return u->office;
}

const struct binary *unpack_binary(const struct unpack *u)
{
    return u->binary;
}
