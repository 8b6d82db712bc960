/* prune.c - the filters that need a walk: the strongest pairs of each term, the
 * strongest pairs of all, the terms with the largest sum of counts. */
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/heap.h"
#include "base/mem.h"
#include "cooc_bulk.h"
#include "export/selection_walk.h"

static int err_memory(const struct selection *s, const char *option,
                      uint64_t bytes, struct cooc_err *err)
{
    return err_option(err, COOC_ELIMIT, option,
                      "%s needs %llu MiB of memory, but the limit is %llu "
                      "MiB; select fewer pairs or allow more memory", option,
                      (unsigned long long)(bytes >> 20) + 1,
                      (unsigned long long)(s->memory >> 20));
}

/* ---- a heap of the strongest, the weakest on top --------------------- */

struct heap {
    struct edge *edges;
    size_t n, cap;
};

static bool weaker(const void *a, const void *b)
{
    return edge_stronger(b, a);
}

/* Keep the limit strongest edges.  Returns 1 if the heap has grown. */
static int keep_strongest(struct heap *h, uint64_t limit, const struct edge *e,
                          struct cooc_err *err)
{
    int rc;

    if (h->n == limit) {
        if (edge_stronger(e, &h->edges[0]))
            heap_replace(h->edges, h->n, sizeof *e, e, weaker);
        return 0;
    }
    rc = array_grow(&h->edges, &h->cap, h->n + 1, sizeof *h->edges, err);
    if (rc < 0)
        return rc;
    heap_add(h->edges, h->n++, sizeof *e, e, weaker);
    return 1;
}

/* ---- the strongest of each term -------------------------------------- */

struct per_node {
    struct selection *s;
    struct heap *heaps; /* by new id */
    uint64_t edges;     /* number of edges in all heaps */
};

static int per_node_row(void *self, const struct export_row *row,
                        struct cooc_err *err)
{
    struct per_node *p = self;
    struct selection *s = p->s;
    uint32_t t = selection_store_id(s, row->id);
    uint64_t limit = s->o->per_node;

    for (size_t i = 0; i < row->n; i++) {
        struct edge e = selection_edge(s, t, &row->entries[i], row->scores[i]);
        int a = keep_strongest(&p->heaps[row->id], limit, &e, err);
        int b = a < 0 ? a
                      : keep_strongest(&p->heaps[row->entries[i].term], limit,
                                       &e, err);

        if (b < 0)
            return b;
        p->edges += (unsigned)(a + b);
    }
    if (p->edges * sizeof(struct edge) > s->memory)
        return err_memory(s, "per_node", p->edges * sizeof(struct edge), err);
    return 0;
}

int prune_per_node(struct selection *s, struct cooc_err *err)
{
    struct per_node p = { .s = s };
    struct edge *weakest = NULL;
    uint32_t terms = s->db->store.docs.n_terms;
    int rc;

    p.heaps = mem_zarray(s->n, sizeof *p.heaps);
    rc = p.heaps ? selection_walk(
                       s, &(struct walk){
                              .phase = "finding the strongest of each",
                              .direction = FROM_FREQUENT,
                              .fn = per_node_row, .self = &p }, err)
                 : err_nomem(err);
    if (rc == 0) {
        weakest = mem_array(terms, sizeof *weakest);
        rc = weakest ? 0 : err_nomem(err);
    }
    for (uint32_t t = 0; t < terms && rc == 0; t++)
        weakest[t] = (struct edge){ -INFINITY, UINT32_MAX, UINT32_MAX, 0 };
    for (uint32_t id = 0; id < s->n && p.heaps; id++) {
        if (rc == 0 && p.heaps[id].n == s->o->per_node)
            weakest[selection_store_id(s, id)] = p.heaps[id].edges[0];
        mem_free(p.heaps[id].edges);
    }
    mem_free(p.heaps);
    s->weakest = weakest;
    return rc;
}

/* ---- the strongest of all -------------------------------------------- */

struct top_edges {
    struct selection *s;
    struct heap heap;
};

static int top_edges_row(void *self, const struct export_row *row,
                         struct cooc_err *err)
{
    struct top_edges *p = self;
    struct selection *s = p->s;
    uint32_t t = selection_store_id(s, row->id);

