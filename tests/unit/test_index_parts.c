/* test_index_parts.c - the parallel parts of indexing, compared with simple
 * ways to do the same. */
#include "tools.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/checked_file.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/id_set.h"
#include "base/mem.h"
#include "base/placed_file.h"
#include "base/pool.h"
#include "base/turns.h"
#include "dict/name_sort.h"
#include "dict/sorted_names.h"
#include "own_dir.h"

static uint64_t seed = 1;

static uint32_t below(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

/* ---- files written in any order --------------------------------------- */

/* Cut [0, len) at random, put the pieces in random order, and commit. */
static int put_shuffled(const char *path, const uint8_t *data, size_t len,
                        struct checked_file_id *id, struct cooc_err *err)
{
    size_t at[64] = { 0 }, n = 1 + below(40), order[64];
    struct placed_file *f;
    int rc;

    for (size_t i = 1; i < n; i++)
        at[i] = at[i - 1] + below((uint32_t)(2 * len / n + 2));
    for (size_t i = 0; i < n; i++)
        at[i] = at[i] < len ? at[i] : len;
    at[n] = len;
    for (size_t i = 0; i < n; i++) {
        size_t j = below((uint32_t)i + 1);

        order[i] = order[j];
        order[j] = i;
    }
    CHECK_RC(placed_file_create(&f, path, "test", err), 0, err);
    for (size_t i = 0; i < n; i++) {
        size_t k = order[i], from = at[k];

        CHECK_RC(placed_file_put(f, from, data + from, at[k + 1] - from, err),
                 0, err);
    }
    rc = placed_file_commit(f, id, err);
    placed_file_free(f);
    return rc;
}

static void pieces_in_any_order_make_the_same_file(void **state)
{
    static const size_t sizes[] = { 0, 1, 65535, 65536, 65537, 131072, 300000,
                                    9000001 };
    char *path = in_dir(dir, "placed"), *other = in_dir(dir, "checked");

    (void)state;
    for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
        size_t len = sizes[s];
        uint8_t *data = mem_array(len, 1);
        struct checked_file_id want, got;
        struct checked_file_writer *w;
        struct cooc_err err = { 0 };

        for (size_t i = 0; i < len; i++)
            data[i] = (uint8_t)below(256);
        CHECK_RC(checked_file_create(&w, other, "test", &err), 0, &err);
        CHECK_RC(checked_file_write(w, data, len, &err), 0, &err);
        CHECK_RC(checked_file_commit(w, &want, &err), 0, &err);
        checked_file_writer_free(w);
        for (int i = 0; i < 20; i++) {
            CHECK_RC(put_shuffled(path, data, len, &got, &err), 0, &err);
            assert_int_equal(got.size, want.size);
            assert_true(got.hash == want.hash);
        }
        mem_free(data);
    }
    free(path);
    free(other);
    assert_int_equal(mem_live(), 0);
}

static void a_file_with_a_gap_is_refused(void **state)
{
    static const size_t gaps[] = { 1, 65535, 65536, 70000 };
    static const uint8_t data[200000];
    char *path = in_dir(dir, "gap");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(gaps); i++) {
        struct checked_file_id id;
        struct cooc_err err = { 0 };
        struct placed_file *f;

        CHECK_RC(placed_file_create(&f, path, "test", &err), 0, &err);
        CHECK_RC(placed_file_put(f, gaps[i], data, sizeof data - gaps[i],
                                 &err), 0, &err);
        CHECK_RC(placed_file_commit(f, &id, &err), COOC_EIO, &err);
        placed_file_free(f);
        assert_int_equal(access(path, F_OK), -1);
    }
    free(path);
}

static void a_file_can_be_mapped_before_it_is_committed(void **state)
{
    char *path = in_dir(dir, "mapped");
    const uint32_t v[] = { 7, 8, 9 };
    struct placed_file *f;
    struct cooc_err err = { 0 };
    const void *p;

    (void)state;
    CHECK_RC(placed_file_create(&f, path, "test", &err), 0, &err);
    CHECK_RC(placed_file_put_u32(f, 4, v + 1, 2, &err), 0, &err);
    CHECK_RC(placed_file_put_u32(f, 0, v, 1, &err), 0, &err);
    assert_int_equal(placed_file_size(f), 12);
    CHECK_RC(placed_file_map(f, &p, &err), 0, &err);
    for (int i = 0; i < 3; i++)
        assert_int_equal(le32toh(((const uint32_t *)p)[i]), v[i]);
    placed_file_free(f);
    assert_int_equal(access(path, F_OK), -1);
    free(path);
}

/* ---- sorting ------------------------------------------------------------ */

static int by_id(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

static void a_set_returns_its_ids_in_order(void **state)
{
    static const uint32_t limits[] = { 1, 64, 4096, 4097, 1000000 };
    uint32_t ids[500], got[500];

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(limits); k++) {
        struct id_set s;

        assert_int_equal(id_set_init(&s, limits[k], NULL), 0);
        for (int round = 0; round < 50; round++) {
            size_t n = below(500), distinct = 0;

            for (size_t i = 0; i < n; i++) {
                ids[i] = i == 7 ? limits[k] - 1 : below(limits[k]);
                id_set_add(&s, ids[i]);
            }
            qsort(ids, n, sizeof *ids, by_id);
            for (size_t i = 0; i < n; i++)
                if (!i || ids[i] != ids[i - 1])
                    ids[distinct++] = ids[i];
            assert_int_equal(id_set_take(&s, got), distinct);
            assert_memory_equal(got, ids, distinct * sizeof *ids);
        }
        id_set_release(&s);
    }
    assert_int_equal(mem_live(), 0);
}

