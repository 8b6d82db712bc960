/* job_stats.c - time, I/O and memory per phase, for --stats-json. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/err.h"
#include "base/watch.h"
#include "cli/job_args.h"
#include "cli/program.h"
#include "cli/report.h"
#include "cooc_export.h"

/* The number after "name:" in a file below /proc, or 0 if there is none. */
static uint64_t kernel_number(const char *path, const char *name)
{
    FILE *f = fopen(path, "re");
    char line[128];
    uint64_t v = 0;
    size_t len = strlen(name);

    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, name, len) && line[len] == ':')
            v = strtoull(line + len + 1, NULL, 10);
    if (f)
        fclose(f);
    return v;
}

static uint64_t peak_memory(void)
{
    uint64_t kib = kernel_number("/proc/self/status", "VmHWM");
    struct rusage u = { 0 };

    if (!kib && getrusage(RUSAGE_SELF, &u) == 0)
        kib = (uint64_t)u.ru_maxrss;
    return kib * 1024;
}

static void sample_usage(struct phase_stats *p)
{
    struct timespec t = { 0 };

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    p->wall = clock_seconds();
    p->cpu = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    p->read = kernel_number("/proc/self/io", "rchar");
    p->written = kernel_number("/proc/self/io", "wchar");
    p->peak = peak_memory();
}

int job_stats_init(struct job_stats *s, const char *path,
                   struct cooc_err *err)
{
    int rc = check_output(path, err);

    if (program_silent())
        path = NULL;
    *s = (struct job_stats){ .path = path };
    job_stats_phase(s, "starting");
    /* If the file cannot be written, fail now, not after an hour of work. */
    return rc == 0 && path ? cooc_write_file(path, NULL, 0, err) : rc;
}

static void end_phase(struct job_stats *s, const struct phase_stats *now)
{
    struct phase_stats *p = &s->phases[s->n];

    *p = *now;
    memcpy(p->name, s->begun.name, sizeof p->name);
    p->wall -= s->begun.wall;
    p->cpu -= s->begun.cpu;
    p->read -= s->begun.read;
    p->written -= s->begun.written;
    s->n++;
}

void job_stats_phase(struct job_stats *s, const char *name)
{
    struct phase_stats now = { 0 };

    if (!s || !s->path)
        return;
    sample_usage(&now);
    if (*s->begun.name && s->n < PHASES_MAX)
        end_phase(s, &now);
    s->begun = now;
    if (name)
        snprintf(s->begun.name, sizeof s->begun.name, "%s", name);
}

static int write_phases(struct answer *a, const struct job_stats *s,
                        struct cooc_err *err)
{
    static const struct field fields[] = {
        FIELD_CHARS(struct phase_stats, name, "phase"),
        FIELD_REAL(struct phase_stats, wall, "seconds", 2),
        FIELD_REAL(struct phase_stats, cpu, "cpu seconds", 2),
        FIELD_COUNT(struct phase_stats, read, "bytes read"),
        FIELD_COUNT(struct phase_stats, written, "bytes written"),
        FIELD_COUNT(struct phase_stats, peak, "peak memory"),
        FIELD_END
    };
    struct phase_stats sum = { 0 };
    int rc = answer_rows(a, "phases", fields, s->phases, sizeof *s->phases,
                         s->n, err);

    for (size_t i = 0; i < s->n; i++) {
        sum.wall += s->phases[i].wall;
        sum.cpu += s->phases[i].cpu;
        sum.read += s->phases[i].read;
        sum.written += s->phases[i].written;
        sum.peak = s->phases[i].peak;
    }
    return rc < 0 ? rc : answer_facts(a, fields + 1, &sum, err);
}

int job_stats_end(struct job_stats *s, int rc, const struct job_facts *facts,
                  struct cooc_err *err)
{
    struct cooc_err *why = rc < 0 ? NULL : err; /* keep the first error */
    char *text = NULL;
    size_t len = 0;
    struct answer out;
    FILE *f;
    bool lost;
    int end;

    if (!s->path)
        return rc;
    job_stats_phase(s, NULL);
    f = open_memstream(&text, &len);
    if (!f)
        return rc < 0 ? rc : err_nomem(err);
    answer_init(&out, f, OUT_JSON);
    answer_text(&out, "version", COOC_VERSION);
    answer_text(&out, "status", rc == 0                 ? "done"
                                : rc == COOC_ECANCELLED ? "interrupted"
                                                        : "failed");
    report_job(&out, facts);
    end = program_report(&out, true, why);
    if (end == 0)
        end = write_phases(&out, s, why);
    answer_finish(&out);
    lost = ferror(f) != 0;
    lost |= fclose(f) != 0;
    if (end == 0 && lost)
        end = err_nomem(why);
    if (end == 0)
        end = cooc_write_file(s->path, text, len, why);
    free(text);
    return rc < 0 ? rc : end;
}
