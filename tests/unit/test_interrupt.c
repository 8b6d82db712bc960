/* test_interrupt.c - jobs that signals interrupt and callbacks cancel.
 *
 * The input is large enough that every job is interrupted several times. */
#include "many_docs.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#include "base/mem.h"
#include "cooc_export.h"

#define LINES 3000

static char *dir, *input;
static char *before; /* what jobs start with: i.cooc, c.cooc */
static char *work;   /* a copy of it, where they run */
static struct cooc *db;

/* ---- jobs --------------------------------------------------------------- */

static int do_index(const struct cooc_watch *w, struct cooc_err *err)
{
    const char *const inputs[] = { input };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    o.watch = w;
    return cooc_index(inputs, 1, "new.cooc", &o, NULL, err);
}

static int do_count(const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;

    o.watch = w;
    return cooc_count("i.cooc", &o, NULL, err);
}

static int do_batches(const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_tuning tuning = COOC_TUNING;

    tuning.batch_postings = 20000;
    o.tuning = &tuning;
    o.watch = w;
    return cooc_count("i.cooc", &o, NULL, err);
}

static int do_merge(const struct cooc_watch *w, struct cooc_err *err)
{
    const char *const stores[] = { "c.cooc", "d.cooc" };
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;

    count.watch = w;
    o.count = &count;
    return cooc_merge(stores, 2, "new.cooc", &o, NULL, err);
}

static int do_add(const struct cooc_watch *w, struct cooc_err *err)
{
    const char *const inputs[] = { input };
    struct cooc_add_options o = COOC_ADD_OPTIONS;
    struct cooc_merge_options merge = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;

    count.watch = w;
    merge.count = &count;
    o.merge = &merge;
    return cooc_add("c.cooc", inputs, 1, &o, NULL, NULL, err);
}

static int do_builder(const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_builder *b;
    uint64_t seed = 3;
    int rc;

    o.watch = w;
    rc = cooc_builder_open(&b, "new.cooc", &o, err);
    for (int i = 0; i < 4000 && rc == 0; i++) {
        char text[200];
        size_t n = 0;

        while (n < 150)
            n += (size_t)snprintf(text + n, sizeof text - n, "w%u ",
                                  random_below(&seed, 2000));
        rc = cooc_builder_text(b, NULL, 0, text, n, err);
    }
    if (rc == 0)
        return cooc_builder_finish(b, NULL, err);
    cooc_builder_abort(b);
    return rc;
}

static int do_export(const char *format, const char *path,
                     const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;

    o.format = format;
    o.top_terms = 400;
    o.watch = w;
    return cooc_export(db, path, &o, NULL, err);
}

static int do_tsv(const struct cooc_watch *w, struct cooc_err *err)
{
    return do_export("tsv", "new.tsv", w, err);
}

static int do_npz(const struct cooc_watch *w, struct cooc_err *err)
{
    return do_export("npz", "new.npz", w, err);
}

static int do_sqlite(const struct cooc_watch *w, struct cooc_err *err)
{
    return do_export("sqlite", "new.db", w, err);
}

static int do_check(const struct cooc_watch *w, struct cooc_err *err)
{
    return cooc_check("c.cooc", 2, w, NULL, err);
}

static const struct job {
    const char *name;
    int (*run)(const struct cooc_watch *w, struct cooc_err *err);
    bool grows; /* finished parts stay after a failure */
} jobs[] = {
    { "index", do_index, false },   { "count", do_count, true },
    { "batches", do_batches, true }, { "merge", do_merge, false },
    { "add", do_add, false },       { "builder", do_builder, false },
    { "tsv", do_tsv, false },       { "npz", do_npz, false },
    { "sqlite", do_sqlite, false }, { "check", do_check, false },
};

static void restore(void)
{
    assert_int_equal(chdir("/"), 0);
    copy_tree(before, work);
    assert_int_equal(chdir(work), 0);
}

static bool is_like(const char *tree)
{
    char cmd[1200];

    snprintf(cmd, sizeof cmd, "diff -rq '%s' '%s' >&2", work, tree);
    return system(cmd) == 0;
}

static char *after(const struct job *job)
{
    char name[64];

    snprintf(name, sizeof name, "after-%s", job->name);
    return in_dir(dir, name);
}

/* ---- signals ------------------------------------------------------------ */

static atomic_ulong signals;

static void on_alarm(int number)
{
    (void)number;
    atomic_fetch_add(&signals, 1);
}

/* Send a signal at this interval; 0: stop. */
static void storm(long microseconds)
{
    struct sigaction a = { .sa_handler = on_alarm }; /* no SA_RESTART */
    struct itimerval t = { { 0, microseconds }, { 0, microseconds } };

    assert_int_equal(sigaction(SIGALRM, &a, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &t, NULL), 0);
}

static uint64_t sum_of(struct cooc *store)
{
    uint64_t sum = 0;

    for (uint32_t y = 1; y < 300; y++)
        for (uint32_t x = 0; x < y; x++) {
            struct cooc_pair pair;
            struct cooc_err err = { 0 };

            CHECK_RC(cooc_pair_get(store, x, y, &pair, &err), 0, &err);
            sum += pair.count * (x + y);
        }
    return sum;
}

