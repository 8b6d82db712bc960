/* test_batch.c - counting in batches within a budget: cut, count, merge. */
#include "small_docs.h"

#include "base/mem.h"
#include "base/spool.h"
#include "base/watch.h"
#include "jobs/batch.h"
#include "jobs/runs.h"
#include "own_dir.h"
#include "rows/row_sample.h"

/* ---- streams --------------------------------------------------------- */

static void interleaved_streams_are_read_back_separately(void **state)
{
    enum { STREAMS = 5 };
    static const size_t windows[] = { 4096, 4097, 8192, 16000 };
    struct spool streams[STREAMS] = { { 0 } };
    size_t written[STREAMS] = { 0 };
    struct cooc_err err = { 0 };
    struct spool_file s;
    uint64_t seed = 5;
    uint8_t byte, window[16000];

    (void)state;
    CHECK_RC(spool_file_open(&s, dir, &err), 0, &err);
    for (int i = 0; i < 400; i++) {
        uint32_t k = random_below(&seed, STREAMS);
        uint8_t piece[20000];
        size_t n = random_below(&seed, i % 8 ? 40 : sizeof piece);

        for (size_t b = 0; b < n; b++)
            piece[b] = (uint8_t)(k * 50 + written[k]++ % 47);
        CHECK_RC(spool_add(&streams[k], &s, piece, n, &err), 0, &err);
    }
    for (size_t w = 0; w < ARRAY_LEN(windows); w++)
        for (uint32_t k = 0; k < STREAMS; k++) {
            struct spool_reader r;

            spool_reader_init(&r, &s, &streams[k], window, windows[w]);
            for (size_t b = 0; b < written[k]; b++) {
                CHECK_RC(spool_read(&r, &byte, 1, &err), 0, &err);
                assert_int_equal(byte, (uint8_t)(k * 50 + b % 47));
            }
            assert_int_equal(spool_read(&r, &byte, 1, &err), COOC_EIO);
        }
    assert_int_equal(count_files(dir), 0); /* the file has no name */
    for (uint32_t k = 0; k < STREAMS; k++)
        spool_drop(&streams[k], &s);
    spool_file_close(&s);
    assert_int_equal(mem_live(), 0);
}

static void a_flipped_bit_in_a_stream_is_detected(void **state)
{
    static const size_t sizes[] = { 1, 100, 4096, 4097, 9000, 12288 };
    struct cooc_err err = { 0 };
    struct spool t = { 0 };
    struct spool_file s;
    uint64_t seed = 6, end = 0;
    uint8_t bytes[12288], window[8192], was;

    (void)state;
    CHECK_RC(spool_file_open(&s, dir, &err), 0, &err);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        for (size_t k = 0; k < sizes[i]; k++)
            bytes[k] = (uint8_t)random_u64(&seed);
        CHECK_RC(spool_add(&t, &s, bytes, sizes[i], &err), 0, &err);
        end += sizes[i];
    }
    for (int round = 0; round < 500; round++) {
        off_t at = (off_t)random_below(&seed, (uint32_t)end);
        uint8_t flipped;
        size_t cap = round % 2 ? 4096 : 8192;
        struct spool_reader r;
        int rc = 0;

        assert_int_equal(pread(s.fd, &was, 1, at), 1);
        flipped = was ^ (uint8_t)(1 << random_below(&seed, 8));
        assert_int_equal(pwrite(s.fd, &flipped, 1, at), 1);
        spool_reader_init(&r, &s, &t, window, cap);
        for (uint64_t k = 0; k < end && rc == 0; k++)
            rc = spool_read(&r, bytes, 1, &err);
        assert_int_equal(rc, COOC_EIO);
        assert_int_equal(pwrite(s.fd, &was, 1, at), 1);
        spool_reader_init(&r, &s, &t, window, cap);
        for (uint64_t k = 0; k < end; k++)
            CHECK_RC(spool_read(&r, bytes, 1, &err), 0, &err);
    }
    spool_drop(&t, &s);
    spool_file_close(&s);
    assert_int_equal(mem_live(), 0);
}

/* ---- sums ------------------------------------------------------------ */

