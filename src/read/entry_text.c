/* entry_text.c - convert encodings and split lines, between stream and formats.
 *
 * Lines are found by memchr() in the block that was read.  A line inside one
 * block is returned in place.  Only a line that spans blocks is copied, once,
 * into one piece.
 */
#include "read/entry_text.h"

#include "base/err.h"
#include "read/read.h"
#include "read/recode.h"
#include "read/stream.h"

void text_begin_raw(struct text *t, struct stream *s)
{
    recoder_free(t->recoder);
    t->recoder = NULL;
    t->stream = s;
    t->skip = 0;
    t->ended = t->begun = t->marked = t->uncounted = false;
    t->line = 0;
    t->left = 0;
    t->peeked = NULL;
}

int text_begin(struct text *t, struct stream *s, const char *encoding,
               uint64_t *invalid, struct cooc_err *err)
{
    const char *head, *mark;
    size_t len;
    int rc;

    text_begin_raw(t, s);
    rc = stream_peek(s, 4, &head, &len, err);
    if (rc < 0)
        return rc;
    mark = encoding_mark(head, len, &t->skip);
    t->marked = mark != NULL;
    encoding = mark ? mark : encoding;
    return encoding && !encoding_is_utf8(encoding)
               ? recoder_new(&t->recoder, encoding, invalid, err) : 0;
}

void text_begin_within(struct text *t, struct stream *s)
{
    text_begin_raw(t, s);
    t->uncounted = true;
}

int text_number_lines(struct text *t, struct cooc_err *err)
{
    uint64_t before = 0;
    int rc = t->uncounted ? stream_lines_before(t->stream, &before, err) : 0;

    t->line += before;
    t->uncounted = t->uncounted && rc < 0;
    return rc;
}

void text_release(struct text *t)
{
    recoder_free(t->recoder);
    t->recoder = NULL;
    buf_release(&t->out);
    buf_release(&t->joined);
}

/* A block of the entry, without the byte order mark. */
static int next_block(struct text *t, const char **data, size_t *len,
                      struct cooc_err *err)
{
    for (;;) {
        int rc = stream_block(t->stream, data, len, err);

        if (rc <= 0)
            return rc;
        if (*len > t->skip) {
            *data += t->skip;
            *len -= t->skip;
            t->skip = 0;
            return 1;
        }
        t->skip -= *len;
    }
}

int text_block(struct text *t, const char **data, size_t *len,
               struct cooc_err *err)
{
    if (!t->recoder)
        return next_block(t, data, len, err);
    t->out.len = 0;
    while (t->out.len == 0) {
        const char *in = "";
        size_t n = 0;
        int rc;

        if (t->ended)
            return 0;
        rc = next_block(t, &in, &n, err);
        if (rc < 0)
            return rc;
        t->ended = rc == 0;
        rc = recoder_feed(t->recoder, in, n, t->ended, &t->out, err);
        if (rc < 0)
            return rc;
        *data = t->out.data;
        *len = t->out.len;
        if (!t->begun && *len >= 3 && !memcmp(*data, "\xef\xbb\xbf", 3)) {
            *data += 3; /* a byte order mark that the conversion kept */
            *len -= 3;
            t->out.len = *len;
        }
        t->begun = t->begun || *len > 0;
    }
    return 1;
}

/* ---- lines -------------------------------------------------------------- */

static void set_line(struct text *t, const char *start, size_t n,
                     const char **line, size_t *len)
{
    if (n && start[n - 1] == '\r')
        n--;
    t->line++;
    *line = n ? start : ""; /* never NULL */
    *len = n;
}

/* The next line is longer than the maximum. */
static int too_long(struct text *t, struct cooc_err *err)
{
    int rc = text_number_lines(t, err);

    if (rc < 0)
        return rc;
    rc = err_line(err, COOC_ELIMIT, stream_name(t->stream), t->line + 1,
                  "this line is longer than %zu MiB; %s", t->max >> 20,
                  document_advice(t->max));
    return err_add_option(err, rc, document_option(t->max));
}

/* Join the rest of this block with the following blocks, up to the end of the
 * line. */
static int join_line(struct text *t, const char **line, size_t *len,
                     struct cooc_err *err)
{
    const char *end = NULL;
    int rc;

    t->joined.len = 0;
    do {
        size_t n = end ? (size_t)(end - t->at) : t->left;

        if (n > t->max - t->joined.len)
            return too_long(t, err);
        rc = buf_add(&t->joined, t->at, n, err);
        if (rc < 0)
            return rc;
        if (end) {
            t->left -= n + 1;
            t->at = end + 1;
            set_line(t, t->joined.data, t->joined.len, line, len);
            return 1;
        }
        t->left = 0;
        rc = text_block(t, &t->at, &t->left, err);
        if (rc < 0)
            return rc;
        if (rc > 0)
            end = memchr(t->at, '\n', t->left);
    } while (rc > 0);
    if (t->joined.len == 0)
        return 0;
    set_line(t, t->joined.data, t->joined.len, line, len);
    return 1;
}

int text_peek_line(struct text *t, const char **line, size_t *len,
                   struct cooc_err *err)
{
    int rc = text_line(t, line, len, err);

    if (rc > 0) {
        t->peeked = *line;
        t->peeked_len = *len;
        t->line--;
    }
    return rc;
}

int text_line(struct text *t, const char **line, size_t *len,
              struct cooc_err *err)
{
    const char *start = t->at, *end;

    if (t->peeked) {
        *line = t->peeked;
        *len = t->peeked_len;
        t->peeked = NULL;
        t->line++;
        return 1;
    }
    end = t->left ? memchr(start, '\n', t->left) : NULL;
    if (!end)
        return join_line(t, line, len, err);
    t->at = end + 1;
    t->left -= (size_t)(t->at - start);
    set_line(t, start, (size_t)(end - start), line, len);
    return 1;
}

int text_bytes(struct text *t, uint64_t n, struct buf *out,
               struct cooc_err *err)
{
    for (;;) {
        size_t take = n < t->left ? (size_t)n : t->left;
        int rc = out ? buf_add(out, t->at, take, err) : 0;

        if (rc < 0)
            return rc;
        t->at = take ? t->at + take : t->at;
        t->left -= take;
        n -= take;
        if (n == 0)
            return 1;
        rc = text_block(t, &t->at, &t->left, err);
        if (rc <= 0)
            return rc;
    }
}
