/* input.c - small services that every format shares. */
#include "read/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/err.h"
#include "cooc.h"
#include "read/html_text.h"
#include "read/scan.h"

void input_release(struct input *in)
{
    text_release(&in->text);
    buf_release(&in->label);
    buf_release(&in->body);
    buf_release(&in->scratch);
    vocab_release(&in->vocab);
    fields_release(&in->fields);
}

int input_name(struct input *in, uint64_t number, struct cooc_err *err)
{
    size_t len = strlen(in->name);
    int rc;

    in->label.len = 0;
    rc = buf_reserve(&in->label, len + 1 + DECIMAL_U64, err);
    if (rc < 0)
        return rc;
    memcpy(in->label.data, in->name, len);
    in->label.data[len++] = ':';
    in->label.len = len + decimal_u64(in->label.data + len, number);
    input_label(in);
    return 0;
}

void input_label(struct input *in)
{
    in->doc.name = in->label.len ? in->label.data : "";
    in->doc.name_len = in->label.len;
}

void input_text(struct input *in, const struct buf *text)
{
    in->doc.text = text->len ? text->data : "";
    in->doc.text_len = text->len;
}

const char *input_charset(const struct input *in)
{
    bool known = in->options->encoding || in->text.recoder || in->text.marked;

    return known ? "UTF-8" : NULL;
}

int input_page(struct input *in, const char *html, size_t len,
               const char *charset, struct cooc_err *err)
{
    int rc;

    in->scratch.len = 0;
    rc = html_text(html, len, charset, &in->scratch, &in->stats->invalid_bytes,
                   err);
    input_text(in, &in->scratch);
    return rc;
}

int input_fields(struct input *in, struct scan *line, struct cooc_err *err)
{
    const char *text = "";
    size_t len = 0;
    int rc = text_line(&in->text, &text, &len, err);

    *line = scan_of(text, len);
    scan_blanks(line);
    return rc;
}

int input_add_line(struct input *in, const char *text, size_t len,
                   struct cooc_err *err)
{
    int rc = input_room(in, len + 1, err);

    if (rc == 0)
        rc = buf_add(&in->body, text, len, err);
    return rc < 0 ? rc : buf_byte(&in->body, '\n', err);
}

const char *document_advice(size_t max)
{
    return max < DOCUMENT_MAX ? "split it, or give more --memory"
                              : "split it, or see whether another --format "
                                "finds the documents in it";
}

int input_room(const struct input *in, size_t extra, struct cooc_err *err)
{
    if (extra > in->text.max || in->body.len > in->text.max - extra)
        return err_set(err, COOC_ELIMIT,
                       "%s: a document is larger than %zu MiB: %s", in->name,
                       in->text.max >> 20, document_advice(in->text.max));
    return 0;
}

int input_whole(struct input *in, struct cooc_err *err)
{
    const char *data;
    size_t len;
    int rc;

    while ((rc = text_block(&in->text, &data, &len, err)) > 0) {
        rc = input_room(in, len, err);
        if (rc == 0)
            rc = buf_add(&in->body, data, len, err);
        if (rc < 0)
            break;
    }
    return rc;
}

int input_wrong(const struct input *in, struct cooc_err *err, const char *fmt,
                ...)
{
    char why[320];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    return err_set(err, COOC_EFORMAT, "%s:%llu: %s", in->name,
                   (unsigned long long)in->text.line, why);
}
