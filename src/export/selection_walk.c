/* selection_walk.c - through the rows of a selection.
 *
 * A row is decoded, copied without what is left out, and handed on; if nothing
 * is, as it is.  Rows that cannot hold anything are not decoded: those of terms
 * that were not chosen, and of terms in fewer documents than min_count, since a
 * pair meets in at most the df of its rarer term, the term of the row.  After
 * top_edges there is a list of pairs, and no row is decoded any more.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "export/selection.h"

/* The watch is told after so many pairs or rows. */
#define TELL_PAIRS ((uint64_t)1 << 20)
#define TELL_ROWS 4096u
#define FORGET_PAIRS ((uint64_t)1 << 22) /* what they came from goes */

struct walk {
    struct selection *s;
    enum direction direction;
    bool diagonal;
    bool scored;   /* filters look at strengths */
    bool as_it_is; /* nothing is to be left out or added */
    row_fn fn;
    void *self;
    struct row_reader reader;
    struct cooc_entry *kept;
    double *scores;
    size_t kept_cap, scores_cap;
    size_t at; /* in the list */
};

static int grow(struct walk *w, size_t n, struct cooc_err *err)
{
    int rc = array_grow(&w->kept, &w->kept_cap, n, sizeof *w->kept, err);

    if (rc == 0)
        rc = array_grow(&w->scores, &w->scores_cap, n, sizeof *w->scores,
                        err);
    return rc;
}

/* Those of chosen terms with enough documents; ids become new ones. */
static size_t thin_out(const struct walk *w)
{
    const struct selection *s = w->s;
    const struct cooc_entry *from = w->reader.entries;
    uint64_t least = s->o->min_count;
    size_t n = 0;

    for (size_t i = 0; i < w->reader.n; i++) {
        struct cooc_entry e = from[i];

        if (s->new_id)
            e.term = s->new_id[e.term];
        w->kept[n] = e;
        n += e.count >= least && e.term != NOT_SELECTED;
    }
    return n;
}

/* Those that are strong enough by every filter there is so far. */
static size_t keep_strong(const struct walk *w, uint32_t id, size_t n)
{
    const struct selection *s = w->s;
    bool lower = s->by.m->about.lower;
    uint32_t t = selection_store_id(s, id);
    size_t kept = 0;

    selection_scores(s, true, id, w->kept, n, w->scores);
    for (size_t i = 0; i < n; i++) {
        double score = w->scores[i];
        struct edge e = { .strength = lower ? -score : score, .y = t };

        e.x = selection_store_id(s, w->kept[i].term);
        if (e.strength < s->least)
            continue;
        if (s->weakest && edge_stronger(&s->weakest[e.x], &e) &&
            edge_stronger(&s->weakest[e.y], &e))
            continue;
        w->kept[kept] = w->kept[i];
        w->scores[kept++] = score;
    }
    return kept;
}

/* The pairs of row t that are on the list. */
static int fill_from_list(struct walk *w, uint32_t t, struct export_row *row,
                          struct cooc_err *err)
{
    const struct selection *s = w->s;
    const struct edge *e = s->list + w->at;
    size_t n = 0;
    int rc;

    for (; w->at < s->n_list && e->y < t; e++)
        w->at++; /* a row that is not asked for */
    while (w->at + n < s->n_list && e[n].y == t)
        n++;
    w->at += n;
    rc = grow(w, n + 1, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        uint32_t x = s->new_id ? s->new_id[e[i].x] : e[i].x;

        if (x == NOT_SELECTED)
            continue;
        w->kept[row->n] = (struct cooc_entry){ x, e[i].count };
        w->scores[row->n++] = s->by.m->about.lower ? -e[i].strength
                                                   : e[i].strength;
    }
    return rc;
}

static int fill_from_store(struct walk *w, uint32_t t,
                           struct export_row *row, struct cooc_err *err)
{
    const struct selection *s = w->s;
    int rc = 0;

    w->reader.n = 0;
    if (s->off[t + 1] - s->off[t] >= s->o->min_count)
        rc = store_row(&s->db->store, t, &w->reader, err);
    row->entries = w->reader.entries;
    row->n = w->reader.n;
    if (rc < 0 || w->as_it_is)
        return rc;
    rc = grow(w, row->n + 1, err);
    if (rc < 0)
        return rc;
    row->n = thin_out(w);
    if (w->scored)
        row->n = keep_strong(w, row->id, row->n);
    return 0;
}

