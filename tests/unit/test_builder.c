/* test_builder.c - stores of documents in memory, and structs with sizes. */
#include "own_dir.h"
#include "tools.h"

#include <errno.h>

#include "base/mem.h"
#include "base/sized.h"
#include "cooc_bulk.h"

static const char *const texts[] = { "black tea", "tea with milk", "",
                                     "green tea; milk!" };

static char *index_text(const char *name, const char *format,
                        const char *text)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    char *path = write_text(dir, "documents", text);
    char *store = in_dir(dir, name);
    struct cooc_err err;

    o.format = format;
    o.replace = true;
    CHECK_RC(cooc_index((const char *const[]){ path }, 1, store, &o, NULL,
                        &err), 0, &err);
    free(path);
    return store;
}

static int feed_texts(struct cooc_builder *b, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < ARRAY_LEN(texts) && rc == 0; i++) {
        char name[8];

        snprintf(name, sizeof name, "d%zu", i);
        rc = cooc_builder_text(b, name, strlen(name), texts[i],
                               strlen(texts[i]), err);
    }
    return rc;
}

static void texts_build_the_same_bytes_as_a_file(void **state)
{
    char *want = index_text("want.cooc", "tsv",
                            "d0\tblack tea\nd1\ttea with milk\nd2\t\n"
                            "d3\tgreen tea; milk!\n");
    char *got = in_dir(dir, "got.cooc");
    struct cooc_index_report report = COOC_INDEX_REPORT;
    struct cooc_builder *b;
    struct cooc_err err;

    (void)state;
    CHECK_RC(cooc_builder_open(&b, got, NULL, &err), 0, &err);
    CHECK_RC(feed_texts(b, &err), 0, &err);
    CHECK_RC(cooc_builder_finish(b, &report, &err), 0, &err);
    assert_int_equal(report.documents, 4);
    assert_string_equal(report.format, "memory");
    check_same_documents(want, got);
    CHECK_RC(cooc_builder_open(&b, got, NULL, &err), COOC_EEXISTS, &err);
    assert_null(b);
    free(want);
    free(got);
}

static void terms_and_ids_build_the_same_store(void **state)
{
    static const struct cooc_bytes words[] = { { "tea", 3 }, { "Oolong", 6 },
                                               { "milk jug", 8 } };
    static const uint32_t ids[][2] = { { 0, 1 }, { 0, 2 }, { 2, 1 } };
    char *want = index_text("want.cooc", "triples",
                            "a\ttea\t1\na\tOolong\t1\nb\ttea\t1\n"
                            "b\tmilk jug\t1\nc\tmilk jug\t1\nc\tOolong\t1\n");
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_builder *b;
    struct cooc_err err;

    (void)state;
    o.replace = true;
    for (int by_id = 0; by_id < 2; by_id++) {
        char *got = in_dir(dir, "got.cooc");

        CHECK_RC(cooc_builder_open(&b, got, &o, &err), 0, &err);
        CHECK_RC(cooc_builder_vocab(b, words, 3, &err), 0, &err);
        for (int i = 0; i < 3; i++) {
            const struct cooc_bytes t[] = { words[ids[i][0]],
                                            words[ids[i][1]] };

            CHECK_RC(by_id ? cooc_builder_ids(b, &"abc"[i], 1, ids[i], 2, &err)
                           : cooc_builder_terms(b, &"abc"[i], 1, t, 2, &err),
                     0, &err);
        }
        CHECK_RC(cooc_builder_finish(b, NULL, &err), 0, &err);
        check_same_documents(want, got);
        free(got);
    }
    free(want);
}

static void added_documents_give_the_same_bytes_as_one_build(void **state)
{
    char *want = index_text("want.cooc", "tsv", "d0\tblack tea\n4\tmore tea\n");
    char *got = index_text("got.cooc", "tsv", "d0\tblack tea\n");
    struct cooc_merge_report merged = COOC_MERGE_REPORT;
    struct cooc_builder *b;
    struct cooc_err err;

    (void)state;
    CHECK_RC(cooc_builder_open_add(&b, got, NULL, &err), 0, &err);
    CHECK_RC(cooc_builder_text(b, "4", 1, "more tea", 8, &err), 0, &err);
    CHECK_RC(cooc_builder_finish_add(b, NULL, &merged, &err), 0, &err);
    assert_int_equal(merged.documents, 2);
    check_same_documents(want, got);
    free(want);
    free(got);
}

