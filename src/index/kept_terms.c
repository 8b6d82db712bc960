/* kept_terms.c - read the terms of a list with the rules for documents. */
#include "index/kept_terms.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "base/ascii_case.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/file.h"
#include "base/list_lines.h"
#include "base/mem.h"
#include "base/unlisted.h"
#include "dict/name_sort.h"

#define LIST_MAX ((size_t)1 << 30) /* bytes of the file */

int text_list_load(struct text_list *out, struct buf *b, const char *path,
                   struct cooc_err *err)
{
    int rc = file_read_all(path, LIST_MAX, b, err);

    *out = (struct text_list){ .name = path, .text = b->data ? b->data : "",
                               .len = b->len };
    return rc;
}

int max_df_share_check(double share, struct cooc_err *err)
{
    if (share >= 0 && share <= 1) /* false for NaN */
        return 0;
    return err_option(err, COOC_EINVAL, "max_df_share",
                      "the share of documents must be between 0 and 1");
}

/* Add the term that the rules make of a word or a phrase. */
static int add_term(struct dict *d, struct tokeniser *tok, const char *word,
                    size_t len, struct cooc_err *err)
{
    enum token_verdict v;
    const char *term;
    size_t term_len;
    uint32_t id;
    int rc = tokeniser_term(tok, word, len, &v, &term, &term_len, err);

    return rc < 0 || v > TOKEN_MERGED ? rc
                                      : dict_add(d, term, term_len, &id, err);
}

/* Add the term of a line of --terms FILE, a word or a phrase. */
static int add_entry(struct dict *d, struct tokeniser *tok, const char *line,
                     size_t line_len, struct unlisted *unlisted,
                     struct cooc_err *err)
{
    const char *name, *term;
    size_t words, len;
    uint32_t whole;
    int rc = tokeniser_preferred(tok, line, line_len, &term, &len, err);

    if (rc > 0)
        return dict_add(d, term, len, &whole, err);
    if (rc == 0)
        rc = tokeniser_phrase(tok, line, line_len, &words, &name, &len, err);
    if (rc < 0)
        return rc;
    if (words > 1 && !name) {
        unlisted_add(unlisted, line, line_len);
        return 0;
    }
    if (words > 1)
        return add_term(d, tok, name, len, err);
    tokeniser_start(tok, line, line_len);
    rc = tokeniser_next(tok, &name, &len, err);
    return rc <= 0 ? rc : add_term(d, tok, name, len, err);
}

/* Add the terms of a line of --terms FILE, each of its words. */
static int add_terms(struct dict *d, struct tokeniser *tok, const char *line,
                     size_t line_len, struct cooc_err *err)
{
    const char *word, *term;
    size_t len, term_len;
    uint32_t whole;
    int rc = tokeniser_preferred(tok, line, line_len, &term, &term_len, err);

    if (rc > 0)
        return dict_add(d, term, term_len, &whole, err);
    if (rc < 0)
        return rc;
    tokeniser_start(tok, line, line_len);
    while ((rc = tokeniser_next(tok, &word, &len, err)) > 0) {
        rc = add_term(d, tok, word, len, err);
        if (rc < 0)
            break;
    }
    return rc;
}

/* Collect the terms of --terms FILE, using the same rules as for documents. */
static int list_terms(struct dict **out, const struct rules *rules,
                      const struct text_list *list, bool phrases,
                      struct cooc_err *err)
{
    struct list_line line = { 0 };
    struct unlisted unlisted = { 0 };
    struct tokeniser *tok = NULL;
    int rc = dict_new(out, err);

    if (rc == 0)
        rc = tokeniser_new(&tok, rules, err);
    while (rc == 0 && list_next(list, &line)) {
        ascii_trim(&line.text, &line.len, ASCII_SPACE);
        rc = phrases ? add_entry(*out, tok, line.text, line.len, &unlisted,
                                 err)
                     : add_terms(*out, tok, line.text, line.len, err);
    }
    tokeniser_free(tok);
    return rc < 0 || !unlisted.n ? rc
                                 : unlisted_error(&unlisted, list->name, err);
}

/* Hash the set of terms: neither their order nor repetitions matter. */
static int hash_terms(const struct dict *d, char *hex, struct cooc_err *err)
{
    struct buf all = { 0 };
    uint32_t *order = NULL;
    int rc = name_sort(d, &order, err);

    for (uint32_t i = 0; rc == 0 && i < dict_size(d); i++) {
        size_t len;
        const char *term = dict_term(d, order[i], &len);

        rc = buf_add(&all, term, len, err);
        if (rc == 0)
            rc = buf_add(&all, "\n", 1, err);
    }
    if (rc == 0)
        snprintf(hex, TERMS_HASH_MAX, "%016" PRIx64,
                 (uint64_t)XXH3_64bits(all.len ? all.data : "", all.len));
    buf_release(&all);
    mem_free(order);
    return rc;
}

int kept_terms_read(struct dict **only, char *hash, const struct rules *rules,
                    const struct text_list *list, bool phrases,
                    struct cooc_err *err)
{
    int rc = list_terms(only, rules, list, phrases, err);

    return rc < 0 ? rc : hash_terms(*only, hash, err);
}
