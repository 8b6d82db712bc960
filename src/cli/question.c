/* question.c - commands that are questions: ask, and print the answer. */
#include "cli/question.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/run_args.h"

struct asking {
    struct out out; /* comes first */
    struct progress progress;
    bool watched;
};

/* Progress is shown only if nothing else is written to the terminal
 * meanwhile. */
static struct cooc_watch start(struct answer *a, bool rows)
{
    struct asking *asking = (struct asking *)a;
    struct stat to;

    asking->watched = !rows || (fstat(STDOUT_FILENO, &to) == 0 &&
                                S_ISREG(to.st_mode));
    if (!asking->watched)
        return (struct cooc_watch){ 0 };
    progress_init(&asking->progress, false);
    return progress_watch(&asking->progress);
}

static int finish(struct answer *a, int rc, struct cooc_err *err)
{
    struct asking *asking = (struct asking *)a;

    return asking->watched ? progress_answered(&asking->progress, rc, err)
                           : rc;
}

static const struct answer_form form_of_questions = {
    .fact = out_fact, .square = out_square, .list = out_list, .row = out_row,
    .list_end = out_list_end, .note = out_note, .start = start,
    .finish = finish,
};

int question_run(const struct cmd *cmd, const struct form_args *form,
                 const void *args, int argc, char **argv,
                 struct cooc_err *err)
{
    static const struct printer usual = { 0 };
    const struct printer *p = cmd->printer ? cmd->printer : &usual;
    const struct question *q = cmd->question;
    const struct asked asked = { args, (size_t)(argc - !q->storeless),
                                 argv + !q->storeless };
    struct asking asking;
    struct answer *a = &asking.out.answer;
    bool done = false;
    int rc = q->check ? q->check(args, err) : 0;

    if (rc == 0 && p->check)
        rc = p->check(form, args, err);
    if (rc < 0)
        return rc;
    out_init(&asking.out, stdout, out_form(form->json));
    a->form = &form_of_questions;
    if (!q->storeless)
        rc = cooc_open(&a->db, argv[0], err);
    if (rc == 0 && q->stems)
        cooc_show_stems(a->db, form->stems);
    if (rc == 0 && p->print)
        rc = p->print(&asking.out, &asked, form, &done, err);
    if (rc == 0 && !done)
        rc = q->ask(a, &asked, err);
    out_finish(&asking.out);
    cooc_close(a->db);
    return hint_count(rc, argv[0], err);
}
