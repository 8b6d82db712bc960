/* out.h - results on stdout, in the form their reader wants.
 *
 *     a person at a terminal   aligned columns, thousands separators
 *     a program in a pipe      TSV with a header line
 *     --json                   an object; for a list, an object a line
 *
 * A result is facts, or a list, or facts followed by lists:
 *
 *     out_open(&o);                         out_list(&o, NULL, columns, 2);
 *     out_count(&o, "documents", 3);        out_row(&o, cells, &err);
 *     out_close(&o);                        out_list_end(&o, &err);
 *
 * One label serves all forms: blanks become '_' for programs.
 *
 * Errors     Those of writing stay in stdout, where main finds them.
 */
#ifndef COOC_CLI_OUT_H
#define COOC_CLI_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cooc_err;

enum out_form { OUT_HUMAN, OUT_TSV, OUT_JSON };
enum { OUT_COLUMNS = 64, OUT_ROWS = 256 };

struct column {
    const char *label;
    int decimals; /* of reals, to a person */
};

enum cell_kind { CELL_KIND_TEXT, CELL_KIND_COUNT, CELL_KIND_REAL,
                 CELL_KIND_BOOL,
                 CELL_KIND_POWER }; /* 10 to the real, however small */

struct cell {
    enum cell_kind kind;
    const char *text;
    size_t len;
    uint64_t count;
    double real;
    bool yes;
};

#define CELL_TEXT(s, n) { .kind = CELL_KIND_TEXT, .text = (s), .len = (n) }
#define CELL_COUNT(v) { .kind = CELL_KIND_COUNT, .count = (v) }
#define CELL_REAL(v) { .kind = CELL_KIND_REAL, .real = (v) }
#define CELL_POWER(v) { .kind = CELL_KIND_POWER, .real = (v) }
#define CELL_BOOL(v) { .kind = CELL_KIND_BOOL, .yes = (v) }

struct out {
    FILE *to;
    enum out_form form;
    bool open;  /* between out_open() and out_close() */
    bool comma; /* JSON: the object has a member already */

    /* The list at hand; rows wait for their widths in the human form. */
    const struct column *columns;
    size_t n_columns, n_rows;
    bool started;
    struct list_buffer *buffer;
};

void out_init(struct out *o, FILE *to, enum out_form form);

/* The form that suits stdout. */
enum out_form out_form(bool json);

/* Free what an unfinished list holds. */
void out_release(struct out *o);

void out_open(struct out *o);
void out_count(struct out *o, const char *label, uint64_t v);
void out_real(struct out *o, const char *label, double v, int decimals);
void out_text(struct out *o, const char *label, const char *s);
void out_bytes(struct out *o, const char *label, const char *s, size_t len);
void out_close(struct out *o);

/* A list of rows; between open and close it is one more fact. */
void out_list(struct out *o, const char *label, const struct column *columns,
              size_t n_columns);
int out_row(struct out *o, const struct cell *cells, struct cooc_err *err);
int out_list_end(struct out *o, struct cooc_err *err);

/* Inside: one value, and a label as programs read it. */
void out_cell(struct out *o, FILE *to, const struct cell *c, int decimals);
void out_key(FILE *to, const char *label);

#endif
