/* selection_walk.h - the walks through the rows of a selection.
 *
 * All walks read, filter and score rows on all threads.  They differ in how
 * rows are passed on:
 *
 *     selection_walk()   fn: in order, on the calling thread; or
 *                        format: concurrently, to bytes, which take gets in
 *                        order, on the calling thread
 *     selection_each()   concurrently, by parts of the rows
 */
#ifndef COOC_SELECTION_WALK_H
#define COOC_SELECTION_WALK_H

#include "base/entry.h"
#include "export/output.h"
#include "export/selection.h"

/* A row: the pairs of a term with the terms before it, or, in symmetric_walk(),
 * with all other terms; with new ids, in ascending order. */
struct export_row {
    uint32_t id;
    const struct entry *entries;
    const double *scores; /* NULL: the score is the count */
    size_t n;
};

typedef int (*row_fn)(void *self, const struct export_row *row,
                      struct cooc_err *err);

/* Append the bytes of a row to the output.  Called concurrently. */
typedef int (*format_fn)(void *self, const struct export_row *row,
                         struct output *to, struct cooc_err *err);
/* Called concurrently when an output is complete, before it is taken. */
typedef void (*seal_fn)(void *self, struct output *to);
typedef int (*take_fn)(void *self, const struct output *from,
                       struct cooc_err *err);

enum direction {
    NO_SCORES,
    FROM_FREQUENT, /* x is the more frequent term, y the term of the row */
    FROM_ROW,      /* x is the term of the row, y the term of the entry */
};

/* The partners after each of the terms [first, last): the partners of the i-th
 * term are entries[start[i]..start[i + 1]). */
struct later_partners {
    uint32_t first, last;
    struct entry *entries;
    uint64_t *start;
};

/* A walk visits every row in order, including empty rows. */
struct walk {
    const char *phase;         /* for the watch; NULL: the phase continues */
    enum direction direction;  /* of the scores */
    bool diagonal;             /* add df at (x, x), before later entries */
    /* NULL, or walk only through the rows of these terms, and append to each
     * row the partners after its term. */
    const struct later_partners *later;
    row_fn fn;                 /* NULL: format and take are used */
    format_fn format;
    seal_fn seal;              /* NULL: nothing to do */
    take_fn take;
    unsigned streams;          /* of each output */
    void *self;
};

int selection_walk(struct selection *s, const struct walk *w,
                   struct cooc_err *err);

/* After top_edges: walk through the list by strength, strongest first, with
 * ties in the order of `cooc pairs`, as rows of one pair each.  With both,
 * each pair is given from its more frequent term and then from the other one;
 * with diagonal, df at (x, x) follows at the end.  Afterwards the list is not
 * in the order that other walks need. */
int selection_walk_list(struct selection *s, const struct walk *w, bool both,
                        struct cooc_err *err);

/* Called concurrently for different parts, in order within a part. */
typedef int (*part_fn)(void *self, unsigned worker, unsigned part,
                       const struct export_row *row, struct cooc_err *err);

/* Call fn for the rows without scores; part i is the rows of the new ids
 * [parts[i], parts[i + 1]). */
int selection_each(struct selection *s, const char *phase,
                   const uint32_t *parts, unsigned n_parts, part_fn fn,
                   void *self, struct cooc_err *err);

/* Divide all rows into n parts of about equal numbers of pairs: set
 * parts[0..n]. */
void selection_cut(const struct selection *s, uint32_t *parts, unsigned n);

/* The number of threads for a walk: fewer if memory is short. */
unsigned selection_threads(const struct selection *s);

/* Walk over whole rows: each pair is in the rows of both of its terms.
 * Requires a survey with parts.  See symmetric.c. */
int symmetric_walk(struct selection *s, const struct walk *w,
                   const char *tmpdir, struct cooc_err *err);

#endif
