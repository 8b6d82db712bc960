/* test_kernel.c - the inner loops of bit-scan, and rows encoded from parts. */
#include "harness.h"

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "count/row_parts.h"
#include "kernel/kernel.h"
#include "store/row_code.h"

#define WORDS 20u
#define MAPS 300u
#define BITS 9u /* 300 < 2^9 */

static uint64_t seed = 20201;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* A word whose bits are set with probability 2^-sparse. */
static uint64_t random_word(unsigned sparse)
{
    uint64_t w = UINT64_MAX;

    for (unsigned i = 0; i < sparse; i++)
        w &= next_random();
    return w;
}

static uint64_t maps[MAPS][WORDS];
static const uint64_t *pointers[MAPS];

static void make_maps(size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t w = 0; w < WORDS; w++)
            maps[i][w] = random_word((unsigned)(w % 8));
        pointers[i] = maps[i];
    }
}

static const struct kernels *const tables[] = { &kernel_scalar,
                                                &kernel_avx2 };

static void planes_are_the_sum_of_the_bitmaps(void **state)
{
    static const size_t sizes[] = { 2, 3, 7, 8, 9, 15, 16, 17, 255, 256, 300 };
    static uint64_t planes[BITS * WORDS];

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(tables); k++)
        for (size_t s = 0; s < ARRAY_LEN(sizes) && tables[k]->usable(); s++) {
            unsigned bits = bit_length(sizes[s]);

            make_maps(sizes[s]);
            tables[k]->add_up(planes, bits, pointers, sizes[s], WORDS);
            for (size_t c = 0; c < WORDS * 64; c++) {
                size_t want = 0, got = 0;

                for (size_t i = 0; i < sizes[s]; i++)
                    want += maps[i][c / 64] >> c % 64 & 1;
                for (unsigned j = 0; j < bits; j++)
                    got |= (planes[j * WORDS + c / 64] >> c % 64 & 1) << j;
                assert_int_equal(got, want);
            }
        }
}

static void both_kernels_select_the_same_bits(void **state)
{
    static uint8_t out[2][WORDS * 8 + 32];
    uint64_t from[WORDS], where[WORDS];
    uint16_t index[2][WORDS];

    (void)state;
    if (!kernel_avx2.usable())
        skip();
    for (int round = 0; round < 20000; round++) {
        size_t n[2], words[2];

        for (size_t w = 0; w < WORDS; w++) {
            from[w] = next_random();
            where[w] = random_word((unsigned)(next_random() % 9));
        }
        for (int k = 0; k < 2; k++) {
            memset(out[k], 0xff, sizeof out[k]);
            words[k] = tables[k]->nonzero(index[k], where, NULL, WORDS);
            n[k] = tables[k]->select(out[k], from, where, index[k],
                                     words[k]);
        }
        assert_int_equal(words[0], words[1]);
        assert_memory_equal(index[0], index[1], words[0] * sizeof **index);
        assert_int_equal(n[0], n[1]);
        assert_int_equal(n[0], kernel_avx2.ones(where, WORDS));
        assert_int_equal(n[0], kernel_scalar.ones(where, WORDS));
        assert_memory_equal(out[0], out[1], (n[0] + 7) / 8);
    }
}

/* Random bitmaps below the head, random entries behind it. */
static void a_row_in_parts_has_the_bytes_of_its_entries(void **state)
{
    static uint64_t planes[BITS * WORDS], at_least[(BITS + 1) * WORDS];
    struct cooc_entry tail[600], *entries = NULL;
    struct row_scratch scratch = { 0 };
    struct cooc_err err = { 0 };
    struct buf a = { 0 }, b = { 0 };
    size_t cap = 0;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        const struct kernels *k = tables[round % 2 && tables[1]->usable()];
        size_t docs = 2 + next_random() % (round % 3 ? 6 : 290), n;
        size_t words = (1 + next_random() % (WORDS / 4)) * 4;
        size_t columns = words * 64 - next_random() % 256;
        struct row_parts row = { .k = k, .planes = planes, .words = words,
                                 .bits = bit_length(docs),
                                 .at_least = at_least, .tail = tail };
        uint32_t term = (uint32_t)words * 64;

        make_maps(docs);
        k->add_up(planes, row.bits, pointers, docs, words);
        row.pairs = k->finish(at_least, planes, row.bits, words, columns);
        row.n_tail = next_random() % 600;
        for (size_t i = 0; i < row.n_tail; i++) {
            uint32_t most = round % 5 ? 400 : 3; /* dense blocks too */

            term += (uint32_t)(next_random() % most);
            tail[i] = (struct cooc_entry){
                .term = term++, .count = 1 + (uint32_t)(next_random() % docs)
            };
        }
        row.pairs += row.n_tail;
        CHECK_RC(row_parts_expand(&row, &entries, &cap, &n, &err), 0, &err);
        a.len = b.len = 0;
        CHECK_RC(row_encode(&a, entries, n, &scratch, &err), 0, &err);
        CHECK_RC(row_encode_parts(&b, &row, &scratch, &err), 0, &err);
        assert_int_equal(a.len, b.len);
        assert_memory_equal(a.data, b.data, a.len);
        assert_true(row_parts_fit(&row, term > columns ? term : UINT32_MAX));
    }
    mem_free(entries);
    row_scratch_release(&scratch);
    buf_release(&a);
    buf_release(&b);
    assert_int_equal(mem_live(), 0);
}

static void a_kernel_is_found_by_name(void **state)
{
    struct cooc_err err = { 0 };

    (void)state;
    assert_non_null(kernel_find(NULL, &err));
    assert_ptr_equal(kernel_find("scalar", &err), &kernel_scalar);
    assert_null(kernel_find("abacus", &err));
    assert_non_null(strstr(err.text, "avx2 and scalar"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_the_sum_of_the_bitmaps),
        cmocka_unit_test(both_kernels_select_the_same_bits),
        cmocka_unit_test(a_row_in_parts_has_the_bytes_of_its_entries),
        cmocka_unit_test(a_kernel_is_found_by_name),
    };

    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
