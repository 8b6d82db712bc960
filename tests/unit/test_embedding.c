/* test_embedding.c - what docs/LIBRARY.md says about the process around the
 * library: fork, chdir, truncated files, a full disk, cancelled threads. */
#include "many_docs.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define LINES 1500

static char *dir, *indexed, *counted;

/* The exit status of a child, or minus the signal that ended it. */
static int status_of(pid_t child)
{
    int status = -1;

    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static pid_t fork_child(void)
{
    pid_t child;

    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    return child;
}

/* The sum of all counts of the first terms; 0 if a query fails. */
static uint64_t sum_of(struct cooc *db)
{
    uint64_t sum = 0;

    for (uint32_t y = 1; y < 60; y++)
        for (uint32_t x = 0; x < y; x++) {
            struct cooc_pair pair;

            if (cooc_pair_get(db, x, y, &pair, NULL) < 0)
                return 0;
            sum += pair.count;
        }
    return sum;
}

/* ---- fork --------------------------------------------------------------- */

static void a_child_may_query_and_close_a_store_of_its_parent(void **state)
{
    struct cooc_err err = { 0 };
    struct cooc *db;
    uint64_t sum;
    pid_t child;

    (void)state;
    CHECK_RC(cooc_open(&db, counted, &err), 0, &err);
    sum = sum_of(db);
    assert_true(sum > 0);
    child = fork_child();
    if (child == 0) {
        bool same = sum_of(db) == sum;

        cooc_close(db);
        _exit(same ? 0 : 1);
    }
    assert_int_equal(status_of(child), 0);
    assert_int_equal(sum_of(db), sum);
    cooc_close(db);
}

static void add_texts(struct cooc_builder *b, int first, int last)
{
    struct cooc_err err = { 0 };

    for (int i = first; i < last; i++) {
        char text[64];
        int n = snprintf(text, sizeof text, "tea milk w%d w%d", i, i / 2);

        CHECK_RC(cooc_builder_text(b, NULL, 0, text, (size_t)n, &err), 0,
                 &err);
    }
}

/* What a builder makes if nothing disturbs it. */
static char *build_undisturbed(void)
{
    struct cooc_err err = { 0 };
    struct cooc_builder *b;
    char *store = in_dir(dir, "undisturbed.cooc");

    CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
    add_texts(b, 0, 200);
    CHECK_RC(cooc_builder_finish(b, NULL, &err), 0, &err);
    return store;
}

/* Some children exit, one is there until the end. */
static void a_builder_is_not_harmed_by_children(void **state)
{
    struct cooc_err err = { 0 };
    struct cooc_builder *b;
    char *want = build_undisturbed(), *store = in_dir(dir, "forked.cooc");
    pid_t waiting, child;

    (void)state;
    CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
    add_texts(b, 0, 100);
    waiting = fork_child();
    if (waiting == 0) {
        pause();
        _exit(0);
    }
    for (int i = 0; i < 3; i++) {
        child = fork_child();
        if (child == 0)
            _exit(0);
        assert_int_equal(status_of(child), 0);
        add_texts(b, 100 + 30 * i, 130 + 30 * i);
    }
    add_texts(b, 190, 200);
    CHECK_RC(cooc_builder_finish(b, NULL, &err), 0, &err);
    check_same_store(store, want);
    CHECK_RC(cooc_count(store, &full_rows, NULL, &err), 0, &err);
    kill(waiting, SIGKILL);
    assert_int_equal(status_of(waiting), -SIGKILL);
    drop_dir(store);
    drop_dir(want);
}

/* ---- chdir -------------------------------------------------------------- */

static void a_builder_works_where_it_was_opened(void **state)
{
    struct cooc_err err = { 0 };
    struct cooc_builder *b;
    char *want = build_undisturbed(), *store = in_dir(dir, "here.cooc");
    char *other = in_dir(dir, "other");

    (void)state;
    assert_int_equal(mkdir(other, 0700), 0);
    assert_int_equal(chdir(dir), 0);
    CHECK_RC(cooc_builder_open(&b, "here.cooc", NULL, &err), 0, &err);
    add_texts(b, 0, 100);
    assert_int_equal(chdir(other), 0);
    add_texts(b, 100, 200);
    CHECK_RC(cooc_builder_finish(b, NULL, &err), 0, &err);
    assert_int_equal(count_files(other), 0);
    check_same_store(store, want);
    assert_int_equal(chdir("/"), 0);
    drop_dir(other);
    drop_dir(store);
    drop_dir(want);
}

/* ---- truncated files ---------------------------------------------------- */

/* The row file of a copy of the counted store. */
static char *row_file(const char *store)
{
    DIR *d = opendir(store);
    struct dirent *e;
    char *found = NULL;

    assert_non_null(d);
    while (!found && (e = readdir(d)) != NULL)
        if (strncmp(e->d_name, "rows-", 5) == 0)
            found = in_dir(store, e->d_name);
    closedir(d);
    assert_non_null(found);
    return found;
}

static void a_file_truncated_while_it_is_mapped_raises_sigbus(void **state)
{
    struct cooc_err err = { 0 };
    char *store = in_dir(dir, "cut.cooc"), *rows;
    pid_t child;

    (void)state;
    copy_tree(counted, store);
    rows = row_file(store);
    child = fork_child();
    if (child == 0) {
        struct cooc *db = NULL;

        signal(SIGBUS, SIG_DFL); /* a sanitizer has a handler */
        if (cooc_open(&db, store, &err) < 0 || sum_of(db) == 0)
            _exit(1);
        if (truncate(rows, 0) < 0)
            _exit(2);
        sum_of(db);
        _exit(3);
    }
    assert_int_equal(status_of(child), -SIGBUS);
    free(rows);
    drop_dir(store);
}

/* Opening compares every size with the manifest. */
static void a_truncated_store_does_not_open(void **state)
{
    DIR *d = opendir(counted);
    struct dirent *e;
    char *store = in_dir(dir, "short.cooc");

    (void)state;
    assert_non_null(d);
    while ((e = readdir(d)) != NULL)
        for (int how = 0; how < 3 && !is_dot(e->d_name); how++) {
            struct cooc_err err = { 0 };
            struct cooc *db;
            struct stat st;
            char *path;

            copy_tree(counted, store);
            path = in_dir(store, e->d_name);
            assert_int_equal(stat(path, &st), 0);
            assert_int_equal(truncate(path, how == 0   ? st.st_size - 1
                                            : how == 1 ? st.st_size / 2
                                                       : 0), 0);
            CHECK_RC(cooc_open(&db, store, &err), COOC_EFORMAT, &err);
            assert_null(db);
            free(path);
        }
    closedir(d);
    drop_dir(store);
}

/* ---- a full disk -------------------------------------------------------- */

static char *disk;

static bool mount_disk(unsigned long flags, uint64_t bytes)
{
    char options[64];

    snprintf(options, sizeof options, "size=%llu", (unsigned long long)bytes);
    return mount("cooc-test", disk, "tmpfs", flags, options) == 0;
}

static int unmount_disk(void **state)
{
    (void)state;
    umount2(disk, MNT_DETACH);
    return 0;
}

static uint64_t size_of(const char *store)
{
    DIR *d = opendir(store);
    struct dirent *e;
    uint64_t sum = 0;

    assert_non_null(d);
    while ((e = readdir(d)) != NULL) {
        char *path = in_dir(store, e->d_name);
        struct stat st;

        if (!is_dot(e->d_name) && stat(path, &st) == 0)
            sum += ((uint64_t)st.st_size + 4095) / 4096 * 4096;
        free(path);
    }
    closedir(d);
    return sum;
}

static void check_full(int rc, const struct cooc_err *err)
{
    CHECK_RC(rc, COOC_EFULL, err);
    assert_int_equal(err->code, COOC_EFULL);
    assert_int_equal(err->sys_errno, ENOSPC);
    assert_int_equal(strncmp(err->path, disk, strlen(disk)), 0);
}

static void a_full_disk_is_reported_and_work_continues(void **state)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    uint64_t small = size_of(indexed), all = size_of(counted);
    char *store = in_dir(disk, "full.cooc"), *input = in_dir(dir, "many.txt");
    const char *const inputs[] = { input };
    struct cooc_err err = { 0 };

    (void)state;
    if (!mount_disk(0, small / 2)) {
        print_message("a small file system cannot be mounted here\n");
        free(store);
        free(input);
        skip();
    }
    check_full(cooc_index(inputs, 1, store, NULL, NULL, &err), &err);
    assert_int_equal(count_files(disk), 0);
    assert_true(mount_disk(MS_REMOUNT, small + (all - small) / 2 + 65536));
    copy_tree(indexed, store);
    CHECK_RC(cooc_count(store, &full_rows, NULL, &err), COOC_EFULL, &err);
    o.rows = COOC_ROWS_FULL;
    o.ignore_space = true;
    check_full(cooc_count(store, &o, NULL, &err), &err);
    assert_true(mount_disk(MS_REMOUNT, 2 * all + 65536));
    CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
    check_same_store(store, counted);
    free(store);
    free(input);
}

