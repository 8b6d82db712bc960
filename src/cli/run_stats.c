/* run_stats.c - times, bytes and memory of every phase, as JSON. */
#include "cli/run_stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "cli/fail.h"
#include "cli/progress.h"
#include "cli/shared.h"
#include "cooc_export.h"

/* The number behind "name:" in a file of the kernel's; 0 if there is none. */
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

static void look(struct phase_stats *p)
{
    struct timespec t = { 0 };

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    p->wall = seconds_now();
    p->cpu = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    p->read = kernel_number("/proc/self/io", "rchar");
    p->written = kernel_number("/proc/self/io", "wchar");
    p->peak = peak_memory();
}

int run_stats_init(struct run_stats *s, const char *path,
                   struct cooc_err *err)
{
    int rc = check_output(path, err);

    *s = (struct run_stats){ .path = path };
    run_stats_phase(s, "starting");
    /* Fail now, not after an hour of work. */
    return rc == 0 && path ? cooc_write_file(path, NULL, 0, err) : rc;
}

static void end_phase(struct run_stats *s, const struct phase_stats *now)
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

void run_stats_phase(struct run_stats *s, const char *name)
{
    struct phase_stats now = { 0 };

    if (!s || !s->path)
        return;
    look(&now);
    if (s->running && s->n < PHASES_MAX)
        end_phase(s, &now);
    s->running = name != NULL;
    s->begun = now;
    if (name)
        snprintf(s->begun.name, sizeof s->begun.name, "%s", name);
}

static int write_phases(const struct run_stats *s, struct out *o,
                        struct cooc_err *err)
{
    static const struct column columns[] = {
        { "phase", 0 }, { "seconds", 2 }, { "cpu seconds", 2 },
        { "bytes read", 0 }, { "bytes written", 0 }, { "peak memory", 0 },
    };
    struct phase_stats sum = { 0 };

    out_list(o, "phases", columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < s->n; i++) {
        const struct phase_stats *p = &s->phases[i];
        const struct cell cells[] = {
            CELL_TEXT(p->name, strlen(p->name)), CELL_REAL(p->wall),
            CELL_REAL(p->cpu), CELL_COUNT(p->read), CELL_COUNT(p->written),
            CELL_COUNT(p->peak),
        };
        int rc = out_row(o, cells, err);

        if (rc < 0)
            return rc;
        sum.wall += p->wall;
        sum.cpu += p->cpu;
        sum.read += p->read;
        sum.written += p->written;
        sum.peak = p->peak;
    }
    out_list_end(o, err);
    out_real(o, "seconds", sum.wall, 2);
    out_real(o, "cpu seconds", sum.cpu, 2);
    out_count(o, "bytes read", sum.read);
    out_count(o, "bytes written", sum.written);
    out_count(o, "peak memory", sum.peak);
    return 0;
}

int run_stats_write(struct run_stats *s, int rc,
                    void (*facts)(struct out *o, const void *of),
                    const void *of, struct cooc_err *err)
{
    char *text = NULL;
    size_t len = 0;
    struct out out;
    FILE *f;
    int end;

    if (!s->path)
        return 0;
    run_stats_phase(s, NULL);
    f = open_memstream(&text, &len);
    if (!f)
        return fail_nomem(err);
    out_init(&out, f, OUT_JSON);
    out_open(&out);
    out_text(&out, "version", COOC_VERSION);
    out_text(&out, "status", rc == 0                 ? "done"
                             : rc == COOC_ECANCELLED ? "interrupted"
                                                     : "failed");
    facts(&out, of);
    end = write_phases(s, &out, err);
    out_close(&out);
    out_release(&out);
    if (ferror(f) && end == 0)
        end = fail_nomem(err);
    if (fclose(f) && end == 0)
        end = fail_nomem(err);
    if (end == 0)
        end = cooc_write_file(s->path, text, len, err);
    free(text);
    return end;
}
