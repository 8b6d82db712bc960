/* opt.c - read a command's options by its table. */
#include "cli/opt.h"

#include <string.h>

#include "cli/fail.h"
#include "cli/nearest.h"

/* The option of that name (or, if name is NULL, that letter). */
static const struct opt *find(const struct opt *opts, const char *name,
                              size_t len, char letter)
{
    for (const struct opt *o = opts; o->kind != OPT_KIND_END; o++) {
        if (o->kind == OPT_KIND_TABLE) {
            const struct opt *inner = find(o->to.table, name, len, letter);

            if (inner)
                return inner;
        } else if (o->kind != OPT_KIND_TITLE) {
            if (name ? strlen(o->name) == len && !memcmp(o->name, name, len)
                     : o->letter == letter)
                return o;
        }
    }
    return NULL;
}

static void try_names(struct nearest *near, const struct opt *opts)
{
    for (const struct opt *o = opts; o->kind != OPT_KIND_END; o++)
        if (o->kind == OPT_KIND_TABLE)
            try_names(near, o->to.table);
        else if (o->kind != OPT_KIND_TITLE)
            nearest_try(near, o->name);
}

static int unknown(const struct opt *opts, const char *arg,
                   struct cooc_err *err)
{
    char word[NEAREST_LEN + 1] = "";
    size_t len = strcspn(arg, "=");
    struct nearest near;

    if (!strncmp(arg, "--", 2) && len - 2 <= NEAREST_LEN)
        memcpy(word, arg + 2, len - 2);
    nearest_init(&near, word);
    try_names(&near, opts);
    if (near.best)
        return fail(err, COOC_EINVAL,
                    "unknown option '%.*s'; did you mean '--%s'?", (int)len,
                    arg, near.best);
    return fail(err, COOC_EINVAL, "unknown option '%.*s'", (int)len, arg);
}

/* "a, b or c", cut to fit. */
static void join_names(char *to, size_t room, const char *const *names)
{
    size_t used = 0;

    *to = '\0';
    for (; *names && used < room; names++) {
        const char *between = !used ? "" : names[1] ? ", " : " or ";
        int n = snprintf(to + used, room - used, "%s%s", between, *names);

        if (n < 0)
            break;
        used += (size_t)n;
    }
}

static int set_name(const struct opt *o, const char *value,
                    struct cooc_err *err)
{
    struct nearest near;
    char all[300];

    nearest_init(&near, value);
    for (const char *const *name = o->names; *name; name++) {
        if (!strcmp(*name, value)) {
            *o->to.text = *name;
            return 0;
        }
        nearest_try(&near, *name);
    }
    join_names(all, sizeof all, o->names);
    if (near.best)
        return fail(err, COOC_EINVAL,
                    "--%s: unknown %s '%.80s'; did you mean '%s'? (%s)",
                    o->name, o->arg, value, near.best, all);
    return fail(err, COOC_EINVAL, "--%s: '%.80s' is not %s", o->name, value,
                all);
}

static int set(const struct opt *o, const char *value, struct cooc_err *err)
{
    const char *wanted = "";
    uint64_t v;
    bool ok = true;

    switch (o->kind) {
    case OPT_KIND_U32:
        wanted = "a number from 0 to 4294967295";
        ok = parse_u64(value, UINT32_MAX, &v);
        if (ok)
            *o->to.u32 = (uint32_t)v;
        break;
    case OPT_KIND_U64:
        wanted = "a number from 0 to 18446744073709551615";
        ok = parse_u64(value, UINT64_MAX, o->to.u64);
        break;
    case OPT_KIND_SIZE:
        wanted = "a size such as 512M or 8G";
        ok = parse_size(value, o->to.u64);
        break;
    case OPT_KIND_SHARE:
        wanted = "a number such as 1000 or a percentage above 0% and up "
                 "to 100%";
        ok = parse_share(value, o->to.share);
        break;
    case OPT_KIND_REAL:
        wanted = "a number such as 2, 0.5 or -1";
        ok = parse_real(value, o->to.real);
        break;
    case OPT_KIND_NAME:
        return set_name(o, value, err);
    case OPT_KIND_TEXT:
        if (!*value)
            return fail(err, COOC_EINVAL, "--%s: the value is empty",
                        o->name);
        *o->to.text = value;
        break;
    case OPT_KIND_FLAG:
    case OPT_KIND_END:
    case OPT_KIND_TITLE:
    case OPT_KIND_TABLE:
        break;
    }
    if (!ok)
        return fail(err, COOC_EINVAL, "--%s: '%.200s' is not %s", o->name,
                    value, wanted);
    return 0;
}

static bool is_help(const char *arg)
{
    return !strcmp(arg, "--help") || !strcmp(arg, "-h");
}

/* Take the option at argv[*i], and its value, moving *i to the last of
 * the two. */
static int take(int argc, char **argv, int *i, const struct opt *opts,
                struct cooc_err *err)
{
    const char *arg = argv[*i], *value = NULL;
    const struct opt *o;

    if (arg[1] == '-') {
        size_t len = strcspn(arg + 2, "=");

        o = find(opts, arg + 2, len, 0);
        if (arg[2 + len] == '=')
            value = arg + 2 + len + 1;
    } else {
        o = find(opts, NULL, 0, arg[1]);
        if (arg[2])
            value = arg + 2;
    }
    if (!o)
        return unknown(opts, arg, err);
    if (o->kind == OPT_KIND_FLAG) {
        if (value)
            return fail(err, COOC_EINVAL, "option --%s takes no value: '%s'",
                        o->name, arg);
        *o->to.flag = true;
        return 0;
    }
    if (!value) {
        if (*i + 1 >= argc)
            return fail(err, COOC_EINVAL, "option --%s needs a value: %s",
                        o->name, o->arg);
        value = argv[++*i];
    }
    return set(o, value, err);
}

static int check_arguments(int n, const struct cmd *cmd, int min, int max,
                           struct cooc_err *err)
{
    if (n < min && n == 0)
        return fail(err, COOC_EINVAL, "nothing named; type: cooc %s %.*s",
                    cmd->name, (int)strcspn(cmd->args, "\n"), cmd->args);
    if (n < min || (max >= 0 && n > max))
        return fail(err, COOC_EINVAL, "too %s arguments; type: cooc %s %.*s",
                    n < min ? "few" : "many", cmd->name,
                    (int)strcspn(cmd->args, "\n"), cmd->args);
    return 0;
}

int opt_parse(int *argc, char ***argv, const struct opt *opts,
              const struct cmd *cmd, int min, int max, struct cooc_err *err)
{
    char **args = *argv;
    int n = 0, rc;

    for (int i = 0; i < *argc; i++) {
        if (args[i][0] != '-' || !args[i][1]) { /* "-" is standard input */
            args[n++] = args[i];
            continue;
        }
        if (!strcmp(args[i], "--")) {
            while (++i < *argc)
                args[n++] = args[i];
            break;
        }
        if (is_help(args[i])) {
            help_print(stdout, cmd, opts);
            return 1;
        }
        rc = take(*argc, args, &i, opts, err);
        if (rc < 0)
            return rc;
    }
    *argc = n;
    return check_arguments(n, cmd, min, max, err);
}