/* ---- pthread_cancel ----------------------------------------------------- */

static void *count_thread(void *store)
{
    cooc_count(store, &full_rows, NULL, NULL);
    return NULL;
}

/* It is not allowed, and the process may hang or leak; but the store on disk
 * is as after a crash: the next process completes it. */
static void a_cancelled_thread_leaves_a_store_that_can_be_counted(void **state)
{
    char *store = in_dir(dir, "cancelled.cooc");

    (void)state;
    for (unsigned i = 0; i < 12; i++) {
        struct cooc_err err = { 0 };
        struct cooc *db;
        pid_t child;
        int rc;

        copy_tree(indexed, store);
        child = fork_child();
        if (child == 0) {
            pthread_t thread;

            if (pthread_create(&thread, NULL, count_thread, store) != 0)
                _exit(1);
            usleep(1500 * i);
            pthread_cancel(thread);
            usleep(20000);
            _exit(0);
        }
        assert_int_equal(status_of(child), 0);
        rc = cooc_count(store, &full_rows, NULL, &err);
        if (rc != COOC_EEXISTS) /* it was done before */
            CHECK_RC(rc, 0, &err);
        CHECK_RC(cooc_open(&db, store, &err), 0, &err);
        cooc_close(db);
        check_same_store(store, counted);
    }
    drop_dir(store);
}

static int set_up(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    disk = in_dir(dir, "disk");
    assert_int_equal(mkdir(disk, 0700), 0);
    indexed = make_many(dir, "indexed.cooc", LINES, false);
    counted = in_dir(dir, "counted.cooc");
    copy_tree(indexed, counted);
    assert_int_equal(cooc_count(counted, &full_rows, NULL, NULL), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(indexed);
    free(counted);
    free(disk);
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_may_query_and_close_a_store_of_its_parent),
        cmocka_unit_test(a_builder_is_not_harmed_by_children),
        cmocka_unit_test(a_builder_works_where_it_was_opened),
        cmocka_unit_test(a_file_truncated_while_it_is_mapped_raises_sigbus),
        cmocka_unit_test(a_truncated_store_does_not_open),
        cmocka_unit_test_teardown(a_full_disk_is_reported_and_work_continues,
                                  unmount_disk),
        cmocka_unit_test(a_cancelled_thread_leaves_a_store_that_can_be_counted),
    };

    return cmocka_run_group_tests_name("embedding", tests, set_up, tear_down);
}
