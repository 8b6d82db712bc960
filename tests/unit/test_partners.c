/* test_partners.c - every way of finding the partners of terms compared with
 * the definition: rows, single pairs, ids, bitmaps, and the other documents. */
#include "many_docs.h"
#include "own_dir.h"
#include "rank_tools.h"

#include <pthread.h>

#include "base/mem.h"
#include "cooc_bulk.h"
#include "query/db.h"

enum { DOCS = 400, TERMS_MAX = 2560 };

static struct cooc *open_many(const char *store, uint32_t *terms)
{
    struct cooc_info info = COOC_INFO;
    struct cooc_err err = { 0 };
    struct cooc *db;

    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
    *terms = (uint32_t)info.terms;
    assert_true(*terms > 1000 && *terms <= TERMS_MAX);
    return db;
}

/* By definition: count the terms of the documents with all or any terms. */
static void define(struct cooc *db, const uint32_t *terms, size_t n_terms,
                   enum cooc_match match, uint64_t counts[TERMS_MAX])
{
    struct cooc_err err = { 0 };
    uint32_t *docs;
    size_t n;

    memset(counts, 0, TERMS_MAX * sizeof *counts);
    CHECK_RC(cooc_docs(db, terms, n_terms, match, &docs, &n, &err), 0, &err);
    for (size_t i = 0; i < n; i++) {
        const uint32_t *of;
        uint64_t len;

        CHECK_RC(cooc_document_terms(db, docs[i], &of, &len, &err), 0, &err);
        for (uint64_t k = 0; k < len; k++)
            counts[of[k]]++;
    }
    for (size_t i = 0; i < n_terms; i++)
        counts[terms[i]] = 0;
    cooc_free(docs);
}

/* Compare all partners with the definition. */
static void check_partners(struct cooc *db, const uint32_t *terms,
                           size_t n_terms, enum cooc_match match)
{
    struct cooc_rank_options all = COOC_RANK_OPTIONS;
    static uint64_t want[TERMS_MAX];
    struct cooc_err err = { 0 };
    struct cooc_hit *hits;
    size_t n;

    all.limit = COOC_ALL;
    define(db, terms, n_terms, match, want);
    CHECK_RC(cooc_top(db, terms, n_terms, match, &all, &hits, &n, &err), 0,
             &err);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(hits[i].pair.count, want[hits[i].pair.y]);
        want[hits[i].pair.y] = 0;
    }
    for (uint32_t t = 0; t < TERMS_MAX; t++)
        assert_int_equal(want[t], 0);
    cooc_free(hits);
}

/* Without bitmaps, or with bitmaps as soon as they are worth it. */
static void check_every_term(struct cooc *db, uint32_t terms, bool bitmaps)
{
    for (uint32_t t = 0; t < terms; t++) {
        const uint32_t two[] = { t, t / 7 };

        if (!bitmaps)
            atomic_store(&db->heads->read, 0);
        check_partners(db, &t, 1, COOC_MATCH_ALL);
        check_partners(db, two, 2, COOC_MATCH_ALL);
        check_partners(db, two, 2, COOC_MATCH_ANY);
    }
}

static void every_way_gives_the_partners_of_the_definition(void **state)
{
    static const enum row_use uses[] = { ROW_IF_CHEAPER, ROW_NEVER,
                                         ROW_ALWAYS };
    char *store = make_many(dir, "s", DOCS, true);
    uint32_t terms;
    uint64_t df;
    struct cooc *db;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(uses); i++) {
        db = open_many(store, &terms);
        db->row_use = uses[i];
        assert_int_equal(cooc_term_df(db, 0, &df, NULL), 0);
        assert_true(df > DOCS / 2 + terms / 200); /* counted in the others */
        check_every_term(db, terms, false);
        check_every_term(db, terms, true);
        assert_true(db->heads->width > 0); /* bitmaps were used */
        cooc_close(db);
    }
    free(store);
    assert_int_equal(mem_live(), 0);
}

/* With a limit, partners that are too rare are not counted. */
static void a_limit_keeps_the_strongest_partners(void **state)
{
    static const size_t limits[] = { 1, 3, 20 };
    char *store = make_many(dir, "t", DOCS, true);
    struct cooc_err err = { 0 };
    uint32_t terms;
    struct cooc *db = open_many(store, &terms);
    const struct cooc_measure *by;

    (void)state;
    for (unsigned m = 0; (by = cooc_measure_get(m)) != NULL; m++)
        for (uint32_t t = m % 5; t < terms; t += 1 + t / 3) {
            struct cooc_rank_options o = rank_by(by->name, m % 3, COOC_ALL);
            struct cooc_hit *all, *some;
            size_t n, k;

            o.scoring.reverse = t % 2;
            CHECK_RC(cooc_top(db, &t, 1, COOC_MATCH_ALL, &o, &all, &n, &err),
                     0, &err);
            for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
                o.limit = limits[i];
                CHECK_RC(cooc_top(db, &t, 1, COOC_MATCH_ALL, &o, &some, &k,
                                  &err), 0, &err);
                assert_int_equal(k, n < o.limit ? n : o.limit);
                if (k && memcmp(some, all, k * sizeof *all) != 0)
                    fail_msg("%s, term %u, limit %zu", by->name, t, o.limit);
                cooc_free(some);
            }
            cooc_free(all);
        }
    cooc_close(db);
    free(store);
}

/* The sum over all terms of the counts in their rows, by one thread. */
static void *sum_rows(void *self)
{
    struct cooc *db = self;
    struct cooc_entry *row;
    uintptr_t sum = 0;
    size_t n;

    for (uint32_t t = 0; cooc_row(db, t, &row, &n, NULL) == 0; t++) {
        for (size_t i = 0; i < n; i++)
            sum += row[i].count;
        cooc_free(row);
    }
    return (void *)sum;
}

static void threads_share_the_bitmaps(void **state)
{
    char *store = make_many(dir, "u", DOCS, false);
    uint32_t terms;
    struct cooc *db = open_many(store, &terms);
    pthread_t threads[4];
    void *sum, *want = NULL;

    (void)state;
    atomic_store(&db->heads->read, DOCS);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, sum_rows, db), 0);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
        assert_int_equal(pthread_join(threads[i], &sum), 0);
        want = i ? want : sum;
        assert_ptr_equal(sum, want);
    }
    assert_true(db->heads->width > 0 && want);
    cooc_close(db);
    free(store);
}

static void running_out_of_memory_is_clean(void **state)
{
    char *store = make_many(dir, "v", DOCS, false);
    struct cooc_err err = { 0 };
    bool failed = true;
    long n;

    (void)state;
    for (n = 1; failed; n++) {
        uint32_t terms;
        struct cooc *db = open_many(store, &terms);
        struct cooc_entry *row;
        size_t found;
        int rc = 0;

        atomic_store(&db->heads->read, DOCS);
        mem_fail_at(n);
        for (uint32_t t = 0; t < 8 && rc == 0; t++) {
            rc = cooc_row(db, t, &row, &found, &err);
            cooc_free(row);
        }
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        check_partners(db, &(uint32_t){ 1 }, 1, COOC_MATCH_ALL);
        cooc_close(db);
        assert_int_equal(mem_live(), 0);
    }
    assert_true(n > 8);
    free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_gives_the_partners_of_the_definition),
        cmocka_unit_test(a_limit_keeps_the_strongest_partners),
        cmocka_unit_test(threads_share_the_bitmaps),
        cmocka_unit_test(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("partners", tests, make_dir,
                                       remove_dir);
}
