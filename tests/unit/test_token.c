/* test_token.c - words and terms: tables, comparison with ICU, faults. */
#include "token_judge.h"

/* ---- words mode ------------------------------------------------------ */

static void words_are_found_and_folded(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "", "" },
        { " \t\r\n", "" },
        { "a", "a|" },
        { "The U.S., 1,000 caf\u00e9s.", "the|u.s|1,000|caf\u00e9s|" },
        { "don't 'quote' o'", "don't|quote|o|" },
        { "3.14 1.a a.1 a..b", "3.14|1|a|a|1|a|b|" },
        { "snake_case ___ _x_ _", "snake_case|_x_|" },
        { "a-b a/b a\"b", "a|b|a|b|a|b|" },
        { "x\u2019s \u201cQuoted\u201d", "x\u2019s|quoted|" },
        { "STRASSE Stra\u00dfe", "strasse|strasse|" },
        { "\u0130stanbul", "i\u0307stanbul|" },
        { "\u03a3\u0391\u03a3 \u03c3\u03b1\u03c2",
          "\u03c3\u03b1\u03c3|\u03c3\u03b1\u03c3|" },
        { "Cafe\u0301 \u212a", "caf\u00e9|k|" },
        { "\u0390", "\u0390|" }, /* folding decomposes, NFC composes */
        { "\u4e2d\u6587 \u0e44\u0e17\u0e22",
          "\u4e2d\u6587|\u0e44\u0e17\u0e22|" },
        { "\u041f\u0440\u0438\u0432\u0435\u0442, \u041c\u0418\u0420!",
          "\u043f\u0440\u0438\u0432\u0435\u0442|\u043c\u0438\u0440|" },
        { "1\u066b5 \u0663\u0664", "1\u066b5|\u0663\u0664|" },
        { "a,\u00e9 1,\u0663 a.\u00e9", "a|\u00e9|1,\u0663|a.\u00e9|" },
        { "\u1680  \u200d\u24c2x", "\u200d\u24dcx|" }, /* without blanks */
        { "\xff\u200d\u2139", "\u200d\u2139|" },
        { " \u0301a \u200da", "a|a|" },
        { "\U0001f600 \U0001f1e9\U0001f1ea", "" },
        { "co\u00adop", "co\u00adop|" },
    };
    struct bench b = begin(&plain);

    (void)state;
    for (int again = 0; again < 2; again++) /* the second time from the cache */
        for (size_t i = 0; i < ARRAY_LEN(cases); i++)
            check_words(&b, cases[i].text, strlen(cases[i].text),
                        cases[i].want);
    end(&b);
}

static void case_is_preserved_on_request(void **state)
{
    const struct rules_options o = { .keep_case = true };
    struct bench b = begin(&o);
    const char *text = "The U.S. Stra\u00dfe CAFE\u0301";

    (void)state;
    check_words(&b, text, strlen(text), "The|U.S|Stra\u00dfe|CAF\u00c9|");
    end(&b);
}

static void the_fast_path_finds_the_same_words_as_icu(void **state)
{
    (void)state;
    print_message("seed %u\n", SEED);
    check_against_icu(make_ascii, 200000, false);
    check_against_icu(make_ascii, 20000, true);
}

static void pieces_of_a_text_give_the_same_words_as_the_whole(void **state)
{
    (void)state;
    print_message("seed %u\n", SEED);
    check_against_icu(make_mixed, 100000, false);
    check_against_icu(make_mixed, 20000, true);
}

