/* merge_filter.h - the filters of terms that a merge applies. */
#ifndef COOC_MERGE_FILTER_H
#define COOC_MERGE_FILTER_H

#include "index/build.h"
#include "index/order.h"
#include "store/store.h"

struct merge_filter {
    struct term_filter terms;
    char terms_hash[TERMS_HASH_MAX];
    struct dict *only; /* owned */
};

/* Whether the options have a filter: the name of the first one, or NULL. */
const char *merge_filter_given(const struct cooc_merge_options *o);

/* Make the filter for stores with the settings and word lists of s. */
int merge_filter_make(struct merge_filter *f,
                      const struct cooc_merge_options *o,
                      const struct store *s, const char *path,
                      struct cooc_err *err);
void merge_filter_release(struct merge_filter *f);

#endif