static void signals_change_nothing(void **state)
{
    uint64_t sum = sum_of(db);

    (void)state;
    atomic_store(&signals, 0);
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++) {
        struct cooc_err err = { 0 };
        char *want = after(&jobs[i]);
        int rc;

        restore();
        storm(1000);
        rc = jobs[i].run(NULL, &err);
        if (i == 0)
            assert_int_equal(sum_of(db), sum);
        storm(0);
        if (rc < 0)
            fail_msg("%s: %s", jobs[i].name, err.text);
        if (!is_like(want))
            fail_msg("%s: the result differs", jobs[i].name);
        free(want);
    }
    print_message("%lu signals\n", atomic_load(&signals));
    assert_true(atomic_load(&signals) >= ARRAY_LEN(jobs));
}

/* ---- callbacks ---------------------------------------------------------- */

struct canceller {
    unsigned calls, at; /* cancel at this call */
    double last, gap, cancelled; /* seconds */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int on_progress(void *self, const struct cooc_progress *p)
{
    struct canceller *c = self;
    double t = now();

    (void)p;
    if (c->calls && t - c->last > c->gap)
        c->gap = t - c->last;
    c->last = t;
    if (++c->calls != c->at)
        return 0;
    c->cancelled = t;
    return 1;
}

/* What must hold after a cancelled job, and after it is done again. */
static void check_cancelled(const struct job *job, unsigned at)
{
    char *want = after(job);
    struct cooc_err err = { 0 };

    if (!job->grows && !is_like(before))
        fail_msg("%s: cancelled at call %u, it leaves something", job->name,
                 at);
    CHECK_RC(job->run(NULL, &err), 0, &err);
    if (!is_like(want))
        fail_msg("%s: after it was cancelled at call %u, the result differs",
                 job->name, at);
    free(want);
}

static void every_job_can_be_cancelled(void **state)
{
    long live = mem_live();
    double slowest = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(jobs); i++)
        for (unsigned at = 1; at <= 64; at *= 2) {
            struct canceller c = { .at = at };
            struct cooc_watch w = { .size = sizeof w, .self = &c,
                                    .progress = on_progress };
            struct cooc_err err = { 0 };
            int rc;

            restore();
            rc = jobs[i].run(&w, &err);
            if (at == 1 && c.calls == 0)
                fail_msg("%s: progress is never called", jobs[i].name);
            if (c.calls < at) {
                CHECK_RC(rc, 0, &err);
                break;
            }
            if (rc != COOC_ECANCELLED)
                fail_msg("%s returned %d at call %u: %s", jobs[i].name, rc,
                         at, err.text);
            if (now() - c.cancelled > slowest)
                slowest = now() - c.cancelled;
            check_cancelled(&jobs[i], at);
        }
    assert_int_equal(mem_live(), live);
    print_message("at most %.3f s from a callback to the return\n", slowest);
}

static int no(void *self, const struct cooc_estimate *e)
{
    (void)e;
    ++*(int *)self;
    return 1;
}

static void an_estimate_can_cancel(void **state)
{
    int calls = 0;
    struct cooc_watch w = { .size = sizeof w, .self = &calls, .estimate = no };
    struct cooc_err err = { 0 };

    (void)state;
    restore();
    CHECK_RC(do_count(&w, &err), COOC_ECANCELLED, &err);
    assert_int_equal(calls, 1);
    assert_true(is_like(before));
}

/* The documented ten times per second, with room for a busy machine. */
static void progress_is_called_often(void **state)
{
    char *large = write_many(dir, "large.txt", 40000);
    const char *const inputs[] = { large };
    struct canceller c = { 0 };
    struct cooc_watch w = { .size = sizeof w, .self = &c,
                            .progress = on_progress };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    struct cooc_err err = { 0 };
    double begin = now();

    (void)state;
    restore();
    o.watch = count.watch = &w;
    CHECK_RC(cooc_index(inputs, 1, "large.cooc", &o, NULL, &err), 0, &err);
    CHECK_RC(cooc_count("large.cooc", &count, NULL, &err), 0, &err);
    print_message("%u calls in %.2f s, at most %.3f s apart\n", c.calls,
                  now() - begin, c.gap);
    assert_true(c.calls > 2);
    assert_true(c.gap < 1);
    free(large);
}

/* ---- set-up and tear-down ----------------------------------------------- */

static int set_up(void **state)
{
    struct cooc_err err = { 0 };
    char *i, *c, *d;

    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    before = in_dir(dir, "before");
    work = in_dir(dir, "work");
    assert_int_equal(mkdir(before, 0700), 0);
    i = make_many(before, "i.cooc", LINES, false);
    c = make_many(before, "c.cooc", LINES / 2, true);
    d = make_many(before, "d.cooc", LINES / 3, true);
    CHECK_RC(cooc_open(&db, c, &err), 0, &err);
    input = write_many(dir, "input.txt", LINES);
    for (size_t k = 0; k < ARRAY_LEN(jobs); k++) {
        char *to = after(&jobs[k]);

        restore();
        CHECK_RC(jobs[k].run(NULL, &err), 0, &err);
        copy_tree(work, to);
        free(to);
    }
    free(i);
    free(c);
    free(d);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cooc_close(db);
    assert_int_equal(chdir("/"), 0);
    free(before);
    free(work);
    free(input);
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_change_nothing),
        cmocka_unit_test(every_job_can_be_cancelled),
        cmocka_unit_test(an_estimate_can_cancel),
        cmocka_unit_test(progress_is_called_often),
    };

    return cmocka_run_group_tests_name("interrupt", tests, set_up, tear_down);
}
