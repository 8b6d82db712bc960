/* test_classes.c - pairs of two classes of terms, compared with all pairs. */
#include "rank_tools.h"

#include <math.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "cooc_export.h"
#include "taken.h"

#include "own_dir.h"

/* Terms are a0, b1, c2, a3, ...: the letter is the class. */
static const char *const patterns[][2] = {
    { "a*", "b*" }, { "B*", "A*" }, { "a*", NULL }, { NULL, "c*" },
    { "a*", "a*" }, { "[ab]*", "[bc]*" }, { "*", "c?" }, { "*", NULL },
};

static char *random_terms(uint32_t n_docs, uint32_t n_terms, uint64_t *seed)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    fprintf(out, "a0 b1 c2 a3 b4 c5 b10 c11 a30\n");
    for (uint32_t d = 0; d < n_docs; d++) {
        fprintf(out, "a0");
        for (uint32_t w = 1; w < n_terms; w++)
            if (random_below(seed, 5 + w) < 4)
                fprintf(out, " %c%u", (int)("abc"[w % 3]), w);
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

/* ---- the definition ----------------------------------------------------- */

static bool matches(struct cooc *db, const char *like, uint32_t term)
{
    const char *name = NULL;
    size_t len = 0;
    char c;

    if (!like || !strcmp(like, "*"))
        return true;
    if (cooc_term_name(db, term, &name, &len, NULL) < 0)
        fail_msg("term %u has no name", term);
    c = name[0];
    if (*like == '[')
        return c == like[1] || c == like[2];
    return c == (*like | 0x20) && (like[1] == '*' || len == 2);
}

static bool wanted(struct cooc *db, const char *const *like,
                   const struct cooc_pair *p)
{
    bool x[2], y[2];

    for (int i = 0; i < 2; i++) {
        x[i] = matches(db, like[i], p->x);
        y[i] = matches(db, like[i], p->y);
    }
    return (x[0] && y[1]) || (x[1] && y[0]);
}

/* The pairs among all hits that are wanted, in the same order. */
static size_t choose(struct cooc *db, const char *const *like,
                     struct cooc_hit *all, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (wanted(db, like, &all[i].pair))
            all[kept++] = all[i];
    return kept;
}

static struct cooc_hit *chosen_pairs(struct cooc *db, const char *const *like,
                                     const struct cooc_rank_options *options,
                                     size_t *n)
{
    struct cooc_rank_options o = *options;
    struct cooc_err err = { 0 };
    struct cooc_hit *hits;

    o.like1 = o.like2 = NULL;
    o.limit = COOC_ALL;
    CHECK_RC(cooc_pairs(db, &o, &hits, n, &err), 0, &err);
    *n = choose(db, like, hits, *n);
    return hits;
}

/* ---- pairs -------------------------------------------------------------- */

struct stream {
    const struct cooc_hit *all;
    size_t n, seen;
};

static int is_listed(void *self, const struct cooc_hit *hit,
                     struct cooc_err *err)
{
    struct stream *s = self;

    (void)err;
    s->seen++;
    for (size_t i = 0; i < s->n; i++)
        if (s->all[i].pair.x == hit->pair.x && s->all[i].pair.y == hit->pair.y)
            return memcmp(&s->all[i], hit, sizeof *hit) != 0;
    return 1;
}

static void check_pairs(struct cooc *db, const char *const *like,
                        const char *measure, uint64_t *seed)
{
    static const size_t limits[] = { COOC_ALL, 1, 7, 40 };
    struct cooc_rank_options o = rank_by(measure, random_below(seed, 4), 0);
    struct cooc_err err = { 0 };
    uint32_t exclude = random_below(seed, 9);
    struct cooc_hit *want, *got;
    struct stream stream = { 0 };
    size_t n, m;

    o.threads = 1 + random_below(seed, 3);
    o.exclude = &exclude;
    o.n_exclude = random_below(seed, 2);
    o.min_df = random_below(seed, 2) ? 3 : 0;
    want = chosen_pairs(db, like, &o, &m);
    stream.all = want;
    stream.n = m;
    o.like1 = like[0];
    o.like2 = like[1];
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        size_t wanted_hits = m < limits[i] ? m : limits[i];

        o.limit = limits[i];
        CHECK_RC(cooc_pairs(db, &o, &got, &n, &err), 0, &err);
        if (n != wanted_hits ||
            (n && memcmp(got, want, n * sizeof *got) != 0))
            fail_msg("%s, %s and %s: %zu hits, expected %zu or others",
                     measure, like[0], like[1], n, wanted_hits);
        cooc_free(got);
    }
    CHECK_RC(cooc_pairs_each(db, &o, is_listed, &stream, &err), 0, &err);
    assert_int_equal(stream.seen, m);
    cooc_free(want);
}

