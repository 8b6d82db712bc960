/* test_omitted.c - rows that are not written: how they are chosen, their number
 * of pairs, and how readers recompute them. */
#include "answers.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "small_docs.h"

#include <xxhash.h>

#include "base/mem.h"
#include "base/watch.h"
#include "count/omitted.h"
#include "count/plan.h"
#include "own_dir.h"
#include "store/store.h"

/* Terms of every df from 1 to 6, and two without co-occurrences. */
static const char small[] = "a b c d e f\na b c d e\na b c d\na b c\n"
                            "a b\na g\nh\nf e a\n";

/* ---- the plan -------------------------------------------------------- */

/* Term t is in the first df[t] documents. */
static void plan_of(struct count_plan *plan, const uint32_t *df, uint32_t n,
                    struct small_docs *c)
{
    struct cooc_err err = { 0 };

    small_docs_init(c, df[0], n);
    for (uint32_t t = 0; t < n; t++)
        for (uint32_t d = 0; d < df[t]; d++)
            c->has[(size_t)d * n + t] = true;
    small_docs_finish(c);
    CHECK_RC(count_plan_init(plan, &c->forward, n, &err), 0, &err);
}

static void the_plan_writes_rows_above_the_df(void **state)
{
    static const uint32_t df[] = { 9, 9, 7, 4, 4, 3, 2, 2, 1, 1, 1 };
    static const struct {
        uint32_t df, made;
    } cases[] = { { 1, 8 }, { 2, 6 }, { 3, 5 }, { 4, 3 }, { 6, 3 },
                  { 7, 2 }, { 8, 2 }, { 9, 0 }, { 255, 0 } };
    struct cooc_err err = { 0 };
    struct count_plan plan;
    struct small_docs c;

    (void)state;
    plan_of(&plan, df, ARRAY_LEN(df), &c);
    assert_int_equal(plan.made, ARRAY_LEN(df));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CHECK_RC(count_plan_leave_out(&plan, &c.inverted, cases[i].df, &err),
                 0, &err);
        assert_int_equal(plan.omitted_df, cases[i].df);
        assert_int_equal(plan.made, cases[i].made);
        assert_int_equal(plan.n_shards, cases[i].made > 0);
        assert_int_equal(plan.cuts[plan.n_shards], cases[i].made);
    }
    CHECK_RC(count_plan_leave_out(&plan, &c.inverted, 0, &err), 0, &err);
    assert_int_equal(plan.omitted_df, 9); /* all rows are cheap */
    count_plan_release(&plan);
    small_docs_release(&c);
    assert_int_equal(mem_live(), 0);
}

/* The costs of rows are invented; the limit is 16384. */
static void the_df_is_chosen_by_the_cost_of_rows(void **state)
{
    static const uint32_t df[] = { 300, 256, 255, 9, 9, 3, 3, 2, 1 };
    static const struct {
        const char *label;
        uint64_t cost[ARRAY_LEN(df)];
        uint32_t df;
    } cases[] = {
        { "all cheap", { 0, 1, 1, 1, 1, 1, 1, 1, 1 }, 255 },
        { "at the limit", { 0, 1, 16385, 16384, 16384, 9, 9, 9, 9 }, 9 },
        { "on average", { 0, 1, 99999, 32767, 1, 9, 9, 9, 9 }, 9 },
        { "above", { 0, 1, 1, 32768, 2, 9, 9, 9, 9 }, 3 },
        { "no gap", { 0, 1, 1, 1, 1, 16385, 16385, 9, 9 }, 2 },
        { "expensive pairs", { 0, 1, 1, 1, 1, 1, 1, 16385, 1 }, 1 },
        { "prefixes cost nothing", { 0, 1, 1, 1, 1, 1, 1, 1, 99999 }, 255 },
    };
    struct cooc_err err = { 0 };
    struct count_plan plan;
    struct small_docs c;

    (void)state;
    plan_of(&plan, df, ARRAY_LEN(df), &c);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        memcpy(plan.cost, cases[i].cost, sizeof cases[i].cost);
        CHECK_RC(count_plan_leave_out(&plan, &c.inverted, 0, &err), 0, &err);
        if (plan.omitted_df != cases[i].df)
            fail_msg("%s: %u", cases[i].label, plan.omitted_df);
    }
    count_plan_release(&plan);
    small_docs_release(&c);
}

