/* test_base.c - errors, memory, byte order, files, checked files, threads. */
#include "tools.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/checked_file.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/watch.h"
#include "cooc_build.h"

static void every_varint_reads_back_and_has_one_encoding(void **state)
{
    static const uint64_t values[] = { 0, 1, 127, 128, 16383, 16384,
                                       UINT32_MAX, UINT64_MAX };
    uint8_t b[VARINT_MAX];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        uint8_t *end = put_varint(b, values[i]);
        const uint8_t *p = b;
        uint64_t v;

        assert_true(get_varint(&p, end, &v));
        assert_int_equal(v, values[i]);
        assert_ptr_equal(p, end);
        p = b;
        assert_false(get_varint(&p, end - 1, &v)); /* truncated */
    }
    const uint8_t long_zero[] = { 0x80, 0x00 };
    const uint8_t too_big[] = { 0xff, 0xff, 0xff, 0xff, 0xff,
                                0xff, 0xff, 0xff, 0xff, 0x02 };
    const uint8_t *p = long_zero;
    uint64_t v;

    assert_false(get_varint(&p, long_zero + 2, &v));
    p = too_big;
    assert_false(get_varint(&p, too_big + 10, &v));
}

static void a_size_that_overflows_is_refused(void **state)
{
    (void)state;
    assert_null(mem_array(SIZE_MAX / 4, 8));
    assert_null(mem_zarray(SIZE_MAX, 2));
    assert_int_equal(mem_live(), 0);
}

static void make_checked_file(const char *path, size_t len,
                              struct checked_file_id *id)
{
    struct cooc_err err = { 0 };
    struct checked_file_writer *w;

    CHECK_RC(checked_file_create(&w, path, "test", &err), 0, &err);
    for (size_t i = 0; i < len; i++) {
        uint8_t c = (uint8_t)(i * 31 + (i >> 8));
        CHECK_RC(checked_file_write(w, &c, 1, &err), 0, &err);
    }
    CHECK_RC(checked_file_commit(w, id, &err), 0, &err);
    checked_file_writer_free(w);
}

static void a_blob_reads_back_at_every_size(void **state)
{
    static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 1048576,
                                    1048577 };
    char *dir = fresh_dir(), *path;
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(path_join(&path, dir, "b", &err), 0, &err);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        struct checked_file_id id;
        struct checked_file *b;
        const void *p;

        make_checked_file(path, sizes[i], &id);
        CHECK_RC(checked_file_open(&b, path, "test", &id, &err), 0, &err);
        assert_int_equal(checked_file_size(b), sizes[i]);
        CHECK_RC(checked_file_get(b, 0, sizes[i], &p, &err), 0, &err);
        for (size_t k = 0; k < sizes[i]; k++)
            if (((const uint8_t *)p)[k] != (uint8_t)(k * 31 + (k >> 8)))
                fail_msg("size %zu: byte %zu differs", sizes[i], k);
        CHECK_RC(checked_file_get(b, sizes[i], 1, &p, &err), COOC_EFORMAT,
                 &err);
        CHECK_RC(checked_file_get(b, UINT64_MAX, 2, &p, &err), COOC_EFORMAT,
                 &err);
        checked_file_close(b);
    }
    mem_free(path);
    drop_dir(dir);
    assert_int_equal(mem_live(), 0);
}

