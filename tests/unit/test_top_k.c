/* test_top_k.c - the first k of many records, compared with a full sort. */
#include "tools.h"

#include "base/mem.h"
#include "base/top_k.h"

struct record {
    uint32_t key, id;
    char rest[100]; /* larger than the swap buffer */
};

static int compare(const void *x, const void *y)
{
    const struct record *a = x, *b = y;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* The keys of the records: random, ascending, descending, few, all equal. */
static uint32_t key_of(unsigned kind, uint32_t i, uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    switch (kind) {
    case 0:
        return (uint32_t)(*random >> 33);
    case 1:
        return i;
    case 2:
        return UINT32_MAX - i;
    case 3:
        return (uint32_t)(*random >> 33) % 3;
    default:
        return 7;
    }
}

static void check(uint32_t n, size_t limit, unsigned kind)
{
    struct top_k top = { .size = sizeof(struct record), .compare = compare,
                         .limit = limit };
    struct record *all = mem_zarray(n, sizeof *all);
    size_t want = limit && limit < n ? limit : n;
    uint64_t random = n + limit;

    for (uint32_t i = 0; i < n; i++) {
        all[i].id = i;
        all[i].key = key_of(kind, i, &random);
        memset(all[i].rest, (int)i, sizeof all[i].rest);
        assert_int_equal(top_k_add(&top, &all[i], NULL), 0);
        assert_true(!limit || top.n <= limit + limit / 2 + 16);
    }
    if (n)
        qsort(all, n, sizeof *all, compare);
    top_k_trim(&top);
    if (limit && n >= limit)
        assert_memory_equal(top_k_last(&top), &all[limit - 1], sizeof *all);
    else
        assert_null(top_k_last(&top));
    top_k_sort(&top);
    assert_int_equal(top.n, want);
    if (want)
        assert_memory_equal(top.items, all, want * sizeof *all);
    mem_free(top.items);
    mem_free(all);
}

static void every_limit_keeps_the_first_records(void **state)
{
    static const uint32_t sizes[] = { 0, 1, 2, 17, 1000, 5000 };
    static const size_t limits[] = { 0, 1, 2, 20, 100, 999, 1000, 1001 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        for (size_t k = 0; k < ARRAY_LEN(limits); k++)
            for (unsigned kind = 0; kind < 5; kind++)
                check(sizes[i], limits[k], kind);
    assert_int_equal(mem_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_keeps_the_first_records),
    };

    return cmocka_run_group_tests_name("top_k", tests, NULL, NULL);
}
