/* selection_walk.c - through the rows of a selection.
 *
 * The idea.  A row is decoded, filtered and scored by any worker, and handed
 * on by the calling thread alone, in order:
 *
 *     for each round of rows
 *         in parallel, for each row
 *             append it to the buffer of this worker
 *         for each row of the round, in order
 *             hand it on
 *
 * A round ends when its buffers hold enough pairs.  Rows are started in order,
 * so the rows that are missing then are the last ones, except for a few that
 * the calling thread makes when it comes to them.  On one thread every row is
 * made like that, and nothing is buffered.  Only the calling thread writes
 * because a signal interrupts the write() of that thread alone.
 *
 * Rows that cannot hold anything are not decoded: those of terms that were
 * not chosen, and of terms in fewer documents than min_count, since a pair
 * meets in at most the df of its rarer term, the term of the row.  After
 * top_edges there is a list of pairs, and no row is decoded any more.
 *
 * Memory.  A round has at most ROUND_PAIRS pairs per thread and one eighth of
 * the memory of the selection, and one more row per thread; a pair takes 16
 * bytes.  Each thread also has a decoded row of 8 bytes per pair.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "export/selection.h"

/* The watch is told after this number of pairs or rows. */
#define TELL_PAIRS ((uint64_t)1 << 20)
#define TELL_ROWS 4096u
#define FORGET_PAIRS ((uint64_t)1 << 22) /* pages they came from are dropped */

#define ROUND_PAIRS ((uint64_t)1 << 18) /* per thread */
#define ROUND_ROWS 16384u
#define PAIR_BYTES (sizeof(struct cooc_entry) + sizeof(double))

/* What one thread has made in this round, row after row. */
struct worker {
    struct row_reader reader;
    struct cooc_entry *entries;
    double *scores;
    size_t n, entries_cap, scores_cap;
    size_t read; /* pairs read for the last row, for the watch */
};

/* Where to find a row of the round. */
struct made {
    const struct worker *by; /* NULL: it is not made yet */
    size_t at, n, read;
};

struct walker {
    struct selection *s;
    const struct walk *w;
    bool scored;   /* filters look at strengths */
    bool as_it_is; /* nothing is left out or added */
    struct worker *workers;
    unsigned threads;
    struct made *rows;   /* of the round; NULL on one thread */
    uint32_t first;      /* row of the round */
    uint32_t ahead;      /* number of rows that the next round tries */
    uint64_t round_pairs;       /* that are enough for a round */
    atomic_uint_fast64_t pairs; /* in this round so far */
    uint64_t done, kept; /* pairs since the watch was told, since pages were
                          * dropped */
    size_t at;           /* in the list */
};

/* ---- scores ------------------------------------------------------------ */

/* Scores of entries with new ids, from term x to theirs or back. */
static void score(const struct selection *s, bool reverse, uint32_t x,
                  const struct cooc_entry *entries, size_t n, double *out)
{
    struct cooc_pair p = { .documents = s->db->store.docs.n_docs };
    uint64_t df = selection_df(s, x);

    for (size_t i = 0; i < n; i++) {
        uint64_t other = selection_df(s, entries[i].term);

        p.count = entries[i].count;
        p.df_x = reverse ? other : df;
        p.df_y = reverse ? df : other;
        out[i] = scorer_score(&s->by, &p);
    }
}

/* ---- one row ----------------------------------------------------------- */

static int grow(struct worker *k, size_t more, struct cooc_err *err)
{
    int rc = array_grow(&k->entries, &k->entries_cap, k->n + more,
                        sizeof *k->entries, err);

    if (rc == 0)
        rc = array_grow(&k->scores, &k->scores_cap, k->n + more,
                        sizeof *k->scores, err);
    return rc;
}

/* Add the decoded entries of chosen terms with enough documents; ids become
 * new ones. */
static void thin_out(const struct selection *s, struct worker *k)
{
    const struct cooc_entry *from = k->reader.entries;
    uint64_t least = s->o->min_count;
    size_t n = k->n;

    if (!s->new_id && least <= 1 && k->reader.n) {
        memcpy(k->entries + n, from, k->reader.n * sizeof *from);
        k->n += k->reader.n;
        return;
    }
    for (size_t i = 0; i < k->reader.n; i++) {
        struct cooc_entry e = from[i];

        if (s->new_id)
            e.term = s->new_id[e.term];
        k->entries[n] = e;
        n += e.count >= least && e.term != NOT_SELECTED;
    }
    k->n = n;
}