static void a_blob_with_a_flipped_bit_or_cut_short_is_refused(void **state)
{
    char *dir = fresh_dir(), *path;
    struct cooc_err err = { 0 };
    struct checked_file_id id;
    struct buf whole = { 0 };

    (void)state;
    CHECK_RC(path_join(&path, dir, "b", &err), 0, &err);
    make_checked_file(path, 300, &id);
    CHECK_RC(file_read_all(path, 1 << 20, &whole, &err), 0, &err);
    for (size_t bit = 0; bit < whole.len * 8; bit++) {
        struct checked_file *b = NULL;
        int rc;

        whole.data[bit / 8] ^= (char)(1 << bit % 8);
        CHECK_RC(file_write_atomic(path, whole.data, whole.len, &err), 0,
                 &err);
        rc = checked_file_open(&b, path, "test", &id, &err);
        if (rc == 0)
            rc = checked_file_verify(b, NULL, &err);
        checked_file_close(b);
        CHECK_RC(rc, COOC_EFORMAT, &err);
        whole.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t n = 0; n < whole.len; n++) {
        struct checked_file *b;

        CHECK_RC(file_write_atomic(path, whole.data, n, &err), 0, &err);
        CHECK_RC(checked_file_open(&b, path, "test", &id, &err), COOC_EFORMAT,
                 &err);
        assert_null(b);
    }
    buf_release(&whole);
    mem_free(path);
    drop_dir(dir);
}

static void an_uncommitted_blob_leaves_no_file(void **state)
{
    char *dir = fresh_dir(), *path;
    struct cooc_err err = { 0 };
    struct checked_file_writer *w;

    (void)state;
    CHECK_RC(path_join(&path, dir, "b", &err), 0, &err);
    CHECK_RC(checked_file_create(&w, path, "test", &err), 0, &err);
    CHECK_RC(checked_file_write(w, "abc", 3, &err), 0, &err);
    checked_file_writer_free(w);
    assert_int_equal(rmdir(dir), 0); /* the directory is empty */
    mem_free(path);
    free(dir);
}

static void a_full_disk_is_reported(void **state)
{
    struct cooc_err err = { 0 };
    static const char data[4096];
    FILE *f = fopen("/dev/full", "w");

    (void)state;
    if (!f)
        skip();
    CHECK_RC(file_write(fileno(f), data, sizeof data, "x.bin", &err),
             COOC_EFULL, &err);
    assert_non_null(strstr(err.text, "x.bin"));
    assert_non_null(strstr(err.text, "disk is full"));
    fclose(f);
}

enum { JOBS = 1000, WORKERS = 5 };

struct jobs {
    atomic_uint done[JOBS], busy[WORKERS];
    uint64_t fail_from, fail_every; /* fail_every 0: no job fails */
};

static int note_job(void *self, unsigned worker, uint64_t job,
                    struct cooc_err *err)
{
    struct jobs *j = self;

    assert_true(worker < WORKERS);
    assert_int_equal(atomic_fetch_add(&j->busy[worker], 1), 0);
    atomic_fetch_add(&j->done[job], 1);
    atomic_fetch_sub(&j->busy[worker], 1);
    if (!j->fail_every || job < j->fail_from || job % j->fail_every)
        return 0;
    err_set(err, COOC_EIO, "job %llu", (unsigned long long)job);
    err->sys_errno = (int)job;
    snprintf(err->path, sizeof err->path, "file %llu",
             (unsigned long long)job);
    return COOC_EIO;
}

static void a_parallel_loop_runs_each_job_once(void **state)
{
    static const uint64_t sizes[] = { 0, 1, 2, WORKERS, JOBS };

    (void)state;
    assert_true(pool_cores() >= 1);
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        for (unsigned threads = 1; threads <= WORKERS; threads++) {
            struct jobs j = { 0 };
            struct cooc_err err = { 0 };

            CHECK_RC(pool_for(sizes[i], threads, note_job, &j, &err), 0,
                     &err);
            for (size_t k = 0; k < JOBS; k++)
                assert_int_equal(j.done[k], k < sizes[i]);
        }
    assert_int_equal(mem_live(), 0);
}

static void a_parallel_loop_reports_its_lowest_failure(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 200; i++) {
        struct jobs j = { .fail_from = 90, .fail_every = 7 };
        struct cooc_err err = { 0 };

        assert_int_equal(pool_for(JOBS, 1 + i % WORKERS, note_job, &j, &err),
                         COOC_EIO);
        assert_string_equal(err.text, "job 91");
        assert_string_equal(err.path, "file 91");
        assert_int_equal(err.sys_errno, 91);
        for (size_t k = 0; k < 91; k++)
            assert_int_equal(j.done[k], 1);
        assert_int_equal(j.done[JOBS - 1], 0);
    }
}

