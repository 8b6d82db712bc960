/* test_parts.c - parts cover all units exactly once, journals tell who runs, and
 * the agreement of parts is read without trusting it. */
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "count/plan.h"
#include "jobs/counting.h"
#include "own_dir.h"
#include "store/journal.h"
#include "store/parts_file.h"

static int enter_dir(void **state)
{
    return make_dir(state) || chdir(dir);
}

static int leave_dir(void **state)
{
    return chdir("/") || remove_dir(state);
}

static void ranges_cover_all_units_exactly_once(void **state)
{
    static const uint64_t work[][8] = {
        { 1, 1, 1, 1, 1, 1, 1, 1 },
        { 1000, 1, 1, 1, 1, 1, 1, 1 },
        { 1, 1, 1, 1, 1, 1, 1, 1000 },
        { UINT64_MAX, UINT64_MAX, 1, 7, UINT64_MAX, 5, 5, UINT64_MAX },
    };

    (void)state;
    for (size_t w = 0; w < ARRAY_LEN(work); w++)
        for (uint64_t n = 0; n <= 8; n++)
            for (uint64_t parts = 1; parts < 30; parts++) {
                uint64_t next = 8 - n, first, last;

                for (uint64_t i = 0; i < parts; i++) {
                    units_range(work[w], 8 - n, 8, i, parts, &first, &last);
                    assert_int_equal(first, next);
                    assert_true(last >= first && last <= 8);
                    next = last;
                }
                assert_int_equal(next, 8);
            }
}

static void ranges_have_equal_cost(void **state)
{
    static uint64_t work[10000];
    uint64_t first, last;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(work); i++)
        work[i] = 1 + i % 7;
    for (uint64_t i = 0; i < 13; i++) {
        uint64_t sum = 0;

        units_range(work, 0, ARRAY_LEN(work), i, 13, &first, &last);
        for (uint64_t k = first; k < last; k++)
            sum += work[k];
        assert_true(sum > 39999 / 13 - 8 && sum < 39999 / 13 + 8);
    }
}

/* Plan the shards of 200,000 rows of equal cost. */
static uint32_t shards_of(uint64_t cost)
{
    enum { ROWS = 200000 };
    struct cooc_err err = { 0 };
    static uint64_t off[ROWS + 1];
    static uint32_t ids[1];
    struct lists inv = { .off = off, .ids = ids, .n = ROWS };
    struct count_plan p = { 0 };
    uint32_t n;

    for (size_t i = 0; i <= ROWS; i++)
        off[i] = 300 * i;
    p.cost = mem_array(ROWS, sizeof *p.cost);
    for (size_t i = 0; i < ROWS; i++)
        p.cost[i] = cost;
    CHECK_RC(count_plan_leave_out(&p, &inv, 1, &err), 0, &err);
    assert_int_equal(p.made, ROWS);
    assert_int_equal(p.n_shares, 0);
    assert_int_equal(p.cuts[p.n_shards], ROWS);
    n = p.n_shards;
    count_plan_release(&p);
    return n;
}

static void the_number_of_shards_grows_with_the_cost(void **state)
{
    uint32_t before = 0;

    (void)state;
    assert_int_equal(shards_of(1), 1);
    for (unsigned bit = 4; bit < 46; bit++) {
        uint32_t n = shards_of((uint64_t)1 << bit);

        /* each cost of a large shard is a multiple of 2^23 */
        assert_true(n + n / 16 + 1 >= before);
        assert_true(n <= 16384);
        before = n;
    }
    assert_true(before > 15000);
    assert_in_range(shards_of(((uint64_t)1 << 31) / 200000), 120, 128);
    assert_in_range(shards_of(((uint64_t)1 << 34) / 200000), 120, 128);
    assert_in_range(shards_of(((uint64_t)1 << 36) / 200000), 240, 256);
}

static void journals_tell_who_is_running(void **state)
{
    struct journal *a = NULL, *b = NULL;
    struct journal_list list;
    struct cooc_err err = { 0 };
    char name[256];

    (void)state;
    CHECK_RC(journal_open(&a, ".", true, "part 1/2", &err), 0, &err);
    CHECK_RC(journal_open(&b, ".", true, "part\t2/2\n", &err), 0, &err);
    CHECK_RC(journal_unit(a, 7, &err), 0, &err);
    CHECK_RC(journal_unit(a, 9, &err), 0, &err);
    CHECK_RC(journal_list_read(&list, ".", &err), 0, &err);
    assert_int_equal(list.n, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct journal_entry *e = &list.entries[i];

        assert_true(e->running && e->shared);
        assert_int_equal(e->pid, getpid());
        if (e->n_units) {
            assert_string_equal(e->label, "part 1/2");
            assert_int_equal(e->n_units, 2);
            assert_int_equal(e->units[1].unit, 9);
        }
    }
    journal_list_release(&list);
    journal_close(b, true); /* has no units: removed */
    snprintf(name, sizeof name, "%s", journal_name(a));
    journal_close(a, true);
    CHECK_RC(journal_list_read(&list, ".", &err), 0, &err);
    assert_int_equal(list.n, 1);
    assert_false(list.entries[0].running);
    journal_list_release(&list);
    assert_int_equal(unlink(name), 0);
}

