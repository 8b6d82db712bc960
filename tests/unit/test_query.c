/* test_query.c - query results compared with their definitions. */
#include "letters.h"

#include <math.h>
#include <pthread.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "own_dir.h"
#include "query/db.h"

/* ---- queries compared with the definition ---------------------------- */

/* By definition: the pairs of letter x (or all pairs if x == n_terms), best
 * first. */
static size_t expect_hits(const struct small_docs *c, const uint32_t *ids,
                          uint32_t x, const struct cooc_measure *by,
                          uint64_t min_count, struct cooc_hit *out)
{
    size_t n = 0;

    for (uint32_t s = 0; s < c->n_terms; s++)
        for (uint32_t t = 0; t < c->n_terms; t++) {
            struct cooc_pair p = { .x = ids[s], .y = ids[t],
                                   .total = c->n_docs };

            if (s == t || (x < c->n_terms ? s != x : ids[s] > ids[t]))
                continue;
            p.count = small_docs_count(c, s, t);
            p.fx = small_docs_count(c, s, s);
            p.fy = small_docs_count(c, t, t);
            if (!p.count || p.count < min_count)
                continue;
            out[n++] = (struct cooc_hit){ p, cooc_score(&p, by) };
        }
    lower_first = by->lower;
    if (n)
        qsort(out, n, sizeof *out, better);
    return n;
}

static void check_rankings(const struct small_docs *c, struct cooc *db,
                           const uint32_t *ids, uint64_t round)
{
    static struct cooc_hit want[26 * 26];
    static const size_t limits[] = { COOC_ALL, 1, 3, 1000 };
    const struct cooc_measure *by;
    struct cooc_err err = { 0 };
    struct cooc_hit *got;
    size_t n, m;

    for (uint32_t x = 0; x <= c->n_terms; x++)
        for (unsigned i = 0; (by = cooc_measure_get(i)) != NULL; i++) {
            struct cooc_rank_options options =
                rank_by(by->name, (round + x) % 4,
                        limits[(x + i) % ARRAY_LEN(limits)]);

            if (x < c->n_terms && ids[x] == UINT32_MAX)
                continue;
            options.threads = 1 + (unsigned)round % 3;
            m = expect_hits(c, ids, x, by, options.min_count, want);
            if (x < c->n_terms)
                CHECK_RC(cooc_top(db, &ids[x], 1, COOC_MATCH_ALL, &options,
                                  &got, &n, &err),
                         0, &err);
            else
                CHECK_RC(cooc_pairs(db, &options, &got, &n, &err), 0, &err);
            check_hits(by->name, got, n, want, m, options.limit);
            cooc_free(got);
        }
}

static void check_questions(const struct small_docs *c, struct cooc *db,
                            const uint32_t *ids)
{
    struct cooc_err err = { 0 };
    size_t n;

    for (uint32_t s = 0; s < c->n_terms; s++)
        for (uint32_t t = 0; t < c->n_terms; t++) {
            struct cooc_pair p;
            uint32_t *docs, d = 0;

            if (ids[s] == UINT32_MAX || ids[t] == UINT32_MAX)
                continue;
            CHECK_RC(cooc_pair_get(db, ids[s], ids[t], &p, &err), 0, &err);
            assert_int_equal(p.count, small_docs_count(c, s, t));
            assert_int_equal(p.fx, small_docs_count(c, s, s));
            assert_int_equal(p.fy, small_docs_count(c, t, t));
            CHECK_RC(cooc_docs(db, (const uint32_t[]){ ids[s], ids[t] }, 2,
                               COOC_MATCH_ALL, &docs, &n, &err), 0, &err);
            assert_int_equal(n, p.count);
            for (size_t i = 0; i < n; i++, d++) {
                while (!c->has[d * c->n_terms + s] ||
                       !c->has[d * c->n_terms + t])
                    d++;
                assert_int_equal(docs[i], d);
            }
            cooc_free(docs);
        }
}