/* ---- exports ------------------------------------------------------------ */

static int by_strength(const void *x, const void *y)
{
    const struct cooc_hit *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->pair.x != b->pair.x)
        return a->pair.x < b->pair.x ? -1 : 1;
    return (a->pair.y > b->pair.y) - (a->pair.y < b->pair.y);
}

/* Keep the pairs that are among the k strongest of one of their terms. */
static size_t keep_per_node(struct cooc_hit *h, size_t n, uint32_t terms,
                            uint32_t k)
{
    uint32_t *rank = calloc(terms, sizeof *rank);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        bool x = rank[h[i].pair.x]++ < k, y = rank[h[i].pair.y]++ < k;

        if (x || y)
            h[kept++] = h[i];
    }
    free(rank);
    return kept;
}

/* Keep the pairs between the k terms with the largest sums of counts. */
static size_t keep_nodes(struct cooc_hit *h, size_t n, uint32_t terms,
                         uint32_t k)
{
    uint64_t *sum = calloc(terms, sizeof *sum);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        sum[h[i].pair.x] += h[i].pair.count;
        sum[h[i].pair.y] += h[i].pair.count;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t before[2] = { 0 }, of[2] = { h[i].pair.x, h[i].pair.y };

        for (uint32_t t = 0; t < terms; t++)
            for (int j = 0; j < 2; j++)
                before[j] += sum[t] > sum[of[j]] ||
                             (sum[t] == sum[of[j]] && t < of[j]);
        if (before[0] < k && before[1] < k)
            h[kept++] = h[i];
    }
    free(sum);
    return kept;
}

