/* order.h - number all terms by falling document frequency, ties in byte order.
 *
 * The dictionaries are merged in byte order, which adds up the df of each term;
 * filters drop terms; the remaining terms are numbered.  The result depends
 * only on the documents, never on how they were divided among dictionaries.
 */
#ifndef COOC_ORDER_H
#define COOC_ORDER_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct dict;
struct files_writer;
struct ingested;
struct index_job;

#define TERM_NONE UINT32_MAX /* the term is dropped */

struct term_filter {
    uint64_t min_df, max_df; /* 0: no limit */
    double max_df_share;     /* 0: no limit */
    uint32_t top_terms;      /* keep the most frequent terms; 0: all */
    const struct dict *only; /* keep these terms only; NULL: all */
};

struct ordering {
    uint32_t n_terms;
    /* From provisional to final ids: the maps of all dictionaries,
     * concatenated, in a mapped temporary file. */
    uint32_t *maps;
    /* The start of the map of each dictionary in maps, and the end of the
     * last. */
    uint64_t *first;
    size_t map_bytes;
    uint32_t *df; /* by final id */
};

/* Number the terms and write terms.bin, terms.off and terms.sort to w. */
int order_terms(struct ordering *out, struct ingested *g,
                const struct term_filter *filter, const struct index_job *job,
                struct files_writer *w, struct cooc_err *err);
/* Free the maps, which are needed only until all documents are translated. */
void ordering_drop_maps(struct ordering *o);
void ordering_release(struct ordering *o);

#endif