/* Names that often agree in many bytes, some with zeros, some very long. */
static size_t make_name(char *name)
{
    size_t len = below(4) ? below(20) : below(40) ? below(100) : 300;

    for (size_t i = 0; i < len; i++)
        name[i] = "aaaaaaaaaaaaaaab\xff\0"[below(len > 200 ? 15 : 18)];
    if (len == 300)
        memcpy(name + 290, "0123456789", below(10));
    return len;
}

static struct dict *make_dict(uint32_t n)
{
    char name[300] = { 0 };
    struct dict *d;
    uint32_t id;

    assert_int_equal(dict_new(&d, NULL), 0);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(dict_add(d, name, make_name(name), &id, NULL), 0);
    return d;
}

static void names_are_sorted_in_byte_order(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 30000; n = n * 2 + 1) {
        struct dict *d = make_dict(n);
        uint32_t *got;

        assert_int_equal(name_sort(d, &got, NULL), 0);
        for (uint32_t i = 1; i < dict_size(d); i++) {
            size_t x_len, y_len;
            const char *x = dict_term(d, got[i - 1], &x_len);
            const char *y = dict_term(d, got[i], &y_len);

            assert_true(bytes_compare(x, x_len, y, y_len) < 0);
        }
        mem_free(got);
        dict_free(d);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- merging ------------------------------------------------------------ */

static int fill(void *self, struct name_record *r, struct cooc_err *err)
{
    (void)self;
    (void)err;
    r->number = 1;
    return 1;
}

/* Append every name of a range to *out, with the sum of the dictionaries and
 * ids of its records: the order of equal names does not matter. */
static void merge(const struct sorted_names *names, size_t n,
                  const struct spool_file *file, struct names_range range,
                  struct buf *out)
{
    struct names_merge m;
    uint64_t sum = 0;
    int rc;

    if (out->len >= sizeof sum) { /* after another range */
        out->len -= sizeof sum;
        memcpy(&sum, out->data + out->len, sizeof sum);
    }
    rc = names_merge_open(&m, names, n, file, range, 1 << 20, NULL);

    while (rc == 0 && m.n) {
        const struct names_cursor *c = names_merge_least(&m);

        if (m.is_new) {
            buf_add(out, &sum, sizeof sum, NULL);
            buf_add(out, c->now.name, c->now.len, NULL);
            sum = 0;
        }
        sum += ((uint64_t)(c - m.cursors) + 1) * 1000003 + c->now.id;
        rc = names_merge_next(&m, NULL);
    }
    buf_add(out, &sum, sizeof sum, NULL);
    assert_int_equal(rc, 0);
    names_merge_close(&m);
}

static void ranges_together_are_the_whole_merge(void **state)
{
    enum { DICTS = 3 };
    struct sorted_names names[DICTS] = { 0 };
    struct spool_file file;

    (void)state;
    for (int in_memory = 0; in_memory < 2; in_memory++) {
        struct buf whole = { 0 }, parts = { 0 };
        struct names_range *ranges;
        size_t n;

        assert_int_equal(spool_file_open(&file, dir, NULL), 0);
        file.room = in_memory ? UINT64_MAX : 0;
        for (uint32_t i = 0; i < DICTS; i++) {
            struct dict *d = make_dict(200000);

            names[i] = (struct sorted_names){ .n_ids = dict_size(d) };
            assert_int_equal(names_write_dict(&names[i], &file, d, fill, NULL,
                                              NULL), 0);
            dict_free(d);
        }
        merge(names, DICTS, &file, (struct names_range){ 0 }, &whole);
        assert_int_equal(names_split(&ranges, &n, names, DICTS, NULL), 0);
        assert_true(n > 3);
        for (size_t i = 0; i < n; i++)
            merge(names, DICTS, &file, ranges[i], &parts);
        assert_int_equal(parts.len, whole.len);
        assert_memory_equal(parts.data, whole.data, whole.len);
        mem_free(ranges);
        buf_release(&whole);
        buf_release(&parts);
        for (size_t i = 0; i < DICTS; i++)
            sorted_names_release(&names[i], &file);
        spool_file_close(&file);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- turns -------------------------------------------------------------- */

struct queue {
    struct turns turns;
    uint64_t next;
    bool wrong;
};

static int take_turn(void *self, unsigned worker, uint64_t job,
                     struct cooc_err *err)
{
    struct queue *q = self;
    int rc = job == 700 ? err_set(err, COOC_EIO, "job %d", (int)job) : 0;

    (void)worker;
    if (turns_wait(&q->turns, job) && rc == 0)
        q->wrong |= q->next++ != job;
    turns_pass(&q->turns, rc);
    return rc;
}

static void jobs_take_turns_in_order(void **state)
{
    struct queue q = { .turns = TURNS_INIT };
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(pool_for(1000, 4, take_turn, &q, &err), COOC_EIO, &err);
    assert_string_equal(err.text, "job 700");
    assert_int_equal(q.next, 700); /* nothing after the failure */
    assert_false(q.wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_in_any_order_make_the_same_file),
        cmocka_unit_test(a_file_with_a_gap_is_refused),
        cmocka_unit_test(a_file_can_be_mapped_before_it_is_committed),
        cmocka_unit_test(a_set_returns_its_ids_in_order),
        cmocka_unit_test(names_are_sorted_in_byte_order),
        cmocka_unit_test(ranges_together_are_the_whole_merge),
        cmocka_unit_test(jobs_take_turns_in_order),
    };

    return cmocka_run_group_tests_name("index parts", tests, make_dir,
                                       remove_dir);
}
