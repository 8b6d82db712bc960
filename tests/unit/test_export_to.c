/* test_export_to.c - exports through a callback. */
#include "taken.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "cooc_export.h"

#define MANY_TERMS 700u   /* enough pairs for several calls of the callback */
#define SPILL_TERMS 2400u /* more pairs than fit into 64 MiB */

static char *dir, *store, *large;

/* ---- exports ----------------------------------------------------------- */

/* Every filter, scores, and both directions if the format supports them.  An
 * index has only terms. */
static void make_hard(struct cooc_export_options *o)
{
    static const uint32_t terms[] = { 0, 1, 2, 3, 5 };

    o->terms = terms;
    o->n_terms = ARRAY_LEN(terms);
    if (!strcmp(o->format, "ciff"))
        return;
    if (cooc_measure_find("npmi", &o->scoring.measure, NULL) < 0)
        fail_msg("npmi is missing");
    o->has_min_score = true;
    o->min_score = -1;
    o->per_node = 3;
    o->top_edges = 7;
    o->nodes = 4;
    o->diagonal = true;
}

/* Whether the library declares the format to be a single stream. */
static bool is_stream(const char *format)
{
    static const char *const streams[] = { "tsv", "csv", "jsonl", "raw",
                                           "gexf", "graphml", "pajek",
                                           "ciff" };

    for (size_t i = 0; i < ARRAY_LEN(streams); i++)
        if (!strcmp(format, streams[i]))
            return true;
    return false;
}

static void check_same(struct cooc *db, const struct cooc_export_options *o)
{
    struct cooc_export_report to_file = COOC_EXPORT_REPORT;
    struct cooc_export_report to_callback = COOC_EXPORT_REPORT;
    struct taken t = taken_new();
    struct cooc_err err = { 0 };
    char *path = in_dir(dir, "file");

    CHECK_RC(cooc_export(db, path, o, &to_file, &err), 0, &err);
    CHECK_RC(cooc_export_to(db, take, &t, o, &to_callback, &err), 0, &err);
    check_bytes(&t, path, o->format);
    assert_false(t.other_thread);
    assert_false(t.empty);
    assert_true(to_callback.bytes == t.len);
    assert_true(to_callback.pairs == to_file.pairs);
    assert_true(to_callback.terms == to_file.terms);
    assert_string_equal(to_callback.format, o->format);
    assert_string_equal(to_callback.file, "");
    assert_string_equal(to_callback.side_file, "");
    unlink(path);
    free(path);
    free(t.data);
}

static void every_stream_has_the_same_bytes_as_the_file(void **state)
{
    struct cooc *db = open_store(store);
    const char *format;

    (void)state;
    for (unsigned f = 0; (format = cooc_export_format_get(f, NULL)); f++) {
        struct cooc_export_options o = COOC_EXPORT_OPTIONS;

        if (!is_stream(format))
            continue;
        o.format = format;
        check_same(db, &o);
        make_hard(&o);
        check_same(db, &o);
    }
    cooc_close(db);
}

static void long_exports_arrive_in_order(void **state)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc *db = open_store(large);
    struct taken t = taken_new();
    struct cooc_err err = { 0 };

    (void)state;
    o.format = "tsv";
    o.threads = 3;
    check_same(db, &o);
    o.shape = COOC_SHAPE_SYMMETRIC;
    CHECK_RC(cooc_measure_find("pmi", &o.scoring.measure, &err), 0, &err);
    check_same(db, &o);
    CHECK_RC(cooc_export_to(db, take, &t, &o, NULL, &err), 0, &err);
    assert_true(t.calls > 3);
    free(t.data);
    cooc_close(db);
}

