/* progress.c - show progress on stderr, and handle Ctrl-C. */
#include "cli/progress.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/answer.h"
#include "ask/display.h"
#include "base/err.h"
#include "base/watch.h"
#include "cli/findings.h"
#include "cli/program.h"
#include "cli/report.h"
#include "cooc_build.h"

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

/* End at once; for phases in which there is nothing to clean up. */
static void end_now(int number)
{
    static const char text[] = "cooc: interrupted\n";

    if (!program_silent())
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(128 + number);
}

int interrupted(void)
{
    return caught;
}

/* Signals that were ignored when the program started stay ignored.  System
 * calls are not restarted (no SA_RESTART), because a write that waits for its
 * reader must notice the signal. */
static void catch_signals(void (*handler)(int))
{
    static const int numbers[] = {
        SIGHUP, /* the terminal was closed */
        SIGINT, SIGTERM,
    };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, ours = { .sa_handler = handler,
                                       .sa_flags = SA_RESETHAND };

        if (sigaction(numbers[i], NULL, &now) == 0 &&
            now.sa_handler != SIG_IGN)
            sigaction(numbers[i], &ours, NULL);
    }
}

void signals_end_at_once(void)
{
    catch_signals(end_now);
}

void print_amount(FILE *to, double v, const char *unit)
{
    static const struct { double size; const char *word, *letter; } scales[] = {
        { 1e12, "trillion ", "T" }, { 1e9, "billion ", "G" },
        { 1e6, "million ", "M" },
    };
    bool bytes = !strcmp(unit, "bytes");
    char buf[NUMBER_MAX];

    if (bytes && v >= 1e3 && v < 1e6) {
        fprintf(to, "%s KB", format_real(buf, v / 1e3, 1));
        return;
    }
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (v >= scales[i].size) {
            format_real(buf, v / scales[i].size, 1);
            fprintf(to, "%s %s%s", buf, bytes ? scales[i].letter
                                              : scales[i].word,
                    bytes ? "B" : unit);
            return;
        }
    format_real(buf, v, 0);
    fprintf(to, "%s %.*s", buf,
            (int)strlen(unit) - (!strcmp(buf, "1") && *unit), unit);
}

static void print_left(FILE *to, double seconds)
{
    unsigned long s = (unsigned long)(seconds + 0.5);

    if (s >= 3600)
        fprintf(to, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
    else
        fprintf(to, ", %lu:%02lu left", s / 60, s % 60);
}

/* Seconds to the end of the job or, if its share is unknown, of the phase; NAN
 * if they cannot be estimated yet. */
static double seconds_left(const struct progress *p, double time)
{
    const struct cooc_progress *now = &p->last;
    double done = (double)(now->done - p->first.done);
    double left = (double)now->total - (double)now->done;

    if (now->share >= 0)
        return time - p->share_at < 1 || now->share - p->share < 0.01
                   ? NAN
                   : (time - p->share_at) * (1 - now->share) /
                         (now->share - p->share);
    if (!now->total || left < 0 || time - p->started < 1 ||
        done <= (done + left) / 200)
        return NAN;
    return (time - p->started) * left / done;
}

int progress_percent(const struct progress *p)
{
    const struct cooc_progress *now = &p->last;

    if (now->share >= 0)
        return now->share < 1 ? (int)(100 * now->share) : 100;
    if (!now->total)
        return -1;
    if (now->done >= now->total)
        return 100;
    return (int)(100 * (double)now->done / (double)now->total);
}

/* Remember the report every half second, so that the oldest one is about four
 * seconds old. */
static void keep_recent(struct progress *p, bool new_phase, double time)
{
    const struct cooc_progress *now = &p->last;
    size_t n = new_phase ? 0 : p->n_recent;

    if (n && time - p->recent[n - 1].time < 0.5)
        return;
    if (n == sizeof p->recent / sizeof *p->recent)
        memmove(p->recent, p->recent + 1, --n * sizeof *p->recent);
    p->recent[n++] = (struct progress_sample){
        time, now->documents, now->pairs, now->bytes, now->done };
    p->n_recent = n;
}

/* Print the amounts done and their current rates.  While counting, the amount
 * is the number of pairs, which means more to users; the rate is that of
 * increments, as in the report, because frequent terms have many increments
 * but few pairs. */
static void print_amounts(FILE *to, const struct progress *p, double time)
{
    const struct cooc_progress *now = &p->last;
    const struct progress_sample *then = &p->recent[0];
    bool counting = !strcmp(now->unit, "increments");
    const struct {
        uint64_t now, then;
        const char *unit;
        bool amount, rate;
    } facts[] = {
        { now->documents, then->documents, "documents", true, true },
        { now->pairs, then->pairs, "pairs", true, !counting },
        { now->bytes, then->bytes, "bytes", false, !now->pairs },
        { now->documents == now->done ? 0 : now->done, then->done, now->unit,
          !now->total && !now->pairs, counting || !now->pairs },
    };

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].now && facts[i].amount) {
            fputs(", ", to);
            print_amount(to, (double)facts[i].now, facts[i].unit);
        }
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].rate && facts[i].now > facts[i].then &&
            time - then->time >= 1) {
            fputs(", ", to);
            print_amount(to, (double)(facts[i].now - facts[i].then) /
                                 (time - then->time), facts[i].unit);
            fputs("/s", to);
        }
}

