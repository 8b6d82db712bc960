/* test_query.c - measures by their formulas, questions by their definition. */
#include "small_docs.h"

#include <math.h>
#include <pthread.h>

#include "base/mem.h"

static char *dir;

/* ---- measures -------------------------------------------------------- */

/* Observed against expected over the four cells, as the textbook has it. */
static long double textbook_llr(const struct cooc_pair *p)
{
    const long double n = p->documents, fx = p->df_x, fy = p->df_y,
                      a = p->count;
    const long double seen[] = { a, fx - a, fy - a, n - fx - fy + a };
    const long double want[] = { fx * fy / n, fx * (n - fy) / n,
                                 (n - fx) * fy / n,
                                 (n - fx) * (n - fy) / n };
    long double sum = 0;

    for (int i = 0; i < 4; i++)
        if (seen[i] > 0)
            sum += seen[i] * (logl(seen[i]) - logl(want[i]));
    return a < want[0] ? -2 * sum : 2 * sum;
}

static long double textbook(const struct cooc_pair *p, enum cooc_measure m)
{
    const long double n = p->documents, a = p->count, px = p->df_x / n,
                      py = p->df_y / n, pxy = a / n;

    switch (m) {
    case COOC_BY_COUNT:
        return a;
    case COOC_BY_PMI:
        return a > 0 ? logl(pxy / (px * py)) / logl(2.0L) : -INFINITY;
    case COOC_BY_NPMI:
        return a == 0 ? -1 : pxy == 1 ? 0 : logl(pxy / (px * py)) / -logl(pxy);
    case COOC_BY_LLR:
        return textbook_llr(p);
    case COOC_BY_DICE:
        return px + py > 0 ? 2 * pxy / (px + py) : 0;
    case COOC_BY_JACCARD:
        return px + py > 0 ? pxy / (px + py - pxy) : 0;
    default:
        return 0;
    }
}

static void check_measures(const struct cooc_pair *p)
{
    for (int m = 0; m < COOC_MEASURES; m++) {
        double got = cooc_score(p, (enum cooc_measure)m);
        long double want = textbook(p, (enum cooc_measure)m);

        if (isnan(got) ||
            (isinf(want) ? got != (double)want
                         : !(fabsl(got - want) <=
                             1e-9L * (fabsl(want) + (long double)
                                      p->documents * 1e-6L + 1))))
            fail_msg("%s of %d, %d, %d in %d: %.12g, expected %.12g",
                     cooc_measure_name((enum cooc_measure)m), (int)p->count,
                     (int)p->df_x, (int)p->df_y, (int)p->documents, got,
                     (double)want);
    }
}

static void measures_are_those_of_the_textbook(void **state)
{
    uint64_t seed = 55;

    (void)state;
    for (uint64_t n = 1; n <= 9; n++) /* every table there is */
        for (uint64_t x = 0; x <= n; x++)
            for (uint64_t y = 0; y <= n; y++)
                for (uint64_t a = x + y > n ? x + y - n : 0; a <= x && a <= y;
                     a++) {
                    struct cooc_pair p = { .count = a, .df_x = x, .df_y = y,
                                           .documents = n };
                    check_measures(&p);
                }
    for (int i = 0; i < 20000; i++) { /* and large ones */
        struct cooc_pair p = { .documents = 1 + random_below(&seed,
                                                             4000000000) };
        uint32_t n = (uint32_t)p.documents, least;

        p.df_x = 1 + random_below(&seed, n);
        p.df_y = 1 + random_below(&seed, i % 2 ? n : 1 + n / 1000);
        least = p.df_x + p.df_y > n ? (uint32_t)(p.df_x + p.df_y - n) : 0;
        p.count = least +
                  random_below(&seed, (uint32_t)(p.df_x < p.df_y ? p.df_x
                                                                 : p.df_y) -
                                          least + 1);
        check_measures(&p);
    }
}

/* Whatever a program puts into a table by mistake. */
static void no_table_gives_nan(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 5 * 5 * 5 * 5; i++) {
        struct cooc_pair p = { .count = i % 5, .df_x = i / 5 % 5,
                               .df_y = i / 25 % 5, .documents = i / 125 };

        for (int m = -1; m <= COOC_MEASURES; m++) {
            double s = cooc_score(&p, (enum cooc_measure)m);

            if (isnan(s) || s == INFINITY)
                fail_msg("%s of %d, %d, %d in %d: %g",
                         cooc_measure_name((enum cooc_measure)m),
                         (int)p.count, (int)p.df_x, (int)p.df_y,
                         (int)p.documents, s);
        }
    }
}