static void check_left_out(const struct small_docs *c, uint32_t df,
                           const struct count_method *method)
{
    struct count_job job = {
        .fwd = c->forward, .inv = c->inverted,
        .params = { .flush_pairs = 10, .accumulators = 3,
                    .memory = 1 << 20, .tmpdir = dir },
    };
    uint64_t pairs = 0, want = 0;
    struct cooc_err err = { 0 };
    struct count_plan plan;
    struct kept_rows k;
    struct shard_sinks sinks = { .begin = keep_begin, .end = keep_end,
                                 .self = &k };
    struct watch watch;

    kept_rows_init(&k, c->n_terms);
    assert_int_equal(watch_init(&watch, NULL, NULL), 0);
    CHECK_RC(count_plan_init(&plan, &c->forward, c->n_terms, &err), 0, &err);
    CHECK_RC(count_plan_leave_out(&plan, &c->inverted, df, &err), 0, &err);
    CHECK_RC(count_run(method, &plan, &job, 2, &sinks, &watch, &err), 0,
             &err);
    assert_true(kept_rows_right(&k, c, 0, plan.made));
    CHECK_RC(omitted_pairs(&plan, &job, 1 + df % 3, &watch, &pairs, &err), 0,
             &err);
    for (uint32_t t = plan.made; t < c->n_terms; t++)
        for (uint32_t s = 0; s < t; s++)
            want += small_docs_count(c, s, t) > 0;
    assert_int_equal(pairs, want);
    count_plan_release(&plan);
    watch_release(&watch);
    free(k.counts);
}

static void methods_write_the_other_rows_and_the_pairs_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++)
        for (size_t m = 0; count_methods[m]; m++) {
            uint64_t s = seed;
            struct small_docs c;

            small_docs_random(&c, 12, 40, seed % 3 != 0, &s);
            check_left_out(&c, 1 + (uint32_t)seed % 8, count_methods[m]);
            small_docs_release(&c);
        }
    assert_int_equal(mem_live(), 0);
}

/* ---- the reader ------------------------------------------------------ */

static char *compact_store(const char *name, const char *lines, uint32_t df)
{
    char *store = make_store(dir, name, lines, false);
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_err err = { 0 };

    o.rows = COOC_ROWS_COMPACT;
    o.compact_df = df;
    CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
    return store;
}

/* All answers except the last, the size of the manifest. */
static char *answers_of(const char *store)
{
    char *text = ask_everything(store, false), *end = text + strlen(text) - 1;

    while (end > text && end[-1] != '\n')
        end--;
    *end = '\0';
    return text;
}

static void full_and_compact_stores_give_the_same_answers(void **state)
{
    char *all = make_store(dir, "all", small, true);
    char *want = answers_of(all);

    (void)state;
    for (uint32_t df = 0; df <= 7; df++) {
        char *store = compact_store("compact", small, df), *got;
        struct cooc_err err = { 0 };
        struct cooc_info info = COOC_INFO;
        struct cooc *db;

        got = answers_of(store);
        assert_string_equal(got, want);
        CHECK_RC(cooc_check(store, 2, NULL, NULL, &err), 0, &err);
        CHECK_RC(cooc_open(&db, store, &err), 0, &err);
        CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
        assert_int_equal(info.omitted_df, df ? df : 7);
        assert_int_equal(info.rows,
                         df == 1 ? COOC_ROWS_FULL : COOC_ROWS_COMPACT);
        cooc_close(db);
        free(got);
        free(store);
    }
    free(want);
    free(all);
    assert_int_equal(mem_live(), 0);
}

/* Every row is right after any allocation has failed. */
static void a_reader_is_still_right_after_running_out_of_memory(void **state)
{
    char *store = compact_store("compact", small, 0);
    struct cooc_err err = { 0 };
    struct store s;
    bool failed = true;

    (void)state;
    CHECK_RC(store_open(&s, store, true, &err), 0, &err);
    for (long n = 1; failed; n++) {
        struct row_reader r = { 0 };
        uint64_t sum = 0;
        int rc = 0;

        mem_fail_at(n);
        for (uint32_t t = 0; t < s.manifest.terms && rc == 0; t++)
            rc = store_row(&s, t, &r, NULL);
        failed = mem_failed();
        assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        mem_fail_at(0);
        for (uint32_t t = 0; t < s.manifest.terms; t++) {
            CHECK_RC(store_row(&s, t, &r, &err), 0, &err);
            for (size_t i = 0; i < r.n; i++)
                sum += r.entries[i].count;
        }
        assert_int_equal(sum, s.manifest.increments);
        row_reader_release(&r);
    }
    store_close(&s);
    free(store);
    assert_int_equal(mem_live(), 0);
}

