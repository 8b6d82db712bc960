/* answer.h - print results: facts, lists, or facts followed by lists.
 *
 * A fact is a label and a value; a list has labelled columns and one row per
 * record.  A record is any struct; a static const table of fields says which
 * members are printed and under which label.  There are three output forms:
 *
 *     human   at a terminal: aligned columns, thousands separators
 *     TSV     in a pipe: tab-separated values with a header line
 *     JSON    with --json: one object; for a list, one object per line
 *
 *     answer_init(&a, stdout, out_form(json));
 *     answer_count(&a, "documents", 3);
 *     answer_rows(&a, "terms", fields, records, sizeof *records, n, err);
 *     answer_finish(&a);
 *
 * Errors     Write errors are left in the FILE; main() checks stdout.
 */
#ifndef COOC_ASK_ANSWER_H
#define COOC_ASK_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "ask/opt.h"
#include "cooc_build.h"

/* ---- fields ------------------------------------------------------------- */

enum field_kind {
    FIELD_KIND_END,
    FIELD_KIND_TEXT,     /* const char * */
    FIELD_KIND_CHARS,    /* char[] */
    FIELD_KIND_BYTES,    /* struct text_span */
    FIELD_KIND_TERM,     /* uint32_t id of a term: its name */
    FIELD_KIND_DF,       /* uint32_t id of a term: its df */
    FIELD_KIND_DOCUMENT, /* uint32_t id of a document: its name */
    FIELD_KIND_U32,
    FIELD_KIND_U64,
    FIELD_KIND_ID,       /* uint64_t that is not a count; 0: none */
    FIELD_KIND_REAL,
    FIELD_KIND_POWER,    /* double x: 10^x, also if too small for a double */
    FIELD_KIND_BOOL,
};

struct field {
    enum field_kind kind;
    const char *label; /* TSV and JSON have '_' instead of blanks */
    size_t offset;     /* of the member in the record */
    int decimals;      /* of a real, in the human form */
    bool unless_zero;  /* omitted from facts if it is 0 */
};

/* Text that is not NUL-terminated. */
struct text_span {
    const char *text;
    size_t len;
};

#define FIELD_END { .kind = FIELD_KIND_END }
#define FIELD_OF(k, t, s, m, l)                                              \
    { .kind = (k), .label = (l), .offset = OFFSET_OF(s, m, t) }
#define FIELD_TEXT(s, m, l) FIELD_OF(FIELD_KIND_TEXT, const char *, s, m, l)
#define FIELD_CHARS(s, m, l) FIELD_OF(FIELD_KIND_CHARS, char *, s, m, l)
#define FIELD_BYTES(s, m, l)                                                 \
    FIELD_OF(FIELD_KIND_BYTES, struct text_span, s, m, l)
#define FIELD_TERM(s, m, l) FIELD_OF(FIELD_KIND_TERM, uint32_t, s, m, l)
#define FIELD_BOOL(s, m, l) FIELD_OF(FIELD_KIND_BOOL, bool, s, m, l)
#define FIELD_POWER(s, m, l) FIELD_OF(FIELD_KIND_POWER, double, s, m, l)
#define FIELD_REAL(s, m, l, d)                                               \
    { .kind = FIELD_KIND_REAL, .label = (l),                                 \
      .offset = OFFSET_OF(s, m, double), .decimals = (d) }
#define COUNT_OF(s, m, l)                                                    \
    .kind = _Generic(((s *)0)->m, uint32_t: FIELD_KIND_U32,                  \
                     uint64_t: FIELD_KIND_U64),                              \
    .label = (l), .offset = offsetof(s, m)
#define FIELD_COUNT(s, m, l) { COUNT_OF(s, m, l) }
#define FIELD_ID(s, m, l) FIELD_OF(FIELD_KIND_ID, uint64_t, s, m, l)
#define FIELD_LOSS(s, m, l) { COUNT_OF(s, m, l), .unless_zero = true }

/* One value of a result. */
enum value_kind { VALUE_TEXT, VALUE_COUNT, VALUE_ID, VALUE_REAL, VALUE_POWER,
                  VALUE_BOOL };

struct value {
    enum value_kind kind;
    struct text_span text;
    uint64_t count;
    double real;
    bool yes;
};

/* ---- answers ------------------------------------------------------------ */

enum { FIELDS_MAX = 64 }; /* fields per record, at most */
enum out_form { OUT_HUMAN, OUT_TSV, OUT_JSON };
enum { OUT_ROWS = 256 }; /* rows buffered in the human form */

struct answer {
    FILE *to;
    enum out_form form;
    struct cooc *db; /* for the names of terms and documents, or NULL */
    bool stems;      /* terms are shown as stems instead of words */
    bool open;       /* facts have been printed */

    /* The current list; in the human form, n_rows rows are buffered. */
    const struct field *fields;
    size_t n_fields;
    size_t n_rows;
    bool started;
    struct list_buffer *buffer;

    /* start() is called before long work; rows is true if rows are printed
     * during the work.  It returns the hooks for the library, any of which may
     * be NULL.  finish() is called after the work with its result, and returns
     * the result to use. */
    struct cooc_watch (*start)(struct answer *a, bool rows);
    int (*finish)(struct answer *a, int rc, struct cooc_err *err);
};

void answer_init(struct answer *a, FILE *to, enum out_form form);

/* The form for stdout: JSON if json, human at a terminal, otherwise TSV. */
enum out_form out_form(bool json);

/* End the facts and free the buffer of an unfinished list. */
void answer_finish(struct answer *a);

/* Get the name of a term as the answer prints it: a word or a stem. */
int answer_name(const struct answer *a, uint32_t term, struct text_span *name,
                struct cooc_err *err);

/* Append more to fields; both end with FIELD_END. */
void fields_add(struct field fields[FIELDS_MAX], const struct field *more);

/* Print the fields of one record as facts; prints nothing on failure. */
int answer_facts(struct answer *a, const struct field *fields,
                 const void *record, struct cooc_err *err);
void answer_text(struct answer *a, const char *label, const char *text);
void answer_count(struct answer *a, const char *label, uint64_t v);
void answer_real(struct answer *a, const char *label, double v, int decimals);

/* Print the 2x2 table of a pair; in TSV and JSON, only the cells that
 * struct cooc_pair does not contain. */
void answer_square(struct answer *a, const struct cooc_pair *p);

/* Begin a list with these columns, add rows, end the list.  label is NULL if
 * the answer has no facts and no other lists. */
void answer_list(struct answer *a, const char *label,
                 const struct field *fields);
int answer_row(struct answer *a, const void *record, struct cooc_err *err);
int answer_values(struct answer *a, const struct value *values,
                  struct cooc_err *err);
int answer_list_end(struct answer *a, struct cooc_err *err);
/* Print a whole list of n records of size bytes each. */
int answer_rows(struct answer *a, const char *label,
                const struct field *fields, const void *records, size_t size,
                size_t n, struct cooc_err *err);

/* Print a note about the query to stderr. */
void answer_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Internal: set the columns of the current list; print one value; print a
 * label as a TSV or JSON key; print a label as a JSON member. */
void answer_columns(struct answer *a, const struct field *fields);
void out_value(const struct answer *a, FILE *to, const struct value *v,
               int decimals);
void out_key(FILE *to, const char *label);
void out_member(FILE *to, bool first, const char *label);
void out_release_list(struct answer *a);

#endif
