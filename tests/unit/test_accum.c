/* test_accum.c - sums of rows, with and without a counter per column. */
#include "tools.h"

#include "base/mem.h"
#include "rows/accum.h"

enum { COLUMNS = 10000, MOST = 400 };

/* The sum of rows, computed in the simplest way. */
struct plain {
    uint32_t counts[COLUMNS];
};

/* A row of at most MOST entries in ascending order, many in few columns. */
static size_t random_row(uint64_t *seed, struct entry *e)
{
    uint32_t step = 1 + random_below(seed, 50);
    uint32_t column = random_below(seed, COLUMNS);
    size_t n = 0;

    for (; n < MOST && column < COLUMNS; n++) {
        e[n] = (struct entry){ .term = column,
                                    .count = 1 + random_below(seed, 1000) };
        column += 1 + random_below(seed, step);
    }
    return n;
}

static void shuffle(uint64_t *seed, struct entry *e, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = random_below(seed, (uint32_t)i);
        struct entry other = e[j];

        e[j] = e[i - 1];
        e[i - 1] = other;
    }
}

/* Add a row in one of the three ways, and to the plain sum as well. */
static int add_somehow(struct accum *s, struct plain *p, uint64_t *seed,
                       struct cooc_err *err)
{
    struct entry e[MOST];
    uint32_t terms[MOST];
    size_t n = random_row(seed, e);
    uint32_t way = random_below(seed, 3);

    for (size_t i = 0; i < n; i++) {
        terms[i] = e[i].term;
        p->counts[e[i].term] += way == 2 ? 1 : e[i].count;
    }
    if (way == 2)
        return accum_add(s, terms, n, err);
    if (way == 1)
        shuffle(seed, e, n);
    return accum_add_entries(s, e, n, err);
}

/* Check the sum against the plain sum, and empty the plain sum. */
static void check_taken(const struct accum *s, size_t n, struct plain *p)
{
    size_t at = 0;

    for (uint32_t c = 0; c < COLUMNS; c++) {
        if (!p->counts[c])
            continue;
        assert_true(at < n);
        assert_int_equal(s->entries[at].term, c);
        assert_int_equal(s->entries[at].count, p->counts[c]);
        at++;
    }
    assert_int_equal(at, n);
    *p = (struct plain){ 0 };
}

/* Sums of few and many rows in turn; memory may run out. */
static int sum_rows(uint32_t dense, uint64_t seed, struct cooc_err *err)
{
    struct plain *p = calloc(1, sizeof *p);
    struct accum s;
    size_t n = 0;
    int rc = accum_init(&s, dense, err);

    for (uint32_t rows = 0; rows < 40 && rc == 0; rows += 13) {
        for (uint32_t i = 0; i < rows && rc == 0; i++)
            rc = add_somehow(&s, p, &seed, err);
        if (rc == 0)
            rc = accum_take(&s, COLUMNS, &n, err);
        if (rc == 0)
            check_taken(&s, n, p);
    }
    accum_release(&s);
    free(p);
    return rc;
}

static const uint32_t widths[] = { 0,    1,    63,   64,   65,
                                   4095, 4096, 4097, 9999, COLUMNS };

static void sums_are_exact_for_any_number_of_counters(void **state)
{
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(widths); i++)
        for (uint64_t seed = 1; seed <= 20; seed++)
            CHECK_RC(sum_rows(widths[i], seed, &err), 0, &err);
    assert_int_equal(mem_live(), 0);
}

static void counters_return_exactly_what_was_counted(void **state)
{
    enum { WIDTH = 9000 };
    static uint32_t want[WIDTH];
    static const uint32_t rows[] = { 1, 3, 63, 64, 65, 4095, 4096, 4097,
                                     WIDTH };
    uint64_t seed = 21;
    struct accum a;
    size_t n = 0;

    (void)state;
    assert_int_equal(accum_init(&a, WIDTH, NULL), 0);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (uint64_t tell = 0; tell <= 10000; tell += 10000) { /* both ways */
            size_t k = 0;

            memset(want, 0, sizeof want);
            accum_begin(&a, rows[i], tell);
            for (int d = 0; d < 300; d++) {
                uint32_t t = random_below(&seed, rows[i]);

                want[t]++;
                assert_int_equal(accum_add(&a, &t, 1, NULL), 0);
            }
            assert_int_equal(accum_take(&a, rows[i], &n, NULL), 0);
            for (uint32_t t = 0; t < rows[i]; t++)
                if (want[t]) {
                    assert_int_equal(a.entries[k].term, t);
                    assert_int_equal(a.entries[k++].count, want[t]);
                }
            assert_int_equal(n, k);
        }
    accum_release(&a);
}

static void repeated_rare_columns_take_no_more_memory(void **state)
{
    struct entry e[2] = { { .term = 7, .count = 3 },
                               { .term = 4000000000u, .count = 5 } };
    struct cooc_err err = { 0 };
    struct accum s;
    size_t n = 0;

    (void)state;
    CHECK_RC(accum_init(&s, 0, &err), 0, &err);
    for (int i = 0; i < 100000; i++)
        CHECK_RC(accum_add_entries(&s, e, 2, &err), 0, &err);
    assert_true(s.rest_cap < 1000);
    CHECK_RC(accum_take(&s, UINT32_MAX, &n, &err), 0, &err);
    assert_int_equal(n, 2);
    assert_int_equal(s.entries[0].term, 7);
    assert_int_equal(s.entries[0].count, 300000);
    assert_int_equal(s.entries[1].term, 4000000000u);
    assert_int_equal(s.entries[1].count, 500000);
    accum_release(&s);
    assert_int_equal(mem_live(), 0);
}

static void the_largest_possible_counts_are_kept(void **state)
{
    struct entry e[2] = { { .term = 3, .count = UINT32_MAX - 1 },
                               { .term = 90, .count = UINT32_MAX - 1 } };
    uint32_t terms[2] = { 3, 90 };
    struct cooc_err err = { 0 };
    struct accum s;
    size_t n = 0;

    (void)state;
    CHECK_RC(accum_init(&s, 64, &err), 0, &err);
    CHECK_RC(accum_add_entries(&s, e, 2, &err), 0, &err);
    CHECK_RC(accum_add(&s, terms, 2, &err), 0, &err);
    CHECK_RC(accum_take(&s, 91, &n, &err), 0, &err);
    assert_int_equal(n, 2);
    assert_int_equal(s.entries[0].count, UINT32_MAX);
    assert_int_equal(s.entries[1].term, 90);
    assert_int_equal(s.entries[1].count, UINT32_MAX);
    accum_release(&s);
    assert_int_equal(mem_live(), 0);
}

static void every_failed_allocation_is_reported(void **state)
{
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = sum_rows(100, 5, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        assert_int_equal(mem_live(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact_for_any_number_of_counters),
        cmocka_unit_test(counters_return_exactly_what_was_counted),
        cmocka_unit_test(repeated_rare_columns_take_no_more_memory),
        cmocka_unit_test(the_largest_possible_counts_are_kept),
        cmocka_unit_test(every_failed_allocation_is_reported),
    };

    return cmocka_run_group_tests_name("accum", tests, NULL, NULL);
}
