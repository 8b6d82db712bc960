/* test_phrases.c - phrases in random texts, compared with their definition; the
 * words of entries; limits; failed allocations. */
#include "token_judge.h"

#include "base/buf.h"
#include "cooc_build.h"
#include "index/ingest.h"
#include "index/term_extractor.h"
#include "read/read.h"
#include "token/phrases.h"

/* ---- extracting ------------------------------------------------------ */

/* Append the distinct terms of a document, each followed by '|', in the order
 * of their first occurrence. */
static int extract(const struct rules *rules, const struct document *doc,
                   struct buf *out, struct cooc_err *err)
{
    struct cooc_index_report report = { 0 };
    struct index_job job = { .rules = rules, .report = &report };
    struct term_extractor r;
    struct buf ids = { 0 };
    int rc = term_extractor_init(&r, &job, &ids, err);

    if (rc == 0)
        rc = term_extractor_add(&r, doc, err);
    for (size_t i = 0; rc == 0 && i < ids.len / sizeof(uint32_t); i++) {
        size_t len;
        const char *term = dict_term(
            r.terms, ((const uint32_t *)(const void *)ids.data)[i], &len);

        rc = buf_add(out, term, len, err);
        if (rc == 0)
            rc = buf_byte(out, '|', err);
    }
    term_extractor_release(&r);
    buf_release(&ids);
    return rc < 0 ? rc : buf_text(out, err);
}

static void check_terms(const struct rules_options *o, const char *text,
                        const char *want)
{
    struct document doc = { .text = text, .text_len = strlen(text) };
    struct cooc_err err = { 0 };
    struct rules *rules;
    struct buf out = { 0 };

    CHECK_RC(rules_new(&rules, o, &err), 0, &err);
    CHECK_RC(extract(rules, &doc, &out, &err), 0, &err);
    if (strcmp(out.data, want) != 0)
        fail_msg("\"%s\": got %s, expected %s", text, out.data, want);
    buf_release(&out);
    rules_free(rules);
    assert_int_equal(mem_live(), 0);
}

static void the_longest_phrase_at_the_leftmost_place_is_a_term(void **state)
{
    static const struct rules_options o = {
        .phrases = true,
        .phrase_list = LIST("New York\nnew york times\na b\nb c\na b c d\n"
                            "IL-6\ncost of living\nx x y\nTYPE 2 diabetes\n"
                            "single\n\u673a\u5668\u5b66\u4e60 ai\n"),
    };
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "", "" },
        { "new york", "new york|" },
        { "NEW-YORK: new", "new york|new|" },
        { "The New York Times in New York", "the|new york times|in|new york|" },
        { "new new york york", "new|new york|york|" },
        { "a b c d", "a b c d|" },
        { "a b c", "a b|c|" },
        { "a b c a b c d", "a b|c|a b c d|" },
        { "a b b c a", "a b|b c|a|" },
        { "x x x y x x", "x|x x y|" },
        { "IL-6 and IL 6, il\t6", "il-6|and|" },
        { "the cost, of \"living\"!", "the|cost of living|" },
        { "cost of\n\nliving", "cost|of|living|" },
        { "cost of\n \t\r\nliving", "cost|of|living|" },
        { "cost of\nliving", "cost of living|" },
        { "type 2 diabetes 2", "type 2 diabetes|2|" },
        { "single", "single|" },
        { "\u673a\u5668\u5b66\u4e60 AI", "\u673a\u5668\u5b66\u4e60 ai|" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_terms(&o, cases[i].text, cases[i].want);
}

static void rules_apply_to_a_phrase_as_a_whole(void **state)
{
    struct rules_options o = {
        .phrases = true, .drop_numbers = true, .min_length = 3,
        .max_length = 8,
        .phrase_list = LIST("Type 2 Diabetes\ncost of living\n4 5\n"),
        .stop = LIST("of\nliving\nas well as\nthe\n"),
        .thesaurus = LIST("type-2 diabetes\tT2DM\nDM\tdiabetes mellitus\n"
                          "heart attack\tmyocardial infarction\n"
                          "as such\t\n"),
    };

    (void)state;
    check_terms(&o, "type 2 diabetes; the 2 cost of living", "t2dm|cost of "
                                                             "living|");
    check_terms(&o, "4 5 4", "4 5|");
    check_terms(&o, "A heart attack as well as 17 myocardial  infarctions, "
                    "Myocardial-Infarction", "myocardial infarction|");
    check_terms(&o, "as such; such diabetes mellitus; DM", "such|diabetes "
                                                           "mellitus|");
    o.stem = "english";
    o.max_length = 0;
    check_terms(&o, "costs of livings; myocardial infarctions; heart attacks",
                "cost of live|myocardi infarct|");
    o.keep_phrase_words = true;
    check_terms(&o, "heart attacks", "myocardi infarct|heart|attack|");
}

