/* test_rank.c - which pairs are selected, compared with brute force. */
#include "letters.h"

#include <float.h>
#include <math.h>

#include "base/mem.h"
#include "cooc_bulk.h"
#include "own_dir.h"
#include "query/score.h"

struct world {
    struct small_docs docs;
    uint32_t ids[26];   /* ids of letters */
    uint32_t letter[26]; /* letters of ids */
    uint32_t terms;
    struct cooc *db;
};

static void make_world(struct world *w, uint64_t *seed, uint64_t round)
{
    small_docs_random(&w->docs, 1 + random_below(seed, 60),
                      1 + random_below(seed, 26), round % 2 == 0, seed);
    w->db = open_letters(dir, &w->docs, w->ids);
    w->terms = 0;
    for (uint32_t t = 0; t < w->docs.n_terms; t++)
        if (w->ids[t] != UINT32_MAX) {
            w->letter[w->ids[t]] = t;
            w->terms++;
        }
}

static void drop_world(struct world *w)
{
    cooc_close(w->db);
    small_docs_release(&w->docs);
}

static uint64_t df_of(const struct world *w, uint32_t id)
{
    return small_docs_count(&w->docs, w->letter[id], w->letter[id]);
}

static double score_of(struct world *w, const struct cooc_scoring *by,
                       uint32_t x, uint32_t y)
{
    const struct cooc_entry e = {
        .term = y,
        .count = small_docs_count(&w->docs, w->letter[x], w->letter[y])
    };
    struct cooc_err err = { 0 };
    double score;

    CHECK_RC(cooc_scores(w->db, by, x, &e, 1, &score, &err), 0, &err);
    return score;
}

/* ---- random options ------------------------------------------------------ */

static uint32_t excluded[26];

static struct cooc_rank_options random_choice(struct world *w, uint64_t *seed)
{
    unsigned n = 0;
    struct cooc_rank_options c = COOC_RANK_OPTIONS;

    while (cooc_measure_get(n))
        n++;
    c.scoring.measure = cooc_measure_get(random_below(seed, n));
    if (c.scoring.measure->directed)
        c.scoring.reverse = random_below(seed, 2);
    if (random_below(seed, 3) == 0) {
        c.scoring.measure = measure_of(random_below(seed, 2) ? "pmi" : "ppmi");
        c.scoring.smoothing = random_below(seed, 3) * 0.375;
        c.scoring.shift = random_below(seed, 4);
        c.scoring.reverse = c.scoring.smoothing > 0 && random_below(seed, 2);
    }
    c.min_count = random_below(seed, 4);
    c.limit = random_below(seed, 3) ? random_below(seed, 12) : COOC_ALL;
    c.threads = 1 + random_below(seed, 3);
    if (random_below(seed, 3) == 0)
        c.min_df = random_below(seed, 9);
    if (random_below(seed, 3) == 0)
        c.max_df = 1 + random_below(seed, 40);
    if (random_below(seed, 2) && w->terms > 1) { /* the score of a pair */
        c.has_min_score = true;
        c.min_score = score_of(w, &c.scoring, random_below(seed, w->terms),
                               w->terms - 1);
    }
    c.exclude = excluded;
    for (uint32_t t = 0; t < w->terms; t++)
        if (random_below(seed, 8) == 0)
            excluded[c.n_exclude++] = t;
    return c;
}

static bool term_chosen(const struct world *w,
                        const struct cooc_rank_options *c, uint32_t t)
{
    uint64_t df = df_of(w, t);

    for (size_t i = 0; i < c->n_exclude; i++)
        if (c->exclude[i] == t)
            return false;
    return df >= c->min_df && (!c->max_df || df <= c->max_df);
}

static bool score_chosen(const struct cooc_rank_options *c, double score)
{
    if (!c->has_min_score)
        return true;
    return c->scoring.measure->lower ? score <= c->min_score
                                     : score >= c->min_score;
}

