/* test_merge.c - merging and adding to stores through the library: compared
 * with one count of everything, out of memory, and with invalid stores. */
#include "tools.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "index/build.h"
#include "random_lines.h"
#include "store/manifest.h"
#include "store/settings.h"

static char *dir;

/* ---- random collections ---------------------------------------------- */

/* A store of each text, and one of all texts.  Its documents have the same
 * names as in the parts, because lines are named after their file. */
struct parts {
    char *stores[8];
    size_t n;
    char *want;
};

static char *index_files(const char *name, char *const *inputs, size_t n,
                         bool counted)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    char *store = in_dir(dir, name);

    o.format = "lines";
    o.threads = 1;
    o.replace = true;
    CHECK_RC(cooc_index((const char *const *)inputs, n, store, &o, NULL,
                        &err), 0, &err);
    if (counted)
        CHECK_RC(cooc_count(store, &full_rows, NULL, &err), 0, &err);
    return store;
}

static void make_parts(struct parts *p, char *const *texts, size_t n)
{
    char *files[8], name[32];

    p->n = n;
    for (size_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "in%zu.txt", i);
        files[i] = write_text(dir, name, texts[i]);
        snprintf(name, sizeof name, "part%zu", i);
        p->stores[i] = index_files(name, &files[i], 1, true);
    }
    p->want = index_files("want", files, n, true);
    for (size_t i = 0; i < n; i++)
        free(files[i]);
}

static void drop_parts(struct parts *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->stores[i]);
    free(p->want);
}

static int merge_parts(const struct parts *p, const char *out,
                       const struct cooc_merge_options *o,
                       struct cooc_merge_report *r, struct cooc_err *err)
{
    return cooc_merge((const char *const *)p->stores, p->n, out, o, r, err);
}

static void merged_random_stores_equal_one_store_of_everything(void **state)
{
    uint64_t seed = 20;
    char *out = in_dir(dir, "merged");

    (void)state;
    for (int round = 0; round < 24; round++) {
        uint32_t words = 1 + random_below(&seed, 120);
        size_t n = 1 + random_below(&seed, 5);
        struct cooc_merge_report r = COOC_MERGE_REPORT;
        struct cooc_merge_options o = COOC_MERGE_OPTIONS;
        struct cooc_count_options count = COOC_COUNT_OPTIONS;
        struct cooc_err err = { 0 };
        struct parts p;
        char *texts[8];

        for (size_t i = 0; i < n; i++)
            texts[i] = random_lines(&seed, random_below(&seed, 60), words);
        make_parts(&p, texts, n);
        o.replace = true;
        o.count = &count;
        count.threads = 1 + random_below(&seed, 3);
        o.batch_pairs = random_below(&seed, 2) * (1 + random_below(&seed, 90));
        for (int way = 0; way < 3; way++) {
            o.from = (enum cooc_merge_from)way;
            CHECK_RC(merge_parts(&p, out, &o, &r, &err), 0, &err);
            assert_int_equal(r.stores, n);
            assert_true(r.counted);
            if (way)
                assert_int_equal(r.from, way);
            check_same_store(out, p.want);
        }
        assert_int_equal(mem_live(), 0);
        for (size_t i = 0; i < n; i++)
            free(texts[i]);
        drop_parts(&p);
    }
    free(out);
}

/* ---- out of memory --------------------------------------------------- */

static char *two_texts[] = { "a b c d\na b c\nb d e\n", "e d\ne f a\ne c\n" };