static void measures_are_found_by_name(void **state)
{
    struct cooc_err err = { 0 };
    enum cooc_measure m;

    (void)state;
    for (int i = 0; i < COOC_MEASURES; i++) {
        const char *name = cooc_measure_name((enum cooc_measure)i);

        CHECK_RC(cooc_measure_find(name, &m, &err), 0, &err);
        assert_int_equal(m, i);
    }
    assert_null(cooc_measure_name(COOC_MEASURES));
    CHECK_RC(cooc_measure_find("mpi", &m, &err), COOC_EINVAL, &err);
    assert_non_null(strstr(err.text, "npmi"));
}

/* ---- questions against the definition -------------------------------- */

/* A collection as lines of letters, indexed and counted; ids[t] is the id of
 * the t-th letter, or UINT32_MAX if no document has it. */
static struct cooc *open_docs(const struct small_docs *c, uint32_t *ids)
{
    char *lines = calloc(1, (size_t)c->n_docs * (2 * c->n_terms + 3) + 9);
    char *p = lines, *store;
    struct cooc_err err = { 0 };
    struct cooc *db;

    for (uint32_t d = 0; d < c->n_docs; d++) {
        p += sprintf(p, "~"); /* no word, but no empty line either */
        for (uint32_t t = 0; t < c->n_terms; t++)
            if (c->has[d * c->n_terms + t])
                p += sprintf(p, " %c", 'a' + (int)t);
        *p++ = '\n';
    }
    store = make_store(dir, "s", lines, true);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (uint32_t t = 0; t < c->n_terms; t++) {
        char letter = (char)('a' + t);

        if (cooc_find(db, &letter, 1, &ids[t], &err) < 0)
            ids[t] = UINT32_MAX;
    }
    free(lines);
    free(store);
    return db;
}

static int better(const void *x, const void *y)
{
    const struct cooc_hit *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->pair.x != b->pair.x)
        return a->pair.x < b->pair.x ? -1 : 1;
    return a->pair.y < b->pair.y ? -1 : 1;
}

/* By definition: the pairs of letter x (or of all, x == n_terms), best
 * first. */
static size_t expect_hits(const struct small_docs *c, const uint32_t *ids,
                          uint32_t x, enum cooc_measure by,
                          uint64_t min_count, struct cooc_hit *out)
{
    size_t n = 0;

    for (uint32_t s = 0; s < c->n_terms; s++)
        for (uint32_t t = 0; t < c->n_terms; t++) {
            struct cooc_pair p = { .x = ids[s], .y = ids[t],
                                   .documents = c->n_docs };

            if (s == t || (x < c->n_terms ? s != x : ids[s] > ids[t]))
                continue;
            p.count = small_docs_count(c, s, t);
            p.df_x = small_docs_count(c, s, s);
            p.df_y = small_docs_count(c, t, t);
            if (!p.count || p.count < min_count)
                continue;
            out[n++] = (struct cooc_hit){ p, cooc_score(&p, by) };
        }
    if (n)
        qsort(out, n, sizeof *out, better);
    return n;
}

static void check_hits(const char *what, const struct cooc_hit *got, size_t n,
                       const struct cooc_hit *want, size_t m, size_t limit)
{
    if (limit && m > limit)
        m = limit;
    if (n != m)
        fail_msg("%s: %zu hits, expected %zu", what, n, m);
    for (size_t i = 0; i < n; i++)
        if (memcmp(&got[i].pair, &want[i].pair, sizeof got[i].pair) != 0 ||
            got[i].score != want[i].score)
            fail_msg("%s: hit %zu is %u-%u, expected %u-%u", what, i,
                     got[i].pair.x, got[i].pair.y, want[i].pair.x,
                     want[i].pair.y);
}