static void formats_that_are_not_streams_are_refused_by_name(void **state)
{
    struct cooc *db = open_store(store);
    const char *format;
    unsigned refused = 0;

    (void)state;
    for (unsigned f = 0; (format = cooc_export_format_get(f, NULL)); f++) {
        struct cooc_export_options o = COOC_EXPORT_OPTIONS;
        struct taken t = { 0 };
        struct cooc_err err = { 0 };

        if (is_stream(format))
            continue;
        refused++;
        o.format = format;
        CHECK_RC(cooc_export_to(db, take, &t, &o, NULL, &err), COOC_EINVAL,
                 &err);
        if (t.calls || !strstr(err.text, format))
            fail_msg("%s: %s", format, err.text);
        CHECK_RC(cooc_export(db, "/dev/fd/2", &o, NULL, &err), COOC_EINVAL,
                 &err);
        if (!strstr(err.text, format) || !strstr(err.text, "/dev/fd/2"))
            fail_msg("%s: %s", format, err.text);
    }
    assert_int_equal(refused, 6);
    CHECK_RC(cooc_export_to(db, NULL, NULL, NULL, NULL, NULL), COOC_EINVAL,
             &(struct cooc_err){ 0 });
    cooc_close(db);
}

/* ---- cancelling -------------------------------------------------------- */

static void a_non_zero_value_cancels_and_is_returned(void **state)
{
    static const int values[] = { 1, 77, INT32_MAX, -1, COOC_EFULL, -1000,
                                  INT32_MIN };
    struct cooc *db = open_store(large);
    struct taken t = taken_new();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++)
        for (long at = 1; at <= 3; at++) {
            struct cooc_export_options o = COOC_EXPORT_OPTIONS;
            struct cooc_err err = { 0 };
            int rc;

            o.format = i % 2 ? "graphml" : "tsv";
            t.len = 0;
            t.calls = 0;
            t.stop_at = at;
            t.stop_with = values[i];
            rc = cooc_export_to(db, take, &t, &o, NULL, &err);
            assert_int_equal(rc, values[i]);
            assert_int_equal(t.calls, at); /* no call after it */
            assert_string_equal(err.text, "the disk has melted");
            rc = cooc_export_to(db, take, &t, &o, NULL, NULL);
            assert_int_equal(rc, 0); /* there are fewer calls than stop_at */
        }
    cooc_close(db);
    free(t.data);
    assert_int_equal(mem_live(), 0);
}

/* The only call of a small export is made after everything is written. */
static void the_last_call_can_cancel_the_export(void **state)
{
    struct cooc *db = open_store(store);
    struct taken t = taken_new();
    const char *format;

    (void)state;
    t.stop_with = 5;
    for (unsigned f = 0; (format = cooc_export_format_get(f, NULL)); f++) {
        struct cooc_export_options o = COOC_EXPORT_OPTIONS;
        struct cooc_export_report report = COOC_EXPORT_REPORT;
        struct cooc_err err = { 0 };

        if (!is_stream(format))
            continue;
        o.format = format;
        t.calls = 0;
        t.stop_at = 1;
        CHECK_RC(cooc_export_to(db, take, &t, &o, &report, &err), 5, &err);
        assert_int_equal(t.calls, 1);
        assert_true(report.bytes == 0);
    }
    cooc_close(db);
    free(t.data);
}

static int stop(void *self, const struct cooc_progress *p)
{
    (void)self;
    (void)p;
    return 1;
}

static void the_watch_can_cancel_the_export(void **state)
{
    struct cooc_watch watch = COOC_WATCH;
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc *db = open_store(large);
    struct taken t = taken_new();
    struct cooc_err err = { 0 };

    (void)state;
    watch.progress = stop;
    o.watch = &watch;
    CHECK_RC(cooc_export_to(db, take, &t, &o, NULL, &err), COOC_ECANCELLED,
             &err);
    cooc_close(db);
    free(t.data);
}

/* ---- memory and temporary files ---------------------------------------- */

static int export_once(const char *format, bool hard, struct taken *t,
                       struct cooc_err *err)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc *db = NULL;
    int rc;

    o.format = format;
    if (hard)
        make_hard(&o);
    t->len = 0;
    rc = cooc_open(&db, store, err);
    if (rc == 0)
        rc = cooc_export_to(db, take, t, &o, NULL, err);
    cooc_close(db);
    return rc;
}

