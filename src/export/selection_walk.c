/* selection_walk.c - the walk through the rows of a selection.
 *
 * The idea.  Scoring takes most of the time, so rows are scored in parallel,
 * one round of rows at a time.  Everything else is done by the calling thread,
 * in order:
 *
 *     for each row
 *         decode it and add its entries to the round
 *         when the round has enough pairs
 *             in parallel, for each row of the round
 *                 score its entries, and drop those that are too weak
 *             pass the rows to the callback in order
 *
 * Without scores, a round is one row; if nothing is omitted or added either,
 * the decoded row itself is passed on.
 *
 * Rows without wanted pairs are not decoded: the rows of terms that are not
 * selected, and of terms in fewer documents than min_count, because the count
 * of a pair is at most the df of its rarer term, the term of the row.  After
 * top_edges, the list of pairs is used and no row is decoded any more.
 *
 * Memory.  16 bytes per pair of a round, and 8 bytes per pair of the longest
 * row.  A round has at most ROUND_PAIRS pairs per thread, takes at most one
 * eighth of the memory of the selection, and ends with the row that exceeds
 * this.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "export/selection_walk.h"

/* Progress is reported after this number of pairs or rows. */
#define REPORT_PAIRS ((uint64_t)1 << 20)
#define REPORT_ROWS 4096u
#define FORGET_PAIRS ((uint64_t)1 << 22) /* between two drops of pages */

#define ROUND_PAIRS ((uint64_t)1 << 18)      /* per thread */
#define ROUND_PAIRS_ALONE ((uint64_t)1 << 12) /* one thread: fits the cache */
#define ROUND_ROWS 16384u

/* A row of the round: the first stored entries come from the store or the list;
 * the entries after them are kept regardless of their strength. */
struct round_row {
    uint32_t id;
    size_t at, n, stored;
};

struct walker {
    struct selection *s;
    const struct walk *w;
    bool filtered; /* pairs are filtered by strength */
    bool scored;   /* scores are computed, in the filter or after it */
    bool as_it_is; /* nothing is omitted or added */
    unsigned threads;
    struct row_reader reader;
    struct entry *entries; /* entries of the round */
    double *scores;
    size_t n, enough, entries_cap, scores_cap;
    struct round_row *rows;
    size_t n_rows;
    size_t at;           /* position in the list */
    uint64_t done, kept; /* pairs since the last progress report, and since
                          * pages were dropped */
};

/* ---- one row ----------------------------------------------------------- */

/* Add the decoded entries of selected terms with a sufficient count, with new
 * ids. */
static void add_chosen(struct walker *v)
{
    const struct selection *s = v->s;
    const struct entry *from = v->reader.entries;
    uint64_t least = s->o->min_count;
    size_t n = v->n;

    if (!s->new_id && least <= 1 && v->reader.n) { /* all of them */
        memcpy(v->entries + n, from, v->reader.n * sizeof *from);
        v->n += v->reader.n;
        return;
    }
    for (size_t i = 0; i < v->reader.n; i++) {
        struct entry e = from[i];

        if (s->new_id)
            e.term = s->new_id[e.term];
        v->entries[n] = e;
        n += e.count >= least && e.term != NOT_SELECTED;
    }
    v->n = n;
}

/* Get the pairs of row t from the list, as if they had been decoded. */
static int read_listed(struct walker *v, uint32_t t, struct cooc_err *err)
{
    const struct edge *list = v->s->list;
    struct row_reader *r = &v->reader;
    int rc = 0;

    for (; v->at < v->s->n_list && list[v->at].y <= t && rc == 0; v->at++) {
        if (list[v->at].y < t)
            continue; /* of a row that is not selected */
        rc = array_grow(&r->decoded, &r->cap, r->n + 1, sizeof *r->decoded,
                        err);
        if (rc == 0)
            r->decoded[r->n++] = (struct entry){ list[v->at].x,
                                                      list[v->at].count };
    }
    r->entries = r->decoded;
    return rc;
}

/* Read row id, unless it has no wanted pairs. */
static int read_row(struct walker *v, uint32_t id, struct cooc_err *err)
{
    const struct selection *s = v->s;
    uint32_t t = selection_store_id(s, id);
    int rc = 0;

    v->reader.n = 0;
    if (s->list)
        return read_listed(v, t, err);
    if (selection_df(s, id) >= s->o->min_count)
        rc = store_row(&s->db->store, t, &v->reader, err);
    v->done += v->reader.n;
    return rc;
}