static int by_text(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

/* The lines of a text in byte order; for free(). */
static char *sorted_lines(char *text)
{
    char **lines = calloc(strlen(text) + 1, sizeof *lines);
    char *out = calloc(1, strlen(text) + 2);
    size_t n = 0;

    for (char *p = strtok(text, "\n"); p; p = strtok(NULL, "\n"))
        lines[n++] = p;
    qsort(lines, n, sizeof *lines, by_text);
    for (size_t i = 0; i < n; i++) {
        strcat(out, lines[i]);
        strcat(out, "\n");
    }
    free(lines);
    return out;
}

static char *lines_of_hits(struct cooc *db, const struct cooc_hit *h, size_t n)
{
    char *text = NULL, *sorted;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    for (size_t i = 0; i < n; i++) {
        const char *x, *y;
        size_t x_len, y_len;

        assert_int_equal(cooc_term_name(db, h[i].pair.x, &x, &x_len, NULL), 0);
        assert_int_equal(cooc_term_name(db, h[i].pair.y, &y, &y_len, NULL), 0);
        fprintf(out, "%.*s %.*s %d\n", (int)x_len, x, (int)y_len, y,
                (int)h[i].pair.count);
    }
    fclose(out);
    sorted = sorted_lines(text);
    free(text);
    return sorted;
}

/* The pairs of a tsv export in the same form. */
static char *lines_of_export(struct cooc *db,
                             const struct cooc_export_options *o)
{
    struct taken t = taken_new();
    struct cooc_err err = { 0 };
    char *text = NULL, *sorted, *line;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    CHECK_RC(cooc_export_to(db, take, &t, o, NULL, &err), 0, &err);
    t.data = realloc(t.data, t.len + 1);
    t.data[t.len] = '\0';
    line = strchr(t.data, '\n'); /* after the header */
    while (line && line[1]) {
        char x[16], y[16];
        int count;

        assert_int_equal(sscanf(line + 1, "%15s %15s %d", x, y, &count), 3);
        fprintf(out, "%s %s %d\n", x, y, count);
        line = strchr(line + 1, '\n');
    }
    fclose(out);
    free(t.data);
    sorted = sorted_lines(text);
    free(text);
    return sorted;
}

/* Check a matrix of the same pairs: it has no term without a class. */
static void check_matrix(struct cooc *db, struct cooc_export_options o,
                         size_t pairs, size_t terms)
{
    struct cooc_export_report r = COOC_EXPORT_REPORT;
    struct cooc_err err = { 0 };
    char *path = in_dir(dir, "matrix");

    o.format = "npz";
    CHECK_RC(cooc_export(db, path, &o, &r, &err), 0, &err);
    assert_int_equal(r.pairs, 2 * pairs);
    if (!o.nodes)
        assert_int_equal(r.terms, terms);
    free(path);
}

static void check_export(struct cooc *db, const char *const *like,
                         const char *measure, uint64_t *seed)
{
    struct cooc_rank_options all = rank_by(measure, 0, COOC_ALL);
    struct cooc_export_options o = COOC_EXPORT_OPTIONS;
    struct cooc_info info = COOC_INFO;
    struct cooc_hit *want;
    char *a, *b;
    uint32_t terms, last = 0;
    size_t n, kept = 0, n_terms = 0;

    assert_int_equal(cooc_info_get(db, &info, NULL), 0);
    terms = (uint32_t)info.terms;
    o.scoring = all.scoring;
    o.like1 = like[0];
    o.like2 = like[1];
    o.threads = 1 + random_below(seed, 3);
    all.min_count = o.min_count = random_below(seed, 3);
    o.top_terms = random_below(seed, 3) ? 0 : 1 + random_below(seed, terms);
    o.per_node = random_below(seed, 3) ? 0 : 1 + random_below(seed, 4);
    o.top_edges = random_below(seed, 2) ? 0 : 1 + random_below(seed, 50);
    o.nodes = random_below(seed, 3) ? 0 : 1 + random_below(seed, terms);
    want = chosen_pairs(db, like, &all, &n);
    for (uint32_t t = 0; t < terms; t++) {
        if (like[0] && like[1] && !matches(db, like[0], t) &&
            !matches(db, like[1], t))
            continue;
        if (!o.top_terms || n_terms < o.top_terms) {
            n_terms++;
            last = t;
        }
    }
    for (size_t i = 0; i < n; i++)
        if (want[i].pair.y <= last)
            want[kept++] = want[i];
    n = kept;
    for (size_t i = 0; i < n && all.scoring.measure->lower; i++)
        want[i].score = -want[i].score;
    qsort(want, n, sizeof *want, by_strength);
    if (o.per_node)
        n = keep_per_node(want, n, terms, o.per_node);
    if (o.top_edges && n > o.top_edges)
        n = (size_t)o.top_edges;
    if (o.nodes)
        n = keep_nodes(want, n, terms, o.nodes);
    a = lines_of_hits(db, want, n);
    b = lines_of_export(db, &o);
    if (strcmp(a, b))
        fail_msg("%s, %s and %s, top_terms %u, per_node %u, top_edges %u, "
                 "nodes %u: expected\n%sgot\n%s", measure, like[0], like[1],
                 o.top_terms, o.per_node, (unsigned)o.top_edges, o.nodes, a,
                 b);
    check_matrix(db, o, n, n_terms);
    cooc_free(want);
    free(a);
    free(b);
}

/* ---- the tests ---------------------------------------------------------- */

static void check_store(const char *store, uint64_t *seed)
{
    const struct cooc_measure *by;
    struct cooc_err err = { 0 };
    struct cooc *db;

    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
        for (unsigned k = 0; (by = cooc_measure_get(k)) != NULL; k++) {
            check_pairs(db, patterns[i], by->name, seed);
            if (k % 4 == random_below(seed, 4))
                check_export(db, patterns[i], by->name, seed);
        }
    cooc_close(db);
}

static void pairs_of_classes_are_those_among_all_pairs(void **state)
{
    uint64_t seed = 2911;

    (void)state;
    for (uint32_t round = 0; round < 4; round++) {
        char *text = random_terms(20 + random_below(&seed, 120),
                                  20 + random_below(&seed, 60), &seed);
        char *store = make_store(dir, "s", text, false);
        struct cooc_count_options o = COOC_COUNT_OPTIONS;
        struct cooc_err err = { 0 };

        o.rows = round % 2 ? COOC_ROWS_FULL : COOC_ROWS_COMPACT;
        o.compact_df = round % 2 ? 0 : 3 + round;
        CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
        check_store(store, &seed);
        drop_dir(store);
        free(text);
    }
    assert_int_equal(mem_live(), 0);
}

static void patterns_become_lists_of_terms(void **state)
{
    char *store = make_store(dir, "l", "a1 a2 b1\na1 b1\na1 b1\n", false);
    struct cooc_list list = COOC_LIST;
    struct cooc_rank_options o = COOC_RANK_OPTIONS;
    struct cooc_err err = { 0 };
    struct cooc_hit *hits;
    struct cooc *db;
    uint32_t x = 0;
    size_t n;

    (void)state;
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_list_like(db, "A*", &list, &err), 0, &err);
    assert_int_equal(list.n, 2);
    assert_int_equal(list.terms[0], 0);
    assert_int_equal(list.terms[1], 2);
    assert_int_equal(list.unknown, 0);
    cooc_free(list.terms);
    CHECK_RC(cooc_list_like(db, "z*", &list, &err), COOC_ENOTFOUND, &err);
    assert_string_equal(err.text, "no term matches 'z*'");
    assert_null(list.terms);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    cooc_close(db);
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    o.like2 = "z*";
    CHECK_RC(cooc_pairs(db, &o, &hits, &n, &err), COOC_ENOTFOUND, &err);
    assert_string_equal(err.option, "like2");
    assert_null(hits);
    CHECK_RC(cooc_top(db, &x, 1, COOC_MATCH_ALL, &o, &hits, &n, &err),
             COOC_EINVAL, &err);
    cooc_close(db);
    drop_dir(store);
}

