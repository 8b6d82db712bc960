/* progress.c - one line on stderr while the library works, and Ctrl-C. */
#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/number.h"

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    (void)number;
    caught = 1;
}

bool interrupted(void)
{
    return caught != 0;
}

double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A signal that whoever started us ignores stays ignored. */
static void catch_signal(int number)
{
    struct sigaction now, ours = { .sa_handler = on_signal,
                                   .sa_flags = SA_RESETHAND | SA_RESTART };

    if (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaction(number, &ours, NULL);
}

void progress_init(struct progress *p, bool quiet)
{
    *p = (struct progress){ .quiet = quiet,
                            .terminal = isatty(STDERR_FILENO) != 0 };
    p->started = p->said = seconds_now();
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

/* "3.2 million pairs", or "3.2 MB" where the unit is bytes. */
static void say_amount(FILE *to, double v, const char *unit)
{
    static const struct { double size; const char *word, *letter; } scales[] = {
        { 1e12, "trillion ", "T" }, { 1e9, "billion ", "G" },
        { 1e6, "million ", "M" },
    };
    bool bytes = !strcmp(unit, "bytes");
    char buf[NUMBER_MAX];

    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (v >= scales[i].size) {
            format_real(buf, v / scales[i].size, 1);
            fprintf(to, "%s %s%s", buf, bytes ? scales[i].letter
                                              : scales[i].word,
                    bytes ? "B" : unit);
            return;
        }
    fprintf(to, "%s %s", format_real(buf, v, 0), unit);
}

static void say_left(FILE *to, double seconds)
{
    unsigned long s = (unsigned long)(seconds + 0.5);

    if (s >= 3600)
        fprintf(to, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
    else
        fprintf(to, ", %lu:%02lu left", s / 60, s % 60);
}

/* "counting: 45%, 3.2 million pairs, 12.0 million pairs/s, 2:31 left" */
static void say(FILE *to, const struct progress *p,
                const struct cooc_progress *now, double time)
{
    double spent = time - p->started, done = (double)now->done;
    double total = (double)now->total;

    fprintf(to, "%s", now->phase);
    if (now->total)
        fprintf(to, ": %.0f%%",
                now->done >= now->total ? 100.0 : 100 * done / total);
    if (now->documents && strcmp(now->unit, "documents") != 0) {
        fputs(", ", to);
        say_amount(to, (double)now->documents, "documents");
    }
    if (now->pairs && strcmp(now->unit, "pairs") != 0) {
        fputs(", ", to);
        say_amount(to, (double)now->pairs, "pairs");
    }
    if (!now->total && now->done) {
        fputs(", ", to);
        say_amount(to, done, now->unit);
    }
    if (spent < 1 || !now->done)
        return;
    fputs(", ", to);
    say_amount(to, done / spent, now->unit);
    fputs("/s", to);
    if (now->total > now->done && done > total / 200)
        say_left(to, spent * (total - done) / done);
}

static int terminal_width(void)
{
    struct winsize w;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 10)
        return w.ws_col;
    return 80;
}

static int on_progress(void *self, const struct cooc_progress *now)
{
    struct progress *p = self;
    double time = seconds_now();
    bool new_phase = strncmp(p->phase, now->phase, sizeof p->phase - 1) != 0;
    char line[300] = "";
    FILE *f;

    if (new_phase) {
        snprintf(p->phase, sizeof p->phase, "%s", now->phase);
        p->started = time;
    }
    if (interrupted() || p->quiet)
        return interrupted();
    if (time - p->said < (p->terminal ? 0.1 : 10))
        return 0;
    f = fmemopen(line, sizeof line - 1, "w");
    if (!f)
        return 0;
    say(f, p, now, time);
    fclose(f);
    if (p->terminal)
        fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, line);
    else
        fprintf(stderr, "cooc: %s\n", line);
    p->drawn = p->terminal;
    p->said = time;
    return 0;
}

struct cooc_watch progress_watch(struct progress *p)
{
    return (struct cooc_watch){ .progress = on_progress, .self = p };
}

void progress_clear(struct progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}
