/* archive_source.c - libarchive, fed with blocks from another layer. */
#include "read/archive_source.h"

#include <errno.h>

static la_ssize_t give_block(struct archive *a, void *self, const void **data)
{
    struct archive_source *s = self;
    int rc = s->from.block(s->from.self, &s->given, &s->given_len, &s->err);

    if (rc < 0) {
        s->rc = rc;
        archive_set_error(a, EIO, "read failed");
        return ARCHIVE_FATAL;
    }
    if (rc == 0)
        s->given_len = 0;
    s->given_total += s->given_len;
    *data = s->given;
    return (la_ssize_t)s->given_len;
}

int archive_source_init(struct archive_source *s, const char *name,
                        struct pull from, struct cooc_err *err)
{
    *s = (struct archive_source){ .name = name, .from = from,
                                   .fd = -1 };
    s->a = archive_read_new();
    s->entry = s->a ? archive_entry_new2(s->a) : NULL;
    if (!s->entry ||
        archive_read_set_read_callback(s->a, give_block) != ARCHIVE_OK ||
        archive_read_set_callback_data(s->a, s) != ARCHIVE_OK)
        return err_nomem(err); /* these calls fail only without memory */
    return 0;
}

void archive_source_release(struct archive_source *s)
{
    archive_entry_free(s->entry);
    archive_read_free(s->a);
}

int archive_source_failed(struct archive_source *s, struct cooc_err *err)
{
    const char *why = archive_error_string(s->a);

    if (s->rc < 0)
        return err_set(err, s->rc, "%s", s->err.text);
    if (archive_errno(s->a) == ENOMEM)
        return err_nomem(err);
    return err_set(err, COOC_EFORMAT, "%s: %s", s->name,
                   why ? why : "the compressed data or archive is damaged");
}

int archive_source_block(struct archive_source *s, const char **data,
                         size_t *len, la_int64_t *where, struct cooc_err *err)
{
    const void *block = NULL;
    int got;

    do {
        got = archive_read_data_block(s->a, &block, len, where);
        if (got == ARCHIVE_EOF)
            return 0;
        if (got != ARCHIVE_OK && got != ARCHIVE_RETRY)
            return archive_source_failed(s, err);
    } while (got == ARCHIVE_RETRY || *len == 0);
    *data = block;
    return 1;
}
