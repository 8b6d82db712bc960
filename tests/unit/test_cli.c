/* test_cli.c - options, numbers, text and the three output forms.
 *
 * The files of src/ask and src/cli are not part of the library, so they are
 * included here.
 */
#include "ask/answer.c"
#include "ask/display.c"
#include "ask/list.c"
#include "ask/number.c"
#include "ask/opt.c"
#include "cli/help.c"
#include "cli/parse.c"

#include "base/decimal.h"
#include "harness.h"

const struct program program = { .name = "cooc", .usage = "cooc" };

static void a_number_is_digits_and_nothing_else(void **state)
{
    static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "1x",
                                       "1.5", "0x1", "18446744073709551616",
                                       "99999999999999999999" };
    uint64_t v = 77;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (parse_u64(bad[i], UINT64_MAX, &v) || v != 77)
            fail_msg("'%s'", bad[i]);
    assert_false(parse_u64("10", 9, &v));
    assert_false(parse_u64("5", 3, &v));
    assert_false(parse_u64("4294967296", UINT32_MAX, &v));
    assert_true(parse_u64("007", 9, &v) && v == 7);
    assert_true(parse_u64("9", 9, &v) && v == 9);
    assert_true(parse_u64("0", 0, &v) && v == 0);
    assert_true(parse_u64("4294967295", UINT32_MAX, &v) && v == UINT32_MAX);
    assert_true(parse_u64("18446744073709551615", UINT64_MAX, &v) &&
                v == UINT64_MAX);
}

static void a_size_may_end_in_a_power_of_1024(void **state)
{
    static const char *const bad[] = { "", "G", "1.5G", "1GB", "1 G", "-1G",
                                       "1Q", "16777216T", "99999999999G" };
    uint64_t v = 77;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (parse_size(bad[i], &v) || v != 77)
            fail_msg("'%s'", bad[i]);
    assert_true(parse_size("0", &v) && v == 0);
    assert_true(parse_size("1000", &v) && v == 1000);
    assert_true(parse_size("2k", &v) && v == 2048);
    assert_true(parse_size("512M", &v) && v == (uint64_t)512 << 20);
    assert_true(parse_size("8g", &v) && v == (uint64_t)8 << 30);
    assert_true(parse_size("16777215T", &v) &&
                v == (uint64_t)16777215 << 40);
}

