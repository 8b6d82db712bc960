/* test_library.c - the whole library: it cleans up when memory runs out at any
 * point and when it is cancelled. */
#include "answers.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_bulk.h"

static char *dir, *input, *stop, *thesaurus, *list;
static char *good;   /* a counted store */
static char *plain;  /* the same collection, not counted */
static char *answers; /* of the counted store */

static const char text[] = "the cat sat on the mat\nthe dog sat\n\n"
                           "a cat and a dog and a vehicle\ncars\n"
                           "Running runs run; the mat\n"
                           "na\xc3\xafve caf\xc3\xa9\n";

static int make_index(const char *store, unsigned threads, bool replace,
                      struct cooc_err *err)
{
    const char *const inputs[] = { input };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    o.format = "lines";
    o.threads = threads;
    o.stop_file = stop;
    o.thesaurus_file = thesaurus;
    o.terms_file = list;
    o.stem = "english";
    o.replace = replace;
    return cooc_index(inputs, 1, store, &o, NULL, err);
}

static int open_descriptors(void)
{
    return count_files("/proc/self/fd");
}

static bool exists(const char *path, const char *suffix)
{
    char *name = NULL;
    bool is;

    if (asprintf(&name, "%s%s", path, suffix) < 0)
        fail_msg("out of memory");
    is = access(name, F_OK) == 0;
    free(name);
    return is;
}

/* Check the outcome of a run in which the n-th allocation fails. */
static void check_attempt(const char *what, long n, int rc,
                          const struct cooc_err *err, bool failed)
{
    if (rc < 0 && (rc != COOC_ENOMEM || err->code != rc || !failed))
        fail_msg("%s, allocation %ld: returned %d: %s", what, n, rc,
                 err->text);
    if (mem_live() != 0)
        fail_msg("%s, allocation %ld: %ld blocks are left", what, n,
                 mem_live());
}

static void indexing_that_runs_out_of_memory_is_clean(void **state)
{
    char *store = in_dir(dir, "attempt");
    int before = open_descriptors();

    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        bool failed = true;
        long n = 1;

        for (; failed; n++) {
            struct cooc_err err = { 0 };
            int rc;

            mem_fail_at(n);
            rc = make_index(store, threads, false, &err);
            failed = mem_failed();
            mem_fail_at(0);
            check_attempt("index", n, rc, &err, failed);
            if (exists(store, ".part"))
                fail_msg("index, allocation %ld: a .part remains", n);
            if (exists(store, "") != (rc == 0))
                fail_msg("index, allocation %ld: returned %d, but the "
                         "store is%s there", n, rc,
                         exists(store, "") ? "" : " not");
            if (rc == 0)
                check_same_store(store, plain);
            if (rc == 0) { /* the failure was harmless: go on */
                char *away = in_dir(dir, "away");

                assert_int_equal(rename(store, away), 0);
                drop_dir(away);
            }
        }
        print_message("index, %u threads: %ld allocations\n", threads, n - 2);
        assert_true(n > 100);
    }
    assert_int_equal(open_descriptors(), before);
    free(store);
}

/* Index a directory, or find that it is already indexed. */
static int make_noted(const char *store, bool *resumed, struct cooc_err *err)
{
    char *inputs[] = { in_dir(dir, "noted") };
    struct cooc_index_report report = COOC_INDEX_REPORT;
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    int rc;

    o.threads = 1;
    o.count_follows = true;
    o.stop_file = stop;
    rc = cooc_index((const char *const *)inputs, 1, store, &o, &report, err);
    *resumed = report.resumed;
    free(inputs[0]);
    return rc;
}

static void an_unchanged_input_is_resumed_unless_memory_runs_out(void **state)
{
    char *docs = in_dir(dir, "noted"), *store = in_dir(dir, "noted.cooc");
    bool failed = true, resumed = false, made = false;

    (void)state;
    assert_int_equal(mkdir(docs, 0700), 0);
    free(write_text(docs, "b", "dog cat"));
    free(write_text(docs, "a", "dog mat"));
    for (long n = 1; failed || !resumed; n = failed ? n + 1 : 1) {
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = make_noted(store, &resumed, &err);
        failed = mem_failed();
        mem_fail_at(0);
        check_attempt("noted", n, rc, &err, failed);
        assert_true(resumed == (made && rc == 0));
        assert_false(exists(store, ".part"));
        made = made || rc == 0;
        assert_true(exists(store, "/counting.json") == made);
    }
    assert_int_equal(cooc_count(store, NULL, NULL, NULL), 0);
    assert_false(exists(store, "/counting.json"));
    free(store);
    free(docs);
}

