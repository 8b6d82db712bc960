/* unpack.c - decompression, layer by layer, then the entries of an archive.
 *
 *     from -> [decompress, while it is compressed]
 *          -> plain: the blocks as they are
 *          -> tar, zip -> entries
 *
 * The first bytes of each layer decide (packing.c).  A plain file passes
 * through as the blocks it was read in, without a copy.
 *
 * Nothing may be cut off unnoticed: damage and wrong checksums are errors, and
 * what follows the end of a tar archive is read as another one.
 */
#include "read/unpack.h"

#include "base/mem.h"
#include "read/container.h"
#include "read/decompress.h"

#define LAYERS_MAX 4 /* compressed, and that again, ... */

struct unpack {
    const char *name;
    struct ahead layers[LAYERS_MAX + 1]; /* the first is the file */
    struct ahead *top;
    struct container container; /* all zero: none */
    int fd;
    bool begun;       /* an entry was handed out, or there is none */
    struct ahead out; /* the entry */
};

/* ---- layers ------------------------------------------------------------- */

/* Decompress until what comes out is not compressed: *packing says what it
 * is then, and u->fd is -1 unless it is the file itself. */
static int open_layers(struct unpack *u, struct pull from,
                       enum packing *packing, struct cooc_err *err)
{
    const char *head;
    size_t len;
    int rc = 0;

    u->top = u->layers;
    while (rc == 0) {
        struct pull below;

        ahead_begin(u->top, from);
        rc = ahead_peek(u->top, PACKING_HEAD, &head, &len, err);
        if (rc < 0)
            return rc;
        *packing = packing_of(head, len);
        if (!packing_is_compressed(*packing))
            return 0;
        if (u->top == u->layers + LAYERS_MAX)
            return err_set(err, COOC_ELIMIT,
                           "%s: compressed more than %d times over; "
                           "decompress it first", u->name, LAYERS_MAX);
        u->fd = -1;
        below = ahead_pull(u->top++);
        rc = decompress_new(&from, u->name, codec_of(*packing), below, err);
    }
    return rc;
}

/* ---- containers --------------------------------------------------------- */

#define PADDING_MAX ((uint64_t)1 << 20) /* of an empty tar archive */

/* NUL bytes are an empty tar archive, whatever follows them.  A text that lost
 * its first block must not be read as empty. */
static int check_zeros(struct unpack *u, struct cooc_err *err)
{
    uint64_t left = PADDING_MAX;
    const char *p;
    size_t n;
    int rc;

    while ((rc = ahead_block(u->top, &p, &n, err)) > 0 && n <= left) {
        left -= n;
        if (!all_zero(p, n))
            break;
    }
    u->begun = true; /* it holds nothing */
    return rc <= 0 ? rc
                   : err_set(err, COOC_EFORMAT,
                             "%s: begins with NUL bytes; its beginning may be "
                             "lost; remove them to read the rest",
                             u->name);
}

static int open_container(struct unpack *u, enum packing packing,
                          struct cooc_err *err)
{
    const char *head;
    size_t len;
    int rc = ahead_peek(u->top, PACKING_HEAD, &head, &len, err);

    if (rc < 0)
        return rc;
    if (packing == PACKING_TAR && head[0] == 0)
        return check_zeros(u, err);
    return packing == PACKING_TAR
               ? tar_new(&u->container, u->name, u->top, err)
               : zip_new(&u->container, u->name, u->top, u->fd, err);
}

int unpack_new(struct unpack **out, const char *name, struct pull from, int fd,
               bool nested, struct cooc_err *err)
{
    struct unpack *u = mem_zarray(1, sizeof *u);
    enum packing packing = PACKING_NONE;
    int rc;

    *out = NULL;
    if (!u)
        return err_nomem(err);
    u->name = name;
    u->fd = fd;
    rc = open_layers(u, from, &packing, err);
    if (rc == 0 && packing != PACKING_NONE && !nested)
        rc = open_container(u, packing, err);
    if (rc < 0)
        unpack_free(u);
    else
        *out = u;
    return rc;
}

void unpack_free(struct unpack *u)
{
    if (!u)
        return;
    ahead_release(&u->out);
    if (u->container.free)
        u->container.free(u->container.self);
    for (size_t i = LAYERS_MAX + 1; i-- > 0;)
        ahead_release(&u->layers[i]);
    mem_free(u);
}

/* ---- entries ------------------------------------------------------------ */

int unpack_entry(struct unpack *u, struct unpacked *entry,
                 struct cooc_err *err)
{
    bool first = !u->begun;
    int rc;

    *entry = (struct unpacked){ .regular = true };
    u->begun = true;
    if (!u->container.self) {
        ahead_begin(&u->out, ahead_pull(u->top));
        return first;
    }
    rc = u->container.entry(u->container.self, entry, err);
    if (rc > 0)
        ahead_begin(&u->out, (struct pull){ u->container.block,
                                            u->container.self, NULL });
    return rc;
}

struct ahead *unpack_bytes(struct unpack *u)
{
    return &u->out;
}
