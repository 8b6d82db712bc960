/* test_row_sum.c - sums of rows, with and without counters for a column. */
#include "tools.h"

#include "base/mem.h"
#include "rows/row_sum.h"

enum { COLUMNS = 10000, MOST = 400 };

/* What a sum of rows is, in the simplest way. */
struct plain {
    uint32_t counts[COLUMNS];
};

/* A row of up to MOST entries that ascend, many of them in few columns. */
static size_t random_row(uint64_t *seed, struct cooc_entry *e)
{
    uint32_t step = 1 + random_below(seed, 50);
    uint32_t column = random_below(seed, COLUMNS);
    size_t n = 0;

    for (; n < MOST && column < COLUMNS; n++) {
        e[n] = (struct cooc_entry){ .term = column,
                                    .count = 1 + random_below(seed, 1000) };
        column += 1 + random_below(seed, step);
    }
    return n;
}

static void shuffle(uint64_t *seed, struct cooc_entry *e, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = random_below(seed, (uint32_t)i);
        struct cooc_entry other = e[j];

        e[j] = e[i - 1];
        e[i - 1] = other;
    }
}

/* Add a row by one of the three ways to do so, and to the plain sum too. */
static int add_somehow(struct row_sum *s, struct plain *p, uint64_t *seed,
                       struct cooc_err *err)
{
    struct cooc_entry e[MOST];
    uint32_t terms[MOST];
    size_t n = random_row(seed, e);
    uint32_t way = random_below(seed, 3);

    for (size_t i = 0; i < n; i++) {
        terms[i] = e[i].term;
        p->counts[e[i].term] += way == 2 ? 1 : e[i].count;
    }
    if (way == 0)
        return row_sum_add(s, e, n, err);
    if (way == 2)
        return row_sum_terms(s, terms, n, err);
    shuffle(seed, e, n);
    return row_sum_add_any(s, e, n, err);
}

/* The sum that was taken has what the plain one has, which is empty then. */
static void check_taken(const struct row_sum *s, size_t n, struct plain *p)
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

/* Sums of few and many rows, one after the other; out of memory or not. */
static int sum_rows(uint32_t dense, uint64_t seed, struct cooc_err *err)
{
    struct plain *p = calloc(1, sizeof *p);
    struct row_sum s;
    size_t n = 0;
    int rc = row_sum_init(&s, dense, err);

    for (uint32_t rows = 0; rows < 40 && rc == 0; rows += 13) {
        for (uint32_t i = 0; i < rows && rc == 0; i++)
            rc = add_somehow(&s, p, &seed, err);
        if (rc == 0)
            rc = row_sum_take(&s, &n, err);
        if (rc == 0)
            check_taken(&s, n, p);
    }
    row_sum_release(&s);
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

static void rare_columns_that_come_again_need_no_more_room(void **state)
{
    struct cooc_entry e[2] = { { .term = 7, .count = 3 },
                               { .term = 4000000000u, .count = 5 } };
    struct cooc_err err = { 0 };
    struct row_sum s;
    size_t n = 0;

    (void)state;
    CHECK_RC(row_sum_init(&s, 0, &err), 0, &err);
    for (int i = 0; i < 100000; i++)
        CHECK_RC(row_sum_add(&s, e, 2, &err), 0, &err);
    assert_true(s.rest_cap < 1000);
    CHECK_RC(row_sum_take(&s, &n, &err), 0, &err);
    assert_int_equal(n, 2);
    assert_int_equal(s.entries[0].term, 7);
    assert_int_equal(s.entries[0].count, 300000);
    assert_int_equal(s.entries[1].term, 4000000000u);
    assert_int_equal(s.entries[1].count, 500000);
    row_sum_release(&s);
    assert_int_equal(mem_live(), 0);
}

static void counts_as_large_as_can_be_are_kept(void **state)
{
    struct cooc_entry e[2] = { { .term = 3, .count = UINT32_MAX - 1 },
                               { .term = 90, .count = UINT32_MAX - 1 } };
    uint32_t terms[2] = { 3, 90 };
    struct cooc_err err = { 0 };
    struct row_sum s;
    size_t n = 0;

    (void)state;
    CHECK_RC(row_sum_init(&s, 64, &err), 0, &err);
    CHECK_RC(row_sum_add(&s, e, 2, &err), 0, &err);
    CHECK_RC(row_sum_terms(&s, terms, 2, &err), 0, &err);
    CHECK_RC(row_sum_take(&s, &n, &err), 0, &err);
    assert_int_equal(n, 2);
    assert_int_equal(s.entries[0].count, UINT32_MAX);
    assert_int_equal(s.entries[1].term, 90);
    assert_int_equal(s.entries[1].count, UINT32_MAX);
    row_sum_release(&s);
    assert_int_equal(mem_live(), 0);
}

static void a_lack_of_memory_is_an_error_at_every_request(void **state)
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
        cmocka_unit_test(rare_columns_that_come_again_need_no_more_room),
        cmocka_unit_test(counts_as_large_as_can_be_are_kept),
        cmocka_unit_test(a_lack_of_memory_is_an_error_at_every_request),
    };

    return cmocka_run_group_tests_name("row_sum", tests, NULL, NULL);
}