static void rows_add_up_like_the_rows_of_a_matrix(void **state)
{
    enum { WIDTH = 9000 };
    static uint32_t want[WIDTH];
    static struct entry e[WIDTH];
    uint64_t seed = 1;
    struct cooc_err err = { 0 };

    (void)state;
    for (int round = 0; round < 60; round++) {
        uint32_t dense = round % 3 == 0 ? WIDTH
                                        : random_below(&seed, WIDTH + 1);
        struct accum s;
        size_t n, k = 0;

        CHECK_RC(accum_init(&s, dense, &err), 0, &err);
        for (int again = 0; again < 2; again++) { /* empty again after take */
            memset(want, 0, sizeof want);
            for (uint32_t rows = random_below(&seed, 40); rows > 0; rows--) {
                uint32_t often = 1 + random_below(&seed, 1000);

                n = 0;
                for (uint32_t c = 0; c < WIDTH; c++)
                    if (random_below(&seed, often) == 0) {
                        e[n] = (struct entry){
                            c, 1 + random_below(&seed, 9) };
                        want[c] += e[n++].count;
                    }
                CHECK_RC(accum_add_entries(&s, e, n, &err), 0, &err);
            }
            CHECK_RC(accum_take(&s, WIDTH, &n, &err), 0, &err);
            k = 0;
            for (uint32_t c = 0; c < WIDTH; c++)
                if (want[c]) {
                    assert_true(k < n);
                    assert_int_equal(s.entries[k].term, c);
                    assert_int_equal(s.entries[k++].count, want[c]);
                }
            assert_int_equal(k, n);
        }
        accum_release(&s);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- damage ---------------------------------------------------------- */

static int ignore_row(void *self, uint32_t t, const struct entry *e,
                      size_t n, struct cooc_err *err)
{
    uint32_t *last = self;

    (void)err;
    for (size_t i = 0; i < n; i++)
        assert_true(e[i].term < t);
    assert_true(t < *last);
    return 0;
}

/* Random bytes in place of a run are refused or read as rows, without harm. */
static void damaged_runs_are_refused_or_read_without_harm(void **state)
{
    uint64_t seed = 77;
    struct cooc_err err = { 0 };
    struct spool_file s;
    int refused = 0;

    (void)state;
    CHECK_RC(spool_file_open(&s, dir, &err), 0, &err);
    for (int round = 0; round < 3000; round++) {
        struct spool streams[3] = { { 0 } };
        const struct spool *from[] = { streams, streams + 1, streams + 2 };
        uint32_t last = 1 + random_below(&seed, 500);
        struct row_sink sink = { .row = ignore_row, .self = &last };
        struct run_merger m;
        int rc;

        for (size_t i = 0; i < 3; i++) {
            struct run_writer w = { .file = &s, .to = &streams[i] };
            uint8_t junk[20];
            size_t n = random_below(&seed, sizeof junk);

            for (uint32_t t = 1; t < last; t += 1 + t / 3) {
                struct entry e = { t - 1, 1 + (uint32_t)i };

                CHECK_RC(run_writer_row(&w, t, &e, 1, &err), 0, &err);
            }
            for (size_t b = 0; b < n; b++)
                junk[b] = (uint8_t)random_below(&seed, round % 2 ? 8 : 256);
            if (w.pending.len && random_below(&seed, 2))
                w.pending.data[random_below(&seed,
                                            (uint32_t)w.pending.len)] ^=
                    (char)(1 << random_below(&seed, 8));
            CHECK_RC(buf_add(&w.pending, junk, n, &err), 0, &err);
            CHECK_RC(run_writer_finish(&w, &err), 0, &err);
            run_writer_release(&w);
        }
        CHECK_RC(run_merger_init(&m, &s, 3, SPOOL_BLOCK, 100,
                                 &err), 0, &err);
        rc = run_merge(&m, from, 3, last, &sink, NULL, &err);
        assert_true(rc == 0 || rc == COOC_EFORMAT || rc == COOC_EIO);
        refused += rc < 0;
        run_merger_release(&m);
        for (size_t i = 0; i < 3; i++)
            spool_drop(&streams[i], &s);
    }
    assert_true(refused > 1000);
    spool_file_close(&s);
    assert_int_equal(mem_live(), 0);
}

/* ---- cutting --------------------------------------------------------- */

static struct budget budget_of(const struct small_docs *c,
                               const struct count_plan *plan,
                               const struct count_method *m,
                               uint64_t postings, uint32_t zone)
{
    struct budget b = {
        .method = m,
        .size = { .docs = c->n_docs, .terms = c->n_terms,
                  .postings = c->fwd_off[c->n_docs],
                  .longest_row = plan->longest_row,
                  .longest_doc = plan->longest_doc,
                  .frequent = c->n_terms },
        .memory = 64 << 20, .batch_postings = postings,
        .n_shards = plan->n_shards, .zone = zone, .threads = 2,
    };

    assert_int_equal(budget_decide(&b, NULL), 0);
    assert_true(b.batches);
    return b;
}

/* Each document with two or more terms is unchanged in exactly one batch; the
 * forward and the inverted view agree; ids keep their order. */
static void check_batch(const struct batch *b, const struct small_docs *c)
{
    uint32_t doc = 0;
    uint64_t at = 0;

    for (uint32_t t = 1; t < b->inverted.n; t++)
        assert_true(batch_term(b, t - 1) < batch_term(b, t));
    for (uint32_t d = b->first; d < b->last; d++) {
        uint64_t n = c->fwd_off[d + 1] - c->fwd_off[d];

        if (n < 2)
            continue;
        assert_int_equal(b->forward.off[doc + 1] - b->forward.off[doc], n);
        for (uint64_t i = 0; i < n; i++)
            assert_int_equal(
                batch_term(b, b->forward.ids[b->forward.off[doc] + i]),
                c->fwd[c->fwd_off[d] + i]);
        doc++;
    }
    assert_int_equal(doc, b->docs);
    for (uint32_t t = 0; t < b->inverted.n; t++)
        for (uint64_t i = b->inverted.off[t]; i < b->inverted.off[t + 1];
             i++, at++) {
            size_t before;
            const uint32_t *list = terms_before(
                &b->forward, b->inverted.ids[i], t, &before);

            assert_int_equal(list[before], t);
            assert_true(i == b->inverted.off[t] ||
                        b->inverted.ids[i - 1] < b->inverted.ids[i]);
        }
    assert_int_equal(at, b->postings);
}

static void every_document_is_in_exactly_one_batch(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        uint64_t s = seed, postings = 1 + random_below(&s, 60);
        struct cooc_err err = { 0 };
        struct count_plan plan;
        struct small_docs c;
        struct budget budget;
        struct batch b;
        uint32_t d = 0, docs = 0;

        small_docs_random(&c, 1 + random_below(&s, 30),
                          1 + random_below(&s, 40), seed % 2, &s);
        CHECK_RC(count_plan_init(&plan, &c.forward, c.n_terms, &err), 0,
                 &err);
        budget = budget_of(&c, &plan, count_methods[0], postings,
                           1 + random_below(&s, 40));
        while (d < c.n_docs) {
            batch_cut(&b, &c.forward, d, &budget);
            assert_int_equal(b.first, d);
            assert_true(b.last > d || !b.docs);
            assert_true(b.docs <= 1 || b.postings <= postings);
            docs += b.docs;
            CHECK_RC(batch_load(&b, &c.forward, plan.cuts, plan.n_shards,
                                &err),
                     0, &err);
            check_batch(&b, &c);
            d = b.last;
            batch_release(&b);
        }
        for (d = 0; d < c.n_docs; d++)
            docs -= c.fwd_off[d + 1] - c.fwd_off[d] >= 2;
        assert_int_equal(docs, 0);
        count_plan_release(&plan);
        small_docs_release(&c);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- counting -------------------------------------------------------- */

/* Cut the plan every few rows. */
static void cut_finely(struct count_plan *p, uint32_t n_terms, uint32_t each)
{
    uint32_t n = (n_terms + each - 1) / each;

    mem_free(p->cuts);
    p->cuts = mem_array((size_t)n + 1, sizeof *p->cuts);
    for (uint32_t i = 0; i < n; i++)
        p->cuts[i] = i * each;
    p->cuts[n] = n_terms;
    p->n_shards = n;
}

static int count_in_batches(const struct count_method *m,
                            const struct small_docs *c, uint64_t *seed,
                            struct kept_rows *k, struct runs_report *report,
                            struct cooc_err *err)
{
    struct shard_sinks sinks = { .begin = keep_begin, .end = keep_end,
                                 .self = k };
    struct count_job job = {
        .fwd = c->forward, .inv = c->inverted, .last = c->n_terms,
        .params = { .flush_pairs = 1 + random_below(seed, 90),
                    .block_terms = random_below(seed, 9),
                    .accumulators = 1 + random_below(seed, 9),
                    .head_terms = random_below(seed, 600), .tmpdir = dir },
    };
    struct runs_job given = { .fill = batch_count, .report = report };
    struct count_plan plan;
    struct budget budget;
    struct watch watch;
    uint32_t zone = 1 + random_below(seed, c->n_terms);
    int rc = count_plan_init(&plan, &c->forward, c->n_terms, err);

    if (rc < 0)
        return rc;
    assert_int_equal(watch_init(&watch, NULL, NULL), 0);
    if (random_below(seed, 2))
        cut_finely(&plan, c->n_terms, 1 + random_below(seed, 9));
    budget = budget_of(c, &plan, m, 1 + random_below(seed, 60), zone);
    given.plan = &plan;
    given.budget = &budget;
    job.given = &given;
    rc = count_run(&runs_method, &plan, &job, 2, &sinks, &watch, err);
    watch_release(&watch);
    count_plan_release(&plan);
    return rc;
}

static void batches_of_any_size_give_the_same_counts(void **state)
{
    uint32_t most = 0, merges = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 80; seed++)
        for (size_t m = 0; count_methods[m]; m++) {
            uint64_t s = seed;
            struct runs_report report = { 0 };
            struct cooc_err err = { 0 };
            struct small_docs c;
            struct kept_rows k;

            small_docs_random(&c, 1 + random_below(&s, 90),
                              1 + random_below(&s, 50), seed % 2, &s);
            kept_rows_init(&k, c.n_terms);
            CHECK_RC(count_in_batches(count_methods[m], &c, &s, &k, &report,
                                      &err),
                     0, &err);
            if (!kept_rows_right(&k, &c, 0, c.n_terms))
                fail_msg("%s is wrong, seed %d",
                         count_methods[m]->about.name, (int)seed);
            most = report.batches > most ? report.batches : most;
            merges += report.merges;
            free(k.counts);
            small_docs_release(&c);
        }
    assert_true(most > 2 * BUDGET_FAN_IN && merges > 10);
    assert_int_equal(count_files(dir), 0);
    assert_int_equal(mem_live(), 0);
}

/* Fail the n-th allocation, n growing by a twentieth, until none fails. */
static void running_out_of_memory_in_batches_is_clean(void **state)
{
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n += 1 + n / 20) {
        uint64_t seed = 4, s = 21; /* many small batches, fine cuts */
        struct runs_report report = { 0 };
        struct cooc_err err = { 0 };
        struct small_docs c;
        struct kept_rows k;
        int rc;

        small_docs_random(&c, 90, 30, false, &seed);
        kept_rows_init(&k, c.n_terms);
        mem_fail_at(n);
        rc = count_in_batches(&count_bit_scan, &c, &s, &k, &report, &err);
        failed = mem_failed();
        mem_fail_at(0);
        if (!failed || rc != COOC_ENOMEM) /* one thread is enough */
            CHECK_RC(rc, 0, &err);
        assert_true(rc < 0 || kept_rows_right(&k, &c, 0, c.n_terms));
        assert_true(failed || report.merges > 0);
        assert_int_equal(mem_live(), 0);
        free(k.counts);
        small_docs_release(&c);
    }
}

static void only_the_requested_rows_are_prepared(void **state)
{
    const struct count_method *batched = &runs_method;
    uint64_t seed = 8;
    struct cooc_err err = { 0 };
    struct count_plan plan;
    struct small_docs c;
    struct watch watch;
    uint64_t all = 0;

    (void)state;
    assert_int_equal(watch_init(&watch, NULL, NULL), 0);
    small_docs_random(&c, 40, 50, false, &seed);
    CHECK_RC(count_plan_init(&plan, &c.forward, c.n_terms, &err), 0, &err);
    cut_finely(&plan, c.n_terms, 5);
    struct budget budget = budget_of(&c, &plan, &count_list_scan, 100, 9);
    for (uint32_t first = 0; first < c.n_terms; first += 10) {
        struct runs_report report = { 0 };
        struct runs_job given = { .fill = batch_count,
                                  .budget = &budget, .plan = &plan,
                                  .report = &report };
        struct kept_rows k;
        struct row_sink sink = { .row = keep_row, .self = &k };
        struct count_job job = { .fwd = c.forward, .inv = c.inverted,
                                 .first = first, .last = c.n_terms,
                                 .given = &given, .watch = &watch,
                                 .params = { .tmpdir = dir } };

        kept_rows_init(&k, c.n_terms);
        CHECK_RC(batched->prepare(&job, &job.shared, &err), 0, &err);
        CHECK_RC(batched->run(&job, &sink, &err), 0, &err);
        batched->release(job.shared);
        assert_true(kept_rows_right(&k, &c, first, c.n_terms));
        assert_true(!all || report.bytes < all);
        all = report.bytes;
        free(k.counts);
    }
    watch_release(&watch);
    count_plan_release(&plan);
    small_docs_release(&c);
    assert_int_equal(mem_live(), 0);
}

/* ---- the budget ------------------------------------------------------ */

static void costs_kept_in_a_file_equal_those_in_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        uint64_t s = seed;
        struct cooc_err err = { 0 };
        struct count_plan a, b;
        struct small_docs c;

        small_docs_random(&c, 30, 1 + random_below(&s, 60), true, &s);
        CHECK_RC(count_plan_init(&a, &c.forward, c.n_terms, &err), 0, &err);
        const struct plan_room room = { .memory = random_below(&s, 80),
                                        .threads = 3, .dir = dir };

        CHECK_RC(count_plan_within(&b, &c.forward, c.n_terms, &room, &err), 0,
                 &err);
        assert_memory_equal(a.cost, b.cost, c.n_terms * sizeof *a.cost);
        assert_int_equal(a.total, b.total);
        assert_int_equal(a.longest_row, b.longest_row);
        assert_int_equal(a.longest_doc, b.longest_doc);
        assert_int_equal(a.n_shards, b.n_shards);
        count_plan_forget(&b, 0, c.n_terms);
        assert_memory_equal(a.cost, b.cost, c.n_terms * sizeof *a.cost);
        count_plan_release(&a);
        count_plan_release(&b);
        small_docs_release(&c);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- the sample ------------------------------------------------------ */

struct items {
    uint32_t hits[3];
    unsigned walks;
};

/* Items of cost 10, 30 and 20; a row costs as much as its item. */
static int walk_items(void *self, struct sample *s, struct cooc_err *err)
{
    static const uint64_t sizes[] = { 10, 30, 20 };
    struct items *i = self;

    (void)err;
    i->walks++;
    for (size_t k = 0; k < ARRAY_LEN(sizes); k++) {
        uint32_t hits = sample_hits(s, sizes[k]);

        s->cost += hits * sizes[k];
        if (s->count)
            i->hits[k] = hits;
    }
    return 0;
}

static void a_sample_is_drawn_at_equal_steps_at_limited_cost(void **state)
{
    static const struct {
        uint32_t n, least, limit, hits[3];
        unsigned walks;
    } cases[] = {
        { 2, 1, 50, { 0, 1, 1 }, 2 }, /* the example in sample.h */
        { 0, 1, 1, { 1, 1, 1 }, 1 },
        { 6, 1, 1000, { 1, 3, 2 }, 2 },
        { 6, 1, 80, { 0, 2, 1 }, 3 },
        { 6, 1, 20, { 0, 1, 0 }, 3 },
        { 6, 5, 20, { 0, 2, 1 }, 2 },
    };

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(cases); k++) {
        struct items i = { 0 };
        struct sample s = { .walk = walk_items, .self = &i, .sizes = 60,
                            .n = cases[k].n };

        assert_int_equal(sample_draw(&s, cases[k].least, cases[k].limit, NULL),
                         0);
        for (size_t j = 0; j < 3; j++)
            if (i.hits[j] != cases[k].hits[j])
                fail_msg("case %zu: item %zu is hit %u times", k, j,
                         i.hits[j]);
        assert_int_equal(i.walks, cases[k].walks);
        sample_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interleaved_streams_are_read_back_separately),
        cmocka_unit_test(a_flipped_bit_in_a_stream_is_detected),
        cmocka_unit_test(rows_add_up_like_the_rows_of_a_matrix),
        cmocka_unit_test(damaged_runs_are_refused_or_read_without_harm),
        cmocka_unit_test(every_document_is_in_exactly_one_batch),
        cmocka_unit_test(batches_of_any_size_give_the_same_counts),
        cmocka_unit_test(running_out_of_memory_in_batches_is_clean),
        cmocka_unit_test(only_the_requested_rows_are_prepared),
        cmocka_unit_test(costs_kept_in_a_file_equal_those_in_memory),
        cmocka_unit_test(a_sample_is_drawn_at_equal_steps_at_limited_cost),
    };

    return cmocka_run_group_tests_name("batch", tests, make_dir, remove_dir);
}