static void without_phrases_lists_have_words_only(void **state)
{
    const struct rules_options o = {
        .stop = LIST("new york\n"), .thesaurus = LIST("auto\tmotor car\n"),
    };

    (void)state;
    check_terms(&o, "new york auto motor car", "motor car|motor|car|");
}

/* ---- random texts ---------------------------------------------------- */

enum { LETTERS = 4, PHRASES = 12, LONGEST = 5, WORDS = 700 };

static const char *const spelt[2][LETTERS][3] = {
    { { "a", "A", "a" }, { "b", "B", "b" }, { "c", "c", "C" },
      { "d", "D", "d" } },
    { { "run", "runs", "Running" }, { "cat", "cats", "CATS" },
      { "walk", "walked", "walking" }, { "end", "ends", "ended" } },
};
static const char *const stems[2][LETTERS] = { { "a", "b", "c", "d" },
                                               { "run", "cat", "walk",
                                                 "end" } };

struct random_case {
    bool stem, keep;
    uint8_t phrase[PHRASES][LONGEST];
    size_t len[PHRASES], n_phrases;
    uint8_t word[WORDS];
    bool ends[WORDS]; /* a paragraph ends before this word */
    size_t n_words;
    struct buf list, text, want, ends_at;
};

static void add(struct buf *b, const char *text)
{
    assert_int_equal(buf_add(b, text, strlen(text), NULL), 0);
}

static void make_case(struct random_case *c, uint64_t *seed)
{
    uint32_t letters = 1 + random_below(seed, LETTERS);

    c->stem = random_below(seed, 2);
    c->keep = random_below(seed, 3) == 0;
    c->n_phrases = 1 + random_below(seed, PHRASES);
    c->n_words = random_below(seed, random_below(seed, 8) ? 20 : WORDS);
    c->list.len = c->text.len = c->ends_at.len = 0;
    for (size_t i = 0; i < c->n_phrases; i++) {
        c->len[i] = 2 + random_below(seed, LONGEST - 1);
        for (size_t k = 0; k < c->len[i]; k++) {
            c->phrase[i][k] = (uint8_t)random_below(seed, letters);
            add(&c->list, k ? random_below(seed, 2) ? " " : "-" : "");
            add(&c->list, spelt[c->stem][c->phrase[i][k]]
                               [random_below(seed, 3)]);
        }
        add(&c->list, "\n");
    }
    for (size_t k = 0; k < c->n_words; k++) {
        struct text_end end = { .paragraph = 1 };

        c->word[k] = (uint8_t)random_below(seed, letters);
        c->ends[k] = k && random_below(seed, 12) == 0;
        add(&c->text, !k || (c->ends[k] && random_below(seed, 2)) ? "\n\n"
                      : random_below(seed, 2)                     ? " "
                                                                  : ", ");
        end.at = c->text.len & INT64_MAX;
        if (c->ends[k])
            assert_int_equal(buf_add(&c->ends_at, &end, sizeof end, NULL), 0);
        add(&c->text, spelt[c->stem][c->word[k]][random_below(seed, 3)]);
    }
}

/* The length of the longest phrase at word i, or 0. */
static size_t longest_at(const struct random_case *c, size_t i)
{
    size_t best = 0;

    for (size_t p = 0; p < c->n_phrases; p++) {
        size_t k = 0;

        while (k < c->len[p] && i + k < c->n_words &&
               !(k && c->ends[i + k]) && c->word[i + k] == c->phrase[p][k])
            k++;
        if (k == c->len[p] && k > best)
            best = k;
    }
    return best;
}

