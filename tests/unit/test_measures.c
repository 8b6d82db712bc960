/* test_measures.c - the properties that the table of measures promises.
 *
 * tests/oracle/measures.t checks their values against scipy.
 */
#include "rank_tools.h"

#include <math.h>

#include "query/score.h"

/* Step to the next 2x2 table of n documents; false after the last. */
static bool next_table(struct cooc_pair *p)
{
    uint64_t n = p->total;

    p->count++;
    if (p->count <= p->fx && p->count <= p->fy)
        return true;
    p->fy++;
    if (p->fy > n) {
        p->fy = 0;
        p->fx++;
    }
    p->count = p->fx + p->fy > n ? p->fx + p->fy - n : 0;
    return p->fx <= n;
}

static double strength(const struct measure *m, uint64_t a, uint64_t x,
                       uint64_t y, uint64_t n, bool reverse)
{
    const struct scorer s = { .m = m, .reverse = reverse };
    const struct cooc_pair p = { .count = a, .fx = x, .fy = y,
                                 .total = n };

    return scorer_strength(&s, &p);
}

/* Some tables are invalid, as if the caller had made a mistake. */
static void no_table_gives_nan(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 5 * 5 * 5 * 5; i++) {
        struct cooc_pair p = { .count = i % 5, .fx = i / 5 % 5,
                               .fy = i / 25 % 5, .total = i / 125 };

        for (unsigned m = 0; m < n_measures; m++)
            if (isnan(cooc_score(&p, cooc_measure_get(m))))
                fail_msg("%s of %d, %d, %d in %d", cooc_measure_get(m)->name,
                         (int)p.count, (int)p.fx, (int)p.fy,
                         (int)p.total);
    }
}

static void measures_are_found_by_name(void **state)
{
    struct cooc_err err = { 0 };
    const struct cooc_measure *m;

    (void)state;
    for (unsigned i = 0; i < n_measures; i++) {
        CHECK_RC(cooc_measure_find(measures[i].about.name, &m, &err), 0,
                 &err);
        assert_ptr_equal(m, cooc_measure_get(i));
        assert_true(*m->title && *m->formula && *m->range && *m->zero);
    }
    assert_null(cooc_measure_get(n_measures));
    CHECK_RC(cooc_measure_find("mpi", &m, &err), COOC_EINVAL, &err);
    assert_null(m);
    assert_non_null(strstr(err.text, "npmi"));
    assert_non_null(strstr(err.text, "umass")); /* the last name is included */
}

static void only_directed_measures_have_a_direction(void **state)
{
    (void)state;
    for (unsigned m = 0; m < n_measures; m++) {
        struct cooc_pair p = { .total = 12 };
        bool differ = false;

        while (next_table(&p)) {
            double to = strength(&measures[m], p.count, p.fx, p.fy, 12,
                                 false);
            double back = strength(&measures[m], p.count, p.fx, p.fy, 12,
                                   true);

            differ |= to != back; /* exactly, so that pairs tie */
        }
        if (differ != measures[m].about.directed)
            fail_msg("%s", measures[m].about.name);
    }
}

/* ---- properties that cutoff.h relies on --------------------------------- */

/* Compare the scores for x and x + 1 documents, all else being equal. */
static void check_step(const struct measure *m, uint64_t a, uint64_t x,
                       uint64_t y, uint64_t n, bool reverse)
{
    double now = strength(m, a, x, y, n, reverse);
    double next = strength(m, a, x + 1, y, n, reverse);
    double room = 1e-9 * (fabs(now) + 1e-3);
    bool apart = x * y >= a * n;

    if (m->shape == SHAPE_VALLEY && (x + 1) * y > a * n && !apart)
        return; /* across the minimum */
    if (m->shape == SHAPE_VALLEY && apart ? next < now - room
                                          : next > now + room)
        fail_msg("%s%s, %d of %d and %d to %d in %d: %.12g, then %.12g",
                 m->about.name, reverse ? " reversed" : "", (int)a, (int)y,
                 (int)x, (int)x + 1, (int)n, now, next);
}

