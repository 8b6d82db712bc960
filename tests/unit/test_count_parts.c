/* test_count_parts.c - the gate that checks every row, and the tools that the
 * methods share: plan, pair table, row files, counters, intersections. */
#include "small_docs.h"

#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "count/naive.h"
#include "index/intersect.h"

/* ---- the gate -------------------------------------------------------- */

/* Rows that a faulty method may emit for "a b c | c a".  The correct rows are
 * row 1: a->1, row 2: a->2 b->1. */
struct emitted {
    uint32_t t;
    size_t n;
    struct entry e[3];
};

static const struct wrong {
    const char *label, *word; /* word: part of the expected message */
    struct emitted rows[4];   /* ends at the first with t == 0 */
} wrongs[] = {
    { "right", NULL,
      { { 1, 1, { { 0, 1 } } }, { 2, 2, { { 0, 2 }, { 1, 1 } } } } },
    { "unsorted", "wrong",
      { { 1, 1, { { 0, 1 } } }, { 2, 2, { { 1, 1 }, { 0, 2 } } } } },
    { "a term twice", "wrong",
      { { 1, 1, { { 0, 1 } } },
        { 2, 3, { { 0, 1 }, { 0, 1 }, { 1, 1 } } } } },
    { "the term itself", "wrong",
      { { 1, 1, { { 0, 1 } } }, { 2, 2, { { 0, 2 }, { 2, 1 } } } } },
    { "too large a term", "wrong",
      { { 1, 1, { { 0, 1 } } }, { 2, 2, { { 0, 2 }, { 9, 1 } } } } },
    { "too large a sum", "wrong",
      { { 1, 1, { { 0, 1 } } }, { 2, 2, { { 0, 2 }, { 1, 2 } } } } },
    { "too small a sum", "wrong",
      { { 1, 1, { { 0, 1 } } }, { 2, 2, { { 0, 1 }, { 1, 1 } } } } },
    { "a count of nothing", "wrong",
      { { 1, 1, { { 0, 1 } } }, { 2, 2, { { 0, 3 }, { 1, 0 } } } } },
    { "a row missing before another", "missing",
      { { 2, 2, { { 0, 2 }, { 1, 1 } } } } },
    { "the last row missing", "missing", { { 1, 1, { { 0, 1 } } } } },
    { "a row twice", "wrong",
      { { 1, 1, { { 0, 1 } } }, { 1, 1, { { 0, 1 } } },
        { 2, 2, { { 0, 2 }, { 1, 1 } } } } },
    { "rows out of order", "missing",
      { { 2, 2, { { 0, 2 }, { 1, 1 } } }, { 1, 1, { { 0, 1 } } } } },
    { "a row past the last", "wrong",
      { { 1, 1, { { 0, 1 } } }, { 2, 2, { { 0, 2 }, { 1, 1 } } },
        { 3, 1, { { 0, 1 } } } } },
    { "no row at all", "missing", { { 0, 0, { { 0, 0 } } } } },
};

static const struct wrong *playing;

static int play(const struct count_job *job, const struct row_sink *out,
                struct cooc_err *err)
{
    (void)job;
    for (size_t i = 0; i < 4 && playing->rows[i].t; i++) {
        const struct emitted *r = &playing->rows[i];
        int rc = out->row(out->self, r->t, r->e, r->n, err);

        if (rc < 0)
            return rc;
    }
    return 0;
}

static void wrong_rows_of_a_method_are_refused(void **state)
{
    const struct count_method fake = { .about = { "fake", "" },
                                       .run = play };
    struct small_docs c;

    (void)state;
    small_docs_parse(&c, "a b c | c a");
    for (size_t i = 0; i < ARRAY_LEN(wrongs); i++) {
        struct count_job job = { .fwd = c.forward, .inv = c.inverted };
        struct cooc_err err = { 0 };
        struct count_plan plan;
        struct kept_rows k;
        struct shard_sinks sinks = { .begin = keep_begin, .end = keep_end,
                                 .self = &k };
        struct watch watch;
        int rc;

        playing = &wrongs[i];
        kept_rows_init(&k, c.n_terms);
        assert_int_equal(watch_init(&watch, NULL, NULL), 0);
        CHECK_RC(count_plan_init(&plan, &c.forward, 3, &err), 0, &err);
        rc = count_run(&fake, &plan, &job, 2, &sinks, &watch, &err);
        if (rc != (playing->word ? COOC_EFORMAT : 0) ||
            (playing->word && !strstr(err.text, playing->word)))
            fail_msg("%s: returned %d, %s", playing->label, rc, err.text);
        if (k.begun != k.ended + k.dropped || k.dropped > 1 ||
            (!playing->word && k.ended != 1) || (playing->word && k.ended))
            fail_msg("%s: %u shards begun, %u ended, %u dropped",
                     playing->label, k.begun, k.ended, k.dropped);
        free(k.counts);
        count_plan_release(&plan);
        watch_release(&watch);
    }
    small_docs_release(&c);
    assert_int_equal(mem_live(), 0);
}