/* Entries of store row t into *row, and their scores. */
static int fill_row(struct walk *w, uint32_t t, struct export_row *row,
                    struct cooc_err *err)
{
    const struct selection *s = w->s;
    int rc = s->list ? fill_from_list(w, t, row, err)
                     : fill_from_store(w, t, row, err);

    if (rc < 0 || w->as_it_is)
        return rc;
    if (w->diagonal)
        w->kept[row->n++] = (struct cooc_entry){
            row->id, (uint32_t)(s->off[t + 1] - s->off[t]) };
    row->entries = w->kept;
    if (w->direction == NO_SCORES)
        return 0;
    if (w->direction == FROM_ROW || !(w->scored || s->list))
        selection_scores(s, w->direction == FROM_FREQUENT, row->id, w->kept,
                         row->n, w->scores);
    else if (w->diagonal)
        selection_scores(s, true, row->id, w->kept + row->n - 1, 1,
                         w->scores + row->n - 1);
    row->scores = w->scores;
    return 0;
}

static int walk_rows(struct walk *w, struct cooc_err *err)
{
    struct selection *s = w->s;
    uint64_t done = 0, kept = 0;
    int rc = 0;

    for (uint32_t id = 0; id < s->n && rc == 0; id++) {
        struct export_row row = { .id = id };

        rc = fill_row(w, selection_store_id(s, id), &row, err);
        if (rc == 0)
            rc = w->fn(w->self, &row, err);
        done += w->reader.n;
        if (rc == 0 && (done >= TELL_PAIRS || id % TELL_ROWS == 0)) {
            rc = watch_add(s->watch, done, 0, done, err);
            kept += done;
            done = 0;
        }
        if (kept >= FORGET_PAIRS) {
            store_forget_rows(&s->db->store, selection_store_id(s, id));
            kept = 0;
        }
    }
    return rc;
}

int selection_walk(struct selection *s, const char *phase,
                   enum direction direction, bool diagonal, row_fn fn,
                   void *self, struct cooc_err *err)
{
    struct walk w = { .s = s, .direction = direction, .diagonal = diagonal,
                      .fn = fn, .self = self };
    const struct manifest *m = &s->db->store.manifest;
    bool whole = s->n == m->terms && !s->list;
    int rc;

    w.scored = s->least != -INFINITY || s->weakest;
    w.as_it_is = !diagonal && direction == NO_SCORES && selection_is_all(s);
    watch_phase(s->watch, phase, "pairs",
                whole ? m->pairs * (s->both ? 2 : 1) : 0);
    rc = walk_rows(&w, err);
    row_reader_release(&w.reader);
    mem_free(w.kept);
    mem_free(w.scores);
    return rc;
}

/* ---- the list by strength ------------------------------------------------ */

static int by_strength(const void *a, const void *b)
{
    return edge_stronger(a, b) ? -1 : edge_stronger(b, a);
}

/* A row of one pair; the score goes to the row's term, or, if each pair is
 * there both ways, from it. */
static int hand_on(const struct selection *s, const struct list_walk *w,
                   uint32_t id, uint32_t term, uint32_t count,
                   struct cooc_err *err)
{
    struct cooc_entry e = { term, count };
    struct export_row row = { .id = id, .entries = &e, .n = 1 };
    double score;

    if (w->scores) {
        selection_scores(s, !w->both, id, &e, 1, &score);
        row.scores = &score;
    }
    return w->fn(w->self, &row, err);
}

int selection_walk_list(struct selection *s, const struct list_walk *w,
                        struct cooc_err *err)
{
    int rc = 0;

    qsort(s->list, s->n_list, sizeof *s->list, by_strength);
    watch_phase(s->watch, "exporting", "pairs", s->n_list);
    for (size_t i = 0; i < s->n_list && rc == 0; i++) {
        const struct edge *e = &s->list[i];
        uint32_t x = s->new_id ? s->new_id[e->x] : e->x;
        uint32_t y = s->new_id ? s->new_id[e->y] : e->y;

        if (x == NOT_SELECTED || y == NOT_SELECTED)
            continue;
        if (w->both)
            rc = hand_on(s, w, x, y, e->count, err);
        if (rc == 0)
            rc = hand_on(s, w, y, x, e->count, err);
        if (rc == 0 && i % TELL_ROWS == 0)
            rc = watch_add(s->watch, i ? TELL_ROWS : 0, 0, 0, err);
    }
    for (uint32_t id = 0; w->diagonal && id < s->n && rc == 0; id++)
        rc = hand_on(s, w, id, id, (uint32_t)selection_df(s, id), err);
    return rc;
}
