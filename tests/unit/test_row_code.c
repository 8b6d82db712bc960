/* test_row_code.c - the bytes of a row: round trips, exact bytes, garbage. */
#include "tools.h"

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "store/row_code.h"

/* Everything that coding needs, kept from row to row as callers do. */
struct coder {
    struct buf code;
    struct cooc_entry *entries;
    size_t n, cap;
    struct row_scratch scratch;
};

static void coder_release(struct coder *c)
{
    buf_release(&c->code);
    mem_free(c->entries);
    row_scratch_release(&c->scratch);
    assert_int_equal(mem_live(), 0);
}

static void encode(struct coder *c, const struct cooc_entry *e, size_t n)
{
    struct cooc_err err = { 0 };

    c->code.len = 0;
    CHECK_RC(row_encode(&c->code, e, n, &c->scratch, &err), 0, &err);
}

/* Decode from a block of exactly len bytes, so that reading past the end is
 * seen by the address sanitizer. */
static int decode(struct coder *c, const void *code, size_t len, uint32_t t,
                  struct cooc_err *err)
{
    uint8_t *copy = malloc(len ? len : 1);
    int rc;

    if (len)
        memcpy(copy, code, len);
    rc = row_decode(copy, len, t, &c->entries, &c->cap, &c->n, &c->scratch,
                    err);
    free(copy);
    return rc;
}

/* Whatever decodes is a row of t, and its code is those very bytes. */
static bool canonical_or_refused(struct coder *c, const uint8_t *code,
                                 size_t len, uint32_t t)
{
    struct cooc_err err = { 0 };
    int rc = decode(c, code, len, t, &err);

    if (rc < 0)
        return rc == COOC_EFORMAT && err.code == rc;
    for (size_t i = 0; i < c->n; i++)
        if (c->entries[i].term >= t || !c->entries[i].count ||
            (i && c->entries[i].term <= c->entries[i - 1].term))
            return false;
    encode(c, c->entries, c->n);
    return c->code.len == len &&
           (!len || memcmp(c->code.data, code, len) == 0);
}

static void print_code(const uint8_t *code, size_t len)
{
    for (size_t i = 0; i < len; i++)
        fprintf(stderr, "%02x%c", code[i], i + 1 < len ? ' ' : '\n');
}

/* Worked out by hand from row_code.h; if these change, so has the format.
 *
 * {5: 1}             n 01, bits 01, blocks 00, gap 5 - 0 = 05; a largest
 *                    count of one bit has no planes.
 * {0: 3, 2: 1, 300: 2}
 *                    n 03, bits 02 (3 is 11b), blocks 00, gaps 0, 2 - 1 = 1,
 *                    300 - 3 = 297 = a9 02.  Plane 0: which are >= 2? yes no
 *                    yes = 101b = 05; their bit 0: 3 -> 1, 2 -> 0 = 01.
 * {3: 1, 256..287: 1, 600: 1}
 *                    n 34 = 22, bits 01, blocks 02: block 1 has 32 pairs.
 *                    heads 01 (a single pair) and 20 (a bitmap); columns 03
 *                    and the bitmap with its first 32 bits set; then the gap
 *                    600 - 512 = 88 = 58. */
