/* test_items.c - stores of items: terms of several words, in uniform spelling,
 * that are never split. */
#include "tools.h"

#include "base/mem.h"
#include "cooc_bulk.h"

#include "own_dir.h"

/* ---- lookup ------------------------------------------------------------- */

/* A word, and its term or words of the error message. */
struct lookup {
    const char *word, *term;
    int code;
    const char *says;
};

static void check_lookups(struct cooc *db, const struct lookup *cases,
                          size_t n)
{
    struct cooc_err err = { 0 };

    for (size_t i = 0; i < n; i++) {
        const struct lookup *c = &cases[i];
        const char *name;
        uint32_t id = 0;
        size_t len;
        bool found;
        int rc = cooc_term_find(db, c->word, strlen(c->word), &id, &err);

        if (rc != c->code)
            fail_msg("'%s': returned %d, %s", c->word, rc, err.text);
        if (rc < 0 && !strstr(err.text, c->says))
            fail_msg("'%s': %s", c->word, err.text);
        CHECK_RC(cooc_term_lookup(db, c->word, strlen(c->word), &id, &found,
                                  &err), 0, &err);
        assert_int_equal(found, rc == 0);
        if (rc < 0)
            continue;
        CHECK_RC(cooc_term_name(db, id, &name, &len, &err), 0, &err);
        if (len != strlen(c->term) || memcmp(name, c->term, len) != 0)
            fail_msg("'%s' is '%.*s', expected '%s'", c->word, (int)len, name,
                     c->term);
    }
}

static char *make_items(const char *name, const char *records,
                        struct cooc_index_options o)
{
    char *path = write_text(dir, "items", records), *made = in_dir(dir, name);
    struct cooc_err err = { 0 };

    o.format = "jsonl";
    o.text_fields = "t";
    o.split = ";";
    CHECK_RC(cooc_index((const char *const[]){ path }, 1, made, &o, NULL,
                        &err), 0, &err);
    free(path);
    return made;
}

static struct cooc *open_at(const char *path)
{
    struct cooc_err err = { 0 };
    struct cooc *db;

    CHECK_RC(cooc_open(&db, path, &err), 0, &err);
    return db;
}

static const char records[] =
    "{\"t\": \"Deep  Learning; AI;C++;a*b; [x];17;z;St. John's (Nfld.)\"}\n"
    "{\"t\": \"deep\\tlearning ;\\u00a0E\\u0301tude\\u2003No\\u3000 1 ;"
    "Stra\\u00dfe;a\\\\b; ;;machine  LEARNING\"}\n"
    "{\"t\": \"DEEP\\nLEARNING;the thing;unwanted item;42 km\"}\n";