/* The first error is permanent, and no store is created. */
static void invalid_documents_are_refused(void **state)
{
    static const struct cooc_bytes bad[] = { { "a\nb", 3 }, { "", 0 } };
    char *store = in_dir(dir, "none.cooc");
    struct cooc_builder *b;
    struct cooc_err err;
    uint32_t id = 0;

    (void)state;
    for (int i = 0; i < 4; i++) {
        CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
        if (i == 3)
            CHECK_RC(cooc_builder_text(b, NULL, 0, "tea", 3, &err), 0, &err);
        CHECK_RC(i < 2    ? cooc_builder_terms(b, NULL, 0, &bad[i], 1, &err)
                 : i == 2 ? cooc_builder_ids(b, NULL, 0, &id, 1, &err)
                          : cooc_builder_terms(b, NULL, 0, NULL, 0, &err),
                 COOC_EINVAL, &err);
        CHECK_RC(cooc_builder_text(b, NULL, 0, "tea", 3, &err), COOC_EINVAL,
                 &err);
        CHECK_RC(cooc_builder_finish(b, NULL, &err), COOC_EINVAL, &err);
    }
    CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
    CHECK_RC(cooc_builder_text(b, NULL, 0, "tea", 3, &err), 0, &err);
    cooc_builder_abort(b);
    cooc_builder_abort(NULL);
    assert_int_equal(access(store, F_OK), -1);
    free(store);
}

/* A vocabulary that is refused is never used, not even its first words. */
static void wrong_vocabularies_are_refused(void **state)
{
    static const struct cooc_bytes bad[] = { { "tea", 3 }, { "", 0 } };
    static const struct cooc_bytes good[] = { { "milk", 4 }, { "jug", 3 } };
    char *store = in_dir(dir, "none.cooc");
    struct cooc_builder *b;
    struct cooc_err err;
    uint32_t id = 0;

    (void)state;
    for (int twice = 0; twice < 2; twice++) {
        CHECK_RC(cooc_builder_open(&b, store, NULL, &err), 0, &err);
        if (twice)
            CHECK_RC(cooc_builder_vocab(b, good, 2, &err), 0, &err);
        CHECK_RC(cooc_builder_vocab(b, twice ? good : bad, 2, &err),
                 COOC_EINVAL, &err);
        CHECK_RC(cooc_builder_vocab(b, good, 2, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_builder_ids(b, NULL, 0, &id, 1, &err), COOC_EINVAL,
                 &err);
        assert_non_null(strstr(err.text, twice ? "already set" : "is empty"));
        CHECK_RC(cooc_builder_finish(b, NULL, &err), COOC_EINVAL, &err);
        assert_non_null(strstr(err.text, twice ? "already set" : "is empty"));
    }
    assert_int_equal(access(store, F_OK), -1);
    free(store);
}

/* Fail the 1st allocation, then the 2nd, ... until a run needs no more. */
static void running_out_of_memory_is_clean(void **state)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    char *want = index_text("want.cooc", "tsv",
                            "d0\tblack tea\nd1\ttea with milk\nd2\t\n"
                            "d3\tgreen tea; milk!\n");
    char *store = in_dir(dir, "memory.cooc");
    long before = (long)mem_live();
    bool failed = true;

    (void)state;
    o.replace = true;
    o.threads = 1;
    for (long n = 1; failed; n++) {
        struct cooc_builder *b;
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = cooc_builder_open(&b, store, &o, &err);
        if (rc == 0) {
            feed_texts(b, NULL);
            rc = cooc_builder_finish(b, NULL, &err);
        }
        failed = mem_failed();
        mem_fail_at(0);
        if (rc != 0 && !(failed && rc == COOC_ENOMEM))
            fail_msg("allocation %ld: %d, %s", n, rc, err.text);
        if (rc == 0) /* the allocation was optional: the store is right */
            check_same_documents(want, store);
        assert_int_equal((long)mem_live(), before);
    }
    free(store);
    free(want);
}

/* ---- sizes -------------------------------------------------------------- */

struct old {
    size_t size;
    int32_t a;
    char guard[12];
};

struct new {
    size_t size;
    int32_t a, b;
    uint64_t c;
};

static void structs_are_never_accessed_beyond_their_size(void **state)
{
    struct old old = { .size = offsetof(struct old, guard), .a = 7,
                       .guard = "guarded" };
    struct new own, later = { .size = sizeof later, .a = 1 };
    struct cooc_err err;

    (void)state;
    CHECK_RC(sized_read(&own, sizeof own, &old, "old", &err), 0, &err);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.a, 7);
    assert_int_equal(own.b, 0);
    own = (struct new){ .size = sizeof own, .a = 8, .b = 9, .c = 10 };
    sized_write(&old, &own, sizeof own);
    assert_int_equal(old.size, offsetof(struct old, guard));
    assert_int_equal(old.a, 8);
    assert_string_equal(old.guard, "guarded");
    CHECK_RC(sized_read(&own, offsetof(struct new, c), &later, "later", &err),
             0, &err);
    later.c = 1;
    CHECK_RC(sized_read(&own, offsetof(struct new, c), &later, "later", &err),
             COOC_EINVAL, &err);
    later.size = 0;
    CHECK_RC(sized_read(&own, sizeof own, &later, "later", &err), COOC_EINVAL,
             &err);
    sized_write(&later, &own, sizeof own);
    assert_int_equal(later.c, 1);
}