static void three_rows_have_the_bytes_worked_out_by_hand(void **state)
{
    static const struct cooc_entry two[] = { { 0, 3 }, { 2, 1 }, { 300, 2 } };
    static const uint8_t code_one[] = { 0x01, 0x01, 0x00, 0x05 };
    static const uint8_t code_two[] = { 0x03, 0x02, 0x00, 0x00, 0x01,
                                        0xa9, 0x02, 0x05, 0x01 };
    static const uint8_t code_three[] = {
        0x22, 0x01, 0x02, 0x01, 0x20, 0x03, 0xff, 0xff, 0xff, 0xff,
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
        0,    0,    0,    0,    0,    0,    0,    0,    0x58
    };
    const struct cooc_entry one[] = { { 5, 1 } };
    struct cooc_entry three[34] = { { 3, 1 } };
    struct coder c = { 0 };
    struct cooc_err err = { 0 };

    (void)state;
    for (uint32_t i = 0; i < 32; i++)
        three[i + 1] = (struct cooc_entry){ 256 + i, 1 };
    three[33] = (struct cooc_entry){ 600, 1 };
    const struct {
        const struct cooc_entry *row;
        size_t n;
        const uint8_t *code;
        size_t len;
        uint32_t t;
    } cases[] = {
        { one, 1, code_one, sizeof code_one, 6 },
        { two, 3, code_two, sizeof code_two, 301 },
        { three, 34, code_three, sizeof code_three, 601 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        encode(&c, cases[i].row, cases[i].n);
        assert_int_equal(c.code.len, cases[i].len);
        assert_memory_equal(c.code.data, cases[i].code, cases[i].len);
        CHECK_RC(decode(&c, cases[i].code, cases[i].len, cases[i].t, &err), 0,
                 &err);
        assert_int_equal(c.n, cases[i].n);
        assert_memory_equal(c.entries, cases[i].row,
                            c.n * sizeof *c.entries);
        /* The same bytes are no row of the term before. */
        CHECK_RC(decode(&c, cases[i].code, cases[i].len, cases[i].t - 1,
                        &err),
                 COOC_EFORMAT, &err);
    }
    coder_release(&c);
}

/* ---- random rows ----------------------------------------------------- */

struct shape {
    const char *label;
    uint32_t t;         /* columns below this */
    uint32_t in_1024;   /* how many columns of 1024 are there */
    uint32_t max_count; /* 0: any 32 bits */
    uint32_t exact;     /* so many in each block, if not 0 */
};

static const struct shape shapes[] = {
    { "one possible pair", 1, 1024, 1, 0 },
    { "all of a block", 256, 1024, 1, 0 },
    { "one short of a block", 255, 1024, 3, 0 },
    { "one past a block", 257, 1024, 2, 0 },
    { "dense", 3000, 900, 5, 0 },
    { "sparse", 200000, 3, 4, 0 },
    { "very sparse", 2000000, 1, 1, 0 },
    { "counts of one", 5000, 300, 1, 0 },
    { "counts of all sizes", 5000, 300, 0, 0 },
    { "about 32 a block", 20000, 128, 9, 0 },
    { "31 a block", 2560, 0, 7, 31 },
    { "32 a block", 2560, 0, 7, 32 },
    { "33 a block", 2560, 0, 7, 33 },
};

static size_t random_row(const struct shape *s, uint64_t *seed,
                         struct cooc_entry *e)
{
    uint32_t left_in_block = 0;
    size_t n = 0;

    for (uint32_t k = 0; k < s->t; k++) {
        uint32_t room = 256 - k % 256, count = (uint32_t)random_u64(seed);

        if (k % 256 == 0)
            left_in_block = s->exact;
        if (s->exact ? random_below(seed, room) >= left_in_block
                     : random_below(seed, 1024) >= s->in_1024)
            continue;
        left_in_block -= s->exact != 0;
        count >>= random_below(seed, 32); /* small ones as well */
        e[n++] = (struct cooc_entry){
            .term = k,
            .count = s->max_count ? 1 + count % s->max_count
                     : count      ? count
                                  : UINT32_MAX,
        };
    }
    if (n && random_below(seed, 2)) /* the last column there can be */
        e[n - 1].term = s->t - 1;
    return n;
}

static void a_random_row_of_any_shape_reads_back(void **state)
{
    struct cooc_entry *row = malloc(2000000 * sizeof *row);
    struct cooc_err err = { 0 };
    struct coder c = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++)
        for (uint64_t round = 0; round < (shapes[i].t > 100000 ? 5 : 60);
             round++) {
            uint64_t seed = i * 1000 + round;
            size_t n = random_row(&shapes[i], &seed, row);

            encode(&c, row, n);
            CHECK_RC(decode(&c, c.code.data, c.code.len, shapes[i].t, &err),
                     0, &err);
            if (c.n != n || (n && memcmp(c.entries, row, n * sizeof *row)))
                fail_msg("%s, round %d: %zu pairs became %zu",
                         shapes[i].label, (int)round, n, c.n);
        }
    free(row);
    coder_release(&c);
}

static void a_row_without_pairs_has_no_bytes(void **state)
{
    struct cooc_err err = { 0 };
    struct coder c = { .n = 7 };

    (void)state;
    encode(&c, NULL, 0);
    assert_int_equal(c.code.len, 0);
    CHECK_RC(decode(&c, "", 0, 0, &err), 0, &err);
    assert_int_equal(c.n, 0);
    coder_release(&c);
}

static void the_last_columns_of_all_are_coded(void **state)
{
    struct cooc_entry row[40];
    struct cooc_err err = { 0 };
    struct coder c = { 0 };

    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        row[i] = (struct cooc_entry){ UINT32_MAX - 3 + i, UINT32_MAX - i };
    encode(&c, row, 3);
    CHECK_RC(decode(&c, c.code.data, c.code.len, UINT32_MAX, &err), 0, &err);
    assert_int_equal(c.n, 3);
    assert_memory_equal(c.entries, row, 3 * sizeof *row);
    coder_release(&c);
}

/* ---- damage ---------------------------------------------------------- */

