/* matrix.c - the pairs of some terms as a sparse matrix (CSR).
 *
 * The rows of the store are read twice in the order of their ids: first to
 * count the entries of each row of the matrix, then to fill them in.  An entry
 * (t, s) of the store gives (t, s) and (s, t) of a symmetric matrix.  Nothing
 * has to be sorted:
 *
 *     row 1:  0        (1,0) (0,1)
 *     row 2:  0 1      (2,0) (0,2)  (2,1) (1,2)
 *
 * A row of the matrix gets its smaller columns when its own row is read, and
 * its larger columns one by one when later rows are read.
 *
 * Memory.  The caller's arrays, 4 bytes per term of the store and 12 bytes per
 * term of the matrix.
 */
#include "base/err.h"
#include "base/mem.h"
#include "base/sized.h"
#include "base/sort.h"
#include "base/watch.h"
#include "cooc_bulk.h"
#include "query/score.h"

#define NONE UINT32_MAX
#define PAIRS_AT_ONCE 65536 /* between two checks of the clock */

struct filler {
    const struct cooc *db;
    const struct cooc_matrix *m;
    uint32_t *position;  /* row and column of a term, or NONE */
    uint32_t *sorted;    /* the terms in ascending order */
    uint64_t *next;      /* position of the next entry of each row; NULL
                          * while entries are counted */
    const uint64_t *off; /* offsets of the posting lists */
    struct scorer scorer, back; /* from row to column, and reversed */
    struct watch watch;
};

/* Set the position of each term, and the order in which rows are read. */
static int position_terms(struct filler *f, struct cooc_err *err)
{
    const struct cooc_matrix *m = f->m;
    size_t n_terms = f->db->store.docs.n_terms;

    if (m->n > n_terms)
        return err_option(err, COOC_EINVAL, "terms",
                          "a matrix of %zu terms is out of range (the store "
                          "has %zu terms)", m->n, n_terms);
    f->position = mem_array(n_terms, sizeof *f->position);
    f->sorted = mem_array(m->n * 2, sizeof *f->sorted);
    if (!f->position || !f->sorted)
        return err_nomem(err);
    for (size_t t = 0; t < n_terms; t++)
        f->position[t] = NONE;
    for (size_t i = 0; i < m->n; i++) {
        uint32_t t = m->terms ? m->terms[i] : (uint32_t)i;

        if (t >= n_terms)
            return err_option(err, COOC_EINVAL, "terms",
                              "term id %u is out of range (the store has %zu "
                              "terms)", t, n_terms);
        if (f->position[t] != NONE)
            return err_option(err, COOC_EINVAL, "terms",
                              "term id %u is given twice; give it once", t);
        f->position[t] = (uint32_t)i;
        f->sorted[i] = t;
    }
    if (m->terms)
        sort_u32(f->sorted, f->sorted + m->n, m->n);
    return 0;
}

/* The files may be changed by another process between the two passes. */
static int err_changed(const struct filler *f, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, f->db->dir,
                    "the rows of this store changed while they were read");
}

static int put(const struct filler *f, uint32_t row, uint32_t column,
               uint64_t count, double score, struct cooc_err *err)
{
    const struct cooc_matrix *m = f->m;
    uint64_t at = f->next[row]++;

    if (at >= m->starts[row + 1])
        return err_changed(f, err);
    m->columns[at] = column;
    if (m->counts)
        m->counts[at] = (uint32_t)count;
    if (m->scores)
        m->scores[at] = score;
    return 0;
}

static int put_pair(const struct filler *f, const struct cooc_pair *p,
                    struct cooc_err *err)
{
    uint32_t row = f->position[p->x], column = f->position[p->y];
    double score = f->m->scores ? scorer_score(&f->scorer, p) : 0;
    int rc = put(f, row, column, p->count, score, err);

    if (rc < 0 || !f->m->symmetric || row == column)
        return rc;
    if (f->m->scores && scorer_directed(&f->scorer))
        score = scorer_score(&f->back, p);
    return put(f, column, row, p->count, score, err);
}

