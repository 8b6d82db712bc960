/* test_row_files.c - a store with so many row files that each is opened when it
 * is first needed.  Built with small shards (tests/meson.build). */
#include "tools.h"

#include "base/mem.h"
#include "store/store.h"

static char *dir, *store, *lines;

/* Documents of 60 of 700 terms. */
static void make_lines(void)
{
    uint64_t seed = 11;
    size_t len;
    FILE *f = open_memstream(&lines, &len);

    assert_non_null(f);
    for (int d = 0; d < 1200; d++) {
        for (int i = 0; i < 60; i++)
            fprintf(f, "t%u ", random_below(&seed, 700));
        fputc('\n', f);
    }
    fclose(f);
}

static void count_again(const struct cooc_count_options *o)
{
    struct cooc_err err = { 0 };
    struct cooc_count_options again = *o;

    again.recount = true;
    CHECK_RC(cooc_count(store, &again, NULL, &err), 0, &err);
}

/* The sum of all counts, or an error. */
static int sum_rows(const struct store *s, uint32_t first, uint64_t *sum,
                    struct cooc_err *err)
{
    struct row_reader r = { 0 };
    int rc = 0;

    *sum = 0;
    for (uint32_t t = first; t < s->manifest.terms && rc == 0; t++) {
        rc = store_row(s, t, &r, err);
        for (size_t i = 0; i < r.n && rc == 0; i++)
            *sum += r.entries[i].count;
    }
    row_reader_release(&r);
    return rc;
}

static void a_row_file_is_opened_when_it_is_needed(void **state)
{
    struct cooc_err err = { 0 };
    struct row_reader r = { 0 };
    struct store s;
    uint32_t there = 0;
    uint64_t sum;

    (void)state;
    CHECK_RC(store_open(&s, store, true, &err), 0, &err);
    assert_true(s.manifest.n_shards > 512);
    CHECK_RC(store_row(&s, s.manifest.terms - 1, &r, &err), 0, &err);
    for (uint32_t i = 0; i < s.manifest.n_shards; i++)
        there += s.shards[i] != NULL;
    assert_int_equal(there, 1);
    CHECK_RC(sum_rows(&s, 0, &sum, &err), 0, &err);
    assert_int_equal(sum, s.manifest.increments);
    row_reader_release(&r);
    store_close(&s);
    CHECK_RC(cooc_check(store, 2, NULL, NULL, &err), 0, &err);
    assert_int_equal(mem_live(), 0);
}

static void a_missing_row_file_is_an_error(void **state)
{
    char *path = in_dir(store, "rows-0007.bin"), *to = in_dir(dir, "moved");
    struct cooc_err err = { 0 };
    struct store s;
    uint64_t sum;

    (void)state;
    assert_int_equal(rename(path, to), 0);
    CHECK_RC(store_open(&s, store, true, &err), 0, &err);
    CHECK_RC(sum_rows(&s, 0, &sum, &err), COOC_EFORMAT, &err);
    assert_non_null(strstr(err.text, "rows-0007.bin"));
    assert_true(cooc_check(store, 1, NULL, NULL, &err) < 0);
    assert_int_equal(rename(to, path), 0);
    CHECK_RC(sum_rows(&s, 0, &sum, &err), 0, &err);
    store_close(&s);
    free(path);
    free(to);
    assert_int_equal(mem_live(), 0);
}

/* A recount writes the same bytes, so readers do not notice; with other rows,
 * or another store, they are told. */
static void a_store_that_is_replaced_is_opened_again(void **state)
{
    struct cooc_count_options compact = full_rows;
    struct cooc_err err = { 0 };
    struct store s;
    uint64_t sum;

    (void)state;
    compact.rows = COOC_ROWS_COMPACT;
    compact.compact_df = 100;
    CHECK_RC(store_open(&s, store, true, &err), 0, &err);
    count_again(&full_rows);
    CHECK_RC(sum_rows(&s, 0, &sum, &err), 0, &err);
    assert_int_equal(sum, s.manifest.increments);
    store_close(&s);
    for (int k = 0; k < 2; k++) {
        CHECK_RC(store_open(&s, store, true, &err), 0, &err);
        if (k) {
            free(store);
            store = make_store(dir, "s", "a b\nb c\n", true);
        } else {
            count_again(&compact);
        }
        CHECK_RC(sum_rows(&s, s.manifest.terms / 3, &sum, &err), COOC_EBUSY,
                 &err);
        assert_non_null(strstr(err.text, "open it again"));
        store_close(&s);
        free(store);
        store = make_store(dir, "s", lines, true);
    }
    assert_int_equal(mem_live(), 0);
}

static void opening_a_row_file_without_memory_fails_cleanly(void **state)
{
    struct cooc_err err = { 0 };
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n++) {
        struct row_reader r = { 0 };
        struct store s;
        int rc;

        mem_fail_at(n);
        rc = store_open(&s, store, true, &err);
        if (rc == 0)
            rc = store_row(&s, 300, &r, &err);
        failed = mem_failed();
        mem_fail_at(0);
        CHECK_RC(rc, failed ? COOC_ENOMEM : 0, &err);
        row_reader_release(&r);
        store_close(&s);
        assert_int_equal(mem_live(), 0);
    }
}

static int set_up(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    make_lines();
    store = make_store(dir, "s", lines, true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(store);
    free(lines);
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_file_is_opened_when_it_is_needed),
        cmocka_unit_test(a_missing_row_file_is_an_error),
        cmocka_unit_test(a_store_that_is_replaced_is_opened_again),
        cmocka_unit_test(opening_a_row_file_without_memory_fails_cleanly),
    };

    return cmocka_run_group_tests_name("row_files", tests, set_up, tear_down);
}