static void a_parallel_loop_without_memory_runs_on_one_thread(void **state)
{
    struct jobs j = { 0 };
    struct cooc_err err = { 0 };

    (void)state;
    mem_fail_at(1);
    CHECK_RC(pool_for(JOBS, WORKERS, note_job, &j, &err), 0, &err);
    assert_true(mem_failed());
    for (size_t k = 0; k < JOBS; k++)
        assert_int_equal(j.done[k], 1);
    mem_fail_at(0);
}

/* ---- sorting --------------------------------------------------------- */

static int by_u64(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

static void sorting_agrees_with_qsort(void **state)
{
    static const size_t sizes[] = { 0,  1,  2,  3,   7,   46,   47,   48,
                                    49, 50, 64, 255, 256, 1000, 70000 };
    enum { MOST = 70000 };
    uint64_t *keys = malloc(MOST * 8), *want = malloc(MOST * 8);
    uint64_t *tmp = malloc(MOST * 8), seed = 17;
    uint32_t *small = malloc(MOST * 4), *small_tmp = malloc(MOST * 4);

    (void)state;
    for (unsigned bits = 1; bits <= 64; bits += bits < 8 ? 1 : 7)
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
            for (int order = 0; order < 3; order++) {
                size_t n = sizes[i];

                for (size_t k = 0; k < n; k++)
                    keys[k] = want[k] = random_u64(&seed) >> (64 - bits)
                                                               << i % 3 * 8;
                if (n)
                    qsort(want, n, 8, by_u64);
                if (order == 1 && n) /* already sorted */
                    memcpy(keys, want, n * 8);
                for (size_t k = 0; order == 2 && k < n; k++)
                    keys[k] = want[n - 1 - k];
                for (size_t k = 0; k < n; k++)
                    small[k] = (uint32_t)keys[k];
                sort_u64(keys, tmp, n);
                if (n && memcmp(keys, want, n * 8) != 0)
                    fail_msg("%zu keys of %u bits", n, bits);
                sort_u32(small, small_tmp, n);
                for (size_t k = 0; k < n; k++)
                    want[k] = (uint32_t)want[k];
                if (n)
                    qsort(want, n, 8, by_u64);
                for (size_t k = 0; k < n; k++)
                    if (small[k] != want[k])
                        fail_msg("%zu small keys of %u bits", n, bits);
            }
    free(keys);
    free(want);
    free(tmp);
    free(small);
    free(small_tmp);
}

/* ---- progress -------------------------------------------------------- */

struct seen {
    int calls, stop_at;
    struct cooc_progress last;
};

static int see(void *self, const struct cooc_progress *p)
{
    struct seen *s = self;

    s->last = *p;
    return ++s->calls == s->stop_at;
}

static void a_search_finds_the_first_value_that_is_not_less(void **state)
{
    static const uint32_t v[] = { 0, 3, 3, 7, UINT32_MAX };
    static const uint64_t w[] = { 0, 3, 3, 7, UINT32_MAX };
    static const uint32_t wanted[] = { 0, 1, 3, 4, 7, 8, UINT32_MAX };

    (void)state;
    for (size_t n = 0; n <= ARRAY_LEN(v); n++)
        for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
            size_t at = 0;

            while (at < n && v[at] < wanted[i])
                at++;
            assert_int_equal(search_u32(v, n, wanted[i]), at);
            assert_int_equal(search_u64(w, n, wanted[i]), at);
        }
}

