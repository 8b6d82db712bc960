/* test_store.c - the store directory: recognising, opening, changing it. */
#include "rank_tools.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "index/build.h"
#include "own_dir.h"
#include "store/settings.h"
#include "store/store.h"

/* Eight documents over terms of every df from 1 to 6. */
static const char small[] = "a b c d e f\na b c d e\na b c d\na b c\n"
                            "a b\na g\nh\nf e a\n";

static void remove_file(const char *store, const char *name)
{
    char *path = in_dir(store, name);

    assert_int_equal(unlink(path), 0);
    free(path);
}

/* ---- the manifest ---------------------------------------------------- */

static void a_manifest_reads_back(void **state)
{
    struct shard_info shards[2] = {
        { 0, 3, 2, 8, { 100, 0xfedcba9876543210 } },
        { 3, 9, 5, 16, { 200, 1 } },
    };
    struct manifest m = { .documents = 4, .terms = 9, .postings = 20,
                          .tokens = UINT32_MAX * (uint64_t)9,
                          .increments = 77, .counted = true, .pairs = 7,
                          .shards = shards, .n_shards = 2 };
    struct cooc_index_options o = { .keep_case = true, .min_length = 2,
                                    .max_length = 40, .stem = "english",
                                    .max_df_share = 0.1,
                                    .keep_phrase_words = true };
    struct index_rules how = { .mode = TOKENS_WHITESPACE, .labels = true,
                               .phrases = 3 };
    struct cooc_err err = { 0 };
    struct manifest r;

    (void)state;
    for (uint32_t f = 0; f < COLLECTION_FILES; f++)
        m.files[f] = (struct checked_file_id){ f * 1000, UINT64_MAX - f };
    CHECK_RC(settings_write(&m, &o, &how, &err), 0, &err);
    CHECK_RC(manifest_write(&m, dir, &err), 0, &err);
    CHECK_RC(manifest_read(&r, dir, &err), 0, &err);
    assert_int_equal(r.documents, 4);
    assert_int_equal(r.terms, 9);
    assert_int_equal(r.postings, 20);
    assert_int_equal(r.tokens, m.tokens);
    assert_int_equal(r.increments, 77);
    assert_int_equal(r.pairs, 7);
    assert_int_equal(r.phrases, 3);
    assert_true(r.rules.phrases && r.rules.keep_phrase_words);
    assert_true(r.counted && r.rules.keep_case && !r.rules.drop_numbers);
    assert_int_equal(r.rules.mode, TOKENS_WHITESPACE);
    assert_int_equal(r.rules.min_length, 2);
    assert_int_equal(r.rules.max_length, 40);
    assert_string_equal(r.stem, "english");
    assert_true(r.labels);
    assert_int_equal(r.versions.n, 1);
    assert_true(rule_versions_equal(&r.versions, &m.versions));
    assert_memory_equal(r.files, m.files, sizeof m.files);
    assert_int_equal(r.n_shards, 2);
    assert_memory_equal(r.shards, shards, sizeof shards);
    manifest_release(&r);
    m.counted = false;
    CHECK_RC(manifest_write(&m, dir, &err), 0, &err);
    CHECK_RC(manifest_read(&r, dir, &err), 0, &err);
    assert_false(r.counted);
    assert_int_equal(r.n_shards, 0);
    manifest_release(&r);
    json_decref(m.settings);
    remove_file(dir, "manifest.json");
    assert_int_equal(mem_live(), 0);
}

static void a_newer_store_requires_a_newer_program(void **state)
{
    char *store = make_store(dir, "s", small, true);
    char *path = in_dir(store, "manifest.json"), *text, *at;
    struct cooc_err err = { 0 };
    struct cooc *db;
    size_t len;

    (void)state;
    text = read_bytes(path, &len);
    text[len] = '\0';
    at = strstr(text, "\"version\": 1");
    assert_non_null(at);
    at[11] = '7'; /* the checksum is wrong, as in a changed format */
    write_bytes(path, text, len);
    CHECK_RC(cooc_open(&db, store, &err), COOC_EVERSION, &err);
    assert_null(db);
    assert_non_null(strstr(err.text, "version 7"));
    assert_non_null(strstr(err.text, "newer version of cooc"));
    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), COOC_EVERSION, &err);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), COOC_EVERSION, &err);
    at[11] = '0';
    write_bytes(path, text, len);
    CHECK_RC(cooc_open(&db, store, &err), COOC_EFORMAT, &err);
    free(text);
    free(path);
    free(store);
}

