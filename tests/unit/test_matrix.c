/* test_matrix.c - matrices of pairs, and the version of the library. */
#include "letters.h"

#include <math.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "own_dir.h"

/* Count a collection, written as lines of letters; letter[id] is a letter. */
static struct cooc *open_docs(const struct small_docs *c, uint32_t *letter,
                              size_t *n)
{
    uint32_t ids[26];
    struct cooc *db = open_letters(dir, c, ids);

    *n = 0;
    for (uint32_t t = 0; t < c->n_terms; t++)
        if (ids[t] != UINT32_MAX) {
            letter[ids[t]] = t;
            ++*n;
        }
    return db;
}

/* The pair expected at (x, y), both ids; false if there is none. */
static bool expect(const struct small_docs *c, const struct cooc_matrix *m,
                   uint32_t x, uint32_t y, const uint32_t *letter,
                   struct cooc_pair *p)
{
    *p = (struct cooc_pair){ .x = x, .y = y, .total = c->n_docs };
    p->count = small_docs_count(c, letter[x], letter[y]);
    p->fx = small_docs_count(c, letter[x], letter[x]);
    p->fy = small_docs_count(c, letter[y], letter[y]);
    if (x == y)
        return m->diagonal;
    return p->count && p->count >= m->min_count && (m->symmetric || y < x);
}

static uint32_t term_at(const struct cooc_matrix *m, size_t i)
{
    return m->terms ? m->terms[i] : (uint32_t)i;
}

static void check_row(const struct small_docs *c, const struct cooc_matrix *m,
                      size_t row, const uint32_t *letter)
{
    bool seen[26] = { false };
    struct cooc_pair p;
    size_t n = 0;

    for (uint64_t i = m->starts[row]; i < m->starts[row + 1]; i++) {
        uint32_t column = m->columns[i];

        assert_true(column < m->n && !seen[column]);
        if (!m->terms && i > m->starts[row])
            assert_true(column > m->columns[i - 1]);
        seen[column] = true;
        assert_true(expect(c, m, term_at(m, row), term_at(m, column), letter,
                           &p));
        assert_int_equal(m->counts[i], p.count);
        assert_true(m->scores[i] == cooc_score(&p, m->scoring.measure));
    }
    for (size_t column = 0; column < m->n; column++)
        n += expect(c, m, term_at(m, row), term_at(m, column), letter, &p);
    assert_int_equal(m->starts[row + 1] - m->starts[row], n);
}

static void check_matrix(const struct small_docs *c, struct cooc *db,
                         const uint32_t *letter, struct cooc_matrix *m)
{
    struct cooc_err err = { 0 };
    uint64_t starts[27];
    uint32_t columns[26 * 26], counts[26 * 26];
    double scores[26 * 26];

    m->starts = starts;
    m->columns = columns;
    m->counts = counts;
    m->scores = scores;
    CHECK_RC(cooc_matrix_size(db, m, &err), 0, &err);
    assert_true(starts[0] == 0 && starts[m->n] <= 26 * 26);
    CHECK_RC(cooc_matrix_fill(db, m, &err), 0, &err);
    for (size_t i = 0; i < m->n; i++)
        check_row(c, m, i, letter);
}

static void shuffle(uint32_t *ids, size_t n, uint64_t *seed)
{
    for (size_t i = 0; i < n; i++)
        ids[i] = (uint32_t)i;
    for (size_t i = n; i > 1; i--) {
        size_t j = random_below(seed, (uint32_t)i);
        uint32_t swap = ids[i - 1];

        ids[i - 1] = ids[j];
        ids[j] = swap;
    }
}

static void cells_agree_with_the_definition(void **state)
{
    static const char *const names[] = { "count", "npmi", "confidence" };

    (void)state;
    print_message("seeds 0 to 47\n");
    for (uint64_t round = 0; round < 48; round++) {
        uint64_t seed = round;
        uint32_t letter[26], ids[26];
        struct cooc_matrix m = { .size = sizeof m, .symmetric = round & 1,
                                 .diagonal = round & 2,
                                 .min_count = round % 5 };
        struct small_docs c;
        struct cooc *db;
        size_t n;

        small_docs_random(&c, 1 + random_below(&seed, 60),
                          1 + random_below(&seed, 26), round % 2 == 0, &seed);
        db = open_docs(&c, letter, &n);
        m.n = n ? random_below(&seed, (uint32_t)n + 1) : 0;
        if (round & 4) {
            shuffle(ids, n, &seed);
            m.terms = ids;
        }
        assert_int_equal(cooc_measure_find(names[round % 3],
                                           &m.scoring.measure, NULL), 0);
        check_matrix(&c, db, letter, &m);
        cooc_close(db);
        small_docs_release(&c);
    }
    assert_int_equal(mem_live(), 0);
}

