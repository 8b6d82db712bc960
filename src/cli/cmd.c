/* cmd.c - run a command: its arguments, then the job or the question. */
#include "cli/cmd.h"

#include <string.h>

#include "ask/words.h"
#include "base/err.h"
#include "base/mem.h"
#include "cli/parse.h"
#include "cli/question.h"

/* Of all arguments the form comes first, then those of the command. */
enum { ARGS_AT = sizeof(max_align_t) };
_Static_assert(sizeof(struct form_args) <= ARGS_AT, "it overlaps");

static const struct opt no_options[] = { OPT_END };
static const struct opt stems_options[] = {
    OPT_STEMS(struct form_args, stems), OPT_END
};
static const struct opt list_options[] = {
    OPT_FLAG(struct form_args, json, 0, "json", JSON_LINES), OPT_END
};
static const struct opt fact_options[] = {
    OPT_FLAG(struct form_args, json, 0, "json", "print one JSON object"),
    OPT_END
};

static const struct opt *form_options(const struct cmd *cmd)
{
    if (cmd->job)
        return no_options;
    if (cmd->printer && cmd->printer->options)
        return cmd->printer->options;
    return cmd->question->facts ? fact_options : list_options;
}

static void set_defaults(const struct usage *u, char *args)
{
    memset(args, 0, ARGS_AT + u->size);
    if (u->init)
        u->init(args + ARGS_AT);
    else if (u->defaults)
        memcpy(args + ARGS_AT, u->defaults, u->size);
}

int cmd_run(const struct cmd *cmd, int argc, char **argv,
            struct cooc_err *err)
{
    const struct usage *u = cmd_usage(cmd);
    const struct opt table[] = {
        { .kind = OPT_KIND_TABLE, .offset = ARGS_AT,
          .table = u->options ? u->options : no_options },
        { .kind = OPT_KIND_TABLE,
          .table = cmd->question && cmd->question->stems ? stems_options
                                                         : no_options },
        { .kind = OPT_KIND_TABLE, .table = form_options(cmd) },
        OPT_END
    };
    char *args = mem_array(1, ARGS_AT + u->size);
    int rc;

    if (!args)
        return err_nomem(err);
    set_defaults(u, args);
    rc = parse(&argc, argv, u, table, args, err);
    if (rc > 0) {
        set_defaults(u, args);
        help_print(stdout, u, table, args);
    } else if (rc == 0 && cmd->job) {
        rc = cmd->job->run(args + ARGS_AT, argc, argv, err);
    } else if (rc == 0) {
        rc = question_run(cmd, (const struct form_args *)args, args + ARGS_AT,
                          argc, argv, err);
    }
    mem_free(args);
    return rc;
}
