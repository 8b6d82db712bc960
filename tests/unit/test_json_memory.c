/* test_json_memory.c - jansson when memory runs out: each of its allocations
 * fails in turn, alone or with all later ones, or all large ones fail.  A good
 * store is never reported as damaged, and no document is misread. */
#include "answers.h"

#include <jansson.h>

#include "base/json.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "own_dir.h"

static long fail_at, calls, used;
static bool from_then_on;
static size_t largest;

static void *allocate(size_t n)
{
    calls++;
    if (n > largest || calls == fail_at || (from_then_on && calls > fail_at))
        return NULL;
    return malloc(n);
}

/* Fail the n-th allocation (0: none), and all later ones if on is set. */
static void set_failure(long n, bool on)
{
    used = calls;
    calls = 0;
    fail_at = n;
    from_then_on = on && n > 0;
    largest = SIZE_MAX;
}

static const char records[] =
    "{\"id\": \"the first of them all\", \"text\": \"tea milk sugar and more\","
    " \"number\": 12345678901234567, \"a very long name of a member\": [1, {}]"
    "}\n{\"id\": 2, \"text\": [\"milk\", \"caf\\u00e9 with sugar\", \"a\"]}\n";

static char *good, *want, *input, *more;

static int index_records(const char *store, struct cooc_err *err)
{
    const char *const inputs[] = { input };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    o.threads = 1;
    o.replace = true;
    return cooc_index(inputs, 1, store, &o, NULL, err);
}

/* ---- jobs: return 0 or an error; existing stores must stay right ------ */

static int do_open(struct cooc_err *err)
{
    struct cooc *db;
    int rc = cooc_open(&db, good, err);

    cooc_close(db);
    return rc;
}

static int do_check(struct cooc_err *err)
{
    return cooc_check(good, 1, NULL, NULL, err);
}

static int do_index(struct cooc_err *err)
{
    char *store = in_dir(dir, "again");
    int rc = index_records(store, err);

    set_failure(0, false);
    if (rc == 0) {
        CHECK_RC(cooc_count(store, NULL, NULL, err), 0, err);
        check_same_store(store, good);
    }
    free(store);
    return rc;
}

static int do_count(struct cooc_err *err)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;

    o.recount = true;
    o.threads = 1;
    return cooc_count(good, &o, NULL, err);
}

static int do_merge(struct cooc_err *err)
{
    const char *const stores[] = { good };
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    char *store = in_dir(dir, "merged");
    int rc;

    count.threads = 1;
    o.count = &count;
    o.replace = true;
    rc = cooc_merge(stores, 1, store, &o, NULL, err);
    set_failure(0, false);
    if (rc == 0)
        check_same_store(store, good);
    free(store);
    return rc;
}

static int do_add(struct cooc_err *err)
{
    const char *const inputs[] = { more };
    struct cooc_add_options o = COOC_ADD_OPTIONS;
    struct cooc_merge_options merge = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;

    count.threads = 1;
    merge.count = &count;
    o.merge = &merge;
    return cooc_add(good, inputs, 1, &o, NULL, NULL, err);
}

/* Not every allocation of the long jobs is made to fail. */
static const struct {
    const char *name;
    int (*run)(struct cooc_err *err);
    long step;
} jobs[] = {
    { "open", do_open, 1 },   { "check", do_check, 5 },
    { "index", do_index, 1 }, { "count", do_count, 23 },
    { "merge", do_merge, 41 }, { "add nothing", do_add, 101 },
};

static void jansson_out_of_memory_is_reported_as_such(void **state)
{
    (void)state;
    for (size_t j = 0; j < ARRAY_LEN(jobs) * 2; j++) {
        long n = 1, refused = 0;
        bool failed = true;

        for (; failed; n += jobs[j / 2].step) {
            struct cooc_err err = { 0 };
            char *got;
            int rc;

            set_failure(n, j % 2);
            rc = jobs[j / 2].run(&err);
            if (fail_at) /* otherwise the job has called this itself */
                set_failure(0, false);
            failed = used >= n;
            refused += rc < 0;
            if (rc < 0 && (rc != COOC_ENOMEM || err.code != rc))
                fail_msg("%s, allocation %ld: returned %d: %s",
                         jobs[j / 2].name, n, rc, err.text);
            assert_int_equal(mem_live(), 0);
            got = ask_everything(good, true);
            assert_string_equal(got, want);
            free(got);
        }
        print_message("%s: %ld allocations\n", jobs[j / 2].name, n);
        assert_true(refused > 0);
    }
}

/* ---- the loader alone ------------------------------------------------ */

static void texts_are_loaded_whole_or_not_at_all(void **state)
{
    static const char *const texts[] = {
        "{}", "[1, 2.5e3, \"short\"]", "{\"0123456789abcdef\": \"x\"}",
        "[\"a string of more than sixteen bytes\", 123456789012345678]",
        "{\"a\": {\"b\": [[], \"\\\"\\\\\\u00e9 0123456789abcdef\"]}}",
        "[0.1000000000000000055511151231257827, true, null, \"\"]",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        json_t *right = json_loads(texts[i], 0, NULL);

        assert_non_null(right);
        for (size_t most = 1; most < 600; most++)
            for (int on = 0; on < 3; on++) {
                json_error_t why;
                json_t *got;

                set_failure(on < 2 ? (long)most : 0, on == 1);
                if (on == 2) /* all larger allocations fail */
                    largest = most;
                got = json_read(texts[i], strlen(texts[i]), 0, &why);
                set_failure(0, false);
                if (got ? !json_equal(got, right) : !json_out_of_memory(&why))
                    fail_msg("%s: allocation %zu, %d: %s", texts[i], most, on,
                             got ? "a different text" : why.text);
                json_decref(got);
            }
        json_decref(right);
    }
}

