/* test_ciff_export.c - stores as CIFF files: their exact bytes, which terms are
 * in them, what is refused, and that reading them gives the same store. */
#include "tools.h"
#include "wire_text.h"

#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_export.h"

static char *dir;

/* Check that the file has these bytes, after the description in the header. */
static void check_file(const char *path, const char *want)
{
    struct buf b = { 0 };
    size_t len;
    char *got = read_bytes(path, &len), *dot;

    wire_parse(&b, want);
    dot = memmem(got, len, "distinct terms.", 15);
    assert_non_null(dot);
    dot += 15;
    assert_int_equal((size_t)(got + len - dot), b.len);
    assert_memory_equal(dot, b.data, b.len);
    buf_release(&b);
    free(got);
}

/* Check that the header, up to the description, has these fields. */
static void check_header(const char *path, const char *want)
{
    struct buf b = { 0 };
    size_t len;
    char *got = read_bytes(path, &len);

    wire_parse(&b, want);
    assert_true(len > b.len + 2);
    assert_memory_equal(got + 2, b.data, b.len); /* after a length < 2^14 */
    buf_release(&b);
    free(got);
}

static int export_ciff(const char *store, const char *path,
                       struct cooc_export_options *o,
                       struct cooc_export_report *r, struct cooc_err *err)
{
    struct cooc *db = NULL;
    int rc = cooc_open(&db, store, err);

    o->format = "ciff";
    if (rc == 0)
        rc = cooc_export(db, path, o, r, err);
    cooc_close(db);
    return rc;
}

/* ---- what is written ---------------------------------------------------- */

static void a_store_is_written_with_and_without_counts(void **state)
{
    static const char lists[] =
        "{1'jam' 2=1 3=1 4{2=1}} {1'milk' 2=2 3=2 4{1=1 2=1} 4{1=2 2=1}}"
        "{1'tea' 2=3 3=3 4{2=1} 4{1=1 2=1} 4{1=2 2=1}}"
        "{2'./input.txt:1' 3=2} {1=1 2'./input.txt:2' 3=2} {1=2 "
        "2'./input.txt:3'}"
        "{1=3 2'./input.txt:4' 3=2}";
    char *path = in_dir(dir, "x.ciff");

    (void)state;
    for (int counted = 0; counted < 2; counted++) {
        struct cooc_export_options o = COOC_EXPORT_OPTIONS;
        struct cooc_export_report r = COOC_EXPORT_REPORT;
        struct cooc_err err = { 0 };
        size_t len;
        char *store = make_store(
            ".", "s.cooc", "tea jam tea\nmilk tea\n\ntea milk\n", counted);

        CHECK_RC(export_ciff(store, path, &o, &r, &err), 0, &err);
        /* The average is 1.5: its double has only two bytes that are not 0. */
        check_header(path, "1=1 2=3 3=4 4=3 5=4 6=6 x39 x00 x00 x00 x00 x00 "
                           "x00 xf8 x3f");
        check_file(path, lists);
        assert_true(r.index);
        assert_int_equal(r.terms, 3);
        assert_int_equal(r.documents, 4);
        assert_int_equal(r.postings, 6);
        assert_int_equal(r.pairs, 0);
        assert_string_equal(r.format, "ciff");
        free(read_bytes(path, &len));
        assert_int_equal(r.bytes, len);
        free(store);
    }
    free(path);
    assert_int_equal(mem_live(), 0);
}

static void selected_terms_leave_lengths_and_totals_unchanged(void **state)
{
    static const uint32_t terms[] = { 2, 0 };
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_export_report r = COOC_EXPORT_REPORT;
    struct cooc_err err = { 0 };
    char *store = make_store(".", "s.cooc", "b a\nb\nc a b\n", false);
    char *path = in_dir(dir, "x.ciff");

    (void)state;
    o.terms = terms; /* c and b */
    o.n_terms = ARRAY_LEN(terms);
    CHECK_RC(export_ciff(store, path, &o, &r, &err), 0, &err);
    check_header(path, "1=1 2=2 3=3 4=3 5=3 6=6");
    check_file(path, "{1'b' 2=3 3=3 4{2=1} 4{1=1 2=1} 4{1=1 2=1}}"
                     "{1'c' 2=1 3=1 4{1=2 2=1}}"
                     "{2'./input.txt:1' 3=2} {1=1 2'./input.txt:2' 3=1}"
                     "{1=2 2'./input.txt:3' 3=3}");
    assert_int_equal(r.terms, 2);
    assert_int_equal(r.postings, 4);
    o.top_terms = 1;
    o.stems = true; /* terms are stems in any case */
    CHECK_RC(export_ciff(store, path, &o, &r, &err), 0, &err);
    check_header(path, "1=1 2=1 3=3 4=3 5=3 6=6");
    assert_int_equal(r.terms, 1);
    assert_int_equal(r.postings, 3);
    free(store);
    free(path);
    assert_int_equal(mem_live(), 0);
}

static void an_empty_store_is_written(void **state)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_err err = { 0 };
    char *store = make_store(".", "s.cooc", "\n", false);
    char *path = in_dir(dir, "x.ciff");

    (void)state;
    CHECK_RC(export_ciff(store, path, &o, NULL, &err), 0, &err);
    check_header(path, "1=1 3=1 5=1 x42");
    check_file(path, "{2'./input.txt:1'}");
    free(store);
    store = make_store(".", "s.cooc", "", false);
    CHECK_RC(export_ciff(store, path, &o, NULL, &err), 0, &err);
    check_header(path, "1=1 x42");
    check_file(path, "");
    free(store);
    free(path);
}

