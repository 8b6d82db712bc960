/* test_ordered.c - parallel loops with results in order, and files that are
 * written in two parts. */
#include "tools.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/disk.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/ordered.h"

enum { JOBS = 500, WORKERS = 4, SLOTS = 6, ROOM = 5 };

/* Job j makes the numbers 0 to j % 23, in slots of ROOM numbers. */
struct loop {
    unsigned slots[SLOTS][ROOM], n[SLOTS];
    atomic_uint busy[SLOTS];
    uint64_t last;     /* job taken last */
    unsigned next;     /* its next number */
    uint64_t taken;    /* numbers taken */
    uint64_t fail_make, fail_take; /* jobs that fail, or JOBS */
    pthread_t caller;
};

static int make(void *self, struct ordered *loop, unsigned worker,
                unsigned slot, uint64_t job, struct cooc_err *err)
{
    struct loop *l = self;

    assert_true(worker < WORKERS && slot < SLOTS);
    assert_int_equal(atomic_fetch_add(&l->busy[slot], 1), 0);
    for (unsigned i = 0; i <= job % 23; i++) {
        if (l->n[slot] == ROOM) {
            int rc = ordered_pass(loop, worker, job, err);

            if (rc < 0) {
                atomic_fetch_sub(&l->busy[slot], 1);
                return rc;
            }
            assert_int_equal(l->n[slot], 0);
        }
        l->slots[slot][l->n[slot]++] = i;
    }
    atomic_fetch_sub(&l->busy[slot], 1);
    if (job >= l->fail_make)
        return err_set(err, COOC_EIO, "made %llu", (unsigned long long)job);
    return 0;
}

static int take(void *self, unsigned slot, uint64_t job, struct cooc_err *err)
{
    struct loop *l = self;

    assert_true(pthread_equal(pthread_self(), l->caller));
    if (job != l->last) {
        assert_int_equal(job, l->last + 1);
        assert_int_equal(l->next, l->last % 23 + 1);
        l->last = job;
        l->next = 0;
    }
    for (unsigned i = 0; i < l->n[slot]; i++)
        assert_int_equal(l->slots[slot][i], l->next++);
    l->taken += l->n[slot];
    l->n[slot] = 0;
    if (job >= l->fail_take)
        return err_set(err, COOC_EFULL, "took %llu", (unsigned long long)job);
    return 0;
}

static struct loop *new_loop(void)
{
    struct loop *l = mem_zarray(1, sizeof *l);

    l->caller = pthread_self();
    l->fail_make = l->fail_take = JOBS;
    return l;
}

static void results_are_taken_once_and_in_order(void **state)
{
    static const uint64_t sizes[] = { 0, 1, 2, 3, JOBS };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        for (unsigned n = 0; n < WORKERS * SLOTS; n++) {
            struct loop *l = new_loop();
            struct cooc_err err = { 0 };
            uint64_t want = 0;

            CHECK_RC(ordered_for(sizes[i], 1 + n % WORKERS, 1 + n / WORKERS,
                                 make, take, l, &err), 0, &err);
            for (uint64_t job = 0; job < sizes[i]; job++)
                want += job % 23 + 1;
            assert_int_equal(l->taken, want);
            mem_free(l);
        }
    assert_int_equal(mem_live(), 0);
}

static void the_first_failure_ends_the_loop(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 5 * WORKERS * SLOTS; n++) {
        struct loop *l = new_loop();
        struct cooc_err err = { 0 };
        bool making = n % 2;
        int rc;

        *(making ? &l->fail_make : &l->fail_take) = 91;
        rc = ordered_for(JOBS, 1 + n % WORKERS, 1 + n / 7 % SLOTS, make, take,
                         l, &err);
        assert_int_equal(rc, making ? COOC_EIO : COOC_EFULL);
        assert_string_equal(err.text, making ? "made 91" : "took 91");
        mem_free(l);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- files -------------------------------------------------------------- */

static uint8_t byte_at(size_t i)
{
    return (uint8_t)(i * 2654435761u >> 13);
}

/* Write bytes [from, to) in pieces of different sizes. */
static int write_pieces(struct disk_file *f, const uint8_t *data, size_t from,
                        size_t to, struct cooc_err *err)
{
    size_t piece = 1;
    int rc = 0;

    for (size_t n; from < to && rc == 0; from += n) {
        n = piece < to - from ? piece : to - from;
        rc = disk_write(f, data + from, n, err);
        piece = piece * 3 % 300007 + 1;
    }
    return rc;
}

/* Write size bytes in two parts, the second one before the first. */
static void check_parts(const char *path, const uint8_t *data, size_t at,
                        size_t size)
{
    struct disk_file *one, *two;
    struct cooc_err err = { 0 };
    struct buf got = { 0 };
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    CHECK_RC(disk_open(&one, fd, 0, path, &err), 0, &err);
    CHECK_RC(disk_open(&two, fd, at, path, &err), 0, &err);
    CHECK_RC(write_pieces(two, data, at, size, &err), 0, &err);
    CHECK_RC(write_pieces(one, data, 0, at, &err), 0, &err);
    CHECK_RC(disk_join(one, two, &err), 0, &err);
    CHECK_RC(disk_end(two, &err), 0, &err);
    disk_close(one);
    disk_close(two);
    close(fd);
    CHECK_RC(file_read_all(path, size + 1, &got, &err), 0, &err);
    assert_int_equal(got.len, size);
    assert_true(size == 0 || !memcmp(got.data, data, size));
    buf_release(&got);
}

static void a_file_can_be_written_in_two_parts(void **state)
{
    static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, DISK_BUFFER - 1,
                                    DISK_BUFFER, 3 * DISK_BUFFER + 12345 };
    size_t most = 2 * sizes[ARRAY_LEN(sizes) - 1];
    uint8_t *data = mem_array(most, 1);
    char *dir = fresh_dir(), *path;
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < most; i++)
        data[i] = byte_at(i);
    CHECK_RC(path_join(&path, dir, "file", &err), 0, &err);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        for (size_t k = 0; k < ARRAY_LEN(sizes); k++)
            check_parts(path, data, sizes[i], sizes[i] + sizes[k]);
    unlink(path);
    rmdir(dir);
    mem_free(path);
    mem_free(data);
    free(dir);
    assert_int_equal(mem_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_taken_once_and_in_order),
        cmocka_unit_test(the_first_failure_ends_the_loop),
        cmocka_unit_test(a_file_can_be_written_in_two_parts),
    };

    choose_tmpdir();
    return cmocka_run_group_tests_name("ordered", tests, NULL, NULL);
}