/* Keep the entries since at that are strong enough by every filter so far. */
static void keep_strong(const struct selection *s, struct worker *k,
                        uint32_t id, size_t at)
{
    uint32_t t = selection_store_id(s, id);
    size_t kept = at;

    score(s, true, id, k->entries + at, k->n - at, k->scores + at);
    for (size_t i = at; i < k->n; i++) {
        struct edge e = selection_edge(s, t, &k->entries[i], k->scores[i]);

        if (e.strength < s->least)
            continue;
        if (s->weakest && edge_stronger(&s->weakest[e.x], &e) &&
            edge_stronger(&s->weakest[e.y], &e))
            continue;
        k->entries[kept] = k->entries[i];
        k->scores[kept++] = k->scores[i];
    }
    k->n = kept;
}

/* The number of pairs of row t on the list, which begin at v->at. */
static size_t find_on_list(struct walker *v, uint32_t t)
{
    const struct selection *s = v->s;
    size_t end;

    while (v->at < s->n_list && s->list[v->at].y < t)
        v->at++; /* of a row that was not chosen */
    for (end = v->at; end < s->n_list && s->list[end].y == t;)
        end++;
    return end - v->at;
}

static void take_from_list(struct walker *v, struct worker *k, size_t n)
{
    const struct selection *s = v->s;

    for (; n > 0; n--) {
        const struct edge *e = &s->list[v->at++];
        uint32_t x = selection_new_id(s, e->x);

        if (x == NOT_SELECTED)
            continue;
        k->entries[k->n] = (struct cooc_entry){ x, e->count };
        k->scores[k->n++] = selection_strength(s, e->strength);
    }
}

/* The number of partners after term id. */
static size_t n_after(const struct after *a, uint32_t id)
{
    return a ? (size_t)(a->start[id - a->first + 1] - a->start[id - a->first])
             : 0;
}

/* Add what a row has after the pairs of the store, and its scores; those of
 * the entries before scored are there. */
static void finish_row(const struct walker *v, struct worker *k, size_t at,
                       size_t scored, struct export_row *row)
{
    const struct after *a = v->w->after;

    if (v->w->diagonal)
        k->entries[k->n++] = (struct cooc_entry){
            row->id, (uint32_t)selection_df(v->s, row->id) };
    if (a) {
        size_t n = n_after(a, row->id);

        memcpy(k->entries + k->n, a->entries + a->start[row->id - a->first],
               n * sizeof *k->entries);
        k->n += n;
    }
    row->entries = k->entries + at;
    row->n = k->n - at;
    if (v->w->direction == NO_SCORES)
        return;
    if (v->w->direction == FROM_ROW)
        scored = at;
    score(v->s, v->w->direction == FROM_FREQUENT, row->id,
          k->entries + scored, k->n - scored, k->scores + scored);
    row->scores = k->scores + at;
}

/* Make row id and append it to the buffers of k; *row is valid until k makes
 * another one.  Without keep, the entries may be those of the reader. */
static int make_row(struct walker *v, struct worker *k, uint32_t id,
                    bool keep, struct export_row *row, struct cooc_err *err)
{
    const struct selection *s = v->s;
    uint32_t t = selection_store_id(s, id);
    size_t at = k->n, listed = 0;
    int rc = 0;

    k->reader.n = 0;
    if (s->list)
        listed = find_on_list(v, t);
    else if (selection_df(s, id) >= s->o->min_count)
        rc = store_row(&s->db->store, t, &k->reader, err);
    *row = (struct export_row){ .id = id, .entries = k->reader.entries,
                                .n = k->reader.n };
    k->read = row->n + n_after(v->w->after, id);
    if (rc < 0 || (v->as_it_is && !keep))
        return rc;
    rc = grow(k, listed + k->read + 1, err);
    if (rc < 0)
        return rc;
    take_from_list(v, k, listed);
    thin_out(s, k);
    if (v->scored && !s->list)
        keep_strong(s, k, id, at);
    finish_row(v, k, at, v->scored || s->list ? k->n : at, row);
    return 0;
}

/* ---- rounds ------------------------------------------------------------ */

/* Make one row of a round unless the round has enough pairs. */
static int make_ahead(void *self, unsigned worker, uint64_t job,
                      struct cooc_err *err)
{
    struct walker *v = self;
    struct worker *k = &v->workers[worker];
    struct made *m = &v->rows[job];
    struct export_row row;
    size_t at = k->n;
    int rc;

    m->by = NULL;
    if (atomic_load(&v->pairs) >= v->round_pairs)
        return 0;
    rc = make_row(v, k, v->first + (uint32_t)job, true, &row, err);
    *m = (struct made){ .by = k, .at = at, .n = row.n,
                        .read = k->read };
    atomic_fetch_add(&v->pairs, row.n);
    return rc;
}

/* Make the rows of a round that begins at v->first, n at most; *n becomes
 * the number of its rows. */
