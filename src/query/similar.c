/* similar.c - the terms with the most similar rows: cosines of their vectors.
 *
 *     for each group of at most GROUP query terms
 *         compute the dot products with all candidates   (similar_pass.c)
 *         in parallel, for each query
 *             rank the candidates by dot / (norm of query * norm of candidate)
 *
 * Candidates are the terms with a df of at least min_df; ids are frequency
 * ranks, so they are the ids below some n.
 *
 * Norms are computed by the first pass and kept in the open store, together
 * with the weight and the number of contexts that they belong to.  A later
 * call copies them, and its passes skip every context that none of its queries
 * has.
 */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sized.h"
#include "base/top_k.h"
#include "cooc_bulk.h"
#include "query/similar_pass.h"

enum { LIMIT_DEFAULT = 20, CONTEXTS_DEFAULT = 10000, MIN_DF_DEFAULT = 10 };

#define GROUP 64u /* queries per pass */
#define GROUP_BYTES ((uint64_t)256 << 20)
#define DECIMALS 1e12 /* of a similarity */

/* The norms of the vectors of the ids below n. */
struct row_norms {
    struct scorer scorer;
    uint32_t contexts, n;
    double *of;
};

struct similar {
    struct cooc *db;
    struct cooc_similar_options o;
    struct weights weights;
    struct similar_pass pass;
    struct watch watch;
    const uint32_t *queries; /* of the current pass */
    struct top_k *found;     /* per query of the pass */
    struct cooc_hit *hits;
    size_t n, cap;
};

/* ---- norms --------------------------------------------------------------- */

void row_norms_free(struct row_norms *n)
{
    if (n)
        mem_free(n->of);
    mem_free(n);
}

static bool same_weight(const struct scorer *a, const struct scorer *b)
{
    return a->m == b->m && a->reverse == b->reverse && a->shift == b->shift &&
           a->smoothing == b->smoothing;
}

/* Whether n has what is needed for this call. */
static bool norms_fit(const struct similar *s, const struct row_norms *n)
{
    return n && n->contexts == s->pass.contexts && n->n >= s->pass.n &&
           same_weight(&n->scorer, &s->weights.scorer);
}

/* Copy the norms that the store keeps, if they fit. */
static void get_norms(struct similar *s)
{
    struct cooc *db = s->db;

    pthread_mutex_lock(&db->lock);
    if (norms_fit(s, db->norms)) {
        memcpy(s->pass.norms, db->norms->of,
               s->pass.n * sizeof *s->pass.norms);
        s->pass.have_norms = true;
    }
    pthread_mutex_unlock(&db->lock);
}

/* Let the store keep the norms, unless it has them already. */
static int keep_norms(struct similar *s, struct cooc_err *err)
{
    struct row_norms *own = mem_zarray(1, sizeof *own), *old = own;

    if (!own)
        return err_nomem(err);
    own->scorer = s->weights.scorer;
    own->contexts = s->pass.contexts;
    own->n = s->pass.n;
    own->of = mem_array(own->n, sizeof *own->of);
    if (!own->of) {
        row_norms_free(own);
        return err_nomem(err);
    }
    memcpy(own->of, s->pass.norms, own->n * sizeof *own->of);
    pthread_mutex_lock(&s->db->lock);
    if (!norms_fit(s, s->db->norms)) {
        old = s->db->norms;
        s->db->norms = own;
    }
    pthread_mutex_unlock(&s->db->lock);
    row_norms_free(old);
    return 0;
}

/* ---- ranking ------------------------------------------------------------- */

static int compare(const void *x, const void *y)
{
    const struct cooc_hit *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return (a->pair.y > b->pair.y) - (a->pair.y < b->pair.y);
}

static double norm_of_query(const struct similar_pass *p, uint32_t i)
{
    double squares = 0;

    for (size_t c = 0; c < p->contexts; c++) {
        double v = p->vectors[c * p->n_queries + i];

        squares += v * v;
    }
    return sqrt(squares);
}

/* Rounded, so that terms with equal vectors have equal similarities and are in
 * the order of their ids.  Adding 0 turns -0 into 0. */
static double cosine(double dot, double norms)
{
    return nearbyint(dot / norms * DECIMALS) / DECIMALS + 0.0;
}

/* Rank the candidates for query i of the pass. */
static int rank(void *self, unsigned worker, uint64_t i, struct cooc_err *err)
{
    struct similar *s = self;
    const struct similar_pass *p = &s->pass;
    struct top_k *top = &s->found[i];
    uint32_t q = s->queries[i];
    double norm = norm_of_query(p, (uint32_t)i);
    struct cooc_hit *hits;
    int rc = 0;

    (void)worker;
    for (uint32_t t = 0; t < p->n && rc == 0; t++) {
        double norms = norm * p->norms[t];
        struct cooc_hit hit = { .pair = { .x = q, .y = t } };

        if (t == q || !(norms > 0 && norms < INFINITY))
            continue;
        hit.score = cosine(p->dots[(size_t)t * p->n_queries + i], norms);
        if (!s->o.has_min_score || hit.score >= s->o.min_score)
            rc = top_k_add(top, &hit, err);
    }
    top_k_sort(top);
    hits = top->items;
    for (size_t k = 0; k < top->n && rc == 0; k++)
        rc = db_pair_count(s->db, q, hits[k].pair.y, &hits[k].pair, err);
    return rc;
}

static int append(struct similar *s, const struct top_k *top,
                  struct cooc_err *err)
{
    int rc = array_grow(&s->hits, &s->cap, s->n + top->n, sizeof *s->hits,
                        err);

