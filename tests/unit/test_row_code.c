/* test_row_code.c - encoded rows: round trips, exact bytes, garbage. */
#include "tools.h"

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "kernel/kernel.h"
#include "rows/row_code.h"

/* Everything needed to encode and decode, reused from row to row. */
struct coder {
    struct buf code;
    struct entry *entries;
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

static void encode(struct coder *c, const struct entry *e, size_t n)
{
    struct cooc_err err = { 0 };

    c->code.len = 0;
    CHECK_RC(row_encode(&c->code, e, n, &c->scratch, &err), 0, &err);
}

/* Decode from a block of exactly len bytes, so that the address sanitizer
 * detects any read past the end. */
static int decode(struct coder *c, const void *code, size_t len, uint32_t t,
                  struct cooc_err *err)
{
    uint8_t *copy = calloc(len ? len : 1, 1);
    int rc;

    if (len)
        memcpy(copy, code, len);
    rc = row_decode(copy, len, t, &c->entries, &c->cap, &c->n, &c->scratch,
                    err);
    free(copy);
    return rc;
}

/* ---- one count of a row ---------------------------------------------- */

static const struct kernels *const kernels[] = { &kernel_scalar, &kernel_avx2,
                                                 &kernel_avx512 };

/* The count of c->entries at column. */
static uint32_t decoded_at(const struct coder *c, uint32_t column)
{
    size_t lo = 0, hi = c->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (c->entries[mid].term < column)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < c->n && c->entries[lo].term == column ? c->entries[lo].count
                                                      : 0;
}

/* With every kernel: if row_decode() accepted the code, row_find() agrees with
 * it; otherwise row_find() does no harm. */
static bool found_or_refused(const struct coder *c, int decoded,
                             const uint8_t *code, size_t len, uint32_t t,
                             uint32_t column)
{
    bool right = true;

    for (size_t i = 0; i < ARRAY_LEN(kernels); i++) {
        struct cooc_err err = { 0 };
        uint32_t count;
        int rc;

        if (!kernels[i]->usable())
            continue;
        rc = row_find(code, len, t, column, kernels[i], &count, &err);
        if (decoded < 0)
            right &= rc == 0 || (rc == COOC_EFORMAT && err.code == rc);
        else
            right &= rc == 0 && count == decoded_at(c, column);
    }
    return right;
}

/* Look up some columns in a block of exactly the size of the code. */
static bool finds_columns(const struct coder *c, int decoded,
                          const uint8_t *code, size_t len, uint32_t t,
                          uint64_t *seed, int n)
{
    uint8_t *copy = calloc(len ? len : 1, 1);
    bool right = true;

    if (len)
        memcpy(copy, code, len);
    for (int i = 0; t && i < n; i++) {
        uint32_t column = random_below(seed, t);

        if (decoded == 0 && c->n && i % 2) /* present, or next to it */
            column = c->entries[random_below(seed, (uint32_t)c->n)].term +
                     (i % 8 == 1);
        if (column < t)
            right &= found_or_refused(c, decoded, copy, len, t, column);
    }
    free(copy);
    return right;
}

/* If the code is accepted, it is a row of t and encodes to the same bytes. */
static bool canonical_or_refused(struct coder *c, const uint8_t *code,
                                 size_t len, uint32_t t)
{
    struct cooc_err err = { 0 };
    int rc = decode(c, code, len, t, &err);
    uint64_t seed = len;

    if (!finds_columns(c, rc, code, len, t, &seed, 4))
        return false;
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

/* Encoded by hand from row_code.h; if the bytes change, the format changes.
 *
 * {5: 1}             n 01, bits 01, blocks 00, far 00; one code, which is
 *                    short 00: gap 5 - 0 = 05.  If the largest count has one
 *                    bit, there are no planes.
 * {0: 3, 2: 1, 300: 2}
 *                    n 03, bits 02 (3 is 11b), 00, 00; the third code is long
 *                    04; gaps 0, 2 - 1 = 1, 300 - 3 = 297 = 29 01.  Plane 0:
 *                    >= 2? yes no yes = 101b = 05; bit 0 of the two:
 *                    3 -> 1, 2 -> 0 = 01.
 * {3: 1, 256..305: 1, 66000: 1}
 *                    n 52 = 34, bits 01, blocks 02: the running sums are
 *                    1 - 24 = -23 and -23 + 50 - 24 = 3, the maximum.
 *                    far 00, the bitmap with bits 3 and 256 to 305, then one
 *                    long code 01: 66000 - 512 = 65488 = d0 ff. */
static void three_rows_have_the_bytes_encoded_by_hand(void **state)
{
    static const struct entry two[] = { { 0, 3 }, { 2, 1 }, { 300, 2 } };
    static const uint8_t code_one[] = { 0x01, 0x01, 0, 0, 0x00, 0x05 };
    static const uint8_t code_two[] = { 0x03, 0x02, 0,    0,    0x04, 0x00,
                                        0x01, 0x29, 0x01, 0x05, 0x01 };
    static const uint8_t code_three[4 + 64 + 3] = {
        [0] = 0x34,       [1] = 0x01,      [2] = 0x02,      [4] = 0x08,
        [4 + 32] = 0xff,  [4 + 33] = 0xff, [4 + 34] = 0xff, [4 + 35] = 0xff,
        [4 + 36] = 0xff,  [4 + 37] = 0xff, [4 + 38] = 0x03,
        [4 + 64] = 0x01,  [4 + 65] = 0xd0, [4 + 66] = 0xff,
    };
    const struct entry one[] = { { 5, 1 } };
    struct entry three[52] = { { 3, 1 } };
    struct coder c = { 0 };
    struct cooc_err err = { 0 };

    (void)state;
    for (uint32_t i = 0; i < 50; i++)
        three[i + 1] = (struct entry){ 256 + i, 1 };
    three[51] = (struct entry){ 66000, 1 };
    const struct {
        const struct entry *row;
        size_t n;
        const uint8_t *code;
        size_t len;
        uint32_t t;
    } cases[] = {
        { one, 1, code_one, sizeof code_one, 6 },
        { two, 3, code_two, sizeof code_two, 301 },
        { three, 52, code_three, sizeof code_three, 66001 },
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
        /* The same bytes are not a row of the previous term. */
        CHECK_RC(decode(&c, cases[i].code, cases[i].len, cases[i].t - 1,
                        &err),
                 COOC_EFORMAT, &err);
    }
    coder_release(&c);
}

/* ---- random rows ----------------------------------------------------- */

struct shape {
    const char *label;
    uint32_t t;         /* columns are below t */
    uint32_t in_1024;   /* number of columns per 1024 */
    uint32_t max_count; /* 0: any 32 bits */
    uint32_t exact;     /* number of columns in each block, if not 0 */
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
    { "about 24 a block", 20000, 96, 9, 0 },
    { "23 a block", 2560, 0, 7, 23 },
    { "24 a block", 2560, 0, 7, 24 },
    { "25 a block", 2560, 0, 7, 25 },
};

static size_t random_row(const struct shape *s, uint64_t *seed,
                         struct entry *e)
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
        count >>= random_below(seed, 32); /* also small counts */
        e[n++] = (struct entry){
            .term = k,
            .count = s->max_count ? 1 + count % s->max_count
                     : count      ? count
                                  : UINT32_MAX,
        };
    }
    if (n && random_below(seed, 2)) /* the last possible column */
        e[n - 1].term = s->t - 1;
    return n;
}

