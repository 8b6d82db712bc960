/* test_export.c - exports and dumps: numbers and labels as text, out of memory
 * or cancelled at any point, and files that were tampered with. */
#include "tools.h"

#include <locale.h>
#include <math.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_export.h"
#include "export/dump.h"
#include "export/export.h"

static char *dir, *store;

/* ---- text ------------------------------------------------------------ */

static void check_real(double v, const char *want)
{
    char got[DECIMAL_REAL + 1];

    got[decimal_real(got, v)] = '\0';
    assert_string_equal(got, want);
}

static void integers_are_formatted_like_printf(void **state)
{
    static const uint64_t numbers[] = {
        0, 9, 10, 99, 100, 12345, 99999, 100000, 999999999, 1000000000,
        UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        char got[DECIMAL_U64 + 1], want[32];

        snprintf(want, sizeof want, "%llu", (unsigned long long)numbers[i]);
        got[decimal_u64(got, numbers[i])] = '\0';
        assert_string_equal(got, want);
        if (numbers[i] > UINT32_MAX)
            continue;
        got[decimal_u64(got, (uint32_t)numbers[i])] = '\0';
        assert_string_equal(got, want);
    }
}

static void reals_have_nine_digits_without_trailing_zeros(void **state)
{
    uint64_t seed = 9;

    (void)state;
    check_real(0, "0");
    check_real(1, "1");
    check_real(-2.5, "-2.5");
    check_real(0.1, "0.1");
    check_real(100, "100");
    check_real(0.000123456789123, "0.000123456789");
    check_real(123456.7890123, "123456.789");
    check_real(99999999.96, "100000000");
    check_real(0.9999999999, "1");
    check_real(0.00099999999999, "0.001");
    check_real(INFINITY, "inf");
    check_real(-INFINITY, "-inf");
    check_real(1e300, "1e+300");
    check_real(-1e-9, "-1e-09");
    for (int i = 0; i < 200000; i++) { /* of any magnitude */
        double v = ldexp((double)random_u64(&seed),
                         (int)random_below(&seed, 120) - 124);
        char got[DECIMAL_REAL + 1];

        v = i % 2 ? v : -v;
        got[decimal_real(got, v)] = '\0';
        if (!(fabs(strtod(got, NULL) - v) <= 5.001e-9 * fabs(v)))
            fail_msg("%.17g became %s", v, got);
    }
}

static void the_decimal_point_of_the_locale_is_ignored(void **state)
{
    char command[512], got[DECIMAL_REAL + 1], *end;

    (void)state;
    snprintf(command, sizeof command, "localedef --no-archive -c -i de_DE "
             "-f ISO-8859-1 '%s/de' >/dev/null 2>&1", dir);
    setenv("LOCPATH", dir, 1);
    if (system(command) > 256 || !setlocale(LC_ALL, "de"))
        skip();
    snprintf(got, sizeof got, "%.1f", 0.5);
    assert_string_equal(got, "0,5");
    check_real(0.5, "0.5");
    check_real(-1.5e-9, "-1.5e-09");
    got[decimal_digits(got, 2.0 / 3, 17)] = '\0';
    assert_string_equal(got, "0.66666666666666663");
    assert_true(decimal_parse("0.5 x", &end) == 0.5);
    assert_string_equal(end, " x");
    snprintf(got, sizeof got, "%.1f", 0.5); /* the caller's locale is kept */
    assert_string_equal(got, "0,5");
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH"); /* glibc's newlocale() would leak */
}