/* The old store is kept until the new one is complete. */
static void replacing_out_of_memory_keeps_the_old_store(void **state)
{
    char *store = make_store(dir, "attempt", "old words\n", true);
    char *old = make_store(dir, "old", "old words\n", true);
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = make_index(store, 1, true, &err);
        failed = mem_failed();
        mem_fail_at(0);
        check_attempt("replace", n, rc, &err, failed);
        assert_false(exists(store, ".part"));
        check_same_store(store, rc == 0 ? plain : old);
        if (rc == 0 && failed) {
            free(store);
            store = make_store(dir, "attempt", "old words\n", true);
        }
    }
    free(old);
    free(store);
}

static void counting_that_runs_out_of_memory_is_clean(void **state)
{
    char *store = in_dir(dir, "counting");
    int before = open_descriptors();
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(make_index(store, 1, true, &err), 0, &err);
    for (unsigned i = 0; cooc_method_get(i / 2); i++) {
        struct cooc_tuning tuning = COOC_TUNING;
        struct cooc_count_options o = COOC_COUNT_OPTIONS;
        bool failed = true;
        long n = 1;

        o.method = cooc_method_get(i / 2)->name;
        o.tuning = &tuning;
        tuning.batch_postings = i % 2 ? 10 : 0;
        o.threads = 2;
        o.rows = COOC_ROWS_FULL;
        tuning.flush_pairs = 5;
        tuning.block_terms = 3;
        tuning.accumulators = 2;
        o.recount = true;
        for (; failed; n++) {
            int rc;

            mem_fail_at(n);
            rc = cooc_count(store, &o, NULL, &err);
            failed = mem_failed();
            mem_fail_at(0);
            check_attempt(o.method, n, rc, &err, failed);
            CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
            if (rc == 0)
                check_same_store(store, good);
            else if (!exists(store, "/rows-0000.bin")) /* no row files */
                check_same_store(store, plain);
        }
        print_message("%s: %ld allocations\n", o.method, n - 2);
    }
    assert_int_equal(open_descriptors(), before);
    free(store);
}

static void checking_that_runs_out_of_memory_is_clean(void **state)
{
    int before = open_descriptors();
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = cooc_check(good, 2, NULL, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        check_attempt("check", n, rc, &err, failed);
    }
    assert_int_equal(open_descriptors(), before);
}

static int ignore_pair(void *self, const struct cooc_pair *pair,
                       struct cooc_err *err)
{
    (void)self;
    (void)pair;
    (void)err;
    return 0;
}

/* Run one query; return its code. */
static int ask_one(struct cooc *db, int question, struct cooc_err *err)
{
    struct cooc_rank_options llr = rank_by("llr", 0, 3);
    const uint32_t first[] = { 0, 1 };
    const struct cooc_entry *e;
    struct cooc_entry *row;
    struct cooc_rows *rows;
    struct cooc_hit *hits;
    struct cooc_info info = COOC_INFO;
    struct cooc_pair p;
    uint32_t *docs, id;
    size_t n;
    int rc;

    switch (question) {
    case 0:
        return cooc_pair_get(db, 0, 1, &p, err);
    case 1:
        rc = cooc_top(db, first, 2, COOC_MATCH_ALL, &llr, &hits, &n, err);
        cooc_free(hits);
        return rc;
    case 2:
        llr.threads = 2;
        llr.exclude = first;
        llr.n_exclude = 1;
        rc = cooc_pairs(db, &llr, &hits, &n, err);
        cooc_free(hits);
        return rc;
    case 3:
        rc = cooc_docs(db, first, 2, COOC_MATCH_ALL, &docs, &n, err);
        cooc_free(docs);
        return rc;
    case 4:
        return cooc_info_get(db, &info, err);
    case 5:
        return cooc_term_find(db, "Cats", 4, &id, err);
    case 6:
        rc = cooc_term_find(db, "cot", 3, &id, err);
        return rc == COOC_ENOTFOUND ? 0 : rc;
    case 7:
        rc = cooc_rows_open(&rows, db, 0, 5, err);
        while (rc == 0 && (rc = cooc_rows_next(rows, &id, &e, &n, err)) > 0)
            rc = 0;
        cooc_rows_close(rows);
        return rc;
    case 8:
        rc = cooc_row(db, 0, &row, &n, err);
        cooc_free(row);
        return rc;
    case 9:
        return cooc_within(db, first, 2, ignore_pair, NULL, err);
    case 10:
        rc = cooc_similar(db, first, 2, NULL, &hits, &n, err);
        cooc_free(hits);
        return rc;
    default:
        return 0;
    }
}