/* Add row id, which has been read, to the round. */
static int add_row(struct walker *v, uint32_t id, struct cooc_err *err)
{
    const struct selection *s = v->s;
    const struct later_partners *a = v->w->later;
    struct round_row *row = &v->rows[v->n_rows++];
    uint64_t start = a ? a->start[id - a->first] : 0;
    size_t n_later = a ? (size_t)(a->start[id - a->first + 1] - start) : 0;
    size_t need = v->n + v->reader.n + 1 + n_later;
    int rc = array_grow(&v->entries, &v->entries_cap, need,
                        sizeof *v->entries, err);

    if (rc == 0 && v->scored)
        rc = array_grow(&v->scores, &v->scores_cap, need, sizeof *v->scores,
                        err);
    if (rc < 0)
        return rc;
    *row = (struct round_row){ .id = id, .at = v->n };
    add_chosen(v);
    row->stored = v->n - row->at;
    if (v->w->diagonal)
        v->entries[v->n++] = (struct entry){
            id, (uint32_t)selection_df(s, id) };
    if (n_later)
        memcpy(v->entries + v->n, a->entries + start,
               n_later * sizeof *v->entries);
    v->n += n_later;
    v->done += n_later;
    row->n = v->n - row->at;
    return 0;
}

/* ---- scores ------------------------------------------------------------ */

/* Compute the scores of entries with new ids, from term x to the terms of the
 * entries or reversed. */
static void score(const struct selection *s, bool reverse, uint32_t x,
                  const struct entry *entries, size_t n, double *out)
{
    struct cooc_pair p = { .total = s->db->store.docs.n_docs };
    uint64_t df = selection_df(s, x);

    for (size_t i = 0; i < n; i++) {
        uint64_t other = selection_df(s, entries[i].term);

        p.count = entries[i].count;
        p.fx = reverse ? other : df;
        p.fy = reverse ? df : other;
        out[i] = scorer_score(&s->by, &p);
    }
}

/* Keep the stored entries that pass every filter by strength so far, with their
 * scores, and close the gaps in the row. */
static void keep_strong(const struct walker *v, struct round_row *row)
{
    const struct selection *s = v->s;
    uint32_t t = selection_store_id(s, row->id);
    struct entry *entries = v->entries + row->at;
    double *scores = v->scores + row->at;
    size_t kept = 0, rest = row->n - row->stored;

    score(s, true, row->id, entries, row->stored, scores);
    for (size_t i = 0; i < row->stored; i++) {
        struct edge e = selection_edge(s, t, &entries[i], scores[i]);

        if (e.strength < s->least)
            continue;
        if (s->weakest && edge_stronger(&s->weakest[e.x], &e) &&
            edge_stronger(&s->weakest[e.y], &e))
            continue;
        entries[kept] = entries[i];
        scores[kept++] = scores[i];
    }
    memmove(entries + kept, entries + row->stored, rest * sizeof *entries);
    row->stored = kept;
    row->n = kept + rest;
}

static int score_row(void *self, unsigned worker, uint64_t job,
                     struct cooc_err *err)
{
    const struct walker *v = self;
    struct round_row *row = &v->rows[job];
    enum direction direction = v->w->direction;
    size_t have = 0; /* scores computed by the filter */

    (void)worker;
    (void)err;
    if (v->filtered)
        keep_strong(v, row);
    if (v->filtered && direction == FROM_FREQUENT)
        have = row->stored;
    if (direction != NO_SCORES)
        score(v->s, direction == FROM_FREQUENT, row->id,
              v->entries + row->at + have, row->n - have,
              v->scores + row->at + have);
    return 0;
}

/* ---- rounds ------------------------------------------------------------ */

static int emit_round(struct walker *v, struct cooc_err *err)
{
    int rc = 0;

    if (v->scored)
        rc = pool_for(v->n_rows, v->threads, score_row, v, err);
    for (size_t i = 0; i < v->n_rows && rc == 0; i++) {
        const struct round_row *r = &v->rows[i];
        struct export_row row = { .id = r->id, .n = r->n,
                                  .entries = v->entries + r->at };

        if (v->w->direction != NO_SCORES)
            row.scores = v->scores + r->at;
        rc = v->w->fn(v->w->self, &row, err);
    }
    v->n = v->n_rows = 0;
    return rc;
}