static void labels_are_escaped(void **state)
{
    static const struct {
        enum label kind;
        const char *in, *out;
    } cases[] = {
        { LABEL_TSV, "a\tb\\\n\r<", "a\\tb\\\\\\n\\r<" },
        { LABEL_CSV, "plain", "plain" },
        { LABEL_CSV, "a,b", "\"a,b\"" },
        { LABEL_CSV, "say \"x\"", "\"say \"\"x\"\"\"" },
        { LABEL_CSV, " x", "\" x\"" },
        { LABEL_JSON, "\"\\\b\f\n\r\t\x01\x7f",
          "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7f\"" },
        { LABEL_XML, "<a&\">\t\n\r", "&lt;a&amp;&quot;&gt;&#9;&#10;&#13;" },
        { LABEL_XML, "\x01\x1f\x7f", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
        { LABEL_XML, "\xef\xbf\xbe\xef\xb7\x90",
          "\xef\xbf\xbd\xef\xbf\xbd" },
        { LABEL_XML, "\xf0\x9f\xbf\xbf", "\xef\xbf\xbd" },
        { LABEL_XML, "\xff" "a\xc3", "\xef\xbf\xbd" "a\xef\xbf\xbd" },
        { LABEL_XML, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
        { LABEL_QUOTED, "say \"x\"\t", "\"say 'x' \"" },
        { LABEL_QUOTED, "back\\slash\\", "\"back/slash/\"" },
        { LABEL_PLAIN, "a\tb\n\"c\"\xe2\x80\xa8", "a b \"c\" " },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf b = { 0 };
        struct cooc_err err;

        CHECK_RC(label_add(&b, cases[i].kind, cases[i].in,
                           strlen(cases[i].in), &err), 0, &err);
        CHECK_RC(buf_text(&b, &err), 0, &err);
        if (strcmp(b.data, cases[i].out))
            fail_msg("'%s' became '%s'", cases[i].in, b.data);
        buf_release(&b);
    }
}

static void no_label_is_truncated_at_nul(void **state)
{
    static const char *const want[] = {
        [LABEL_TSV] = "a\\0\\\\b",
        [LABEL_CSV] = "a\xef\xbf\xbd\\b",
        [LABEL_JSON] = "\"a\\u0000\\\\b\"",
        [LABEL_XML] = "a\xef\xbf\xbd\\b",
        [LABEL_QUOTED] = "\"a /b\"",
        [LABEL_PLAIN] = "a \\b",
    };

    (void)state;
    for (size_t kind = 0; kind < ARRAY_LEN(want); kind++) {
        struct buf b = { 0 };
        struct cooc_err err;

        CHECK_RC(label_add(&b, (enum label)kind, "a\0\\b", 4, &err), 0, &err);
        assert_int_equal(b.len, strlen(want[kind]));
        assert_memory_equal(b.data, want[kind], b.len);
        buf_release(&b);
    }
}

/* ---- exports --------------------------------------------------------- */

static int export_as(const char *format, const char *path, bool hard,
                     const struct cooc_watch *watch, struct cooc_err *err)
{
    static const uint32_t terms[] = { 0, 1, 2, 3, 5 };
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_err why = { 0 };
    struct cooc *db = NULL;
    int rc;

    o.format = format;
    o.watch = watch;
    if (hard) {
        o.terms = terms;
        o.n_terms = ARRAY_LEN(terms);
    }
    if (hard && strcmp(format, "ciff") != 0) { /* every filter of pairs */
        CHECK_RC(cooc_measure_find("npmi", &o.scoring.measure, &why), 0, &why);
        o.has_min_score = true;
        o.min_score = -1;
        o.per_node = 3;
        o.top_edges = 7;
        o.nodes = 4;
        o.diagonal = true;
    }
    rc = cooc_open(&db, store, err);
    if (rc == 0)
        rc = cooc_export(db, path, &o, NULL, err);
    cooc_close(db);
    return rc;
}

static bool in_use(const char *path)
{
    return access(path, F_OK) == 0;
}

static void an_export_that_runs_out_of_memory_is_clean(void **state)
{
    char *out = in_dir(dir, "out"), *place = in_dir(out, "x");
    const char *format;

    (void)state;
    assert_int_equal(mkdir(out, 0777), 0);
    for (unsigned f = 0; (format = cooc_export_format_get(f, NULL)); f++) {
        bool failed = true;

        for (long n = 1; failed; n++) {
            struct cooc_err err = { 0 };
            int rc;

            mem_fail_at(n);
            rc = export_as(format, place, f % 2 || n % 2, NULL, &err);
            failed = mem_failed();
            mem_fail_at(0);
            if (rc < 0 && (rc != COOC_ENOMEM || !failed))
                fail_msg("%s, allocation %ld: %d: %s", format, n, rc,
                         err.text);
            if (mem_live() != 0)
                fail_msg("%s, allocation %ld: %ld blocks are left", format,
                         n, mem_live());
            if (rc < 0 && count_files(out) != 0)
                fail_msg("%s, allocation %ld: files are left", format, n);
            drop_dir(strdup(out));
            assert_int_equal(mkdir(out, 0777), 0);
        }
    }
    free(place);
    free(out);
}

/* Cancels at the n-th call. */
static int stop_at(void *self, const struct cooc_progress *p)
{
    long *n = self;

    (void)p;
    return --*n == 0;
}

static void an_export_cancelled_anywhere_leaves_no_file(void **state)
{
    char *place = in_dir(dir, "stopped");
    const char *format;

    (void)state;
    for (unsigned f = 0; (format = cooc_export_format_get(f, NULL)); f++) {
        int rc = -1;

        for (long n = 1; rc < 0; n++) {
            long left = n;
            struct cooc_watch watch = { .size = sizeof watch,
                                        .progress = stop_at, .self = &left };
            struct cooc_err err = { 0 };

            rc = export_as(format, place, true, &watch, &err);
            if (rc < 0)
                CHECK_RC(rc, COOC_ECANCELLED, &err);
            if (rc < 0 && in_use(place))
                fail_msg("%s, cancelled at %ld: the file exists", format, n);
            assert_true(n < 1000);
        }
        assert_true(in_use(place));
        unlink(place);
    }
    assert_int_equal(mem_live(), 0);
    free(place);
}

static void invalid_options_are_refused(void **state)
{
    static const uint32_t none[] = { 4000000 };
    char *place = in_dir(dir, "refused");
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    o.format = "word";
    CHECK_RC(cooc_export(db, place, &o, NULL, &err), COOC_EINVAL, &err);
    cooc_init(&o, sizeof o);
    o.memory = 1 << 20;
    CHECK_RC(cooc_export(db, place, &o, NULL, &err), COOC_EINVAL, &err);
    cooc_init(&o, sizeof o);
    o.terms = none;
    o.n_terms = 1;
    CHECK_RC(cooc_export(db, place, &o, NULL, &err), COOC_EINVAL, &err);
    cooc_init(&o, sizeof o);
    o.format = "gexf";
    o.shape = COOC_SHAPE_SYMMETRIC;
    CHECK_RC(cooc_export(db, place, &o, NULL, &err), COOC_EINVAL, &err);
    o.shape = (enum cooc_shape)7;
    CHECK_RC(cooc_export(db, place, &o, NULL, &err), COOC_EINVAL, &err);
    cooc_init(&o, sizeof o);
    o.scoring.shift = NAN;
    CHECK_RC(cooc_export(db, place, &o, NULL, &err), COOC_EINVAL, &err);
    assert_false(in_use(place));
    CHECK_RC(cooc_export(db, place, NULL, NULL, &err), 0, &err);
    assert_true(in_use(place));
    cooc_close(db);
    free(place);
}

/* ---- dumps ----------------------------------------------------------- */

static int count_cell(void *self, const struct cooc_cell *cell,
                      struct cooc_err *err)
{
    (void)cell;
    (void)err;
    ++*(uint64_t *)self;
    return 0;
}

static void npy_headers_are_read_or_refused(void **state)
{
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        { "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", true },
        { "{'descr': '|S3', 'fortran_order': False, 'shape': (), }", true },
        { "{'descr': '>i4', 'fortran_order': False, 'shape': (3,), }",
          false },
        { "{'descr': '<i4', 'fortran_order': True, 'shape': (3,), }", false },
        { "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }",
          false },
        { "{'descr': '|O', 'fortran_order': False, 'shape': (3,), }", false },
        { "{'descr': '<i99999999999999999999', 'fortran_order': False, "
          "'shape': (3,), }", false },
        { "{'descr': '<i4', 'fortran_order': False, 'shape': (", false },
        { "{'descr': '<", false },
        { "", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct npy_head head;

        if (npy_parse(cases[i].text, strlen(cases[i].text), &head) !=
            cases[i].good)
            fail_msg("%s", cases[i].text);
    }
}

/* However a file is changed, it is read or refused. */
static void files_that_were_tampered_with_do_no_harm(void **state)
{
    static const char *const formats[] = { "npz", "mtx", "glove" };
    char *path = in_dir(dir, "tampered"), *bad = in_dir(dir, "bad");
    uint64_t seed = 12;

    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
        struct cooc_err err = { 0 };
        uint64_t cells = 0;
        size_t len;
        char *good;

        CHECK_RC(export_as(formats[f], path, false, NULL, &err), 0, &err);
        CHECK_RC(cooc_dump(path, NULL, count_cell, &cells, NULL, &err), 0,
                 &err);
        assert_true(cells > 10);
        good = read_bytes(path, &len);
        for (int i = 0; i < 1500; i++) {
            char *copy = malloc(len);
            size_t size = i % 3 ? len : random_below(&seed, (uint32_t)len);

            memcpy(copy, good, len);
            for (int k = 0; i % 3 && k < 1 + i % 4; k++)
                copy[random_below(&seed, (uint32_t)len)] =
                    (char)random_below(&seed, 256);
            write_bytes(bad, copy, size);
            free(copy);
            cells = 0;
            if (cooc_dump(bad, NULL, count_cell, &cells, NULL, &err) < 0 &&
                !*err.text)
                fail_msg("an error without a message");
            if (mem_live() != 0)
                fail_msg("%ld blocks are left", mem_live());
        }
        free(good);
    }
    free(path);
    free(bad);
}

static void a_dump_that_runs_out_of_memory_is_clean(void **state)
{
    char *path = in_dir(dir, "dumped");
    bool failed = true;
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(export_as("npz", path, false, NULL, &err), 0, &err);
    for (long n = 1; failed; n++) {
        uint64_t cells = 0;
        int rc;

        mem_fail_at(n);
        rc = cooc_dump(path, NULL, count_cell, &cells, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        if ((rc < 0) != failed || (rc < 0 && rc != COOC_ENOMEM) ||
            mem_live() != 0)
            fail_msg("allocation %ld: %d: %s", n, rc, err.text);
    }
    free(path);
}

static int set_up(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    store = make_store(dir, "s.cooc",
                       "the cat sat on the mat\nthe dog sat\n"
                       "a cat and a dog and a vehicle\nthe cat\ncars\n",
                       true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(store);
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_formatted_like_printf),
        cmocka_unit_test(reals_have_nine_digits_without_trailing_zeros),
        cmocka_unit_test(the_decimal_point_of_the_locale_is_ignored),
        cmocka_unit_test(labels_are_escaped),
        cmocka_unit_test(no_label_is_truncated_at_nul),
        cmocka_unit_test(an_export_that_runs_out_of_memory_is_clean),
        cmocka_unit_test(an_export_cancelled_anywhere_leaves_no_file),
        cmocka_unit_test(invalid_options_are_refused),
        cmocka_unit_test(npy_headers_are_read_or_refused),
        cmocka_unit_test(files_that_were_tampered_with_do_no_harm),
        cmocka_unit_test(a_dump_that_runs_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