/* ---- paths that are not stores --------------------------------------- */

static void a_path_that_is_not_a_store_is_described(void **state)
{
    char *file = write_text(dir, "plain", "hello\n");
    char *empty = in_dir(dir, "empty"), *foreign = in_dir(dir, "foreign");
    char *web = in_dir(dir, "web"), *none = in_dir(dir, "none");

    (void)state;
    mkdir(empty, 0777);
    mkdir(foreign, 0777);
    mkdir(web, 0777);
    free(write_text(foreign, "letter.txt", "Dear Sir"));
    free(write_text(web, "manifest.json", "{\"name\": \"my app\"}\n"));
    const struct {
        const char *path;
        int code; /* 0: any error */
        const char *word;
    } cases[] = {
        { file, 0, "a cooc store is a directory" },
        { empty, 0, "not a cooc store (it has no manifest.json)" },
        { foreign, 0, "not a cooc store (it has no manifest.json)" },
        { web, COOC_EFORMAT, "not the manifest of a cooc store" },
        { none, COOC_ENOTFOUND, "No such file" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_err e[3] = { { 0 } };
        struct cooc *db = NULL;
        int rc[3] = { cooc_open(&db, cases[i].path, &e[0]),
                      cooc_check(cases[i].path, 1, NULL, NULL, &e[1]),
                      cooc_count(cases[i].path, NULL, NULL, &e[2]) };

        assert_null(db);
        for (int k = 0; k < 3; k++)
            if (rc[k] >= 0 || (cases[i].code && rc[k] != cases[i].code) ||
                !strstr(e[k].text, cases[i].path) ||
                !strstr(e[k].text, cases[i].word))
                fail_msg("%s: %d, '%s'", cases[i].path, rc[k], e[k].text);
    }
    assert_int_equal(mem_live(), 0);
    free(file);
    free(empty);
    free(foreign);
    free(web);
    free(none);
}

static void a_missing_file_or_one_of_another_store_is_named(void **state)
{
    static const char *const names[] = { "rows-0000.bin", "terms.sort",
                                         "forward.off", "stop.txt" };
    char *store = make_store(dir, "s", small, true);
    char *other = make_store(dir, "t", "a b\nb c\n", true);
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        char *path = in_dir(store, names[i]), *hidden = in_dir(dir, "hidden");
        char *from = in_dir(other, names[i]), *bytes;
        size_t len;

        assert_int_equal(rename(path, hidden), 0);
        CHECK_RC(cooc_open(&db, store, &err), COOC_EFORMAT, &err);
        assert_non_null(strstr(err.text, path));
        bytes = read_bytes(from, &len); /* intact, of another store */
        write_bytes(path, bytes, len);
        if (strcmp(names[i], "stop.txt") != 0) { /* equal in both stores */
            CHECK_RC(cooc_open(&db, store, &err), COOC_EFORMAT, &err);
            assert_non_null(strstr(err.text, path));
        }
        free(bytes);
        assert_int_equal(rename(hidden, path), 0);
        CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
        free(path);
        free(hidden);
        free(from);
    }
    free(store);
    free(other);
}

/* COOC_ENOTFOUND would mean that the store does not exist. */
static void every_call_reports_a_store_without_a_file_as_damaged(void **state)
{
    char *store = make_store(dir, "s", small, true);
    char *other = make_store(dir, "t", "a b\nb c\n", true);
    char *out = in_dir(dir, "out"), *input = write_text(dir, "in", small);
    const char *const stores[] = { other, store }, *const inputs[] = { input };
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    o.recount = true;
    for (int f = 0; f < FILE_FORMS; f++) {
        char *path = in_dir(store, collection_file_name(f));
        char *hidden = in_dir(dir, "hidden");

        assert_int_equal(rename(path, hidden), 0);
        CHECK_RC(cooc_open(&db, store, &err), COOC_EFORMAT, &err);
        assert_non_null(strstr(err.text, path));
        CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), COOC_EFORMAT, &err);
        CHECK_RC(cooc_count(store, &o, NULL, &err), COOC_EFORMAT, &err);
        CHECK_RC(cooc_merge(stores, 2, out, NULL, NULL, &err), COOC_EFORMAT,
                 &err);
        CHECK_RC(cooc_add(store, inputs, 1, NULL, NULL, NULL, &err),
                 COOC_EFORMAT, &err);
        assert_int_equal(rename(hidden, path), 0);
        free(path);
        free(hidden);
    }
    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
    free(input);
    free(out);
    free(store);
    free(other);
}

/* ---- counting changes a store ---------------------------------------- */