static void invalid_bytes_are_counted_and_separate_words(void **state)
{
    static const struct {
        const char *text, *want;
        size_t len;
        uint64_t invalid;
    } cases[] = {
        { "a\xff" "b", "a|b|", 3, 1 },
        { "a\xe2\x82" "b", "a|b|", 4, 2 },          /* truncated */
        { "\xc0\xaf", "", 2, 2 },                   /* overlong */
        { "x\xed\xa0\x80y", "x|y|", 5, 3 },         /* a surrogate */
        { "\xf4\x90\x80\x80", "", 4, 4 },           /* above U+10FFFF */
        { "\xf0\x9f\x98 ok", "ok|", 6, 3 },
        { "\xc3", "", 1, 1 },
        { "a\xef\xbf\xbd" "b", "a|b|", 5, 0 },      /* a real U+FFFD */
        { "a\0b", "a|b|", 3, 0 },
    };
    struct bench b = begin(&plain);

    (void)state;
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
            uint64_t before = tokeniser_invalid_bytes(b.t);

            check_words(&b, cases[i].text, cases[i].len, cases[i].want);
            assert_int_equal(tokeniser_invalid_bytes(b.t) - before,
                             cases[i].invalid);
        }
    end(&b);
}

/* Words of n letters, with and without a non-ASCII letter at the end. */
static void words_of_every_length_are_returned_whole(void **state)
{
    struct bench b = begin(&plain);
    char text[320], want[320];

    (void)state;
    for (size_t n = 1; n < 300; n++)
        for (int accent = 0; accent < 2; accent++) {
            size_t len = n;

            memset(text, 'Q', n);
            memset(want, 'q', n);
            if (accent) {
                memcpy(text + n, "\u00c9", 2);
                memcpy(want + n, "\u00e9", 2);
                len += 2;
            }
            memcpy(text + len, " z", 3);
            memcpy(want + len, "|z|", 4);
            check_words(&b, text, len + 2, want);
        }
    end(&b);
}

static void a_huge_word_is_refused_as_too_long(void **state)
{
    static const char *const units[] = { "x", "\u00e9", "\u0390",
                                         "\U00010400", "_1" };
    enum token_verdict v;
    const char *word, *term;
    size_t len, term_len;
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(units); k++) {
        struct bench b = begin(&plain);
        size_t size = strlen(units[k]), n = (4 << 20) / size * size;
        char *text = malloc(n + 5);

        assert_non_null(text);
        for (size_t i = 0; i < n; i += size)
            memcpy(text + i, units[k], size);
        memcpy(text + n, " more", 5);
        tokeniser_start(b.t, text, n + 5);
        CHECK_RC(tokeniser_next(b.t, &word, &len, &err), 1, &err);
        CHECK_RC(tokeniser_term(b.t, word, len, &v, &term, &term_len, &err),
                 0, &err);
        assert_int_equal(v, TOKEN_LONG);
        CHECK_RC(tokeniser_next(b.t, &word, &len, &err), 1, &err);
        assert_int_equal(len, 4);
        CHECK_RC(tokeniser_next(b.t, &word, &len, &err), 0, &err);
        free(text);
        end(&b);
    }
}

/* ---- the other modes ------------------------------------------------- */

static void white_space_mode_splits_at_white_space_only(void **state)
{
    static const struct rules_options fold = { .mode = TOKENS_WHITESPACE };
    static const struct rules_options keep = { .mode = TOKENS_WHITESPACE,
                                               .keep_case = true };
    static const struct {
        const char *text, *folded, *kept;
        uint64_t invalid;
    } cases[] = {
        { "", "", "", 0 },
        { " New-York's ... #1\n", "new-york's|...|#1|",
          "New-York's|...|#1|", 0 },
        { "A\u00a0B\u3000\u00c9\u2028D", "a|b|\u00e9|d|",
          "A|B|\u00c9|D|", 0 },
        { "\xc2\x85", "", "", 0 },
        { "E\u0301", "\u00e9|", "E\u0301|", 0 },
        { "x\xffY\xe2\x82", "x\ufffdy\ufffd|", "x\ufffdY\ufffd|", 3 },
        { "a\x85" "b", "a\ufffdb|", "a\ufffdb|", 1 },
    };

    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        struct bench b = begin(kept ? &keep : &fold);

        for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
            uint64_t before = tokeniser_invalid_bytes(b.t);

            check_words(&b, cases[i].text, strlen(cases[i].text),
                        kept ? cases[i].kept : cases[i].folded);
            assert_int_equal(tokeniser_invalid_bytes(b.t) - before,
                             cases[i].invalid);
        }
        end(&b);
    }
}