static int stop_at_once(void *self, const struct cooc_progress *p)
{
    (void)self;
    (void)p;
    return 1;
}

static void a_progress_callback_cancels_every_method(void **state)
{
    const struct cooc_watch hook = { .size = sizeof hook,
                                     .progress = stop_at_once };
    uint64_t seed = 3;
    struct small_docs c;
    char *dir = fresh_dir();

    (void)state;
    small_docs_random(&c, 10, 10, true, &seed);
    for (size_t m = 0; count_methods[m]; m++) {
        struct count_job job = {
            .fwd = c.forward, .inv = c.inverted,
            .params = { .flush_pairs = 10, .accumulators = 2,
                        .memory = 1 << 20, .tmpdir = dir },
        };
        struct cooc_err err = { 0 };
        struct count_plan plan;
        struct kept_rows k;
        struct shard_sinks sinks = { .begin = keep_begin, .end = keep_end,
                                 .self = &k };
        struct watch watch;

        kept_rows_init(&k, c.n_terms);
        assert_int_equal(watch_init(&watch, &hook, NULL), 0);
        watch_phase(&watch, "counting", "", 0);
        CHECK_RC(count_plan_init(&plan, &c.forward, 10, &err), 0, &err);
        CHECK_RC(count_run(count_methods[m], &plan, &job, 2, &sinks, &watch,
                           &err),
                 COOC_ECANCELLED, &err);
        free(k.counts);
        count_plan_release(&plan);
        watch_release(&watch);
    }
    small_docs_release(&c);
    drop_dir(dir);
    assert_int_equal(mem_live(), 0);
}

/* ---- the plan -------------------------------------------------------- */

static void the_cost_of_a_row_is_the_sum_of_its_counts(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        uint64_t s = seed, total = 0;
        struct small_docs c;
        struct count_plan plan;

        small_docs_random(&c, 15, 20, seed % 2 == 0, &s);
        CHECK_RC(count_plan_init(&plan, &c.forward, 20, NULL), 0,
                 &(struct cooc_err){ 0 });
        for (uint32_t t = 0; t < 20; t++) {
            uint64_t sum = 0;

            for (uint32_t u = 0; u < t; u++)
                sum += small_docs_count(&c, u, t);
            assert_int_equal(plan.cost[t], sum);
            total += sum;
        }
        assert_int_equal(plan.total, total);
        assert_int_equal(plan.n_shards, 1);
        assert_int_equal(plan.cuts[0], 0);
        assert_int_equal(plan.cuts[1], 20);
        count_plan_release(&plan);
        small_docs_release(&c);
    }
}

/* 9,000 terms in each of 3 documents: 40 M increments per document. */
static void a_large_plan_is_cut_into_shards_that_cover_it(void **state)
{
    enum { TERMS = 9000, DOCS = 3 };
    static uint32_t ids[TERMS * DOCS];
    const uint64_t off[DOCS + 1] = { 0, TERMS, 2 * TERMS, 3 * TERMS };
    const struct lists fwd = { .off = off, .ids = ids, .n = DOCS };
    struct count_plan plan;

    (void)state;
    for (uint32_t i = 0; i < TERMS * DOCS; i++)
        ids[i] = i % TERMS;
    assert_int_equal(count_plan_init(&plan, &fwd, TERMS, NULL), 0);
    assert_int_equal(plan.total, (uint64_t)DOCS * TERMS * (TERMS - 1) / 2);
    assert_true(plan.n_shards >= 5 && plan.n_shards <= 8);
    assert_int_equal(plan.cuts[0], 0);
    assert_int_equal(plan.cuts[plan.n_shards], TERMS);
    for (uint32_t i = 0; i < plan.n_shards; i++)
        assert_true(plan.cuts[i] < plan.cuts[i + 1]);
    count_plan_release(&plan);
}

