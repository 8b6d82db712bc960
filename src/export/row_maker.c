/* row_maker.c - read, filter and score the rows of a selection.
 *
 * Rows without wanted pairs are not decoded: the rows of terms that are not
 * selected, and of terms in fewer documents than min_count, because the count
 * of a pair is at most the df of its rarer term, the term of the row.  After
 * top_edges, the list of pairs is used and no row is decoded any more.
 *
 * If nothing is omitted or added, row_maker_get() passes on the decoded row
 * itself.
 */
#include "export/row_maker.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

void row_batch_release(struct row_batch *b)
{
    mem_free(b->entries);
    mem_free(b->scores);
    mem_free(b->rows);
    *b = (struct row_batch){ 0 };
}

struct export_row row_batch_get(const struct row_batch *b, size_t i,
                                const struct walk *w)
{
    const struct batch_row *r = &b->rows[i];

    return (struct export_row){
        .id = r->id, .n = r->n, .entries = b->entries + r->at,
        .scores = w->direction == NO_SCORES ? NULL : b->scores + r->at };
}

void row_maker_init(struct row_maker *m, const struct selection *s,
                    const struct walk *w)
{
    *m = (struct row_maker){ .s = s, .w = w, .reader.bulk = &s->bulk };
    m->filtered = !s->list && (s->least != -INFINITY || s->weakest);
    m->scored = m->filtered || w->direction != NO_SCORES;
    m->as_it_is = !m->scored && !w->diagonal && !w->later &&
                  selection_is_all(s);
}

void row_maker_release(struct row_maker *m)
{
    row_reader_release(&m->reader);
    row_batch_release(&m->one);
}

/* ---- reading ------------------------------------------------------------ */

