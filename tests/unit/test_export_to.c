/* test_export_to.c - exports through a callback and to open descriptors. */
#include "tools.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "cooc_export.h"

#define BEFORE "before\n"
#define MANY_TERMS 700u /* enough pairs for several calls of the callback */

static char *dir, *store, *large;

/* ---- the callback ------------------------------------------------------ */

/* What a callback has received, and when it is to stop. */
struct taken {
    char *data;
    size_t len, cap;
    long calls, stop_at; /* stop at this call; 0: never */
    int stop_with;
    pthread_t caller;
    bool other_thread, empty;
};

/* The capacity is reserved before allocations fail. */
static struct taken taken_new(void)
{
    struct taken t = { .cap = (size_t)32 << 20, .caller = pthread_self() };

    t.data = malloc(t.cap);
    assert_non_null(t.data);
    return t;
}

static int take(void *self, const void *data, size_t len, struct cooc_err *err)
{
    struct taken *t = self;

    t->other_thread |= !pthread_equal(t->caller, pthread_self());
    t->empty |= !len;
    if (++t->calls == t->stop_at) {
        if (err)
            snprintf(err->text, sizeof err->text, "the disk has melted");
        return t->stop_with;
    }
    if (len > t->cap - t->len)
        return COOC_ELIMIT;
    memcpy(t->data + t->len, data, len);
    t->len += len;
    return 0;
}

/* ---- exports ----------------------------------------------------------- */

/* Every filter, scores, and both directions where the format has them. */
static void make_hard(struct cooc_export_options *o)
{
    static const uint32_t terms[] = { 0, 1, 2, 3, 5 };

    if (cooc_measure_find("npmi", &o->scoring.measure, NULL) < 0)
        fail_msg("npmi is missing");
    o->terms = terms;
    o->n_terms = ARRAY_LEN(terms);
    o->has_min_score = true;
    o->min_score = -1;
    o->per_node = 3;
    o->top_edges = 7;
    o->nodes = 4;
    o->diagonal = true;
}

static struct cooc *open_store(const char *path)
{
    struct cooc_err err = { 0 };
    struct cooc *db;

    CHECK_RC(cooc_open(&db, path, &err), 0, &err);
    return db;
}

/* Whether a format is a single stream, as the library says. */
static bool is_stream(const char *format)
{
    static const char *const streams[] = { "tsv", "csv", "jsonl", "raw",
                                           "gexf", "graphml", "pajek" };

    for (size_t i = 0; i < ARRAY_LEN(streams); i++)
        if (!strcmp(format, streams[i]))
            return true;
    return false;
}

static void check_bytes(const struct taken *t, const char *path,
                        const char *format)
{
    size_t len;
    char *want = read_bytes(path, &len);

    if (t->len != len || memcmp(t->data, want, len) != 0)
        fail_msg("%s: %zu bytes from the callback differ from %zu in the "
                 "file", format, t->len, len);
    free(want);
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

static void every_stream_has_the_bytes_of_the_file(void **state)
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

static void other_formats_are_refused_by_name(void **state)
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

/* ---- stopping ---------------------------------------------------------- */

static void any_value_stops_and_is_returned(void **state)
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
            assert_int_equal(t.calls, at); /* and not once more */
            assert_string_equal(err.text, "the disk has melted");
            rc = cooc_export_to(db, take, &t, &o, NULL, NULL);
            assert_int_equal(rc, 0); /* stop_at is past */
        }
    cooc_close(db);
    free(t.data);
    assert_int_equal(mem_live(), 0);
}

static int stop(void *self, const struct cooc_progress *p)
{
    (void)self;
    (void)p;
    return 1;
}

static void the_watch_stops_it_too(void **state)
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

/* 64 MiB hold all pairs here, so only the place is checked: the store, as it
 * was found, is left as it is, and a store is not taken as tmpdir. */
static void temporary_files_leave_no_trace(void **state)
{
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc *db = open_store(large);
    struct taken t = taken_new();
    struct cooc_err err = { 0 };
    int files = count_files(large);

    (void)state;
    o.shape = COOC_SHAPE_SYMMETRIC;
    o.memory = (uint64_t)64 << 20;
    CHECK_RC(cooc_export_to(db, take, &t, &o, NULL, &err), 0, &err);
    assert_int_equal(count_files(large), files);
    o.tmpdir = large;
    CHECK_RC(cooc_export_to(db, take, &t, &o, NULL, &err), COOC_EINVAL, &err);
    cooc_close(db);
    free(t.data);
}

/* ---- descriptors ------------------------------------------------------- */

/* Read in another thread: a pipe or socket holds less than an export. */
struct reader {
    int fd;
    struct taken got;
    pthread_t thread;
};

static void *read_to_end(void *self)
{
    struct reader *r = self;
    ssize_t n = 1;

    while (n > 0) {
        usleep(r->got.len % 3 ? 0 : 100); /* let the buffer fill up */
        n = read(r->fd, r->got.data + r->got.len, r->got.cap - r->got.len);
        r->got.len += n > 0 ? (size_t)n : 0;
    }
    return NULL;
}

/* The export as a file, for comparison. */
static char *make_expected(struct cooc *db)
{
    struct cooc_err err = { 0 };
    char *path = in_dir(dir, "expected");

    CHECK_RC(cooc_export(db, path, NULL, NULL, &err), 0, &err);
    return path;
}

