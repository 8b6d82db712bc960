/* test_process.c - the library in a process that does other things as well:
 * it changes its working directory, moves stores, forks.
 *
 * Directories a and b hold the same names with different contents.  Each job
 * uses relative paths.  Even if the working directory changes during the job,
 * it must work in the directory in which it began as if undisturbed, and change
 * nothing in the other.  WANDER=seconds repeats this at random
 * (tests/abuse/wander.t). */
#include "tools.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "cooc_export.h"

static char *dir;
static char *side[2]; /* directories a and b */
static struct cooc *db; /* a counted store, for exports and lists */

/* ---- the working directory ------------------------------------------- */

static void go(int to)
{
    if (chdir(side[to]) != 0)
        fail_msg("cannot change to %s", side[to]);
}

/* Change to the other directory at each call. */
static int wander(void *self, const struct cooc_progress *p)
{
    int *at = self;

    (void)p;
    *at = !*at;
    go(*at);
    return 0;
}

static struct cooc_watch wandering(int *at)
{
    struct cooc_watch w = COOC_WATCH;

    w.progress = at ? wander : NULL;
    w.self = at;
    return w;
}

static atomic_bool running, ended;

/* Change back and forth while a call is running. */
static void *wander_thread(void *unused)
{
    (void)unused;
    for (int at = 0; !atomic_load(&ended);)
        if (atomic_load(&running))
            go(at = !at);
        else
            sched_yield();
    return NULL;
}

/* ---- jobs ------------------------------------------------------------ */

/* The result of a job that only reads. */
static char found[4096];

static void note(const char *name, size_t len)
{
    size_t n = strlen(found);

    snprintf(found + n, sizeof found - n, "%.*s ", (int)len, name);
}

static int do_index(const struct cooc_watch *w, struct cooc_err *err)
{
    const char *const inputs[] = { "in", "more.txt" };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    o.threads = 2;
    o.stop_file = "stop.txt";
    o.thesaurus_file = "thesaurus.txt";
    o.terms_file = "list.txt";
    o.count_follows = true;
    o.replace = true;
    o.watch = w;
    return cooc_index(inputs, 2, "link.cooc", &o, NULL, err);
}

static int do_count(const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_tuning tuning = COOC_TUNING;
    struct cooc_count_options o = COOC_COUNT_OPTIONS;

    tuning.batch_postings = 10;
    o.tuning = &tuning;
    o.threads = 2;
    o.tmpdir = "tmp";
    o.watch = w;
    return cooc_count("./plain.cooc/", &o, NULL, err);
}

static int do_recount(const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;

    o.recount = true;
    o.rows = COOC_ROWS_COMPACT;
    o.compact_df = 2;
    o.watch = w;
    return cooc_count("counted.cooc", &o, NULL, err);
}

static int do_merge(const struct cooc_watch *w, struct cooc_err *err)
{
    const char *const stores[] = { "plain.cooc", "counted.cooc" };
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;

    count.watch = w;
    o.count = &count;
    return cooc_merge(stores, 2, "out.cooc", &o, NULL, err);
}

static int do_add(const struct cooc_watch *w, struct cooc_err *err)
{
    const char *const inputs[] = { "more.txt", "in" };
    struct cooc_add_options o = COOC_ADD_OPTIONS;
    struct cooc_merge_options merge = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;

    count.watch = w;
    merge.from = COOC_MERGE_ROWS;
    merge.count = &count;
    o.merge = &merge;
    return cooc_add("counted.cooc", inputs, 2, &o, NULL, NULL, err);
}

static int do_export(const struct cooc_watch *w, const char *format,
                     const char *path, struct cooc_err *err)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;

    o.format = format;
    o.watch = w;
    return cooc_export(db, path, &o, NULL, err);
}

static int do_npz(const struct cooc_watch *w, struct cooc_err *err)
{
    return do_export(w, "npz", "out", err);
}

static int do_sqlite(const struct cooc_watch *w, struct cooc_err *err)
{
    return do_export(w, "sqlite", "out.db", err);
}

static int do_check(const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_check_report r = COOC_CHECK_REPORT;
    int rc = cooc_check("counted.cooc", 2, w, &r, err);
    char bytes[32];

    snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)r.bytes);
    note(bytes, strlen(bytes));
    return rc;
}

