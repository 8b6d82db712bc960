/* test_dict.c - terms and their provisional ids. */
#include "tools.h"

#include "base/mem.h"
#include "base/dict.h"
#include "dict/name_sort.h"

/* Add a word as the readers do. */
static int add_word(struct dict *d, const char *word, size_t len,
                    uint32_t *id, struct cooc_err *err)
{
    const uint32_t at[2] = { 0, (uint32_t)len };

    return dict_add_words(d, word, at, 1, id, err);
}

/* The i-th term of an endless list of distinct terms, 1 to 40 bytes long,
 * followed by the slack that a word of the tokeniser has. */
static size_t nth_term(uint32_t i, char out[64])
{
    static const char fill[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    int n = sprintf(out, "%x", i);
    size_t more = i % 5 == 0 ? i % 31 : 0;

    memcpy(out + n, "-", 1);
    memcpy(out + n + 1, fill, more);
    return (size_t)n + 1 + more;
}

static void terms_get_dense_ids_and_keep_them(void **state)
{
    enum { N = 50000 }; /* several doublings from 4096 slots */
    struct cooc_err err = { 0 };
    struct dict *d;
    char term[64];
    uint32_t id;

    (void)state;
    CHECK_RC(dict_new(&d, &err), 0, &err);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < N; i++) {
            size_t len = nth_term(i, term);

            assert_int_equal(dict_find(d, term, len),
                             round ? i : DICT_NONE);
            CHECK_RC(i % 2 ? dict_add(d, term, len, &id, &err)
                           : add_word(d, term, len, &id, &err),
                     0, &err);
            assert_int_equal(id, i);
            assert_int_equal(dict_size(d), round ? N : i + 1);
        }
    for (uint32_t i = 0; i < N; i++) {
        size_t len = nth_term(i, term), n;
        const char *name = dict_term(d, i, &n);

        assert_int_equal(n, len);
        assert_memory_equal(name, term, len);
    }
    assert_true(dict_memory(d) > N * 16);
    dict_free(d);
    assert_int_equal(mem_live(), 0);
}

/* Lengths around the sizes of a machine word and of a slot.  Each term is a
 * prefix of the longer ones, so only the length distinguishes them. */
static void terms_of_any_length_are_distinguished(void **state)
{
    static const size_t lens[] = { 0,  1,  2,  3,  4,  7,  8,   9,     15,
                                   16, 17, 21, 22, 23, 24, 255, 65534, 65535 };
    static const char fills[] = { 'x', '\0', '\xff' };
    struct cooc_err err = { 0 };
    char *text = malloc(65536 + 16);
    struct dict *d;
    uint32_t id;
    size_t n;

    (void)state;
    CHECK_RC(dict_new(&d, &err), 0, &err);
    for (size_t f = 0; f < ARRAY_LEN(fills); f++) {
        memset(text, fills[f], 65536);
        for (size_t i = f > 0; i < ARRAY_LEN(lens); i++) { /* "" once */
            uint32_t before = dict_size(d);

            assert_int_equal(dict_find(d, text, lens[i]), DICT_NONE);
            CHECK_RC(dict_add(d, text, lens[i], &id, &err), 0, &err);
            assert_int_equal(id, before);
            assert_int_equal(dict_find(d, text, lens[i]), id);
            CHECK_RC(add_word(d, text, lens[i], &id, &err), 0, &err);
            assert_int_equal(id, before);
            dict_term(d, id, &n);
            assert_int_equal(n, lens[i]);
            if (lens[i]) { /* the last byte matters */
                text[lens[i] - 1] ^= 1;
                assert_int_equal(dict_find(d, text, lens[i]), DICT_NONE);
                text[lens[i] - 1] ^= 1;
            }
        }
    }
    CHECK_RC(dict_add(d, text, 65536, &id, &err), COOC_ELIMIT, &err);
    dict_free(d);
    free(text);
    assert_int_equal(mem_live(), 0);
}

