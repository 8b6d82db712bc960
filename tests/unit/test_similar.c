/* test_similar.c - similar terms, compared with brute force. */
#include "letters.h"

#include <math.h>
#include <pthread.h>

#include "base/mem.h"
#include "cooc_bulk.h"
#include "own_dir.h"
#include "query/db.h"
#include "query/similar_pass.h"

#define NEAR 1e-9

struct world {
    struct small_docs docs;
    uint32_t ids[26];    /* ids of letters */
    uint32_t letter[26]; /* letters of ids */
    uint32_t terms;
    struct cooc *db;
};

/* Count a store again, with rows of the given kind. */
static void count_again(const char *store, enum cooc_row_set rows)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_err err = { 0 };

    o.recount = true;
    o.rows = rows;
    CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
}

static void make_world(struct world *w, uint64_t *seed, uint64_t round)
{
    struct cooc_err err = { 0 };

    small_docs_random(&w->docs, 1 + random_below(seed, 60),
                      1 + random_below(seed, 26), round % 2 == 0, seed);
    w->db = open_letters(dir, &w->docs, w->ids);
    w->terms = 0;
    for (uint32_t t = 0; t < w->docs.n_terms; t++)
        if (w->ids[t] != UINT32_MAX) {
            w->letter[w->ids[t]] = t;
            w->terms++;
        }
    if (round % 4 < 2) { /* all rows are omitted */
        char *store = in_dir(dir, "s");

        cooc_close(w->db);
        count_again(store, COOC_ROWS_COMPACT);
        CHECK_RC(cooc_open(&w->db, store, &err), 0, &err);
        free(store);
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

static double weight_of(const struct world *w, const struct cooc_scoring *by,
                        uint32_t x, uint32_t y)
{
    const struct cooc_entry e = {
        .term = y,
        .count = small_docs_count(&w->docs, w->letter[x], w->letter[y])
    };
    struct cooc_err err = { 0 };
    double weight;

    if (x == y || !e.count)
        return 0;
    CHECK_RC(cooc_scores(w->db, by, x, &e, 1, &weight, &err), 0, &err);
    return weight;
}

/* The vectors of all terms, by definition. */
static void fill_vectors(const struct world *w,
                         const struct cooc_similar_options *o,
                         double v[26][26])
{
    size_t contexts = o->contexts && o->contexts < w->terms ? o->contexts
                                                            : w->terms;

    for (uint32_t x = 0; x < w->terms; x++)
        for (uint32_t y = 0; y < 26; y++)
            v[x][y] = y < contexts ? weight_of(w, &o->scoring, x, y) : 0;
}

/* The cosine, or NAN if one of the vectors is zero. */
static double cosine_of(const double *v, const double *u)
{
    long double dot = 0, vv = 0, uu = 0;

    for (int i = 0; i < 26; i++) {
        dot += (long double)v[i] * u[i];
        vv += (long double)v[i] * v[i];
        uu += (long double)u[i] * u[i];
    }
    return vv > 0 && uu > 0 ? (double)(dot / sqrtl(vv * uu)) : NAN;
}

/* ---- random options ------------------------------------------------------ */

static bool can_be_weight(const char *measure)
{
    return strcmp(measure, "google-distance") && strcmp(measure, "umass") &&
           strcmp(measure, "conviction");
}

static struct cooc_similar_options random_options(uint64_t *seed)
{
    struct cooc_similar_options o = COOC_SIMILAR_OPTIONS;
    unsigned n = 0;

    while (cooc_measure_get(n))
        n++;
    do
        o.scoring.measure = cooc_measure_get(random_below(seed, n));
    while (!can_be_weight(o.scoring.measure->name));
    if (o.scoring.measure->directed)
        o.scoring.reverse = random_below(seed, 2);
    if (random_below(seed, 2)) {
        o.scoring.measure = measure_of(random_below(seed, 4) ? "ppmi" : "pmi");
        o.scoring.smoothing = random_below(seed, 3) * 0.375;
        o.scoring.shift = random_below(seed, 4) * 0.5;
        o.scoring.reverse = o.scoring.smoothing > 0 && random_below(seed, 2);
    }
    o.contexts = 1 + random_below(seed, 28);
    o.min_df = 1 + random_below(seed, 2) * random_below(seed, 12);
    o.limit = random_below(seed, 3) ? 1 + random_below(seed, 12) : COOC_ALL;
    o.has_min_score = random_below(seed, 4) == 0;
    if (o.has_min_score)
        o.min_score = random_below(seed, 1000) / 997.0 - 0.2;
    o.threads = 1 + random_below(seed, 4);
    return o;
}

/* ---- brute force --------------------------------------------------------- */

static int descending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x < *y) - (*x > *y);
}