static void a_random_row_of_any_shape_reads_back(void **state)
{
    struct entry *row = malloc(2000000 * sizeof *row);
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
            if (!finds_columns(&c, 0, (const uint8_t *)c.code.data,
                               c.code.len, shapes[i].t, &seed, 200))
                fail_msg("%s, round %d: a count is not found",
                         shapes[i].label, (int)round);
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

static void the_highest_column_numbers_are_encoded(void **state)
{
    struct entry row[40];
    struct cooc_err err = { 0 };
    struct coder c = { 0 };

    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        row[i] = (struct entry){ UINT32_MAX - 3 + i, UINT32_MAX - i };
    encode(&c, row, 3);
    CHECK_RC(decode(&c, c.code.data, c.code.len, UINT32_MAX, &err), 0, &err);
    assert_int_equal(c.n, 3);
    assert_memory_equal(c.entries, row, 3 * sizeof *row);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(found_or_refused(&c, 0, (const uint8_t *)c.code.data,
                                     c.code.len, UINT32_MAX,
                                     UINT32_MAX - 5 + i));
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

static void a_damaged_code_is_refused_or_a_different_row(void **state)
{
    struct entry row[4000];
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

/* Codes that decode to the same row as the canonical code. */
static void a_non_canonical_code_of_a_row_is_refused(void **state)
{
    static const struct {
        const char *label;
        uint32_t t;
        size_t len;
        uint8_t code[48];
    } cases[] = {
        { "no pairs", 9, 4, { 0, 1, 0, 0 } },
        { "more bits than needed", 9, 7, { 1, 2, 0, 0, 0, 5, 0 } },
        { "padding that is not zero", 9, 8, { 1, 2, 0, 0, 0, 5, 3, 1 } },
        { "the same among the codes", 9, 6, { 1, 1, 0, 0, 2, 5 } },
        { "a number with a useless byte", 9, 7, { 0x81, 0, 1, 0, 0, 0, 5 } },
        { "a code with a useless byte", 9, 7, { 1, 1, 0, 0, 1, 5, 0 } },
        { "a byte too many", 9, 7, { 1, 1, 0, 0, 0, 5, 0 } },
        { "a bitmap for one pair", 9, 37, { 1, 1, 1, 0, 1 } },
        { "a bitmap of 24", 999, 37, { 24, 1, 1, 0, 255, 255, 255 } },
        { "25 pairs of a block as gaps", 999, 33, { 25, 1, 0, 0 } },
        { "a step at the end", 99999, 8, { 1, 1, 0, 1, 2, 0, 255, 255 } },
        { "a step too few", 99999, 7, { 1, 1, 0, 1, 0, 0, 0 } },
        { "a step that is not announced", 99999, 7,
          { 1, 1, 0, 0, 1, 255, 255 } },
        { "33 bits", 9, 7, { 1, 33, 0, 0, 0, 5, 0 } },
        { "4 billion pairs in 9 bytes", UINT32_MAX, 9,
          { 0xfe, 0xff, 0xff, 0xff, 0x0f, 1, 0, 0, 0 } },
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

static void decoding_random_bytes_does_no_harm(void **state)
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
        if (len > 4 && round % 4) { /* a plausible header */
            code[0] = (uint8_t)(1 + random_below(&seed, 40));
            code[1] = (uint8_t)(1 + random_below(&seed, 4));
            code[2] = (uint8_t)random_below(&seed, 3);
            code[3] = round % 8 ? 0 : (uint8_t)random_below(&seed, 3);
        }
        if (len > 5 && len < 30 && round % 4 == 1) { /* often a valid row */
            size_t n = (len - 4) * 8 / 9;

            code[0] = (uint8_t)n;
            code[1] = 1;
            code[2] = 0;
            memset(code + 4, 0, (n + 7) / 8);
        }
        if (!canonical_or_refused(&c, code, len, t)) {
            print_code(code, len);
            fail_msg("round %d, row %u", round, t);
        }
        accepted += c.n > 0;
    }
    print_message("%d accepted\n", (int)accepted);
    assert_true(accepted > 1000); /* not only headers are tested */
    coder_release(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_rows_have_the_bytes_encoded_by_hand),
        cmocka_unit_test(a_random_row_of_any_shape_reads_back),
        cmocka_unit_test(a_row_without_pairs_has_no_bytes),
        cmocka_unit_test(the_highest_column_numbers_are_encoded),
        cmocka_unit_test(a_damaged_code_is_refused_or_a_different_row),
        cmocka_unit_test(a_non_canonical_code_of_a_row_is_refused),
        cmocka_unit_test(decoding_random_bytes_does_no_harm),
    };

    return cmocka_run_group_tests_name("row_code", tests, NULL, NULL);
}
