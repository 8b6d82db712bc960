/* test_kernel.c - the inner loops of bit-scan, and rows encoded from parts. */
#include "harness.h"

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "kernel/kernel.h"
#include "rows/row_code.h"
#include "rows/row_expand.h"
#include "rows/row_parts.h"

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

/* A word in which each bit is set with probability 2^-sparse. */
static uint64_t random_word(unsigned sparse)
{
    uint64_t w = UINT64_MAX;

    for (unsigned i = 0; i < sparse; i++)
        w &= next_random();
    return w;
}

static uint64_t maps[MAPS][WORDS];
static struct bitmap bitmaps[MAPS];

/* Make n random bitmaps, of falling widths if `falling`. */
static void make_maps(size_t n, bool falling)
{
    size_t words = WORDS;

    for (size_t i = 0; i < n; i++) {
        if (falling && words && next_random() % 4 == 0)
            words -= 4;
        bitmaps[i] = (struct bitmap){ maps[i], words };
        for (size_t w = 0; w < WORDS; w++)
            maps[i][w] = w < words ? random_word((unsigned)(w % 8)) : 0;
    }
}

static const struct kernels *const tables[] = { &kernel_scalar, &kernel_avx2,
                                                &kernel_avx512 };

/* The scalar kernel, and another one that this CPU supports, if any: a
 * different one for each i. */
static const struct kernels *of_two(int k, int i)
{
    const struct kernels *other = tables[1 + i % 2];

    return !k               ? &kernel_scalar
           : other->usable() ? other
                             : kernel_find(NULL, NULL);
}

static void planes_are_the_sum_of_the_bitmaps(void **state)
{
    static const size_t sizes[] = { 2, 3, 7, 8, 9, 15, 16, 17, 255, 256, 257,
                                    290, 300, 300 };
    static uint64_t planes[BITS * WORDS];

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(tables); k++)
        for (size_t s = 0; s < ARRAY_LEN(sizes) && tables[k]->usable(); s++) {
            unsigned bits = bit_length(sizes[s]);
            size_t first = s % 3 && sizes[s] > 256 ? 256 : sizes[s];

            make_maps(sizes[s], s % 2);
            tables[k]->add_up(planes, WORDS, bits, bitmaps, first, WORDS,
                              false);
            if (first < sizes[s])
                tables[k]->add_up(planes, WORDS, bits, bitmaps + first,
                                  sizes[s] - first, WORDS, true);
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

static void unions_have_the_ones_of_all_bitmaps(void **state)
{
    uint64_t all[WORDS];

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(tables); k++)
        for (size_t n = 1; n < 30 && tables[k]->usable(); n++) {
            size_t words = n % 5 ? WORDS : WORDS / 8 * 4;

            make_maps(n, n % 2);
            tables[k]->unite(all, bitmaps, n, words);
            for (size_t w = 0; w < words; w++) {
                uint64_t want = 0;

                for (size_t i = 0; i < n; i++)
                    want |= maps[i][w];
                assert_int_equal(all[w], want);
            }
        }
}

static void all_kernels_select_the_same_bits(void **state)
{
    static uint8_t out[2][WORDS * 8 + 32];
    uint64_t from[WORDS], where[WORDS];
    uint32_t index[2][WORDS];

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t n[2], words[2];

        for (size_t w = 0; w < WORDS; w++) {
            from[w] = next_random();
            where[w] = random_word((unsigned)(next_random() % 9));
        }
        for (int k = 0; k < 2; k++) {
            memset(out[k], 0xff, sizeof out[k]);
            words[k] = of_two(k, round)->nonzero(index[k], where, NULL, WORDS);
            n[k] = of_two(k, round)->select(out[k], from, where, index[k],
                                     words[k]);
        }
        assert_int_equal(words[0], words[1]);
        assert_memory_equal(index[0], index[1], words[0] * sizeof **index);
        assert_int_equal(n[0], n[1]);
        assert_int_equal(n[0], of_two(1, round)->ones(where, WORDS));
        assert_int_equal(n[0], kernel_scalar.ones(where, WORDS));
        assert_memory_equal(out[0], out[1], (n[0] + 7) / 8);
    }
}

/* What one kernel packs, every kernel unpacks. */
static void all_kernels_pack_the_same_bytes(void **state)
{
    uint16_t codes[100 + KERNEL_SLACK], back[100 + KERNEL_SLACK];
    static uint8_t which[2][16 + KERNEL_SLACK], data[2][200 + KERNEL_SLACK];

    (void)state;
    for (int round = 0; round < 20000; round++) {
        size_t n = next_random() % 100, len[2];

        memset(codes, 0, sizeof codes);
        for (size_t i = 0; i < n; i++)
            codes[i] = (uint16_t)(next_random() >> next_random() % 64);
        for (int k = 0; k < 2; k++)
            len[k] = (size_t)(of_two(k, round)->pack(which[k], data[k], codes,
                                                     n) - data[k]);
        assert_int_equal(len[0], len[1]);
        assert_memory_equal(which[0], which[1], (n + 7) / 8);
        assert_memory_equal(data[0], data[1], len[0]);
        for (int k = 0; k < 2; k++) {
            assert_true(of_two(k, round)->unpack(back, which[1 - k],
                                                 data[1 - k], n));
            assert_memory_equal(back, codes, n * sizeof *codes);
        }
    }
}

