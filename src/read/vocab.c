/* vocab.c - a list of words: all their bytes, and where each word ends. */
#include "read/vocab.h"

#include <string.h>

#include "base/decimal.h"
#include "base/err.h"
#include "base/mem.h"
#include "read/input.h"
#include "read/read.h"
#include "read/stream.h"

static int read_words(struct vocab *v, struct text *text,
                      struct cooc_err *err)
{
    const char *word;
    size_t len;
    int rc;

    while ((rc = text_line(text, &word, &len, err)) > 0) {
        rc = array_grow(&v->ends, &v->cap, v->n + 1, sizeof *v->ends, err);
        if (rc == 0)
            rc = buf_add(&v->words, word, len, err);
        if (rc < 0)
            return rc;
        v->ends[v->n++] = v->words.len;
    }
    return rc;
}

int vocab_load(struct input *in, const char *path, struct cooc_err *err)
{
    struct vocab *v = &in->vocab;
    struct reader_stats apart = { 0 }; /* its bytes are no documents */
    struct stream *s = NULL;
    struct text text = { .max = in->text.max };
    int rc;

    if (v->path && path && strcmp(v->path, path) == 0)
        return 0;
    vocab_release(v);
    if (!path)
        return 0;
    rc = stream_open(&s, path, &apart, NULL, err);
    if (rc == 0)
        rc = stream_entry(s, err);
    if (rc == 0)
        rc = err_set(err, COOC_EFORMAT, "%s: no file in it", path);
    if (rc > 0)
        rc = text_begin(&text, s, in->options->encoding,
                        &in->stats->invalid_bytes, err);
    if (rc == 0)
        rc = read_words(v, &text, err);
    if (rc == 0) {
        v->path = mem_dup(path, strlen(path));
        rc = v->path ? 0 : err_nomem(err);
    }
    text_release(&text);
    stream_close(s);
    return rc;
}

void vocab_release(struct vocab *v)
{
    mem_free(v->path);
    mem_free(v->ends);
    buf_release(&v->words);
    *v = (struct vocab){ 0 };
}

int vocab_add_term(struct input *in, uint64_t index, uint64_t id,
                   struct cooc_err *err)
{
    const struct vocab *v = &in->vocab;
    char digits[DECIMAL_U64];
    size_t start, len;

    if (!v->path)
        return input_add_line(in, digits, decimal_u64(digits, id), err);
    start = index ? v->ends[index - 1] : 0;
    len = v->ends[index] - start;
    return input_add_line(in, len ? v->words.data + start : "", len, err);
}
