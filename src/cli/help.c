/* help.c - a command's help, made from its option table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/opt.h"
#include "cli/text.h"

enum { WIDTH = 80, INDENT = 26 };

/* The variable's value, or the table's words for none; "" if it says
 * nothing. */
static const char *default_text(const struct opt *o, char buf[NUMBER_MAX])
{
    bool zero = false;

    switch (o->kind) {
    case OPT_KIND_U32:
        zero = !*o->to.u32;
        snprintf(buf, NUMBER_MAX, "%u", (unsigned)*o->to.u32);
        break;
    case OPT_KIND_U64:
        zero = !*o->to.u64;
        snprintf(buf, NUMBER_MAX, "%llu", (unsigned long long)*o->to.u64);
        break;
    case OPT_KIND_SIZE:
        zero = !*o->to.u64;
        format_size(buf, *o->to.u64);
        break;
    case OPT_KIND_SHARE:
        zero = !o->to.share->count && !(o->to.share->part > 0);
        if (o->to.share->part > 0)
            snprintf(buf, NUMBER_MAX, "%g%%", o->to.share->part * 100);
        else
            snprintf(buf, NUMBER_MAX, "%llu",
                     (unsigned long long)o->to.share->count);
        break;
    case OPT_KIND_REAL:
        zero = isnan(*o->to.real);
        format_exact(buf, *o->to.real);
        break;
    case OPT_KIND_TEXT:
    case OPT_KIND_NAME:
        if (*o->to.text)
            return *o->to.text;
        return o->unset ? o->unset : "";
    default:
        return "";
    }
    return zero && o->unset ? o->unset : buf;
}

/* In one piece: a default broken in two is hard to find. */
static void print_default(FILE *to, const char *text)
{
    fprintf(to, " (default:%c", TEXT_GLUE);
    for (; *text; text++)
        putc(*text == ' ' ? TEXT_GLUE : *text, to);
    putc(')', to);
}

static void print_names(FILE *to, const char *const *names)
{
    for (; *names; names++)
        fprintf(to, "%s%s", *names, !names[1] ? "" : names[2] ? ", " : " or ");
}

static void print_option(FILE *to, const struct opt *o)
{
    char left[80], number[NUMBER_MAX], *text = NULL;
    const char *preset = default_text(o, number);
    size_t len = 0, at;
    FILE *f = open_memstream(&text, &len);

    if (!f)
        return;
    fputs(o->help, f);
    if (o->names) {
        fputs(": ", f);
        print_names(f, o->names);
    }
    if (*preset)
        print_default(f, preset);
    if (fclose(f) == 0) {
        snprintf(left, sizeof left, "  %c%c%s--%s%s%s",
                 o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
                 o->letter ? ", " : "  ", o->name, o->arg ? " " : "",
                 o->arg ? o->arg : "");
        at = strlen(left);
        fputs(left, to);
        if (at + 2 > INDENT)
            fprintf(to, "\n%*s", INDENT, "");
        else
            fprintf(to, "%*s", (int)(INDENT - at), "");
        text_wrap(to, text, INDENT, INDENT, WIDTH);
    }
    free(text);
}

static void print_table(FILE *to, const struct opt *opts)
{
    for (const struct opt *o = opts; o->kind != OPT_KIND_END; o++)
        if (o->kind == OPT_KIND_TABLE)
            print_table(to, o->to.table);
        else if (o->kind == OPT_KIND_TITLE)
            fprintf(to, "\n%s:\n", o->name);
        else
            print_option(to, o);
}

static void print_lines(FILE *to, const char *lead, const char *lines)
{
    while (*lines) {
        size_t len = strcspn(lines, "\n");

        fprintf(to, "%s%.*s\n", lead, (int)len, lines);
        lines += len + (lines[len] == '\n');
    }
}

void help_print(FILE *to, const struct cmd *cmd, const struct opt *opts)
{
    const struct opt *first = opts;
    char lead[40];

    while (first->kind == OPT_KIND_TABLE)
        first = first->to.table;
    fprintf(to, "cooc %s - %s\n\nUsage:\n", cmd->name, cmd->summary);
    snprintf(lead, sizeof lead, "  cooc %s ", cmd->name);
    print_lines(to, lead, cmd->args);
    if (cmd->details) {
        putc('\n', to);
        text_wrap(to, cmd->details, 0, 0, WIDTH);
    }
    if (first->kind != OPT_KIND_TITLE)
        fprintf(to, "\nOptions:\n");
    print_table(to, opts);
    print_option(to, &(const struct opt)OPT_FLAG('h', "help", NULL,
                                                 "show this help"));
    if (cmd->examples) {
        fprintf(to, "\nExamples:\n");
        print_lines(to, "  ", cmd->examples);
    }
}
