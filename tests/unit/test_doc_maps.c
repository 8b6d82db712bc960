/* test_doc_maps.c - rows and unions from bitmaps of different widths. */
#include "small_docs.h"

#include "base/watch.h"
#include "count/omitted.h"
#include "kernel/kernel.h"
#include "rows/bulk_rows.h"

enum { DOCS = 700, TERMS = 3000, STEP = 13 };

/* Documents of very different lengths, so that their bitmaps have different
 * widths.  Some terms are in more than MAP_GROUP documents. */
static void make_docs(struct small_docs *s, uint64_t seed)
{
    small_docs_init(s, DOCS, TERMS);
    for (uint32_t d = 0; d < DOCS; d++) {
        uint32_t density = 1 + random_below(&seed, d % 9 ? 40 : 4000);

        for (uint32_t t = 0; t < TERMS; t++)
            s->has[(size_t)d * TERMS + t] =
                random_below(&seed, 1024) < 900 * density / (density + t);
    }
    small_docs_finish(s);
}

static const struct kernels *some_kernel(unsigned i)
{
    static const struct kernels *const all[] = { &kernel_scalar, &kernel_avx2,
                                                 &kernel_avx512 };
    const struct kernels *k = all[i % ARRAY_LEN(all)];

    return k->usable() ? k : &kernel_scalar;
}

/* Count row t by definition, and return the number of its pairs. */
static size_t plain_row(const struct small_docs *s, uint32_t t,
                        uint32_t *counts)
{
    size_t pairs = 0;

    for (uint32_t c = 0; c < t; c++) {
        counts[c] = 0;
        for (uint64_t i = s->inv_off[t]; i < s->inv_off[t + 1]; i++)
            counts[c] += s->has[(size_t)s->inv[i] * TERMS + c];
        pairs += counts[c] > 0;
    }
    return pairs;
}

static void check_row(const struct small_docs *s, uint32_t t,
                      const struct row_parts *row)
{
    static uint32_t counts[TERMS];
    struct entry *entries = NULL, *fast = NULL;
    struct row_expand x = { 0 };
    struct cooc_err err = { 0 };
    size_t cap = 0, n = 0, fast_cap = 0, m = 0;

    assert_true(row_parts_fit(row, t));
    assert_int_equal(row->pairs, plain_row(s, t, counts));
    CHECK_RC(row_parts_expand(row, &entries, &cap, &n, &err), 0, &err);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(entries[i].count, counts[entries[i].term]);
    CHECK_RC(row_expand(&x, row, &fast, &fast_cap, &m, &err), 0, &err);
    assert_int_equal(m, n);
    assert_memory_equal(fast, entries, n * sizeof *entries);
    row_expand_release(&x);
    mem_free(fast);
    mem_free(entries);
}

/* The widths that are tried: chosen by document, limited by the memory, or the
 * same for all. */
static const struct {
    uint32_t width;
    uint64_t memory;
} shapes[] = {
    { 0, UINT64_MAX }, { 0, ((uint64_t)2 << 20) + DOCS * 80 }, { 0, 0 },
    { 256, UINT64_MAX }, { 700, UINT64_MAX }, { 65536, UINT64_MAX },
};

static void make_maps(struct doc_maps *m, const struct small_docs *s,
                      size_t shape)
{
    const struct doc_maps_want want = {
        .fwd = &s->forward, .n_terms = TERMS, .last = TERMS,
        .width = shapes[shape].width, .memory = shapes[shape].memory,
        .threads = 1 + (unsigned)shape % 2,
    };
    struct cooc_err err = { 0 };

    CHECK_RC(doc_maps_init(m, &want, &err), 0, &err);
}

static void rows_of_bitmaps_are_the_rows_of_the_documents(void **state)
{
    struct cooc_err err = { 0 };
    struct small_docs s;

    (void)state;
    make_docs(&s, 1);
    assert_true(s.inv_off[1] > MAP_GROUP);
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        struct doc_maps maps;
        struct map_rows m;
        struct row_parts row;

        make_maps(&maps, &s, i);
        CHECK_RC(map_rows_init(&m, &maps, some_kernel((unsigned)i), TERMS,
                               &err), 0, &err);
        for (uint32_t t = 1; t < TERMS; t += t < 20 ? 1 : STEP + t % 4) {
            const uint32_t *docs = s.inv + s.inv_off[t];
            size_t n = (size_t)(s.inv_off[t + 1] - s.inv_off[t]);

            map_rows_fetch(&m, t, docs, n);
            CHECK_RC(map_rows_make(&m, t, docs, n, &row, &err), 0, &err);
            check_row(&s, t, &row);
        }
        map_rows_release(&m);
        doc_maps_release(&maps);
    }
    small_docs_release(&s);
    assert_int_equal(mem_live(), 0);
}