static void a_word_is_an_item_as_a_whole(void **state)
{
    static const struct lookup cases[] = {
        { "deep learning", "deep learning", 0, NULL },
        { "  Deep \t\n LEARNING\r\n", "deep learning", 0, NULL },
        { "ai", "artificial intelligence", 0, NULL },
        { "Artificial  Intelligence", "artificial intelligence", 0, NULL },
        { "c++", "c++", 0, NULL },
        { "A*B", "a*b", 0, NULL },
        { "[X]", "[x]", 0, NULL },
        { "st.  john's (nfld.)", "st. john's (nfld.)", 0, NULL },
        { "\xc3\x89TUDE no 1", "\xc3\xa9tude no 1", 0, NULL },
        { "e\xcc\x81tude\xc2\xa0No 1\xe3\x80\x80", "\xc3\xa9tude no 1", 0,
          NULL },
        { "STRASSE", "strasse", 0, NULL },
        { "A\\B", "a\\b", 0, NULL },
        { "a\\\\b", "a\\b", 0, NULL }, /* copied from a table */
        { "42 km", "42 km", 0, NULL }, /* is not a number */
        { "deep", NULL, COOC_ENOTFOUND, "stop list" },
        { "learning", NULL, COOC_ENOTFOUND, "no document contains" },
        { "learning deep", NULL, COOC_ENOTFOUND, "no document contains" },
        { "deep lerning", NULL, COOC_ENOTFOUND, "similar terms: deep" },
        { "C", NULL, COOC_ENOTFOUND, "too short" },
        { "a*c", NULL, COOC_EINVAL, "'a*c' is a pattern" },
        { "deep?learning", NULL, COOC_EINVAL, "is a pattern" },
        { "x[x]", NULL, COOC_EINVAL, "is a pattern" },
        { "[y]", NULL, COOC_ENOTFOUND, "no document contains '[y]'" },
        { "The  Thing", NULL, COOC_ENOTFOUND, "stop list" },
        { "17", NULL, COOC_ENOTFOUND, "numbers were dropped" },
        { "unwanted item", NULL, COOC_ENOTFOUND, "no preferred form" },
        { "", NULL, COOC_EINVAL, "does not contain a term" },
        { " \xc2\xa0 ", NULL, COOC_EINVAL, "does not contain a term" },
        { "\xff", NULL, COOC_ENOTFOUND, "too short" },
    };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    char *stop = write_text(dir, "stop", "# list\nThe   Thing\r\ndeep\n");
    char *thesaurus = write_text(dir, "thesaurus",
                                 "AI\tArtificial  intelligence\n"
                                 "Unwanted item\t\n");
    char *made;
    struct cooc *db;

    (void)state;
    o.stop_file = stop;
    o.thesaurus_file = thesaurus;
    o.drop_numbers = true;
    o.min_length = 2;
    made = make_items("rules", records, o);
    db = open_at(made);
    check_lookups(db, cases, ARRAY_LEN(cases));
    cooc_close(db);
    assert_int_equal(mem_live(), 0);
    free(made);
    free(stop);
    free(thesaurus);
}

static void case_is_kept_on_request(void **state)
{
    static const struct lookup cases[] = {
        { "Deep  Learning", "Deep Learning", 0, NULL },
        { "deep learning", "deep learning", 0, NULL },
        { "DEEP LEARNING", "DEEP LEARNING", 0, NULL },
        { "E\xcc\x81tude No 1", "\xc3\x89tude No 1", 0, NULL },
        { "Deep learning", NULL, COOC_ENOTFOUND, "similar terms" },
    };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc *db;
    char *made;

    (void)state;
    o.keep_case = true;
    made = make_items("case", records, o);
    db = open_at(made);
    check_lookups(db, cases, ARRAY_LEN(cases));
    cooc_close(db);
    free(made);
}

/* The words of an item are stemmed one by one. */
static void every_form_of_an_item_finds_it(void **state)
{
    static const struct lookup cases[] = {
        { "Neural networks", "neural network", 0, NULL },
        { "neural network", "neural network", 0, NULL },
        { "neural  NETWORKING", "neural network", 0, NULL },
        { "networks", NULL, COOC_ENOTFOUND, "no document" },
    };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc *db;
    char *made;

    (void)state;
    o.stem = "english";
    made = make_items("stems", "{\"t\": \"Neural networks;neural network\"}\n"
                               "{\"t\": \"neural network; x\"}\n", o);
    db = open_at(made);
    check_lookups(db, cases, ARRAY_LEN(cases));
    cooc_close(db);
    free(made);
}

static void looking_up_any_bytes_is_safe(void **state)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    char *made = make_items("bytes", records, o), *word = malloc(200000);
    struct cooc *db = open_at(made);
    struct cooc_err err = { 0 };
    uint64_t seed = 77;
    uint32_t id;

    (void)state;
    for (int i = 0; i < 300; i++) {
        size_t len = random_below(&seed, i % 50 ? 40 : 200000);
        int rc;

        for (size_t k = 0; k < len; k++)
            word[k] = (char)(random_u64(&seed) >> random_below(&seed, 3));
        rc = cooc_term_find(db, word, len, &id, &err);
        if (rc < 0 && rc != COOC_EINVAL && rc != COOC_ENOTFOUND)
            fail_msg("returned %d, %s", rc, err.text);
    }
    memset(word, ' ', 200000);
    memcpy(word + 100000, "c++", 3); /* white space does not count */
    CHECK_RC(cooc_term_find(db, word, 200000, &id, &err), 0, &err);
    memset(word, 'a', 200000);
    CHECK_RC(cooc_term_find(db, word, 200000, &id, &err), COOC_ENOTFOUND,
             &err);
    assert_non_null(strstr(err.text, "too long"));
    cooc_close(db);
    free(word);
    free(made);
    assert_int_equal(mem_live(), 0);
}