static void uninitialised_structs_are_refused(void **state)
{
    char *store = index_text("sizes.cooc", "lines", "a b\na c\n");
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    struct cooc_count_report report = COOC_COUNT_REPORT;
    struct cooc_estimate estimate = { 0 };
    struct cooc_tuning tuning = { 0 };
    struct cooc_watch watch = { 0 };
    struct cooc_index_options zero = { 0 };
    struct cooc_info info = { 0 };
    struct cooc_err err;
    struct cooc *db;

    (void)state;
    CHECK_RC(cooc_index((const char *const[]){ "x" }, 1, "y.cooc", &zero, NULL,
                        &err), COOC_EINVAL, &err);
    report.estimate = &estimate;
    CHECK_RC(cooc_count(store, NULL, &report, &err), COOC_EINVAL, &err);
    estimate.size = sizeof estimate;
    count.tuning = &tuning;
    CHECK_RC(cooc_count(store, &count, &report, &err), COOC_EINVAL, &err);
    tuning.size = sizeof tuning;
    count.watch = &watch;
    CHECK_RC(cooc_count(store, &count, &report, &err), COOC_EINVAL, &err);
    watch.size = sizeof watch;
    CHECK_RC(cooc_count(store, &count, &report, &err), 0, &err);
    assert_int_equal(report.pairs, 2);
    assert_int_equal(report.estimate->increments, 2);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_info_get(db, &info, &err), COOC_EINVAL, &err);
    cooc_init(&info, sizeof info);
    CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
    assert_int_equal(info.documents, 2);
    cooc_close(db);
    free(store);
}

/* ---- names, streams, replacing ------------------------------------------ */

static int add_up(void *self, const struct cooc_hit *hit, struct cooc_err *err)
{
    (void)err;
    *(uint64_t *)self += hit->pair.count;
    return hit->pair.count > 100;
}

/* A callback that fails without an explanation. */
static int refuse(void *self, const struct cooc_hit *hit, struct cooc_err *err)
{
    (void)self, (void)hit, (void)err;
    return COOC_EINVAL;
}

static void terms_and_documents_are_found_by_exact_name(void **state)
{
    char *store = index_text("names.cooc", "tsv",
                             "x\ta b\ny\ta b c\nx\tc d\n");
    struct cooc_rank_options two = COOC_RANK_OPTIONS;
    uint64_t sum = 0;
    struct cooc_err err;
    struct cooc *db;
    uint32_t id = 9;
    bool found;

    (void)state;
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_term_id(db, "b", 1, &id, &found, &err), 0, &err);
    assert_true(found && id == 1);
    CHECK_RC(cooc_term_id(db, "B", 1, &id, &found, &err), 0, &err);
    assert_false(found);
    CHECK_RC(cooc_document_id(db, "x", 1, &id, &found, &err), 0, &err);
    assert_true(found && id == 0);
    CHECK_RC(cooc_document_id(db, "y", 1, &id, &found, &err), 0, &err);
    assert_true(found && id == 1);
    CHECK_RC(cooc_document_id(db, "", 0, &id, &found, &err), 0, &err);
    assert_false(found);
    CHECK_RC(cooc_document_id(db, NULL, 0, &id, &found, &err), 0, &err);
    assert_false(found);
    CHECK_RC(cooc_term_id(db, NULL, 0, &id, &found, &err), 0, &err);
    assert_false(found);
    CHECK_RC(cooc_term_find(db, NULL, 0, &id, &err), COOC_EINVAL, &err);
    CHECK_RC(cooc_pairs_each(db, NULL, add_up, &sum, &err), 0, &err);
    assert_int_equal(sum, 5); /* 1 + 3 + 1 */
    memset(&err, 'x', sizeof err);
    CHECK_RC(cooc_pairs_each(db, NULL, refuse, NULL, &err), COOC_EINVAL, &err);
    assert_string_equal(err.text, "");
    sum = 0;
    two.min_count = 2;
    CHECK_RC(cooc_pairs_each(db, &two, add_up, &sum, &err), 0, &err);
    assert_int_equal(sum, 2);
    cooc_close(db);
    free(store);
}