static void invalid_text_of_any_length_is_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        { "", "'[' or '{' expected" }, { "{", "expected" },
        { "[1, 2", "expected" }, { "7", "'[' or '{' expected" },
        { "[] x", "end of file expected" }, { "[tru]", "invalid token" },
        { "\"a string that is quite long\"", "'[' or '{' expected" },
        { "[\"a string that is quite long\"] x", "end of file expected" },
        { "[\"a string that is quite long]", "premature end of input" },
        { "[1], [\"a string that is quite long\"]", "end of file expected" },
        { "], [\"a string that is quite long\"", "'[' or '{' expected" },
        { "[1e999, \"a string that is quite long\"]", "overflow" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        json_error_t why;

        assert_null(json_read(bad[i].text, strlen(bad[i].text), 0,
                              &why));
        if (json_out_of_memory(&why) || !strstr(why.text, bad[i].words))
            fail_msg("%s: %s", bad[i].text, why.text);
    }
}

/* A random sequence of strings that matter in JSON. */
static size_t random_text(char *out, size_t room, uint64_t *seed)
{
    static const char *const pieces[] = {
        "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\":", " ", "\n",
        "\"\\u00e9\"", "\\", "\\u", "\\ud800", "\\udc00", "\\u0000", "0",
        "-", "1", "12", "0.5", "e", "E+", ".", "1e3", "-0", "007", "true",
        "false", "null", "tru", "\xc3\xa9", "\xc3", "\xed\xa0\x80", "\x01",
        "9223372036854775807", "9223372036854775808", "1e400", "/*", "\\n",
        "{\"a\":1,\"a\":[]}", "[\"x\",{}]", "\x7f", "\xf4\x90\x80\x80",
        "\xef\xbb\xbf", "\"\"", "\"\":", "\f",
    };
    size_t n = 0;

    for (uint32_t left = random_below(seed, 12); left > 0; left--) {
        const char *piece = pieces[random_below(seed, ARRAY_LEN(pieces))];

        if (n + strlen(piece) < room) {
            memcpy(out + n, piece, strlen(piece));
            n += strlen(piece);
        }
    }
    return n;
}

static void texts_are_parsed_as_jansson_parses_them(void **state)
{
    uint64_t seed = 5, good_ones = 0;

    (void)state;
    for (int round = 0; round < 400000; round++) {
        char text[512] = "[";
        size_t n = 1, flags = round % 2 ? JSON_ALLOW_NUL : 0;
        json_t *want_it, *got;
        json_error_t why = { 0 };

        n += random_text(text + 1, 400, &seed);
        if (round % 3)
            text[n++] = ']';
        if (round % 3 == 2)
            memmove(text, text + 1, --n);
        want_it = json_loadb(text, n, flags, NULL);
        got = json_read(text, n, flags, &why);
        if (json_out_of_memory(&why) || !want_it != !got ||
            (got && !json_equal(got, want_it)))
            fail_msg("'%.*s': %s", (int)n, text,
                     got ? "accepted, or read differently" : "refused");
        good_ones += got != NULL;
        json_decref(got);
        json_decref(want_it);
    }
    print_message("%d texts were valid\n", (int)good_ones);
    assert_true(good_ones > 1000);
}

static void nesting_has_the_same_limit_as_in_jansson(void **state)
{
    static char text[2 * 2050];

    (void)state;
    for (size_t n = 2045; n <= 2050; n++) {
        json_t *want_it, *got;

        memset(text, '[', n);
        memset(text + n, ']', n);
        want_it = json_loadb(text, 2 * n, 0, NULL);
        got = json_read(text, 2 * n, 0, NULL);
        assert_true(!want_it == !got);
        json_decref(got);
        json_decref(want_it);
    }
}

/* ---- set-up and tear-down -------------------------------------------- */

static int set_up(void **state)
{
    struct cooc_err err = { 0 };

    make_dir(state);
    json_set_alloc_funcs(allocate, free);
    set_failure(0, false);
    input = write_text(dir, "in.jsonl", records);
    more = write_text(dir, "more.jsonl", "");
    good = in_dir(dir, "good");
    CHECK_RC(index_records(good, &err), 0, &err);
    CHECK_RC(cooc_count(good, NULL, NULL, &err), 0, &err);
    want = ask_everything(good, true);
    return 0;
}

static int tear_down(void **state)
{
    free(input);
    free(more);
    free(good);
    free(want);
    return remove_dir(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_loaded_whole_or_not_at_all),
        cmocka_unit_test(invalid_text_of_any_length_is_refused),
        cmocka_unit_test(texts_are_parsed_as_jansson_parses_them),
        cmocka_unit_test(nesting_has_the_same_limit_as_in_jansson),
        cmocka_unit_test(jansson_out_of_memory_is_reported_as_such),
    };

    return cmocka_run_group_tests_name("json_memory", tests, set_up,
                                       tear_down);
}
