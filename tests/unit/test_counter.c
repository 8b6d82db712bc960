/* test_counter.c - a counter and a status without memory, on stores without
 * pairs, and with wrong arguments. */
#include "tools.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "cooc_parts.h"
#include "store/journal.h"

/* Omitted rows of df 2 are a share of their own. */
static const char text[] = "a b c d\na b c\nb d e\nf a\nf g e\ng a\n";
static char *dir, *store, *full, *compact;

static const struct cooc_count_options compact_rows = {
    .size = sizeof(struct cooc_count_options),
    .rows = COOC_ROWS_COMPACT, .compact_df = 2, .threads = 1,
};

/* Remove what has been counted. */
static void forget_units(void)
{
    DIR *d = opendir(store);
    struct dirent *e;

    assert_non_null(d);
    while ((e = readdir(d)) != NULL)
        if (!strncmp(e->d_name, "rows-", 5) ||
            !strncmp(e->d_name, "omitted-", 8) ||
            !strcmp(e->d_name, "counting.parts") ||
            (e->d_name[0] == '.' && !is_dot(e->d_name)))
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
}

static void index_again(const char *lines)
{
    free(store);
    store = make_store(dir, "s", lines, false);
}

/* Open, look, count each unit, and close, as a program would. */
static int count_units(const struct cooc_count_options *o,
                       struct cooc_err *err)
{
    struct cooc_counter_info info = COOC_COUNTER_INFO;
    struct cooc_counter *c;
    uint64_t first = 0, last = 0;
    int rc = cooc_counter_open(&c, store, o, err);

    if (rc < 0) {
        assert_null(c);
        return rc;
    }
    rc = cooc_counter_info_get(c, &info, err);
    if (rc == 0)
        rc = cooc_counter_look(c, 0, info.units, err);
    if (rc == 0)
        rc = cooc_counter_range(c, true, 0, 1, &first, &last, err);
    if (rc == 0)
        rc = cooc_counter_count(c, first, last, NULL, err);
    for (uint64_t i = last; i < info.units && rc == 0; i++) {
        rc = cooc_counter_count(c, i, i + 1, NULL, err);
        assert_int_equal(cooc_counter_finished(c, i), rc == 0);
    }
    cooc_counter_close(c);
    return rc;
}

static int ask_status(struct cooc_err *err)
{
    struct cooc_status_process p = COOC_STATUS_PROCESS;
    struct cooc_status_info info = COOC_STATUS_INFO;
    struct cooc_status_unit u = COOC_STATUS_UNIT;
    struct cooc_status *s;
    int rc = cooc_status_open(&s, store, NULL, err);

    if (rc < 0) {
        assert_null(s);
        return rc;
    }
    rc = cooc_status_info_get(s, &info, err);
    for (uint64_t i = 0; i < info.shards + info.shares && rc == 0; i++)
        rc = cooc_status_unit_get(s, i, &u, err);
    for (uint64_t i = 0; i < info.processes && rc == 0; i++)
        rc = cooc_status_process_get(s, i, &p, err);
    cooc_status_close(s);
    return rc;
}

static void check_finished(const char *want)
{
    struct cooc_err err = { 0 };

    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    check_same_store(store, want);
}

/* Fail the 1st allocation, then the 2nd, ... until counting needs no more.
 * Every 16th time, finish the count. */
