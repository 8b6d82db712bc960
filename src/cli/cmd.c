/* cmd.c - run a command: parse its options, then run the job or the query. */
#include "cli/cmd.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/term_args.h"
#include "base/err.h"
#include "base/mem.h"
#include "cli/job_args.h"
#include "cli/parse.h"
#include "cli/progress.h"
#include "cooc_build.h"

/* ---- questions ---------------------------------------------------------- */

struct answer_progress {
    struct answer answer; /* first, so that a pointer to it can be cast */
    struct progress progress;
    bool watched;
};

/* Progress is shown only if no rows are written to the terminal at the same
 * time. */
static struct cooc_watch start(struct answer *a, bool rows)
{
    struct answer_progress *self = (struct answer_progress *)a;
    struct stat to;

    self->watched = !rows || (fstat(STDOUT_FILENO, &to) == 0 &&
                              S_ISREG(to.st_mode));
    if (!self->watched)
        return (struct cooc_watch)COOC_WATCH;
    return progress_start(&self->progress, false);
}

static int finish(struct answer *a, int rc, struct cooc_err *err)
{
    struct answer_progress *self = (struct answer_progress *)a;

    return self->watched ? progress_answered(&self->progress, rc, err)
                         : rc;
}

static int ask_and_print(const struct cmd *cmd, const struct output_args *form,
                         const void *args, int argc, char **argv,
                         struct cooc_err *err)
{
    static const struct printer usual = { 0 };
    const struct printer *p = cmd->printer ? cmd->printer : &usual;
    const struct question *q = cmd->question;
    const struct request request = { args, (size_t)(argc - !q->storeless),
                                     argv + !q->storeless };
    struct answer_progress self;
    struct answer *a = &self.answer;
    bool done = false;
    int rc = q->check ? q->check(&request, err) : 0;

    if (rc == 0 && p->check)
        rc = p->check(form, args, err);
    if (rc < 0)
        return rc;
    answer_init(a, stdout, out_form(form->json));
    a->start = start;
    a->finish = finish;
    if (!q->storeless)
        rc = cooc_open(&a->db, argv[0], err);
    if (rc == 0 && q->stems)
        a->stems = form->stems;
    if (rc == 0 && p->print)
        rc = p->print(a, &request, form, &done, err);
    if (rc == 0 && !done)
        rc = q->ask(a, &request, err);
    answer_finish(a);
    cooc_close(a->db);
    return hint_count(rc, argv[0], err);
}

/* ---- all commands ------------------------------------------------------- */

/* The arguments are one block: struct output_args, then, at ARGS_AT, the
 * argument struct of the command. */
enum { ARGS_AT = sizeof(max_align_t) };
_Static_assert(sizeof(struct output_args) <= ARGS_AT, "it overlaps");

static const struct opt stems_options[] = {
    OPT_STEMS(struct output_args, stems), OPT_END
};
static const struct opt list_options[] = {
    OPT_FLAG(struct output_args, json, 0, "json", JSON_LINES), OPT_END
};
static const struct opt fact_options[] = {
    OPT_FLAG(struct output_args, json, 0, "json", "print one JSON object"),
    OPT_END
};

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
    const struct question *q = cmd->question;
    const struct usage *u = cmd_usage(cmd);
    const struct opt table[] = {
        { .kind = OPT_KIND_TABLE, .offset = ARGS_AT, .table = u->options },
        { .kind = OPT_KIND_TABLE,
          .table = q && q->stems ? stems_options : NULL },
        { .kind = OPT_KIND_TABLE,
          .table = !q ? NULL : q->facts ? fact_options : list_options },
        { .kind = OPT_KIND_TABLE,
          .table = cmd->printer ? cmd->printer->options : NULL },
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
        rc = ask_and_print(cmd, (const struct output_args *)args,
                           args + ARGS_AT, argc, argv, err);
    }
    mem_free(args);
    return rc;
}