static void an_indexed_store_is_reported_as_not_counted(void **state)
{
    char *store = make_store(dir, "index", small, false);
    struct cooc_err err = { 0 };
    struct cooc *db;
    uint64_t bytes = 1;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_full_bytes(db, &bytes, &err), COOC_ENOTCOUNTED, &err);
    assert_int_equal(bytes, 0);
    cooc_close(db);
    free(store);
}

static void a_compact_store_estimates_its_full_size(void **state)
{
    char *all = make_store(dir, "all", small, true);
    uint64_t want = 0, got, off = 0;
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    CHECK_RC(cooc_open(&db, all, &err), 0, &err);
    CHECK_RC(cooc_full_bytes(db, &want, &err), 0, &err);
    cooc_close(db);
    for (uint32_t df = 2; df <= 6; df++) {
        char *store = compact_store("compact", small, df);
        bool failed = true;

        CHECK_RC(cooc_open(&db, store, &err), 0, &err);
        for (long n = 1; failed; n++) {
            int rc;

            mem_fail_at(n);
            rc = cooc_full_bytes(db, &got, NULL);
            failed = mem_failed();
            mem_fail_at(0);
            assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        }
        off = got > want ? got - want : want - got;
        assert_true(want > 0 && off <= want / 3); /* only five rows */
        cooc_close(db);
        free(store);
    }
    free(all);
    assert_int_equal(mem_live(), 0);
}

/* ---- conversion between full and compact ----------------------------- */

static int stop_counting(void *self, const struct cooc_progress *p)
{
    (void)self;
    return !strcmp(p->phase, "counting");
}

static void a_cancelled_change_of_rows_leaves_no_wrong_rows(void **state)
{
    char *all = make_store(dir, "all", small, true);
    char *want = answers_of(all);
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_watch watch = COOC_WATCH;
    struct cooc_err err = { 0 };
    struct cooc_info info = COOC_INFO;
    struct cooc *db;

    (void)state;
    o.recount = true;
    watch.progress = stop_counting;
    for (int change = 0; change < 2; change++) {
        char *store = make_store(dir, "changed", small, true), *got;

        o.rows = change ? COOC_ROWS_COMPACT : COOC_ROWS_FULL;
        o.watch = &watch;
        CHECK_RC(cooc_count(store, &o, NULL, &err), COOC_ECANCELLED, &err);
        CHECK_RC(cooc_open(&db, store, &err), 0, &err);
        CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
        assert_int_equal(info.counted, !change); /* no third state */
        cooc_close(db);
        CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
        o.watch = NULL;
        CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
        got = answers_of(store);
        assert_string_equal(got, want);
        free(got);
        free(store);
    }
    free(want);
    free(all);
}

/* ---- the manifest ---------------------------------------------------- */

/* Replace the value of a member of the manifest's rows, up to one of the bytes
 * in until, and update the checksum. */
static void forge(const char *store, const char *member, const char *until,
                  const char *value)
{
    char *path = in_dir(store, "manifest.json"), *text, *at, *end, *out;
    const size_t tail = strlen(",\n  \"checksum\": \"0123456789abcdef\"\n}\n");
    size_t n;
    int len;

    text = read_bytes(path, &n);
    text[n - tail] = '\0';
    at = strstr(strstr(text, "\"left_out\""), member);
    assert_non_null(at);
    at += strlen(member);
    end = at + strcspn(at, until);
    len = asprintf(&out, "%.*s%s%s", (int)(at - text), text, value, end);
    assert_true(len > 0);
    free(text);
    assert_true(asprintf(&text, "%s,\n  \"checksum\": \"%016llx\"\n}\n", out,
                         (unsigned long long)XXH3_64bits(out, (size_t)len)) >
                0);
    write_bytes(path, text, strlen(text));
    free(text);
    free(out);
    free(path);
}

static void lie(const char *store, const char *member, const char *value)
{
    forge(store, member, ",\n", value);
}

