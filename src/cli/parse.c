/* parse.c - parse the options of a command with its option table. */
#include "cli/parse.h"

#include <string.h>

#include "base/err.h"
#include "base/suggest.h"
#include "cli/program.h"

static int unknown(const struct opt *table, const char *arg,
                   struct cooc_err *err)
{
    char word[SUGGEST_LEN + 1] = "";
    size_t len = strcspn(arg, "=");
    struct opt_iter it = OPT_ITER(table);
    const struct opt *o;
    struct suggest near;

    if (!strncmp(arg, "--", 2) && len - 2 <= SUGGEST_LEN)
        memcpy(word, arg + 2, len - 2);
    suggest_init(&near, word);
    while ((o = opt_next(&it)) != NULL)
        if (o->kind != OPT_KIND_TITLE)
            suggest_try(&near, o->name);
    if (near.best)
        return err_set(err, COOC_EINVAL,
                       "unknown option '%.*s'; did you mean '--%s'?",
                       (int)len, arg, near.best);
    return err_set(err, COOC_EINVAL, "unknown option '%.*s'", (int)len, arg);
}

static bool is_help(const char *arg)
{
    return !strcmp(arg, "--help") || !strcmp(arg, "-h");
}

/* Parse the option at argv[*i] and its value, and advance *i to the value if
 * that is a separate argument. */
static int take(int argc, char **argv, int *i, const struct opt *table,
                void *args, struct cooc_err *err)
{
    const char *arg = argv[*i], *value = NULL;
    const struct opt *o;
    size_t at;

    if (arg[1] == '-') {
        size_t len = strcspn(arg + 2, "=");

        o = opt_find(table, arg + 2, len, 0, &at);
        if (arg[2 + len] == '=')
            value = arg + 2 + len + 1;
    } else {
        o = opt_find(table, NULL, 0, arg[1], &at);
        if (arg[2])
            value = arg + 2;
    }
    if (!o)
        return unknown(table, arg, err);
    if (o->kind == OPT_KIND_FLAG && value)
        return err_set(err, COOC_EINVAL,
                       "--%s does not take a value, but has '%s'", o->name,
                       arg);
    if (o->kind != OPT_KIND_FLAG && !value) {
        if (*i + 1 >= argc)
            return err_set(err, COOC_EINVAL, "--%s requires a value: %s",
                           o->name, o->arg);
        value = argv[++*i];
    }
    return opt_set(o, (char *)args + at, value, err);
}

static int check_arguments(int n, const struct usage *u, struct cooc_err *err)
{
    int first_line = (int)strcspn(u->args, "\n");

    if (n < u->min && n == 0)
        return err_set(err, COOC_EINVAL,
                       "missing argument; usage: %s %s %.*s", program.usage,
                       u->name, first_line, u->args);
    if (n < u->min || (u->max >= 0 && n > u->max))
        return err_set(err, COOC_EINVAL,
                       "too %s arguments; usage: %s %s %.*s",
                       n < u->min ? "few" : "many", program.usage, u->name,
                       first_line, u->args);
    return 0;
}

int parse(int *argc, char **argv, const struct usage *usage,
          const struct opt *table, void *args, struct cooc_err *err)
{
    int n = 0, rc;

    for (int i = 0; i < *argc; i++) {
        if (argv[i][0] != '-' || !argv[i][1]) { /* "-" is standard input */
            argv[n++] = argv[i];
            continue;
        }
        if (!strcmp(argv[i], "--")) {
            while (++i < *argc)
                argv[n++] = argv[i];
            break;
        }
        if (is_help(argv[i]))
            return 1;
        rc = take(*argc, argv, &i, table, args, err);
        if (rc < 0)
            return rc;
    }
    *argc = n;
    return check_arguments(n, usage, err);
}