/* Check the hits of one query, at the beginning of got[0..n), and return their
 * number. */
static size_t check_query(const struct world *w,
                          const struct cooc_similar_options *o,
                          double v[26][26], uint32_t q,
                          const struct cooc_hit *got, size_t n)
{
    double want[26];
    size_t m = 0;

    for (uint32_t t = 0; t < w->terms; t++) {
        double cosine = cosine_of(v[q], v[t]);

        if (t != q && df_of(w, t) >= o->min_df && !isnan(cosine) &&
            !(o->has_min_score && cosine < o->min_score))
            want[m++] = cosine;
    }
    qsort(want, m, sizeof *want, descending);
    m = m < o->limit ? m : o->limit;
    if (n < m)
        fail_msg("%s: %zu similar terms, expected %zu",
                 o->scoring.measure->name, n, m);
    for (size_t i = 0; i < m; i++) {
        const struct cooc_pair *p = &got[i].pair;
        uint32_t t = p->y;

        if (fabs(got[i].score - want[i]) > NEAR ||
            fabs(got[i].score - cosine_of(v[q], v[t])) > NEAR)
            fail_msg("%s: similarity %zu is %.12g, expected %.12g",
                     o->scoring.measure->name, i, got[i].score, want[i]);
        assert_true(got[i].score != 0 || !signbit(got[i].score));
        assert_true(!i || got[i].score < got[i - 1].score ||
                    (got[i].score == got[i - 1].score &&
                     t > got[i - 1].pair.y));
        assert_true(p->x == q && t != q && df_of(w, t) >= o->min_df &&
                    p->fx == df_of(w, q) && p->fy == df_of(w, t) &&
                    p->total == w->docs.n_docs &&
                    p->count == small_docs_count(&w->docs, w->letter[q],
                                                 w->letter[t]));
    }
    return m;
}

static void check_similar(const struct world *w,
                          const struct cooc_similar_options *o,
                          const uint32_t *terms, size_t n_terms)
{
    double v[26][26];
    struct cooc_err err = { 0 };
    struct cooc_hit *hits;
    size_t n, from = 0;

    fill_vectors(w, o, v);
    CHECK_RC(cooc_similar(w->db, terms, n_terms, o, &hits, &n, &err), 0, &err);
    for (size_t i = 0; i < n_terms; i++)
        from += check_query(w, o, v, terms[i], hits + from, n - from);
    assert_int_equal(from, n);
    cooc_free(hits);
}

static void similar_terms_are_those_of_brute_force(void **state)
{
    uint64_t seed = 2007;

    (void)state;
    for (uint64_t round = 0; round < 60; round++) {
        struct world w;

        make_world(&w, &seed, round);
        for (int i = 0; i < 40 && w.terms; i++) {
            struct cooc_similar_options o = random_options(&seed);
            uint32_t terms[200];
            size_t n = random_below(&seed, 8) ? 1 + random_below(&seed, 3)
                                              : 100 + random_below(&seed, 100);

            for (size_t k = 0; k < n; k++)
                terms[k] = random_below(&seed, w.terms);
            check_similar(&w, &o, terms, n);
        }
        drop_world(&w);
    }
    assert_int_equal(mem_live(), 0);
}

/* ---- larger stores -------------------------------------------------------- */

enum { WORDS = 700, DOCS = 400 };

