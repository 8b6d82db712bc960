/* run_stats.c - times, bytes and memory of every phase, as JSON. */
#include "cli/run_stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/fail.h"
#include "cli/progress.h"

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

/* A plain file is replaced by another, written beside it; /dev/null, a pipe
 * or a link must stay what it is. */
static bool stays(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

int run_stats_init(struct run_stats *s, const char *path,
                   struct cooc_err *err)
{
    char *tmp = NULL;
    FILE *f;

    *s = (struct run_stats){ .path = path };
    run_stats_phase(s, "starting");
    if (!path || stays(path))
        return 0;
    if (asprintf(&tmp, "%s.tmp", path) < 0)
        return fail_nomem(err);
    f = fopen(tmp, "we"); /* better to know now than after an hour */
    if (f) {
        fclose(f);
        unlink(tmp);
    } else {
        fail_sys(err, "cannot create", tmp);
    }
    free(tmp);
    return f ? 0 : COOC_EIO;
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
    char *tmp = NULL;
    struct out out;
    bool in_place;
    FILE *f;
    int end = 0;

    if (!s->path)
        return 0;
    run_stats_phase(s, NULL);
    in_place = stays(s->path);
    if (asprintf(&tmp, "%s%s", s->path, in_place ? "" : ".tmp") < 0)
        return fail_nomem(err);
    f = fopen(tmp, "we");
    if (!f) {
        end = fail_sys(err, "cannot create", tmp);
        goto out;
    }
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
    if (end == 0 && (fflush(f) || ferror(f) ||
                     (!in_place && fsync(fileno(f)) < 0)))
        end = fail_sys(err, "cannot write", tmp);
    if (fclose(f) && end == 0)
        end = fail_sys(err, "cannot write", tmp);
    if (in_place)
        goto out;
    if (end == 0 && rename(tmp, s->path) < 0)
        end = fail_sys(err, "cannot rename to", s->path);
    if (end < 0)
        unlink(tmp);
out:
    free(tmp);
    return end;
}
