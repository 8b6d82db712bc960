/* answer.h - results: records, the fields in them, and what receives them.
 *
 * A result is facts, or a list, or facts followed by lists.  A record is any
 * struct; a static const table of fields says what in it is shown, under which
 * label.  It is written in the form that its reader wants:
 *
 *     a person at a terminal   aligned columns, thousands separators
 *     a program in a pipe      TSV with a header line
 *     --json                   an object; for a list, an object a line
 *
 *     answer_init(&a, stdout, out_form(json));
 *     answer_count(&a, "documents", 3);
 *     answer_rows(&a, "terms", fields, records, sizeof *records, n, err);
 *     answer_finish(&a);
 *
 * Errors     Those of writing stay in the file; main finds those of stdout.
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
    FIELD_KIND_TERM,     /* uint32_t id: its name */
    FIELD_KIND_DF,       /* uint32_t id of a term: its df */
    FIELD_KIND_DOCUMENT, /* uint32_t id: its name */
    FIELD_KIND_U32,
    FIELD_KIND_U64,
    FIELD_KIND_REAL,
    FIELD_KIND_POWER,    /* double x: 10 to the x, however small */
    FIELD_KIND_BOOL,
};

struct field {
    enum field_kind kind;
    const char *label; /* programs see '_' instead of blanks */
    size_t offset;     /* in the record */
    int decimals;      /* of a real, to a person */
    bool unless_zero;  /* left out of facts if it is 0 */
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
#define FIELD_LOSS(s, m, l) { COUNT_OF(s, m, l), .unless_zero = true }

/* One value of a result. */
enum value_kind { VALUE_TEXT, VALUE_COUNT, VALUE_REAL, VALUE_POWER,
                  VALUE_BOOL };

struct value {
    enum value_kind kind;
    struct text_span text;
    uint64_t count;
    double real;
    bool yes;
};

/* ---- answers ------------------------------------------------------------ */

enum { FIELDS_MAX = 64 }; /* of one record */
enum out_form { OUT_HUMAN, OUT_TSV, OUT_JSON };
enum { OUT_ROWS = 256 };

struct answer {
    FILE *to;
    enum out_form form;
    struct cooc *db; /* for the names of terms and documents, or NULL */
    bool stems;      /* terms are shown as stems instead of words */
    bool open;       /* there are facts */

    /* The list at hand; rows wait for their widths in the human form. */
    const struct field *fields;
    size_t n_fields;
    size_t n_rows;
    bool started;
    struct list_buffer *buffer;

    /* Long work begins; rows: some are handed out meanwhile.  The hooks that
     * come back may be NULL.  Then what became of it, and what to return. */
    struct cooc_watch (*start)(struct answer *a, bool rows);
    int (*finish)(struct answer *a, int rc, struct cooc_err *err);
};

void answer_init(struct answer *a, FILE *to, enum out_form form);

/* The form that suits stdout. */
enum out_form out_form(bool json);

/* End the facts and free what an unfinished list holds. */
void answer_finish(struct answer *a);

/* The name of a term, as the answer shows it. */
int answer_name(const struct answer *a, uint32_t term, struct text_span *name,
                struct cooc_err *err);

/* Append more to fields, which FIELD_END ends. */
void fields_add(struct field fields[FIELDS_MAX], const struct field *more);

/* The fields of one record as facts; nothing is written on failure. */
int answer_facts(struct answer *a, const struct field *fields,
                 const void *record, struct cooc_err *err);
void answer_text(struct answer *a, const char *label, const char *text);
void answer_count(struct answer *a, const char *label, uint64_t v);
void answer_real(struct answer *a, const char *label, double v, int decimals);

/* The cells of the 2x2 table of a pair that are not in the pair itself. */
void answer_square(struct answer *a, const struct cooc_pair *p);

/* A list with these columns; its rows; its end.  label is NULL if the answer is
 * this list alone. */
void answer_list(struct answer *a, const char *label,
                 const struct field *fields);
int answer_row(struct answer *a, const void *record, struct cooc_err *err);
int answer_values(struct answer *a, const struct value *values,
                  struct cooc_err *err);
int answer_list_end(struct answer *a, struct cooc_err *err);
/* All of it: n records of size bytes each. */
int answer_rows(struct answer *a, const char *label,
                const struct field *fields, const void *records, size_t size,
                size_t n, struct cooc_err *err);

/* A sentence about the question, apart from the answer: to stderr. */
void answer_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Inside: the columns of the list at hand; one value; a label as programs read
 * it, alone or in an object. */
void answer_columns(struct answer *a, const struct field *fields);
void out_value(const struct answer *a, FILE *to, const struct value *v,
               int decimals);
void out_key(FILE *to, const char *label);
void out_member(FILE *to, bool first, const char *label);
void out_release_list(struct answer *a);

#endif