/* ---- prefixes and patterns ---------------------------------------------- */

static void prefixes_and_patterns_are_folded_like_items(void **state)
{
    static const struct {
        const char *prefix, *like;
        size_t n;
    } cases[] = {
        { "Deep", NULL, 2 },      { "DEEP ", NULL, 1 },
        { "deep  LEARN", NULL, 1 }, { " deep\t", NULL, 1 },
        { NULL, "DEEP  *", 1 },   { NULL, "deep*", 2 },
        { NULL, "* learning", 1 },  { NULL, "*\xc3\x89tude\xc2\xa0*", 1 },
        { "\xc3\x89tude  ", NULL, 1 }, { NULL, "a\\*b", 1 },
        { NULL, "[[]x]", 1 },
    };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    char *made = make_items("prefix",
                            "{\"t\": \"deep learning;Deeply;a*b;[x];"
                            "\xc3\x89tude No 1;aab\"}\n", o);
    struct cooc *db = open_at(made);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_term_filter f = COOC_TERM_FILTER;
        struct cooc_err err = { 0 };
        uint32_t *ids;
        size_t n;

        f.prefix = cases[i].prefix;
        f.like = cases[i].like;
        CHECK_RC(cooc_terms(db, &f, &ids, &n, &err), 0, &err);
        if (n != cases[i].n)
            fail_msg("case %zu: %zu terms", i, n);
        cooc_free(ids);
    }
    cooc_close(db);
    free(made);
}

/* ---- lists of terms to keep --------------------------------------------- */

static void a_list_keeps_whole_items(void **state)
{
    static const struct lookup cases[] = {
        { "deep learning", "deep learning", 0, NULL },
        { "artificial intelligence", "artificial intelligence", 0, NULL },
        { "machine learning", NULL, COOC_ENOTFOUND, "no document" },
    };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    char *terms = write_text(dir, "terms", "Deep \t Learning\nai\nmachine\n");
    char *thesaurus = write_text(dir, "thes",
                                 "AI\tArtificial  intelligence\n");
    struct cooc_info info = COOC_INFO;
    struct cooc_err err = { 0 };
    struct cooc *db;
    char *made;

    (void)state;
    o.terms_file = terms;
    o.thesaurus_file = thesaurus;
    made = make_items("kept", records, o);
    db = open_at(made);
    check_lookups(db, cases, ARRAY_LEN(cases));
    CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
    assert_int_equal(info.terms, 2);
    cooc_close(db);
    free(made);
    free(terms);
    free(thesaurus);
}

/* ---- documents from memory ---------------------------------------------- */

static void add_terms(struct cooc_builder *b, const char *name)
{
    static const struct cooc_bytes terms[] = { { "New  York", 9 },
                                               { "TEA ", 4 } };
    struct cooc_err err = { 0 };

    CHECK_RC(cooc_builder_terms(b, name, 1, terms, 2, &err), 0, &err);
}

static void terms_in_memory_can_be_folded(void **state)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_add_options add = COOC_ADD_OPTIONS;
    char *file = write_text(dir, "triples", "a\tNew  York\na\tTEA \n");
    char *want = in_dir(dir, "want"), *got = in_dir(dir, "got");
    struct cooc_err err = { 0 };
    struct cooc_builder *b;
    uint64_t df;
    struct cooc *db;
    uint32_t id;

    (void)state;
    o.fold = "case";
    CHECK_RC(cooc_builder_open(&b, got, &o, &err), 0, &err);
    add_terms(b, "a");
    CHECK_RC(cooc_builder_finish(b, NULL, &err), 0, &err);
    o.format = "triples";
    CHECK_RC(cooc_index((const char *const[]){ file }, 1, want, &o, NULL,
                        &err), 0, &err);
    check_same_documents(want, got);
    /* Added terms become items without being asked. */
    CHECK_RC(cooc_builder_open_add(&b, got, &add, &err), 0, &err);
    add_terms(b, "b");
    CHECK_RC(cooc_builder_finish_add(b, NULL, NULL, &err), 0, &err);
    o.fold = NULL;
    add.input = &o;
    CHECK_RC(cooc_add(got, (const char *const[]){ file }, 1, &add, NULL, NULL,
                      &err), 0, &err);
    db = open_at(got);
    CHECK_RC(cooc_term_find(db, "new york", 8, &id, &err), 0, &err);
    CHECK_RC(cooc_term_df(db, id, &df, &err), 0, &err);
    assert_int_equal(df, 3);
    cooc_close(db);
    o.format = NULL;
    o.tokens = "whitespace";
    o.replace = true;
    CHECK_RC(cooc_builder_open(&b, got, &o, &err), 0, &err);
    add_terms(b, "a");
    CHECK_RC(cooc_builder_finish(b, NULL, &err), COOC_EINVAL, &err);
    assert_string_equal(err.option, "tokens");
    free(file);
    free(want);
    free(got);
}

