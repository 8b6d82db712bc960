/* row_maker.h - read, filter and score the rows of a selection, one at a time.
 *
 * Threads    One row_maker per thread.
 */
#ifndef COOC_ROW_MAKER_H
#define COOC_ROW_MAKER_H

#include "export/selection_walk.h"

/* Rows with their entries and scores. */
struct row_batch {
    struct entry *entries;
    double *scores; /* NULL if they are not computed */
    size_t n, entries_cap, scores_cap;
    struct batch_row {
        uint32_t id;
        size_t at, n;
    } *rows;
    size_t n_rows, rows_cap;
};

void row_batch_release(struct row_batch *b);
/* The i-th row of the batch, with scores if the walk has a direction. */
struct export_row row_batch_get(const struct row_batch *b, size_t i,
                                const struct walk *w);

struct row_maker {
    const struct selection *s;
    const struct walk *w;
    bool filtered; /* pairs are filtered by strength */
    bool scored;   /* scores are computed, in the filter or after it */
    bool as_it_is; /* nothing is omitted or added */
    struct row_reader reader;
    struct row_batch one; /* the row of row_maker_get() */
    uint64_t done;        /* number of pairs read; the caller resets it */
};

void row_maker_init(struct row_maker *m, const struct selection *s,
                    const struct walk *w);
void row_maker_release(struct row_maker *m);

/* Set *row to row id, which is valid until the next call. */
int row_maker_get(struct row_maker *m, uint32_t id, struct export_row *row,
                  struct cooc_err *err);
/* Append row id to the batch. */
int row_maker_add(struct row_maker *m, uint32_t id, struct row_batch *b,
                  struct cooc_err *err);

/* Compute the scores of entries with new ids, from term x to the terms of the
 * entries or reversed. */
void row_score(const struct selection *s, bool reverse, uint32_t x,
               const struct entry *entries, size_t n, double *out);

#endif
