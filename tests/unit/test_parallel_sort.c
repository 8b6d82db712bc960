/* test_parallel_sort.c - sorting on all cores, compared with qsort(). */
#include "tools.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/parallel_sort.h"
#include "base/watch.h"

/* 48 bytes, the size of a hit of cooc_pairs(). */
struct record {
    uint64_t key, id, rest[4];
};

static int compare(const void *x, const void *y)
{
    const struct record *a = x, *b = y;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static struct record *make_records(size_t n, uint64_t keys, uint64_t seed)
{
    struct record *r = mem_zarray(n, sizeof *r);

    for (size_t i = 0; i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        r[i] = (struct record){ .key = (seed >> 33) % keys, .id = i,
                                .rest = { ~i, i, i, i } };
    }
    return r;
}

static void check_sorted(size_t n, uint64_t keys, size_t n_parts,
                         unsigned threads)
{
    struct record *in = make_records(n, keys, n + keys);
    struct record *want = mem_array(n, sizeof *want);
    struct record *got = mem_array(n, sizeof *got);
    struct sort_part parts[5];

    for (size_t i = 0; i < n_parts; i++) {
        size_t from = n * i / n_parts, end = n * (i + 1) / n_parts;

        parts[i] = (struct sort_part){ in + from, end - from };
    }
    memcpy(want, in, n * sizeof *want);
    if (n)
        qsort(want, n, sizeof *want, compare);
    assert_int_equal(parallel_sort(got, parts, n_parts, sizeof *got, compare,
                                   threads, NULL, NULL), 0);
    assert_memory_equal(got, want, n * sizeof *got);
    mem_free(in);
    mem_free(want);
    mem_free(got);
}

static void every_size_and_number_of_threads_gives_the_order_of_qsort(
    void **state)
{
    static const size_t sizes[] = { 0, 1, 2, 100, 32767, 32768, 32769, 200000 };
    static const uint64_t keys[] = { 1, 2, 1000, UINT32_MAX };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        for (size_t k = 0; k < ARRAY_LEN(keys); k++)
            for (unsigned threads = 1; threads <= 3; threads++)
                check_sorted(sizes[i], keys[k], 1 + (i + k) % 5, threads);
    assert_int_equal(mem_live(), 0);
}

static int cancel(void *self, const struct cooc_progress *p)
{
    (void)p;
    return ++*(int *)self > 1; /* the first call announces the phase */
}

static void a_callback_cancels_the_sort(void **state)
{
    int calls = 0;
    struct cooc_watch hook = COOC_WATCH;
    struct record *in = make_records(100000, 50, 7);
    struct record *out = mem_array(100000, sizeof *out);
    struct sort_part part = { in, 100000 };
    struct watch watch;

    (void)state;
    hook.self = &calls;
    hook.progress = cancel;
    assert_int_equal(watch_init(&watch, &hook, NULL), 0);
    watch_phase(&watch, "sorting", "pairs", part.n);
    watch.last = -1; /* due immediately */
    assert_int_equal(parallel_sort(out, &part, 1, sizeof *out, compare, 2,
                                   &watch, NULL), COOC_ECANCELLED);
    assert_int_equal(calls, 2);
    watch_release(&watch);
    mem_free(in);
    mem_free(out);
}

static void running_out_of_memory_is_reported(void **state)
{
    struct record *in = make_records(70000, 50, 7);
    struct record *out = mem_array(70000, sizeof *out);
    struct sort_part part = { in, 70000 };
    long live = mem_live();
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = parallel_sort(out, &part, 1, sizeof *out, compare, 2, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        /* Without memory for threads, pool_for() uses one thread. */
        assert_true(rc == 0 || (failed && rc == COOC_ENOMEM));
        assert_int_equal(mem_live(), live);
    }
    mem_free(in);
    mem_free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            every_size_and_number_of_threads_gives_the_order_of_qsort),
        cmocka_unit_test(a_callback_cancels_the_sort),
        cmocka_unit_test(running_out_of_memory_is_reported),
    };

    return cmocka_run_group_tests_name("parallel_sort", tests, NULL, NULL);
}