static void a_watch_reports_progress_and_cancels_the_job(void **state)
{
    struct seen seen = { .stop_at = 3 };
    const struct cooc_watch hook = { .size = sizeof hook, .progress = see,
                                     .self = &seen };
    struct cooc_err err = { 0 };
    struct watch w;
    int adds = 0;

    (void)state;
    assert_int_equal(watch_init(&w, &hook, NULL), 0);
    watch_phase(&w, "reading", "bytes", 100);
    assert_int_equal(seen.calls, 1);
    assert_string_equal(seen.last.phase, "reading");
    assert_string_equal(seen.last.unit, "bytes");
    assert_int_equal(seen.last.total, 100);
    CHECK_RC(watch_add(&w, 10, 1, 2, &err), 0, &err);
    assert_int_equal(seen.calls, 1); /* not called for every watch_add() */
    w.last -= 1;
    CHECK_RC(watch_add(&w, 5, 1, 3, &err), 0, &err);
    assert_int_equal(seen.calls, 2);
    assert_int_equal(seen.last.done, 15);
    assert_int_equal(seen.last.documents, 2);
    assert_int_equal(seen.last.pairs, 5);
    while (watch_add(&w, 0, 0, 0, &err) == 0 && adds++ < 3)
        w.last -= 1; /* the third call cancels */
    assert_int_equal(err.code, COOC_ECANCELLED);
    CHECK_RC(watch_add(&w, 0, 0, 0, &err), COOC_ECANCELLED, &err);
    assert_int_equal(seen.calls, 3);
    watch_release(&w);
    assert_int_equal(watch_init(&w, NULL, NULL), 0); /* no callback */
    watch_phase(&w, "counting", "", 0);
    w.last -= 1;
    CHECK_RC(watch_add(&w, 1, 1, 1, &err), 0, &err);
    watch_release(&w);
}

static double share_of(struct watch *w, struct seen *seen)
{
    w->last -= 1;
    assert_int_equal(watch_add(w, 0, 0, 0, NULL), 0);
    return seen->last.share;
}

static void a_watch_predicts_the_share_of_the_whole_job(void **state)
{
    struct seen seen = { .stop_at = 100 };
    const struct cooc_watch hook = { .size = sizeof hook, .progress = see,
                                     .self = &seen };
    struct watch w;

    (void)state;
    assert_int_equal(watch_init(&w, &hook, NULL), 0);
    watch_phase(&w, "checking", "bytes", 100);
    assert_true(share_of(&w, &seen) < 0); /* unknown */
    watch_expect(&w, 0, 0.5, 0);
    assert_true(share_of(&w, &seen) == 0);
    assert_int_equal(watch_add(&w, 50, 0, 0, NULL), 0);
    assert_true(share_of(&w, &seen) == 0.25);
    watch_phase(&w, "counting", "increments", 100);
    watch_expect(&w, 0.5, 1, 8); /* work counts, not increments */
    assert_int_equal(watch_add(&w, 90, 0, 0, NULL), 0);
    assert_true(share_of(&w, &seen) == 0.5);
    watch_worked(&w, 4);
    assert_true(share_of(&w, &seen) == 0.75);
    watch_worked(&w, 9);
    assert_true(share_of(&w, &seen) == 1); /* never more */
    watch_phase(&w, "merging", "increments", 100);
    assert_true(share_of(&w, &seen) < 0);
    watch_worked(NULL, 1);
    watch_release(&w);
}

static void the_clock_is_monotonic_and_the_memory_size_is_known(void **state)
{
    double then = clock_seconds();

    (void)state;
    assert_true(clock_seconds() >= then);
    assert_true(memory_half() > 1 << 20);
    assert_true(memory_half() < UINT64_MAX / 2);
}

/* Write text to a file below root; create its parent directories. */
static void plant(const char *root, const char *name, const char *text)
{
    char *path = in_dir(root, name);

    for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
    write_bytes(path, text, strlen(text));
    free(path);
}

/* The text of /proc/self/cgroup, and up to three files with limits. */
struct cgroup_case {
    const char *groups;
    struct {
        const char *file, *text;
    } limits[3];
    uint64_t want; /* 0: no limit but the machine's memory */
};

#define V2 "sys/fs/cgroup"
#define V1 "sys/fs/cgroup/memory"
#define GROUP "0::/user/job\n"
#define ITS V2 "/user/job/memory.max"

