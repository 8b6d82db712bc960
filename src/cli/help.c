/* help.c - print the help of a command from its option table. */
#include <stdlib.h>
#include <string.h>

#include "ask/display.h"
#include "cli/parse.h"
#include "cli/program.h"

enum { WIDTH = 80, INDENT = 26 };

/* Blanks do not break, because a default that is split over two lines is hard
 * to find. */
static void print_default(FILE *to, const char *text)
{
    fprintf(to, " (default:%c", DISPLAY_NO_BREAK);
    for (; *text; text++)
        putc(*text == ' ' ? DISPLAY_NO_BREAK : *text, to);
    putc(')', to);
}

static void print_option(FILE *to, const struct opt *o, const void *preset)
{
    char left[80], number[NUMBER_MAX], choices[300], *text = NULL;
    const char *usual = opt_text(o, preset, number);
    size_t len = 0, at;
    FILE *f = open_memstream(&text, &len);

    if (!f)
        return;
    opt_choices(o, choices, sizeof choices);
    fprintf(f, "%s%s%s", o->help, *choices ? ": " : "", choices);
    if (*usual)
        print_default(f, usual);
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
        display_wrap(to, text, INDENT, INDENT, WIDTH);
    }
    free(text);
}

static void print_options(FILE *to, const struct opt *table,
                          const char *defaults)
{
    struct opt_iter it = OPT_ITER(table);
    bool started = false;

    for (const struct opt *o; (o = opt_next(&it)) != NULL; started = true) {
        bool title = o->kind == OPT_KIND_TITLE;

        if (title || !started)
            fprintf(to, "\n%s:\n", title ? o->name : "Options");
        if (!title)
            print_option(to, o, defaults + it.offset);
    }
}

static void print_lines(FILE *to, const char *lead, const char *lines)
{
    while (*lines) {
        size_t len = strcspn(lines, "\n");

        fprintf(to, "%s%.*s\n", lead, (int)len, lines);
        lines += len + (lines[len] == '\n');
    }
}

void help_print(FILE *to, const struct usage *usage, const struct opt *table,
                const void *defaults)
{
    static const struct opt help = { .kind = OPT_KIND_FLAG, .letter = 'h',
                                     .name = "help",
                                     .help = "show this help" };
    char lead[40];

    fprintf(to, "%s %s - %s\n\nUsage:\n", program.name, usage->name,
            usage->summary);
    snprintf(lead, sizeof lead, "  %s %s ", program.usage, usage->name);
    print_lines(to, lead, usage->args);
    if (usage->details) {
        putc('\n', to);
        display_wrap(to, usage->details, 0, 0, WIDTH);
    }
    print_options(to, table, defaults);
    print_option(to, &help, &(bool){ false });
    if (usage->output) {
        fputs("\nOutput:\n  ", to);
        display_wrap(to, usage->output, 2, 2, WIDTH);
    }
    fprintf(to, "\nExamples:\n");
    print_lines(to, "  ", usage->examples);
}