static void check_damage(struct coder *c, uint8_t *code, size_t len,
                         uint32_t t)
{
    for (size_t n = 0; n < len; n++)
        if (!canonical_or_refused(c, code, n, t)) {
            print_code(code, n);
            fail_msg("cut to %zu bytes of %zu", n, len);
        }
    for (size_t bit = 0; bit < len * 8; bit++) {
        code[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (!canonical_or_refused(c, code, len, t)) {
            print_code(code, len);
            fail_msg("bit %zu flipped", bit);
        }
        code[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

static void a_damaged_code_is_refused_or_is_another_row(void **state)
{
    struct cooc_entry row[4000];
    struct coder c = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        uint64_t seed = 77 + i;
        struct shape s = shapes[i];
        uint8_t *code;
        size_t len;

        if (s.t > 4000)
            s.t = 600;
        encode(&c, row, random_row(&s, &seed, row));
        len = c.code.len;
        code = malloc(len ? len : 1);
        memcpy(code, c.code.data ? c.code.data : "", len);
        check_damage(&c, code, len, s.t);
        free(code);
    }
    coder_release(&c);
}

/* Codes that say the same as another, shorter or better one. */
static void a_second_spelling_of_a_row_is_refused(void **state)
{
    static const struct {
        const char *label;
        uint32_t t;
        size_t len;
        uint8_t code[48];
    } cases[] = {
        { "no pairs", 9, 3, { 0, 1, 0 } },
        { "more bits than needed", 9, 5, { 1, 2, 0, 5, 0 } },
        { "padding that is not zero", 9, 6, { 1, 2, 0, 5, 3, 1 } },
        { "a number with a useless byte", 9, 5, { 1, 1, 0, 0x85, 0 } },
        { "a byte too many", 9, 5, { 1, 1, 0, 5, 0 } },
        { "a block for one pair", 9, 5, { 1, 1, 1, 1, 5 } },
        { "columns that fall", 999, 40,
          { 34, 1, 2, 2, 32, 5, 3, 255, 255, 255, 255 } },
        { "a bitmap of 31", 999, 36, { 31, 1, 1, 32, 254, 255, 255, 255 } },
        { "32 pairs of a block as gaps", 999, 35, { 32, 1, 0 } },
        { "32 pairs of block 1 as gaps", 999, 36, { 32, 1, 0, 0x80, 2 } },
        { "33 bits", 9, 5, { 1, 33, 0, 5, 0 } },
        { "4 billion pairs in 8 bytes", UINT32_MAX, 8,
          { 0xfe, 0xff, 0xff, 0xff, 0x0f, 1, 0, 0 } },
    };
    struct coder c = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_err err = { 0 };
        int rc = decode(&c, cases[i].code, cases[i].len, cases[i].t, &err);

        if (rc != COOC_EFORMAT)
            fail_msg("%s: returned %d", cases[i].label, rc);
        assert_true(c.cap < 1000000);
    }
    coder_release(&c);
}

static void random_bytes_never_do_harm(void **state)
{
    static const uint32_t ts[] = { 0, 1, 2, 33, 300, 5000, UINT32_MAX };
    uint64_t seed = 200731, accepted = 0;
    uint8_t code[96];
    struct coder c = { 0 };

    (void)state;
    print_message("seed %d\n", (int)seed);
    for (int round = 0; round < 200000; round++) {
        size_t len = random_below(&seed, sizeof code);
        uint32_t t = ts[random_below(&seed, ARRAY_LEN(ts))];

        for (size_t i = 0; i < len; i++)
            code[i] = (uint8_t)(random_u64(&seed) >>
                                random_below(&seed, 8));
        if (len > 3 && round % 4) { /* a head that may well be right */
            code[0] = (uint8_t)(1 + random_below(&seed, 40));
            code[1] = (uint8_t)(1 + random_below(&seed, 4));
            code[2] = (uint8_t)random_below(&seed, 3);
        }
        if (len > 3 && round % 4 == 1) { /* and now it often is */
            code[0] = (uint8_t)(len - 3 - (code[1] > 1));
            code[1] = (uint8_t)(1 + (code[1] == 2));
            code[2] = 0;
            for (size_t i = 3; i < len; i++)
                code[i] &= i + 1 < len ? 0x7f : 3;
        }
        if (!canonical_or_refused(&c, code, len, t)) {
            print_code(code, len);
            fail_msg("round %d, row %u", round, t);
        }
        accepted += c.n > 0;
    }
    print_message("%d accepted\n", (int)accepted);
    assert_true(accepted > 1000); /* else this tests nothing but the head */
    coder_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_rows_have_the_bytes_worked_out_by_hand),
        cmocka_unit_test(a_random_row_of_any_shape_reads_back),
        cmocka_unit_test(a_row_without_pairs_has_no_bytes),
        cmocka_unit_test(the_last_columns_of_all_are_coded),
        cmocka_unit_test(a_damaged_code_is_refused_or_is_another_row),
        cmocka_unit_test(a_second_spelling_of_a_row_is_refused),
        cmocka_unit_test(random_bytes_never_do_harm),
    };

    return cmocka_run_group_tests_name("row_code", tests, NULL, NULL);
}
