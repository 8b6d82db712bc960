/* kept_terms.h - filters of terms: a list of the terms to keep. */
#ifndef COOC_KEPT_TERMS_H
#define COOC_KEPT_TERMS_H

#include "base/buf.h"
#include "index/build.h"
#include "token/token.h"

struct cooc_err;
struct dict;

/* Read the list at path into *b, which the caller releases, and refer to it in
 * *out. */
int text_list_load(struct text_list *out, struct buf *b, const char *path,
                   struct cooc_err *err);

/* Collect the terms of the list in *only, which the caller frees even after a
 * failure, and write the hash of the set to hash[TERMS_HASH_MAX].  With
 * phrases, an entry of several words must be a phrase of the rules; otherwise,
 * each word of a line is a term. */
int kept_terms_read(struct dict **only, char *hash, const struct rules *rules,
                    const struct text_list *list, bool phrases,
                    struct cooc_err *err);

/* COOC_EINVAL unless the maximum df is a valid share of the documents. */
int max_df_share_check(double share, struct cooc_err *err);

#endif