/* ---- formats of ready-made terms ---------------------------------------- */

static void every_format_of_terms_can_be_folded(void **state)
{
    static const struct {
        const char *format, *text;
    } cases[] = {
        { "triples", "1\tBlack  Tea\n1\tmilk\n2\tblack tea\n2\tMILK\n" },
        { "uci", "2\n3\n4\n1 1 1\n1 3 1\n2 2 1\n2 3 1\n" },
        { "ldac", "2 0:1 2:1\n2 1:1 2:4\n" },
        { "svmlight", "1 1:1 3:1\n0 2:1 3:1\n" },
        { "transactions", "Black  Tea,milk\nblack tea, MILK\n" },
        { "ciff",
          "\x06\x08\x01\x10\x04\x18\x02" /* 4 lists, 2 documents */
          "\x12\x0a\x0a" "Black  Tea\x10\x01\"\x02\x10\x01"
          "\x13\x0a\x09" "black tea\x10\x01\"\x04\x08\x01\x10\x01"
          "\x0e\x0a\x04" "MILK\x10\x01\"\x04\x08\x01\x10\x01"
          "\x0c\x0a\x04" "milk\x10\x01\"\x02\x10\x01"
          "\x03\x12\x01" "a\x05\x08\x01\x12\x01" "b" },
    };
    char *vocab = write_text(dir, "vocab", "Black  Tea\nblack tea\nmilk\n");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_index_options o = COOC_INDEX_OPTIONS;
        char *file = write_text(dir, "in", cases[i].text);
        char *made = in_dir(dir, "made");
        struct cooc_info info = COOC_INFO;
        struct cooc_err err = { 0 };
        struct cooc *db;
        uint32_t id;

        o.format = cases[i].format;
        o.replace = true;
        o.fold = "case";
        o.vocab_file = i > 0 && i < 4 ? vocab : NULL;
        o.separators = i == 4 ? "," : NULL;
        CHECK_RC(cooc_index((const char *const[]){ file }, 1, made, &o, NULL,
                            &err), 0, &err);
        db = open_at(made);
        CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
        if (info.documents != 2 || info.terms != 2 || info.postings != 4)
            fail_msg("%s: %d terms, %d postings", cases[i].format,
                     (int)info.terms, (int)info.postings);
        CHECK_RC(cooc_term_find(db, "BLACK\tTEA", 9, &id, &err), 0, &err);
        cooc_close(db);
        o.tokens = "words";
        CHECK_RC(cooc_index((const char *const[]){ file }, 1, made, &o, NULL,
                            &err), COOC_EINVAL, &err);
        assert_string_equal(err.option, "tokens");
        free(file);
        free(made);
    }
    free(vocab);
    assert_int_equal(mem_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_an_item_as_a_whole),
        cmocka_unit_test(case_is_kept_on_request),
        cmocka_unit_test(every_form_of_an_item_finds_it),
        cmocka_unit_test(looking_up_any_bytes_is_safe),
        cmocka_unit_test(prefixes_and_patterns_are_folded_like_items),
        cmocka_unit_test(a_list_keeps_whole_items),
        cmocka_unit_test(terms_in_memory_can_be_folded),
        cmocka_unit_test(every_format_of_terms_can_be_folded),
    };

    return cmocka_run_group_tests_name("items", tests, make_dir, remove_dir);
}
