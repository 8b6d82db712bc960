/* test_resume.c - seals that identify shards, counts that are resumed, and the
 * estimate that is printed before a count. */
#include "tools.h"

#include "base/mem.h"
#include "cooc_build.h"
#include "store/manifest.h"
#include "store/seal.h"

static char *dir, *store, *want;
static char *rows, *manifest; /* contents of the files */
static size_t rows_len, manifest_len;

/* ---- the seal -------------------------------------------------------- */

static void a_seal_fits_only_its_own_shard(void **state)
{
    struct checked_file_id files[COLLECTION_FILES] = { 0 };
    struct shard_info info = { .first = 7, .last = 19, .pairs = 1234567890123,
                               .row_bytes = 88 };
    struct shard_info got = { .first = 7, .last = 19 };
    uint8_t seal[SEAL_BYTES], bad[SEAL_BYTES];
    struct row_source one = { .omitted_df = 1 }, other = one;

    (void)state;
    files[FILE_FORWARD].hash = 1;
    files[FILE_FORWARD_OFF].hash = 2;
    one.collection = seal_collection(files);
    files[FILE_FORWARD_OFF].hash = 3;
    other.collection = seal_collection(files);
    assert_true(one.collection != other.collection);
    seal_make(seal, &info, &one);
    assert_true(seal_fits(seal, &got, &one));
    assert_int_equal(got.pairs, info.pairs);
    assert_int_equal(got.row_bytes, info.row_bytes);
    assert_false(seal_fits(seal, &got, &other));
    other = one;
    other.omitted_df = 2;
    assert_false(seal_fits(seal, &got, &other));
    got.first = 8;
    assert_false(seal_fits(seal, &got, &one));
    got.first = 7;
    got.last = 20;
    assert_false(seal_fits(seal, &got, &one));
    got.last = 19;
    for (unsigned i = 0; i < SEAL_BYTES; i++) {
        memcpy(bad, seal, sizeof bad);
        bad[i] ^= 1;
        /* pairs and row_bytes are read from the seal, not checked */
        assert_int_equal(seal_fits(bad, &got, &one), i >= 24 && i < 40);
    }
}

/* ---- resuming -------------------------------------------------------- */

/* The state after a count is killed just before it writes the manifest. */
static void make_unfinished(void)
{
    char *to = in_dir(store, "rows-0000.bin");
    char *names = in_dir(store, "manifest.json");

    write_bytes(to, rows, rows_len);
    write_bytes(names, manifest, manifest_len);
    free(to);
    free(names);
}

static void a_finished_shard_is_kept(void **state)
{
    struct cooc_estimate estimate = COOC_ESTIMATE;
    struct cooc_count_report r = COOC_COUNT_REPORT;
    struct cooc_err err = { 0 };

    (void)state;
    r.estimate = &estimate;
    make_unfinished();
    CHECK_RC(cooc_count(store, &full_rows, &r, &err), 0, &err);
    assert_int_equal(estimate.shards_kept, 1);
    assert_int_equal(estimate.shards_dropped, 0);
    assert_int_equal(r.shards_done, 1);
    check_same_store(store, want);
    assert_int_equal(mem_live(), 0);
}

