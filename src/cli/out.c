/* out.c - single results: facts, one after the other. */
#include "cli/out.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/number.h"
#include "cli/text.h"

enum { LABEL_WIDTH = 28, VALUE_WIDTH = 18 };

void out_init(struct out *o, FILE *to, enum out_form form)
{
    *o = (struct out){ .to = to, .form = form };
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

static void human_cell(FILE *to, const struct cell *c, int decimals)
{
    char buf[NUMBER_MAX];

    switch (c->kind) {
    case CELL_KIND_TEXT:
        text_terminal(to, c->text, c->len);
        break;
    case CELL_KIND_COUNT:
        fputs(format_count(buf, c->count), to);
        break;
    case CELL_KIND_REAL:
        fputs(format_real(buf, c->real, decimals), to);
        break;
    case CELL_KIND_BOOL:
        fputs(c->yes ? "yes" : "no", to);
        break;
    case CELL_KIND_POWER:
        fputs(format_power(buf, c->real, 3), to);
        break;
    }
}

static void program_cell(FILE *to, const struct cell *c, bool json)
{
    char buf[NUMBER_MAX];

    switch (c->kind) {
    case CELL_KIND_TEXT:
        (json ? text_json : text_tsv)(to, c->text, c->len);
        break;
    case CELL_KIND_COUNT:
        fprintf(to, "%" PRIu64, c->count);
        break;
    case CELL_KIND_REAL:
        if (json && !isfinite(c->real))
            fputs("null", to);
        else
            fputs(format_exact(buf, c->real), to);
        break;
    case CELL_KIND_BOOL:
        fputs(c->yes ? "true" : "false", to);
        break;
    case CELL_KIND_POWER:
        fputs(format_power(buf, c->real, 10), to);
        break;
    }
}

void out_cell(struct out *o, FILE *to, const struct cell *c, int decimals)
{
    if (o->form == OUT_HUMAN)
        human_cell(to, c, decimals);
    else
        program_cell(to, c, o->form == OUT_JSON);
}

void out_open(struct out *o)
{
    if (o->form == OUT_JSON)
        putc('{', o->to);
    else if (o->form == OUT_TSV)
        fputs("field\tvalue\n", o->to);
    o->open = true;
    o->comma = false;
}

void out_close(struct out *o)
{
    if (o->form == OUT_JSON)
        fputs("}\n", o->to);
    o->open = false;
}

/* Numbers to the right of their column; text too, while it fits. */
static void human_fact(struct out *o, const char *label,
                       const struct cell *c, int decimals)
{
    char *text = NULL;
    size_t len = 0, columns;
    FILE *f = open_memstream(&text, &len);

    fprintf(o->to, "%-*s", LABEL_WIDTH, label);
    if (f) {
        human_cell(f, c, decimals);
        columns = fclose(f) ? 0 : text_columns(text, len);
        if (columns < VALUE_WIDTH)
            fprintf(o->to, "%*s", (int)(VALUE_WIDTH - columns), "");
        free(text);
    }
    human_cell(o->to, c, decimals);
    putc('\n', o->to);
}

static void fact(struct out *o, const char *label, const struct cell *c,
                 int decimals)
{
    if (o->form == OUT_HUMAN) {
        human_fact(o, label, c, decimals);
    } else if (o->form == OUT_TSV) {
        out_key(o->to, label);
        putc('\t', o->to);
        program_cell(o->to, c, false);
        putc('\n', o->to);
    } else {
        fputs(o->comma ? ", \"" : "\"", o->to);
        out_key(o->to, label);
        fputs("\": ", o->to);
        program_cell(o->to, c, true);
        o->comma = true;
    }
}

void out_count(struct out *o, const char *label, uint64_t v)
{
    fact(o, label, &(const struct cell)CELL_COUNT(v), 0);
}

void out_real(struct out *o, const char *label, double v, int decimals)
{
    fact(o, label, &(const struct cell)CELL_REAL(v), decimals);
}

void out_bytes(struct out *o, const char *label, const char *s, size_t len)
{
    fact(o, label, &(const struct cell)CELL_TEXT(s, len), 0);
}

void out_text(struct out *o, const char *label, const char *s)
{
    out_bytes(o, label, s, strlen(s));
}