static void lines_mode_keeps_lines_unchanged(void **state)
{
    static const struct rules_options o = { .mode = TOKENS_LINES };
    struct bench b = begin(&o);
    const char *text = "\nNew York\n\n E\u0301 \nbad\xff!\xe2\x82\nlast";

    (void)state;
    check_words(&b, text, strlen(text),
                "New York| E\u0301 |bad\ufffd!\ufffd|last|");
    assert_int_equal(tokeniser_invalid_bytes(b.t), 3);
    check_words(&b, "\n\n", 2, "");
    end(&b);
}

/* ---- terms ----------------------------------------------------------- */

static void rules_are_applied_in_their_order(void **state)
{
    static const struct rules_options o = {
        .mode = TOKENS_WORDS, .drop_numbers = true,
        .min_length = 2, .max_length = 9, .stem = "english",
        .stop = LIST("# comment\r\n#\r\n#\ttab\n  The\r\n\r\nof AND don't\n"
                     "\u00c9t\u00e9\n"),
        .thesaurus = LIST("\xef\xbb\xbf# variants\n"
                          "Colours\tcolour\n"
                          "colour\tColor\n"
                          "color\tcolor\n"
                          "color\tcolor\n"
                          "NYC\tNew York City\n"
                          " the \tarticle\n"
                          "running\trunning\n"
                          "jogging\trunning\n"
                          "boxers\tThe  Running dogs\n"
                          "noise\t\n"
                          "noises\tnoise\n"),
    };
    static const struct {
        const char *word, *term;
        enum token_verdict verdict;
    } cases[] = {
        { "2024", NULL, TOKEN_NUMBER },
        { "3.14", NULL, TOKEN_NUMBER },
        { "7", NULL, TOKEN_NUMBER }, /* before "too short" */
        { "\u0663\u0664", NULL, TOKEN_NUMBER },
        { "x", NULL, TOKEN_SHORT },
        { "\u00e9", NULL, TOKEN_SHORT },
        { "abcdefghij", NULL, TOKEN_LONG },
        { "\u00e9t\u00e9\u00e9t\u00e9\u00e9t\u00e9",
          "\u00e9t\u00e9\u00e9t\u00e9\u00e9t\u00e9", TOKEN_KEPT },
        { "the", NULL, TOKEN_STOP }, /* before the thesaurus */
        { "of", NULL, TOKEN_STOP },
        { "and", NULL, TOKEN_STOP },
        { "don't", NULL, TOKEN_STOP },
        { "\u00e9t\u00e9", NULL, TOKEN_STOP },
        { "comment", "comment", TOKEN_KEPT },
        { "colours", "color", TOKEN_MERGED },
        { "colour", "color", TOKEN_MERGED },
        { "color", "color", TOKEN_KEPT },
        { "nyc", "new york citi", TOKEN_MERGED },
        { "running", "run", TOKEN_RENAMED }, /* mapped to itself */
        { "jogging", "run", TOKEN_MERGED },
        { "boxers", "the run dog", TOKEN_MERGED }, /* stop list not applied */
        { "noise", NULL, TOKEN_UNWANTED },
        { "noises", NULL, TOKEN_UNWANTED },
        { "houses", "hous", TOKEN_RENAMED },
        { "dog", "dog", TOKEN_KEPT },
    };
    struct bench b = begin(&o);
    char *giant = malloc(TERM_MAX + 2);

    (void)state;
    assert_non_null(giant);
    assert_false(rules_are_plain(b.rules));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_term(&b, cases[i].word, cases[i].verdict, cases[i].term);
    memset(giant, '1', TERM_MAX + 1);
    giant[TERM_MAX + 1] = '\0';
    check_term(&b, giant, TOKEN_LONG, NULL); /* before "number" */
    free(giant);
    end(&b);
}