static int do_open(const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_info info = COOC_INFO;
    struct cooc *own;
    int rc = cooc_open(&own, "counted.cooc", err);

    (void)w;
    if (rc == 0)
        rc = cooc_info_get(own, &info, err);
    for (uint32_t t = 0; t < info.terms && rc == 0; t++) {
        const char *name;
        size_t len;

        rc = cooc_term_name(own, t, &name, &len, err);
        if (rc == 0)
            note(name, len);
    }
    cooc_close(own);
    return rc;
}

static int do_list(const struct cooc_watch *w, struct cooc_err *err)
{
    struct cooc_list list = COOC_LIST;
    int rc = cooc_list_read(db, "list.txt", &list, err);
    char id[16];

    (void)w;
    for (size_t i = 0; i < list.n; i++) {
        snprintf(id, sizeof id, "%u", list.terms[i]);
        note(id, strlen(id));
    }
    cooc_free(list.terms);
    return rc;
}

static int see_cell(void *self, const struct cooc_cell *cell,
                    struct cooc_err *err)
{
    char text[64];

    (void)self;
    (void)err;
    snprintf(text, sizeof text, "%g", cell->value);
    note(text, strlen(text));
    return 0;
}

static int do_dump(const struct cooc_watch *w, struct cooc_err *err)
{
    (void)w;
    return cooc_dump("cells.mtx", NULL, see_cell, NULL, NULL, err);
}

static const struct job {
    const char *name;
    int (*run)(const struct cooc_watch *w, struct cooc_err *err);
} jobs[] = {
    { "index", do_index },   { "count", do_count },
    { "recount", do_recount }, { "merge", do_merge },
    { "add", do_add },       { "npz", do_npz },
    { "sqlite", do_sqlite }, { "check", do_check },
    { "open", do_open },     { "list", do_list },
    { "dump", do_dump },
};

/* ---- expected results ------------------------------------------------ */

static void shell(const char *format, ...)
{
    char cmd[1200];
    va_list ap;

    va_start(ap, format);
    vsnprintf(cmd, sizeof cmd, format, ap);
    va_end(ap);
    if (system(cmd) != 0)
        fail_msg("failed: %s", cmd);
}

/* Restore both directories to their initial contents. */
static void restore(void)
{
    if (chdir("/") != 0)
        fail_msg("cannot change to /");
    for (int i = 0; i < 2; i++)
        shell("rm -rf '%s' && cp -a '%s/before/%d' '%s'", side[i], dir, i,
              side[i]);
}

static bool same_tree(const char *x, const char *kind, const char *job,
                      int which)
{
    char cmd[600];

    snprintf(cmd, sizeof cmd, "diff -r -x counting.json '%s' '%s/%s%s/%d' "
             ">/dev/null", x, dir, kind, job, which);
    return system(cmd) == 0;
}

/* The results of reading jobs, in a and b. */
static char *answers[ARRAY_LEN(jobs)][2];

/* The only directory in which the job was done; -1 if there is none. */
static int done_in(size_t job)
{
    for (int i = 0; i < 2; i++)
        if (!strcmp(found, answers[job][i]) &&
            same_tree(side[i], "after", jobs[job].name, i) &&
            same_tree(side[!i], "before", "", !i))
            return i;
    return -1;
}

/* Run a job undisturbed to obtain the expected result. */
static void run_undisturbed(size_t job)
{
    for (int i = 0; i < 2; i++) {
        struct cooc_watch w = wandering(NULL);
        struct cooc_err err = { 0 };

        restore();
        go(i);
        *found = '\0';
        CHECK_RC(jobs[job].run(&w, &err), 0, &err);
        answers[job][i] = strdup(found);
        shell("mkdir -p '%s/after%s' && mv '%s' '%s/after%s/%d'", dir,
              jobs[job].name, side[i], dir, jobs[job].name, i);
    }
    if (*found)
        assert_string_not_equal(answers[job][0], answers[job][1]);
}

/* ---- tests ----------------------------------------------------------- */

static void a_callback_may_change_the_working_directory(void **state)
{
    long live = mem_live(); /* the open store */

    (void)state;
    for (size_t job = 0; job < ARRAY_LEN(jobs); job++)
        for (int i = 0; i < 2; i++) {
            int at = i, where;
            struct cooc_watch w = wandering(&at);
            struct cooc_err err = { 0 };

            restore();
            go(i);
            *found = '\0';
            CHECK_RC(jobs[job].run(&w, &err), 0, &err);
            where = done_in(job);
            if (where != i)
                fail_msg("%s in %d was done in %d", jobs[job].name, i, where);
        }
    assert_int_equal(mem_live(), live);
}