/* The bytes after a word must not matter. */
static void bytes_after_a_word_do_not_matter(void **state)
{
    char a[32] = "catXXXXXXXXXXXXXXXXXXXXXXXXXXXX";
    char b[32] = "cat\0\0\0\0YYYYYYYYYYYYYYYYYYYYYYYYY";
    struct cooc_err err = { 0 };
    struct dict *d;
    uint32_t x, y, z;

    (void)state;
    CHECK_RC(dict_new(&d, &err), 0, &err);
    for (size_t len = 0; len <= 3; len++) {
        char *exact = malloc(len ? len : 1); /* without slack */

        memcpy(exact, "cat", len);
        CHECK_RC(add_word(d, a, len, &x, &err), 0, &err);
        CHECK_RC(add_word(d, b, len, &y, &err), 0, &err);
        CHECK_RC(dict_add(d, exact, len, &z, &err), 0, &err);
        assert_int_equal(x, len);
        assert_int_equal(x, y);
        assert_int_equal(x, z);
        assert_int_equal(dict_find(d, exact, len), x);
        free(exact);
    }
    dict_free(d);
}

static void ids_are_listed_in_byte_order_of_their_terms(void **state)
{
    static const struct { const char *s; size_t len; } want[] = {
        { "", 0 },           { "\0", 1 },         { "\0\0", 2 },
        { "\0a", 2 },        { "A", 1 },          { "a", 1 },
        { "a\0", 2 },        { "a\0\0\0\0\0\0\0\0", 9 },
        { "aa", 2 },         { "abcdefgh", 8 },   { "abcdefgh\0", 9 },
        { "abcdefghi", 9 },  { "abcdefghij", 10 }, { "abcdefgi", 8 },
        { "b", 1 },          { "\x7f", 1 },       { "\x80", 1 },
        { "\xc3\xa9", 2 },   { "\xff", 1 },       { "\xff\xff", 2 },
    };
    uint64_t seed = 8;

    (void)state;
    for (int round = 0; round < 20; round++) {
        uint32_t place[ARRAY_LEN(want)], *order, id;
        struct cooc_err err = { 0 };
        struct dict *d;

        CHECK_RC(dict_new(&d, &err), 0, &err);
        for (uint32_t i = 0; i < ARRAY_LEN(want); i++) { /* shuffle */
            uint32_t k = random_below(&seed, i + 1);

            place[i] = place[k];
            place[k] = i;
        }
        for (uint32_t i = 0; i < ARRAY_LEN(want); i++)
            CHECK_RC(dict_add(d, want[place[i]].s, want[place[i]].len, &id,
                              &err),
                     0, &err);
        CHECK_RC(name_sort(d, &order, &err), 0, &err);
        for (uint32_t i = 0; i < ARRAY_LEN(want); i++) {
            size_t len;
            const char *s = dict_term(d, order[i], &len);

            assert_int_equal(len, want[i].len);
            assert_memory_equal(s, want[i].s, len);
        }
        mem_free(order);
        dict_free(d);
    }
    assert_int_equal(mem_live(), 0);
}

static void many_terms_with_long_prefixes_are_sorted(void **state)
{
    enum { N = 30000 };
    struct cooc_err err = { 0 };
    uint64_t seed = 99;
    uint32_t *order, id;
    struct dict *d;

    (void)state;
    CHECK_RC(dict_new(&d, &err), 0, &err);
    while (dict_size(d) < N) {
        char term[12];
        size_t len = random_below(&seed, sizeof term);

        for (size_t i = 0; i < len; i++) /* long common prefixes */
            term[i] = "\0a\xff"[random_below(&seed, 3)];
        CHECK_RC(dict_add(d, term, len, &id, &err), 0, &err);
    }
    CHECK_RC(name_sort(d, &order, &err), 0, &err);
    for (uint32_t i = 1; i < N; i++) {
        size_t n, m;
        const char *s = dict_term(d, order[i - 1], &n);
        const char *t = dict_term(d, order[i], &m);
        int c = memcmp(s, t, n < m ? n : m);

        assert_true(c < 0 || (c == 0 && n < m));
    }
    mem_free(order);
    dict_free(d);
}