static void a_number_consists_of_digits_and_joining_characters(void **state)
{
    static const struct rules_options o = { .mode = TOKENS_WHITESPACE,
                                            .drop_numbers = true };
    static const char *const numbers[] = {
        "0", "42", "3.14", "1,000", "1,000,000.50", "1'000", "1\u2019000",
        "1_000", "1;2", "10:30", "10:30:59", "1.2.3.4", "-5", "+5", "\u22125",
        "-3.14", "\u0663\u066b\u0661\u0664", "\u0661\u066c\u0660",
        "\u0967\u0968", "\uff11\uff0c\uff10", "\U0001d7ce\U0001d7cf",
    };
    static const char *const words[] = {
        ":-)", "---", "\u2163", "\u2175", "-", "+", "--5", "5-", "5-6",
        "2024-01-05", "5.", ".5", "1,,000", "1..2", "5_", "_5", "_", ":", "$5",
        "5%", "#1", "1e5", "0x1f", "7th", "x7", "\u00bd", "\u00b2", "5\u00b2",
        "\u2460", "\u4e09", "\u20ac", "...", "1/2", "\ufffd", "5\ufffd",
        "\U0001f600", "5\ufe0f\u20e3",
    };
    struct bench b = begin(&o);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        check_term(&b, numbers[i], TOKEN_NUMBER, NULL);
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        check_term(&b, words[i], TOKEN_KEPT, words[i]);
    end(&b);
}

static void plain_rules_keep_every_word_up_to_the_limit(void **state)
{
    struct bench b = begin(&plain);
    char *text = malloc(TERM_MAX + 2);

    (void)state;
    assert_non_null(text);
    assert_true(rules_are_plain(b.rules));
    memset(text, '1', TERM_MAX + 1);
    text[TERM_MAX + 1] = '\0';
    check_term(&b, text, TOKEN_LONG, NULL);
    text[TERM_MAX] = '\0';
    check_term(&b, text, TOKEN_KEPT, text);
    free(text);
    end(&b);
}

static void stemming_uses_the_requested_language(void **state)
{
    static const struct rules_options german = { .stem = "german" };
    struct bench b = begin(&german);

    (void)state;
    check_term(&b, "h\u00e4user", TOKEN_RENAMED, "haus");
    check_term(&b, "haus", TOKEN_KEPT, "haus");
    end(&b);
}

static void lines_mode_lists_are_taken_literally(void **state)
{
    static const struct rules_options o = {
        .mode = TOKENS_LINES,
        .stop = LIST("New York\r\n#x\n# y\n#\n"),
        .thesaurus = LIST("Los Angeles\tL. A.\n"),
    };
    struct bench b = begin(&o);

    (void)state;
    check_term(&b, "New York", TOKEN_STOP, NULL);
    check_term(&b, "new york", TOKEN_KEPT, "new york");
    check_term(&b, "Los Angeles", TOKEN_MERGED, "L. A.");
    check_term(&b, "#x", TOKEN_STOP, NULL);
    check_term(&b, "# y", TOKEN_KEPT, "# y");
    check_term(&b, "#", TOKEN_KEPT, "#");
    end(&b);
}

static void a_term_of_several_words_is_stemmed_as_a_whole(void **state)
{
    static const struct rules_options o = {
        .mode = TOKENS_LINES, .stem = "english",
        .thesaurus = LIST("sprint\tlong runs\n"),
    };
    struct bench b = begin(&o);

    (void)state;
    check_term(&b, "houses burning", TOKEN_RENAMED, "houses burn");
    check_term(&b, "sprint", TOKEN_MERGED, "long run");
    check_term(&b, "long runs", TOKEN_RENAMED, "long run");
    end(&b);
}

static void the_header_of_a_vosviewer_thesaurus_is_skipped(void **state)
{
    static const struct rules_options o = {
        .thesaurus = LIST("\xef\xbb\xbf# from VOSviewer\n"
                          " Label\tReplace By \r\ncolour\tcolor\r\n"
                          "label\treplace\r\nof\t\r\n"),
    };
    static const struct rules_options later = {
        .thesaurus = LIST("colour\tcolor\nlabel\treplace by\n"),
    };
    struct bench b = begin(&o);

    (void)state;
    check_term(&b, "colour", TOKEN_MERGED, "color");
    check_term(&b, "label", TOKEN_MERGED, "replace");
    check_term(&b, "of", TOKEN_UNWANTED, NULL);
    end(&b);
    b = begin(&later);
    check_term(&b, "label", TOKEN_MERGED, "replace by");
    end(&b);
}