static void an_interrupted_count_can_be_repeated(void **state)
{
    char *store = make_store(dir, "s", small, false);
    char *clean = make_store(dir, "t", small, true);
    struct cooc_count_report rep = COOC_COUNT_REPORT;
    struct cooc_err err = { 0 };

    (void)state;
    free(write_text(store, "rows-0000.bin", "half a row"));
    free(write_text(store, "rows-0001.bin", ""));
    free(write_text(store, "rows-0000.bin.tmp", "more"));
    free(write_text(store, ".rows-0000.bin.tmp", "more"));
    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
    CHECK_RC(cooc_count(store, &full_rows, &rep, &err), 0, &err);
    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
    check_same_store(store, clean);
    assert_int_equal(rep.increments, 15 + 10 + 6 + 3 + 1 + 1 + 0 + 3);
    assert_int_equal(rep.pairs, 16); /* 15 among a to f, and a-g */
    free(store);
    free(clean);
}

static void a_counted_store_is_counted_again_only_on_request(void **state)
{
    char *store = make_store(dir, "s", small, true);
    char *clean = make_store(dir, "t", small, true);
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(cooc_count(store, NULL, NULL, &err), COOC_EEXISTS, &err);
    check_same_store(store, clean);
    for (unsigned m = 0; cooc_method_get(m); m++) {
        struct cooc_tuning tuning = COOC_TUNING;
        struct cooc_count_options o = COOC_COUNT_OPTIONS;

        o.recount = true;
        o.method = cooc_method_get(m)->name;
        o.threads = 1 + m % 3;
        o.tuning = &tuning;
        tuning.block_terms = m;
        CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
        check_same_store(store, clean);
    }
    free(store);
    free(clean);
    assert_int_equal(mem_live(), 0);
}

static void a_second_writer_is_refused(void **state)
{
    char *store = make_store(dir, "s", small, false);
    char *input = write_text(dir, "input.txt", small);
    const char *const inputs[] = { input };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    struct cooc *db;
    int lock;

    (void)state;
    CHECK_RC(dir_lock(&lock, store, store, &err), 0, &err);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), COOC_EBUSY, &err);
    assert_non_null(strstr(err.text, store));
    assert_non_null(strstr(err.text, "this process"));
    o.replace = true; /* not while another process counts in it */
    CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), COOC_EBUSY, &err);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err); /* reading works */
    cooc_close(db);
    close(lock);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), 0, &err);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    free(input);
    free(store);
}

/* Replaces the store at one path again and again. */
struct replacing {
    const char *store;
    char *inputs[2];
    atomic_bool ended;
};

static void *replace_again_and_again(void *self)
{
    struct replacing *r = self;
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    o.format = "lines";
    o.threads = 1;
    o.replace = true;
    for (int i = 0; !atomic_load(&r->ended); i++) {
        const char *const inputs[] = { r->inputs[i % 2] };

        if (cooc_index(inputs, 1, r->store, &o, NULL, NULL) < 0)
            break;
    }
    return NULL;
}

static void a_store_is_opened_whole_while_it_is_replaced(void **state)
{
    char *store = make_store(dir, "s", small, false);
    struct replacing r = { .store = store,
                           .inputs = { write_text(dir, "one", small),
                                       write_text(dir, "two", "u v\n") } };
    struct cooc_info info = COOC_INFO;
    struct cooc_err err = { 0 };
    struct cooc *db;
    pthread_t thread;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, replace_again_and_again,
                                    &r), 0);
    for (int i = 0; i < 2000; i++) {
        const char *name;
        size_t len;

        CHECK_RC(cooc_open(&db, store, &err), 0, &err);
        CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
        CHECK_RC(cooc_term_name(db, 0, &name, &len, &err), 0, &err);
        assert_int_equal(*name, info.documents > 1 ? 'a' : 'u');
        cooc_close(db);
    }
    atomic_store(&r.ended, true);
    pthread_join(thread, NULL);
    free(r.inputs[0]);
    free(r.inputs[1]);
    free(store);
    assert_int_equal(mem_live(), 0);
}

static void queries_on_rows_require_a_counted_store(void **state)
{
    char *store = make_store(dir, "s", small, false);
    struct cooc_err err = { 0 };
    struct cooc_hit *hits;
    struct cooc_rows *rows;
    struct cooc_pair p;
    struct cooc *db;
    size_t n;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_rows_open(&rows, db, 0, 1, &err), COOC_ENOTCOUNTED, &err);
    assert_null(rows);
    CHECK_RC(cooc_pairs(db, NULL, &hits, &n, &err), COOC_ENOTCOUNTED, &err);
    CHECK_RC(cooc_pair_get(db, 0, 1, &p, &err), 0, &err);
    assert_int_equal(p.count, 5);
    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
    cooc_close(db);
    free(store);
    assert_int_equal(mem_live(), 0);
}

