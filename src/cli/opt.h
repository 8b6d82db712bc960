/* opt.h - option tables: the parser's rules and the help in one place.
 *
 * A command lists its options with the variables they set.  The help prints
 * each default by reading the variable, so it cannot say anything else than
 * what happens.  Options and arguments mix freely; "--" ends the options.
 *
 *     --name value   --name=value   -n value   -nvalue
 */
#ifndef COOC_CLI_OPT_H
#define COOC_CLI_OPT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/cmd.h"
#include "cli/number.h"

enum opt_kind {
    OPT_KIND_END,
    OPT_KIND_TITLE, /* a heading in the help */
    OPT_KIND_TABLE, /* another table, here */
    OPT_KIND_FLAG,
    OPT_KIND_U32,
    OPT_KIND_U64,
    OPT_KIND_SIZE,
    OPT_KIND_SHARE,
    OPT_KIND_REAL,
    OPT_KIND_TEXT,
    OPT_KIND_NAME, /* one of a list of names */
};

struct opt {
    enum opt_kind kind;
    char letter;      /* 0: none */
    const char *name; /* without its dashes; a title's text */
    union {
        bool *flag;
        uint32_t *u32;
        uint64_t *u64;
        struct share *share;
        double *real; /* NAN: unset */
        const char **text;
        const struct opt *table;
    } to;
    const char *arg;          /* what the help calls the value */
    const char *unset;        /* the help's words for a default 0 or NULL */
    const char *help;
    const char *const *names; /* NULL at the end */
};

#define OPT_END { .kind = OPT_KIND_END }
#define OPT_TITLE(t) { .kind = OPT_KIND_TITLE, .name = (t) }
#define OPT_TABLE(t) { .kind = OPT_KIND_TABLE, .to.table = (t) }
#define OPT_FLAG(c, n, v, h)                                                 \
    { .kind = OPT_KIND_FLAG, .letter = (c), .name = (n), .to.flag = (v),     \
      .help = (h) }
#define OPT_VALUE(k, field, c, n, v, a, u, h)                                \
    { .kind = (k), .letter = (c), .name = (n), .to.field = (v), .arg = (a),  \
      .unset = (u), .help = (h) }
#define OPT_U32(c, n, v, a, u, h)                                            \
    OPT_VALUE(OPT_KIND_U32, u32, c, n, v, a, u, h)
#define OPT_U64(c, n, v, a, u, h)                                            \
    OPT_VALUE(OPT_KIND_U64, u64, c, n, v, a, u, h)
#define OPT_SIZE(c, n, v, u, h)                                              \
    OPT_VALUE(OPT_KIND_SIZE, u64, c, n, v, "SIZE", u, h)
#define OPT_SHARE(c, n, v, u, h)                                             \
    OPT_VALUE(OPT_KIND_SHARE, share, c, n, v, "N|N%", u, h)
#define OPT_REAL(c, n, v, a, u, h)                                           \
    OPT_VALUE(OPT_KIND_REAL, real, c, n, v, a, u, h)
#define OPT_TEXT(c, n, v, a, u, h)                                           \
    OPT_VALUE(OPT_KIND_TEXT, text, c, n, v, a, u, h)
#define OPT_NAME(c, n, v, a, u, list, h)                                     \
    { .kind = OPT_KIND_NAME, .letter = (c), .name = (n), .to.text = (v),     \
      .arg = (a), .unset = (u), .help = (h), .names = (list) }

/* Set the variables and leave the arguments, from min to max of them (max
 * < 0: any number), in *argv.  1: --help was shown; COOC_EINVAL. */
int opt_parse(int *argc, char ***argv, const struct opt *opts,
              const struct cmd *cmd, int min, int max, struct cooc_err *err);

/* The command's help, 80 columns wide at most. */
void help_print(FILE *to, const struct cmd *cmd, const struct opt *opts);

#endif