static void check_pairs(struct world *w, const struct cooc_rank_options *c)
{
    static struct cooc_hit want[26 * 26];
    struct cooc_err err = { 0 };
    struct cooc_hit *got;
    size_t n, m = 0;

    for (uint32_t y = 0; y < w->terms; y++)
        for (uint32_t x = 0; x < y; x++) {
            struct cooc_hit h = {
                { .x = x, .y = y, .fx = df_of(w, x), .fy = df_of(w, y),
                  .total = w->docs.n_docs },
                score_of(w, &c->scoring, x, y)
            };

            h.pair.count = small_docs_count(&w->docs, w->letter[x],
                                            w->letter[y]);
            if (h.pair.count && h.pair.count >= c->min_count &&
                term_chosen(w, c, x) && term_chosen(w, c, y) &&
                score_chosen(c, h.score))
                want[m++] = h;
        }
    lower_first = c->scoring.measure->lower;
    if (m)
        qsort(want, m, sizeof *want, better);
    CHECK_RC(cooc_pairs(w->db, c, &got, &n, &err), 0, &err);
    check_hits(c->scoring.measure->name, got, n, want, m, c->limit);
    cooc_free(got);
}

static void pairs_are_selected_as_by_brute_force(void **state)
{
    uint64_t seed = 21;

    (void)state;
    for (uint64_t round = 0; round < 60; round++) {
        struct world w;

        make_world(&w, &seed, round);
        for (int i = 0; i < 40; i++) {
            struct cooc_rank_options c = random_choice(&w, &seed);

            check_pairs(&w, &c);
        }
        drop_world(&w);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- partners ------------------------------------------------------------ */

/* Whether document d contains all, or any, of the terms. */
static bool in_set(const struct world *w, uint32_t d, const uint32_t *terms,
                   size_t n, enum cooc_match join)
{
    size_t held = 0;

    for (size_t i = 0; i < n; i++)
        held += w->docs.has[d * w->docs.n_terms + w->letter[terms[i]]];
    return join == COOC_MATCH_ANY ? held > 0 : held == n;
}

static bool side_chosen(const struct cooc_rank_options *c,
                        const struct cooc_pair *p)
{
    return c->rarer ? p->fy < p->fx
                    : c->commoner ? p->fy > p->fx : true;
}

static void check_top(struct world *w, const struct cooc_rank_options *c,
                      const uint32_t *terms, size_t n_terms,
                      enum cooc_match join)
{
    static struct cooc_hit want[26];
    struct cooc_err err = { 0 };
    struct cooc_hit *got;
    size_t n, m = 0;

    for (uint32_t y = 0; y < w->terms; y++) {
        struct cooc_hit h = { { .x = n_terms > 1 ? COOC_NO_TERM : terms[0],
                                .y = y, .fy = df_of(w, y),
                                .total = w->docs.n_docs }, 0 };
        bool asked = false;

        for (size_t i = 0; i < n_terms; i++)
            asked |= terms[i] == y;
        for (uint32_t d = 0; d < w->docs.n_docs; d++)
            if (in_set(w, d, terms, n_terms, join)) {
                h.pair.fx++;
                h.pair.count +=
                    w->docs.has[d * w->docs.n_terms + w->letter[y]];
            }
        if (n_terms == 1)
            h.score = score_of(w, &c->scoring, terms[0], y);
        else
            h.score = cooc_score(&h.pair, c->scoring.measure);
        if (!asked && h.pair.count && h.pair.count >= c->min_count &&
            term_chosen(w, c, y) && score_chosen(c, h.score) &&
            side_chosen(c, &h.pair))
            want[m++] = h;
    }
    lower_first = c->scoring.measure->lower;
    if (m)
        qsort(want, m, sizeof *want, better);
    CHECK_RC(cooc_top(w->db, terms, n_terms, join, c, &got, &n, &err), 0,
             &err);
    check_hits(c->scoring.measure->name, got, n, want, m, c->limit);
    cooc_free(got);
}

static void partners_are_selected_as_by_brute_force(void **state)
{
    uint64_t seed = 4;

    (void)state;
    for (uint64_t round = 0; round < 60; round++) {
        struct world w;

        make_world(&w, &seed, round);
        for (int i = 0; i < 40 && w.terms; i++) {
            struct cooc_rank_options c = random_choice(&w, &seed);
            uint32_t terms[4];
            size_t n = 1 + random_below(&seed, 4);

            for (size_t k = 0; k < n; k++)
                terms[k] = random_below(&seed, w.terms);
            if (n > 1) /* cooc_score() takes only a measure */
                c.scoring = (struct cooc_scoring){
                    .measure = c.scoring.measure
                };
            c.rarer = random_below(&seed, 4) == 0;
            c.commoner = !c.rarer && random_below(&seed, 4) == 0;
            check_top(&w, &c, terms, n,
                      random_below(&seed, 2) ? COOC_MATCH_ALL
                                             : COOC_MATCH_ANY);
        }
        drop_world(&w);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- the formula of smoothing -------------------------------------------- */

static void smoothing_and_shift_follow_their_definition(void **state)
{
    uint64_t seed = 99;

    (void)state;
    for (uint64_t round = 0; round < 20; round++) {
        struct cooc_scoring by = { .measure = measure_of("pmi"), .shift = 3,
                                   .smoothing = 0.75 };
        double sum = 0, postings = 0, n;
        struct world w;

        make_world(&w, &seed, round);
        n = w.docs.n_docs;
        for (uint32_t t = 0; t < w.terms; t++) {
            sum += pow((double)df_of(&w, t), 0.75);
            postings += (double)df_of(&w, t);
        }
        for (uint32_t x = 0; x < w.terms; x++)
            for (uint32_t y = 0; y < w.terms; y++) {
                double a = small_docs_count(&w.docs, w.letter[x],
                                            w.letter[y]);
                double fy = pow((double)df_of(&w, y), 0.75) * postings / sum;
                double want = log2(a * n / ((double)df_of(&w, x) * fy)) -
                              log2(3);
                double got = score_of(&w, &by, x, y);

                if (isinf(want) ? got != want : fabs(got - want) > 1e-9)
                    fail_msg("%.12g, expected %.12g", got, want);
            }
        drop_world(&w);
    }
}

/* PMI from logarithms: all terms of the sum are relative to the largest, in the
 * widest type. */
static double pmi_in_logs(const struct world *w, const struct cooc_scoring *by,
                          uint32_t x, uint32_t y)
{
    long double sum = 0, postings = 0, largest = df_of(w, 0);
    double a = small_docs_count(&w->docs, w->letter[x], w->letter[y]);

    for (uint32_t t = 0; t < w->terms; t++) {
        sum += powl(df_of(w, t) / largest, by->smoothing);
        postings += df_of(w, t);
    }
    return a <= 0 ? -INFINITY
                  : (double)(log2l(a) + log2l(w->docs.n_docs) -
                             log2l(df_of(w, x)) - log2l(postings) -
                             by->smoothing * log2l(df_of(w, y) / largest) +
                             log2l(sum) - log2l(by->shift));
}

static void extreme_smoothing_and_shift_give_the_right_numbers(void **state)
{
    static const double smooths[] = { 5e-324, 1e-300, 1e-9, 0.75, 2,
                                      SMOOTHING_MAX };
    static const double shifts[] = { 5e-324, 1e-300, 1, 1e300, DBL_MAX };
    uint64_t seed = 7;
    struct world w;

    (void)state;
    make_world(&w, &seed, 3);
    for (size_t i = 0; i < ARRAY_LEN(smooths) * ARRAY_LEN(shifts); i++)
        for (uint32_t x = 0; x < w.terms; x++)
            for (uint32_t y = 0; y < w.terms; y++) {
                struct cooc_scoring by = {
                    .measure = measure_of("pmi"),
                    .smoothing = smooths[i / ARRAY_LEN(shifts)],
                    .shift = shifts[i % ARRAY_LEN(shifts)],
                };
                double want = pmi_in_logs(&w, &by, x, y);
                double got = score_of(&w, &by, x, y);

                if (isinf(want) ? got != want : !(fabs(got - want) <= 1e-9))
                    fail_msg("smoothing %g, shift %g: %.12g, expected %.12g",
                             by.smoothing, by.shift, got, want);
                by.measure = measure_of("ppmi");
                got = score_of(&w, &by, x, y);
                assert_true(fabs(got - fmax(0, want)) <= 1e-9);
            }
    drop_world(&w);
}

static void invalid_options_are_refused(void **state)
{
    char *store = make_store(dir, "s", "a b\n", true);
    const struct cooc_scoring bad[] = {
        { .shift = -1 }, { .shift = NAN }, { .shift = INFINITY },
        { .smoothing = -0.5 }, { .smoothing = 2 }, /* of the count */
        { .measure = measure_of("pmi"), .smoothing = -0.5 },
        { .measure = measure_of("pmi"), .smoothing = NAN },
        { .measure = measure_of("pmi"), .smoothing = INFINITY },
        { .measure = measure_of("ppmi"), .smoothing = 1e300 },
        { .measure = measure_of("ppmi"), .smoothing = 10.001 },
    };
    const uint32_t far = 7, first = 0;
    struct cooc_err err = { 0 };
    struct cooc_rank_options c;
    struct cooc_hit *hits;
    struct cooc *db;
    uint32_t *docs;
    size_t n;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        cooc_init(&c, sizeof c);
        c.scoring = bad[i];
        CHECK_RC(cooc_pairs(db, &c, &hits, &n, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_top(db, &first, 1, COOC_MATCH_ALL, &c, &hits, &n, &err),
                 COOC_EINVAL, &err);
    }
    cooc_init(&c, sizeof c);
    c.exclude = &far;
    c.n_exclude = 1;
    CHECK_RC(cooc_pairs(db, &c, &hits, &n, &err), COOC_EINVAL, &err);
    cooc_init(&c, sizeof c);
    CHECK_RC(cooc_top(db, &first, 0, COOC_MATCH_ALL, &c, &hits, &n, &err),
             COOC_EINVAL, &err);
    CHECK_RC(cooc_top(db, &first, 1, (enum cooc_match)9, &c, &hits, &n, &err),
             COOC_EINVAL, &err);
    CHECK_RC(cooc_docs(db, &first, 1, (enum cooc_match)-1, &docs, &n, &err),
             COOC_EINVAL, &err);
    c.scoring.reserved[3] = 1;
    CHECK_RC(cooc_top(db, &first, 1, COOC_MATCH_ALL, &c, &hits, &n, &err),
             COOC_EINVAL, &err);
    c.scoring.reserved[3] = 0;
    c.rarer = c.commoner = true;
    CHECK_RC(cooc_top(db, &first, 1, COOC_MATCH_ALL, &c, &hits, &n, &err),
             COOC_EINVAL, &err);
    cooc_close(db);
    free(store);
}

/* A caller may keep its own copy of a struct cooc_measure. */
static void a_copy_of_a_measure_works_like_the_measure(void **state)
{
    char *store = make_store(dir, "s", "a b c\na b\nc a\nd\n", true);
    const uint32_t first = 0;
    struct cooc_err err = { 0 };
    struct cooc_hit *hits, *others;
    struct cooc_rank_options c = COOC_RANK_OPTIONS;
    struct cooc *db;
    size_t n, m;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (unsigned i = 0; cooc_measure_get(i); i++) {
        struct cooc_measure copy = *cooc_measure_get(i);
        char name[64];

        snprintf(name, sizeof name, "%s", copy.name);
        copy.name = name;
        c.scoring.measure = cooc_measure_get(i);
        CHECK_RC(cooc_pairs(db, &c, &hits, &n, &err), 0, &err);
        c.scoring.measure = &copy;
        CHECK_RC(cooc_pairs(db, &c, &others, &m, &err), 0, &err);
        assert_int_equal(n, m);
        for (size_t k = 0; k < n; k++) {
            assert_true(hits[k].pair.x == others[k].pair.x &&
                        hits[k].pair.y == others[k].pair.y &&
                        hits[k].score == others[k].score);
            assert_true(cooc_score(&hits[k].pair, &copy) ==
                        cooc_score(&hits[k].pair, cooc_measure_get(i)));
        }
        cooc_free(hits);
        cooc_free(others);
        copy.name = i % 2 ? "mpi" : NULL;
        CHECK_RC(cooc_pairs(db, &c, &hits, &n, &err), COOC_EINVAL, &err);
        CHECK_RC(cooc_top(db, &first, 1, COOC_MATCH_ALL, &c, &hits, &n, &err),
                 COOC_EINVAL, &err);
    }
    cooc_close(db);
    free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_selected_as_by_brute_force),
        cmocka_unit_test(partners_are_selected_as_by_brute_force),
        cmocka_unit_test(smoothing_and_shift_follow_their_definition),
        cmocka_unit_test(extreme_smoothing_and_shift_give_the_right_numbers),
        cmocka_unit_test(invalid_options_are_refused),
        cmocka_unit_test(a_copy_of_a_measure_works_like_the_measure),
    };

    return cmocka_run_group_tests_name("choice", tests, make_dir, remove_dir);
}