/* take_bytes() gives the bits of the bytes, and spread() undoes select(). */
static void all_kernels_take_the_same_bytes_and_spread_bits(void **state)
{
    static uint8_t counts[2][64 * WORDS], packed[WORDS * 8 + KERNEL_SLACK];
    uint64_t planes[2][8 * 5], out[WORDS], where[WORDS], from[WORDS];
    uint32_t number[5] = { 0, 3, 4, 9, 19 }, index[WORDS];

    (void)state;
    for (int round = 0; round < 2000; round++) {
        size_t n, at;

        for (size_t i = 0; i < sizeof counts[0]; i++)
            counts[0][i] = counts[1][i] = (uint8_t)next_random();
        for (int k = 0; k < 2; k++)
            of_two(k, round)->take_bytes(planes[k], 5, 8, counts[k], number, 5);
        assert_memory_equal(planes[0], planes[1], sizeof planes[0]);
        assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
        assert_int_equal(counts[0][64 * 9 + 5], 0);
        for (size_t w = 0; w < WORDS; w++) {
            from[w] = next_random();
            where[w] = random_word((unsigned)(next_random() % 9));
        }
        n = kernel_scalar.nonzero(index, where, NULL, WORDS);
        n = kernel_scalar.select(packed, from, where, index, n);
        for (int k = 0; k < 2; k++) {
            at = 0;
            of_two(k, round)->spread(out, packed, &at, where, WORDS);
            assert_int_equal(at, n);
            for (size_t w = 0; w < WORDS; w++)
                assert_int_equal(out[w], from[w] & where[w]);
        }
    }
}

/* Random bitmaps up to the head, random words after it. */
static void random_parts(struct row_room *room, struct row_parts *row,
                         const struct kernels *k, size_t docs)
{
    struct cooc_err err = { 0 };
    size_t head = next_random() % (WORDS / 4) * 4, n = next_random() % 200;
    uint32_t most = next_random() % 5 ? 2000 : 2, number = (uint32_t)head;
    unsigned bits = bit_length(docs);

    *row = (struct row_parts){ .k = k };
    make_maps(docs, false);
    CHECK_RC(array_grow(&room->tail, &room->tail_cap, n, sizeof *room->tail,
                        &err), 0, &err);
    CHECK_RC(row_room_begin(room, row, head, n, bits, &err), 0, &err);
    if (head)
        k->add_up(room->planes, row->words, bits, bitmaps, docs, head, false);
    for (size_t i = 0; i < n; i++) {
        number += (uint32_t)(next_random() % most);
        room->tail[i] = number++;
        for (unsigned j = 0; j < bits; j++)
            room->planes[j * row->words + head + i] =
                random_word(most > 2 ? 5 : 1) | (j == 0);
    }
    row_room_end(room, row);
}

/* row_expand() does what row_parts_expand() does, many columns at a time. */
static void a_row_is_expanded_the_same_by_all_kernels(void **state)
{
    struct entry *want = NULL, *got = NULL;
    size_t want_cap = 0, got_cap = 0;
    struct row_expand x = { 0 };
    struct row_room room = { 0 };
    struct cooc_err err = { 0 };

    (void)state;
    for (int round = 0; round < 3000; round++) {
        size_t docs = 2 + next_random() % (round % 3 ? 6 : 290), n, m;
        struct row_parts row;

        random_parts(&room, &row, of_two(round % 3 > 0, round), docs);
        CHECK_RC(row_parts_expand(&row, &want, &want_cap, &n, &err), 0, &err);
        CHECK_RC(row_expand(&x, &row, &got, &got_cap, &m, &err), 0, &err);
        assert_int_equal(m, n);
        if (n)
            assert_memory_equal(got, want, n * sizeof *want);
    }
    mem_free(want);
    mem_free(got);
    row_expand_release(&x);
    row_room_release(&room);
    assert_int_equal(mem_live(), 0);
}

static void a_row_in_parts_encodes_like_its_entries(void **state)
{
    struct entry *entries = NULL, *back = NULL;
    struct row_scratch scratch = { 0 };
    struct row_room room = { 0 };
    struct cooc_err err = { 0 };
    struct buf a = { 0 }, b = { 0 };
    size_t cap = 0, back_cap = 0;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        size_t docs = 2 + next_random() % (round % 3 ? 6 : 290), n, m;
        struct row_parts row;

        scratch.k = of_two(round % 2, round / 4);
        random_parts(&room, &row, scratch.k, docs);
        CHECK_RC(row_parts_expand(&row, &entries, &cap, &n, &err), 0, &err);
        scratch.k = of_two(round % 4 > 1, round / 4);
        a.len = b.len = 0;
        CHECK_RC(row_encode(&a, entries, n, &scratch, &err), 0, &err);
        CHECK_RC(row_encode_parts(&b, &row, &scratch, &err), 0, &err);
        assert_int_equal(a.len, b.len);
        if (!n)
            continue;
        assert_memory_equal(a.data, b.data, a.len);
        assert_true(row_parts_fit(&row, entries[n - 1].term + 1));
        assert_false(row_parts_fit(&row, entries[n - 1].term));
        CHECK_RC(row_decode((uint8_t *)a.data, a.len, UINT32_MAX, &back,
                            &back_cap, &m, &scratch, &err), 0, &err);
        assert_int_equal(m, n);
        assert_memory_equal(back, entries, n * sizeof *back);
    }
    mem_free(entries);
    mem_free(back);
    row_room_release(&room);
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
    assert_non_null(strstr(err.text, "avx512, avx2 and scalar"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_the_sum_of_the_bitmaps),
        cmocka_unit_test(unions_have_the_ones_of_all_bitmaps),
        cmocka_unit_test(all_kernels_select_the_same_bits),
        cmocka_unit_test(all_kernels_pack_the_same_bytes),
        cmocka_unit_test(all_kernels_take_the_same_bytes_and_spread_bits),
        cmocka_unit_test(a_row_is_expanded_the_same_by_all_kernels),
        cmocka_unit_test(a_row_in_parts_encodes_like_its_entries),
        cmocka_unit_test(a_kernel_is_found_by_name),
    };

    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