static void a_query_that_runs_out_of_memory_is_clean(void **state)
{
    int before = open_descriptors();

    (void)state;
    for (int question = 0; question <= 11; question++) {
        bool failed = true;

        for (long n = 1; failed; n++) {
            struct cooc_err err = { 0 };
            struct cooc *db;
            int rc;

            mem_fail_at(n);
            rc = cooc_open(&db, good, &err);
            if (rc == 0)
                rc = ask_one(db, question, &err);
            failed = mem_failed();
            mem_fail_at(0);
            if (rc < 0 && db) /* the next query still works */
                CHECK_RC(ask_one(db, question, NULL), 0, &err);
            cooc_close(db);
            check_attempt("ask", n * 10 + question, rc, &err, failed);
        }
    }
    assert_int_equal(open_descriptors(), before);
}

/* ---- cancelling ------------------------------------------------------ */

/* Cancels at the n-th call. */
static int count_down(void *self, const struct cooc_progress *p)
{
    int *left = self;

    assert_non_null(p->phase);
    assert_non_null(p->unit);
    return --*left == 0;
}

static void a_callback_that_cancels_leaves_no_files_behind(void **state)
{
    const char *const inputs[] = { input };
    char *store = in_dir(dir, "stopped");

    (void)state;
    for (int n = 1;; n++) {
        struct cooc_index_options o = COOC_INDEX_OPTIONS;
        struct cooc_watch watch = COOC_WATCH;
        struct cooc_err err = { 0 };
        int left = n, rc;

        o.format = "lines";
        watch.progress = count_down;
        watch.self = &left;
        o.watch = &watch;
        rc = cooc_index(inputs, 1, store, &o, NULL, &err);
        if (left > 0) {
            CHECK_RC(rc, 0, &err);
            break;
        }
        if (rc != 0)
            CHECK_RC(rc, COOC_ECANCELLED, &err);
        assert_int_equal(exists(store, ""), rc == 0);
        assert_false(exists(store, ".part"));
        if (rc == 0) {
            char *away = in_dir(dir, "away");

            assert_int_equal(rename(store, away), 0);
            drop_dir(away);
        }
    }
    for (int n = 1;; n++) {
        struct cooc_count_options o = COOC_COUNT_OPTIONS;
        struct cooc_watch watch = COOC_WATCH;
        struct cooc_err err = { 0 };
        int left = n, rc;

        watch.progress = count_down;
        watch.self = &left;
        o.watch = &watch;
        rc = cooc_count(store, &o, NULL, &err);
        if (rc == 0)
            break;
        CHECK_RC(rc, COOC_ECANCELLED, &err);
        assert_false(exists(store, "/.rows-0000.bin.tmp"));
        CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
        assert_true(n < 20);
    }
    free(store);
    assert_int_equal(mem_live(), 0);
}

/* ---- set-up and tear-down -------------------------------------------- */

static int set_up(void **state)
{
    struct cooc_err err = { 0 };

    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    input = write_text(dir, "in", text);
    stop = write_text(dir, "stop", "the\n");
    thesaurus = write_text(dir, "thesaurus", "cars\tvehicle\n");
    list = write_text(dir, "list", "cat\ndog\nsat\nmat\nrun\nvehicle\na\nand\n"
                                   "caf\xc3\xa9\nthe cat\n");
    good = in_dir(dir, "good");
    plain = in_dir(dir, "plain");
    CHECK_RC(make_index(good, 1, false, &err), 0, &err);
    CHECK_RC(make_index(plain, 1, false, &err), 0, &err);
    CHECK_RC(cooc_count(good, &full_rows, NULL, &err), 0, &err);
    CHECK_RC(cooc_check(good, 1, NULL, NULL, &err), 0, &err);
    answers = ask_everything(good, true);
    return 0;
}

static int tear_down(void **state)
{
    char *all[] = { input, stop, thesaurus, list, good, plain, answers };

    (void)state;
    drop_dir(dir);
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        free(all[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indexing_that_runs_out_of_memory_is_clean),
        cmocka_unit_test(an_unchanged_input_is_resumed_unless_memory_runs_out),
        cmocka_unit_test(replacing_out_of_memory_keeps_the_old_store),
        cmocka_unit_test(counting_that_runs_out_of_memory_is_clean),
        cmocka_unit_test(checking_that_runs_out_of_memory_is_clean),
        cmocka_unit_test(a_query_that_runs_out_of_memory_is_clean),
        cmocka_unit_test(a_callback_that_cancels_leaves_no_files_behind),
    };

    return cmocka_run_group_tests_name("library", tests, set_up, tear_down);
}