static const struct cgroup_case cgroup_cases[] = {
    { GROUP, { { ITS, "104857600\n" } }, 104857600 },
    { GROUP, { { ITS, "max\n" }, { V2 "/user/memory.max", "73400320\n" } },
      73400320 },
    { GROUP, { { ITS, "73400320\n" }, { V2 "/user/memory.max", "99\n" },
               { V2 "/memory.max", "1048576\n" } }, 99 },
    { GROUP, { { ITS, "max\n" }, { V2 "/memory.max", "83886080\n" } },
      83886080 },
    { "0::/\n", { { V2 "/memory.max", "41943040" } }, 41943040 },
    { GROUP, { { ITS, "max\n" } }, 0 },
    { GROUP, { { ITS, "garbage\n" } }, 0 },
    { GROUP, { { ITS, "123 garbage\n" } }, 0 },
    { GROUP, { { ITS, "-5\n" } }, 0 },
    { GROUP, { { ITS, "0\n" } }, 0 },
    { GROUP, { { ITS, "" } }, 0 },
    { GROUP, { { ITS, "99999999999999999999999999999999999999999\n" } }, 0 },
    { "5:cpu,cpuacct:/job\n4:memory:/job\n1:name=systemd:/job\n",
      { { V1 "/job/memory.limit_in_bytes", "52428800\n" },
        { V1 "/memory.limit_in_bytes", "9223372036854771712\n" } },
      52428800 },
    { "4:memory:/a/b\n0::/a\n",
      { { V1 "/a/memory.limit_in_bytes", "62914560\n" },
        { V1 "/a/b/memory.limit_in_bytes", "9223372036854771712\n" },
        { V2 "/a/memory.max", "57671680\n" } }, 57671680 },
    { "4:cpu:/job\n", { { V1 "/job/memory.limit_in_bytes", "5\n" } }, 0 },
    { "nonsense\n:\n::\n\n4:memory\n", { { V2 "/memory.max", "7\n" } }, 7 },
    { "", { { V2 "/memory.max", "7\n" } }, 0 },
};

static void the_default_memory_is_half_of_what_the_cgroup_allows(void **state)
{
    uint64_t machine = memory_half_below("/nonexistent");

    (void)state;
    assert_true(machine > 1 << 20);
    for (size_t i = 0; i < ARRAY_LEN(cgroup_cases); i++) {
        const struct cgroup_case *c = &cgroup_cases[i];
        uint64_t want = c->want ? c->want / 2 : machine;
        char *root = fresh_dir();

        plant(root, "proc/self/cgroup", c->groups);
        for (size_t k = 0; k < ARRAY_LEN(c->limits); k++)
            if (c->limits[k].file)
                plant(root, c->limits[k].file, c->limits[k].text);
        if (memory_half_below(root) != want)
            fail_msg("case %zu: %llu, not %llu", i,
                     (unsigned long long)memory_half_below(root),
                     (unsigned long long)want);
        drop_dir(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_varint_reads_back_and_has_one_encoding),
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(a_blob_reads_back_at_every_size),
        cmocka_unit_test(a_blob_with_a_flipped_bit_or_cut_short_is_refused),
        cmocka_unit_test(an_uncommitted_blob_leaves_no_file),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(a_parallel_loop_runs_each_job_once),
        cmocka_unit_test(a_parallel_loop_reports_its_lowest_failure),
        cmocka_unit_test(a_parallel_loop_without_memory_runs_on_one_thread),
        cmocka_unit_test(sorting_agrees_with_qsort),
        cmocka_unit_test(a_search_finds_the_first_value_that_is_not_less),
        cmocka_unit_test(a_watch_reports_progress_and_cancels_the_job),
        cmocka_unit_test(a_watch_predicts_the_share_of_the_whole_job),
        cmocka_unit_test(the_clock_is_monotonic_and_the_memory_size_is_known),
        cmocka_unit_test(the_default_memory_is_half_of_what_the_cgroup_allows),
    };

    choose_tmpdir();
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