/* Documents about topics, so that terms differ in their similarity. */
static char *make_topics(const char *name)
{
    char *text = malloc(DOCS * WORDS * 6), *p = text, *store;
    uint64_t seed = 31;

    for (int d = 0; d < DOCS; d++) {
        uint32_t topic = random_below(&seed, 7);

        for (uint32_t t = 0; t < WORDS; t++)
            if (random_below(&seed, 2000 + 40 * t) <
                (t % 7 == topic ? 1500u : 200u))
                p += sprintf(p, "w%u ", t);
        p += sprintf(p, "all\n");
    }
    store = make_store(dir, name, text, true);
    free(text);
    return store;
}

static const uint32_t asked[] = { 0, 5, 301, 299, 1, 690 };

static struct cooc_similar_options topic_options(size_t contexts,
                                                 unsigned threads)
{
    struct cooc_similar_options o = COOC_SIMILAR_OPTIONS;

    o.contexts = contexts;
    o.limit = COOC_ALL;
    o.min_df = 3;
    o.threads = threads;
    return o;
}

static size_t ask(struct cooc *db, const struct cooc_similar_options *o,
                  struct cooc_hit **hits)
{
    struct cooc_err err = { 0 };
    size_t n;

    CHECK_RC(cooc_similar(db, asked, ARRAY_LEN(asked), o, hits, &n, &err), 0,
             &err);
    return n;
}

static void results_do_not_depend_on_threads_rows_or_kept_norms(void **state)
{
    static const char *const by[] = { NULL, "pmi", "llr", "confidence" };
    static const size_t contexts[] = { 1, 40, 300, 650, COOC_ALL };
    char *store = make_topics("topics");
    struct cooc *full, *compact;
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(cooc_open(&full, store, &err), 0, &err);
    count_again(store, COOC_ROWS_COMPACT);
    for (size_t i = 0; i < ARRAY_LEN(by) * ARRAY_LEN(contexts); i++) {
        struct cooc_similar_options o =
            topic_options(contexts[i / ARRAY_LEN(by)], 1);
        struct cooc_hit *want, *got;
        size_t n;

        if (by[i % ARRAY_LEN(by)])
            o.scoring.measure = measure_of(by[i % ARRAY_LEN(by)]);
        n = ask(full, &o, &want);
        if (i >= ARRAY_LEN(by)) /* context 0 is in every document */
            assert_true(n > 500);
        for (unsigned threads = 1; threads <= 4; threads++) {
            CHECK_RC(cooc_open(&compact, store, &err), 0, &err);
            o.threads = threads;
            for (int again = 0; again < 2; again++) {
                assert_int_equal(ask(compact, &o, &got), n);
                assert_memory_equal(got, want, n * sizeof *got);
                cooc_free(got);
            }
            cooc_close(compact);
        }
        cooc_free(want);
    }
    cooc_close(full);
    free(store);
    assert_int_equal(mem_live(), 0);
}

/* Dots and norms of a pass with batches of a given size. */
static void run_pass(struct cooc *db, const struct cooc_scoring *by,
                     uint64_t batch_pairs, unsigned threads, double *out)
{
    struct similar_pass p = { .db = db, .contexts = 400, .n = 600,
                              .width = ARRAY_LEN(asked), .threads = threads,
                              .batch_pairs = batch_pairs };
    struct cooc_err err = { 0 };
    struct weights w;
    struct watch watch;

    p.weights = &w;
    p.watch = &watch;
    p.norms = out;
    CHECK_RC(watch_init(&watch, NULL, &err), 0, &err);
    CHECK_RC(weights_init(&w, db, by, p.n, &err), 0, &err);
    CHECK_RC(similar_pass_open(&p, &err), 0, &err);
    CHECK_RC(similar_pass_run(&p, asked, p.width, &err), 0, &err);
    memcpy(out + p.n, p.dots, (size_t)p.n * p.width * sizeof *out);
    similar_pass_close(&p);
    weights_release(&w);
    watch_release(&watch);
}