/* Index a file with these options; free() the path. */
static char *index_as(const char *name, const char *input,
                      struct cooc_index_options *o)
{
    struct cooc_err err = { 0 };
    char *store = in_dir(dir, name);

    o->replace = true;
    CHECK_RC(cooc_index(&input, 1, store, o, NULL, &err), 0, &err);
    return store;
}

static void stems_and_repaired_names_are_written(void **state)
{
    struct cooc_index_options index = COOC_INDEX_OPTIONS;
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_err err = { 0 };
    char *input = write_text(dir, "in.tsv",
                             "a\xff\xc3"
                             "b\tdogs cats\n");
    char *path = in_dir(dir, "x.ciff"), *store;

    (void)state;
    index.format = "tsv";
    index.encoding = "utf-8";
    index.stem = "english";
    store = index_as("s.cooc", input, &index);
    CHECK_RC(export_ciff(store, path, &o, NULL, &err), 0, &err);
    check_file(path, "{1'cat' 2=1 3=1 4{2=1}} {1'dog' 2=1 3=1 4{2=1}}"
                     "{2'a\xef\xbf\xbd\xef\xbf\xbd"
                     "b' 3=2}");
    free(store);
    free(path);
    free(input);
}

/* ---- what is refused ---------------------------------------------------- */

static void options_about_pairs_are_refused(void **state)
{
    static const char *const names[] = { "shape",     "scoring",  "diagonal",
                                         "like1",     "like2",    "min_count",
                                         "min_score", "per_node", "top_edges",
                                         "nodes" };
    char *store = make_store(".", "s.cooc", "b a\nb\n", true);
    char *path = in_dir(dir, "refused");
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct cooc_export_options o = COOC_EXPORT_OPTIONS;

        switch (i) {
        case 0:
            o.shape = COOC_SHAPE_TRIANGLE;
            break;
        case 1:
            CHECK_RC(cooc_measure_find("pmi", &o.scoring.measure, &err), 0,
                     &err);
            break;
        default:
            break;
        }
        o.diagonal = i == 2;
        o.like1 = i == 3 ? "a*" : NULL;
        o.like2 = i == 4 ? "a*" : NULL;
        o.min_count = i == 5 ? 2 : 0;
        o.has_min_score = i == 6;
        o.per_node = i == 7;
        o.top_edges = i == 8;
        o.nodes = i == 9;
        CHECK_RC(export_ciff(store, path, &o, NULL, &err), COOC_EINVAL, &err);
        assert_string_equal(err.option, names[i]);
        assert_true(access(path, F_OK) != 0);
    }
    free(store);
    free(path);
    assert_int_equal(mem_live(), 0);
}

/* ---- round trips -------------------------------------------------------- */

static void check_same_bytes(const char *path, const char *other)
{
    size_t n, m;
    char *a = read_bytes(path, &n), *b = read_bytes(other, &m);

    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
}

static void a_file_is_read_back_as_the_same_store(void **state)
{
    static const char *const files[] = {
        "terms.bin",   "terms.off",   "terms.sort",   "docs.bin",    "docs.off",
        "forward.bin", "forward.off", "inverted.bin", "inverted.off"
    };
    char *path = in_dir(dir, "x.ciff"), *again = in_dir(dir, "y.ciff");
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < 20; round++) {
        struct cooc_index_options index = COOC_INDEX_OPTIONS;
        struct cooc_export_options o = COOC_EXPORT_OPTIONS;
        struct cooc_err err = { 0 };
        struct buf text = { 0 };
        char *store, *copy;
        uint32_t docs = random_below(&seed, 400);

        for (uint32_t d = 0; d < docs; d++) {
            for (uint32_t n = random_below(&seed, 12); n > 0; n--)
                assert_int_equal(
                    buf_printf(&text, NULL, "w%u ", random_below(&seed, 90)),
                    0);
            assert_int_equal(buf_byte(&text, '\n', NULL), 0);
        }
        assert_int_equal(buf_text(&text, NULL), 0);
        store = make_store(".", "s.cooc", text.data, false);
        CHECK_RC(export_ciff(store, path, &o, NULL, &err), 0, &err);
        copy = index_as("t.cooc", path, &index);
        for (size_t i = 0; i < ARRAY_LEN(files); i++)
            check_same_file(store, copy, files[i]);
        CHECK_RC(export_ciff(copy, again, &o, NULL, &err), 0, &err);
        check_same_bytes(path, again);
        buf_release(&text);
        free(store);
        free(copy);
    }
    free(path);
    free(again);
    assert_int_equal(mem_live(), 0);
}

static int set_up(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    return chdir(dir);
}

static int tear_down(void **state)
{
    (void)state;
    if (chdir("/") == 0)
        drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_is_written_with_and_without_counts),
        cmocka_unit_test(selected_terms_leave_lengths_and_totals_unchanged),
        cmocka_unit_test(an_empty_store_is_written),
        cmocka_unit_test(stems_and_repaired_names_are_written),
        cmocka_unit_test(options_about_pairs_are_refused),
        cmocka_unit_test(a_file_is_read_back_as_the_same_store),
    };

    return cmocka_run_group_tests_name("ciff_export", tests, set_up, tear_down);
}
