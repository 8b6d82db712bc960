/* line_reader.c - lines, found by memchr() in the block they were read in.
 *
 * A line inside one block is handed out where it lies.  Only a line that
 * spans blocks is copied, once, into one piece.
 */
#include "read/line_reader.h"

#include <string.h>

#include "base/err.h"
#include "read/entry_text.h"
#include "read/read.h"

void line_reader_begin(struct line_reader *l, struct text *text,
                       const char *name, size_t max)
{
    l->max = max;
    l->text = text;
    l->name = name;
    l->line = 0;
    l->left = 0;
    l->joined.len = 0;
}

void line_reader_release(struct line_reader *l)
{
    buf_release(&l->joined);
}

static void hand_out(struct line_reader *l, const char *start, size_t n,
                     const char **line, size_t *len)
{
    if (n && start[n - 1] == '\r')
        n--;
    l->line++;
    *line = n ? start : ""; /* never NULL */
    *len = n;
}

/* Join what is left of the block to what the next ones hold of the line. */
static int join(struct line_reader *l, const char **line, size_t *len,
                struct cooc_err *err)
{
    const char *end = NULL;
    int rc;

    l->joined.len = 0;
    do {
        size_t n = end ? (size_t)(end - l->at) : l->left;

        if (n > l->max - l->joined.len)
            return err_set(err, COOC_ELIMIT,
                           "%s:%llu: this line is longer than %zu MiB: %s",
                           l->name, (unsigned long long)l->line + 1,
                           l->max >> 20, document_advice(l->max));
        rc = buf_add(&l->joined, l->at, n, err);
        if (rc < 0)
            return rc;
        if (end) {
            l->left -= n + 1;
            l->at = end + 1;
            hand_out(l, l->joined.data, l->joined.len, line, len);
            return 1;
        }
        l->left = 0;
        rc = text_block(l->text, &l->at, &l->left, err);
        if (rc < 0)
            return rc;
        if (rc > 0)
            end = memchr(l->at, '\n', l->left);
    } while (rc > 0);
    if (l->joined.len == 0)
        return 0;
    hand_out(l, l->joined.data, l->joined.len, line, len);
    return 1;
}

int line_reader_next(struct line_reader *l, const char **line, size_t *len,
                     struct cooc_err *err)
{
    const char *start = l->at, *end;

    end = l->left ? memchr(start, '\n', l->left) : NULL;
    if (!end)
        return join(l, line, len, err);
    l->at = end + 1;
    l->left -= (size_t)(l->at - start);
    hand_out(l, start, (size_t)(end - start), line, len);
    return 1;
}

int line_reader_bytes(struct line_reader *l, uint64_t n, struct buf *out,
                      struct cooc_err *err)
{
    for (;;) {
        size_t take = n < l->left ? (size_t)n : l->left;
        int rc = out ? buf_add(out, l->at, take, err) : 0;

        if (rc < 0)
            return rc;
        l->at += take;
        l->left -= take;
        n -= take;
        if (n == 0)
            return 1;
        rc = text_block(l->text, &l->at, &l->left, err);
        if (rc <= 0)
            return rc;
    }
}
