/* test_budget.c - what is reduced first when memory is short. */
#include "tools.h"

#include "jobs/budget.h"

static const struct count_size large = {
    .docs = 3000000, .terms = 30000000, .postings = 500000000,
    .longest_row = 500000, .row_room = 5000000, .longest_doc = 100000,
    .frequent = 1900000
};

/* With less memory: smaller bitmaps, then fewer threads, then batches, then an
 * error that names a sufficient size. */
static void less_memory_reduces_bitmaps_then_threads_then_batches(void **state)
{
    (void)state;
    for (size_t m = 0; count_methods[m]; m++) {
        struct budget last = { .threads = 8, .worker = UINT64_MAX,
                               .shared = UINT64_MAX };

        for (uint64_t memory = (uint64_t)1 << 36; memory >= 64 << 20;
             memory -= memory / 8) {
            struct budget b = { .method = count_methods[m], .size = large,
                                .memory = memory, .n_shards = 200,
                                .threads = 8 };
            struct cooc_err err = { 0 };
            unsigned long long need;

            if (budget_decide(&b, &err) < 0) {
                assert_int_equal(err.code, COOC_ELIMIT);
                assert_int_equal(sscanf(err.text, "%*[^0-9]%lluM", &need), 1);
                b = (struct budget){ .method = count_methods[m],
                                     .size = large, .memory = need << 20,
                                     .n_shards = 200, .threads = 8 };
                CHECK_RC(budget_decide(&b, &err), 0, &err);
                assert_true(b.memory > memory);
                break;
            }
            assert_true(b.threads >= 1 && b.threads <= 8);
            assert_true(b.batches >= last.batches);
            if (!b.batches)
                assert_true(b.threads < last.threads ||
                            b.shared <= last.shared);
            else
                assert_true(budget_fits(&b, 1, large.longest_doc,
                                        large.longest_doc));
            last = b;
        }
        assert_true(last.batches);
    }
}

/* With less memory for sums of rows: fewer threads, then an error that names a
 * sufficient size. */
static void sums_with_less_memory_use_fewer_threads(void **state)
{
    struct cooc_err err = { 0 };
    unsigned last = 8;
    int rc = 0;

    (void)state;
    for (uint64_t memory = (uint64_t)1 << 36; rc == 0;
         memory -= memory / 8) {
        struct budget b = { .size = large, .memory = memory, .sums = true,
                            .most_terms = large.terms, .n_shards = 200,
                            .threads = 8 }, more = b;
        unsigned long long need;

        rc = budget_decide(&b, &err);
        if (rc == 0) {
            assert_true(b.threads >= 1 && b.threads <= last);
            last = b.threads;
            continue;
        }
        assert_int_equal(rc, COOC_ELIMIT);
        assert_int_equal(last, 1);
        assert_int_equal(sscanf(err.text, "%*[^0-9]%lluM", &need), 1);
        more.memory = (uint64_t)need << 20;
        CHECK_RC(budget_decide(&more, &err), 0, &err);
        assert_true(more.memory > memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_memory_reduces_bitmaps_then_threads_then_batches),
        cmocka_unit_test(sums_with_less_memory_use_fewer_threads),
    };

    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
