/* answer.c - turn records into values, and print facts. */
#include "ask/answer.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/display.h"
#include "base/decimal.h"

enum { LABEL_WIDTH = 28, VALUE_WIDTH = 18 };

int answer_name(const struct answer *a, uint32_t term, struct text_span *name,
                struct cooc_err *err)
{
    return (a->stems ? cooc_term_stem : cooc_term_name)(
        a->db, term, &name->text, &name->len, err);
}

/* Set only the members of *v that its kind uses, because this is called for
 * every cell of long lists. */
static int value_of(const struct answer *a, const struct field *f,
                    const void *record, struct value *v,
                    struct cooc_err *err)
{
    const void *at = (const char *)record + f->offset;
    const uint32_t *id = at;

    v->kind = VALUE_TEXT;
    switch (f->kind) {
    case FIELD_KIND_TERM:
        return answer_name(a, *id, &v->text, err);
    case FIELD_KIND_DOCUMENT:
        return cooc_document_name(a->db, *id, &v->text.text, &v->text.len, err);
    case FIELD_KIND_DF:
        v->kind = VALUE_COUNT;
        return cooc_term_df(a->db, *id, &v->count, err);
    case FIELD_KIND_TEXT:
        v->text.text = *(const char *const *)at;
        v->text.len = strlen(v->text.text);
        break;
    case FIELD_KIND_CHARS:
        v->text = (struct text_span){ at, strlen(at) };
        break;
    case FIELD_KIND_BYTES:
        v->text = *(const struct text_span *)at;
        break;
    case FIELD_KIND_U32:
    case FIELD_KIND_U64:
        v->kind = VALUE_COUNT;
        v->count = f->kind == FIELD_KIND_U32 ? *(const uint32_t *)at
                                             : *(const uint64_t *)at;
        break;
    case FIELD_KIND_ID:
        v->kind = VALUE_ID;
        v->count = *(const uint64_t *)at;
        break;
    case FIELD_KIND_REAL:
    case FIELD_KIND_POWER:
        v->kind = f->kind == FIELD_KIND_REAL ? VALUE_REAL : VALUE_POWER;
        v->real = *(const double *)at;
        break;
    case FIELD_KIND_BOOL:
        v->kind = VALUE_BOOL;
        v->yes = *(const bool *)at;
        break;
    case FIELD_KIND_END:
        break;
    }
    return 0;
}

static int values_of(struct answer *a, const void *record,
                     struct value values[FIELDS_MAX], struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < a->n_fields && rc == 0; i++)
        rc = value_of(a, &a->fields[i], record, &values[i], err);
    return rc;
}

void answer_columns(struct answer *a, const struct field *fields)
{
    a->fields = fields;
    a->n_fields = 0;
    while (fields[a->n_fields].kind != FIELD_KIND_END)
        a->n_fields++;
}

void fields_add(struct field fields[FIELDS_MAX], const struct field *more)
{
    while (fields->kind != FIELD_KIND_END)
        fields++;
    while ((*fields++ = *more++).kind != FIELD_KIND_END)
        ;
}

void answer_init(struct answer *a, FILE *to, enum out_form form)
{
    *a = (struct answer){ .to = to, .form = form };
}

enum out_form out_form(bool json)
{
    if (json)
        return OUT_JSON;
    return isatty(STDOUT_FILENO) ? OUT_HUMAN : OUT_TSV;
}

void out_key(FILE *to, const char *label)
{
    for (; *label; label++)
        putc(*label == ' ' ? '_' : *label, to);
}

void out_member(FILE *to, bool first, const char *label)
{
    fputs(first ? "\"" : ", \"", to);
    out_key(to, label);
    fputs("\": ", to);
}

void out_value(const struct answer *a, FILE *to, const struct value *v,
               int decimals)
{
    bool human = a->form == OUT_HUMAN, json = a->form == OUT_JSON;
    char buf[NUMBER_MAX];

    switch (v->kind) {
    case VALUE_TEXT:
        (human  ? display_terminal
         : json ? display_json
                : display_tsv)(to, v->text.text, v->text.len);
        break;
    case VALUE_COUNT:
        if (human)
            fputs(format_count(buf, v->count), to);
        else
            fwrite(buf, 1, decimal_u64(buf, v->count), to);
        break;
    case VALUE_ID:
        if (!human || v->count)
            fwrite(buf, 1, decimal_u64(buf, v->count), to);
        break;
    case VALUE_REAL:
        if (json && !isfinite(v->real))
            fputs("null", to);
        else
            fputs(human ? format_real(buf, v->real, decimals)
                        : format_exact(buf, v->real), to);
        break;
    case VALUE_BOOL:
        fputs(human ? v->yes ? "yes" : "no" : v->yes ? "true" : "false", to);
        break;
    case VALUE_POWER:
        fputs(format_power(buf, v->real, human ? 3 : 10), to);
        break;
    }
}

