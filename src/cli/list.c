/* list.c - results that are lists: rows under labelled columns.
 *
 * Programs get each row at once.  For a person the rows are held back, up to
 * OUT_ROWS of them, until the widest cell of each column is known; a longer
 * list goes on in the widths found so far, or wider.  A text that is much
 * longer than the others of its column is printed whole, but the other rows are
 * not padded to its length.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/out.h"
#include "cli/text.h"

enum { USUAL = 40 };

struct held {
    size_t start, len, columns;
    bool right; /* numbers */
};

struct list_buffer {
    FILE *f; /* all held cells, one behind the other */
    char *text;
    size_t len;
    struct held cells[OUT_ROWS][FIELDS_MAX];
    size_t widths[FIELDS_MAX];
};

void out_release_list(struct out *o)
{
    struct list_buffer *b = o->buffer;

    o->buffer = NULL;
    if (!b)
        return;
    if (b->f)
        fclose(b->f);
    free(b->text);
    free(b);
}

static int make_buffer(struct out *o, struct cooc_err *err)
{
    struct list_buffer *b = calloc(1, sizeof *b);

    o->buffer = b;
    if (!b)
        return err_nomem(err);
    b->f = open_memstream(&b->text, &b->len);
    if (!b->f)
        return err_nomem(err);
    for (size_t i = 0; i < o->answer.n_fields; i++)
        b->widths[i] = strlen(o->answer.fields[i].label);
    return 0;
}

static void pad(FILE *to, size_t n)
{
    fprintf(to, "%*s", (int)n, "");
}

/* The last column is left ragged unless it holds numbers. */
static void print_cell(struct out *o, size_t i, const char *text, size_t len,
                       size_t columns, bool right)
{
    size_t width = o->buffer->widths[i];
    size_t gap = width > columns ? width - columns : 0;

    if (i)
        fputs("  ", o->to);
    if (right)
        pad(o->to, gap);
    fwrite(text, 1, len, o->to);
    if (!right && i + 1 < o->answer.n_fields)
        pad(o->to, gap);
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return x < y ? -1 : x > y;
}

/* The width of column i for the rows held back: that of the widest number or of
 * the widest usual text.  A text is usual if it has at most USUAL columns,
 * twice the median if that is more, but never more than its share of the
 * terminal. */
static void fit_column(struct out *o, size_t i, size_t share)
{
    struct list_buffer *b = o->buffer;
    size_t sizes[OUT_ROWS], most;

    for (size_t r = 0; r < o->n_rows; r++)
        sizes[r] = b->cells[r][i].columns;
    qsort(sizes, o->n_rows, sizeof *sizes, by_size);
    most = 2 * sizes[(o->n_rows - 1) / 2];
    most = most > USUAL ? most : USUAL;
    most = most < share ? most : share;
    for (size_t r = 0; r < o->n_rows; r++)
        if (sizes[r] > b->widths[i] &&
            (b->cells[0][i].right || sizes[r] <= most))
            b->widths[i] = sizes[r];
}

static void fit_columns(struct out *o)
{
    size_t width = terminal_width(STDOUT_FILENO), texts = 0;

    for (size_t i = 0; i < o->answer.n_fields; i++)
        texts += !o->buffer->cells[0][i].right;
    for (size_t i = 0; i < o->answer.n_fields; i++)
        fit_column(o, i, texts > 1 ? width / (texts + 1) : 3 * width / 4);
}

/* Print the rows held back. */
static int flush_rows(struct out *o, struct cooc_err *err)
{
    struct list_buffer *b = o->buffer;

    if (!b || !o->n_rows)
        return 0;
    if (fflush(b->f))
        return err_nomem(err);
    fit_columns(o);
    if (!o->started) {
        for (size_t i = 0; i < o->answer.n_fields; i++) {
            const char *label = o->answer.fields[i].label;
            size_t len = strlen(label);

            print_cell(o, i, label, len, len, b->cells[0][i].right);
        }
        putc('\n', o->to);
    }
    o->started = true;
    for (size_t r = 0; r < o->n_rows; r++) {
        for (size_t i = 0; i < o->answer.n_fields; i++) {
            const struct held *h = &b->cells[r][i];

            print_cell(o, i, b->text + h->start, h->len, h->columns,
                       h->right);
        }
        putc('\n', o->to);
    }
    o->n_rows = 0;
    rewind(b->f);
    return 0;
}

static int human_row(struct out *o, const struct value *values,
                     struct cooc_err *err)
{
    struct list_buffer *b;
    int rc = 0;

    if (!o->buffer)
        rc = make_buffer(o, err);
    else if (o->n_rows == OUT_ROWS)
        rc = flush_rows(o, err);
    if (rc < 0)
        return rc;
    b = o->buffer;
    for (size_t i = 0; i < o->answer.n_fields; i++) {
        struct held *h = &b->cells[o->n_rows][i];
        long start = ftell(b->f);

        out_value(o, b->f, &values[i], o->answer.fields[i].decimals);
        if (fflush(b->f) || start < 0)
            return err_nomem(err);
        h->start = (size_t)start;
        h->len = (size_t)ftell(b->f) - h->start;
        h->columns = text_columns(b->text + h->start, h->len);
        h->right = values[i].kind != VALUE_TEXT &&
                   values[i].kind != VALUE_BOOL;
    }
    o->n_rows++;
    return 0;
}

static void program_row(struct out *o, const struct value *values)
{
    bool json = o->form == OUT_JSON;

    if (json)
        fputs(o->open && o->started ? ", {" : "{", o->to);
    for (size_t i = 0; i < o->answer.n_fields; i++) {
        if (i)
            fputs(json ? ", " : "\t", o->to);
        if (json) {
            putc('"', o->to);
            out_key(o->to, o->answer.fields[i].label);
            fputs("\": ", o->to);
        }
        out_value(o, o->to, &values[i], 0);
    }
    if (json)
        putc('}', o->to);
    if (!json || !o->open)
        putc('\n', o->to);
    o->started = true;
}

void out_list(struct answer *a, const char *label)
{
    struct out *o = (struct out *)a;

    o->n_rows = 0;
    o->started = false;
    if (o->form == OUT_JSON && o->open) {
        out_member(o, label);
        putc('[', o->to);
    } else if (o->form == OUT_HUMAN && o->open) {
        fprintf(o->to, "\n%s\n", label);
    } else if (o->form == OUT_TSV) {
        if (o->open)
            putc('\n', o->to);
        for (size_t i = 0; i < a->n_fields; i++) {
            if (i)
                putc('\t', o->to);
            out_key(o->to, a->fields[i].label);
        }
        putc('\n', o->to);
    }
}

int out_row(struct answer *a, const struct value *values,
            struct cooc_err *err)
{
    struct out *o = (struct out *)a;

    if (o->form == OUT_HUMAN)
        return human_row(o, values, err);
    program_row(o, values);
    return 0;
}

int out_list_end(struct answer *a, struct cooc_err *err)
{
    struct out *o = (struct out *)a;
    int rc = flush_rows(o, err);

    if (o->form == OUT_JSON && o->open)
        putc(']', o->to);
    else if (o->form == OUT_HUMAN && !o->started && rc == 0)
        fputs("none\n", o->to);
    out_release_list(o);
    return rc;
}
