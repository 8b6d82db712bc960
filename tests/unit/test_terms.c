/* test_terms.c - the vocabulary by prefix and pattern, lookup of many words,
 * documents of several terms. */
#include "tools.h"

#include "base/mem.h"
#include "cooc_bulk.h"
#include "own_dir.h"
#include "query/pattern.h"

static void patterns_work_as_in_a_shell(void **state)
{
    static const struct {
        const char *pattern, *text;
        bool matches;
    } cases[] = {
        { "", "", true },
        { "", "a", false },
        { "a", "a", true },
        { "a", "", false },
        { "a", "ab", false },
        { "*", "", true },
        { "*", "anything", true },
        { "**", "a", true },
        { "?", "", false },
        { "?", "a", true },
        { "?", "ab", false },
        { "?", "\xc3\xa9", true },      /* one character of two bytes */
        { "??", "\xc3\xa9", false },
        { "?", "\xff", true },          /* not UTF-8: one per byte */
        { "caf?", "caf\xc3\xa9", true },
        { "*ing", "ing", true },
        { "*ing", "singing", true },
        { "*ing", "singe", false },
        { "s*g", "sg", true },
        { "s*i*g", "singing", true },
        { "s*x*g", "singing", false },
        { "*a*b*c*", "xaxbxcx", true },
        { "*a*b*c*", "xaxcxbx", false },
        { "[abc]", "b", true },
        { "[abc]", "d", false },
        { "[a-c]x", "cx", true },
        { "[a-c]x", "dx", false },
        { "[!a-c]", "d", true },
        { "[^a-c]", "b", false },
        { "[\xc3\xa0-\xc3\xbf]", "\xc3\xa9", true }, /* from à to ÿ */
        { "[\xc3\xa0-\xc3\xbf]", "e", false },
        { "[]a]", "]", true },
        { "[]a]", "a", true },
        { "[a-]", "-", true },
        { "[-a]", "-", true },
        { "[\\]]", "]", true },
        { "[a", "[a", true },           /* not closed: literal */
        { "[", "[", true },
        { "[a", "a", false },
        { "\\*", "*", true },
        { "\\*", "a", false },
        { "a\\", "a\\", true },
        { "\\\xc3\xa9", "\xc3\xa9", true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *p = cases[i].pattern, *t = cases[i].text;

        if (pattern_matches(p, strlen(p), t, strlen(t)) != cases[i].matches)
            fail_msg("'%s' and '%s'", p, t);
    }
}

static void a_hard_pattern_does_not_take_exponential_time(void **state)
{
    char pattern[61], text[5001];

    (void)state;
    for (int i = 0; i < 60; i += 2)
        memcpy(pattern + i, "*a", 2);
    memset(text, 'a', 5000);
    text[4999] = 'b';
    assert_false(pattern_matches(pattern, 60, text, 5000));
    pattern[59] = 'b';
    assert_true(pattern_matches(pattern, 60, text, 5000));
}

static const char documents[] =
    "cat car cart Caf\xc3\xa9\n" "cat car cart\n" "cat car c++\n"
    "cat dog \xc3\xa9" "clair\n" "dog\n";

static struct cooc *open_documents(void)
{
    char *store = make_store(dir, "terms", documents, false);
    struct cooc_err err = { 0 };
    struct cooc *db;

    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    free(store);
    return db;
}

/* The names of ids, separated by blanks; for free(). */
static char *names_of(struct cooc *db, const uint32_t *ids, size_t n)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t i = 0; i < n; i++) {
        struct cooc_err err = { 0 };
        const char *name;
        size_t len;

        CHECK_RC(cooc_term_name(db, ids[i], &name, &len, &err), 0, &err);
        fprintf(out, "%s%.*s", i ? " " : "", (int)len, name);
    }
    fclose(out);
    return text;
}

/* df: cat 4, car 3, cart 2, dog 2, c 1, café 1, éclair 1 */
static void terms_are_listed_most_frequent_first(void **state)
{
    static const struct {
        struct cooc_term_filter filter;
        const char *want;
    } cases[] = {
        { { 0 }, "cat car cart dog c caf\xc3\xa9 \xc3\xa9" "clair" },
        { { .limit = 2 }, "cat car" },
        { { .min_df = 2, .max_df = 3 }, "car cart dog" },
        { { .prefix = "ca" }, "cat car cart caf\xc3\xa9" },
        { { .prefix = "CA" }, "cat car cart caf\xc3\xa9" },
        { { .prefix = "car" }, "car cart" },
        { { .prefix = "ca", .limit = 1 }, "cat" },
        { { .prefix = "ca", .min_df = 2, .max_df = 3 }, "car cart" },
        { { .prefix = "\xc3\x89" }, "\xc3\xa9" "clair" }, /* folded */
        { { .prefix = "c+" }, "" }, /* "c+" is not "c" */
        { { .prefix = "zebra" }, "" },
        { { .prefix = "aardvark" }, "" },
        { { .prefix = "" }, "cat car cart dog c caf\xc3\xa9 \xc3\xa9"
                            "clair" },
        { { .like = "ca?" }, "cat car" },
        { { .like = "CA?" }, "cat car" },
        { { .like = "*T" }, "cat cart" },
        { { .like = "?a*", .min_df = 2 }, "cat car cart" },
        { { .like = "c*", .limit = 3 }, "cat car cart" },
        { { .like = "dog" }, "dog" },
        { { .like = "do" }, "" },
        { { .prefix = "ca", .like = "*t" }, "cat cart" },
    };
    struct cooc *db = open_documents();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_err err = { 0 };
        uint32_t *ids;
        size_t n;
        char *got;

        struct cooc_term_filter filter = cases[i].filter;

        filter.size = sizeof filter;
        CHECK_RC(cooc_terms(db, &filter, &ids, &n, &err), 0, &err);
        got = names_of(db, ids, n);
        if (strcmp(got, cases[i].want) != 0)
            fail_msg("case %zu: '%s'", i, got);
        free(got);
        cooc_free(ids);
    }
    cooc_close(db);
    assert_int_equal(mem_live(), 0);
}