/* One pair query and one export. */
static int run_both(const char *store, struct cooc_err *err)
{
    struct cooc_rank_options o = COOC_RANK_OPTIONS;
    struct cooc_export_options e = COOC_EXPORT_OPTIONS;
    struct taken t = taken_new();
    struct cooc_hit *hits = NULL;
    struct cooc *db = NULL;
    size_t n;
    int rc = cooc_open(&db, store, err);

    o.like1 = e.like1 = "a*";
    o.like2 = e.like2 = "b*";
    o.threads = e.threads = 1;
    e.per_node = 2;
    e.top_edges = 5;
    if (rc == 0)
        rc = cooc_pairs(db, &o, &hits, &n, err);
    if (rc == 0)
        rc = cooc_export_to(db, take, &t, &e, NULL, err);
    cooc_free(hits);
    cooc_close(db);
    free(t.data);
    return rc;
}

static void running_out_of_memory_is_clean(void **state)
{
    uint64_t seed = 4;
    char *text = random_terms(10, 20, &seed);
    char *store = make_store(dir, "m", text, true);
    bool failed = true;

    (void)state;
    for (long n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        int rc;

        mem_fail_at(n);
        rc = run_both(store, &err);
        failed = mem_failed();
        mem_fail_at(0);
        if (rc != (failed ? COOC_ENOMEM : 0))
            fail_msg("allocation %ld: %d: %s", n, rc, err.text);
        if (mem_live() != 0)
            fail_msg("allocation %ld: %ld blocks are left", n, mem_live());
    }
    free(text);
    drop_dir(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_of_classes_are_those_among_all_pairs),
        cmocka_unit_test(patterns_become_lists_of_terms),
        cmocka_unit_test(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("classes", tests, make_dir, remove_dir);
}
