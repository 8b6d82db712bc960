/* selection.h - the terms and pairs of an export, and the walk through them.
 *
 * Filters are applied in this order, each to what the previous ones have kept:
 *
 *     terms      the terms of a list; the terms of two classes; the most
 *                frequent terms
 *     classes    pairs of a term of one class with a term of the other
 *     pairs      min_count, min_score: each pair by itself
 *     per_node   pairs among the K strongest of at least one of their terms
 *     top_edges  the N strongest pairs
 *     nodes      the N terms with the largest sum of counts, and the pairs
 *                between them
 *
 * The last three filters cannot decide by looking at a single pair.  Each of
 * them first walks through all pairs and keeps a small result: the weakest pair
 * that is kept per term, the list of the strongest pairs, which replaces the
 * rows in all later walks, or a smaller set of terms.  So memory grows with the
 * number of terms and with K and N, but not with the number of pairs.
 *
 * The strength of a pair is its measure from the more frequent term to the
 * rarer one, as in `cooc pairs`; ties are broken by ids, also as in `cooc
 * pairs`.
 *
 * The selected terms are numbered anew from 0, in order of their ids.
 */
#ifndef COOC_SELECTION_H
#define COOC_SELECTION_H

#include "base/entry.h"
#include "base/watch.h"
#include "cooc_export.h"
#include "query/pair_classes.h"
#include "query/score.h"

#define NOT_SELECTED UINT32_MAX

/* A pair of two terms x < y, given by their ids in the store. */
struct edge {
    double strength;
    uint32_t x, y, count;
};

struct selection {
    struct cooc *db;
    const struct cooc_export_options *o;
    struct watch *watch;
    const uint64_t *off; /* df of store id t: off[t + 1] - off[t] */
    struct scorer by;
    struct pair_classes classes;
    bool whole;          /* no filter by list or frequency narrows the terms */
    bool plain_count;    /* the score is the count */
    struct bulk_rows bulk; /* for omitted rows */
    uint64_t memory;     /* limit for the filters, in bytes */
    unsigned threads;    /* at most, for all walks */

    uint32_t n;          /* number of selected terms */
    uint32_t *new_id;    /* by store id, or NOT_SELECTED; NULL: unchanged */
    uint32_t *store_id;  /* by new id; in the same block of memory */
    double least;        /* minimum strength; -INFINITY: no limit */
    struct edge *weakest;   /* by store id: of the per_node strongest pairs */
    struct edge *list;      /* the strongest pairs, by y, then x; or NULL */
    size_t n_list;

    uint64_t pairs;      /* number of pairs; set by the survey */
    uint32_t *before, *after; /* partners per new id; set by the survey */
    /* Set by a survey with parts: the rows in parts of about equal size, see
     * selection_cut(), and the partners after each term in each of them:
     * part_after[i * n + id]. */
    uint32_t *parts, *part_after;
    unsigned n_parts;
};

/* Select the terms and run the filters that need a walk. */
int selection_open(struct selection *s, struct cooc *db,
                   const struct cooc_export_options *o, struct watch *watch,
                   struct cooc_err *err);
void selection_release(struct selection *s);

/* Count pairs and partners.  If drop is true, terms without partners are
 * removed from the selection; if keep_parts is true, the partners are also
 * kept by parts. */
int selection_survey(struct selection *s, bool drop, bool keep_parts,
                     struct cooc_err *err);

/* Whether all pairs of the store are selected, so that no survey is needed. */
bool selection_is_all(const struct selection *s);

static inline uint32_t selection_store_id(const struct selection *s,
                                          uint32_t id)
{
    return s->store_id ? s->store_id[id] : id;
}

static inline uint32_t selection_new_id(const struct selection *s, uint32_t t)
{
    return s->new_id ? s->new_id[t] : t;
}

/* The df of a new id. */
static inline uint64_t selection_df(const struct selection *s, uint32_t id)
{
    uint32_t t = selection_store_id(s, id);

    return s->off[t + 1] - s->off[t];
}

int selection_term(const struct selection *s, uint32_t id, const char **name,
                   size_t *len, struct cooc_err *err);

/* Internal: keep only the terms with keep[store id] = 1. */
int selection_narrow(struct selection *s, const uint8_t *keep,
                     struct cooc_err *err);

/* Internal (prune.c): the filters that need a walk. */
int prune_per_node(struct selection *s, struct cooc_err *err);
int prune_top_edges(struct selection *s, struct cooc_err *err);
int prune_nodes(struct selection *s, struct cooc_err *err);

/* Convert a score to a strength, which is greater if the pair is stronger, or
 * back. */
static inline double selection_strength(const struct selection *s,
                                        double score)
{
    return s->by.m->about.lower ? -score : score;
}

/* The pair of entry e in the row of store id t. */
static inline struct edge selection_edge(const struct selection *s, uint32_t t,
                                         const struct entry *e,
                                         double score)
{
    return (struct edge){ .strength = selection_strength(s, score),
                          .x = selection_store_id(s, e->term), .y = t,
                          .count = e->count };
}

static inline bool edge_stronger(const struct edge *a, const struct edge *b)
{
    if (a->strength != b->strength)
        return a->strength > b->strength;
    return a->x != b->x ? a->x < b->x : a->y < b->y;
}

#endif
