/* weights.h - the weights of the pairs of a row, for vectors of terms.
 *
 * The vector of a term has one weight per context: a measure with the term as x
 * and the context as y.  A row of the store gives weights to two terms:
 *
 *     pair (t, s), s < t       own[i]   weight of context s in the vector of t
 *                              back[i]  weight of context t in the vector of s
 *
 * The two are equal unless the measure is directed.  A pair that never occurs
 * together has no entry in the row, and its weight is 0.
 *
 * PPMI is the usual weight, and a logarithm takes longer than decoding ten
 * pairs, so it is added up from tables:
 *
 *     log2(a N / (fx fy)) = log2 N + log2 a - log2 fx - log2 fy
 *
 * The sum may be wrong by a few units of 1e-15, so a value near 0 is computed
 * by the formula instead: an independent pair has exactly the weight 0.
 */
#ifndef COOC_WEIGHTS_H
#define COOC_WEIGHTS_H

#include "base/entry.h"
#include "query/score.h"

struct weights {
    struct scorer scorer; /* from the term to the context */
    const uint64_t *off;  /* offsets of the posting lists */
    uint64_t documents;
    uint32_t n_counts;    /* 0: no tables */
    double *log_count;    /* by count; the block with the next two tables */
    const double *log_x, *log_y; /* by id, as term and as context */
    double log_total;
};

/* Prepare the weights of pairs of terms with ids below n.  COOC_EINVAL if the
 * measure cannot be a weight. */
int weights_init(struct weights *w, struct cooc *db,
                 const struct cooc_scoring *by, uint32_t n,
                 struct cooc_err *err);
void weights_release(struct weights *w);

/* The weight of context y in the vector of term x. */
double weights_of(const struct weights *w, uint32_t x, uint32_t y,
                  uint32_t count);

/* The weights of a row that are not 0.  An all-zero struct is empty. */
struct weighed_row {
    uint32_t *columns;
    double *own, *back; /* back is own unless the measure is directed */
    size_t n, cap, own_cap, back_cap;
};

/* Weigh the entries e[0..n) of row t.  If used is not NULL, leave out columns
 * that are not marked in it, because only vectors with weights in marked
 * contexts matter. */
int weigh_row(const struct weights *w, uint32_t t, const struct entry *e,
              size_t n, const uint8_t *used, struct weighed_row *out,
              struct cooc_err *err);
void weighed_row_release(struct weighed_row *row);

#endif