static void a_store_is_replaced_in_one_step(void **state)
{
    char *old = index_text("old.cooc", "lines", "a b\n");
    char *new = index_text("new.cooc", "lines", "c d\ne f\n");
    struct cooc_info info = COOC_INFO;
    struct cooc_err err;
    struct cooc *db;
    bool changed;

    (void)state;
    CHECK_RC(cooc_open(&db, old, &err), 0, &err);
    CHECK_RC(cooc_changed(db, &changed, &err), 0, &err);
    assert_false(changed);
    CHECK_RC(cooc_replace(old, old, &err), COOC_EINVAL, &err);
    CHECK_RC(cooc_replace(new, old, &err), 0, &err);
    assert_int_equal(access(new, F_OK), -1);
    CHECK_RC(cooc_changed(db, &changed, &err), 0, &err);
    assert_true(changed);
    CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
    assert_int_equal(info.documents, 1);
    cooc_close(db);
    CHECK_RC(cooc_open(&db, old, &err), 0, &err);
    CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
    assert_int_equal(info.documents, 2);
    cooc_close(db);
    CHECK_RC(cooc_replace(new, old, &err), COOC_ENOTFOUND, &err);
    free(old);
    free(new);
}

static void an_error_contains_errno_and_path(void **state)
{
    char *none = in_dir(dir, "none/none.cooc");
    struct cooc_builder *b;
    struct cooc_err err;

    (void)state;
    CHECK_RC(cooc_builder_open(&b, none, NULL, &err), COOC_ENOTFOUND, &err);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_non_null(strstr(err.path, "/none"));
    assert_string_equal(err.option, "");
    free(none);
}

/* Results in scratch memory equal allocated results, on two stores. */
static void scratch_memory_gives_the_same_results(void **state)
{
    char *stores[] = { index_text("s1.cooc", "lines", "a b c\na b\nc d\n"),
                       index_text("s2.cooc", "lines", "p q r s t\np q\n") };
    struct cooc_scratch *s;
    struct cooc_err err;

    (void)state;
    CHECK_RC(cooc_scratch_new(&s, &err), 0, &err);
    for (int i = 0; i < 4; i++) {
        static const uint32_t terms[] = { 0, 1 };
        const struct cooc_hit *hits;
        const struct cooc_entry *row;
        const uint32_t *docs;
        struct cooc_hit *own_hits;
        struct cooc_entry *own_row;
        uint32_t *own_docs;
        size_t n, m;
        struct cooc *db;

        CHECK_RC(cooc_open(&db, stores[i % 2], &err), 0, &err);
        CHECK_RC(cooc_top(db, terms, 2, COOC_MATCH_ANY, NULL, &own_hits, &m,
                          &err), 0, &err);
        CHECK_RC(cooc_top_into(s, db, terms, 2, COOC_MATCH_ANY, NULL, &hits,
                               &n, &err), 0, &err);
        assert_int_equal(n, m);
        assert_memory_equal(hits, own_hits, n * sizeof *hits);
        CHECK_RC(cooc_row(db, 1, &own_row, &m, &err), 0, &err);
        CHECK_RC(cooc_row_into(s, db, 1, &row, &n, &err), 0, &err);
        assert_int_equal(n, m);
        assert_memory_equal(row, own_row, n * sizeof *row);
        CHECK_RC(cooc_docs(db, terms, 2, COOC_MATCH_ALL, &own_docs, &m, &err),
                 0, &err);
        CHECK_RC(cooc_docs_into(s, db, terms, 2, COOC_MATCH_ALL, &docs, &n,
                                &err), 0, &err);
        assert_int_equal(n, m);
        assert_memory_equal(docs, own_docs, n * sizeof *docs);
        cooc_free(own_hits);
        cooc_free(own_row);
        cooc_free(own_docs);
        cooc_close(db);
    }
    cooc_scratch_free(s);
    free(stores[0]);
    free(stores[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_build_the_same_bytes_as_a_file),
        cmocka_unit_test(terms_and_ids_build_the_same_store),
        cmocka_unit_test(added_documents_give_the_same_bytes_as_one_build),
        cmocka_unit_test(invalid_documents_are_refused),
        cmocka_unit_test(wrong_vocabularies_are_refused),
        cmocka_unit_test(running_out_of_memory_is_clean),
        cmocka_unit_test(structs_are_never_accessed_beyond_their_size),
        cmocka_unit_test(uninitialised_structs_are_refused),
        cmocka_unit_test(terms_and_documents_are_found_by_exact_name),
        cmocka_unit_test(a_store_is_replaced_in_one_step),
        cmocka_unit_test(an_error_contains_errno_and_path),
        cmocka_unit_test(scratch_memory_gives_the_same_results),
    };

    return cmocka_run_group_tests_name("builder", tests, make_dir, remove_dir);
}
