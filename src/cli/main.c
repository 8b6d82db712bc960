/* main.c - the command line: the table of commands, and the exit codes.
 *
 *     0 done   1 failed   2 wrong usage   128 + n ended by signal n (130
 *                                         after Ctrl-C)
 *
 * They are decided here and nowhere else, and errors are printed here.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ask/display.h"
#include "base/err.h"
#include "base/suggest.h"
#include "cli/advice.h"
#include "cli/cmd.h"
#include "cli/progress.h"

enum { DONE = 0, FAILED = 1, WRONG_USAGE = 2 };

static const struct cmd commands[] = {
    { CMD_MAKE, .job = &job_index },
    { CMD_MAKE, .job = &job_count },
    { CMD_MAKE, .job = &job_merge },
    { CMD_MAKE, .job = &job_add },
    { CMD_MAKE, .question = &question_methods },
    { CMD_ASK, .question = &question_stats },
    { CMD_ASK, .question = &question_pair },
    { CMD_ASK, .question = &question_top },
    { CMD_ASK, .question = &question_row },
    { CMD_ASK, .question = &question_pairs },
    { CMD_ASK, .question = &question_between },
    { CMD_ASK, .question = &question_within, .printer = &printer_matrix },
    { CMD_ASK, .question = &question_docs },
    { CMD_ASK, .question = &question_terms },
    { CMD_ASK, .question = &question_measures, .printer = &printer_measures },
    { CMD_KEEP, .job = &job_export },
    { CMD_KEEP, .job = &job_dump },
    { CMD_KEEP, .job = &job_check },
};

static const char *const titles[CMD_GROUPS] = {
    [CMD_MAKE] = "Make a store", [CMD_ASK] = "Ask it",
    [CMD_KEEP] = "Take it elsewhere, trust it",
};

static void print_usage(FILE *to)
{
    fputs("usage: cooc COMMAND [options] ARGUMENT...\n\n", to);
    for (unsigned group = 0; group < CMD_GROUPS; group++) {
        fprintf(to, "%s:", titles[group]);
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            if (commands[i].group == group)
                fprintf(to, " %s", cmd_usage(&commands[i])->name);
        putc('\n', to);
    }
    fputs("\n'cooc help' describes the commands, 'cooc help COMMAND' the "
          "options of one.\n", to);
}

static void print_help(FILE *to)
{
    fputs("cooc counts, exactly, in how many documents each pair of terms "
          "occurs together.\nDocuments go in, in any usual form; every pair "
          "that ever meets comes out, in a\nstore that answers questions.\n"
          "\nQuick start:\n"
          "  cooc count articles/ -o articles.cooc  # index, then count\n"
          "  cooc stats articles.cooc               # what is in there\n"
          "  cooc top articles.cooc coffee --by llr # what goes with "
          "coffee\n"
          "  cooc pair articles.cooc coffee tea     # two terms in "
          "detail\n", to);
    for (unsigned group = 0; group < CMD_GROUPS; group++) {
        fprintf(to, "\n%s:\n", titles[group]);
        for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
            if (commands[i].group == group)
                fprintf(to, "  %-10s %s\n", cmd_usage(&commands[i])->name,
                        cmd_usage(&commands[i])->summary);
    }
    fputs("\n'cooc help COMMAND' or 'cooc COMMAND --help' tells all about a "
          "command,\n'cooc --version' the version.  Results go to standard "
          "output: columns at a\nterminal, tab-separated in a pipe, JSON with "
          "--json.\n", to);
}

static int find_command(const char *name, const struct cmd **out,
                        struct cooc_err *err)
{
    struct suggest near;

    suggest_init(&near, name);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *known = cmd_usage(&commands[i])->name;

        if (!strcmp(known, name)) {
            *out = &commands[i];
            return 0;
        }
        suggest_try(&near, known);
    }
    suggest_try(&near, "help");
    if (*name == '-')
        return err_set(err, COOC_EINVAL,
                       "unknown option '%.100s'; give a command first", name);
    if (near.best)
        return err_set(err, COOC_EINVAL,
                       "unknown command '%.100s'; did you mean '%s'?", name,
                       near.best);
    return err_set(err, COOC_EINVAL, "unknown command '%.100s'", name);
}

/* *cmd becomes the command, once it is known, for main's hint. */
static int run(int argc, char **argv, const struct cmd **cmd,
               struct cooc_err *err)
{
    char *help_args[] = { (char[]){ "--help" }, NULL };
    int rc;

    if (argc < 2) {
        print_usage(stderr);
        return err_set(err, COOC_EINVAL, "%s", ""); /* the usage says it */
    }
    if (!strcmp(argv[1], "--version")) {
        puts("cooc " COOC_VERSION);
        return 0;
    }
    if (!strcmp(argv[1], "help") && argc > 2 && strcmp(argv[2], "help")) {
        rc = find_command(argv[2], cmd, err);
        return rc < 0 ? rc : cmd_run(*cmd, 1, help_args, err);
    }
    if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") ||
        !strcmp(argv[1], "-h")) {
        print_help(stdout);
        return 0;
    }
    rc = find_command(argv[1], cmd, err);
    return rc < 0 ? rc : cmd_run(*cmd, argc - 2, argv + 2, err);
}

/* The text may quote anything that was typed or read. */
static void print_error(const char *text)
{
    fputs("cooc: ", stderr);
    if (isatty(STDERR_FILENO))
        display_terminal(stderr, text, strlen(text));
    else
        fputs(text, stderr);
    putc('\n', stderr);
}

/* If we were started without a standard stream, the next file opened would
 * take its place and be written over.  What stands in refuses all use. */
static void fill_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* Stores are read through maps, where a disk that cannot be read is not an
 * error but a signal.  All that is on disk is good whenever we end. */
static void on_bad_map(int number)
{
    static const char text[] = "cooc: cannot read a file: the disk failed, or "
                               "the file was truncated\n";

    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(FAILED);
}

static void prepare_signals(void)
{
    struct sigaction bus = { .sa_handler = on_bad_map };
    struct sigaction none = { .sa_handler = SIG_IGN };

    sigaction(SIGBUS, &bus, NULL);
    sigaction(SIGXFSZ, &none, NULL); /* write() tells of the limit too */
    signals_end_at_once();
}

/* A signal has come: an error may only be a consequence of it. */
static int end_interrupted(int rc, const struct cooc_err *err)
{
    print_error(rc == COOC_ECANCELLED ? err->text : "interrupted");
    return 128 + interrupted();
}

int main(int argc, char **argv)
{
    struct cooc_err err = { 0 };
    const struct cmd *cmd = NULL;
    bool lost;
    int rc;

    fill_standard_streams();
    prepare_signals();
    rc = cooc_global_init(0, &err);
    if (rc == 0)
        rc = run(argc, argv, &cmd, &err);
    lost = ferror(stdout) != 0;
    errno = 0;
    lost |= fclose(stdout) != 0;
    if (interrupted() && (rc < 0 || lost))
        return end_interrupted(rc, &err);
    if (rc < 0) {
        advice_add(&err);
        if (*err.text)
            print_error(err.text);
        if (rc == COOC_EINVAL && *err.text)
            fprintf(stderr, "try 'cooc %s%s--help'\n",
                    cmd ? cmd_usage(cmd)->name : "", cmd ? " " : "");
        return rc == COOC_EINVAL ? WRONG_USAGE : FAILED;
    }
    if (lost) {
        fprintf(stderr, "cooc: cannot write to standard output: %s\n",
                errno ? strerror(errno) : "some output was lost");
        return FAILED;
    }
    return DONE;
}
