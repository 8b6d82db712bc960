/* test_find.c - lookup of words as users write them, and many threads. */
#include "answers.h"

#include <pthread.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_bulk.h"

static char *dir, *store;

/* A stemmed store with a stop list, a thesaurus and limits on words. */
static int make_all(void **state)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    char *input, *stop, *thesaurus;

    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    input = write_text(dir, "in", "The runner runs; cats ran.\n"
                                  "A caf\xc3\xa9 in STRASSE, kitty cat\n"
                                  "caffe runs 1984 motor-car auto\n"
                                  "coffee cats kitten automobile cpp hstar\n");
    stop = write_text(dir, "stop", "the\nin\n");
    thesaurus = write_text(dir, "thes", "auto\tmotor car\n"
                                        "automobile\tmotor car\n"
                                        "cpp\tc++\nhstar\th*\n"
                                        "kitty\tcat\n");
    const char *const inputs[] = { input };

    o.format = "lines";
    o.stem = "english";
    o.stop_file = stop;
    o.thesaurus_file = thesaurus;
    o.drop_numbers = true;
    o.min_length = 2;
    o.max_length = 12;
    store = in_dir(dir, "store");
    CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), 0, &err);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    free(input);
    free(stop);
    free(thesaurus);
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    drop_dir(dir);
    free(store);
    return 0;
}

/* A word, and its term or words of the error message. */
static const struct {
    const char *word, *term;
    int code;
    const char *says, *says_too;
} cases[] = {
    { "cat", "cat", 0, NULL, NULL },
    { "CATS", "cat", 0, NULL, NULL },
    { " cats. ", "cat", 0, NULL, NULL },
    { "Kitty", "cat", 0, NULL, NULL },
    { "running", "runs", 0, NULL, NULL }, /* the label */
    { "run", "runs", 0, NULL, NULL },
    { "CAF\xc3\x89", "caf\xc3\xa9", 0, NULL, NULL },
    { "cafe\xcc\x81", "caf\xc3\xa9", 0, NULL, NULL }, /* e + accent */
    { "Stra\xc3\x9f" "e", "strasse", 0, NULL, NULL },
    { "auto", "motor car", 0, NULL, NULL },
    { "motor car", "motor car", 0, NULL, NULL }, /* the term itself */
    { "Motor Car", "motor car", 0, NULL, NULL },
    { "strass", "strasse", 0, NULL, NULL }, /* a stem */
    { "the", NULL, COOC_ENOTFOUND, "'the'", "stop list" },
    { "1984", NULL, COOC_ENOTFOUND, "'1984'", "numbers were dropped" },
    { "x", NULL, COOC_ENOTFOUND, "'x'", "too short" },
    { "abcdefghijklmnop", NULL, COOC_ENOTFOUND, "dropped", "too long" },
    { "cut", NULL, COOC_ENOTFOUND, "no document contains 'cut'", "cat" },
    { "cofee", NULL, COOC_ENOTFOUND, "similar terms", "coffee" },
    { "acr", NULL, COOC_ENOTFOUND, "similar terms", "cat" },
    { "zzzzzz", NULL, COOC_ENOTFOUND, "no document contains 'zzzzzz'", "" },
    { "", NULL, COOC_EINVAL, "does not contain a word", "" },
    { " ... ", NULL, COOC_EINVAL, "does not contain a word", "" },
    { "cat dog", NULL, COOC_EINVAL, "several words", "cat dog" },
    { "motor-cars", "motor car", 0, NULL, NULL }, /* a spelling of the phrase */
    { "(\"cats\")", "cat", 0, NULL, NULL },
    { "[cats]", "cat", 0, NULL, NULL },
    { "`cats`", "cat", 0, NULL, NULL },
    { "#cats", "cat", 0, NULL, NULL },
    { "c++", "c++", 0, NULL, NULL }, /* the term itself */
    { "h*", "h*", 0, NULL, NULL },
    { "cat*", NULL, COOC_EINVAL, "'cat*' is a pattern", "" },
    { "c?t", NULL, COOC_EINVAL, "'c?t' is a pattern", "" },
    { "c[ao]t", NULL, COOC_EINVAL, "is a pattern", "" },
    { "the*", NULL, COOC_EINVAL, "is a pattern", "" },
    { "*", NULL, COOC_EINVAL, "is a pattern", "" },
    { "c'*", NULL, COOC_EINVAL, "is a pattern", "" },
    { "cat++", NULL, COOC_EINVAL, "'+' is not part of", "leaves 'cat'" },
    { "cat#", NULL, COOC_EINVAL, "'#' is not part of", "leaves 'cat'" },
    { "$cats", NULL, COOC_EINVAL, "'$' is not part of", "leaves 'cat'" },
    { "cats \xe2\x98\x95", NULL, COOC_EINVAL, "\xe2\x98\x95", "'cat'" },
    { "cat\xe9", NULL, COOC_EINVAL, "not valid UTF-8", "" },
};