/* "counting: 45%, 3.2 million pairs, 1.2 billion increments/s, 2:31 left" */
static void print_text(FILE *to, const struct progress *p, double time)
{
    double left = seconds_left(p, time);

    fprintf(to, "%s", p->last.phase);
    if (progress_percent(p) >= 0)
        fprintf(to, ": %d%%", progress_percent(p));
    print_amounts(to, p, time);
    if (isfinite(left))
        print_left(to, left);
}

static void print_json(FILE *to, const struct progress *p, double time)
{
    const struct cooc_progress *now = &p->last;
    double percent = progress_percent(p);
    struct answer out, *a = &out;

    answer_init(&out, to, OUT_JSON);
    answer_text(a, "phase", now->phase);
    answer_text(a, "unit", now->unit);
    answer_count(a, "done", now->done);
    if (now->total)
        answer_count(a, "total", now->total);
    else
        answer_real(a, "total", NAN, 0); /* null */
    answer_real(a, "percent", percent < 0 ? NAN : percent, 0);
    answer_count(a, "documents", now->documents);
    answer_count(a, "pairs", now->pairs);
    answer_count(a, "bytes", now->bytes);
    answer_real(a, "seconds", time - p->started, 3);
    answer_real(a, "left", seconds_left(p, time), 3);
    answer_finish(&out);
}

static int on_progress(void *self, const struct cooc_progress *now)
{
    struct progress *p = self;
    double time = clock_seconds();
    bool new_phase = strncmp(p->phase, now->phase, sizeof p->phase - 1) != 0;
    char line[512] = "";
    FILE *f;

    if (new_phase) {
        snprintf(p->phase, sizeof p->phase, "%s", now->phase);
        p->started = time;
        p->first = *now;
        job_stats_phase(p->stats, now->phase);
    }
    p->last = *now;
    if (now->share >= 0 && p->share < 0) {
        p->share = now->share;
        p->share_at = time;
    }
    keep_recent(p, new_phase, time);
    if (interrupted() || p->quiet)
        return interrupted();
    if (!(p->json && new_phase) &&
        time - p->said < (p->json ? 1 : p->terminal ? 0.1 : 10))
        return 0;
    f = fmemopen(line, sizeof line - 1, "w");
    if (!f)
        return 0;
    (p->json ? print_json : print_text)(f, p, time);
    fclose(f);
    if (p->json)
        fputs(line, stderr);
    else if (p->terminal)
        fprintf(stderr, "\r%.*s\033[K",
                (int)terminal_width(STDERR_FILENO) - 1, line);
    else
        fprintf(stderr, "cooc: %s\n", line);
    p->drawn = p->terminal && !p->json;
    p->said = time;
    return 0;
}

static void on_warning(void *self, const char *text)
{
    progress_clear(self);
    fprintf(stderr, "cooc: warning: %s\n", text);
}

static void on_note(void *self, const struct cooc_note *n)
{
    struct progress *p = self;

    if (!p->notes)
        return;
    progress_clear(p);
    findings_take(p->notes, n);
}

struct cooc_watch progress_start(struct progress *p, bool quiet)
{
    *p = (struct progress){ .quiet = quiet,
                            .terminal = isatty(STDERR_FILENO) != 0 };
    p->started = p->said = clock_seconds();
    p->share = -1;
    catch_signals(on_signal);
    return (struct cooc_watch){ .size = sizeof(struct cooc_watch),
                                .self = p, .progress = on_progress,
                                .warning = on_warning, .note = on_note };
}

void progress_clear(struct progress *p)
{
    if (p->drawn)
        fputs("\r\033[K", stderr);
    p->drawn = false;
}

int progress_answered(struct progress *p, int rc, struct cooc_err *err)
{
    progress_clear(p);
    if (rc >= 0 && interrupted())
        return err_set(err, COOC_ECANCELLED, "interrupted");
    signals_end_at_once();
    return rc;
}
