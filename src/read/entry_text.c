/* entry_text.c - between the stream and the formats: encodings and marks. */
#include "read/entry_text.h"

#include "base/err.h"
#include "read/recode.h"
#include "read/stream.h"

void text_begin_raw(struct text *t, struct stream *s)
{
    recoder_free(t->recoder);
    t->recoder = NULL;
    t->stream = s;
    t->skip = 0;
    t->ended = t->begun = t->marked = false;
}

int text_begin(struct text *t, struct stream *s, const char *encoding,
               uint64_t *invalid, struct cooc_err *err)
{
    const char *head;
    size_t len;
    int rc;

    text_begin_raw(t, s);
    if (encoding && !encoding_is_utf8(encoding))
        return recoder_new(&t->recoder, encoding, invalid, err);
    rc = stream_peek(s, 4, &head, &len, err);
    if (rc < 0)
        return rc;
    encoding = encoding_mark(head, len, &t->skip);
    t->marked = encoding != NULL;
    if (encoding && !encoding_is_utf8(encoding))
        return recoder_new(&t->recoder, encoding, invalid, err);
    return 0;
}

void text_release(struct text *t)
{
    recoder_free(t->recoder);
    t->recoder = NULL;
    buf_release(&t->out);
}

bool text_is_utf8(const struct text *t)
{
    return t->recoder || t->marked;
}

/* A block of the entry, less the mark in front. */
static int below(struct text *t, const char **data, size_t *len,
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
        return below(t, data, len, err);
    t->out.len = 0;
    while (t->out.len == 0) {
        const char *in = "";
        size_t n = 0;
        int rc;

        if (t->ended)
            return 0;
        rc = below(t, &in, &n, err);
        if (rc < 0)
            return rc;
        t->ended = rc == 0;
        rc = recoder_feed(t->recoder, in, n, t->ended, &t->out, err);
        if (rc < 0)
            return rc;
        *data = t->out.data;
        *len = t->out.len;
        if (!t->begun && *len >= 3 && !memcmp(*data, "\xef\xbb\xbf", 3)) {
            *data += 3; /* a mark that the conversion let through */
            *len -= 3;
            t->out.len = *len;
        }
        t->begun = t->begun || *len > 0;
    }
    return 1;
}