static void a_journal_excludes_others(void **state)
{
    struct journal *part = NULL, *count = NULL;
    struct cooc_err err = { 0 };
    int lock;

    (void)state;
    CHECK_RC(journal_open(&part, ".", true, "part 1/2", &err), 0, &err);
    CHECK_RC(journal_open(&count, ".", false, "count", &err), COOC_EBUSY,
             &err);
    assert_non_null(strstr(err.text, "(part 1/2); wait until it finishes"));
    assert_null(count);
    CHECK_RC(journal_lock(&lock, ".", false, &err), COOC_EBUSY, &err);
    CHECK_RC(journal_lock(&lock, ".", true, &err), 0, &err);
    dir_unlock(lock);
    journal_close(part, false);
    CHECK_RC(journal_open(&count, ".", false, NULL, &err), 0, &err);
    CHECK_RC(journal_lock(&lock, ".", true, &err), COOC_EBUSY, &err);
    CHECK_RC(journal_open(&part, ".", true, NULL, &err), COOC_EBUSY, &err);
    journal_close(count, false);
    assert_int_equal(mem_live(), 0);
}

static void write_journal(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void strange_journals_are_skipped_or_cut(void **state)
{
    static const char *const texts[] = {
        "", "x", "cooc counting 1\t", "cooc counting 1\thost\t1",
        "cooc counting 1\thost\t-1\t2\tlabel\n",
        "cooc counting 1\thost\t1\t2", "cooc counting 2\th\t1\t2\tl\n",
        "cooc counting 1\th\t1\t2\tlabel\n5\t6\n7\tx\n8\t9\n",
        "cooc counting 1\t\x1b[31m\t1\t2\tl\n5\t6\n7\t",
        "cooc counting 1\th\t99999999999999999999999\t2\tl\n5\t6",
    };
    struct journal_list list;
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        write_journal(".tmp-part-strange", texts[i]);
        CHECK_RC(journal_list_read(&list, ".", &err), 0, &err);
        for (size_t k = 0; k < list.n; k++) {
            assert_true(list.entries[k].n_units <= 1);
            assert_null(strchr(list.entries[k].host, '\x1b'));
        }
        journal_list_release(&list);
    }
    unlink(".tmp-part-strange");
    assert_int_equal(mem_live(), 0);
}

static void the_first_agreement_is_kept(void **state)
{
    uint32_t cuts[] = { 0, 4, 9 }, other_cuts[] = { 0, 5, 9 };
    uint64_t work[] = { 3, 5 };
    struct parts_file p = { .collection = 7, .written = COOC_ROWS_FULL,
                            .omitted_df = 1, .terms = 9, .n_shards = 1,
                            .n_shares = 1, .cuts = cuts, .work = work };
    struct parts_file other = p, read;
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(parts_file_read(&read, ".", &err), 0, &err);
    CHECK_RC(parts_file_write(&p, ".", &err), 0, &err);
    other.cuts = other_cuts;
    CHECK_RC(parts_file_write(&other, ".", &err), 0, &err);
    assert_int_equal(parts_file_read(&read, ".", &err), 1);
    assert_true(parts_file_equal(&read, &p));
    assert_false(parts_file_equal(&read, &other));
    assert_int_equal(read.work[1], 5);
    parts_file_release(&read);
    CHECK_RC(parts_file_remove(".", &err), 0, &err);
    CHECK_RC(parts_file_remove(".", &err), 0, &err);
    assert_int_equal(mem_live(), 0);
}

static void hostile_agreements_are_refused(void **state)
{
    static const struct {
        uint32_t terms, shards, shares, cuts[3];
    } cases[] = {
        { 9, 1, 1, { 0, 4, 8 } },  /* a row is missing */
        { 9, 1, 1, { 0, 10, 9 } }, /* beyond the last row */
        { 9, 1, 1, { 0, 4, 4 } },  /* empty */
        { UINT32_MAX, 1, 1, { 0, 4, 9 } },
        { 9, 0, 0, { 0 } },
    };
    uint64_t work[] = { 1, 1 };
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint32_t cuts[3];
        struct parts_file read, p = {
            .written = COOC_ROWS_FULL, .terms = cases[i].terms,
            .n_shards = cases[i].shards, .n_shares = cases[i].shares,
            .cuts = cuts, .work = work,
        };

        memcpy(cuts, cases[i].cuts, sizeof cuts);
        CHECK_RC(parts_file_write(&p, ".", &err), 0, &err);
        CHECK_RC(parts_file_read(&read, ".", &err), COOC_EFORMAT, &err);
        CHECK_RC(parts_file_remove(".", &err), 0, &err);
    }
    assert_int_equal(mem_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_cover_all_units_exactly_once),
        cmocka_unit_test(ranges_have_equal_cost),
        cmocka_unit_test(the_number_of_shards_grows_with_the_cost),
        cmocka_unit_test(journals_tell_who_is_running),
        cmocka_unit_test(a_journal_excludes_others),
        cmocka_unit_test(strange_journals_are_skipped_or_cut),
        cmocka_unit_test(the_first_agreement_is_kept),
        cmocka_unit_test(hostile_agreements_are_refused),
    };

    return cmocka_run_group_tests(tests, enter_dir, leave_dir);
}