static void words_are_looked_up_by_the_rules_of_the_store(void **state)
{
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *name;
        uint32_t id = 0;
        size_t len;
        int rc;

        err.text[0] = '\0';
        rc = cooc_term_find(db, cases[i].word, strlen(cases[i].word), &id,
                            &err);
        if (rc != cases[i].code)
            fail_msg("'%s': returned %d, %s", cases[i].word, rc, err.text);
        if (rc == 0) {
            CHECK_RC(cooc_term_name(db, id, &name, &len, &err), 0, &err);
            if (len != strlen(cases[i].term) ||
                memcmp(name, cases[i].term, len) != 0)
                fail_msg("'%s' is '%.*s', expected '%s'", cases[i].word,
                         (int)len, name, cases[i].term);
        } else if (!strstr(err.text, cases[i].says) ||
                   !strstr(err.text, cases[i].says_too)) {
            fail_msg("'%s': %s", cases[i].word, err.text);
        }
    }
    assert_null(strstr(err.text, "similar"));
    cooc_close(db);
    assert_int_equal(mem_live(), 0);
}

static void looking_up_any_bytes_of_any_length_is_safe(void **state)
{
    struct cooc_err err = { 0 };
    char *word = malloc(200000);
    struct cooc *db;
    uint64_t seed = 31;
    uint32_t id;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (int i = 0; i < 300; i++) {
        size_t len = random_below(&seed, i % 50 ? 40 : 200000);
        int rc;

        for (size_t k = 0; k < len; k++)
            word[k] = (char)(random_u64(&seed) >> random_below(&seed, 3));
        rc = cooc_term_find(db, word, len, &id, &err);
        if (rc < 0 && rc != COOC_EINVAL && rc != COOC_ENOTFOUND)
            fail_msg("returned %d, %s", rc, err.text);
    }
    memset(word, 'a', 200000);
    assert_true(cooc_term_find(db, word, 200000, &id, &err) < 0);
    cooc_close(db);
    free(word);
    assert_int_equal(mem_live(), 0);
}

static void terms_with_any_characters_are_found_verbatim(void **state)
{
    static const char *const there[] = { "cat*", "c++", "[ab]c", "C++" };
    static const char *const not_there[] = { "dog*", "c?", "[ab]d" };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    char *input = write_text(dir, "odd", "cat* C++ [ab]c cat c\n");
    char *odd = in_dir(dir, "odd.cooc");
    const char *const inputs[] = { input };
    struct cooc_err err = { 0 };
    struct cooc *db;
    uint32_t id;

    (void)state;
    o.format = "lines";
    o.tokens = "whitespace";
    CHECK_RC(cooc_index(inputs, 1, odd, &o, NULL, &err), 0, &err);
    CHECK_RC(cooc_open(&db, odd, &err), 0, &err);
    for (size_t i = 0; i < ARRAY_LEN(there); i++)
        CHECK_RC(cooc_term_find(db, there[i], strlen(there[i]), &id, &err), 0,
                 &err);
    for (size_t i = 0; i < ARRAY_LEN(not_there); i++) {
        CHECK_RC(cooc_term_find(db, not_there[i], strlen(not_there[i]), &id,
                                &err), COOC_EINVAL, &err);
        assert_non_null(strstr(err.text, "is a pattern"));
    }
    cooc_close(db);
    free(input);
    free(odd);
    assert_int_equal(mem_live(), 0);
}

