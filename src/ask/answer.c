/* answer.c - records become values, and values go to the form. */
#include "ask/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(s, n) (struct value){ VALUE_TEXT, .text = { (s), (n) } }
#define COUNT(v) (struct value){ VALUE_COUNT, .count = (v) }
#define REAL(v) (struct value){ VALUE_REAL, .real = (v) }

int answer_name(const struct answer *a, uint32_t term, struct bytes_of *name,
                struct cooc_err *err)
{
    return (a->stems ? cooc_term_stem : cooc_term_name)(
        a->db, term, &name->text, &name->len, err);
}

/* Sets the members of *v that its kind has: this is called for every cell of
 * long lists. */
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
        v->text = (struct bytes_of){ at, strlen(at) };
        break;
    case FIELD_KIND_BYTES:
        v->text = *(const struct bytes_of *)at;
        break;
    case FIELD_KIND_U32:
    case FIELD_KIND_U64:
        v->kind = VALUE_COUNT;
        v->count = f->kind == FIELD_KIND_U32 ? *(const uint32_t *)at
                                             : *(const uint64_t *)at;
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

static void set_fields(struct answer *a, const struct field *fields)
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

int answer_facts(struct answer *a, const struct field *fields,
                 const void *record, struct cooc_err *err)
{
    struct value values[FIELDS_MAX];
    int rc;

    set_fields(a, fields);
    rc = values_of(a, record, values, err);
    for (size_t i = 0; i < a->n_fields && rc == 0; i++)
        if (!fields[i].unless_zero || values[i].count)
            a->form->fact(a, &fields[i], &values[i]);
    return rc;
}

static void fact(struct answer *a, const char *label, int decimals,
                 const struct value *v)
{
    a->form->fact(a, &(struct field){ .label = label, .decimals = decimals },
                  v);
}

void answer_text(struct answer *a, const char *label, const char *text)
{
    fact(a, label, 0, &TEXT(text, strlen(text)));
}

void answer_count(struct answer *a, const char *label, uint64_t v)
{
    fact(a, label, 0, &COUNT(v));
}

void answer_real(struct answer *a, const char *label, double v, int decimals)
{
    fact(a, label, decimals, &REAL(v));
}

void answer_square(struct answer *a, const struct cooc_pair *p)
{
    uint64_t only_x = p->fx - p->count, only_y = p->fy - p->count;

    if (a->form->square && a->form->square(a, p))
        return;
    answer_count(a, "only1", only_x);
    answer_count(a, "only2", only_y);
    answer_count(a, "neither", p->total - p->fx - only_y);
}

void answer_list(struct answer *a, const char *label,
                 const struct field *fields)
{
    set_fields(a, fields);
    a->form->list(a, label);
}

int answer_row(struct answer *a, const void *record, struct cooc_err *err)
{
    struct value values[FIELDS_MAX];
    int rc = values_of(a, record, values, err);

    return rc < 0 ? rc : a->form->row(a, values, err);
}

int answer_list_end(struct answer *a, struct cooc_err *err)
{
    return a->form->list_end(a, err);
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

void answer_note(struct answer *a, const char *fmt, ...)
{
    char *text;
    va_list args;

    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) >= 0) {
        a->form->note(a, text);
        free(text);
    }
    va_end(args);
}