/* A call begins in one of the two directories, at random. */
static void a_thread_may_change_the_working_directory(void **state)
{
    const char *seconds = getenv("WANDER");
    time_t end = time(NULL) + (seconds ? atoi(seconds) : 0);
    struct cooc_watch w = wandering(NULL);
    uint64_t runs = 0, in[2] = { 0, 0 };
    pthread_t thread;

    (void)state;
    atomic_store(&ended, false);
    assert_int_equal(pthread_create(&thread, NULL, wander_thread, NULL), 0);
    do
        for (size_t job = 0; job < ARRAY_LEN(jobs); job++) {
            struct cooc_err err = { 0 };
            int rc, where;

            restore();
            go((int)(runs++ % 2));
            *found = '\0';
            atomic_store(&running, true);
            sched_yield();
            rc = jobs[job].run(&w, &err);
            atomic_store(&running, false);
            where = rc == 0 ? done_in(job) : -1;
            if (where < 0) {
                atomic_store(&ended, true);
                pthread_join(thread, NULL);
                fail_msg("%s returned %d (%s) and did something else",
                         jobs[job].name, rc, err.text);
            }
            in[where]++;
        }
    while (time(NULL) < end);
    atomic_store(&ended, true);
    pthread_join(thread, NULL);
    print_message("%llu calls in a, %llu in b\n", (unsigned long long)in[0],
                  (unsigned long long)in[1]);
}

/* Give another store the name of the one that is being counted. */
static int swap_stores(void *self, const struct cooc_progress *p)
{
    int *calls = self;

    (void)p;
    if (++*calls == 1 && (rename("plain.cooc", "moved.cooc") != 0 ||
                          rename("counted.cooc", "plain.cooc") != 0))
        fail_msg("cannot rename the stores");
    return 0;
}

static void a_store_that_is_moved_is_counted_at_its_new_place(void **state)
{
    struct cooc_err err = { 0 };
    int calls = 0;
    struct cooc_watch w = { .size = sizeof w, .progress = swap_stores,
                            .self = &calls };

    (void)state;
    restore();
    go(0);
    CHECK_RC(do_count(&w, &err), 0, &err);
    assert_true(calls > 1);
    shell("diff -r moved.cooc '%s/aftercount/0/plain.cooc'", dir);
    shell("diff -r plain.cooc '%s/before/0/counted.cooc'", dir);
}

/* Replace the directory in which a store is being built. */
static int swap_part(void *self, const struct cooc_progress *p)
{
    int *calls = self;

    (void)p;
    if (++*calls == 2)
        shell("mv out.cooc.part moved && mkdir out.cooc.part && "
              "echo x >out.cooc.part/rows-x.bin");
    return 0;
}

static void a_build_in_a_replaced_directory_is_refused(void **state)
{
    struct cooc_err err = { 0 };
    int calls = 0;
    struct cooc_watch w = { .size = sizeof w, .progress = swap_part,
                            .self = &calls };

    (void)state;
    restore();
    go(0);
    assert_true(do_merge(&w, &err) < 0);
    assert_true(calls > 1);
    assert_int_equal(access("out.cooc", F_OK), -1);
}

static int count_inside(void *self, const struct cooc_progress *p)
{
    struct cooc_err *err = self;

    (void)p;
    if (err->code == 0)
        assert_int_equal(cooc_count("plain.cooc", NULL, NULL, err),
                         COOC_EBUSY);
    return 0;
}

static void a_store_is_busy_while_this_process_counts_it(void **state)
{
    struct cooc_err err = { 0 }, inner = { 0 };
    struct cooc_watch w = { .size = sizeof w, .progress = count_inside,
                            .self = &inner };

    (void)state;
    restore();
    go(0);
    CHECK_RC(do_count(&w, &err), 0, &err);
    assert_int_equal(inner.code, COOC_EBUSY);
    assert_non_null(strstr(inner.text, "this process"));
    assert_null(strstr(inner.text, "another process"));
}