    for (size_t i = 0; i < row->n; i++) {
        struct edge e = selection_edge(s, t, &row->entries[i], row->scores[i]);
        int rc = keep_strongest(&p->heap, s->o->top_edges, &e, err);

        if (rc < 0)
            return rc;
    }
    if (p->heap.cap * sizeof(struct edge) > s->memory)
        return err_memory(s, "top_edges",
                        s->o->top_edges * sizeof(struct edge), err);
    return 0;
}

static int by_row(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;

    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

/* Unless a list, top_terms or per_node narrows the selection, this is the query
 * of `cooc pairs`, which uses all cores and skips rows that are too weak. */
static int query_pairs(struct top_edges *p, struct cooc_err *err)
{
    struct selection *s = p->s;
    struct cooc_rank_options c = COOC_RANK_OPTIONS;
    struct cooc_hit *hits;
    size_t n;
    int rc;

    c.scoring = s->o->scoring;
    c.min_count = s->o->min_count;
    c.has_min_score = s->o->has_min_score;
    c.min_score = s->o->min_score;
    c.limit = (size_t)s->o->top_edges;
    c.like1 = s->o->like1;
    c.like2 = s->o->like2;
    c.threads = s->threads;
    c.watch = s->o->watch;
    rc = cooc_pairs(s->db, &c, &hits, &n, err);
    if (rc == 0)
        rc = array_grow(&p->heap.edges, &p->heap.cap, n, sizeof(struct edge),
                        err);
    for (size_t i = 0; i < n && rc == 0; i++)
        p->heap.edges[p->heap.n++] = (struct edge){
            .strength = selection_strength(s, hits[i].score),
            .x = hits[i].pair.x, .y = hits[i].pair.y,
            .count = (uint32_t)hits[i].pair.count };
    cooc_free(hits);
    return rc;
}

int prune_top_edges(struct selection *s, struct cooc_err *err)
{
    struct top_edges p = { .s = s };
    int rc;

    if (s->whole && !s->weakest && s->o->top_edges <=
                     s->memory / (2 * s->threads * sizeof(struct cooc_hit)))
        rc = query_pairs(&p, err);
    else
        rc = selection_walk(s, &(struct walk){
                                   .phase = "finding the strongest",
                                   .direction = FROM_FREQUENT,
                                   .fn = top_edges_row, .self = &p }, err);
    if (rc == 0) /* the list may be empty, but not NULL */
        rc = array_grow(&p.heap.edges, &p.heap.cap, 1, sizeof(struct edge),
                        err);
    if (rc < 0) {
        mem_free(p.heap.edges);
        return rc;
    }
    qsort(p.heap.edges, p.heap.n, sizeof(struct edge), by_row);
    s->list = p.heap.edges;
    s->n_list = p.heap.n;
    return 0;
}

/* ---- the weightiest terms -------------------------------------------- */

struct weight {
    uint64_t sum;
    uint32_t id;
};

static int weigh_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    struct weight *w = self;

    (void)err;
    for (size_t i = 0; i < row->n; i++) {
        w[row->id].sum += row->entries[i].count;
        w[row->entries[i].term].sum += row->entries[i].count;
    }
    return 0;
}

static int by_weight(const void *a, const void *b)
{
    const struct weight *x = a, *y = b;

    if (x->sum != y->sum)
        return x->sum > y->sum ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

int prune_nodes(struct selection *s, struct cooc_err *err)
{
    struct weight *w = mem_zarray(s->n, sizeof *w);
    uint8_t *keep = mem_zarray(s->db->store.docs.n_terms, 1);
    int rc = w && keep ? 0 : err_nomem(err);

    for (uint32_t id = 0; id < s->n && rc == 0; id++)
        w[id].id = id;
    if (rc == 0)
        rc = selection_walk(s, &(struct walk){ .phase = "weighing terms",
                                               .fn = weigh_row, .self = w },
                            err);
    if (rc == 0) {
        qsort(w, s->n, sizeof *w, by_weight);
        for (uint32_t i = 0; i < s->n && i < s->o->nodes; i++)
            if (w[i].sum)
                keep[selection_store_id(s, w[i].id)] = 1;
        rc = selection_narrow(s, keep, err);
    }
    mem_free(w);
    mem_free(keep);
    return rc;
}