static void check_questions(const struct small_docs *c, struct cooc *db,
                            const uint32_t *ids, uint64_t round)
{
    static struct cooc_hit want[26 * 26];
    static const size_t limits[] = { 0, 1, 3, 1000 };
    struct cooc_err err = { 0 };
    struct cooc_hit *got;
    size_t n, m;

    for (uint32_t x = 0; x <= c->n_terms; x++)
        for (int by = 0; by < COOC_MEASURES; by++) {
            size_t limit = limits[(x + (uint32_t)by) % ARRAY_LEN(limits)];
            uint64_t least = (round + x) % 4;

            if (x < c->n_terms && ids[x] == UINT32_MAX)
                continue;
            m = expect_hits(c, ids, x, (enum cooc_measure)by, least, want);
            if (x < c->n_terms)
                CHECK_RC(cooc_top(db, ids[x], (enum cooc_measure)by, least,
                                  limit, &got, &n, &err),
                         0, &err);
            else
                CHECK_RC(cooc_pairs(db, (enum cooc_measure)by, least, limit,
                                    1 + (unsigned)round % 3, NULL, &got, &n,
                                    &err),
                         0, &err);
            check_hits(x < c->n_terms ? "top" : "pairs", got, n, want, m,
                       limit);
            cooc_hits_free(got);
        }
    for (uint32_t s = 0; s < c->n_terms; s++)
        for (uint32_t t = 0; t < c->n_terms; t++) {
            struct cooc_pair p;
            uint32_t *docs, d = 0;

            if (ids[s] == UINT32_MAX || ids[t] == UINT32_MAX)
                continue;
            CHECK_RC(cooc_pair(db, ids[s], ids[t], &p, &err), 0, &err);
            assert_int_equal(p.count, small_docs_count(c, s, t));
            assert_int_equal(p.df_x, small_docs_count(c, s, s));
            assert_int_equal(p.df_y, small_docs_count(c, t, t));
            CHECK_RC(cooc_docs(db, ids[s], ids[t], &docs, &n, &err), 0, &err);
            assert_int_equal(n, p.count);
            for (size_t i = 0; i < n; i++, d++) {
                while (!c->has[d * c->n_terms + s] ||
                       !c->has[d * c->n_terms + t])
                    d++;
                assert_int_equal(docs[i], d);
            }
            cooc_docs_free(docs);
        }
}

static void answers_are_those_of_the_definition(void **state)
{
    (void)state;
    print_message("seeds 0 to 39\n");
    for (uint64_t round = 0; round < 40; round++) {
        uint64_t seed = round;
        struct small_docs c;
        uint32_t ids[26];
        struct cooc *db;

        small_docs_random(&c, 1 + random_below(&seed, 60),
                          1 + random_below(&seed, 26), round % 2 == 0, &seed);
        db = open_docs(&c, ids);
        check_questions(&c, db, ids, round);
        cooc_close(db);
        small_docs_release(&c);
    }
    assert_int_equal(mem_live(), 0);
}

static void ids_that_are_not_there_are_refused(void **state)
{
    char *store = make_store(dir, "s", "a b\n", true);
    struct cooc_err err = { 0 };
    struct cooc_rows *rows;
    struct cooc_hit *hits;
    struct cooc_pair p;
    struct cooc *db;
    const char *name;
    uint32_t *docs;
    size_t n;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (uint32_t bad = 2; bad; bad = bad == 2 ? UINT32_MAX : 0) {
        CHECK_RC(cooc_pair(db, 0, bad, &p, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_pair(db, bad, 0, &p, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_top(db, bad, COOC_BY_PMI, 0, 0, &hits, &n, &err),
                 COOC_EINVAL, &err);
        assert_null(hits);
        CHECK_RC(cooc_docs(db, 0, bad, &docs, &n, &err), COOC_EINVAL, &err);
        assert_null(docs);
        CHECK_RC(cooc_term(db, bad, &name, &n, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_document(db, bad, &name, &n, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_rows_open(&rows, db, 0, bad + 1 ? bad + 1 : bad, &err),
                 COOC_EINVAL, &err);
    }
    CHECK_RC(cooc_rows_open(&rows, db, 2, 1, &err), COOC_EINVAL, &err);
    cooc_close(db);
    cooc_close(NULL);
    cooc_rows_close(NULL);
    free(store);
}

static int make_dir(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_are_those_of_the_textbook),
        cmocka_unit_test(no_table_gives_nan),
        cmocka_unit_test(measures_are_found_by_name),
        cmocka_unit_test(answers_are_those_of_the_definition),
        cmocka_unit_test(ids_that_are_not_there_are_refused),
    };

    return cmocka_run_group_tests_name("query", tests, make_dir, remove_dir);
}
