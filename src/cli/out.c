/* out.c - values, and facts one after the other. */
#include "cli/out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/decimal.h"
#include "cli/text.h"

enum { LABEL_WIDTH = 28, VALUE_WIDTH = 18 };

void out_init(struct out *o, FILE *to, enum out_form form)
{
    static const struct answer_form facts_and_lists = {
        .fact = out_fact, .square = out_square, .list = out_list,
        .row = out_row, .list_end = out_list_end, .note = out_note,
    };

    *o = (struct out){ .answer.form = &facts_and_lists, .to = to,
                       .form = form };
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

void out_member(struct out *o, const char *label)
{
    fputs(o->comma ? ", \"" : "\"", o->to);
    out_key(o->to, label);
    fputs("\": ", o->to);
    o->comma = true;
}

void out_value(struct out *o, FILE *to, const struct value *v, int decimals)
{
    bool human = o->form == OUT_HUMAN, json = o->form == OUT_JSON;
    char buf[NUMBER_MAX];

    switch (v->kind) {
    case VALUE_TEXT:
        (human  ? text_terminal
         : json ? text_json
                : text_tsv)(to, v->text.text, v->text.len);
        break;
    case VALUE_COUNT:
        if (human)
            fputs(format_count(buf, v->count), to);
        else
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

void out_finish(struct out *o)
{
    if (o->open && o->form == OUT_JSON)
        fputs("}\n", o->to);
    o->open = false;
    out_release_list(o);
}

/* Numbers to the right of their column; text too, while it fits. */
static void human_fact(struct out *o, const char *label,
                       const struct value *v, int decimals)
{
    char *text = NULL;
    size_t len = 0, columns;
    FILE *f = open_memstream(&text, &len);

    fprintf(o->to, "%-*s", LABEL_WIDTH, label);
    if (f) {
        out_value(o, f, v, decimals);
        columns = fclose(f) ? 0 : text_columns(text, len);
        if (columns < VALUE_WIDTH)
            fprintf(o->to, "%*s", (int)(VALUE_WIDTH - columns), "");
        free(text);
    }
    out_value(o, o->to, v, decimals);
    putc('\n', o->to);
}

void out_fact(struct answer *a, const struct field *f, const struct value *v)
{
    struct out *o = (struct out *)a;

    if (!o->open && o->form != OUT_HUMAN)
        fputs(o->form == OUT_JSON ? "{" : "field\tvalue\n", o->to);
    o->open = true;
    if (o->form == OUT_HUMAN) {
        human_fact(o, f->label, v, f->decimals);
        return;
    }
    if (o->form == OUT_JSON) {
        out_member(o, f->label);
    } else {
        out_key(o->to, f->label);
        putc('\t', o->to);
    }
    out_value(o, o->to, v, 0);
    if (o->form == OUT_TSV)
        putc('\n', o->to);
}

/* ---- the table of a pair ------------------------------------------------ */

static void square_line(FILE *to, const char *label, uint64_t a, uint64_t b)
{
    char buf[3][NUMBER_MAX];

    fprintf(to, "%-28s%18s%16s%16s\n", label, format_count(buf[0], a),
            format_count(buf[1], b), format_count(buf[2], a + b));
}

bool out_square(struct answer *a, const struct cooc_pair *p)
{
    FILE *to = ((struct out *)a)->to;
    uint64_t only_x = p->fx - p->count, only_y = p->fy - p->count;

    if (((struct out *)a)->form != OUT_HUMAN)
        return false;
    fprintf(to, "\n%-28s%18s%16s%16s\n", "documents with", "term2",
            "not term2", "all");
    square_line(to, "term1", p->count, only_x);
    square_line(to, "not term1", only_y, p->total - p->fx - only_y);
    square_line(to, "all", p->fy, p->total - p->fy);
    putc('\n', to);
    return true;
}

void out_note(struct answer *a, const char *text)
{
    (void)a;
    fputs("cooc: ", stderr);
    text_terminal(stderr, text, strlen(text));
    putc('\n', stderr);
}