static void export_to_fd(struct cooc *db, const char *names, int fd)
{
    struct cooc_export_report report = COOC_EXPORT_REPORT;
    struct cooc_err err = { 0 };
    char path[64];

    snprintf(path, sizeof path, "%s/%d", names, fd);
    CHECK_RC(cooc_export(db, path, NULL, &report, &err), 0, &err);
    assert_string_equal(report.file, path);
    assert_true(fcntl(fd, F_GETFD) >= 0); /* still the caller's */
}

/* A file, which already has text in it: the export follows, and again. */
static void check_file(struct cooc *db, const char *names, int fd,
                       const char *expected)
{
    struct stat before, after;
    size_t len, start = strlen(BEFORE);
    char *want = read_bytes(expected, &len), *got;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, BEFORE, start), start);
    assert_int_equal(fstat(fd, &before), 0);
    export_to_fd(db, names, fd);
    export_to_fd(db, names, fd);
    assert_int_equal(fstat(fd, &after), 0);
    assert_true(after.st_ino == before.st_ino);
    assert_true(after.st_nlink == before.st_nlink);
    assert_int_equal(after.st_size, start + 2 * len);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), start + 2 * len);
    got = malloc(start + 2 * len);
    assert_int_equal(pread(fd, got, start + 2 * len, 0), start + 2 * len);
    assert_memory_equal(got, BEFORE, start);
    assert_memory_equal(got + start, want, len);
    assert_memory_equal(got + start + len, want, len);
    free(got);
    free(want);
    close(fd);
}

static void check_stream(struct cooc *db, const char *names, const int ends[2],
                         bool blocking, const char *expected)
{
    struct reader r = { .fd = ends[0], .got = taken_new() };

    if (!blocking)
        assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    assert_int_equal(pthread_create(&r.thread, NULL, read_to_end, &r), 0);
    export_to_fd(db, names, ends[1]);
    close(ends[1]);
    assert_int_equal(pthread_join(r.thread, NULL), 0);
    check_bytes(&r.got, expected, names);
    close(ends[0]);
    free(r.got.data);
}

static const char *const fd_names[] = { "/dev/fd", "/proc/self/fd",
                                        "/proc/thread-self/fd" };

static void open_files_are_written_in_place(void **state)
{
    struct cooc *db = open_store(large);
    char *expected = make_expected(db), *path = in_dir(dir, "open");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fd_names); i++) {
        int flags = O_RDWR | O_CREAT | O_TRUNC, fd = open(path, flags, 0600);
        struct stat named, opened;
        int files = count_files(dir);

        assert_int_equal(fstat(fd, &opened), 0);
        check_file(db, fd_names[i], fd, expected);
        assert_int_equal(stat(path, &named), 0); /* not another file */
        assert_true(named.st_ino == opened.st_ino);
        assert_int_equal(count_files(dir), files);
        fd = open(path, flags, 0600);
        unlink(path);
        check_file(db, fd_names[i], fd, expected); /* deleted */
        assert_int_equal(access(path, F_OK), -1);
        check_file(db, fd_names[i], memfd_create("export", 0), expected);
    }
    free(path);
    free(expected);
    cooc_close(db);
}

static void pipes_and_sockets_are_written_to(void **state)
{
    struct cooc *db = open_store(large);
    char *expected = make_expected(db);
    int ends[2];

    (void)state;
    for (size_t i = 0; i < 2 * ARRAY_LEN(fd_names); i++) {
        assert_int_equal(pipe(ends), 0);
        check_stream(db, fd_names[i / 2], ends, i % 2, expected);
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        check_stream(db, fd_names[i / 2], ends, i % 2, expected);
    }
    free(expected);
    cooc_close(db);
}

static void descriptors_that_cannot_be_written_fail(void **state)
{
    static const char *const none[] = { "/dev/fd/987654",
                                        "/proc/self/fd/99999999999999999999",
                                        "/dev/fd/", "/dev/fd/+1",
                                        "/dev/fd/1x" };
    struct cooc *db = open_store(store);
    char *path = write_text(dir, "read-only", "text"), name[32];
    struct cooc_err err = { 0 };
    int fd = open(path, O_RDONLY);
    size_t len;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(none); i++)
        if (cooc_export(db, none[i], NULL, NULL, &err) >= 0)
            fail_msg("%s was written", none[i]);
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    CHECK_RC(cooc_export(db, name, NULL, NULL, &err), COOC_EIO, &err);
    free(read_bytes(path, &len));
    assert_int_equal(len, 4);
    close(fd);
    free(path);
    cooc_close(db);
    assert_int_equal(mem_live(), 0);
}

/* ---- a directory and two stores ---------------------------------------- */

/* Two documents with MANY_TERMS terms: every pair of terms. */
static char *make_large(void)
{
    char *text = malloc(MANY_TERMS * 24), *p = text, *made;

    for (unsigned i = 0; i < 2 * MANY_TERMS; i++)
        p += sprintf(p, "term%u%c", i % MANY_TERMS,
                     (i + 1) % MANY_TERMS ? ' ' : '\n');
    made = make_store(dir, "large.cooc", text, true);
    free(text);
    return made;
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
    large = make_large();
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
        cmocka_unit_test(every_stream_has_the_bytes_of_the_file),
        cmocka_unit_test(long_exports_arrive_in_order),
        cmocka_unit_test(other_formats_are_refused_by_name),
        cmocka_unit_test(any_value_stops_and_is_returned),
        cmocka_unit_test(the_watch_stops_it_too),
        cmocka_unit_test(running_out_of_memory_is_clean),
        cmocka_unit_test(temporary_files_leave_no_trace),
        cmocka_unit_test(open_files_are_written_in_place),
        cmocka_unit_test(pipes_and_sockets_are_written_to),
        cmocka_unit_test(descriptors_that_cannot_be_written_fail),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
