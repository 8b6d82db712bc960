/* similar_pass.h - compare the vectors of some query terms with the vectors of
 * all frequent terms, in one pass over the rows.
 *
 * With K contexts, and candidates [0, n):
 *
 *     dots[t][q] = sum over contexts c of  weight(t, c) weight(q, c)
 *     norms[t]   = sqrt(sum of weight(t, c)^2)
 *
 * Row t has the contexts before t.  The rest of the vector of a candidate below
 * K is in the rows of the contexts after it:
 *
 *     rows [0, K)      row t adds to candidate t, and to each candidate s < t
 *     rows [K, n)      row t adds to candidate t
 *
 * Every sum is added up in the order of the contexts, so the results are the
 * same for every number of threads: rows are weighed in parallel, a batch of
 * rows at a time; then each worker takes a range of columns, and adds the cells
 * of all rows of the batch in it, in order.
 *
 * Memory.  8 bytes per query for each context and for each candidate, and the
 * cells of a batch of rows.
 */
#ifndef COOC_SIMILAR_PASS_H
#define COOC_SIMILAR_PASS_H

#include "base/watch.h"
#include "query/weights.h"

struct similar_pass {
    /* To be set before similar_pass_open(). */
    const struct cooc *db;
    const struct weights *weights;
    struct watch *watch;
    uint32_t contexts;  /* K */
    uint32_t n;         /* candidates are the ids [0, n) */
    uint32_t width;     /* most queries per pass */
    unsigned threads;
    bool have_norms;    /* norms are known; otherwise the first pass computes
                         * them */
    double *norms;      /* room for n; belongs to the caller */
    uint64_t batch_pairs; /* size of a batch; 0: the default; other values
                           * are only for tests */

    /* The results of the last pass. */
    uint32_t n_queries;
    double *vectors;    /* context c, query i: [c * n_queries + i] */
    double *dots;       /* candidate t, query i: [t * n_queries + i] */

    /* Internal. */
    const uint32_t *queries;
    uint8_t *used;      /* contexts with a weight in some query */
    struct pass_worker *workers;
    struct weighed_row *batch;
    uint32_t first, last; /* rows of the batch or loop */
    uint32_t batch_cap;
    struct bulk_rows bulk;
};

/* The number of bytes that one query takes. */
static inline uint64_t similar_pass_bytes(uint32_t contexts, uint32_t n)
{
    return ((uint64_t)contexts + n) * sizeof(double);
}

/* The number of rows that a pass reads, for reports of progress. */
uint64_t similar_pass_rows(const struct similar_pass *p);

/* Allocate memory, and prepare to read omitted rows.  Call similar_pass_close()
 * even after a failure. */
int similar_pass_open(struct similar_pass *p, struct cooc_err *err);
/* Compute vectors and dots for n_queries <= width terms, and the norms unless
 * they are known. */
int similar_pass_run(struct similar_pass *p, const uint32_t *queries,
                     uint32_t n_queries, struct cooc_err *err);
void similar_pass_close(struct similar_pass *p);

#endif
