/* test_export_fd.c - exports to open file descriptors of every kind. */
#include "taken.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "cooc_export.h"

#define BEFORE "before\n"
#define MANY_TERMS 300u /* more text than a pipe holds */

static char *dir, *store;

/* Reads in another thread, because an export is larger than a pipe's buffer. */
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

/* Export to a file, for comparison. */
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
    assert_true(fcntl(fd, F_GETFD) >= 0); /* still open */
}

/* Export twice to a file that already contains text; both are appended. */
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
    struct cooc *db = open_store(store);
    char *expected = make_expected(db), *path = in_dir(dir, "open");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fd_names); i++) {
        int flags = O_RDWR | O_CREAT | O_TRUNC, fd = open(path, flags, 0600);
        struct stat named, opened;
        int files = count_files(dir);

        assert_int_equal(fstat(fd, &opened), 0);
        check_file(db, fd_names[i], fd, expected);
        assert_int_equal(stat(path, &named), 0); /* still the same file */
        assert_true(named.st_ino == opened.st_ino);
        assert_int_equal(count_files(dir), files);
        fd = open(path, flags, 0600);
        unlink(path);
        check_file(db, fd_names[i], fd, expected); /* an unlinked file */
        assert_int_equal(access(path, F_OK), -1);
        check_file(db, fd_names[i], memfd_create("export", 0), expected);
    }
    free(path);
    free(expected);
    cooc_close(db);
}

static void exports_are_written_to_pipes_and_sockets(void **state)
{
    struct cooc *db = open_store(store);
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

static void descriptors_that_cannot_be_written_are_refused(void **state)
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

/* With SIGPIPE ignored, a reader that has gone is an error. */
static void streams_without_a_reader_fail(void **state)
{
    struct cooc *db = open_store(store);
    struct cooc_err err;
    char name[32];
    int ends[2];

    (void)state;
    signal(SIGPIPE, SIG_IGN);
    for (int socket = 0; socket < 2; socket++) {
        assert_int_equal(socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
                                : pipe(ends), 0);
        close(ends[0]);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[1]);
        CHECK_RC(cooc_export(db, name, NULL, NULL, &err), COOC_EIO, &err);
        assert_int_equal(err.sys_errno, EPIPE);
        assert_string_equal(err.path, name);
        close(ends[1]);
    }
    signal(SIGPIPE, SIG_DFL);
    cooc_close(db);
}

static int set_up(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    store = make_complete(dir, "s.cooc", MANY_TERMS);
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
        cmocka_unit_test(open_files_are_written_in_place),
        cmocka_unit_test(exports_are_written_to_pipes_and_sockets),
        cmocka_unit_test(descriptors_that_cannot_be_written_are_refused),
        cmocka_unit_test(streams_without_a_reader_fail),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