static int report_progress(struct walker *v, uint32_t id, struct cooc_err *err)
{
    int rc = 0;

    if (v->done >= REPORT_PAIRS || id % REPORT_ROWS == 0) {
        rc = watch_add(v->s->watch, v->done, 0, v->done, err);
        v->kept += v->done;
        v->done = 0;
    }
    if (v->kept >= FORGET_PAIRS) {
        store_forget_rows(&v->s->db->store, selection_store_id(v->s, id));
        v->kept = 0;
    }
    return rc;
}

static int walk_rows(struct walker *v, uint32_t first, uint32_t last,
                     struct cooc_err *err)
{
    int rc = 0;

    for (uint32_t id = first; id < last && rc == 0; id++) {
        rc = read_row(v, id, err);
        if (rc == 0 && v->as_it_is) {
            struct export_row row = { .id = id, .n = v->reader.n,
                                      .entries = v->reader.entries };

            rc = v->w->fn(v->w->self, &row, err);
        } else if (rc == 0) {
            rc = add_row(v, id, err);
            if (rc == 0 && (v->n >= v->enough || v->n_rows == ROUND_ROWS ||
                            id + 1 == last))
                rc = emit_round(v, err);
        }
        if (rc == 0)
            rc = report_progress(v, id, err);
    }
    return rc;
}

int selection_walk(struct selection *s, const struct walk *w,
                   struct cooc_err *err)
{
    struct walker v = { .s = s, .w = w, .threads = s->threads };
    const struct manifest *m = &s->db->store.manifest;
    bool whole = s->n == m->terms && !s->list;
    size_t most = (size_t)(s->memory / 8) /
                  (sizeof *v.entries + sizeof *v.scores);
    int rc;

    if (s->plain_count || s->list)
        v.threads = 1; /* scores are counts, or there are few */
    v.filtered = !s->list && (s->least != -INFINITY || s->weakest);
    v.scored = v.filtered || w->direction != NO_SCORES;
    v.as_it_is = !v.scored && !w->diagonal && !w->later && selection_is_all(s);
    if (v.scored)
        v.enough = v.threads == 1 ? ROUND_PAIRS_ALONE
                                  : ROUND_PAIRS * v.threads;
    v.enough = v.enough < most ? v.enough : most;
    if (w->phase)
        watch_phase(s->watch, w->phase, "pairs",
                    whole ? m->pairs * (w->later ? 2 : 1) : 0);
    v.rows = mem_array(ROUND_ROWS, sizeof *v.rows);
    rc = v.rows ? walk_rows(&v, w->later ? w->later->first : 0,
                            w->later ? w->later->last : s->n, err)
                : err_nomem(err);
    row_reader_release(&v.reader);
    mem_free(v.entries);
    mem_free(v.scores);
    mem_free(v.rows);
    return rc;
}

/* ---- the list by strength ------------------------------------------------ */

static int by_strength(const void *a, const void *b)
{
    return edge_stronger(a, b) ? -1 : edge_stronger(b, a);
}

static int emit_pair(const struct selection *s, const struct walk *w,
                     uint32_t id, uint32_t term, uint32_t count,
                     struct cooc_err *err)
{
    struct entry e = { term, count };
    struct export_row row = { .id = id, .entries = &e, .n = 1 };
    double value;

    if (w->direction != NO_SCORES) {
        score(s, w->direction == FROM_FREQUENT, id, &e, 1, &value);
        row.scores = &value;
    }
    return w->fn(w->self, &row, err);
}

int selection_walk_list(struct selection *s, const struct walk *w, bool both,
                        struct cooc_err *err)
{
    int rc = 0;

    qsort(s->list, s->n_list, sizeof *s->list, by_strength);
    watch_phase(s->watch, w->phase, "pairs", s->n_list);
    for (size_t i = 0; i < s->n_list && rc == 0; i++) {
        const struct edge *e = &s->list[i];
        uint32_t x = selection_new_id(s, e->x);
        uint32_t y = selection_new_id(s, e->y);

        if (x == NOT_SELECTED || y == NOT_SELECTED)
            continue;
        if (both)
            rc = emit_pair(s, w, x, y, e->count, err);
        if (rc == 0)
            rc = emit_pair(s, w, y, x, e->count, err);
        if (rc == 0 && i % REPORT_ROWS == 0)
            rc = watch_add(s->watch, i ? REPORT_ROWS : 0, 0, 0, err);
    }
    for (uint32_t id = 0; w->diagonal && id < s->n && rc == 0; id++)
        rc = emit_pair(s, w, id, id, (uint32_t)selection_df(s, id), err);
    return rc;
}
