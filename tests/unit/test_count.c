/* test_count.c - every method gives every result, however it is called. */
#include "small_docs.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "own_dir.h"

/* Extreme values of the paper's parameters, and the defaults. */
static const struct count_params odd_params[] = {
    { .flush_pairs = 100000000, .block_terms = 0, .accumulators = 100,
      .memory = 64 << 20, .shared_memory = 64 << 20 },
    { .flush_pairs = 1, .block_terms = 1, .accumulators = 1,
      .memory = 64 << 20 },
    { .flush_pairs = 7, .block_terms = 2, .accumulators = 3,
      .memory = 64 << 20 },
    { .flush_pairs = 20, .block_terms = 5, .accumulators = 2, .memory = 0 },
    { .flush_pairs = 3, .block_terms = 1000, .accumulators = 4000000,
      .memory = 500 },
    { .flush_pairs = 50, .block_terms = UINT32_MAX, .accumulators = 7,
      .memory = 4096 },
};

static struct count_job job_of(const struct small_docs *c,
                               const struct count_params *p)
{
    struct count_job job = { .fwd = c->forward, .inv = c->inverted,
                             .last = c->n_terms, .params = *p };

    job.params.tmpdir = dir;
    return job;
}

/* Count through the gate with shards cut at the given rows, or as planned if
 * cuts is NULL. */
static void count_all(const struct count_method *m,
                      const struct small_docs *c,
                      const struct count_params *params, unsigned threads,
                      const uint32_t *cuts, uint32_t n_shards,
                      struct kept_rows *out)
{
    struct count_job job = job_of(c, params);
    struct shard_sinks sinks = { .begin = keep_begin, .end = keep_end,
                                 .self = out };
    struct cooc_err err = { 0 };
    struct count_plan plan;
    struct watch watch;

    kept_rows_init(out, c->n_terms);
    assert_int_equal(watch_init(&watch, NULL, NULL), 0);
    CHECK_RC(count_plan_init(&plan, &c->forward, c->n_terms, &err), 0, &err);
    if (cuts) {
        mem_free(plan.cuts);
        plan.cuts = mem_array(n_shards + 1, sizeof *cuts);
        memcpy(plan.cuts, cuts, (n_shards + 1) * sizeof *cuts);
        plan.n_shards = n_shards;
    }
    CHECK_RC(count_run(m, &plan, &job, threads, &sinks, &watch, &err), 0,
             &err);
    if (out->begun != plan.n_shards || out->ended != plan.n_shards)
        fail_msg("%s: %u of %u shards", m->about.name, out->ended,
                 plan.n_shards);
    count_plan_release(&plan);
    watch_release(&watch);
}

/* "a b 1\n" for every pair, in row order; for free(). */
static char *count_text(const struct count_method *m, const char *docs)
{
    struct kept_rows k;
    struct small_docs c;
    char *out = calloc(1, 4096), *p = out;

    small_docs_parse(&c, docs);
    count_all(m, &c, &odd_params[0], 1, NULL, 0, &k);
    for (uint32_t t = 0; t < c.n_terms; t++)
        for (uint32_t s = 0; s < t; s++)
            if (k.counts[t * c.n_terms + s])
                p += sprintf(p, "%c %c %u\n", 'a' + (int)s, 'a' + (int)t,
                             k.counts[t * c.n_terms + s]);
    free(k.counts);
    small_docs_release(&c);
    return out;
}

/* Documents are separated by '|'; results list each pair once, by row. */
static const struct { const char *label, *docs, *want; } cases[] = {
    { "no documents",         "",              ""                         },
    { "an empty document",    "|",             ""                         },
    { "one term",             "a",             ""                         },
    { "one term everywhere",  "a | a | a",     ""                         },
    { "a pair",               "a b",           "a b 1\n"                  },
    { "repeats count once",   "a b a b",       "a b 1\n"                  },
    { "order does not matter", "b a",          "a b 1\n"                  },
    { "counts add up",        "a b c | c a",   "a b 1\na c 2\nb c 1\n"    },
    { "identical documents",  "a b | a b | b a", "a b 3\n"                },
    { "no term in common",    "a b | c d",     "a b 1\nc d 1\n"           },
    { "empty ones between",   "| a b || a b |", "a b 2\n"                 },
    { "a term in every document", "a b | a c | a d",
      "a b 1\na c 1\na d 1\n"                                             },
    { "terms that are in no document", "a z",  "a z 1\n"                  },
    { "a rare term first",    "a b c d | b c d | c d",
      "a b 1\na c 1\nb c 2\na d 1\nb d 2\nc d 3\n"                        },
};