static void no_memory_for(const struct cooc_count_options *o, const char *want)
{
    bool failed = true;
    long n;

    index_again(text);
    for (n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = count_units(o, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(mem_live(), 0);
        CHECK_RC(rc, rc ? COOC_ENOMEM : 0, &err);
        if (n % 16 == 0) {
            CHECK_RC(count_units(o, &err), 0, &err);
            check_finished(want);
            index_again(text);
        }
        forget_units();
    }
    assert_true(n > 30);
}

static void a_counter_without_memory_fails_cleanly(void **state)
{
    const struct cooc_tuning tuning = { .size = sizeof tuning,
                                        .batch_postings = 9 };
    struct cooc_count_options batches = compact_rows, one = full_rows;

    (void)state;
    batches.tuning = &tuning;
    one.threads = 1;
    no_memory_for(&one, full);
    no_memory_for(&compact_rows, compact);
    no_memory_for(&batches, compact);
}

static void write_journal(size_t units)
{
    char *path = in_dir(store, ".tmp-part-host-1-0");
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("cooc counting 1\thost\t1\t2\tpart 1/2\n", f);
    for (size_t i = 0; i < units; i++)
        fprintf(f, "%zu\t3\n", i % 2);
    fclose(f);
    free(path);
}

/* In all states of a store. */
static void a_status_without_memory_fails_cleanly(void **state)
{
    struct cooc_err err = { 0 };

    (void)state;
    for (int k = 0; k < 4; k++) {
        bool failed = true;
        long n;

        if (k == 0)
            index_again(text);
        if (k == 1)
            CHECK_RC(count_units(&compact_rows, &err), 0, &err);
        if (k == 2)
            write_journal(100);
        if (k == 3)
            CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
        for (n = 1; failed; n++) {
            int rc;

            mem_fail_at(n);
            rc = ask_status(&err);
            failed = mem_failed();
            mem_fail_at(0);
            assert_int_equal(mem_live(), 0);
            CHECK_RC(rc, rc ? COOC_ENOMEM : 0, &err);
        }
        assert_true(n > 10);
    }
    check_same_store(store, compact);
}

/* A running process with a long journal excludes others, without memory for
 * it, too. */
static void a_busy_store_without_memory_fails_cleanly(void **state)
{
    struct cooc_err err = { 0 };
    struct journal *other;
    bool failed = true;

    (void)state;
    index_again(text);
    CHECK_RC(journal_open(&other, store, true, "part 1/2", &err), 0, &err);
    for (uint64_t i = 0; i < 100; i++)
        CHECK_RC(journal_unit(other, i, &err), 0, &err);
    for (long n = 1; failed; n++) {
        size_t live = mem_live();
        int rc;

        mem_fail_at(n);
        rc = cooc_count(store, &full_rows, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(mem_live(), live);
        CHECK_RC(rc, failed && rc == COOC_ENOMEM ? COOC_ENOMEM : COOC_EBUSY,
                 &err);
    }
    journal_close(other, false);
    assert_int_equal(mem_live(), 0);
}

static void collections_without_pairs_are_counted(void **state)
{
    static const char *const lines[] = { "", "a\n", "a\nb\nc\n", "a b\n" };
    static const char *const methods[] = { "bit-scan", "list-scan", "naive",
                                           "list-blocks", "list-pairs",
                                           "multi-scan" };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        for (size_t m = 0; m < ARRAY_LEN(methods); m++) {
            struct cooc_count_options o = compact_rows;
            struct cooc_err err = { 0 };
            char *want = make_store(dir, "w", lines[i], false);

            o.method = methods[m];
            index_again(lines[i]);
            CHECK_RC(ask_status(&err), 0, &err);
            CHECK_RC(count_units(&o, &err), 0, &err);
            CHECK_RC(ask_status(&err), 0, &err);
            CHECK_RC(cooc_count(want, &o, NULL, &err), 0, &err);
            check_finished(want);
            CHECK_RC(ask_status(&err), 0, &err);
            free(want);
        }
    assert_int_equal(mem_live(), 0);
}

/* A job that has just written all row files need not read them again, but a
 * file that is missing or of another store is counted. */
static void known_rows_are_not_read_again(void **state)
{
    const struct cooc_count_options *const orders[] = { &full_rows,
                                                        &compact_rows };
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
        struct cooc_count_options known = *orders[i];

        known.rows_known = true;
        index_again(text);
        CHECK_RC(count_units(orders[i], &err), 0, &err);
        CHECK_RC(cooc_count(store, &known, NULL, &err), 0, &err);
        check_same_store(store, i ? compact : full);
        index_again(text); /* nothing is finished */
        CHECK_RC(cooc_count(store, &known, NULL, &err), 0, &err);
        check_same_store(store, i ? compact : full);
    }
    assert_int_equal(mem_live(), 0);
}

static void wrong_arguments_are_refused(void **state)
{
    struct cooc_status_process p = COOC_STATUS_PROCESS;
    struct cooc_counter_info info = COOC_COUNTER_INFO;
    struct cooc_status_unit u = COOC_STATUS_UNIT;
    struct cooc_count_options again = full_rows;
    struct cooc_err err = { 0 };
    struct cooc_counter *c;
    struct cooc_status *s;
    uint64_t a, b;

    (void)state;
    index_again(text);
    again.recount = true;
    CHECK_RC(cooc_counter_open(&c, store, &again, &err), COOC_EINVAL, &err);
    CHECK_RC(cooc_counter_open(&c, "missing", NULL, &err), COOC_ENOTFOUND,
             &err);
    CHECK_RC(cooc_counter_open(&c, full, NULL, &err), COOC_EEXISTS, &err);
    assert_null(c);
    cooc_counter_close(NULL);
    CHECK_RC(cooc_counter_open(&c, store, &compact_rows, &err), 0, &err);
    CHECK_RC(cooc_counter_info_get(c, &info, &err), 0, &err);
    assert_int_equal(cooc_counter_cost(c, info.units), 0);
    assert_true(cooc_counter_cost(c, info.units - 1) > 0);
    assert_false(cooc_counter_finished(c, info.units));
    CHECK_RC(cooc_counter_range(c, true, 3, 3, &a, &b, &err), COOC_EINVAL,
             &err);
    CHECK_RC(cooc_counter_range(c, false, 0, 0, &a, &b, &err), COOC_EINVAL,
             &err);
    CHECK_RC(cooc_counter_look(c, 2, 1, &err), COOC_EINVAL, &err);
    CHECK_RC(cooc_counter_count(c, 0, info.units + 1, NULL, &err),
             COOC_EINVAL, &err);
    CHECK_RC(cooc_counter_count(c, UINT64_MAX, UINT64_MAX, NULL, &err),
             COOC_EINVAL, &err);
    CHECK_RC(cooc_counter_count(c, 1, 1, NULL, &err), 0, &err);
    cooc_counter_close(c);
    CHECK_RC(cooc_status_open(&s, "missing", NULL, &err), COOC_ENOTFOUND,
             &err);
    assert_null(s);
    cooc_status_close(NULL);
    CHECK_RC(cooc_status_open(&s, store, NULL, &err), 0, &err);
    CHECK_RC(cooc_status_process_get(s, 0, &p, &err), COOC_EINVAL, &err);
    CHECK_RC(cooc_status_unit_get(s, info.units, &u, &err), COOC_EINVAL,
             &err);
    cooc_status_close(s);
    assert_int_equal(mem_live(), 0);
}

static int set_up(void **state)
{
    struct cooc_err err = { 0 };

    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    store = make_store(dir, "s", text, false);
    full = make_store(dir, "full", text, true);
    compact = make_store(dir, "compact", text, false);
    CHECK_RC(cooc_count(compact, &compact_rows, NULL, &err), 0, &err);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(store);
    free(full);
    free(compact);
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_without_memory_fails_cleanly),
        cmocka_unit_test(a_status_without_memory_fails_cleanly),
        cmocka_unit_test(a_busy_store_without_memory_fails_cleanly),
        cmocka_unit_test(collections_without_pairs_are_counted),
        cmocka_unit_test(known_rows_are_not_read_again),
        cmocka_unit_test(wrong_arguments_are_refused),
    };

    return cmocka_run_group_tests_name("counter", tests, set_up, tear_down);
}
