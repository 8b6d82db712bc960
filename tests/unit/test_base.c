/* test_base.c - errors, memory, bytes, files, blobs, threads. */
#include "harness.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"

static void a_varint_reads_back_and_has_one_spelling(void **state)
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
        assert_false(get_varint(&p, end - 1, &v)); /* cut off */
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

static void make_blob(const char *path, size_t len, struct blob_id *id)
{
    struct cooc_err err = { 0 };
    struct blob_writer *w;

    CHECK_RC(blob_create(&w, path, "test", &err), 0, &err);
    for (size_t i = 0; i < len; i++) {
        uint8_t c = (uint8_t)(i * 31 + (i >> 8));
        CHECK_RC(blob_write(w, &c, 1, &err), 0, &err);
    }
    CHECK_RC(blob_commit(w, id, &err), 0, &err);
    blob_writer_free(w);
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
        struct blob_id id;
        struct blob *b;
        const void *p;

        make_blob(path, sizes[i], &id);
        CHECK_RC(blob_open(&b, path, "test", &id, &err), 0, &err);
        assert_int_equal(blob_size(b), sizes[i]);
        CHECK_RC(blob_get(b, 0, sizes[i], &p, &err), 0, &err);
        for (size_t k = 0; k < sizes[i]; k++)
            if (((const uint8_t *)p)[k] != (uint8_t)(k * 31 + (k >> 8)))
                fail_msg("size %zu: byte %zu differs", sizes[i], k);
        CHECK_RC(blob_get(b, sizes[i], 1, &p, &err), COOC_EFORMAT, &err);
        CHECK_RC(blob_get(b, UINT64_MAX, 2, &p, &err), COOC_EFORMAT, &err);
        blob_close(b);
    }
    mem_free(path);
    drop_dir(dir);
    assert_int_equal(mem_live(), 0);
}

static void a_blob_with_any_bit_flipped_or_cut_is_refused(void **state)
{
    char *dir = fresh_dir(), *path;
    struct cooc_err err = { 0 };
    struct blob_id id;
    struct buf whole = { 0 };

    (void)state;
    CHECK_RC(path_join(&path, dir, "b", &err), 0, &err);
    make_blob(path, 300, &id);
    CHECK_RC(file_read_all(path, 1 << 20, &whole, &err), 0, &err);
    for (size_t bit = 0; bit < whole.len * 8; bit++) {
        struct blob *b = NULL;
        int rc;

        whole.data[bit / 8] ^= (char)(1 << bit % 8);
        CHECK_RC(file_write_atomic(path, whole.data, whole.len, &err), 0,
                 &err);
        rc = blob_open(&b, path, "test", &id, &err);
        if (rc == 0)
            rc = blob_verify(b, &err);
        blob_close(b);
        CHECK_RC(rc, COOC_EFORMAT, &err);
        whole.data[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t n = 0; n < whole.len; n++) {
        struct blob *b;

        CHECK_RC(file_write_atomic(path, whole.data, n, &err), 0, &err);
        CHECK_RC(blob_open(&b, path, "test", &id, &err), COOC_EFORMAT, &err);
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
    struct blob_writer *w;

    (void)state;
    CHECK_RC(path_join(&path, dir, "b", &err), 0, &err);
    CHECK_RC(blob_create(&w, path, "test", &err), 0, &err);
    CHECK_RC(blob_write(w, "abc", 3, &err), 0, &err);
    blob_writer_free(w);
    assert_int_equal(rmdir(dir), 0); /* only an empty one can go */
    mem_free(path);
    free(dir);
}

static void a_full_disk_is_named(void **state)
{
    struct cooc_err err = { 0 };
    static const char data[4096];
    FILE *f = fopen("/dev/full", "w");

    (void)state;
    if (!f)
        skip();
    CHECK_RC(file_write(fileno(f), data, sizeof data, "x.bin", &err),
             COOC_EIO, &err);
    assert_non_null(strstr(err.text, "x.bin"));
    assert_non_null(strstr(err.text, "disk is full"));
    fclose(f);
}

static void add_one(void *self, unsigned worker)
{
    (void)worker;
    atomic_fetch_add((atomic_int *)self, 1);
}

static void every_worker_runs_once(void **state)
{
    atomic_int n = 0;

    (void)state;
    pool_run(9, add_one, &n);
    assert_int_equal(n, 9);
    assert_true(pool_cores() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_varint_reads_back_and_has_one_spelling),
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(a_blob_reads_back_at_every_size),
        cmocka_unit_test(a_blob_with_any_bit_flipped_or_cut_is_refused),
        cmocka_unit_test(an_uncommitted_blob_leaves_no_file),
        cmocka_unit_test(a_full_disk_is_named),
        cmocka_unit_test(every_worker_runs_once),
    };

    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