static void case_is_preserved_in_lists_on_request(void **state)
{
    static const struct rules_options o = {
        .keep_case = true, .stop = LIST("The\n"),
        .thesaurus = LIST("NYC\tNew York\n"),
    };
    struct bench b = begin(&o);

    (void)state;
    check_term(&b, "The", TOKEN_STOP, NULL);
    check_term(&b, "the", TOKEN_KEPT, "the");
    check_term(&b, "NYC", TOKEN_MERGED, "New York");
    check_term(&b, "nyc", TOKEN_KEPT, "nyc");
    end(&b);
}

static void a_long_chain_of_variants_is_followed_to_its_end(void **state)
{
    struct rules_options o = plain;
    struct buf list = { 0 };
    struct cooc_err err = { 0 };
    struct bench b;

    (void)state;
    for (int i = 999; i >= 0; i--) /* backwards, then forwards */
        CHECK_RC(buf_printf(&list, &err, "a%d\ta%d\n", i, i + 1), 0, &err);
    for (int i = 0; i < 1000; i++)
        CHECK_RC(buf_printf(&list, &err, "b%d\tb%d\n", i, i + 1), 0, &err);
    o.thesaurus = (struct text_list){ "chain", list.data, list.len };
    b = begin(&o);
    buf_release(&list);
    check_term(&b, "a0", TOKEN_MERGED, "a1000");
    check_term(&b, "a999", TOKEN_MERGED, "a1000");
    check_term(&b, "b0", TOKEN_MERGED, "b1000");
    check_term(&b, "b500", TOKEN_MERGED, "b1000");
    check_term(&b, "b1000", TOKEN_KEPT, "b1000");
    end(&b);
}