/* Fail the 1st allocation, then the 2nd, ... until a run needs no more. */
static void merge_without_memory(enum cooc_merge_from way)
{
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    char *out = in_dir(dir, "short"), *part = in_dir(dir, "short.part");
    struct parts p;
    bool failed = true;
    struct stat st;

    make_parts(&p, two_texts, 2);
    o.from = way;
    o.replace = true;
    o.count = &count;
    count.threads = 2;
    o.batch_pairs = 2;
    for (long n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = merge_parts(&p, out, &o, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        if (rc < 0)
            CHECK_RC(rc, COOC_ENOMEM, &err);
        else
            check_same_store(out, p.want);
        assert_int_equal(mem_live(), 0);
        assert_int_not_equal(stat(part, &st), 0);
    }
    drop_parts(&p);
    free(out);
    free(part);
}

static void merging_rows_out_of_memory_fails_cleanly(void **state)
{
    (void)state;
    merge_without_memory(COOC_MERGE_ROWS);
}

static void merging_documents_out_of_memory_fails_cleanly(void **state)
{
    (void)state;
    merge_without_memory(COOC_MERGE_DOCUMENTS);
}

static void adding_out_of_memory_keeps_the_store(void **state)
{
    char *input, *left[2];
    struct cooc_add_options o = COOC_ADD_OPTIONS;
    struct cooc_index_options io = COOC_INDEX_OPTIONS;
    struct cooc_merge_options merge = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    struct parts p;
    bool failed = true;
    struct stat st;

    (void)state;
    make_parts(&p, two_texts, 2);
    input = in_dir(dir, "in1.txt");
    left[0] = in_dir(dir, "part0.part");
    left[1] = in_dir(dir, "part0.added.part");
    io.format = "lines";
    count.threads = 1;
    merge.from = COOC_MERGE_ROWS;
    merge.count = &count;
    o.input = &io;
    o.merge = &merge;
    for (long n = 1; failed; n++) {
        const char *const inputs[] = { input };
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = cooc_add(p.stores[0], inputs, 1, &o, NULL, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(mem_live(), 0);
        assert_int_not_equal(stat(left[0], &st), 0);
        assert_int_not_equal(stat(left[1], &st), 0);
        CHECK_RC(cooc_check(p.stores[0], 1, NULL, NULL, &err), 0, &err);
        if (rc == 0)
            break;
        CHECK_RC(rc, COOC_ENOMEM, &err);
    }
    check_same_store(p.stores[0], p.want);
    drop_parts(&p);
    free(input);
    free(left[0]);
    free(left[1]);
}

/* ---- invalid stores --------------------------------------------------- */

/* Change any byte of any file: merging fails and reports the file, or the byte
 * did not matter. */
static void damage_anywhere_is_reported_or_harmless(void **state)
{
    static const char *const files[] = {
        "terms.bin", "terms.off", "terms.sort", "docs.bin", "docs.off",
        "forward.bin", "forward.off", "inverted.off", "rows-0000.bin",
        "stop.txt", "manifest.json",
    };
    char *out = in_dir(dir, "harmed");
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    struct parts p;

    (void)state;
    make_parts(&p, two_texts, 2);
    o.from = COOC_MERGE_ROWS;
    o.replace = true;
    o.count = &count;
    count.threads = 1;
    for (size_t f = 0; f < ARRAY_LEN(files); f++) {
        char *path = in_dir(p.stores[1], files[f]);
        size_t len;
        char *data = read_bytes(path, &len);

        for (size_t i = 0; i < len; i += 3) {
            struct cooc_err err = { 0 };
            int rc;

            data[i] ^= 4;
            write_bytes(path, data, len);
            data[i] ^= 4;
            rc = merge_parts(&p, out, &o, NULL, &err);
            assert_int_equal(mem_live(), 0);
            if (rc == 0)
                check_same_store(out, p.want);
            else
                assert_true(strlen(err.text) > 10);
        }
        write_bytes(path, data, len);
        free(data);
        free(path);
    }
    drop_parts(&p);
    free(out);
}

/* ---- settings -------------------------------------------------------- */

static void options_are_restored_from_a_store(void **state)
{
    struct cooc_index_options o, got;
    struct manifest m = { 0 };
    struct cooc_err err = { 0 };
    struct index_rules how = { .mode = TOKENS_WHITESPACE };
    struct settings_lists lists;

    (void)state;
    cooc_init(&o, sizeof o);
    o.max_doc_terms = 77;
    o.stop_file = "some";
    o.min_df = 1;
    CHECK_RC(settings_write(&m, &o, &how, &err), 0, &err);
    m.rules = (struct rules_options){ .mode = TOKENS_WHITESPACE,
                                      .keep_case = true, .min_length = 3,
                                      .max_length = 9 };
    strcpy(m.stem, "english");
    cooc_init(&got, sizeof got);
    CHECK_RC(settings_unitable(&m, "x", &err), 0, &err);
    CHECK_RC(settings_options(&m, "x", &got, &lists, &err), 0, &err);
    assert_int_equal(got.max_doc_terms, 77);
    assert_true(got.keep_case && !got.drop_numbers);
    assert_true(lists.stop && !lists.thesaurus && !lists.terms);
    assert_string_equal(got.tokens, "whitespace");
    assert_string_equal(got.stem, "english");
    assert_int_equal(got.min_length, 3);
    assert_int_equal(got.max_length, 9);
    assert_int_equal(got.min_df, 1);
    manifest_release(&m);
}

/* A store made with one stemmer that claims another, as after an update of the
 * stemmer. */
static char *stemmed(const char *name, const char *stem)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    char *input = write_text(dir, "words", "running runs\nrunning\n");
    const char *const inputs[] = { input };
    char *store = in_dir(dir, name);
    struct manifest m;

    o.format = "lines";
    o.stem = stem;
    CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), 0, &err);
    CHECK_RC(manifest_read(&m, store, &err), 0, &err);
    assert_int_equal(json_object_set_new(m.settings, "stem",
                                         json_string("english")), 0);
    CHECK_RC(manifest_write(&m, store, &err), 0, &err);
    manifest_release(&m);
    free(input);
    return store;
}