static void parts_are_parsed_strictly(void **state)
{
    static const char *const bad[] = { "", "1", "1/", "/2", "0/2", "3/2", "0/0",
                                       "1/2/3", "1/2 ", " 1/2", "-1/2", "1.5/2",
                                       "1/4294967296", "a/b" };
    struct part_of v = { 7, 9 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (parse_part(bad[i], &v) || v.part != 7)
            fail_msg("'%s' was accepted", bad[i]);
    assert_true(parse_part("1/1", &v) && v.part == 1 && v.parts == 1);
    assert_true(parse_part("3/64", &v) && v.part == 3 && v.parts == 64);
    assert_true(parse_part("4294967295/4294967295", &v) &&
                v.part == UINT32_MAX);
}

static void a_threshold_is_a_count_or_a_percentage(void **state)
{
    static const char *const bad[] = { "", "%", "0%", "0.0%", "101%",
                                       "100.1%", "2.5", ".5%", "5.%", "5%%",
                                       "5% ", "-5%", "1e1%" };
    struct share v = { 77, 0.77 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        if (parse_share(bad[i], &v) || v.count != 77)
            fail_msg("'%s'", bad[i]);
    assert_true(parse_share("250", &v) && v.count == 250 && v.part == 0);
    assert_true(parse_share("50%", &v) && v.count == 0 && v.part == 0.5);
    assert_true(parse_share("100%", &v) && v.part == 1);
    assert_true(parse_share("12.5%", &v) && v.part == 0.125);
    assert_true(parse_share("0", &v) && v.count == 0 && v.part == 0);
}

/* 29% of 100 documents is 29, and so on for every usual percentage. */
static void a_percentage_of_documents_is_exact(void **state)
{
    static const uint64_t numbers[] = { 1, 3, 7, 10, 100, 434, 999, 1000, 1234,
                                        20000, 1000003, UINT32_MAX - 1 };
    char text[32];
    struct share v;

    (void)state;
    for (unsigned k = 1; k <= 10000; k++) { /* hundredths of a percent */
        snprintf(text, sizeof text, "%u.%02u%%", k / 100, k % 100);
        assert_true(parse_share(text, &v));
        for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
            if (decimal_share(v.part, numbers[i]) != numbers[i] * k / 10000)
                fail_msg("%s of %d is %d", text, (int)numbers[i],
                         (int)decimal_share(v.part, numbers[i]));
    }
    assert_int_equal(decimal_share(1e-300, UINT32_MAX), 0);
    assert_int_equal(decimal_share(5e-324, UINT32_MAX), 0);
    assert_int_equal(decimal_share(1e-9, UINT32_MAX), 4);
    assert_int_equal(decimal_share(1, UINT32_MAX), UINT32_MAX);
}

static void numbers_for_people_have_thousands_separators(void **state)
{
    char buf[NUMBER_MAX];

    (void)state;
    assert_string_equal(format_count(buf, 0), "0");
    assert_string_equal(format_count(buf, 999), "999");
    assert_string_equal(format_count(buf, 1000), "1,000");
    assert_string_equal(format_count(buf, 1234567), "1,234,567");
    assert_string_equal(format_count(buf, UINT64_MAX),
                        "18,446,744,073,709,551,615");
    assert_string_equal(format_real(buf, 1234.5678, 2), "1,234.57");
    assert_string_equal(format_real(buf, -123456, 1), "-123,456.0");
    assert_string_equal(format_real(buf, -INFINITY, 3), "-inf");
    assert_string_equal(format_real(buf, 1e300, 3), "1e+300");
    assert_string_equal(format_real(buf, 999999999999999999.0, 4),
                        "1e+18");
    assert_string_equal(format_size(buf, 0), "0");
    assert_string_equal(format_size(buf, (uint64_t)512 << 20), "512M");
    assert_string_equal(format_size(buf, 1000), "1000");
}

static void numbers_for_programs_read_back(void **state)
{
    static const double reals[] = { 0, 1, 0.1, -2.5, 1.0 / 3, 1e-300,
                                    1.7976931348623157e308, 123456789 };
    char buf[NUMBER_MAX];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(reals); i++)
        assert_true(strtod(format_exact(buf, reals[i]), NULL) == reals[i]);
    assert_string_equal(format_exact(buf, 0.1), "0.1");
    assert_string_equal(format_exact(buf, -INFINITY), "-inf");
}

static void powers_of_ten_too_small_for_a_double_are_printed(void **state)
{
    static const struct {
        double x;
        int digits;
        const char *want;
    } cases[] = {
        { 0, 10, "1" },
        { -0.0, 3, "1" },
        { -1, 10, "0.1" },
        { -0.30102999566398120, 3, "0.5" },
        { -10, 3, "1e-10" },
        { -299, 3, "1e-299" },
        { -300, 3, "1.00e-300" },
        { -5000.7, 3, "2.00e-5001" },
        { -5000.7, 10, "1.995262315e-5001" },
        { -5000.0000001, 3, "1.00e-5000" }, /* not 10.0e-5001 */
        { -1e9, 3, "1.00e-1000000000" },
    };
    char buf[NUMBER_MAX];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(format_power(buf, cases[i].x, cases[i].digits),
                            cases[i].want);
}

#define FFFD "\xef\xbf\xbd"

static void check_print(void (*print)(FILE *, const char *, size_t),
                        const char *s, size_t len, const char *want)
{
    char *got = NULL;
    size_t got_len;
    FILE *f = open_memstream(&got, &got_len);

    assert_non_null(f);
    print(f, s, len);
    assert_int_equal(fclose(f), 0);
    assert_string_equal(got, want);
    free(got);
}

static void a_term_is_escaped_in_every_output_form(void **state)
{
    static const struct {
        const char *term;
        size_t len;
        const char *json, *tsv, *terminal;
        size_t columns;
    } t[] = {
#define TERM(s) s, sizeof s - 1
        { TERM(""), "\"\"", "", "", 0 },
        { TERM("rose"), "\"rose\"", "rose", "rose", 4 },
        { TERM("a\tb\nc\rd\\e"), "\"a\\tb\\nc\\rd\\\\e\"",
          "a\\tb\\nc\\rd\\\\e", "a" FFFD "b" FFFD "c" FFFD "d\\e", 9 },
        { TERM("\"\b\f"), "\"\\\"\\b\\f\"", "\"\b\f", "\"" FFFD FFFD, 3 },
        { TERM("\033[31m"), "\"\\u001b[31m\"", "\033[31m", FFFD "[31m", 5 },
        { TERM("\302\233m"), "\"\302\233m\"", "\302\233m", FFFD "m", 2 },
        { TERM("\xe2\x80\xae"), "\"\xe2\x80\xae\"", "\xe2\x80\xae", FFFD, 1 },
        { TERM("e\xcc\x81"), "\"e\xcc\x81\"", "e\xcc\x81", "e\xcc\x81", 1 },
        { TERM("\xe6\x9d\xb1\xe4\xba\xac"), "\"\xe6\x9d\xb1\xe4\xba\xac\"",
          "\xe6\x9d\xb1\xe4\xba\xac", "\xe6\x9d\xb1\xe4\xba\xac", 4 },
        { TERM("\xf0\x9f\x8c\xb9"), "\"\xf0\x9f\x8c\xb9\"",
          "\xf0\x9f\x8c\xb9", "\xf0\x9f\x8c\xb9", 2 },
        { TERM("\xff"), "\"" FFFD "\"", "\xff", FFFD, 1 },
        { TERM("\xe2\x82"), "\"" FFFD "\"", "\xe2\x82", FFFD, 1 },
        { TERM("\xc0\xaf"), "\"" FFFD FFFD "\"", "\xc0\xaf", FFFD FFFD, 2 },
        { TERM("\xed\xa0\x80"), "\"" FFFD FFFD FFFD "\"", "\xed\xa0\x80",
          FFFD FFFD FFFD, 3 },
        { TERM("\xf4\x90\x80\x80"), "\"" FFFD FFFD FFFD FFFD "\"",
          "\xf4\x90\x80\x80", FFFD FFFD FFFD FFFD, 4 },
#undef TERM
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        check_print(display_json, t[i].term, t[i].len, t[i].json);
        check_print(display_tsv, t[i].term, t[i].len, t[i].tsv);
        check_print(display_terminal, t[i].term, t[i].len, t[i].terminal);
        assert_int_equal(display_width(t[i].term, t[i].len), t[i].columns);
    }
    check_print(display_json, "a\0b", 3, "\"a\\u0000b\"");
    check_print(display_tsv, "a\0b", 3, "a\\0b");
    check_print(display_terminal, "a\0b", 3, "a" FFFD "b");
    assert_int_equal(display_width("a\0b", 3), 3);
}

static void long_lines_are_wrapped_between_words(void **state)
{
    static const struct {
        const char *text;
        size_t at, indent, width;
        const char *want;
    } t[] = {
        { "", 0, 0, 10, "\n" },
        { "one two three", 0, 0, 10, "one two\nthree\n" },
        { "one two three", 4, 4, 10, "one\n    two\n    three\n" },
        { "a_word_that_is_too_long b", 0, 0, 10,
          "a_word_that_is_too_long\nb\n" },
        { "one.\n\nTwo three four", 0, 0, 11, "one.\n\nTwo three\nfour\n" },
        { "one (a\037b\037c)", 0, 0, 10, "one\n(a b c)\n" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        char *got = NULL;
        size_t len = 0;
        FILE *f = open_memstream(&got, &len);

        display_wrap(f, t[i].text, t[i].at, t[i].indent, t[i].width);
        fclose(f);
        assert_string_equal(got, t[i].want);
        free(got);
    }
}

static void the_nearest_name_is_suggested(void **state)
{
    static const char *const names[] = { "index", "count", "methods",
                                         "stats", "pair", "top", "pairs",
                                         "docs", "export", "check", "help" };
    static const struct { const char *word, *want; } t[] = {
        { "conut", "count" },  { "cuont", "count" },  { "stat", "stats" },
        { "pear", "pair" },    { "pairz", "pair" },   { "exprot", "export" },
        { "tpo", "top" },      { "method", "methods" }, { "chekc", "check" },
        { "xyzzy", NULL },     { "", NULL },          { "count!!!!!!", NULL },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        struct suggest near;

        suggest_init(&near, t[i].word);
        for (size_t k = 0; k < ARRAY_LEN(names); k++)
            suggest_try(&near, names[k]);
        if (!t[i].want)
            assert_null(near.best);
        else if (!near.best || strcmp(near.best, t[i].want) != 0)
            fail_msg("%s: %s", t[i].word, near.best ? near.best : "none");
    }
}

static void the_edit_distance_counts_swaps_once(void **state)
{
    static const struct {
        const char *a, *b;
        unsigned limit, want;
    } t[] = {
        { "", "abc", 9, 3 },          { "ca", "ac", 9, 1 },
        { "kitten", "sitting", 9, 3 }, { "kitten", "sitting", 2, 3 },
        { "abcdef", "uvwxyz", 2, 3 },  { "caf\xc3\xa9", "cafe", 9, 1 },
        { "same", "same", 0, 0 },      { "a", "abcd", 1, 2 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        int32_t a[SUGGEST_LEN], b[SUGGEST_LEN];
        size_t n = suggest_code_points(t[i].a, strlen(t[i].a), a);
        size_t m = suggest_code_points(t[i].b, strlen(t[i].b), b);

        assert_int_equal(edit_distance(a, n, b, m, t[i].limit), t[i].want);
    }
}

static const char *const colours[] = { "red", "green", "blue", NULL };

struct inner_values {
    const char *colour;
    struct share share;
};

struct values {
    bool loud;
    uint32_t n;
    uint64_t big, size;
    const char *file;
    struct inner_values inner;
};

static const struct opt inner_options[] = {
    OPT_TITLE("More"),
    OPT_NAME(struct inner_values, colour, 'c', "colour", "COLOUR", NULL,
             colours, "pick"),
    OPT_SHARE(struct inner_values, share, 0, "share", "none", "take N or N%"),
    OPT_END
};

static const struct opt test_options[] = {
    OPT_FLAG(struct values, loud, 'l', "loud", "shout"),
    OPT_U32(struct values, n, 'n', "number", "N", NULL, "take N"),
    OPT_U64(struct values, big, 0, "big", "N", "all cores",
            "take many"),
    OPT_SIZE(struct values, size, 0, "size", NULL, "bytes"),
    OPT_TEXT(struct values, file, 'f', "file", "FILE", NULL, "where"),
    OPT_TABLE(struct values, inner, inner_options),
    OPT_END
};

static const struct values test_defaults = { .n = 20, .size = 8 << 20,
                                             .inner.colour = "red" };

static const struct usage test_usage = {
    .name = "test", .args = "[options] A [B]", .summary = "try it",
    .details = "A sentence.", .output = "One row:\n- a: the first",
    .examples = "cooc test a\n",
    .options = test_options, .min = 1, .max = 2,
};

/* Parse a line of words separated by blanks: the values that differ from their
 * defaults and the arguments, or the error. */
static char *parsed(const char *line)
{
    struct cooc_err err = { 0 };
    char *copy = strdup(line), *save = NULL, *args[16], *text = NULL;
    struct values v = test_defaults;
    size_t len;
    FILE *f = open_memstream(&text, &len);
    int argc = 0, rc;

    assert_true(copy && f);
    for (char *w = strtok_r(copy, " ", &save); w;
         w = strtok_r(NULL, " ", &save))
        args[argc++] = w;
    rc = parse(&argc, args, &test_usage, test_options, &v, &err);
    if (rc < 0) {
        assert_int_equal(rc, COOC_EINVAL);
        assert_int_equal(err.code, COOC_EINVAL);
        fputs(err.text, f);
    } else {
        if (v.loud)
            fputs("loud ", f);
        if (v.n != 20 || v.big)
            fprintf(f, "%u,%llu ", (unsigned)v.n, (unsigned long long)v.big);
        if (v.size != 8 << 20)
            fprintf(f, "%llu ", (unsigned long long)v.size);
        if (v.inner.share.count || v.inner.share.part > 0)
            fprintf(f, "%u or %g ", (unsigned)v.inner.share.count,
                    v.inner.share.part);
        if (v.file || strcmp(v.inner.colour, "red") != 0)
            fprintf(f, "%s %s ", v.file ? v.file : "none", v.inner.colour);
        fputs("|", f);
        for (int i = 0; i < argc; i++)
            fprintf(f, " %s", args[i]);
    }
    fclose(f);
    free(copy);
    return text;
}

struct parse_case {
    const char *line, *want;
};

static void check_parsed(const struct parse_case *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *got = parsed(t[i].line);

        assert_string_equal(got, t[i].want);
        free(got);
    }
}

static void options_are_parsed_in_every_spelling(void **state)
{
    static const struct parse_case t[] = {
        { "a", "| a" },                    { "a b", "| a b" },
        { "-l a", "loud | a" },            { "a --loud", "loud | a" },
        { "-n 5 a", "5,0 | a" },           { "a -n5 b", "5,0 | a b" },
        { "--number 5 a", "5,0 | a" },     { "--number=5 a", "5,0 | a" },
        { "-n 5 -n 6 a", "6,0 | a" },      { "--size=1G a", "1073741824 | a" },
        { "--share 5 a", "5 or 0 | a" },   { "--share 50% a", "0 or 0.5 | a" },
        { "-c blue a", "none blue | a" },  { "-cblue a", "none blue | a" },
        { "--file=a=b x", "a=b red | x" }, { "- x", "| - x" },
        { "-l -- -n x", "loud | -n x" },   { "x -- --", "| x --" },
        { "--file --loud x", "--loud red | x" },
        { "--big 18446744073709551615 a", "20,18446744073709551615 | a" },
    };

    (void)state;
    check_parsed(t, ARRAY_LEN(t));
}

static void wrong_usage_names_the_option_and_the_value(void **state)
{
    static const struct parse_case t[] = {
        { "", "missing argument; usage: cooc test [options] A [B]" },
        { "a b c", "too many arguments; usage: cooc test [options] A [B]" },
        { "-n -5 a", "--number must be a number from 0 to 4294967295, not '-5'" },
        { "-n 4294967296 a",
          "--number must be a number from 0 to 4294967295, not '4294967296'" },
        { "--number= a",
          "--number must be a number from 0 to 4294967295, not ''" },
        { "a -n", "--number requires a value: N" },
        { "--size 1X a", "--size must be a size such as 512M or 8G, not '1X'" },
        { "--share 200% a", "--share must be a number such as 1000 or a "
                            "percentage above 0% and up to 100%, not '200%'" },
        { "--file= a", "--file must not be empty" },
        { "--loud=1 a", "--loud does not take a value, but has '--loud=1'" },
        { "-lx a", "--loud does not take a value, but has '-lx'" },
        { "--numbr 5 a", "unknown option '--numbr'; did you mean "
                         "'--number'?" },
        { "--num=5 a", "unknown option '--num'; did you mean '--number'?" },
        { "--colr=red a", "unknown option '--colr'; did you mean "
                          "'--colour'?" },
        { "--zz a", "unknown option '--zz'" }, { "-z", "unknown option '-z'" },
        { "-c gren a", "--colour: unknown COLOUR 'gren'; did you mean "
                       "'green'? (red, green or blue)" },
        { "-c mauve a", "--colour must be red, green or blue, not 'mauve'" },
    };

    (void)state;
    check_parsed(t, ARRAY_LEN(t));
}

static void the_help_prints_the_defaults(void **state)
{
    static const char want[] =
        "cooc test - try it\n\nUsage:\n  cooc test [options] A [B]\n\n"
        "A sentence.\n\nOptions:\n"
        "  -l, --loud              shout\n"
        "  -n, --number N          take N (default: 21)\n"
        "      --big N             take many (default: all cores)\n"
        "      --size SIZE         bytes (default: 8M)\n"
        "  -f, --file FILE         where\n"
        "\nMore:\n"
        "  -c, --colour COLOUR     pick: red, green or blue (default: red)\n"
        "      --share N|N%        take N or N% (default: none)\n"
        "  -h, --help              show this help\n"
        "\nOutput:\n  One row:\n  - a: the first\n"
        "\nExamples:\n  cooc test a\n";
    char *got = NULL;
    struct values v = test_defaults;
    size_t len;
    FILE *f = open_memstream(&got, &len);

    (void)state;
    assert_non_null(f);
    v.n = 21;
    help_print(f, &test_usage, test_options, &v);
    assert_int_equal(fclose(f), 0);
    assert_string_equal(got, want);
    free(got);
}

static void an_option_that_differs_from_its_default_is_reported(void **state)
{
    static const char *const none[] = { NULL }, *const loud[] = { "loud",
                                                                  NULL };
    struct values v = test_defaults;

    (void)state;
    assert_false(opt_given(test_options, &v, &test_defaults, none));
    v.loud = true;
    assert_true(opt_given(test_options, &v, &test_defaults, none));
    assert_false(opt_given(test_options, &v, &test_defaults, loud));
    v.inner.share.part = 0.5;
    assert_true(opt_given(test_options, &v, &test_defaults, loud));
}

struct record {
    const char *name;
    uint64_t n, zero;
    double score;
};

static const struct field record_fields[] = {
    FIELD_TEXT(struct record, name, "its name"),
    FIELD_COUNT(struct record, n, "n"),
    FIELD_LOSS(struct record, zero, "left out"),
    FIELD_REAL(struct record, score, "score", 1),
    FIELD_END
};

static const struct field list_fields[] = {
    FIELD_TEXT(struct record, name, "the term"),
    FIELD_COUNT(struct record, n, "df"),
    FIELD_REAL(struct record, score, "pmi", 2),
    FIELD_END
};

/* One value of each kind, then a list; or only a list. */
static char *printed(enum out_form form, bool facts)
{
    static const struct record fact = { "x\ty", 1234, 0, -INFINITY };
    static const struct record rows[] = { { "rose", 12345, 0, 0.5 },
                                          { "\xc3\xbc", 1, 0, INFINITY } };
    struct cooc_err err = { 0 };
    char *got = NULL;
    struct answer o;
    size_t len;
    FILE *f = open_memstream(&got, &len);

    assert_non_null(f);
    answer_init(&o, f, form);
    if (facts)
        CHECK_RC(answer_facts(&o, record_fields, &fact, &err), 0,
                 &err);
    CHECK_RC(answer_rows(&o, "a list", list_fields, rows, sizeof *rows,
                         ARRAY_LEN(rows), &err), 0, &err);
    answer_finish(&o);
    assert_int_equal(fclose(f), 0);
    return got;
}

static void results_are_printed_in_three_forms(void **state)
{
    static const struct {
        enum out_form form;
        bool facts;
        const char *want;
    } t[] = {
        { OUT_JSON, true,
          "{\"its_name\": \"x\\ty\", \"n\": 1234, \"score\": null, "
          "\"a_list\": [{\"the_term\": \"rose\", \"df\": 12345, "
          "\"pmi\": 0.5}, {\"the_term\": \"\xc3\xbc\", \"df\": 1, "
          "\"pmi\": null}]}\n" },
        { OUT_JSON, false,
          "{\"the_term\": \"rose\", \"df\": 12345, \"pmi\": 0.5}\n"
          "{\"the_term\": \"\xc3\xbc\", \"df\": 1, \"pmi\": null}\n" },
        { OUT_TSV, true,
          "field\tvalue\nits_name\tx\\ty\nn\t1234\nscore\t-inf\n\n"
          "the_term\tdf\tpmi\nrose\t12345\t0.5\n\xc3\xbc\t1\tinf\n" },
        { OUT_TSV, false,
          "the_term\tdf\tpmi\nrose\t12345\t0.5\n\xc3\xbc\t1\tinf\n" },
        { OUT_HUMAN, true,
          "its name                                   x" FFFD "y\n"
          "n                                        1,234\n"
          "score                                     -inf\n\na list\n"
          "the term      df   pmi\n"
          "rose      12,345  0.50\n"
          "\xc3\xbc              1   inf\n" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(t); i++) {
        char *got = printed(t[i].form, t[i].facts);

        assert_string_equal(got, t[i].want);
        free(got);
    }
}

static void a_long_human_readable_list_keeps_every_row(void **state)
{
    static const struct field fields[] = {
        { .kind = FIELD_KIND_U64, .label = "document" }, FIELD_END
    };
    struct cooc_err err = { 0 };
    size_t len, rows = 3 * OUT_ROWS + 1, lines = 0;
    char *got = NULL;
    struct answer o;
    FILE *f = open_memstream(&got, &len);

    (void)state;
    assert_non_null(f);
    answer_init(&o, f, OUT_HUMAN);
    answer_list(&o, NULL, fields);
    for (uint64_t i = 0; i < rows; i++)
        CHECK_RC(answer_row(&o, &i, &err), 0, &err);
    CHECK_RC(answer_list_end(&o, &err), 0, &err);
    assert_int_equal(fclose(f), 0);
    for (const char *p = got; *p; p++)
        lines += *p == '\n';
    assert_int_equal(lines, rows + 1);
    assert_non_null(strstr(got, "\n     767\n     768\n"));
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_digits_and_nothing_else),
        cmocka_unit_test(a_size_may_end_in_a_power_of_1024),
        cmocka_unit_test(a_threshold_is_a_count_or_a_percentage),
        cmocka_unit_test(a_percentage_of_documents_is_exact),
        cmocka_unit_test(parts_are_parsed_strictly),
        cmocka_unit_test(numbers_for_people_have_thousands_separators),
        cmocka_unit_test(numbers_for_programs_read_back),
        cmocka_unit_test(powers_of_ten_too_small_for_a_double_are_printed),
        cmocka_unit_test(a_term_is_escaped_in_every_output_form),
        cmocka_unit_test(long_lines_are_wrapped_between_words),
        cmocka_unit_test(the_nearest_name_is_suggested),
        cmocka_unit_test(the_edit_distance_counts_swaps_once),
        cmocka_unit_test(options_are_parsed_in_every_spelling),
        cmocka_unit_test(wrong_usage_names_the_option_and_the_value),
        cmocka_unit_test(the_help_prints_the_defaults),
        cmocka_unit_test(an_option_that_differs_from_its_default_is_reported),
        cmocka_unit_test(results_are_printed_in_three_forms),
        cmocka_unit_test(a_long_human_readable_list_keeps_every_row),
    };

    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
