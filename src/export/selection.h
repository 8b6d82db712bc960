/* selection.h - which terms and pairs an export holds, and the walk through
 * them.
 *
 * Filters come in this order, each working on what the ones before it left:
 *
 *     terms      those of a list; the most frequent ones
 *     pairs      min_count, min_score: looked at one by one
 *     per_node   a pair stays if it is among the K strongest of either term
 *     top_edges  the N strongest pairs
 *     nodes      the N terms with the largest sum of counts, and the pairs
 *                among them
 *
 * The last three cannot be told from a pair alone.  Each takes a walk through
 * all pairs first, and leaves something small: the weakest pair that stays of
 * each term, the list of the strongest pairs, from which all later walks are
 * fed, or a smaller set of terms.  So memory grows with terms and with what
 * was asked for, not with pairs.
 *
 * The strength of a pair is its measure from the more frequent term to the
 * rarer one, as in `cooc pairs`; equals are told apart by ids, as there.
 *
 * Terms that stay are numbered anew from 0, in order of their ids.
 */
#ifndef COOC_SELECTION_H
#define COOC_SELECTION_H

#include "base/entry.h"
#include "base/watch.h"
#include "cooc_export.h"
#include "query/score.h"

#define NOT_SELECTED UINT32_MAX

/* A pair of two terms x < y, by their ids in the store. */
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
    bool plain_count;    /* by the count itself */
    uint64_t memory;     /* what filters may take */
    unsigned threads;    /* for rows */

    uint32_t n;          /* terms that stay */
    uint32_t *new_id;    /* of a store id, or NOT_SELECTED; NULL: the same */
    uint32_t *store_id;  /* of a new id; in the same block */
    double least;        /* strength asked for; -INFINITY: any */
    struct edge *weakest;   /* by store id: of its per_node strongest */
    struct edge *list;      /* the strongest pairs, by y, then x; or NULL */
    size_t n_list;

    uint64_t pairs;      /* known after the survey */
    uint32_t *before, *after; /* partners of each new id; after the survey */
};

/* Fix the terms and run the filters that take a walk. */
int selection_open(struct selection *s, struct cooc *db,
                   const struct cooc_export_options *o, struct watch *watch,
                   struct cooc_err *err);
void selection_release(struct selection *s);

/* Count pairs and partners; with drop, terms without any go. */
int selection_survey(struct selection *s, bool drop, struct cooc_err *err);

/* Are all pairs of the store here, so that a survey tells nothing new? */
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

/* By new id. */
static inline uint64_t selection_df(const struct selection *s, uint32_t id)
{
    uint32_t t = selection_store_id(s, id);

    return s->off[t + 1] - s->off[t];
}

int selection_term(const struct selection *s, uint32_t id, const char **name,
                   size_t *len, struct cooc_err *err);

/* Keep only the terms with a 1, by store id; for the stages inside. */
int selection_narrow(struct selection *s, const uint8_t *keep,
                     struct cooc_err *err);

/* prune.c: the filters that take a walk. */
int prune_per_node(struct selection *s, struct cooc_err *err);
int prune_top_edges(struct selection *s, struct cooc_err *err);
int prune_nodes(struct selection *s, struct cooc_err *err);

/* The strength of a pair with this score, greater if stronger; or back. */
static inline double selection_strength(const struct selection *s,
                                        double score)
{
    return s->by.m->about.lower ? -score : score;
}

/* Entry e of the row of store id t. */
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