static void running_out_of_memory_is_clean(void **state)
{
    struct taken t = taken_new();
    const char *format;

    (void)state;
    for (unsigned f = 0; (format = cooc_export_format_get(f, NULL)); f++) {
        bool failed = true;

        for (long n = 1; failed; n++) {
            struct cooc_err err = { 0 };
            int rc, want = is_stream(format) ? 0 : COOC_EINVAL;

            mem_fail_at(n);
            rc = export_once(format, f % 2 || n % 2, &t, &err);
            failed = mem_failed();
            mem_fail_at(0);
            if (rc != (failed && rc != want ? COOC_ENOMEM : want))
                fail_msg("%s, allocation %ld: %d: %s", format, n, rc,
                         err.text);
            if (mem_live() != 0)
                fail_msg("%s, allocation %ld: %ld blocks are left", format,
                         n, mem_live());
        }
    }
    free(t.data);
}

/* Counts the bytes, and at the first byte the open unnamed files in a
 * directory. */
struct watched {
    const char *dir;
    uint64_t bytes;
    int temporary;
};

static int look_for_temporary(void *self, const void *data, size_t len,
                              struct cooc_err *err)
{
    struct watched *w = self;
    DIR *d = w->bytes ? NULL : opendir("/proc/self/fd");
    struct dirent *e;

    (void)data;
    (void)err;
    while (d && (e = readdir(d)) != NULL) {
        char to[4096] = "";

        if (readlinkat(dirfd(d), e->d_name, to, sizeof to - 1) > 0)
            w->temporary += !strncmp(to, w->dir, strlen(w->dir)) &&
                            strstr(to, "(deleted)");
    }
    if (d)
        closedir(d);
    w->bytes += len;
    return 0;
}

static void check_spilled(struct cooc *db, const char *tmpdir,
                          const char *where)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_export_report report = COOC_EXPORT_REPORT;
    struct watched w = { .dir = where };
    struct cooc_err err = { 0 };
    int files = count_files(where);

    o.format = "raw";
    o.shape = COOC_SHAPE_SYMMETRIC;
    o.memory = (uint64_t)64 << 20;
    o.tmpdir = tmpdir;
    CHECK_RC(cooc_export_to(db, look_for_temporary, &w, &o, &report, &err),
             0, &err);
    assert_int_equal(w.temporary, 1);
    assert_true(w.bytes == report.bytes);
    assert_true(report.pairs == (uint64_t)SPILL_TERMS * (SPILL_TERMS - 1));
    assert_int_equal(count_files(where), files);
}

/* The store is opened by a relative path that then becomes invalid. */
static void temporary_files_are_in_tmpdir_or_the_store(void **state)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    char *made = make_complete(dir, "spill.cooc", SPILL_TERMS);
    char *tmpdir = in_dir(dir, "tmp"), was[4096];
    struct watched w = { .dir = dir };
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    assert_non_null(getcwd(was, sizeof was));
    assert_int_equal(chdir(dir), 0);
    db = open_store("spill.cooc");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(mkdir(tmpdir, 0777), 0);
    check_spilled(db, NULL, made);
    check_spilled(db, tmpdir, tmpdir);
    assert_int_equal(chdir(was), 0);
    o.tmpdir = made;
    CHECK_RC(cooc_export_to(db, look_for_temporary, &w, &o, NULL, &err),
             COOC_EINVAL, &err);
    cooc_close(db);
    free(tmpdir);
    free(made);
}

/* ---- a directory and two stores ---------------------------------------- */

static int set_up(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    store = make_store(dir, "s.cooc",
                       "the cat sat on the mat\nthe dog sat\n"
                       "a cat and a dog and a vehicle\nthe cat\ncars\n",
                       true);
    large = make_complete(dir, "large.cooc", MANY_TERMS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(store);
    free(large);
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stream_has_the_same_bytes_as_the_file),
        cmocka_unit_test(long_exports_arrive_in_order),
        cmocka_unit_test(formats_that_are_not_streams_are_refused_by_name),
        cmocka_unit_test(a_non_zero_value_cancels_and_is_returned),
        cmocka_unit_test(the_last_call_can_cancel_the_export),
        cmocka_unit_test(the_watch_can_cancel_the_export),
        cmocka_unit_test(running_out_of_memory_is_clean),
        cmocka_unit_test(temporary_files_are_in_tmpdir_or_the_store),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