static void looking_up_an_unknown_word_is_not_an_error(void **state)
{
    static const struct {
        const char *word;
        bool found;
    } cases[] = {
        { "cat", true },  { "CAT", true }, { "caf\xc3\x89", true },
        { "zebra", false }, { "", false },
        { "...", false },
    };
    struct cooc *db = open_documents();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_err err = { 0 };
        uint32_t id = 7777;
        bool found = !cases[i].found;

        CHECK_RC(cooc_term_lookup(db, cases[i].word, strlen(cases[i].word), &id,
                              &found, &err), 0, &err);
        assert_int_equal(found, cases[i].found);
        assert_int_equal(err.code, 0);
        if (found)
            assert_true(id < 7);
    }
    cooc_close(db);
}

static void several_words_that_are_not_a_phrase_are_an_error(void **state)
{
    static const char *const words[] = { "cat dog", "cat", "Dog, cat" };
    const size_t lens[] = { 7, 3, 8 };
    struct cooc *db = open_documents();
    struct cooc_err err = { 0 };
    uint32_t ids[3];
    bool found = true;

    (void)state;
    CHECK_RC(cooc_term_lookup(db, "cat dog", 7, ids, &found, &err),
             COOC_EINVAL, &err);
    assert_false(found);
    assert_string_equal(err.option, "phrases_file");
    err = (struct cooc_err){ 0 };
    CHECK_RC(cooc_terms_find(db, words, lens, 3, ids, &err), COOC_EINVAL,
             &err);
    if (!strstr(err.text, "2 entries") || !strstr(err.text, "'cat dog', 'Dog, "
                                                            "cat'"))
        fail_msg("%s", err.text);
    err = (struct cooc_err){ 0 };
    CHECK_RC(cooc_terms_find(db, words + 1, lens + 1, 1, ids, &err), 0, &err);
    assert_int_equal(err.code, 0);
    cooc_close(db);
}

static void documents_with_all_or_any_of_several_terms_are_found(void **state)
{
    static const struct {
        const char *terms; /* a is cat, b car, c cart, d dog */
        enum cooc_match join;
        const char *want;
    } cases[] = {
        { "a", COOC_MATCH_ALL, "0123" },  { "a", COOC_MATCH_ANY, "0123" },
        { "ab", COOC_MATCH_ALL, "012" },  { "abc", COOC_MATCH_ALL, "01" },
        { "abcd", COOC_MATCH_ALL, "" },   { "cd", COOC_MATCH_ANY, "0134" },
        { "dd", COOC_MATCH_ALL, "34" },   { "abcd", COOC_MATCH_ANY, "01234" },
    };
    struct cooc *db = open_documents();
    struct cooc_err err = { 0 };
    uint32_t *docs;
    size_t n;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        uint32_t terms[4];
        char got[8] = "";

        for (size_t k = 0; cases[i].terms[k]; k++)
            terms[k] = (uint32_t)(cases[i].terms[k] - 'a');
        CHECK_RC(cooc_docs(db, terms, strlen(cases[i].terms),
                              cases[i].join, &docs, &n, &err), 0, &err);
        for (size_t k = 0; k < n && k + 1 < sizeof got; k++)
            got[k] = (char)('0' + docs[k]);
        assert_string_equal(got, cases[i].want);
        cooc_free(docs);
    }
    CHECK_RC(cooc_docs(db, NULL, 0, COOC_MATCH_ALL, &docs, &n, &err),
             COOC_EINVAL, &err);
    assert_null(docs);
    cooc_close(db);
}

/* Fail the 1st allocation, then the 2nd, ... until a run needs no more. */
static void running_out_of_memory_is_clean(void **state)
{
    static const struct cooc_term_filter filter = { .size = sizeof filter,
                                                    .prefix = "c",
                                                    .like = "*a*" };
    bool failed = true;
    long before = (long)mem_live();

    (void)state;
    for (long n = 1; failed; n++) {
        struct cooc *db = open_documents();
        struct cooc_err err = { 0 };
        uint32_t *ids, *docs = NULL;
        size_t k;
        int rc;

        mem_fail_at(n);
        rc = cooc_terms(db, &filter, &ids, &k, &err);
        if (rc == 0)
            rc = cooc_docs(db, (const uint32_t[]){ 0, 1 }, 2, COOC_MATCH_ANY,
                              &docs, &k, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        cooc_free(ids);
        cooc_free(docs);
        cooc_close(db);
        assert_int_equal((long)mem_live(), before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_work_as_in_a_shell),
        cmocka_unit_test(a_hard_pattern_does_not_take_exponential_time),
        cmocka_unit_test(terms_are_listed_most_frequent_first),
        cmocka_unit_test(looking_up_an_unknown_word_is_not_an_error),
        cmocka_unit_test(several_words_that_are_not_a_phrase_are_an_error),
        cmocka_unit_test(documents_with_all_or_any_of_several_terms_are_found),
        cmocka_unit_test(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("terms", tests, make_dir, remove_dir);
}