static void every_method_gives_the_expected_counts(void **state)
{
    (void)state;
    for (size_t m = 0; count_methods[m]; m++)
        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
            char *got = count_text(count_methods[m], cases[i].docs);

            if (strcmp(got, cases[i].want) != 0)
                fail_msg("%s, %s: got\n%s", count_methods[m]->about.name,
                         cases[i].label, got);
            free(got);
        }
    assert_int_equal(mem_live(), 0);
}

static void every_method_agrees_with_the_definition(void **state)
{
    (void)state;
    print_message("seeds 0 to 399\n");
    for (uint64_t round = 0; round < 400; round++) {
        uint64_t seed = round;
        uint32_t n_docs = random_below(&seed, round % 10 ? 12 : 80);
        uint32_t n_terms = 1 + random_below(&seed, round % 10 ? 14 : 90);
        const struct count_params *p =
            &odd_params[round % ARRAY_LEN(odd_params)];
        uint32_t cuts[100] = { 0 }, n_shards = 0;
        struct small_docs c;

        small_docs_random(&c, n_docs, n_terms, round % 3 == 0, &seed);
        for (uint32_t t = 1; t < n_terms; t++)
            if (random_below(&seed, 4) == 0)
                cuts[++n_shards] = t;
        cuts[++n_shards] = n_terms;
        for (size_t m = 0; count_methods[m]; m++)
            for (unsigned threads = 1; threads <= 3; threads++) {
                bool whole = !count_methods[m]->by_rows;
                struct kept_rows k;

                if (whole && (threads > 1 || (n_terms > 14 && round % 6)))
                    continue; /* slow, and single-threaded anyway */
                count_all(count_methods[m], &c, p, threads, cuts, n_shards,
                          &k);
                if (!kept_rows_right(&k, &c, 0, n_terms))
                    fail_msg("%s, seed %d, %u threads",
                             count_methods[m]->about.name, (int)round,
                             threads);
                free(k.counts);
            }
        small_docs_release(&c);
    }
    assert_int_equal(mem_live(), 0);
}

static void the_order_of_documents_does_not_matter(void **state)
{
    uint64_t seed = 5;
    struct small_docs c, turned;

    (void)state;
    small_docs_random(&c, 40, 30, true, &seed);
    small_docs_init(&turned, 40, 30);
    for (uint32_t d = 0; d < 40; d++) /* 7 and 40 are coprime */
        memcpy(turned.has + d * 30, c.has + (d * 7 + 3) % 40 * 30, 30);
    small_docs_finish(&turned);
    for (size_t m = 0; count_methods[m]; m++)
        for (size_t p = 0; p < ARRAY_LEN(odd_params); p++) {
            struct kept_rows a, b;

            count_all(count_methods[m], &c, &odd_params[p], 1, NULL, 0, &a);
            count_all(count_methods[m], &turned, &odd_params[p], 1, NULL, 0,
                      &b);
            assert_memory_equal(a.counts, b.counts,
                                30 * 30 * sizeof *a.counts);
            free(a.counts);
            free(b.counts);
        }
    small_docs_release(&c);
    small_docs_release(&turned);
}

/* Call a method for rows [first, last) directly, without the gate. */
static void count_range(const struct count_method *m, struct count_job *job,
                        uint32_t first, uint32_t last,
                        const struct row_sink *sink)
{
    struct cooc_err err = { 0 };

    job->shared = NULL;
    job->first = first;
    job->last = last;
    if (m->prepare)
        CHECK_RC(m->prepare(job, &job->shared, &err), 0, &err);
    CHECK_RC(m->run(job, sink, &err), 0, &err);
    if (m->release)
        m->release(job->shared);
}