/* 2.9 million postings, which are several jobs; every 7th document is
 * empty. */
static void a_plan_does_not_depend_on_threads(void **state)
{
    enum { TERMS = 3001, DOCS = 9000 };
    uint32_t *ids = mem_array((size_t)DOCS * 400, sizeof *ids);
    static uint64_t off[DOCS + 1];
    const struct lists fwd = { .off = off, .ids = ids, .n = DOCS };
    struct count_plan one, many;
    struct cooc_err err = { 0 };
    uint64_t seed = 5;

    (void)state;
    for (uint32_t d = 0; d < DOCS; d++) {
        uint32_t n = d % 7 ? 350 + random_below(&seed, 50) : 0;
        uint32_t t = random_below(&seed, 30);

        off[d + 1] = off[d];
        for (uint32_t i = 0; i < n && t < TERMS; i++) {
            ids[off[d + 1]++] = t;
            t += 1 + random_below(&seed, 14);
        }
    }
    assert_true(off[DOCS] > 5 << 19);
    CHECK_RC(count_plan_init(&one, &fwd, TERMS, &err), 0, &err);
    for (unsigned threads = 1; threads < 9; threads++)
        for (uint64_t memory = TERMS * 8; memory; memory *= 5) {
            const struct plan_room room = { .memory = memory,
                                            .threads = threads };

            CHECK_RC(count_plan_within(&many, &fwd, TERMS, &room, &err), 0,
                     &err);
            assert_memory_equal(one.cost, many.cost, TERMS * sizeof *one.cost);
            assert_int_equal(one.total, many.total);
            assert_int_equal(one.longest_row, many.longest_row);
            assert_int_equal(one.longest_doc, many.longest_doc);
            assert_int_equal(one.n_shards, many.n_shards);
            count_plan_release(&many);
            if (memory > TERMS * 200)
                break;
        }
    count_plan_release(&one);
    mem_free(ids);
    assert_int_equal(mem_live(), 0);
}

/* ---- the tools ------------------------------------------------------- */

static void a_pair_table_counts_like_a_matrix(void **state)
{
    enum { ROWS = 700, TERMS = 500 };
    static uint32_t want[ROWS][TERMS];
    struct cooc_err err = { 0 };
    struct pair_record *r;
    struct pair_table t;
    uint64_t seed = 9;
    size_t n, k = 0;

    (void)state;
    CHECK_RC(pair_table_init(&t, &err), 0, &err);
    for (int i = 0; i < 400000; i++) { /* grows from 64 K slots */
        uint32_t row = random_below(&seed, ROWS);
        uint32_t term = random_below(&seed, TERMS);

        CHECK_RC(pair_table_reserve(&t, 1, &err), 0, &err);
        pair_table_count(&t, row, term);
        want[row][term]++;
    }
    pair_table_reserve(&t, 2, &err);
    pair_table_count(&t, UINT32_MAX - 1, UINT32_MAX - 2);
    pair_table_count(&t, UINT32_MAX - 1, UINT32_MAX - 2);
    CHECK_RC(pair_table_take(&t, &r, &n, &err), 0, &err);
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t term = 0; term < TERMS; term++) {
            if (!want[row][term])
                continue;
            assert_int_equal(r[k].row, row);
            assert_int_equal(r[k].entry.term, term);
            assert_int_equal(r[k++].entry.count, want[row][term]);
        }
    assert_int_equal(n, k + 1);
    assert_int_equal(r[k].row, UINT32_MAX - 1);
    assert_int_equal(r[k].entry.count, 2);
    mem_free(r);
    CHECK_RC(pair_table_take(&t, &r, &n, &err), 0, &err); /* now empty */
    assert_int_equal(n, 0);
    mem_free(r);
    pair_table_release(&t);
    assert_int_equal(mem_live(), 0);
}

/* Random parts of a matrix are written to any number of streams; merging the
 * streams restores the matrix. */
