/* test_builder_life.c - what an unfinished builder leaves behind. */
#include "own_dir.h"
#include "tools.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cooc_build.h"

/* Number of entries of a directory, including hidden ones. */
static int count_names(const char *path)
{
    DIR *d = opendir(path);
    struct dirent *e;
    int n = 0;

    assert_non_null(d);
    while ((e = readdir(d)))
        n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    return n;
}

static int feed(struct cooc_builder *b, unsigned from, unsigned n)
{
    int rc = 0;

    for (unsigned i = from; i < from + n && rc == 0; i++) {
        char text[64];
        int len = snprintf(text, sizeof text, "a%u b%u c%u", i % 7, i % 1000,
                           i);

        rc = cooc_builder_text(b, NULL, 0, text, (size_t)len, NULL);
    }
    return rc;
}

/* Start a process that adds documents, and kill it. */
static void kill_a_child(const char *store, unsigned milliseconds)
{
    int ready[2];
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct cooc_builder *b;
        struct cooc_index_options o = COOC_INDEX_OPTIONS;

        o.memory = (uint64_t)16 << 20; /* spills */
        if (cooc_builder_open(&b, store, &o, NULL) < 0 ||
            write(ready[1], "x", 1) != 1)
            _exit(1);
        for (unsigned i = 0;; i += 100)
            if (feed(b, i, 100) < 0)
                _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    usleep(milliseconds * 1000);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(ready[0]);
    close(ready[1]);
}

static void a_killed_process_leaves_nothing_behind(void **state)
{
    char *store = in_dir(dir, "killed.cooc");
    int before = count_names(dir);

    (void)state;
    for (unsigned ms = 0; ms < 200; ms = 2 * ms + 1) {
        kill_a_child(store, ms);
        assert_int_equal(count_names(dir), before);
    }
    free(store);
}

static void an_aborted_builder_leaves_nothing_behind(void **state)
{
    static const unsigned documents[] = { 0, 1, 1000, 100000 };
    char *store = in_dir(dir, "aborted.cooc");
    int before = count_names(dir);
    struct cooc_builder *b;
    struct cooc_err err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(documents); i++) {
        CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
        CHECK_RC(feed(b, 0, documents[i]), 0, &err);
        cooc_builder_abort(b);
        assert_int_equal(count_names(dir), before);
    }
    free(store);
}

/* The old store is kept until the addition is complete. */
static void an_aborted_addition_leaves_the_store_unchanged(void **state)
{
    char *store = in_dir(dir, "kept.cooc");
    struct cooc_check_report report = COOC_CHECK_REPORT;
    struct cooc_builder *b;
    struct cooc_err err;
    int before;

    (void)state;
    CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
    CHECK_RC(feed(b, 0, 10), 0, &err);
    CHECK_RC(cooc_builder_finish(b, NULL, &err), 0, &err);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    before = count_names(dir);
    CHECK_RC(cooc_builder_open_add(&b, store, NULL, &err), 0, &err);
    CHECK_RC(feed(b, 10, 1000), 0, &err);
    cooc_builder_abort(b);
    assert_int_equal(count_names(dir), before);
    CHECK_RC(cooc_check(store, 0, NULL, &report, &err), 0, &err);
    assert_int_equal(report.increments, 30);
    free(store);
}

struct feeder {
    struct cooc_builder *b;
    unsigned from;
    int rc;
};

static void killed_additions_leave_nothing_behind(void **state)
{
    char *store = in_dir(dir, "added.cooc");
    int before = count_names(dir);
    struct cooc_merge_report merged = COOC_MERGE_REPORT;
    struct cooc_builder *b;
    struct cooc_err err;
    pid_t pid;

    (void)state;
    CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
    CHECK_RC(feed(b, 0, 10), 0, &err);
    CHECK_RC(cooc_builder_finish(b, NULL, &err), 0, &err);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (cooc_builder_open_add(&b, store, NULL, NULL) == 0)
            feed(b, 10, 1000);
        kill(getpid(), SIGKILL);
    }
    waitpid(pid, NULL, 0);
    assert_int_equal(count_names(dir), before + 1);
    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
    CHECK_RC(cooc_builder_open_add(&b, store, NULL, &err), 0, &err);
    CHECK_RC(feed(b, 10, 5), 0, &err);
    CHECK_RC(cooc_builder_finish_add(b, NULL, &merged, &err), 0, &err);
    assert_int_equal(merged.documents, 15);
    assert_int_equal(count_names(dir), before + 1);
    free(store);
}

static void *feed_some(void *self)
{
    struct feeder *f = self;

    f->rc = feed(f->b, f->from, 5000);
    return NULL;
}

static void several_threads_add_documents(void **state)
{
    char *store = in_dir(dir, "threads.cooc");
    struct cooc_index_report report = COOC_INDEX_REPORT;
    struct feeder feeders[4];
    pthread_t threads[4];
    struct cooc_builder *b;
    struct cooc_err err;

    (void)state;
    CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
    for (unsigned i = 0; i < 4; i++) {
        feeders[i] = (struct feeder){ .b = b, .from = i * 5000 };
        assert_int_equal(pthread_create(&threads[i], NULL, feed_some,
                                        &feeders[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(feeders[i].rc, 0);
    }
    CHECK_RC(cooc_builder_finish(b, &report, &err), 0, &err);
    assert_int_equal(report.documents, 20000);
    assert_int_equal(report.postings, 60000);
    assert_int_equal(report.terms, 7 + 1000 + 20000);
    CHECK_RC(cooc_check(store, 0, NULL, NULL, &err), 0, &err);
    free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_process_leaves_nothing_behind),
        cmocka_unit_test(an_aborted_builder_leaves_nothing_behind),
        cmocka_unit_test(an_aborted_addition_leaves_the_store_unchanged),
        cmocka_unit_test(killed_additions_leave_nothing_behind),
        cmocka_unit_test(several_threads_add_documents),
    };

    return cmocka_run_group_tests_name("builder_life", tests, make_dir,
                                       remove_dir);
}
