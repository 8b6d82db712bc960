/* csv.c - split rows into fields.
 *
 * Cost.  One memchr() per line and one per field; only rows with a quotation
 * mark are read byte by byte, and only rows of several lines are copied.
 */
#include "read/csv.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/mem.h"
#include "read/input.h"

char csv_guess(const char *line, size_t len)
{
    static const char candidates[] = ",;\t";
    size_t n[sizeof candidates] = { 0 }, best = 0;
    bool quoted = false;

    for (size_t i = 0; i < len; i++) {
        const char *c = line[i] ? strchr(candidates, line[i]) : NULL;

        quoted ^= line[i] == '"';
        if (c && !quoted)
            n[c - candidates]++;
    }
    for (size_t i = 1; candidates[i]; i++)
        if (n[i] > n[best])
            best = i;
    return candidates[best];
}

static inline int add_field(struct csv *c, const char *at, const char *end,
                            bool doubled, struct cooc_err *err)
{
    int rc = c->n < c->cap ? 0
                           : array_grow(&c->fields, &c->cap, c->n + 1,
                                        sizeof *c->fields, err);

    if (rc == 0)
        c->fields[c->n++] = (struct csv_field){ at, (size_t)(end - at),
                                                doubled };
    return rc;
}

/* Split a row without quotation marks. */
static int split_plain(struct csv *c, const char *at, const char *end,
                       struct cooc_err *err)
{
    for (;;) {
        const char *stop = memchr(at, c->delimiter, (size_t)(end - at));
        int rc = add_field(c, at, stop ? stop : end, false, err);

        if (rc < 0 || !stop)
            return rc;
        at = stop + 1;
    }
}

/* Find the quotation mark that ends a field; NULL: it is not in this text. */
static const char *closing_quote(const char *at, const char *end,
                                 bool *doubled)
{
    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        if (at + 1 == end || at[1] != '"')
            return at;
        *doubled = true;
        at += 2;
    }
    return NULL;
}

/* 1: split; 0: the row does not end here. */
static int split_quoted(struct csv *c, struct input *in, const char *at,
                        const char *end, struct cooc_err *err)
{
    c->n = 0;
    for (;;) {
        bool doubled = false, quoted = at < end && *at == '"';
        const char *from = at + quoted, *stop, *next;
        int rc;

        stop = quoted ? closing_quote(from, end, &doubled)
                      : memchr(at, c->delimiter, (size_t)(end - at));
        if (quoted && !stop)
            return 0;
        next = stop ? stop + quoted : end;
        if (next < end && *next != c->delimiter)
            return input_bad_record(in, c->line, err,
                                    "field %zu has text after its closing "
                                    "quotation mark; write a quotation mark "
                                    "in a field twice", c->n + 1);
        rc = add_field(c, from, stop ? stop : end, doubled, err);
        if (rc < 0)
            return rc;
        if (next == end)
            return 1;
        at = next + 1;
    }
}

/* A quotation mark in the row is not closed at the end of the file, or as far
 * as a document may reach.  Nobody knows where the next row begins. */
static int not_closed(const struct csv *c, struct input *in,
                      struct cooc_err *err)
{
    int rc = input_bad_record(in, c->line, err,
                              "a quotation mark in this row is never closed, "
                              "so the rest of the file is part of the row");

    in->bad_record = false;
    return rc;
}

/* The row is too long for a document. */
static int too_long(const struct csv *c, struct input *in,
                    struct cooc_err *err)
{
    int rc = input_bad_record(in, c->line, err,
                              "this row is larger than %zu MiB; probably, a "
                              "quotation mark in it is never closed, so the "
                              "rest of the file is part of the row",
                              in->text.max >> 20);

    in->bad_record = false;
    return rc;
}

/* Split a row that has quotation marks, reading as many lines as it has. */
static int read_quoted(struct csv *c, struct input *in, const char *line,
                       size_t len, struct cooc_err *err)
{
    int rc = split_quoted(c, in, line, line + len, err);

    if (rc == 0)
        rc = buf_set(&c->row, line, len, err);
    else
        return rc;
    while (rc == 0) {
        rc = text_line(&in->text, &line, &len, err);
        if (rc == 0)
            return not_closed(c, in, err);
        if (rc > 0)
            rc = input_room_for(in, c->row.len, len + 1, err);
        if (rc == COOC_ELIMIT)
            return too_long(c, in, err);
        if (rc == 0)
            rc = buf_byte(&c->row, '\n', err);
        if (rc == 0)
            rc = buf_add(&c->row, line, len, err);
        if (rc == 0 && memchr(line, '"', len))
            rc = split_quoted(c, in, c->row.data, c->row.data + c->row.len,
                              err);
    }
    return rc;
}

int csv_next(struct csv *c, struct input *in, struct cooc_err *err)
{
    const char *line;
    size_t len;
    int rc;

    c->n = 0;
    do
        rc = text_line(&in->text, &line, &len, err);
    while (rc > 0 && !len);
    if (rc <= 0)
        return rc;
    c->line = in->text.line;
    if (!c->delimiter)
        c->delimiter = csv_guess(line, len);
    if (!c->no_quotes && memchr(line, '"', len))
        return read_quoted(c, in, line, len, err);
    rc = split_plain(c, line, line + len, err);
    return rc < 0 ? rc : 1;
}

int csv_text(const struct csv *c, size_t i, struct buf *out, const char **text,
             size_t *len, struct cooc_err *err)
{
    const struct csv_field *f = &c->fields[i];
    const char *at = f->at, *end = f->at + f->len;
    int rc = 0;

    *text = f->at;
    *len = f->len;
    if (!f->doubled)
        return 0;
    out->len = 0;
    while (rc == 0 && at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));

        rc = buf_add(out, at, (size_t)((quote ? quote + 1 : end) - at), err);
        at = quote ? quote + 2 : end;
    }
    *text = out->data;
    *len = out->len;
    return rc;
}

void csv_release(struct csv *c)
{
    mem_free(c->fields);
    buf_release(&c->row);
}
