/* test_words.c - words found with bitmaps are those that ICU finds: for every
 * character, and in random texts of many scripts. */
#include "token_judge.h"

#include "base/bytes.h"
#include "kernel/classify.h"

#define LAST_CHARACTER 0x10ffff

static size_t put_char(char *out, int32_t c)
{
    size_t n = 0;

    U8_APPEND_UNSAFE(out, n, c);
    return n;
}

/* ---- every character --------------------------------------------------- */

/* Put c, written as '\1', between other characters. */
static size_t put_context(char *out, const char *context, int32_t c)
{
    size_t len = 0;

    for (; *context; context++)
        if (*context == '\1')
            len += put_char(out + len, c);
        else
            out[len++] = *context;
    return len;
}

static void every_character_is_treated_as_icu_does(void **state)
{
    static const char *const contexts[] = {
        " \1 \1\1 a\1 \1a a\1b 1\1 \1" "1 1\1" "1 _\1 \1_ _\1_ \1,\1 a\1\1b",
        "\1.\1 \1'a a'\1 1.\1 \1.1 1,\1 x\u2019\1 \1\u2019x \1\"\1 \1-a \1:\1",
        ("\u00e9\1\u00e9 \u0436\1 \1\u0436 \u0661\1\u0661 \u05d0\1\u05d0 "
         "\u05d0\"\1 \u30ab\1 \1\u30ab \u4e2d\1\u6587 \u3042\1 \uac00\1"),
        "a\1\u0301b \1\u200d\1 \u200d\1 \1\u00adb a\u200d\1b (\1) \1\ufe0f",
    };
    struct bench folds = begin(&plain);
    struct rules_options keep = { .mode = TOKENS_WORDS, .keep_case = true };
    struct bench keeps = begin(&keep);
    UErrorCode status = U_ZERO_ERROR;
    UBreakIterator *it = ubrk_open(UBRK_WORD, "", NULL, 0, &status);
    struct buf want = { 0 };

    (void)state;
    assert_true(U_SUCCESS(status));
    for (int32_t c = 1; c <= LAST_CHARACTER; c++) {
        if (U_IS_SURROGATE(c) || (c > 0x3000 && c % 16 && c < 0xf900) ||
            (c > 0xffff && c % 256))
            continue; /* the large scripts and planes: samples */
        for (size_t i = 0; i < ARRAY_LEN(contexts); i++) {
            char text[512];
            size_t len = put_context(text, contexts[i], c);
            struct bench *b = c % 7 ? &folds : &keeps;

            words_of(b->t, text, len, &b->out);
            define_words(it, text, len, c % 7 == 0, &want);
            if (strcmp(b->out.data, want.data) != 0)
                fail_msg("U+%04X, context %zu: got %s, ICU says %s",
                         (unsigned)c, i, b->out.data, want.data);
        }
    }
    ubrk_close(it);
    buf_release(&want);
    buf_release(&keeps.out);
    tokeniser_free(keeps.t);
    rules_free(keeps.rules);
    end(&folds);
}

/* ---- random texts ------------------------------------------------------ */

/* Ranges of characters that occur together. */
static const struct {
    int32_t from, to;
} scripts[] = {
    { 0x21, 0x7e },     { 0xa0, 0x17f },    { 0x180, 0x24f },
    { 0x370, 0x3ff },   { 0x400, 0x52f },   { 0x530, 0x58f },
    { 0x590, 0x5ff },   { 0x600, 0x6ff },   { 0x900, 0x97f },
    { 0xe00, 0xe7f },   { 0x10a0, 0x10ff }, { 0x1780, 0x17ff },
    { 0x1e00, 0x1fff }, { 0x2000, 0x206f }, { 0x2070, 0x218f },
    { 0x2190, 0x27ff }, { 0x2c00, 0x2cff }, { 0x2e00, 0x2fff },
    { 0x3000, 0x30ff }, { 0x4e00, 0x4eff }, { 0xac00, 0xacff },
    { 0xfe00, 0xffef }, { 0x1f1e0, 0x1f6ff },
};

/* Words of one or two scripts, with punctuation. */
static size_t make_scripts(uint64_t *state, char *text)
{
    static const char *const marks[] = {
        " ", " ", " ", " ", ", ", ". ", "\n", "-", "'", "\u2019", ".", ",",
        "\u00a0", "\u2014", "(", ")", "\"", "\u3001", "\u3002", "\u200d", "_",
        "\u0301", "\u00ad", ":", "/",
    };
    uint32_t one = random_below(state, ARRAY_LEN(scripts));
    uint32_t two = random_below(state, ARRAY_LEN(scripts));
    uint32_t n = random_below(state, random_below(state, 8) ? 40 : 400);
    size_t len = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t s = random_below(state, 5) ? one : two;
        int32_t span = scripts[s].to - scripts[s].from + 1;

        if (random_below(state, 5) == 0) {
            const char *m = marks[random_below(state, ARRAY_LEN(marks))];

            memcpy(text + len, m, strlen(m));
            len += strlen(m);
        } else if (random_below(state, 8) == 0) {
            text[len++] = "aZ19_.,"[random_below(state, 7)];
        } else {
            len += put_char(text + len,
                            scripts[s].from +
                                (int32_t)random_below(state, (uint32_t)span));
        }
    }
    return len;
}

