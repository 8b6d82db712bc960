/* list.c - results that are lists: rows under labelled columns.
 *
 * TSV and JSON rows are written immediately.  In the human form, up to OUT_ROWS
 * rows are buffered until the widest cell of each column is known; the next
 * OUT_ROWS rows use these widths or larger ones.  A text that is much longer
 * than the other texts of its column is printed in full, but the other rows are
 * not padded to its length.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/answer.h"
#include "ask/display.h"
#include "base/err.h"

enum { USUAL = 40 };

struct cell {
    size_t start, len, columns;
    bool right; /* right-aligned, for numbers */
};

struct list_buffer {
    FILE *f; /* the text of all buffered cells */
    char *text;
    size_t len;
    struct cell cells[OUT_ROWS][FIELDS_MAX];
    size_t widths[FIELDS_MAX];
};

void out_release_list(struct answer *a)
{
    struct list_buffer *b = a->buffer;

    a->buffer = NULL;
    if (!b)
        return;
    if (b->f)
        fclose(b->f);
    free(b->text);
    free(b);
}

static int make_buffer(struct answer *a, struct cooc_err *err)
{
    struct list_buffer *b = calloc(1, sizeof *b);

    a->buffer = b;
    if (!b)
        return err_nomem(err);
    b->f = open_memstream(&b->text, &b->len);
    if (!b->f)
        return err_nomem(err);
    for (size_t i = 0; i < a->n_fields; i++)
        b->widths[i] = strlen(a->fields[i].label);
    return 0;
}

static void pad(FILE *to, size_t n)
{
    fprintf(to, "%*s", (int)n, "");
}

/* Print a cell; text in the last column is not padded. */
static void print_cell(struct answer *a, size_t i, const char *text, size_t len,
                       size_t columns, bool right)
{
    size_t width = a->buffer->widths[i];
    size_t gap = width > columns ? width - columns : 0;

    if (i)
        fputs("  ", a->to);
    if (right)
        pad(a->to, gap);
    fwrite(text, 1, len, a->to);
    if (!right && i + 1 < a->n_fields)
        pad(a->to, gap);
}

static int by_size(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return x < y ? -1 : x > y;
}

/* Set the width of column i to that of its widest number or normal text in the
 * buffered rows.  A text is normal if it is at most share wide, and at most
 * USUAL or twice the median, whichever is larger.  share is the part of the
 * terminal that the column may fill. */
static void fit_column(struct answer *a, size_t i, size_t share)
{
    struct list_buffer *b = a->buffer;
    size_t sizes[OUT_ROWS], most;

    for (size_t r = 0; r < a->n_rows; r++)
        sizes[r] = b->cells[r][i].columns;
    qsort(sizes, a->n_rows, sizeof *sizes, by_size);
    most = 2 * sizes[(a->n_rows - 1) / 2];
    most = most > USUAL ? most : USUAL;
    most = most < share ? most : share;
    for (size_t r = 0; r < a->n_rows; r++)
        if (sizes[r] > b->widths[i] &&
            (b->cells[0][i].right || sizes[r] <= most))
            b->widths[i] = sizes[r];
}

static void fit_columns(struct answer *a)
{
    size_t width = terminal_width(STDOUT_FILENO), texts = 0;

    for (size_t i = 0; i < a->n_fields; i++)
        texts += !a->buffer->cells[0][i].right;
    for (size_t i = 0; i < a->n_fields; i++)
        fit_column(a, i, texts > 1 ? width / (texts + 1) : 3 * width / 4);
}

/* Print the buffered rows. */
static int flush_rows(struct answer *a, struct cooc_err *err)
{
    struct list_buffer *b = a->buffer;

    if (!b || !a->n_rows)
        return 0;
    if (fflush(b->f))
        return err_nomem(err);
    fit_columns(a);
    if (!a->started) {
        for (size_t i = 0; i < a->n_fields; i++) {
            const char *label = a->fields[i].label;
            size_t len = strlen(label);

            print_cell(a, i, label, len, len, b->cells[0][i].right);
        }
        putc('\n', a->to);
    }
    a->started = true;
    for (size_t r = 0; r < a->n_rows; r++) {
        for (size_t i = 0; i < a->n_fields; i++) {
            const struct cell *h = &b->cells[r][i];

            print_cell(a, i, b->text + h->start, h->len, h->columns,
                       h->right);
        }
        putc('\n', a->to);
    }
    a->n_rows = 0;
    rewind(b->f);
    return 0;
}

static int human_row(struct answer *a, const struct value *values,
                     struct cooc_err *err)
{
    struct list_buffer *b;
    int rc = 0;

    if (!a->buffer)
        rc = make_buffer(a, err);
    else if (a->n_rows == OUT_ROWS)
        rc = flush_rows(a, err);
    if (rc < 0)
        return rc;
    b = a->buffer;
    for (size_t i = 0; i < a->n_fields; i++) {
        struct cell *h = &b->cells[a->n_rows][i];
        long start = ftell(b->f);

        out_value(a, b->f, &values[i], a->fields[i].decimals);
        if (fflush(b->f) || start < 0)
            return err_nomem(err);
        h->start = (size_t)start;
        h->len = (size_t)ftell(b->f) - h->start;
        h->columns = display_width(b->text + h->start, h->len);
        h->right = values[i].kind != VALUE_TEXT &&
                   values[i].kind != VALUE_BOOL;
    }
    a->n_rows++;
    return 0;
}

static void program_row(struct answer *a, const struct value *values)
{
    bool json = a->form == OUT_JSON;

    if (json)
        fputs(a->open && a->started ? ", {" : "{", a->to);
    for (size_t i = 0; i < a->n_fields; i++) {
        if (json)
            out_member(a->to, i == 0, a->fields[i].label);
        else if (i)
            putc('\t', a->to);
        out_value(a, a->to, &values[i], 0);
    }
    if (json)
        putc('}', a->to);
    if (!json || !a->open)
        putc('\n', a->to);
    a->started = true;
}

void answer_list(struct answer *a, const char *label,
                 const struct field *fields)
{
    answer_columns(a, fields);
    a->n_rows = 0;
    a->started = false;
    if (a->form == OUT_JSON && a->open) {
        out_member(a->to, false, label);
        putc('[', a->to);
    } else if (a->form == OUT_HUMAN && a->open) {
        fprintf(a->to, "\n%s\n", label);
    } else if (a->form == OUT_TSV) {
        if (a->open)
            putc('\n', a->to);
        for (size_t i = 0; i < a->n_fields; i++) {
            if (i)
                putc('\t', a->to);
            out_key(a->to, a->fields[i].label);
        }
        putc('\n', a->to);
    }
}

int answer_values(struct answer *a, const struct value *values,
                  struct cooc_err *err)
{
    if (a->form == OUT_HUMAN)
        return human_row(a, values, err);
    program_row(a, values);
    return 0;
}

int answer_list_end(struct answer *a, struct cooc_err *err)
{
    int rc = flush_rows(a, err);

    if (a->form == OUT_JSON && a->open)
        putc(']', a->to);
    else if (a->form == OUT_HUMAN && !a->started && rc == 0)
        fputs("none\n", a->to);
    out_release_list(a);
    return rc;
}