static int put_row(const struct filler *f, uint32_t t,
                   const struct entry *entries, size_t n,
                   struct cooc_err *err)
{
    struct cooc_pair p = { .x = t, .fx = f->off[t + 1] - f->off[t],
                           .total = f->db->store.docs.n_docs };
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        p.y = entries[i].term;
        p.count = entries[i].count;
        if (f->position[p.y] == NONE || p.count < f->m->min_count)
            continue;
        p.fy = f->off[p.y + 1] - f->off[p.y];
        rc = put_pair(f, &p, err);
    }
    if (rc < 0 || !f->m->diagonal)
        return rc;
    p.y = t;
    p.count = p.fy = p.fx;
    return put_pair(f, &p, err);
}

/* Count the entries that row t of the store adds to the rows of the matrix. */
static void count_row(const struct filler *f, uint32_t t,
                      const struct entry *entries, size_t n)
{
    uint64_t *sizes = f->m->starts + 1, own = f->m->diagonal;

    for (size_t i = 0; i < n; i++) {
        uint32_t column = f->position[entries[i].term];

        if (column == NONE || entries[i].count < f->m->min_count)
            continue;
        own++;
        if (f->m->symmetric)
            sizes[column]++;
    }
    sizes[f->position[t]] += own;
}

static int take_rows(struct filler *f, struct cooc_err *err)
{
    struct row_reader reader = { 0 };
    uint64_t pairs = 0, rows = 0;
    int rc = watch_init(&f->watch, f->m->watch, err);

    if (rc == 0)
        rc = db_offsets(f->db, &f->off, err);
    watch_phase(&f->watch, "reading rows", "rows", f->m->n);
    for (size_t i = 0; i < f->m->n && rc == 0; i++) {
        uint32_t t = f->sorted[i];

        rc = store_row(&f->db->store, t, &reader, err);
        if (rc == 0 && f->next)
            rc = put_row(f, t, reader.entries, reader.n, err);
        else if (rc == 0)
            count_row(f, t, reader.entries, reader.n);
        pairs += reader.n;
        rows++;
        if (rc < 0 || (pairs < PAIRS_AT_ONCE && i + 1 < f->m->n))
            continue;
        rc = watch_add(&f->watch, rows, 0, pairs, err);
        pairs = rows = 0;
    }
    watch_release(&f->watch);
    row_reader_release(&reader);
    return rc;
}

static void filler_release(struct filler *f)
{
    mem_free(f->position);
    mem_free(f->sorted);
    mem_free(f->next);
}

int cooc_matrix_size(struct cooc *db, const struct cooc_matrix *given,
                     struct cooc_err *err)
{
    struct cooc_matrix m;
    struct filler f = { .db = db, .m = &m };
    int rc = sized_read(&m, sizeof m, given, "matrix", err);

    if (rc == 0)
        rc = position_terms(&f, err);
    if (rc == 0) {
        for (size_t i = 0; i <= m.n; i++)
            m.starts[i] = 0;
        rc = take_rows(&f, err);
    }
    for (size_t i = 0; i < m.n && rc == 0; i++)
        m.starts[i + 1] += m.starts[i];
    filler_release(&f);
    return rc;
}

int cooc_matrix_fill(struct cooc *db, const struct cooc_matrix *given,
                     struct cooc_err *err)
{
    struct cooc_matrix m;
    struct filler f = { .db = db, .m = &m };
    int rc = sized_read(&m, sizeof m, given, "matrix", err);

    if (rc == 0)
        rc = scorer_init(&f.scorer, db, &m.scoring, err);
    f.back = f.scorer;
    f.back.reverse = !f.scorer.reverse;
    if (rc == 0)
        rc = position_terms(&f, err);
    if (rc == 0) {
        f.next = mem_array(m.n, sizeof *f.next);
        rc = f.next ? 0 : err_nomem(err);
    }
    for (size_t i = 0; i < m.n && rc == 0; i++)
        f.next[i] = m.starts[i];
    if (rc == 0)
        rc = take_rows(&f, err);
    for (size_t i = 0; i < m.n && rc == 0; i++)
        if (f.next[i] != m.starts[i + 1])
            rc = err_changed(&f, err);
    filler_release(&f);
    return rc;
}