/* ---- one store, eight threads ---------------------------------------- */

struct asker {
    struct cooc *db;
    pthread_t thread;
    uint64_t seed, sum; /* sum of all answers */
};

static void *ask_much(void *self)
{
    struct asker *a = self;
    const struct cooc_rank_options llr = rank_by("llr", 0, 3);
    struct cooc_rank_options smooth = rank_by("pmi", 0, 4);

    smooth.threads = 2;
    smooth.scoring.smoothing = 0.75;
    for (int i = 0; i < 150; i++) {
        uint32_t x = random_below(&a->seed, 8), y = random_below(&a->seed, 8);
        const struct cooc_entry *e;
        struct cooc_rows *rows = NULL;
        struct cooc_hit *hits = NULL;
        struct cooc_pair p = { 0 };
        struct cooc_info info = COOC_INFO;
        uint32_t *docs = NULL, id = 0;
        size_t n = 0;

        a->sum += cooc_pair_get(a->db, x, y, &p, NULL) == 0;
        a->sum += p.count;
        cooc_top(a->db, &x, 1, COOC_MATCH_ALL, &llr, &hits, &n, NULL);
        a->sum += n ? hits[0].pair.y * 7 + n : 0;
        cooc_free(hits);
        cooc_docs(a->db, (const uint32_t[]){ x, y }, 2, COOC_MATCH_ALL, &docs,
                  &n, NULL);
        a->sum += n * 3;
        cooc_free(docs);
        a->sum += (uint64_t)cooc_term_find(a->db, "Running", 7, &id, NULL) + id;
        a->sum += (uint64_t)-cooc_term_find(a->db, "cut", 3, &id, NULL);
        cooc_info_get(a->db, &info, NULL);
        a->sum += info.pairs;
        if (cooc_rows_open(&rows, a->db, 0, x, NULL) == 0)
            while (cooc_rows_next(rows, &id, &e, &n, NULL) > 0)
                a->sum += n + id;
        cooc_rows_close(rows);
        if (i % 25 == 0) {
            cooc_pairs(a->db, &smooth, &hits, &n, NULL);
            a->sum += n ? hits[0].pair.x + n : 0;
            cooc_free(hits);
        }
    }
    return NULL;
}

static void eight_threads_get_the_same_answers_as_one(void **state)
{
    struct asker askers[8], alone;
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    for (int round = 0; round < 3; round++) { /* with cold caches */
        CHECK_RC(cooc_open(&db, store, &err), 0, &err);
        for (size_t i = 0; i < ARRAY_LEN(askers); i++) {
            askers[i] = (struct asker){ .db = db, .seed = 1000 + i };
            assert_int_equal(pthread_create(&askers[i].thread, NULL, ask_much,
                                            &askers[i]),
                             0);
        }
        for (size_t i = 0; i < ARRAY_LEN(askers); i++)
            pthread_join(askers[i].thread, NULL);
        for (size_t i = 0; i < ARRAY_LEN(askers); i++) {
            alone = (struct asker){ .db = db, .seed = 1000 + i };
            ask_much(&alone);
            assert_int_equal(alone.sum, askers[i].sum);
        }
        cooc_close(db);
    }
    assert_int_equal(mem_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_looked_up_by_the_rules_of_the_store),
        cmocka_unit_test(looking_up_any_bytes_of_any_length_is_safe),
        cmocka_unit_test(terms_with_any_characters_are_found_verbatim),
        cmocka_unit_test(eight_threads_get_the_same_answers_as_one),
    };

    return cmocka_run_group_tests_name("find", tests, make_all, remove_all);
}
