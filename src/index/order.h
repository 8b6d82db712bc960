/* order.h - one numbering for all terms: by frequency, ties in byte order.
 *
 * The dictionaries are merged in byte order, which adds up each term's df;
 * filters drop terms; the rest is numbered.  The result depends on the
 * documents alone, never on how the dictionaries were cut.
 */
#ifndef COOC_ORDER_H
#define COOC_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct dict;
struct ingested;
struct index_job;

#define TERM_NONE UINT32_MAX /* dropped */

struct term_filter {
    uint64_t min_df, max_df; /* 0: no limit */
    double max_df_share;     /* 0: no limit */
    uint32_t top_terms;      /* 0: all */
    const struct dict *only; /* NULL: all */
};

struct ordering {
    uint32_t n_terms;
    uint32_t *maps;  /* provisional to final ids, of all dictionaries, one
                      * after the other; a mapped file */
    uint64_t *first; /* where the map of each dictionary begins, and the end */
    size_t map_bytes;
};

/* Number the terms and write terms.bin, terms.off and terms.sort. */
int order_terms(struct ordering *out, struct ingested *g,
                const struct term_filter *filter, const struct index_job *job,
                struct cooc_err *err);
void ordering_release(struct ordering *o);

#endif
