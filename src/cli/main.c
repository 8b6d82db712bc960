/* main.c - the command line: find the command, and choose the exit status.
 *
 *     0         success
 *     1         failure
 *     2         wrong usage
 *     128 + n   ended by signal n (130 after Ctrl-C)
 *
 * Only main() chooses the exit status and prints errors.
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
#include "cli/program.h"
#include "cli/progress.h"

enum { DONE = 0, FAILED = 1, WRONG_USAGE = 2 };

static const char *const titles[CMD_GROUPS] = {
    [CMD_MAKE] = "Build a store", [CMD_ASK] = "Query a store",
    [CMD_KEEP] = "Export and verify",
};

static bool has_group(unsigned group)
{
    for (size_t i = 0; i < program.n_commands; i++)
        if (program.commands[i].group == group)
            return true;
    return false;
}

static void print_usage(FILE *to)
{
    fprintf(to, "usage: %s COMMAND [options] ARGUMENT...\n\n",
            program.usage);
    for (unsigned group = 0; group < CMD_GROUPS; group++) {
        if (!has_group(group))
            continue;
        fprintf(to, "%s:", titles[group]);
        for (size_t i = 0; i < program.n_commands; i++)
            if (program.commands[i].group == group)
                fprintf(to, " %s", cmd_usage(&program.commands[i])->name);
        putc('\n', to);
    }
    fprintf(to, "\nRun '%s help' for first steps, '%s help COMMAND' for "
            "a command.\n", program.name, program.name);
}

static void print_help(FILE *to)
{
    fputs(program.introduction, to);
    for (unsigned group = 0; group < CMD_GROUPS; group++) {
        if (!has_group(group))
            continue;
        fprintf(to, "\n%s:\n", titles[group]);
        for (size_t i = 0; i < program.n_commands; i++)
            if (program.commands[i].group == group)
                fprintf(to, "  %-10s %s\n",
                        cmd_usage(&program.commands[i])->name,
                        cmd_usage(&program.commands[i])->summary);
    }
    fputs(program.conclusion, to);
}

static int find_command(const char *name, const struct cmd **out,
                        struct cooc_err *err)
{
    struct suggest near;

    suggest_init(&near, name);
    for (size_t i = 0; i < program.n_commands; i++) {
        const char *known = cmd_usage(&program.commands[i])->name;

        if (!strcmp(known, name)) {
            *out = &program.commands[i];
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

/* Sets *cmd as soon as the command is known, so that main() can name it in a
 * hint. */
static int run(int argc, char **argv, const struct cmd **cmd,
               struct cooc_err *err)
{
    char *help_args[] = { (char[]){ "--help" }, NULL };
    int rc;

    if (argc < 2) {
        print_usage(stderr);
        return err_set(err, COOC_EINVAL, "%s", ""); /* already printed */
    }
    if (!strcmp(argv[1], "--version")) {
        printf("%s %s\n", program.name, COOC_VERSION);
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

/* The text may quote any input, so it is made safe for a terminal. */
static void print_error(const char *text)
{
    fputs("cooc: ", stderr);
    if (isatty(STDERR_FILENO))
        display_terminal(stderr, text, strlen(text));
    else
        fputs(text, stderr);
    putc('\n', stderr);
}

/* If the program is started with a standard stream closed, the next file that
 * is opened gets its descriptor and would be overwritten.  So open /dev/null
 * in its place, in a mode in which every read or write fails. */
static void fill_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* Stores are read through memory maps, where a read error is a signal (SIGBUS).
 * The program may exit at any time: files on disk are always consistent. */
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
    sigaction(SIGXFSZ, &none, NULL); /* write() reports the limit, too */
    signals_end_at_once();
}

/* After a signal, other errors may only be a consequence of it. */
static int end_interrupted(int rc, const struct cooc_err *err)
{
    if (!program_silent())
        print_error(rc == COOC_ECANCELLED && *err->text ? err->text
                                                        : "interrupted");
    return 128 + interrupted();
}

/* Print the error, if it was not printed elsewhere; return the exit status. */
static int conclude(int rc, const struct cmd *cmd, bool lost,
                    struct cooc_err *err)
{
    if (interrupted() && (rc < 0 || lost))
        return end_interrupted(rc, err);
    if (rc < 0) {
        advice_add(err);
        if (*err->text)
            print_error(err->text);
        if (rc == COOC_EINVAL && *err->text)
            fprintf(stderr, "try '%s %s%s--help'\n", program.name,
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

int main(int argc, char **argv)
{
    struct cooc_err err = { 0 };
    const struct cmd *cmd = NULL;
    bool lost;
    int rc, status;

    fill_standard_streams();
    prepare_signals();
    rc = cooc_global_init(0, &err);
    if (rc == 0)
        rc = program_start(argc, argv, &err);
    if (rc == 0)
        rc = run(argc, argv, &cmd, &err);
    rc = program_settle(rc, &err);
    lost = ferror(stdout) != 0;
    errno = 0;
    lost |= fclose(stdout) != 0;
    status = conclude(rc, cmd, lost, &err);
    program_end();
    return status;
}