/* Append a term to want, unless it is there. */
static void want_term(struct random_case *c, const char *term)
{
    char piece[80];

    snprintf(piece, sizeof piece, "|%s|", term);
    assert_int_equal(buf_text(&c->want, NULL), 0);
    if (!strstr(c->want.data, piece))
        add(&c->want, piece + 1);
}

static void define_terms(struct random_case *c)
{
    c->want.len = 0;
    add(&c->want, "|");
    for (size_t i = 0; i < c->n_words;) {
        size_t n = longest_at(c, i);
        char name[80] = "";

        for (size_t k = 0; k < n; k++) {
            strcat(name, k ? " " : "");
            strcat(name, stems[c->stem][c->word[i + k]]);
        }
        if (n)
            want_term(c, name);
        for (size_t k = 0; k < (n ? n : 1) && (!n || c->keep); k++)
            want_term(c, stems[c->stem][c->word[i + k]]);
        i += n ? n : 1;
    }
    assert_int_equal(buf_text(&c->want, NULL), 0);
}

/* Replace '-' in names by blanks: which spelling comes first does not matter
 * here. */
static void blanks_for_hyphens(struct buf *b)
{
    for (size_t i = 0; i < b->len; i++)
        if (b->data[i] == '-')
            b->data[i] = ' ';
}

static void phrases_are_those_of_the_definition(void **state)
{
    struct random_case c = { 0 };
    uint64_t seed = SEED;
    struct buf out = { 0 };

    (void)state;
    for (int i = 0; i < 8000; i++) {
        struct rules_options o = { .phrases = true };
        struct document doc;
        struct cooc_err err = { 0 };
        struct rules *rules;

        make_case(&c, &seed);
        define_terms(&c);
        o.mode = TOKENS_WORDS;
        o.stem = c.stem ? "english" : NULL;
        o.keep_phrase_words = c.keep;
        o.phrase_list = (struct text_list){ .name = "list",
                                            .text = c.list.data,
                                            .len = c.list.len };
        doc = (struct document){
            .text = c.text.len ? c.text.data : "", .text_len = c.text.len,
            .ends = (const void *)c.ends_at.data,
            .n_ends = c.ends_at.len / sizeof(struct text_end),
        };
        out.len = 0;
        add(&out, "|");
        CHECK_RC(rules_new(&rules, &o, &err), 0, &err);
        CHECK_RC(extract(rules, &doc, &out, &err), 0, &err);
        blanks_for_hyphens(&out);
        if (strcmp(out.data, c.want.data) != 0)
            fail_msg("seed %u, case %d:\n%.*s\n%.*s\ngot      %s\nexpected %s",
                     SEED, i, (int)c.list.len, c.list.data, (int)c.text.len,
                     c.text.data, out.data, c.want.data);
        rules_free(rules);
    }
    buf_release(&out);
    buf_release(&c.list);
    buf_release(&c.text);
    buf_release(&c.want);
    buf_release(&c.ends_at);
    assert_int_equal(mem_live(), 0);
}

/* ---- the list that a store keeps -------------------------------------- */

static void the_stored_list_is_sorted_and_gives_the_same_phrases(void **state)
{
    struct rules_options o = {
        .phrases = true,
        .phrase_list = LIST("# phrases\nZeta  One\nB-2\n\nzeta-one\nword\n"),
        .terms = LIST("word\nb 2\na c\n"), .stop = LIST("of the\n"),
    };
    struct cooc_err err = { 0 };
    struct rules *r, *again;
    struct text_list list, same;
    size_t len;

    (void)state;
    CHECK_RC(rules_new(&r, &o, &err), 0, &err);
    list = rules_phrase_list(r);
    assert_int_equal(list.len, strlen("B-2\nZeta  One\na c\n"));
    assert_memory_equal(list.text, "B-2\nZeta  One\na c\n", list.len);
    assert_int_equal(phrases_count(rules_phrases(r)), 4);
    o.phrase_list = list;
    o.terms = (struct text_list){ 0 };
    CHECK_RC(rules_new(&again, &o, &err), 0, &err);
    same = rules_phrase_list(again);
    assert_int_equal(same.len, list.len);
    assert_memory_equal(same.text, list.text, list.len);
    for (uint32_t i = 0; i < phrases_count(rules_phrases(r)); i++) {
        const char *name = phrases_name(rules_phrases(r), i, &len);

        assert_true(phrases_named(rules_phrases(again), name, len) !=
                    PHRASE_NONE);
    }
    rules_free(again);
    rules_free(r);
    assert_int_equal(mem_live(), 0);
}