static void query_results_agree_with_the_definition(void **state)
{
    (void)state;
    print_message("seeds 0 to 39\n");
    for (uint64_t round = 0; round < 40; round++) {
        uint64_t seed = round;
        struct small_docs c;
        uint32_t ids[26];
        struct cooc *db;

        small_docs_random(&c, 1 + random_below(&seed, 60),
                          1 + random_below(&seed, 26), round % 2 == 0, &seed);
        db = open_letters(dir, &c, ids);
        check_rankings(&c, db, ids, round);
        check_questions(&c, db, ids);
        cooc_close(db);
        small_docs_release(&c);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- every way to a count -------------------------------------------- */

struct check_pair {
    const struct small_docs *docs;
    const uint32_t *ids;
    uint32_t n;
};

static uint32_t letter_of(const struct check_pair *c, uint32_t id)
{
    for (uint32_t t = 0; t < c->docs->n_terms; t++)
        if (c->ids[t] == id)
            return t;
    fail_msg("no letter has id %u", id);
    return 0;
}

static int pair_is_right(void *self, const struct cooc_pair *p,
                         struct cooc_err *err)
{
    struct check_pair *c = self;

    (void)err;
    assert_int_equal(p->count, small_docs_count(c->docs, letter_of(c, p->x),
                                                letter_of(c, p->y)));
    c->n++;
    return 0;
}

/* Letter t is in every document, every second, every fourth, ... so that there
 * are lists of all lengths: pairs are looked up in rows, in documents and in
 * posting lists.  The first document contains all letters. */
static void pairs_of_long_and_short_lists_are_right(void **state)
{
    struct small_docs c;
    struct check_pair check = { .docs = &c };
    struct cooc_err err = { 0 };
    uint32_t ids[26], known[26], n = 0;
    uint64_t seed = 20070809;
    struct cooc *db;

    (void)state;
    small_docs_init(&c, 20000, 26);
    for (uint32_t d = 0; d < c.n_docs; d++)
        for (uint32_t t = 0; t < c.n_terms; t++)
            c.has[d * c.n_terms + t] =
                d == 0 || random_below(&seed, 1u << t / 2) == 0;
    small_docs_finish(&c);
    db = open_letters(dir, &c, ids);
    check.ids = ids;
    for (uint32_t t = 0; t < c.n_terms; t++)
        known[n++] = ids[t];
    for (uint32_t s = 0; s < n; s++)
        for (uint32_t t = 0; t < n; t++) {
            struct cooc_pair p;

            CHECK_RC(cooc_pair_get(db, known[s], known[t], &p, &err), 0, &err);
            pair_is_right(&check, &p, &err);
        }
    check.n = 0;
    CHECK_RC(cooc_within(db, known, n, pair_is_right, &check, &err), 0, &err);
    assert_int_equal(check.n, n * (n - 1) / 2);
    check.n = 0;
    CHECK_RC(cooc_between(db, known, n, known, 3, pair_is_right, &check,
                          &err), 0, &err);
    assert_int_equal(check.n, n * 3 - 3);
    cooc_close(db);
    small_docs_release(&c);
    assert_int_equal(mem_live(), 0);
}

/* ---- rows and documents ------------------------------------------------ */

/* Documents of words w0, w1, ...; words with higher numbers are rarer. */
static char *random_words(uint32_t n_docs, uint32_t n_words, uint64_t *seed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (uint32_t d = 0; d < n_docs; d++) {
        fprintf(out, "~");
        for (uint32_t w = 0; w < n_words; w++)
            if (random_below(seed, 4 + w) < 4)
                fprintf(out, " w%u", w);
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

static struct cooc_rank_options random_limits(uint32_t terms, uint32_t docs,
                                        uint32_t *exclude, uint64_t *seed)
{
    struct cooc_rank_options c = rank_by("llr", random_below(seed, 4),
                                             COOC_ALL);
    uint32_t kind = random_below(seed, 8);

    c.rarer = kind == 0 || kind == 1;
    c.commoner = kind == 2 || kind == 3;
    c.min_df = kind % 2 ? random_below(seed, docs / 2 + 1) : 0;
    c.max_df = kind == 5 || kind == 6 ? 1 + random_below(seed, docs) : 0;
    exclude[0] = random_below(seed, terms);
    c.exclude = exclude;
    c.n_exclude = kind == 7;
    return c;
}

/* Row and partners of term t, computed as configured in db. */
static char *partners_text(struct cooc *db, uint32_t t,
                           const struct cooc_rank_options *options)
{
    char *text = NULL;
    size_t size = 0, n = 0;
    FILE *out = open_memstream(&text, &size);
    struct cooc_err err = { 0 };
    struct cooc_entry *row;
    struct cooc_hit *hits;

    CHECK_RC(cooc_row(db, t, &row, &n, &err), 0, &err);
    for (size_t i = 0; i < n; i++)
        fprintf(out, " %u:%d", row[i].term, (int)row[i].count);
    cooc_free(row);
    CHECK_RC(cooc_top(db, &t, 1, COOC_MATCH_ALL, options, &hits, &n, &err), 0,
             &err);
    fprintf(out, "\n");
    for (size_t i = 0; i < n; i++)
        fprintf(out, " %u-%u:%d:%d:%d:%.17g", hits[i].pair.x, hits[i].pair.y,
                (int)hits[i].pair.count, (int)hits[i].pair.fx,
                (int)hits[i].pair.fy, hits[i].score);
    cooc_free(hits);
    fclose(out);
    return text;
}

static void check_every_term(const char *store, uint64_t *seed)
{
    struct cooc_err err = { 0 };
    struct cooc_info info = COOC_INFO;
    struct cooc *db;

    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
    for (uint32_t t = 0; t < info.terms; t++) {
        uint32_t exclude[1];
        struct cooc_rank_options c = random_limits((uint32_t)info.terms,
                                             (uint32_t)info.documents,
                                             exclude, seed);
        char *want, *got;

        db->row_use = ROW_NEVER;
        want = partners_text(db, t, &c);
        for (int use = 0; use < 2; use++) {
            db->row_use = use ? ROW_ALWAYS : ROW_IF_CHEAPER;
            got = partners_text(db, t, &c);
            assert_string_equal(got, want);
            free(got);
        }
        free(want);
    }
    cooc_close(db);
}

static void rows_and_documents_give_the_same_partners(void **state)
{
    uint64_t seed = 1509;

    (void)state;
    for (int round = 0; round < 12; round++) {
        char *text = random_words(1 + random_below(&seed, 100),
                                  1 + random_below(&seed, 300), &seed);
        char *store = make_store(dir, "s", text, false);
        struct cooc_count_options o = COOC_COUNT_OPTIONS;
        struct cooc_err err = { 0 };

        check_every_term(store, &seed); /* indexed, not counted */
        o.rows = COOC_ROWS_FULL;
        CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
        check_every_term(store, &seed);
        o.recount = true;
        o.rows = COOC_ROWS_COMPACT;
        o.compact_df = 2 + (uint32_t)round;
        CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
        check_every_term(store, &seed);
        free(store);
        free(text);
    }
    assert_int_equal(mem_live(), 0);
}

/* The row of the last term is damaged, so reading it is an error. */
static void a_damaged_row_never_gives_a_wrong_result(void **state)
{
    char *store = make_store(dir, "s", "a b c\na b c\na b\n", true);
    char *rows = in_dir(store, "rows-0000.bin");
    struct cooc_err err = { 0 };
    struct cooc_entry *row;
    struct cooc *db;
    size_t n;
    FILE *f = fopen(rows, "r+b");
    int byte = fgetc(f);

    (void)state;
    rewind(f);
    fputc(byte ^ 1, f);
    fclose(f);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    db->row_use = ROW_NEVER;
    CHECK_RC(cooc_row(db, 2, &row, &n, &err), 0, &err);
    assert_int_equal(n, 2);
    cooc_free(row);
    db->row_use = ROW_ALWAYS;
    CHECK_RC(cooc_row(db, 2, &row, &n, &err), COOC_EFORMAT, &err);
    assert_null(row);
    cooc_close(db);
    free(rows);
    free(store);
}

static void ids_out_of_range_are_refused(void **state)
{
    char *store = make_store(dir, "s", "a b\n", true);
    struct cooc_err err = { 0 };
    struct cooc_rows *rows;
    struct cooc_hit *hits;
    struct cooc_pair p;
    struct cooc *db;
    const char *name;
    uint32_t *docs;
    size_t n;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (uint32_t bad = 2; bad; bad = bad == 2 ? UINT32_MAX : 0) {
        CHECK_RC(cooc_pair_get(db, 0, bad, &p, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_pair_get(db, bad, 0, &p, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_top(db, &bad, 1, COOC_MATCH_ALL, NULL, &hits, &n,
                          &err), COOC_EINVAL, &err);
        assert_null(hits);
        CHECK_RC(cooc_docs(db, (const uint32_t[]){ 0, bad }, 2,
                           COOC_MATCH_ALL, &docs, &n, &err), COOC_EINVAL,
                 &err);
        assert_null(docs);
        CHECK_RC(cooc_term_name(db, bad, &name, &n, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_document_name(db, bad, &name, &n, &err), COOC_EINVAL,
                 &err);
        CHECK_RC(cooc_rows_open(&rows, db, 0, bad + 1 ? bad + 1 : bad, &err),
                 COOC_EINVAL, &err);
    }
    CHECK_RC(cooc_rows_open(&rows, db, 2, 1, &err), COOC_EINVAL, &err);
    cooc_close(db);
    cooc_close(NULL);
    cooc_rows_close(NULL);
    free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(query_results_agree_with_the_definition),
        cmocka_unit_test(pairs_of_long_and_short_lists_are_right),
        cmocka_unit_test(rows_and_documents_give_the_same_partners),
        cmocka_unit_test(a_damaged_row_never_gives_a_wrong_result),
        cmocka_unit_test(ids_out_of_range_are_refused),
    };

    return cmocka_run_group_tests_name("query", tests, make_dir, remove_dir);
}