static void widths_differ_between_documents_and_fit_the_memory(void **state)
{
    struct small_docs s;
    struct doc_maps maps;
    uint32_t least = UINT32_MAX;

    (void)state;
    make_docs(&s, 2);
    make_maps(&maps, &s, 0);
    for (uint32_t d = 0; d < DOCS; d++)
        if (maps.of[d].steps && maps.of[d].steps < least)
            least = maps.of[d].steps;
    assert_true(least * DOC_MAP_STEP < maps.widest);
    doc_maps_release(&maps);
    make_maps(&maps, &s, 1); /* two steps per document, but not four */
    assert_true(maps.widest <= 2 * DOC_MAP_STEP);
    doc_maps_release(&maps);
    make_maps(&maps, &s, 4); /* 700 is rounded up */
    assert_int_equal(maps.widest, 768);
    doc_maps_release(&maps);
    small_docs_release(&s);
}

static void omitted_pairs_are_the_same_with_and_without_bitmaps(void **state)
{
    struct cooc_err err = { 0 };
    struct count_plan plan;
    struct small_docs s;
    struct watch watch;
    uint64_t want = 0;
    static uint32_t counts[TERMS];

    (void)state;
    make_docs(&s, 3);
    assert_int_equal(watch_init(&watch, NULL, NULL), 0);
    CHECK_RC(count_plan_init(&plan, &s.forward, TERMS, &err), 0, &err);
    plan.made = 150;
    while (s.inv_off[plan.made + 1] - s.inv_off[plan.made] > OMITTED_DF_MAX)
        plan.made++;
    for (uint32_t t = plan.made; t < TERMS; t++)
        want += plain_row(&s, t, counts);
    for (size_t i = 0; i <= ARRAY_LEN(shapes); i++) {
        struct count_job job = { .fwd = s.forward, .inv = s.inverted,
                                 .params = { .kernels =
                                                 some_kernel((unsigned)i) } };
        struct doc_maps maps = { 0 };
        uint64_t pairs = 0;

        if (i < ARRAY_LEN(shapes)) {
            make_maps(&maps, &s, i);
            job.maps = &maps;
        }
        CHECK_RC(omitted_pairs(&plan, &job, 2, &watch, &pairs, &err), 0,
                 &err);
        assert_int_equal(pairs, want);
        doc_maps_release(&maps);
    }
    count_plan_release(&plan);
    watch_release(&watch);
    small_docs_release(&s);
    assert_int_equal(mem_live(), 0);
}

static void rows_in_bulk_are_the_rows_of_the_documents(void **state)
{
    static uint32_t counts[TERMS];
    struct cooc_err err = { 0 };
    struct bulk_rows bulk = { 0 };
    struct bulk_row r = { 0 };
    struct small_docs s;

    (void)state;
    make_docs(&s, 5);
    CHECK_RC(bulk_rows_init(&bulk, &s.forward, &s.inverted, 1 << 22, 2, NULL,
                            &err), 0, &err);
    for (uint32_t t = 0; t < TERMS; t += 7) {
        CHECK_RC(bulk_row_make(&r, &bulk, t, DOCS, &err), 0, &err);
        assert_int_equal(r.n, plain_row(&s, t, counts));
        for (size_t i = 0; i < r.n; i++)
            assert_int_equal(r.entries[i].count, counts[r.entries[i].term]);
    }
    CHECK_RC(bulk_row_make(&r, &bulk, 0, 3, &err), COOC_EFORMAT, &err);
    bulk_row_release(&r);
    bulk_rows_close(&bulk);
    small_docs_release(&s);
    assert_int_equal(mem_live(), 0);
}

static void a_lack_of_memory_is_reported(void **state)
{
    struct small_docs s;
    bool failed = true;

    (void)state;
    make_docs(&s, 4);
    for (long n = 1; failed; n++) {
        const struct doc_maps_want want = { .fwd = &s.forward,
                                            .n_terms = TERMS, .last = TERMS,
                                            .threads = 1 };
        struct cooc_err err = { 0 };
        struct doc_maps maps = { 0 };
        int rc;

        mem_fail_at(n);
        rc = doc_maps_init(&maps, &want, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        doc_maps_release(&maps);
        assert_int_equal(mem_live(), 0);
    }
    small_docs_release(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_bitmaps_are_the_rows_of_the_documents),
        cmocka_unit_test(widths_differ_between_documents_and_fit_the_memory),
        cmocka_unit_test(omitted_pairs_are_the_same_with_and_without_bitmaps),
        cmocka_unit_test(rows_in_bulk_are_the_rows_of_the_documents),
        cmocka_unit_test(a_lack_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