static int fork_once(void *self, const struct cooc_progress *p)
{
    pid_t *child = self;

    (void)p;
    if (!*child && (*child = fork()) == 0) {
        pause();
        _exit(0);
    }
    return 0;
}

static void a_child_process_does_not_keep_the_lock(void **state)
{
    struct cooc_err err = { 0 };
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    pid_t child = 0;
    const struct cooc_watch watch = { .size = sizeof watch,
                                      .progress = fork_once,
                                      .self = &child };

    (void)state;
    restore();
    go(0);
    o.watch = &watch;
    CHECK_RC(cooc_count("plain.cooc", &o, NULL, &err), 0, &err);
    assert_true(child > 0);
    o.watch = NULL;
    o.recount = true;
    CHECK_RC(cooc_count("plain.cooc", &o, NULL, &err), 0, &err);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* ---- set-up and tear-down -------------------------------------------- */

/* Fill a directory with inputs and stores made of the given words. */
static void fill(const char *at, const char *const *words)
{
    char text[400];

    if (mkdir(at, 0700) != 0 || chdir(at) != 0 || mkdir("in", 0700) != 0 ||
        mkdir("tmp", 0700) != 0 || mkdir("stores", 0700) != 0 ||
        mkdir("out", 0700) != 0)
        fail_msg("cannot create %s", at);
    snprintf(text, sizeof text, "%s %s %s\n%s %s\n%s\n", words[0], words[1],
             words[2], words[1], words[3], words[0]);
    free(write_text("in", "one.txt", text));
    free(write_text("in", "two.txt", words[2]));
    snprintf(text, sizeof text, "%s %s\n%s %s %s\n", words[3], words[2],
             words[0], words[1], words[3]);
    free(write_text(".", "more.txt", text));
    free(write_text(".", "stop.txt", words[1]));
    snprintf(text, sizeof text, "%s\t%s\n", words[3], words[2]);
    free(write_text(".", "thesaurus.txt", text));
    snprintf(text, sizeof text, "%s\n%s\n", words[0], words[2]);
    free(write_text(".", "list.txt", text));
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate integer "
             "general\n2 2 1\n1 2 %zu\n", strlen(words[0]));
    free(write_text(".", "cells.mtx", text));
    snprintf(text, sizeof text, "%s %s %s\n%s %s\n%s %s %s\n", words[0],
             words[1], words[2], words[2], words[3], words[1], words[2],
             words[3]);
    free(make_store(".", "plain.cooc", text, false));
    free(make_store("stores", "real.cooc", text, false));
    free(make_store(".", "counted.cooc", text + strlen(words[0]), true));
    if (symlink("stores/real.cooc", "link.cooc") != 0)
        fail_msg("cannot create a link");
}

static int set_up(void **state)
{
    static const char *const words[2][4] = {
        { "tea", "milk", "sugar", "lemon" },
        { "piano", "violin", "oboe", "clarinet" },
    };
    struct cooc_err err = { 0 };
    char *before, *text, *store;

    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    before = in_dir(dir, "before");
    assert_int_equal(mkdir(before, 0700), 0);
    for (int i = 0; i < 2; i++) {
        char *at = in_dir(before, i ? "1" : "0");

        fill(at, words[i]);
        side[i] = in_dir(dir, i ? "b" : "a");
        free(at);
    }
    text = "tea milk sugar oboe\npiano violin oboe\ntea oboe sugar\n";
    store = make_store(dir, "both.cooc", text, true);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (size_t job = 0; job < ARRAY_LEN(jobs); job++)
        run_undisturbed(job);
    free(store);
    free(before);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    cooc_close(db);
    for (size_t job = 0; job < ARRAY_LEN(jobs); job++)
        for (int i = 0; i < 2; i++)
            free(answers[job][i]);
    assert_int_equal(chdir("/"), 0);
    free(side[0]);
    free(side[1]);
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_callback_may_change_the_working_directory),
        cmocka_unit_test(a_thread_may_change_the_working_directory),
        cmocka_unit_test(a_store_that_is_moved_is_counted_at_its_new_place),
        cmocka_unit_test(a_build_in_a_replaced_directory_is_refused),
        cmocka_unit_test(a_store_is_busy_while_this_process_counts_it),
        cmocka_unit_test(a_child_process_does_not_keep_the_lock),
    };
    return cmocka_run_group_tests_name("process", tests, set_up, tear_down);
}