static void an_inconsistent_manifest_is_refused(void **state)
{
    static const struct {
        const char *member, *value, *words;
    } lies[] = {
        { "\"df\": ", "256", "df of omitted rows is missing or not" },
        { "\"df\": ", "-1", "df of omitted rows is missing or not" },
        { "\"df\": ", "\"3\"", "df of omitted rows is missing or not" },
        { "\"df\": ", "1e99", "df of omitted rows is missing or not" },
        { "\"df\": ", "4", "is stored, but rows of terms in at most 4" },
        { "\"df\": ", "2", "is omitted, but its term occurs in 3 documents" },
        { "\"df\": ", "0", "is omitted, but its term occurs in 3 documents" },
        { "\"rows\": ", "-1", "of the omitted rows is missing or out" },
        { "\"rows\": ", "9", "of the omitted rows is missing or out" },
        { "\"rows\": ", "0", "3 rows are stored and 0 are omitted, but" },
        { "\"rows\": ", "6", "3 rows are stored and 6 are omitted, but" },
        { "\"pairs\": ", "-5", "of the omitted rows is missing or out" },
        { "\"pairs\": ", "9", "a member is missing or out of range" },
        { "\"left_out\": ", "null, \"x\": {", "df of omitted rows" },
        { "\"written\": ", "\"some\"", "written or costly_df is" },
        { "\"written\": ", "7", "written or costly_df is" },
        { "\"written\": ", "\"all\"", "written or costly_df is" },
        { "\"costly_df\": ", "-1", "written or costly_df is" },
        { "\"costly_df\": ", "256", "written or costly_df is" },
        { "\"costly_df\": ", "null", "written or costly_df is" },
        { "\"costly_df\": ", "4", "but the manifest says 4" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
        char *store = compact_store("lying", small, 3);
        struct cooc_err err = { 0 };
        int rc;

        lie(store, lies[i].member, lies[i].value);
        rc = cooc_check(store, 1, NULL, NULL, &err);
        if (rc != COOC_EFORMAT || !strstr(err.text, lies[i].words))
            fail_msg("%s%s: %d, %s", lies[i].member, lies[i].value, rc,
                     err.text);
        free(ask_everything(store, false));
        free(store);
    }
    assert_int_equal(mem_live(), 0);
}

/* Older manifests do not record how the rows were chosen. */
static void a_store_without_a_record_of_the_choice_of_rows_is_read(
    void **state)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;

    (void)state;
    o.recount = true;
    for (uint32_t df = 1; df <= 3; df += 2) {
        char *store = compact_store("early", small, df);
        char *new = compact_store("new", small, df == 1 ? 1 : 0);
        struct cooc_err err = { 0 };

        forge(store, "},", "[", "\n    \"shards\": ");
        CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
        CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
        check_same_store(store, new); /* rows are chosen by cost */
        free(store);
        free(new);
    }
}

static void invalid_options_are_refused(void **state)
{
    static const struct {
        int rows;
        uint32_t df;
    } wrong[] = { { 3, 0 }, { -1, 0 }, { COOC_ROWS_DEFAULT, 256 },
                  { COOC_ROWS_FULL, 2 }, { COOC_ROWS_COMPACT, 256 } };
    char *store = make_store(dir, "s", small, false);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct cooc_count_options o = COOC_COUNT_OPTIONS;
        struct cooc_err err = { 0 };

        memcpy(&o.rows, &wrong[i].rows, sizeof o.rows);
        o.compact_df = wrong[i].df;
        CHECK_RC(cooc_count(store, &o, NULL, &err), COOC_EINVAL, &err);
    }
    free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_writes_rows_above_the_df),
        cmocka_unit_test(the_df_is_chosen_by_the_cost_of_rows),
        cmocka_unit_test(methods_write_the_other_rows_and_the_pairs_add_up),
        cmocka_unit_test(full_and_compact_stores_give_the_same_answers),
        cmocka_unit_test(a_reader_is_still_right_after_running_out_of_memory),
        cmocka_unit_test(an_indexed_store_is_reported_as_not_counted),
        cmocka_unit_test(a_compact_store_estimates_its_full_size),
        cmocka_unit_test(a_cancelled_change_of_rows_leaves_no_wrong_rows),
        cmocka_unit_test(an_inconsistent_manifest_is_refused),
        cmocka_unit_test(
            a_store_without_a_record_of_the_choice_of_rows_is_read),
        cmocka_unit_test(invalid_options_are_refused),
    };

    return cmocka_run_group_tests_name("left_out", tests, make_dir,
                                       remove_dir);
}
