/* input.c - small services that every format shares. */
#include "read/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "read/read.h"
#include "read/scan.h"

void input_release(struct input *in)
{
    text_release(&in->text);
    line_reader_release(&in->lines);
    buf_release(&in->label);
    buf_release(&in->body);
    fields_release(&in->fields);
}

int input_name(struct input *in, uint64_t number, struct document *doc,
               struct cooc_err *err)
{
    char digits[DECIMAL_MAX + 1], *end = digits + sizeof digits;
    char *d = put_decimal(end, number);
    size_t len = strlen(in->name), n;
    int rc;

    *--d = ':';
    n = (size_t)(end - d);
    in->label.len = 0;
    rc = buf_reserve(&in->label, len + n, err);
    if (rc < 0)
        return rc;
    memcpy(in->label.data, in->name, len);
    memcpy(in->label.data + len, d, n);
    doc->name = in->label.data;
    doc->name_len = in->label.len = len + n;
    return 0;
}

const char *document_advice(size_t max)
{
    return max < DOCUMENT_MAX ? "split it, or give more --memory"
                              : "split it, or see whether another --format "
                                "finds the documents in it";
}

int input_room(const struct input *in, size_t extra, struct cooc_err *err)
{
    if (extra > in->max || in->body.len > in->max - extra)
        return err_set(err, COOC_ELIMIT,
                       "%s: a document is larger than %zu MiB: %s", in->name,
                       in->max >> 20, document_advice(in->max));
    return 0;
}

int input_whole(struct input *in, struct cooc_err *err)
{
    const char *data;
    size_t len;
    int rc;

    in->body.len = 0;
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
                   (unsigned long long)in->lines.line, why);
}