static void merged_streams_of_pairs_add_up(void **state)
{
    enum { N = 60, STREAMS = 9 };
    char *dir = fresh_dir();

    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        uint64_t s = seed;
        size_t n_streams = random_below(&s, STREAMS);
        uint32_t want[N * N] = { 0 };
        struct spool streams[STREAMS] = { { 0 } };
        struct spool_file file;
        struct cooc_err err = { 0 };
        struct kept_rows k;
        struct row_sink sink = { .row = keep_row, .self = &k };

        CHECK_RC(spool_file_open(&file, dir, &err), 0, &err);
        for (size_t f = 0; f < n_streams; f++) {
            struct spool_writer w = { .to = &streams[f], .file = &file };

            for (uint32_t t = 0; t < N; t++) {
                struct entry e[N];
                size_t n = 0;

                if (random_below(&s, 4) == 0)
                    continue;
                for (uint32_t u = 0; u < t; u++)
                    if (random_below(&s, 3) == 0) {
                        e[n] = (struct entry){
                            u, 1 + random_below(&s, 1000) };
                        want[t * N + u] += e[n++].count;
                    }
                CHECK_RC(pairs_write_row(&w, t, e, n, &err), 0, &err);
            }
            CHECK_RC(spool_writer_end(&w, 0, &err), 0, &err);
        }
        kept_rows_init(&k, N);
        CHECK_RC(pairs_merge(&file, streams, n_streams, &sink, &err), 0, &err);
        assert_memory_equal(k.counts, want, sizeof want);
        assert_false(k.twice);
        free(k.counts);
        for (size_t f = 0; f < n_streams; f++)
            spool_drop(&streams[f], &file);
        spool_file_close(&file);
    }
    assert_int_equal(count_files(dir), 0); /* the file has no name */
    drop_dir(dir);
    assert_int_equal(mem_live(), 0);
}

static void both_ways_to_intersect_agree_with_the_definition(void **state)
{
    uint64_t seed = 14;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        bool in_a[300], in_b[300];
        uint32_t a[300], b[300], want[300], got[300];
        uint32_t p = random_below(&seed, 1025), q = random_below(&seed, 1025);
        size_t n = 0, m = 0, both = 0;

        if (round % 2)
            p /= 64; /* one list is much shorter */
        for (uint32_t i = 0; i < 300; i++) {
            in_a[i] = random_below(&seed, 1024) < p;
            in_b[i] = random_below(&seed, 1024) < q;
            if (in_a[i])
                a[n++] = i;
            if (in_b[i])
                b[m++] = i;
            if (in_a[i] && in_b[i])
                want[both++] = i;
        }
        const struct list x = { a, a + n }, y = { b, b + m };

        assert_int_equal(intersect(x, y, got), both);
        assert_memory_equal(got, want, both * sizeof *want);
        assert_int_equal(intersect(y, x, NULL), both);
        assert_int_equal(intersect_search(x, y, got), both);
        assert_memory_equal(got, want, both * sizeof *want);
        assert_int_equal(intersect_merge(x, y, NULL), both);
    }
}

static void the_terms_before_a_term_are_found(void **state)
{
    uint32_t ids[40];
    uint64_t off[2] = { 0, 0 };
    const struct lists fwd = { .off = off, .ids = ids, .n = 1 };

    (void)state;
    for (uint32_t len = 0; len <= 40; len++) {
        off[1] = len;
        for (uint32_t i = 0; i < len; i++)
            ids[i] = 3 * i + 1;
        for (uint32_t t = 0; t < 130; t++) {
            size_t n, want = 0;

            while (want < len && ids[want] < t)
                want++;
            assert_ptr_equal(terms_before(&fwd, 0, t, &n), ids);
            assert_int_equal(n, want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_rows_of_a_method_are_refused),
        cmocka_unit_test(a_progress_callback_cancels_every_method),
        cmocka_unit_test(the_cost_of_a_row_is_the_sum_of_its_counts),
        cmocka_unit_test(a_large_plan_is_cut_into_shards_that_cover_it),
        cmocka_unit_test(a_plan_does_not_depend_on_threads),
        cmocka_unit_test(a_pair_table_counts_like_a_matrix),
        cmocka_unit_test(merged_streams_of_pairs_add_up),
        cmocka_unit_test(both_ways_to_intersect_agree_with_the_definition),
        cmocka_unit_test(the_terms_before_a_term_are_found),
    };

    choose_tmpdir();
    return cmocka_run_group_tests_name("count_parts", tests, NULL, NULL);
}