static void different_stemmers_are_detected(void **state)
{
    char *a = stemmed("a", "english"), *b = stemmed("b", "finnish");
    const char *const both[] = { a, b };
    char *out = in_dir(dir, "both");
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(cooc_merge(both, 2, out, &o, NULL, &err), COOC_EINVAL, &err);
    assert_non_null(strstr(err.text, "stems for 'run"));
    o.accept_rules = true;
    CHECK_RC(cooc_merge(both, 2, out, &o, NULL, &err), 0, &err);
    CHECK_RC(cooc_check(out, 1, NULL, NULL, &err), 0, &err);
    free(a);
    free(b);
    free(out);
    assert_int_equal(mem_live(), 0);
}

static void invalid_arguments_are_refused(void **state)
{
    struct parts p;
    struct cooc_err err = { 0 };
    struct cooc_merge_options bad[6];
    struct cooc_count_options count[6];
    char *out = in_dir(dir, "never");
    struct stat st;

    (void)state;
    make_parts(&p, two_texts, 2);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        cooc_init(&bad[i], sizeof bad[i]);
        cooc_init(&count[i], sizeof count[i]);
        bad[i].count = &count[i];
    }
    count[0].threads = 1025;
    count[1].memory = 1 << 20;
    count[2].rows = COOC_ROWS_FULL;
    count[2].compact_df = 5;
    count[3].rows = COOC_ROWS_COMPACT;
    count[3].compact_df = 256;
    bad[4].from = (enum cooc_merge_from)3;
    count[5].rows = (enum cooc_row_set)7;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_RC(merge_parts(&p, out, &bad[i], NULL, &err), COOC_EINVAL,
                 &err);
    CHECK_RC(cooc_merge(NULL, 0, out, NULL, NULL, &err), COOC_EINVAL, &err);
    CHECK_RC(cooc_add(p.want, NULL, 0, NULL, NULL, NULL, &err), COOC_EINVAL,
             &err);
    assert_int_not_equal(stat(out, &st), 0);
    drop_parts(&p);
    free(out);
}

/* ---- cancelling ------------------------------------------------------ */

struct stopper {
    long calls, stop_at;
};

static int stop(void *self, const struct cooc_progress *p)
{
    struct stopper *s = self;

    (void)p;
    return ++s->calls >= s->stop_at;
}

static void a_merge_can_be_cancelled(void **state)
{
    char *out = in_dir(dir, "stopped"), *part = in_dir(dir, "stopped.part");
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    struct cooc_watch watch = COOC_WATCH;
    struct parts p;
    struct stat st;
    int stopped = 0;

    (void)state;
    make_parts(&p, two_texts, 2);
    o.from = COOC_MERGE_ROWS;
    o.replace = true;
    o.count = &count;
    count.watch = &watch;
    watch.progress = stop;
    for (long n = 1;; n++) {
        struct stopper s = { .stop_at = n };
        struct cooc_err err = { 0 };
        int rc;

        watch.self = &s;
        rc = merge_parts(&p, out, &o, NULL, &err);
        assert_int_equal(mem_live(), 0);
        assert_int_not_equal(stat(part, &st), 0);
        if (rc == 0)
            break;
        CHECK_RC(rc, COOC_ECANCELLED, &err);
        assert_int_not_equal(stat(out, &st), 0);
        stopped++;
    }
    assert_true(stopped > 3);
    check_same_store(out, p.want);
    drop_parts(&p);
    free(out);
    free(part);
}

static int set_up(void **state)
{
    (void)state;
    if (access("/dev/shm", W_OK | X_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 1); /* takes minutes on a disk */
    dir = fresh_dir();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_random_stores_equal_one_store_of_everything),
        cmocka_unit_test(merging_rows_out_of_memory_fails_cleanly),
        cmocka_unit_test(merging_documents_out_of_memory_fails_cleanly),
        cmocka_unit_test(adding_out_of_memory_keeps_the_store),
        cmocka_unit_test(damage_anywhere_is_reported_or_harmless),
        cmocka_unit_test(options_are_restored_from_a_store),
        cmocka_unit_test(different_stemmers_are_detected),
        cmocka_unit_test(invalid_arguments_are_refused),
        cmocka_unit_test(a_merge_can_be_cancelled),
    };

    return cmocka_run_group_tests_name("merge", tests, set_up, tear_down);
}