static void a_shard_with_a_flipped_bit_is_counted_again(void **state)
{
    char *path = in_dir(store, "rows-0000.bin");
    size_t n, m;
    char *data;

    (void)state;
    make_unfinished();
    data = read_bytes(path, &n);
    for (size_t i = 0; i < n; i += 3) {
        struct cooc_estimate estimate = COOC_ESTIMATE;
        struct cooc_count_report r = COOC_COUNT_REPORT;
        struct cooc_err err = { 0 };

        r.estimate = &estimate;
        make_unfinished();
        data[i] ^= 16;
        write_bytes(path, data, n);
        data[i] ^= 16;
        CHECK_RC(cooc_count(store, &full_rows, &r, &err), 0, &err);
        assert_int_equal(estimate.shards_kept, 0);
        assert_int_equal(estimate.shards_dropped, 1);
        check_same_store(store, want);
    }
    for (m = 0; m < n; m += 11) {
        struct cooc_estimate estimate = COOC_ESTIMATE;
        struct cooc_count_report r = COOC_COUNT_REPORT;
        struct cooc_err err = { 0 };

        r.estimate = &estimate;
        make_unfinished();
        write_bytes(path, data, m);
        CHECK_RC(cooc_count(store, &full_rows, &r, &err), 0, &err);
        assert_int_equal(estimate.shards_kept, 0);
        check_same_store(store, want);
    }
    assert_int_equal(mem_live(), 0);
    free(data);
    free(path);
}

/* Fail the 1st allocation, then the 2nd, ... until a run needs no more. */
static void resuming_out_of_memory_loses_nothing(void **state)
{
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        int rc;

        make_unfinished();
        mem_fail_at(n);
        rc = cooc_count(store, &full_rows, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(mem_live(), 0);
        if (rc == 0)
            continue;
        CHECK_RC(rc, COOC_ENOMEM, &err);
        CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
        CHECK_RC(cooc_count(store, &full_rows, NULL, &err), 0, &err);
        check_same_store(store, want);
    }
}

/* ---- the estimate ---------------------------------------------------- */

static void remove_rows(void)
{
    char *path = in_dir(store, "rows-0000.bin");

    assert_int_equal(unlink(path), 0);
    free(path);
}

struct told {
    struct cooc_estimate e;
    int calls, answer;
};

static int hear(void *self, const struct cooc_estimate *e)
{
    struct told *t = self;

    t->e = *e;
    t->calls++;
    return t->answer;
}

static void the_estimate_for_a_few_rows_is_exact(void **state)
{
    struct cooc_count_options o = full_rows;
    struct cooc_count_report r = COOC_COUNT_REPORT;
    struct cooc_err err = { 0 };
    struct told told = { .answer = 1 };
    const struct cooc_watch watch = { .size = sizeof watch, .self = &told,
                                      .estimate = hear };

    (void)state;
    make_unfinished();
    remove_rows();
    o.watch = &watch;
    CHECK_RC(cooc_count(store, &o, &r, &err), COOC_ECANCELLED, &err);
    assert_int_equal(r.shards_done, 0);
    assert_int_equal(told.calls, 1);
    told.answer = 0;
    CHECK_RC(cooc_count(store, &o, &r, &err), 0, &err);
    assert_int_equal(told.calls, 2);
    assert_int_equal(told.e.increments, r.increments);
    assert_int_equal(told.e.pairs, r.pairs);
    assert_int_equal(told.e.shards, 1);
    assert_in_range(told.e.row_bytes, r.row_bytes, r.row_bytes + 16);
    assert_true(told.e.needed > told.e.row_bytes);
    check_same_store(store, want);
}

static int set_up(void **state)
{
    const char *text = "a b c d\na b c\nb d e\nf a\n";
    char *path;

    (void)state;
    dir = fresh_dir();
    want = make_store(dir, "want", text, true);
    store = make_store(dir, "s", text, false);
    path = in_dir(want, "rows-0000.bin");
    rows = read_bytes(path, &rows_len);
    free(path);
    path = in_dir(store, "manifest.json");
    manifest = read_bytes(path, &manifest_len);
    free(path);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(store);
    free(want);
    free(rows);
    free(manifest);
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seal_fits_only_its_own_shard),
        cmocka_unit_test(a_finished_shard_is_kept),
        cmocka_unit_test(a_shard_with_a_flipped_bit_is_counted_again),
        cmocka_unit_test(resuming_out_of_memory_loses_nothing),
        cmocka_unit_test(the_estimate_for_a_few_rows_is_exact),
    };

    return cmocka_run_group_tests_name("resume", tests, set_up, tear_down);
}