static void scores_change_with_df_as_the_table_says(void **state)
{
    static const uint64_t sizes[] = { 2, 3, 7, 20, 45 };

    (void)state;
    for (unsigned m = 0; m < n_measures; m++)
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
            struct cooc_pair p = { .total = sizes[i] };

            while (next_table(&p)) /* pairs in a store have a count above 0 */
                if (p.count && p.fx + 1 + p.fy - p.count <= p.total)
                    for (int back = 0; back < 2; back++)
                        check_step(&measures[m], p.count, p.fx, p.fy,
                                   p.total, back);
        }
}

static void terms_that_always_occur_together_score_highest(void **state)
{
    static const uint64_t sizes[] = { 2, 3, 7, 20, 45 };

    (void)state;
    for (unsigned m = 0; m < n_measures; m++)
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
            struct cooc_pair p = { .total = sizes[i] };

            while (next_table(&p))
                for (int back = 0; back < 2; back++) {
                    double most = strength(&measures[m], p.fy, p.fy,
                                           p.fy, p.total, back);
                    double this = strength(&measures[m], p.count, p.fx,
                                           p.fy, p.total, back);

                    if (!measures[m].peak_elsewhere && p.count &&
                        p.fx >= p.fy &&
                        this > most + 1e-9 * (fabs(most) + 1e-3))
                        fail_msg("%s%s: %d, %d, %d in %d: %g > %g",
                                 measures[m].about.name,
                                 back ? " reversed" : "", (int)p.count,
                                 (int)p.fx, (int)p.fy, (int)p.total,
                                 this, most);
                }
        }
}

/* Whether a partner y, at most as frequent as x, scores no higher than a partner
 * that is more frequent and occurs only together with x. */
static bool rarer_is_weaker(const struct measure *m, const struct cooc_pair *p,
                            bool reverse)
{
    double most = strength(m, p->fy, p->fx, p->fy, p->total, reverse);
    double this = strength(m, p->count, p->fx, p->fy, p->total, reverse);
    double next = p->fy < p->fx ? strength(m, p->fy + 1, p->fx, p->fy + 1,
                                           p->total, reverse) : most;
    double room = 1e-9 * (fabs(most) + 1e-3);

    return this <= most + room && most <= next + room;
}

static void rarer_partners_cannot_score_higher(void **state)
{
    static const uint64_t sizes[] = { 2, 3, 7, 20, 45 };

    (void)state;
    for (unsigned m = 0; m < n_measures; m++) {
        bool weaker = true;

        for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
            struct cooc_pair p = { .total = sizes[i] };

            while (next_table(&p))
                if (p.count && p.fy <= p.fx)
                    weaker = weaker &&
                             rarer_is_weaker(&measures[m], &p, false) &&
                             rarer_is_weaker(&measures[m], &p, true);
        }
        if (weaker == measures[m].rare_peaks)
            fail_msg("%s", measures[m].about.name);
    }
}

static void no_score_is_above_its_upper_bound(void **state)
{
    static const uint64_t sizes[] = { 2, 3, 7, 20, 45 };
    int bounded = 0;

    (void)state;
    for (unsigned m = 0; m < n_measures; m++) {
        bounded += measures[m].at_most && !measures[m].about.lower;
        for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
            struct cooc_pair p = { .total = sizes[i] };

            while (next_table(&p))
                for (int back = 0; back < 2; back++) {
                    const struct scorer s = { .m = &measures[m],
                                              .reverse = back };

                    if (!(scorer_strength(&s, &p) <=
                          scorer_at_most(&s, &p) + 1e-12))
                        fail_msg("%s%s: %d, %d, %d in %d",
                                 measures[m].about.name,
                                 back ? " reversed" : "", (int)p.count,
                                 (int)p.fx, (int)p.fy, (int)p.total);
                }
        }
    }
    assert_true(bounded > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_table_gives_nan),
        cmocka_unit_test(measures_are_found_by_name),
        cmocka_unit_test(only_directed_measures_have_a_direction),
        cmocka_unit_test(scores_change_with_df_as_the_table_says),
        cmocka_unit_test(terms_that_always_occur_together_score_highest),
        cmocka_unit_test(rarer_partners_cannot_score_higher),
        cmocka_unit_test(no_score_is_above_its_upper_bound),
    };

    return cmocka_run_group_tests_name("measures", tests, NULL, NULL);
}