/* The position in the list of the first pair of row t or a later one. */
static size_t list_position(const struct selection *s, uint32_t t)
{
    size_t low = 0, high = s->n_list;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->list[middle].y < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Get the pairs of row t from the list, as if they had been decoded. */
static int read_listed(struct row_maker *m, uint32_t t, struct cooc_err *err)
{
    const struct edge *list = m->s->list;
    struct row_reader *r = &m->reader;
    int rc = 0;

    for (size_t i = list_position(m->s, t);
         i < m->s->n_list && list[i].y == t && rc == 0; i++) {
        rc = array_grow(&r->decoded, &r->cap, r->n + 1, sizeof *r->decoded,
                        err);
        if (rc == 0)
            r->decoded[r->n++] = (struct entry){ list[i].x, list[i].count };
    }
    r->entries = r->decoded;
    return rc;
}

/* Read row id, unless it has no wanted pairs. */
static int read_row(struct row_maker *m, uint32_t id, struct cooc_err *err)
{
    const struct selection *s = m->s;
    uint32_t t = selection_store_id(s, id);
    int rc = 0;

    m->reader.n = 0;
    if (s->list)
        return read_listed(m, t, err);
    if (selection_df(s, id) >= s->o->min_count)
        rc = store_row(&s->db->store, t, &m->reader, err);
    m->done += m->reader.n;
    return rc;
}

/* Append the decoded entries of row t that are pairs of the two classes, of
 * selected terms with a sufficient count, with new ids. */
static void add_classes(const struct row_maker *m, uint32_t t,
                        struct row_batch *b)
{
    const struct selection *s = m->s;
    unsigned needed = pair_classes_needed(&s->classes, t);
    size_t n = b->n;

    for (size_t i = 0; i < m->reader.n; i++) {
        struct entry e = m->reader.entries[i];
        bool wanted = pair_classes_have(&s->classes, e.term, needed);

        e.term = selection_new_id(s, e.term);
        b->entries[n] = e;
        n += wanted && e.count >= s->o->min_count && e.term < s->n;
    }
    b->n = n;
}

/* The same for pairs of any terms. */
static void add_chosen(const struct row_maker *m, struct row_batch *b)
{
    const struct selection *s = m->s;
    const struct entry *from = m->reader.entries;
    uint64_t least = s->o->min_count;
    size_t n = b->n;

    if (!s->new_id && least <= 1) { /* all of them */
        if (m->reader.n)
            memcpy(b->entries + n, from, m->reader.n * sizeof *from);
        b->n += m->reader.n;
        return;
    }
    for (size_t i = 0; i < m->reader.n; i++) {
        struct entry e = from[i];

        if (s->new_id)
            e.term = s->new_id[e.term];
        b->entries[n] = e;
        n += e.count >= least && e.term != NOT_SELECTED;
    }
    b->n = n;
}

/* ---- scores ------------------------------------------------------------- */

void row_score(const struct selection *s, bool reverse, uint32_t x,
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

/* Keep the entries of row id from position `at` that pass every filter by
 * strength so far, with their scores. */
static void keep_strong(const struct row_maker *m, uint32_t id,
                        struct row_batch *b, size_t at)
{
    const struct selection *s = m->s;
    uint32_t t = selection_store_id(s, id);
    size_t kept = at;

    row_score(s, true, id, b->entries + at, b->n - at, b->scores + at);
    for (size_t i = at; i < b->n; i++) {
        struct edge e = selection_edge(s, t, &b->entries[i], b->scores[i]);

        if (e.strength < s->least)
            continue;
        if (s->weakest && edge_stronger(&s->weakest[e.x], &e) &&
            edge_stronger(&s->weakest[e.y], &e))
            continue;
        b->entries[kept] = b->entries[i];
        b->scores[kept++] = b->scores[i];
    }
    b->n = kept;
}

/* ---- one row ------------------------------------------------------------ */

static int make_room(const struct row_maker *m, struct row_batch *b, size_t n,
                     struct cooc_err *err)
{
    int rc = array_grow(&b->entries, &b->entries_cap, b->n + n,
                        sizeof *b->entries, err);

    if (rc == 0 && m->scored)
        rc = array_grow(&b->scores, &b->scores_cap, b->n + n,
                        sizeof *b->scores, err);
    if (rc == 0)
        rc = array_grow(&b->rows, &b->rows_cap, b->n_rows + 1,
                        sizeof *b->rows, err);
    return rc;
}

/* Append row id, which has been read.  Entries that are not from the store are
 * kept regardless of their strength. */
static int add_row(struct row_maker *m, uint32_t id, struct row_batch *b,
                   struct cooc_err *err)
{
    const struct later_partners *a = m->w->later;
    enum direction direction = m->w->direction;
    uint64_t start = a ? a->start[id - a->first] : 0;
    size_t n_later = a ? (size_t)(a->start[id - a->first + 1] - start) : 0;
    size_t at = b->n, scored = b->n; /* scored: by the filter, up to here */
    int rc = make_room(m, b, m->reader.n + 1 + n_later, err);

    if (rc < 0)
        return rc;
    if (m->s->classes.of)
        add_classes(m, selection_store_id(m->s, id), b);
    else
        add_chosen(m, b);
    if (m->filtered)
        keep_strong(m, id, b, at);
    if (m->filtered && direction == FROM_FREQUENT)
        scored = b->n;
    if (m->w->diagonal)
        b->entries[b->n++] = (struct entry){
            id, (uint32_t)selection_df(m->s, id) };
    if (n_later)
        memcpy(b->entries + b->n, a->entries + start,
               n_later * sizeof *b->entries);
    b->n += n_later;
    m->done += n_later;
    if (direction != NO_SCORES)
        row_score(m->s, direction == FROM_FREQUENT, id, b->entries + scored,
                  b->n - scored, b->scores + scored);
    b->rows[b->n_rows++] = (struct batch_row){ id, at, b->n - at };
    return 0;
}

int row_maker_add(struct row_maker *m, uint32_t id, struct row_batch *b,
                  struct cooc_err *err)
{
    int rc = read_row(m, id, err);

    return rc == 0 ? add_row(m, id, b, err) : rc;
}

int row_maker_get(struct row_maker *m, uint32_t id, struct export_row *row,
                  struct cooc_err *err)
{
    int rc = read_row(m, id, err);

    if (rc == 0 && m->as_it_is) {
        *row = (struct export_row){ .id = id, .n = m->reader.n,
                                    .entries = m->reader.entries };
        return 0;
    }
    m->one.n = m->one.n_rows = 0;
    if (rc == 0)
        rc = add_row(m, id, &m->one, err);
    if (rc == 0)
        *row = row_batch_get(&m->one, 0, m->w);
    return rc;
}