static void any_range_of_rows_can_be_counted_separately(void **state)
{
    uint64_t seed = 11;
    struct small_docs c;

    (void)state;
    small_docs_random(&c, 9, 12, true, &seed);
    for (size_t m = 0; count_methods[m]; m++)
        for (size_t p = 0; p < ARRAY_LEN(odd_params); p++)
            for (uint32_t first = 0; first <= 12; first++)
                for (uint32_t last = first; last <= 12; last++) {
                    struct count_job job = job_of(&c, &odd_params[p]);
                    struct kept_rows k;
                    struct row_sink sink = { .row = keep_row,
                                             .parts = keep_parts,
                                             .self = &k };

                    if (!count_methods[m]->by_rows)
                        continue;
                    kept_rows_init(&k, 12);
                    count_range(count_methods[m], &job, first, last, &sink);
                    if (!kept_rows_right(&k, &c, first, last))
                        fail_msg("%s: rows %u to %u",
                                 count_methods[m]->about.name, first, last);
                    free(k.counts);
                }
    small_docs_release(&c);
    assert_int_equal(mem_live(), 0);
}

/* ---- one enormous document ------------------------------------------- */

#define LONG 70000u

/* Document 0 contains every term, every other document four terms. */
static const uint32_t few[][4] = {
    { 0, 1, 2, LONG - 1 },
    { 0, 5000, 65535, LONG - 1 },
    { 65535, 65536, LONG - 2, LONG - 1 },
};

static bool few_has(size_t d, uint32_t t)
{
    return few[d][0] == t || few[d][1] == t || few[d][2] == t ||
           few[d][3] == t;
}

static int check_long_row(void *self, uint32_t t, const struct entry *e,
                          size_t n, struct cooc_err *err)
{
    uint32_t *rows = self;

    (void)err;
    ++*rows;
    if (n != t)
        fail_msg("row %u has %zu pairs", t, n);
    for (uint32_t s = 0; s < t; s++) {
        uint32_t want = 1;

        for (size_t d = 0; d < ARRAY_LEN(few); d++)
            want += few_has(d, s) && few_has(d, t);
        if (e[s].term != s || e[s].count != want)
            fail_msg("row %u, term %u: %u, expected %u", t, e[s].term,
                     e[s].count, want);
    }
    return 0;
}

static int check_long_parts(void *self, uint32_t t,
                            const struct row_parts *row, struct cooc_err *err)
{
    struct entry *e = NULL;
    size_t cap = 0, n;
    int rc = row_parts_expand(row, &e, &cap, &n, err);

    if (rc == 0)
        rc = check_long_row(self, t, e, n, err);
    mem_free(e);
    return rc;
}

static void make_long_docs(struct small_docs *c)
{
    size_t n = LONG;

    *c = (struct small_docs){ .n_docs = 1 + ARRAY_LEN(few),
                              .n_terms = LONG };
    c->fwd_off = calloc(c->n_docs + 1, sizeof *c->fwd_off);
    c->inv_off = calloc(LONG + 1, sizeof *c->inv_off);
    c->fwd = malloc((LONG + 4 * ARRAY_LEN(few)) * sizeof *c->fwd);
    c->inv = malloc((LONG + 4 * ARRAY_LEN(few)) * sizeof *c->inv);
    for (uint32_t t = 0; t < LONG; t++)
        c->fwd[t] = t;
    c->fwd_off[1] = LONG;
    for (uint32_t d = 0; d < ARRAY_LEN(few); d++) {
        memcpy(c->fwd + n, few[d], sizeof few[d]);
        c->fwd_off[d + 2] = n += 4;
    }
    n = 0;
    for (uint32_t t = 0; t < LONG; t++) {
        c->inv[n++] = 0;
        for (uint32_t d = 0; d < ARRAY_LEN(few); d++)
            if (few_has(d, t))
                c->inv[n++] = d + 1;
        c->inv_off[t + 1] = n;
    }
    c->forward = (struct lists){ .off = c->fwd_off, .ids = c->fwd,
                                   .n = c->n_docs };
    c->inverted = (struct lists){ .off = c->inv_off, .ids = c->inv,
                                    .n = LONG };
}