static void sums_do_not_depend_on_batches(void **state)
{
    enum { SUMS = 600 * (1 + ARRAY_LEN(asked)) };
    static const uint64_t pairs[] = { 1, 100, 5000, 40000 };
    char *store = make_topics("batches");
    static double want[SUMS], got[SUMS];
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (int smooth = 0; smooth < 2; smooth++) {
        const struct cooc_scoring by = { .measure = measure_of("ppmi"),
                                         .smoothing = smooth ? 0.75 : 0 };

        run_pass(db, &by, 0, 1, want);
        for (size_t i = 0; i < 2 * ARRAY_LEN(pairs); i++) {
            memset(got, 0, sizeof got);
            run_pass(db, &by, pairs[i / 2], i % 2 ? 3 : 1, got);
            assert_memory_equal(got, want, sizeof got);
        }
    }
    cooc_close(db);
    free(store);
}

/* ---- many threads with one store ------------------------------------------ */

struct asker {
    struct cooc *db;
    struct cooc_hit *want[3];
    size_t n[3];
    unsigned first;
    bool same;
};

static struct cooc_similar_options variant(unsigned i)
{
    struct cooc_similar_options o = topic_options(i == 1 ? 100 : 300, 2);

    o.min_df = i == 2 ? 20 : 3;
    return o;
}

static void *ask_again(void *arg)
{
    struct asker *a = arg;

    a->same = true;
    for (unsigned k = 0; k < 9; k++) {
        unsigned i = (a->first + k) % 3;
        const struct cooc_similar_options o = variant(i);
        struct cooc_hit *got = NULL;
        size_t n = 0;
        int rc = cooc_similar(a->db, asked, ARRAY_LEN(asked), &o, &got, &n,
                              NULL);

        a->same &= rc == 0 && n == a->n[i] &&
                   !memcmp(got, a->want[i], n * sizeof *got);
        cooc_free(got);
    }
    return NULL;
}