void answer_finish(struct answer *a)
{
    if (a->open && a->form == OUT_JSON)
        fputs("}\n", a->to);
    a->open = false;
    out_release_list(a);
}

/* Right-align numbers, and text that fits into the column. */
static void human_fact(struct answer *a, const char *label, int decimals,
                       const struct value *v)
{
    char *text = NULL;
    size_t len = 0, columns;
    FILE *f = open_memstream(&text, &len);

    fprintf(a->to, "%-*s", LABEL_WIDTH, label);
    if (f) {
        out_value(a, f, v, decimals);
        columns = fclose(f) ? 0 : display_width(text, len);
        if (columns < VALUE_WIDTH)
            fprintf(a->to, "%*s", (int)(VALUE_WIDTH - columns), "");
        free(text);
    }
    out_value(a, a->to, v, decimals);
    putc('\n', a->to);
}

static void fact(struct answer *a, const char *label, int decimals,
                 const struct value *v)
{
    bool first = !a->open;

    a->open = true;
    if (a->form == OUT_HUMAN) {
        human_fact(a, label, decimals, v);
        return;
    }
    if (first)
        fputs(a->form == OUT_JSON ? "{" : "field\tvalue\n", a->to);
    if (a->form == OUT_JSON) {
        out_member(a->to, first, label);
    } else {
        out_key(a->to, label);
        putc('\t', a->to);
    }
    out_value(a, a->to, v, 0);
    if (a->form == OUT_TSV)
        putc('\n', a->to);
}

int answer_facts(struct answer *a, const struct field *fields,
                 const void *record, struct cooc_err *err)
{
    struct value values[FIELDS_MAX];
    int rc;

    answer_columns(a, fields);
    rc = values_of(a, record, values, err);
    for (size_t i = 0; i < a->n_fields && rc == 0; i++)
        if (!fields[i].unless_zero || values[i].count)
            fact(a, fields[i].label, fields[i].decimals, &values[i]);
    return rc;
}

void answer_text(struct answer *a, const char *label, const char *text)
{
    fact(a, label, 0, &(struct value){ VALUE_TEXT,
                                       .text = { text, strlen(text) } });
}

void answer_count(struct answer *a, const char *label, uint64_t v)
{
    fact(a, label, 0, &(struct value){ VALUE_COUNT, .count = v });
}

void answer_real(struct answer *a, const char *label, double v, int decimals)
{
    fact(a, label, decimals, &(struct value){ VALUE_REAL, .real = v });
}

static void square_line(FILE *to, const char *label, uint64_t a, uint64_t b)
{
    char buf[3][NUMBER_MAX];

    fprintf(to, "%-28s%18s%16s%16s\n", label, format_count(buf[0], a),
            format_count(buf[1], b), format_count(buf[2], a + b));
}

void answer_square(struct answer *a, const struct cooc_pair *p)
{
    uint64_t only_x = p->fx - p->count, only_y = p->fy - p->count;
    uint64_t neither = p->total - p->fx - only_y;

    if (a->form != OUT_HUMAN) {
        answer_count(a, "only1", only_x);
        answer_count(a, "only2", only_y);
        answer_count(a, "neither", neither);
        return;
    }
    fprintf(a->to, "\n%-28s%18s%16s%16s\n", "documents with", "term2",
            "not term2", "all");
    square_line(a->to, "term1", p->count, only_x);
    square_line(a->to, "not term1", only_y, neither);
    square_line(a->to, "all", p->fy, p->total - p->fy);
    putc('\n', a->to);
}

int answer_row(struct answer *a, const void *record, struct cooc_err *err)
{
    struct value values[FIELDS_MAX];
    int rc = values_of(a, record, values, err);

    return rc < 0 ? rc : answer_values(a, values, err);
}

int answer_rows(struct answer *a, const char *label,
                const struct field *fields, const void *records, size_t size,
                size_t n, struct cooc_err *err)
{
    int rc = 0;

    answer_list(a, label, fields);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = answer_row(a, (const char *)records + i * size, err);
    return rc < 0 ? rc : answer_list_end(a, err);
}

void answer_note(const char *fmt, ...)
{
    char *text;
    va_list args;

    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) >= 0) {
        fputs("cooc: ", stderr);
        display_terminal(stderr, text, strlen(text));
        putc('\n', stderr);
        free(text);
    }
    va_end(args);
}