static int say_stop(void *self, const struct cooc_progress *p)
{
    (void)p;
    return ++*(int *)self;
}

static void invalid_arguments_are_refused(void **state)
{
    char *store = make_store(dir, "s", "a b\nb c\n", false);
    uint32_t good[] = { 0, 2 }, twice[] = { 1, 1 }, bad[] = { 0, 3 };
    uint64_t starts[4] = { 0 }, dfs[3];
    uint32_t columns[6];
    int calls = 0;
    struct cooc_matrix m = { .size = sizeof m, .terms = good, .n = 2,
                             .starts = starts, .columns = columns };
    const struct cooc_watch watch = { .size = sizeof watch,
                                      .progress = say_stop,
                                      .self = &calls };
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_matrix_size(db, &m, &err), COOC_ENOTCOUNTED, &err);
    CHECK_RC(cooc_term_dfs(db, 0, 3, dfs, &err), 0, &err);
    assert_true(dfs[0] == 2 && dfs[1] == 1 && dfs[2] == 1);
    CHECK_RC(cooc_term_dfs(db, 0, 4, dfs, &err), COOC_EINVAL, &err);
    cooc_close(db);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_matrix_size(db, &m, &err), 0, &err);
    CHECK_RC(cooc_matrix_fill(db, &m, &err), 0, &err);
    m.terms = twice;
    CHECK_RC(cooc_matrix_size(db, &m, &err), COOC_EINVAL, &err);
    m.terms = bad;
    CHECK_RC(cooc_matrix_fill(db, &m, &err), COOC_EINVAL, &err);
    m.terms = NULL;
    m.n = 4;
    CHECK_RC(cooc_matrix_size(db, &m, &err), COOC_EINVAL, &err);
    m.n = 3;
    m.symmetric = true;
    CHECK_RC(cooc_matrix_size(db, &m, &err), 0, &err);
    m.scoring.smoothing = -1;
    CHECK_RC(cooc_matrix_fill(db, &m, &err), COOC_EINVAL, &err);
    m.scoring.smoothing = 0;
    starts[1]--; /* as if the rows had changed since */
    CHECK_RC(cooc_matrix_fill(db, &m, &err), COOC_EFORMAT, &err);
    m.watch = &watch;
    CHECK_RC(cooc_matrix_size(db, &m, &err), COOC_ECANCELLED, &err);
    assert_true(calls > 0);
    cooc_close(db);
    free(store);
    assert_int_equal(mem_live(), 0);
}

static void running_out_of_memory_is_clean(void **state)
{
    char *store = make_store(dir, "s", "a b c\nb c\n", true);
    struct cooc_err err = { 0 };
    struct cooc *db;
    bool failed = true;
    long before, n = 1;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    before = mem_live();
    for (; failed; n++) {
        uint64_t starts[4];
        uint32_t columns[6], ids[] = { 2, 0, 1 };
        struct cooc_matrix m = { .size = sizeof m, .terms = ids, .n = 3,
                                 .symmetric = true, .starts = starts,
                                 .columns = columns };
        int rc;

        mem_fail_at(n);
        rc = cooc_matrix_size(db, &m, &err);
        if (rc == 0)
            rc = cooc_matrix_fill(db, &m, &err);
        failed = mem_failed();
        assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        assert_int_equal(mem_live(), before);
    }
    mem_fail_at(0);
    assert_true(n > 5);
    cooc_close(db);
    free(store);
}

static void the_version_agrees_with_the_header(void **state)
{
    (void)state;
    assert_string_equal(cooc_version(), COOC_VERSION);
    assert_int_equal(cooc_version_number(), COOC_VERSION_NUMBER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_agree_with_the_definition),
        cmocka_unit_test(invalid_arguments_are_refused),
        cmocka_unit_test(running_out_of_memory_is_clean),
        cmocka_unit_test(the_version_agrees_with_the_header),
    };

    return cmocka_run_group_tests_name("matrix", tests, make_dir, remove_dir);
}