    if (rc == 0 && top->n)
        memcpy(s->hits + s->n, top->items, top->n * sizeof *s->hits);
    s->n += rc == 0 ? top->n : 0;
    return rc;
}

/* Compare some terms with all candidates, and append their hits. */
static int compare_group(struct similar *s, const uint32_t *terms, uint32_t n,
                         struct cooc_err *err)
{
    bool had_norms = s->pass.have_norms;
    int rc;

    s->queries = terms;
    for (uint32_t i = 0; i < n; i++)
        s->found[i] = (struct top_k){
            .size = sizeof(struct cooc_hit), .compare = compare,
            .limit = s->o.limit == COOC_ALL ? 0 : s->o.limit,
        };
    rc = similar_pass_run(&s->pass, terms, n, err);
    if (rc == 0 && !had_norms)
        rc = keep_norms(s, err);
    if (rc == 0)
        rc = pool_for(n, s->pass.threads, rank, s, err);
    for (uint32_t i = 0; i < n; i++) {
        if (rc == 0)
            rc = append(s, &s->found[i], err);
        mem_free(s->found[i].items);
    }
    return rc;
}

/* ---- the whole call ------------------------------------------------------ */

static int check_terms(const struct similar *s, const uint32_t *terms,
                       size_t n, struct cooc_err *err)
{
    uint32_t all = s->db->store.docs.n_terms;

    for (size_t i = 0; i < n; i++)
        if (terms[i] >= all)
            return err_set(err, COOC_EINVAL,
                           "term id %u is out of range (the store has %u "
                           "terms)", terms[i], all);
    return 0;
}

static int take_options(struct similar *s,
                        const struct cooc_similar_options *options,
                        struct cooc_err *err)
{
    struct cooc_similar_options *o = &s->o;
    uint32_t terms = s->db->store.docs.n_terms;
    int rc = sized_read(o, sizeof *o, options, "similar options", err);

    if (rc == 0)
        rc = pool_check(o->threads, err);
    if (rc == 0 && !o->scoring.measure)
        rc = cooc_measure_find("ppmi", &o->scoring.measure, err);
    if (rc < 0)
        return rc;
    o->limit = o->limit ? o->limit : LIMIT_DEFAULT;
    o->min_df = o->min_df ? o->min_df : MIN_DF_DEFAULT;
    o->contexts = o->contexts ? o->contexts : CONTEXTS_DEFAULT;
    o->contexts = o->contexts < terms ? o->contexts : terms;
    s->pass.contexts = (uint32_t)o->contexts;
    s->pass.threads = o->threads ? o->threads : pool_cores();
    return 0;
}

/* The number of terms with a df of at least min_df. */
static int count_candidates(struct similar *s, struct cooc_err *err)
{
    const uint64_t *off;
    uint32_t low = 0, high = s->db->store.docs.n_terms;
    int rc = db_offsets(s->db, &off, err);

    while (rc == 0 && low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (off[mid + 1] - off[mid] < s->o.min_df)
            high = mid;
        else
            low = mid + 1;
    }
    s->pass.n = low;
    return rc;
}

static int compare_all(struct similar *s, const uint32_t *terms, size_t n,
                       struct cooc_err *err)
{
    struct similar_pass *p = &s->pass;
    uint64_t each = similar_pass_bytes(p->contexts, p->n);
    uint64_t width = each ? GROUP_BYTES / each : GROUP;
    int rc;

    width = width < GROUP ? width ? width : 1 : GROUP;
    p->width = (uint32_t)(width < n ? width : n);
    p->db = s->db;
    p->weights = &s->weights;
    p->watch = &s->watch;
    p->norms = mem_array(p->n, sizeof *p->norms);
    s->found = mem_array(p->width, sizeof *s->found);
    if (!p->norms || !s->found)
        return err_nomem(err);
    get_norms(s);
    rc = similar_pass_open(p, err);
    watch_phase(&s->watch, "comparing", "rows",
                similar_pass_rows(p) * ((n + p->width - 1) / p->width));
    for (size_t i = 0; i < n && rc == 0; i += p->width)
        rc = compare_group(s, terms + i,
                           (uint32_t)(n - i < p->width ? n - i : p->width),
                           err);
    return rc;
}

int cooc_similar(struct cooc *db, const uint32_t *terms, size_t n_terms,
                 const struct cooc_similar_options *options,
                 struct cooc_hit **hits, size_t *n, struct cooc_err *err)
{
    struct similar s = { .db = db };
    int rc = db_need_rows(db, err);

    *hits = NULL;
    *n = 0;
    if (rc < 0)
        return rc;
    library_alloc_begin();
    rc = take_options(&s, options, err);
    if (rc == 0)
        rc = check_terms(&s, terms, n_terms, err);
    if (rc == 0)
        rc = count_candidates(&s, err);
    if (rc == 0)
        rc = weights_init(&s.weights, db, &s.o.scoring,
                          s.pass.n > s.pass.contexts ? s.pass.n
                                                     : s.pass.contexts, err);
    if (watch_init(&s.watch, s.o.watch, rc < 0 ? NULL : err) < 0 && rc == 0)
        rc = COOC_EINVAL;
    if (rc == 0 && n_terms)
        rc = compare_all(&s, terms, n_terms, err);
    if (rc == 0)
        rc = array_grow(&s.hits, &s.cap, s.n + 1, sizeof *s.hits, err);
    watch_release(&s.watch);
    similar_pass_close(&s.pass);
    weights_release(&s.weights);
    mem_free(s.pass.norms);
    mem_free(s.found);
    *hits = rc < 0 ? NULL : s.hits;
    *n = rc < 0 ? 0 : s.n;
    if (rc < 0)
        mem_free(s.hits);
    return rc;
}