static void a_store_without_terms_or_pairs_is_valid(void **state)
{
    static const char *const texts[] = { "", "\n\n", "!!!\n...\n", "a\n" };
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct cooc_index_options o = COOC_INDEX_OPTIONS;
        char *input = write_text(dir, "input.txt", texts[i]);
        char *store = in_dir(dir, "nothing");
        const char *const inputs[] = { input };
        const struct cooc_rank_options all = rank_by("llr", 0, COOC_ALL);
        const uint32_t first = 0;
        struct cooc_check_report rep = COOC_CHECK_REPORT;
        struct cooc_info info = COOC_INFO;
        struct cooc_hit *hits;
        struct cooc *db;
        size_t n;

        o.format = "lines";
        o.replace = true;
        CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), 0, &err);
        CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
        for (unsigned m = 0; cooc_method_get(m); m++) {
            struct cooc_count_options c = COOC_COUNT_OPTIONS;

            c.method = cooc_method_get(m)->name;
            c.recount = true;
            CHECK_RC(cooc_count(store, &c, NULL, &err), 0, &err);
        }
        CHECK_RC(cooc_check(store, 2, NULL, &rep, &err), 0, &err);
        assert_int_equal(rep.pairs, 0);
        CHECK_RC(cooc_open(&db, store, &err), 0, &err);
        CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
        assert_int_equal(info.terms, i == 3);
        assert_int_equal(info.pairs, 0);
        CHECK_RC(cooc_pairs(db, &all, &hits, &n, &err), 0, &err);
        assert_int_equal(n, 0);
        cooc_free(hits);
        CHECK_RC(cooc_top(db, &first, 1, COOC_MATCH_ALL, &all, &hits, &n,
                          &err), i == 3 ? 0 : COOC_EINVAL, &err);
        cooc_free(hits);
        cooc_close(db);
        free(input);
        free(store);
    }
    assert_int_equal(mem_live(), 0);
}

static void the_row_of_a_term_with_df_1_is_a_document_prefix(void **state)
{
    char *store = make_store(dir, "s", small, true);
    struct cooc_err err = { 0 };
    struct row_reader r = { 0 };
    const uint8_t *code;
    struct store s;
    size_t len;

    (void)state; /* by df: a 7, b 5, c 4, d e 3, f 2, g h 1 */
    CHECK_RC(store_open(&s, store, true, &err), 0, &err);
    CHECK_RC(store_row_code(&s, 6, &code, &len, &err), 0, &err);
    assert_int_equal(len, 0); /* not written */
    CHECK_RC(store_row(&s, 6, &r, &err), 0, &err);
    assert_int_equal(r.n, 1);
    assert_int_equal(r.entries[0].term, 0);
    assert_int_equal(r.entries[0].count, 1);
    CHECK_RC(store_row(&s, 7, &r, &err), 0, &err);
    assert_int_equal(r.n, 0);
    CHECK_RC(store_row(&s, 1, &r, &err), 0, &err);
    assert_int_equal(r.entries[0].count, 5);
    CHECK_RC(store_row(&s, 8, &r, &err), COOC_EINVAL, &err);
    row_reader_release(&r);
    store_close(&s);
    free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_manifest_reads_back),
        cmocka_unit_test(a_newer_store_requires_a_newer_program),
        cmocka_unit_test(a_path_that_is_not_a_store_is_described),
        cmocka_unit_test(a_missing_file_or_one_of_another_store_is_named),
        cmocka_unit_test(every_call_reports_a_store_without_a_file_as_damaged),
        cmocka_unit_test(an_interrupted_count_can_be_repeated),
        cmocka_unit_test(a_counted_store_is_counted_again_only_on_request),
        cmocka_unit_test(a_second_writer_is_refused),
        cmocka_unit_test(a_store_is_opened_whole_while_it_is_replaced),
        cmocka_unit_test(queries_on_rows_require_a_counted_store),
        cmocka_unit_test(a_store_without_terms_or_pairs_is_valid),
        cmocka_unit_test(the_row_of_a_term_with_df_1_is_a_document_prefix),
    };

    return cmocka_run_group_tests_name("store", tests, make_dir, remove_dir);
}