static void several_threads_may_ask_one_store(void **state)
{
    char *store = make_topics("shared");
    struct asker askers[4], first = { 0 };
    pthread_t threads[4];
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (unsigned i = 0; i < 3; i++) {
        const struct cooc_similar_options o = variant(i);

        first.n[i] = ask(db, &o, &first.want[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        askers[i] = first;
        askers[i].db = db;
        askers[i].first = i;
        assert_int_equal(pthread_create(&threads[i], NULL, ask_again,
                                        &askers[i]), 0);
    }
    for (unsigned i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_true(askers[i].same);
    }
    for (unsigned i = 0; i < 3; i++)
        cooc_free(first.want[i]);
    cooc_close(db);
    free(store);
    assert_int_equal(mem_live(), 0);
}

/* ---- errors --------------------------------------------------------------- */

static void refused(struct cooc *db, const struct cooc_similar_options *o,
                    uint32_t term, int code, const char *text)
{
    struct cooc_err err = { 0 };
    struct cooc_hit *hits = (struct cooc_hit *)1;
    size_t n = 1;

    CHECK_RC(cooc_similar(db, &term, 1, o, &hits, &n, &err), code, &err);
    assert_true(!hits && !n);
    if (!strstr(err.text, text))
        fail_msg("the message is '%s'", err.text);
}

static void invalid_calls_are_refused(void **state)
{
    char *store = make_store(dir, "s", "a b\nb c\n", true);
    char *indexed = make_store(dir, "i", "a b\n", false);
    struct cooc_similar_options o = COOC_SIMILAR_OPTIONS;
    struct cooc_err err = { 0 };
    struct cooc_hit *hits;
    struct cooc *db;
    size_t n;

    (void)state;
    CHECK_RC(cooc_open(&db, indexed, &err), 0, &err);
    refused(db, NULL, 0, COOC_ENOTCOUNTED, "not counted yet");
    cooc_close(db);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    refused(db, NULL, 3, COOC_EINVAL, "term id 3 is out of range");
    for (unsigned i = 0; cooc_measure_get(i); i++) {
        o.scoring.measure = cooc_measure_get(i);
        if (!can_be_weight(o.scoring.measure->name))
            refused(db, &o, 0, COOC_EINVAL, "cannot be a weight");
    }
    o.scoring.measure = measure_of("llr");
    o.scoring.shift = 2;
    refused(db, &o, 0, COOC_EINVAL, "shift");
    cooc_init(&o, sizeof o);
    o.threads = 100000;
    refused(db, &o, 0, COOC_EINVAL, "threads");
    cooc_init(&o, sizeof o);
    o.size = 0;
    refused(db, &o, 0, COOC_EINVAL, "similar options");
    CHECK_RC(cooc_similar(db, NULL, 0, NULL, &hits, &n, &err), 0, &err);
    assert_int_equal(n, 0);
    cooc_free(hits);
    cooc_close(db);
    free(store);
    free(indexed);
    assert_int_equal(mem_live(), 0);
}

static void an_empty_store_has_no_similar_terms(void **state)
{
    static const char *const texts[] = { "", "a\n", "a b\na b\na b\n" };
    struct cooc_similar_options o = COOC_SIMILAR_OPTIONS;
    const uint32_t first = 0;

    (void)state;
    o.min_df = 1;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        char *store = make_store(dir, "s", texts[i], true);
        struct cooc_err err = { 0 };
        struct cooc_hit *hits;
        struct cooc *db;
        size_t n;

        CHECK_RC(cooc_open(&db, store, &err), 0, &err);
        CHECK_RC(cooc_similar(db, &first, i > 0, &o, &hits, &n, &err), 0,
                 &err);
        assert_int_equal(n, 0); /* every vector is zero */
        cooc_free(hits);
        cooc_close(db);
        free(store);
    }
}

static int stop_at_once(void *self, const struct cooc_progress *p)
{
    (void)p;
    ++*(int *)self;
    return 1;
}

static void a_callback_cancels_the_call(void **state)
{
    char *store = make_topics("topics");
    int calls = 0;
    const struct cooc_watch watch = { .size = sizeof watch, .self = &calls,
                                      .progress = stop_at_once };
    struct cooc_similar_options o = topic_options(100, 2);
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    o.watch = &watch;
    refused(db, &o, 0, COOC_ECANCELLED, "");
    assert_true(calls > 0 && !db->norms);
    cooc_close(db);
    free(store);
    assert_int_equal(mem_live(), 0);
}

static void running_out_of_memory_is_clean(void **state)
{
    static const char text[] = "a b c d\nb c a\nc d\nd a\ne a\n";

    (void)state;
    for (int compact = 0; compact < 2; compact++) {
        char *store = make_store(dir, "s", text, true);
        const uint32_t terms[] = { 0, 4 };
        bool failed = true;

        if (compact)
            count_again(store, COOC_ROWS_COMPACT);
        for (long n = 1; failed; n++) {
            struct cooc_similar_options o = COOC_SIMILAR_OPTIONS;
            struct cooc_err err = { 0 };
            struct cooc_hit *hits;
            struct cooc *db;
            size_t found;
            int rc;

            o.min_df = 1;
            o.scoring.measure = measure_of("ppmi");
            o.scoring.smoothing = n % 2 ? 0.75 : 0;
            CHECK_RC(cooc_open(&db, store, &err), 0, &err);
            mem_fail_at(n);
            rc = cooc_similar(db, terms, 2, &o, &hits, &found, &err);
            failed = mem_failed();
            mem_fail_at(0);
            /* On fewer threads, a loop does not fail. */
            assert_true(rc == 0 || (failed && rc == COOC_ENOMEM && !hits));
            cooc_free(hits);
            cooc_close(db);
            assert_int_equal(mem_live(), 0);
            assert_true(failed || n > 15);
        }
        free(store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(similar_terms_are_those_of_brute_force),
        cmocka_unit_test(results_do_not_depend_on_threads_rows_or_kept_norms),
        cmocka_unit_test(sums_do_not_depend_on_batches),
        cmocka_unit_test(several_threads_may_ask_one_store),
        cmocka_unit_test(invalid_calls_are_refused),
        cmocka_unit_test(an_empty_store_has_no_similar_terms),
        cmocka_unit_test(a_callback_cancels_the_call),
        cmocka_unit_test(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("similar", tests, make_dir, remove_dir);
}