static void errors_in_a_thesaurus_are_reported_with_their_line(void **state)
{
    static const struct {
        struct text_list list;
        const char *say;
    } cases[] = {
        { LIST("# c\n\na b\n"), "list:3: no TAB" },
        { LIST("\tb\n"), "list:1: the variant before the TAB is empty" },
        { LIST("a\tb\tc\n"), "list:1: more than one TAB" },
        { LIST("x\ty\nnew york\tNY\n"),
          "list:2: 'new york' is more than one word; a variant must be a "
          "single word" },
        { LIST("...\tdots\n"), "list:1: no word before the TAB" },
        { LIST("a\tb\nA\tc\n"),
          "list:2: 'a' has another preferred form on line 1" },
        { LIST("a\tb\nb\tc\nc\ta\n"), "list:1: this variant is replaced" },
        { LIST("x\ta\na\tb\nb\ta\n"), "list:2: this variant is replaced" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct rules_options o = plain;
        struct cooc_err err = { 0 };
        struct rules *r;

        o.thesaurus = cases[i].list;
        CHECK_RC(rules_new(&r, &o, &err), COOC_EINVAL, &err);
        assert_null(r);
        if (strncmp(err.text, cases[i].say, strlen(cases[i].say)) != 0)
            fail_msg("case %zu: \"%s\", expected \"%s\"", i, err.text,
                     cases[i].say);
        assert_int_equal(mem_live(), 0);
    }
}

static void invalid_options_are_refused(void **state)
{
    struct rules_options o = plain;
    struct cooc_err err = { 0 };
    struct rules *r;

    (void)state;
    o.stem = "klingon";
    CHECK_RC(rules_new(&r, &o, &err), COOC_EINVAL, &err);
    assert_non_null(strstr(err.text, "klingon"));
    assert_non_null(strstr(err.text, "english"));
    assert_non_null(strstr(err.text, "turkish"));
    o.stem = NULL;
    o.min_length = 5;
    o.max_length = 4;
    CHECK_RC(rules_new(&r, &o, &err), COOC_EINVAL, &err);
    assert_string_equal(err.text,
                        "the minimum length must be at most the maximum "
                        "(4), not 5");
    assert_string_equal(err.option, "min_length");
    assert_null(r);
    CHECK_RC(rules_new(&r, &o, NULL), COOC_EINVAL, &err);
    assert_int_equal(mem_live(), 0);
}

/* ---- faults ---------------------------------------------------------- */

/* Call everything that allocates; return the first error or 0. */
static int exercise(const struct rules_options *o, struct cooc_err *err)
{
    static const char text[] = "The \u00c9t\u00e9 E\u0301 U.S. bad\xff! "
                               "I\u0307\u0390\u0390\u0390\u0390\u0390\n";
    struct rules *r = NULL;
    struct tokeniser *t = NULL;
    const char *word, *term;
    size_t len, term_len;
    enum token_verdict v;
    int rc = rules_new(&r, o, err);

    if (rc == 0)
        rc = tokeniser_new(&t, r, err);
    if (rc == 0) {
        tokeniser_start(t, text, sizeof text - 1);
        while ((rc = tokeniser_next(t, &word, &len, err)) > 0) {
            rc = tokeniser_term(t, word, len, &v, &term, &term_len, err);
            if (rc < 0)
                break;
        }
    }
    tokeniser_free(t);
    rules_free(r);
    return rc;
}

static void running_out_of_memory_is_clean(void **state)
{
    static const enum token_mode modes[] = { TOKENS_WORDS, TOKENS_WHITESPACE,
                                             TOKENS_LINES };
    struct rules_options o = {
        .stem = "english", .stop = LIST("the\n\u00e9t\u00e9\n"),
        .thesaurus = LIST("a\tb\nb\tc\n\u00c9\tE\u0301\n"),
    };
    bool failed;

    (void)state;
    for (size_t m = 0; m < ARRAY_LEN(modes); m++) {
        failed = true;
        o.mode = modes[m];
        for (long n = 1; failed; n++) {
            struct cooc_err err = { 0 };
            int rc;

            mem_fail_at(n);
            rc = exercise(&o, &err);
            failed = mem_failed();
            mem_fail_at(0);
            CHECK_RC(rc, failed ? COOC_ENOMEM : 0, &err);
            assert_int_equal(err.code, rc);
            assert_int_equal(mem_live(), 0);
        }
    }
    tokeniser_free(NULL);
    rules_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_found_and_folded),
        cmocka_unit_test(case_is_preserved_on_request),
        cmocka_unit_test(the_fast_path_finds_the_same_words_as_icu),
        cmocka_unit_test(pieces_of_a_text_give_the_same_words_as_the_whole),
        cmocka_unit_test(invalid_bytes_are_counted_and_separate_words),
        cmocka_unit_test(words_of_every_length_are_returned_whole),
        cmocka_unit_test(a_huge_word_is_refused_as_too_long),
        cmocka_unit_test(white_space_mode_splits_at_white_space_only),
        cmocka_unit_test(lines_mode_keeps_lines_unchanged),
        cmocka_unit_test(rules_are_applied_in_their_order),
        cmocka_unit_test(a_number_consists_of_digits_and_joining_characters),
        cmocka_unit_test(plain_rules_keep_every_word_up_to_the_limit),
        cmocka_unit_test(stemming_uses_the_requested_language),
        cmocka_unit_test(lines_mode_lists_are_taken_literally),
        cmocka_unit_test(a_term_of_several_words_is_stemmed_as_a_whole),
        cmocka_unit_test(the_header_of_a_vosviewer_thesaurus_is_skipped),
        cmocka_unit_test(case_is_preserved_in_lists_on_request),
        cmocka_unit_test(a_long_chain_of_variants_is_followed_to_its_end),
        cmocka_unit_test(errors_in_a_thesaurus_are_reported_with_their_line),
        cmocka_unit_test(invalid_options_are_refused),
        cmocka_unit_test(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("token", tests, NULL, NULL);
}