static void a_document_of_70000_terms_is_counted(void **state)
{
    static const uint32_t ranges[][2] = {
        { 0, 70 }, { 4999, 5002 }, { 65530, 65540 }, { LONG - 12, LONG },
    };
    struct small_docs c;

    (void)state;
    make_long_docs(&c);
    for (size_t m = 0; count_methods[m]; m++)
        for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
            struct count_job job = job_of(&c, &odd_params[0]);
            uint32_t rows = 0, first = ranges[i][0], last = ranges[i][1];
            struct row_sink sink = { .row = check_long_row,
                                     .parts = check_long_parts,
                                     .self = &rows };

            if (!count_methods[m]->by_rows)
                continue; /* naive would emit 2.4 G pairs */
            count_range(count_methods[m], &job, first, last, &sink);
            assert_true(rows == last - first ||
                        (rows == last - first - 1 && first == 0));
        }
    small_docs_release(&c);
}

/* ---- the list of methods --------------------------------------------- */

static void methods_are_found_by_name_and_the_first_is_the_default(void **state)
{
    struct cooc_err err = { 0 };
    size_t n = 0;

    (void)state;
    for (; count_methods[n]; n++) {
        const struct cooc_method *about = cooc_method_get((unsigned)n);

        assert_ptr_equal(about, &count_methods[n]->about);
        assert_ptr_equal(count_method_find(about->name, &err),
                         count_methods[n]);
        assert_true(*about->summary != '\0');
    }
    assert_null(cooc_method_get((unsigned)n));
    assert_null(cooc_method_get(UINT32_MAX));
    assert_ptr_equal(count_method_find(NULL, &err), count_methods[0]);
    assert_null(count_method_find("list-scam", &err));
    assert_int_equal(err.code, COOC_EINVAL);
    for (size_t i = 0; i < n; i++) /* the error lists every method */
        assert_non_null(strstr(err.text, count_methods[i]->about.name));
}

/* ---- temporary files ------------------------------------------------- */

/* Flip a bit in the second half of every unnamed file in dir. */
static void damage_nameless_files(uint64_t *seed)
{
    for (int fd = 3; fd < 64; fd++) {
        char link[32], path[512] = "";
        struct stat st;
        uint8_t byte;
        off_t at;

        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        if (readlink(link, path, sizeof path - 1) < 0 ||
            strncmp(path, dir, strlen(dir)) != 0 || fstat(fd, &st) < 0 ||
            !S_ISREG(st.st_mode) || st.st_nlink != 0 || !st.st_size)
            continue;
        at = st.st_size - 1 -
             (off_t)random_below(seed, (uint32_t)(st.st_size / 2));
        assert_int_equal(pread(fd, &byte, 1, at), 1);
        byte ^= (uint8_t)(1 << random_below(seed, 8));
        assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    }
}

struct damaging_sink {
    uint64_t seed;
    bool done;
};

/* Damage the files at the first row, when the later rows are still in them. */
static int damage_at_row(void *self, uint32_t t, const struct entry *e,
                         size_t n, struct cooc_err *err)
{
    struct damaging_sink *s = self;

    (void)t;
    (void)e;
    (void)n;
    (void)err;
    if (!s->done)
        damage_nameless_files(&s->seed);
    s->done = true;
    return 0;
}

static void naive_detects_damage_in_its_temporary_files(void **state)
{
    static const struct count_params params = { .flush_pairs = 1 << 20,
                                                .memory = 64 << 20 };
    struct small_docs c;

    (void)state;
    small_docs_init(&c, 1, 2000); /* 16 MB of pairs */
    memset(c.has, true, 2000);
    small_docs_finish(&c);
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct damaging_sink s = { .seed = seed };
        struct row_sink sink = { .row = damage_at_row, .self = &s };
        struct count_job job = job_of(&c, &params);
        struct cooc_err err = { 0 };

        CHECK_RC(count_naive.run(&job, &sink, &err), COOC_EIO, &err);
        assert_true(s.done);
        assert_non_null(strstr(err.text, "in this directory is damaged"));
        assert_int_equal(mem_live(), 0);
    }
    small_docs_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_gives_the_expected_counts),
        cmocka_unit_test(every_method_agrees_with_the_definition),
        cmocka_unit_test(the_order_of_documents_does_not_matter),
        cmocka_unit_test(any_range_of_rows_can_be_counted_separately),
        cmocka_unit_test(a_document_of_70000_terms_is_counted),
        cmocka_unit_test(
            methods_are_found_by_name_and_the_first_is_the_default),
        cmocka_unit_test(naive_detects_damage_in_its_temporary_files),
    };

    return cmocka_run_group_tests_name("count", tests, make_dir, remove_dir);
}