static int make_round(struct walker *v, uint32_t *n, struct cooc_err *err)
{
    uint32_t tried = *n < v->ahead ? *n : v->ahead;
    int rc;

    if (!v->rows)
        return 0;
    for (unsigned i = 0; i < v->threads; i++)
        v->workers[i].n = 0;
    atomic_store(&v->pairs, 0);
    rc = pool_for(tried, v->threads, make_ahead, v, err);
    for (*n = tried; rc == 0 && !v->rows[*n - 1].by;)
        --*n;
    v->ahead = *n < tried ? *n + *n / 8 + v->threads : 2 * v->ahead;
    v->ahead = v->ahead < ROUND_ROWS ? v->ahead : ROUND_ROWS;
    return rc;
}

static int tell(struct walker *v, uint32_t id, size_t pairs,
                struct cooc_err *err)
{
    int rc = 0;

    v->done += pairs;
    if (v->done >= TELL_PAIRS || id % TELL_ROWS == 0) {
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

/* Hand on row i of the round; make it now if no worker has. */
static int hand_on(struct walker *v, uint32_t i, struct cooc_err *err)
{
    struct worker *k = &v->workers[0];
    const struct made *m = v->rows ? &v->rows[i] : NULL;
    size_t n = k->n, read;
    struct export_row row;
    int rc = 0;

    if (m && m->by) {
        row = (struct export_row){ .id = v->first + i, .n = m->n,
                                   .entries = m->by->entries + m->at };
        if (v->w->direction != NO_SCORES)
            row.scores = m->by->scores + m->at;
        read = m->read;
    } else {
        rc = make_row(v, k, v->first + i, false, &row, err);
        read = k->read;
        k->n = n;
    }
    if (rc == 0)
        rc = v->w->fn(v->w->self, &row, err);
    return rc < 0 ? rc : tell(v, row.id, read, err);
}

static int walk_rows(struct walker *v, uint32_t last, struct cooc_err *err)
{
    int rc = 0;

    while (v->first < last && rc == 0) {
        uint32_t n = last - v->first;

        rc = make_round(v, &n, err);
        for (uint32_t i = 0; i < n && rc == 0; i++)
            rc = hand_on(v, i, err);
        v->first += n;
    }
    return rc;
}

/* Only scores are worth threads: to decode a row takes no longer than to copy
 * it to another thread.  A list has its scores, and is read in order. */
static unsigned threads_for(const struct walker *v)
{
    bool scores = v->scored || v->w->direction != NO_SCORES;

    return scores && !v->s->plain_count && !v->s->list ? v->s->threads : 1;
}

int selection_walk(struct selection *s, const struct walk *w,
                   struct cooc_err *err)
{
    const struct manifest *m = &s->db->store.manifest;
    bool whole = s->n == m->terms && !s->list;
    uint64_t most = s->memory / 8 / PAIR_BYTES;
    struct walker v = { .s = s, .w = w, .ahead = 64 };
    int rc;

    v.scored = s->least != -INFINITY || s->weakest;
    v.as_it_is = !w->diagonal && w->direction == NO_SCORES && !w->after &&
                 selection_is_all(s);
    v.threads = threads_for(&v);
    v.round_pairs = ROUND_PAIRS * v.threads;
    v.round_pairs = v.round_pairs < most ? v.round_pairs : most;
    v.first = w->after ? w->after->first : 0;
    if (w->phase)
        watch_phase(s->watch, w->phase, "pairs",
                    whole ? m->pairs * (w->after ? 2 : 1) : 0);
    v.workers = mem_zarray(v.threads, sizeof *v.workers);
    if (v.threads > 1)
        v.rows = mem_array(ROUND_ROWS, sizeof *v.rows);
    rc = v.workers && (v.rows || v.threads == 1)
             ? walk_rows(&v, w->after ? w->after->last : s->n, err)
             : err_nomem(err);
    for (unsigned i = 0; v.workers && i < v.threads; i++) {
        row_reader_release(&v.workers[i].reader);
        mem_free(v.workers[i].entries);
        mem_free(v.workers[i].scores);
    }
    mem_free(v.workers);
    mem_free(v.rows);
    return rc;
}

/* ---- the list by strength ------------------------------------------------ */

static int by_strength(const void *a, const void *b)
{
    return edge_stronger(a, b) ? -1 : edge_stronger(b, a);
}

static int hand_on_pair(const struct selection *s, const struct walk *w,
                        uint32_t id, uint32_t term, uint32_t count,
                        struct cooc_err *err)
{
    struct cooc_entry e = { term, count };
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
            rc = hand_on_pair(s, w, x, y, e->count, err);
        if (rc == 0)
            rc = hand_on_pair(s, w, y, x, e->count, err);
        if (rc == 0 && i % TELL_ROWS == 0)
            rc = watch_add(s->watch, i ? TELL_ROWS : 0, 0, 0, err);
    }
    for (uint32_t id = 0; w->diagonal && id < s->n && rc == 0; id++)
        rc = hand_on_pair(s, w, id, id, (uint32_t)selection_df(s, id), err);
    return rc;
}