/* Mark the words of random documents, and compare with a plain count. */
static void words_of_a_document_are_marked_once(void **state)
{
    enum { TERMS = 6000, WORDS = 700, DOCS = 300 };
    static char text[WORDS * 64 + DICT_SLACK];
    static uint32_t at[2 * WORDS], ids[WORDS], df[TERMS], last[TERMS];
    static uint32_t numbers[TERMS];
    struct cooc_err err = { 0 };
    uint64_t seed = 5;
    struct dict *d;

    (void)state;
    CHECK_RC(dict_new(&d, &err), 0, &err);
    for (uint32_t i = 0; i < TERMS; i++) { /* so that term i has id i */
        char term[64];
        size_t len = nth_term(i, term);
        uint32_t id;

        CHECK_RC(dict_add(d, term, len, &id, &err), 0, &err);
    }
    for (uint32_t doc = 1; doc <= DOCS; doc++) {
        uint32_t n = random_below(&seed, WORDS), want[WORDS], n_want = 0;
        size_t len = 0, n_ids;

        for (uint32_t i = 0; i < n; i++) {
            uint32_t t = random_below(&seed, 1 + random_below(&seed, TERMS));

            at[2 * i] = (uint32_t)len;
            len += nth_term(t, text + len);
            at[2 * i + 1] = (uint32_t)len;
            if (last[t] != doc) {
                want[n_want++] = t;
                df[t]++;
            }
            last[t] = doc;
        }
        CHECK_RC(dict_mark_words(d, text, at, n, doc, ids, &n_ids, &err), 0,
                 &err);
        assert_int_equal(n_ids, n_want);
        assert_memory_equal(ids, want, n_want * sizeof *ids);
    }
    assert_int_equal(dict_size(d), TERMS);
    dict_numbers(d, numbers);
    assert_memory_equal(numbers, df, sizeof df);
    dict_free(d);
}

static void a_cleared_dict_is_empty_and_usable(void **state)
{
    struct cooc_err err = { 0 };
    struct dict *d;
    char term[64];
    uint32_t id, *order;
    uint64_t full;

    (void)state;
    CHECK_RC(dict_new(&d, &err), 0, &err);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 20000; i++) {
            size_t len = nth_term(i + 7, term);

            CHECK_RC(dict_add(d, term, len, &id, &err), 0, &err);
            assert_int_equal(id, i);
        }
        full = dict_memory(d);
        dict_clear(d);
        assert_int_equal(dict_size(d), 0);
        assert_int_equal(dict_find(d, term, 3), DICT_NONE);
        CHECK_RC(name_sort(d, &order, &err), 0, &err);
        mem_free(order);
        /* otherwise a run that filled up once would stay full */
        assert_true(dict_memory(d) < full / 4);
    }
    dict_free(d);
    dict_free(NULL);
    assert_int_equal(mem_live(), 0);
}

static void a_dict_is_unchanged_when_memory_runs_out(void **state)
{
    struct cooc_err err = { 0 };
    struct dict *d;
    char term[64];
    uint32_t id;

    (void)state;
    CHECK_RC(dict_new(&d, &err), 0, &err);
    for (uint32_t i = 0; i < 9000; i++) {
        size_t len = nth_term(i, term);
        int rc;

        mem_fail_at(1);
        rc = dict_add(d, term, len, &id, &err);
        mem_fail_at(0);
        if (rc < 0) {
            assert_int_equal(rc, COOC_ENOMEM);
            assert_int_equal(dict_size(d), i);
            assert_int_equal(dict_find(d, term, len), DICT_NONE);
            CHECK_RC(dict_add(d, term, len, &id, &err), 0, &err);
        }
        assert_int_equal(id, i);
    }
    dict_free(d);
    assert_int_equal(mem_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_get_dense_ids_and_keep_them),
        cmocka_unit_test(terms_of_any_length_are_distinguished),
        cmocka_unit_test(bytes_after_a_word_do_not_matter),
        cmocka_unit_test(ids_are_listed_in_byte_order_of_their_terms),
        cmocka_unit_test(many_terms_with_long_prefixes_are_sorted),
        cmocka_unit_test(words_of_a_document_are_marked_once),
        cmocka_unit_test(a_cleared_dict_is_empty_and_usable),
        cmocka_unit_test(a_dict_is_unchanged_when_memory_runs_out),
    };

    return cmocka_run_group_tests_name("dict", tests, NULL, NULL);
}