/* ---- limits and faults ------------------------------------------------ */

static void entries_that_are_too_long_are_errors(void **state)
{
    struct rules_options o = { .phrases = true };
    struct buf text = { 0 };
    struct cooc_err err = { 0 };
    struct rules *r;

    (void)state;
    add(&text, "first line\n");
    for (int i = 0; i < 64; i++)
        add(&text, " x");
    o.phrase_list = (struct text_list){ .name = "l", .text = text.data,
                                        .len = text.len };
    CHECK_RC(rules_new(&r, &o, &err), 0, &err);
    rules_free(r);
    add(&text, " x");
    o.phrase_list = (struct text_list){ .name = "l", .text = text.data,
                                        .len = text.len };
    CHECK_RC(rules_new(&r, &o, &err), COOC_EINVAL, &err);
    assert_non_null(strstr(err.text, "l:2: a phrase has 65 words, but at most "
                                     "64"));
    text.len = 0;
    add(&text, "a ");
    for (size_t i = 0; i < TERM_MAX; i++)
        add(&text, "b");
    o.phrase_list = (struct text_list){ .name = "l", .text = text.data,
                                        .len = text.len };
    CHECK_RC(rules_new(&r, &o, &err), COOC_EINVAL, &err);
    assert_non_null(strstr(err.text, "bytes, but at most 65535"));
    assert_null(r);
    buf_release(&text);
    assert_int_equal(mem_live(), 0);
}

static void two_preferred_forms_of_one_phrase_are_an_error(void **state)
{
    const struct rules_options o = {
        .phrases = true, .thesaurus = LIST("a b\tx\nA-B\ty\n"),
    };
    struct cooc_err err = { 0 };
    struct rules *r;

    (void)state;
    CHECK_RC(rules_new(&r, &o, &err), COOC_EINVAL, &err);
    assert_non_null(strstr(err.text, "'a b' has another preferred form"));
}

static void running_out_of_memory_is_clean(void **state)
{
    static const char text[] = "Heart attacks, New York Times new york\n\n"
                               "t\u00e9l\u00e9 vision of the new world";
    struct rules_options o = {
        .phrases = true,
        .phrase_list = LIST("new york\nnew york times\nT\u00e9l\u00e9  "
                            "Vision\n"),
        .terms = LIST("old world\n"), .stop = LIST("of the\n"),
        .thesaurus = LIST("heart attack\tmyocardial infarction\n"),
    };
    const struct document doc = { .text = text, .text_len = sizeof text - 1 };

    (void)state;
    for (int stem = 0; stem < 2; stem++) {
        bool failed = true;

        o.stem = stem ? "english" : NULL;
        for (long n = 1; failed; n++) {
            struct cooc_err err = { 0 };
            struct rules *rules = NULL;
            struct buf out = { 0 };
            int rc;

            mem_fail_at(n);
            rc = rules_new(&rules, &o, &err);
            if (rc == 0)
                rc = extract(rules, &doc, &out, &err);
            failed = mem_failed();
            mem_fail_at(0);
            buf_release(&out);
            rules_free(rules);
            CHECK_RC(rc, failed ? COOC_ENOMEM : 0, &err);
            assert_int_equal(mem_live(), 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_phrase_at_the_leftmost_place_is_a_term),
        cmocka_unit_test(rules_apply_to_a_phrase_as_a_whole),
        cmocka_unit_test(without_phrases_lists_have_words_only),
        cmocka_unit_test(phrases_are_those_of_the_definition),
        cmocka_unit_test(the_stored_list_is_sorted_and_gives_the_same_phrases),
        cmocka_unit_test(entries_that_are_too_long_are_errors),
        cmocka_unit_test(two_preferred_forms_of_one_phrase_are_an_error),
        cmocka_unit_test(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("phrases", tests, NULL, NULL);
}