/* Long texts without white space: blocks end at other boundaries, or grow. */
static size_t make_unbroken(uint64_t *state, char *text)
{
    uint32_t kind = random_below(state, 4);
    size_t n = random_below(state, 20000), len = 0;

    while (len < n) {
        uint32_t r = random_below(state, 100);

        if (kind == 0 || r > 20)
            text[len++] = "abcxyzABC12"[random_below(state, 11)];
        else if (kind == 1)
            text[len++] = "/=-.,'_"[random_below(state, 7)];
        else if (kind == 2)
            len += put_char(text + len, 0x4e00 + (int32_t)r);
        else
            len += put_char(text + len, r > 10 ? 0x430 + (int32_t)r : '+');
    }
    return len;
}

static void random_texts_of_many_scripts_give_the_words_of_icu(void **state)
{
    (void)state;
    print_message("seed %u\n", SEED);
    check_against_icu(make_scripts, 100000, false);
    check_against_icu(make_scripts, 20000, true);
}

static void texts_without_blanks_give_the_words_of_icu(void **state)
{
    (void)state;
    check_against_icu(make_unbroken, 300, false);
}

/* ---- white space ------------------------------------------------------- */

static void define_tokens(const char *text, size_t len, struct buf *out)
{
    UChar *u = malloc((len + 1) * sizeof *u);
    struct cooc_err err = { 0 };
    int32_t n, from = 0;

    must(u != NULL);
    n = to_utf16(text, len, u);
    out->len = 0;
    for (int32_t i = 0; i <= n; i++) {
        if (i < n && !u_isUWhiteSpace(u[i]))
            continue;
        if (i > from)
            define_word(u + from, i - from, false, out);
        from = i + 1;
    }
    must(buf_text(out, &err) == 0);
    free(u);
}

static void tokens_between_white_space_are_folded_as_by_icu(void **state)
{
    static const struct rules_options o = { .mode = TOKENS_WHITESPACE };
    struct bench b = begin(&o);
    struct buf want = { 0 };
    uint64_t seed = SEED;
    char text[32768];

    (void)state;
    for (int i = 0; i < 50000; i++) {
        size_t len = i % 2 ? make_scripts(&seed, text)
                           : make_mixed(&seed, text);

        words_of(b.t, text, len, &b.out);
        define_tokens(text, len, &want);
        if (strcmp(b.out.data, want.data) != 0)
            fail_msg("text %d: got %s, ICU says %s", i, b.out.data, want.data);
    }
    buf_release(&want);
    end(&b);
}

/* ---- kernels ----------------------------------------------------------- */

static void all_kernels_classify_alike(void **state)
{
    enum { WINDOWS = 5 };
    static const struct classifier *const all[] = {
        &classifier_scalar, &classifier_avx2, &classifier_neon
    };
    uint64_t seed = SEED, want[WINDOWS][CLASSES], got[WINDOWS][CLASSES];
    char text[WINDOWS * WINDOW + 1], a[WINDOWS * WINDOW], b[sizeof a];

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct byte_classes c = { .high = (unsigned)round % CLASSES,
                                  .lower = round % 3 != 0 };

        for (size_t i = 0; i < 0x80; i++)
            c.of[i] = (uint8_t)random_below(&seed, 256);
        byte_classes_complete(&c);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = (char)random_below(&seed, 256);
        classifier_scalar.classify(&c, text + 1, WINDOWS, a, want);
        for (size_t i = 0; i < sizeof a; i++) { /* the scalar one is right */
            uint8_t byte = (uint8_t)text[i + 1];

            for (unsigned k = 0; k < CLASSES; k++)
                assert_int_equal(want[i / WINDOW][k] >> i % WINDOW & 1,
                                 c.of[byte] >> k & 1);
            if (c.lower && byte >= 'A' && byte <= 'Z')
                byte += 0x20;
            assert_int_equal((uint8_t)a[i], byte);
        }
        for (size_t k = 1; k < ARRAY_LEN(all); k++) {
            if (!all[k]->usable())
                continue;
            all[k]->classify(&c, text + 1, WINDOWS, b, got);
            assert_memory_equal(got, want, sizeof want);
            assert_memory_equal(a, b, sizeof a);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kernels_classify_alike),
        cmocka_unit_test(every_character_is_treated_as_icu_does),
        cmocka_unit_test(random_texts_of_many_scripts_give_the_words_of_icu),
        cmocka_unit_test(texts_without_blanks_give_the_words_of_icu),
        cmocka_unit_test(tokens_between_white_space_are_folded_as_by_icu),
    };

    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
