/* order.h - one numbering for all runs: by frequency, ties in byte order.
 *
 * The runs are merged in byte order, which adds up each term's df; filters
 * drop terms; the rest is numbered.  The result depends on the documents
 * alone, never on how the runs were cut.
 */
#ifndef COOC_ORDER_H
#define COOC_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "cooc.h"

struct blob_id;
struct dict;
struct gathered;
struct watch;

#define TERM_NONE UINT32_MAX /* dropped */

struct term_filter {
    uint64_t min_df, max_df; /* 0: no limit */
    double max_df_share;     /* 0: no limit */
    uint32_t top_terms;      /* 0: all */
    const struct dict *only; /* NULL: all */
};

struct ordering {
    uint32_t n_terms;
    uint32_t *maps;  /* of all runs, one after the other; a mapped file */
    uint64_t *first; /* where each run's map begins; n_runs + 1 */
    size_t map_bytes;
};

/* Number the terms and write dir/terms.bin, terms.off and terms.sort, whose
 * descriptions go to ids[0..2]. */
int order_terms(struct ordering *out, const struct gathered *g,
                const struct term_filter *filter, const char *dir,
                const char *tmpdir, uint64_t memory, struct blob_id *ids,
                struct cooc_index_report *report, struct watch *watch,
                struct cooc_err *err);
void ordering_release(struct ordering *o);

#endif
