/* latency.c - cooc-latency: measure how long single library queries take.
 *
 *     cooc-latency NAME.cooc
 *
 * Terms are drawn at random from classes of df: 1, 10, 100, ..., each from
 * 4/5 to 5/4 of its number.  Each pair is queried twice: first on a store that
 * was just opened, where blocks are still to be verified, then again.  Prints
 * medians and 95th percentiles as Markdown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cooc.h"

enum { OPENINGS = 51, PAIRS = 2000, ROWS = 200, CLASSES = 6 };

struct class {
    uint64_t df;
    uint32_t first, last; /* ids [first, last) */
};

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void check(int rc, const struct cooc_err *err)
{
    if (rc >= 0)
        return;
    fprintf(stderr, "cooc-latency: %s\n", err->text);
    exit(1);
}

static uint32_t draw(uint64_t *seed, const struct class *c)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return c->first + (uint32_t)((*seed >> 33) % (c->last - c->first));
}

static int less(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Print "median / 95th percentile" of n times. */
static void print_times(double *us, size_t n)
{
    qsort(us, n, sizeof *us, less);
    printf(" %.1f / %.1f |", us[n / 2], us[n * 95 / 100]);
}

/* The first id with a df below the given one; df descends with the id. */
static uint32_t first_below(struct cooc *db, uint32_t terms, double df)
{
    uint32_t lo = 0, hi = terms;
    struct cooc_err err;

    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        uint64_t its;

        check(cooc_term_df(db, mid, &its, &err), &err);
        if ((double)its < df)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static size_t find_classes(struct cooc *db, struct class *out)
{
    struct cooc_info info = COOC_INFO;
    struct cooc_err err;
    uint64_t df = 1;
    size_t n = 0;

    check(cooc_info_get(db, &info, &err), &err);
    for (int i = 0; i < CLASSES; i++, df *= 10) {
        struct class c = { .df = df };

        c.first = first_below(db, (uint32_t)info.terms,
                              1.25 * (double)df + 0.01);
        c.last = first_below(db, (uint32_t)info.terms, 0.8 * (double)df);
        if (c.first < c.last)
            out[n++] = c;
    }
    return n;
}

static void measure_opening(const char *store)
{
    double us[OPENINGS];
    struct cooc_err err;

    for (int i = 0; i < OPENINGS; i++) {
        struct cooc *db;
        double start = now_us();

        check(cooc_open(&db, store, &err), &err);
        us[i] = now_us() - start;
        cooc_close(db);
    }
    printf("opening, us: |");
    print_times(us, OPENINGS);
    putchar('\n');
}

/* Query pairs of classes a and b: first, then repeated. */
static void measure_pairs(const char *store, const struct class *a,
                          const struct class *b)
{
    static double us[2][PAIRS];
    struct cooc_err err;
    struct cooc_pair p;
    struct cooc *db;

    check(cooc_open(&db, store, &err), &err);
    for (int again = 0; again < 2; again++) {
        uint64_t seed = a->df * 7 + b->df;

        for (int i = 0; i < PAIRS; i++) {
            uint32_t x = draw(&seed, a), y = draw(&seed, b);
            double start = now_us();

            check(cooc_pair_get(db, x, y, &p, &err), &err);
            us[again][i] = now_us() - start;
        }
    }
    cooc_close(db);
    printf("| %llu | %llu |", (unsigned long long)a->df,
           (unsigned long long)b->df);
    print_times(us[0], PAIRS);
    print_times(us[1], PAIRS);
    putchar('\n');
}

static void measure_rows(struct cooc *db, const struct class *c)
{
    static double us[ROWS], partners[ROWS];
    uint64_t seed = c->df;
    struct cooc_entry *row;
    struct cooc_err err;
    size_t n;

    for (int i = -ROWS / 4; i < ROWS; i++) { /* negative: warm up */
        uint32_t x = draw(&seed, c);
        double start = now_us();

        check(cooc_row(db, x, &row, &n, &err), &err);
        if (i >= 0) {
            us[i] = now_us() - start;
            partners[i] = (double)n;
        }
        cooc_free(row);
    }
    qsort(partners, ROWS, sizeof *partners, less);
    printf("| %llu | %.0f |", (unsigned long long)c->df, partners[ROWS / 2]);
    print_times(us, ROWS);
    putchar('\n');
}

/* Rank the partners of terms by count and by npmi. */
static void measure_top(struct cooc *db, const struct class *c)
{
    static const char *const by[] = { "count", "npmi" };
    static double us[ROWS];
    struct cooc_err err;

    printf("| %llu |", (unsigned long long)c->df);
    for (size_t m = 0; m < sizeof by / sizeof *by; m++) {
        struct cooc_rank_options o = COOC_RANK_OPTIONS;
        uint64_t seed = c->df;

        check(cooc_measure_find(by[m], &o.scoring.measure, &err), &err);
        for (int i = -ROWS / 4; i < ROWS; i++) { /* negative: warm up */
            uint32_t x = draw(&seed, c);
            double start = now_us();
            struct cooc_hit *hits;
            size_t n;

            check(cooc_top(db, &x, 1, COOC_MATCH_ALL, &o, &hits, &n, &err),
                  &err);
            us[i < 0 ? 0 : i] = now_us() - start;
            cooc_free(hits);
        }
        print_times(us, ROWS);
    }
    putchar('\n');
}

int main(int argc, char **argv)
{
    struct class classes[CLASSES];
    struct cooc *db = NULL;
    struct cooc_err err;
    size_t n;

    if (argc != 2) {
        fprintf(stderr, "cooc-latency: expected one argument; usage: "
                        "cooc-latency NAME.cooc\n");
        return 2;
    }
    check(cooc_open(&db, argv[1], &err), &err);
    n = find_classes(db, classes);
    measure_opening(argv[1]);
    printf("\n| df | df | pair, first, us | pair, repeated, us |\n"
           "|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            measure_pairs(argv[1], &classes[i], &classes[j]);
    printf("\n| df | partners | row, us |\n|--:|--:|--:|\n");
    for (size_t i = 0; i < n; i++)
        measure_rows(db, &classes[i]);
    printf("\n| df | top by count, us | top by npmi, us |\n|--:|--:|--:|\n");
    for (size_t i = 0; i < n; i++)
        measure_top(db, &classes[i]);
    cooc_close(db);
    return 0;
}
