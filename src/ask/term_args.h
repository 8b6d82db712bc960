/* term_args.h - the words and word lists that a query takes. */
#ifndef COOC_ASK_TERM_ARGS_H
#define COOC_ASK_TERM_ARGS_H

#include "ask/answer.h"
#include "cooc_bulk.h"

enum { TERMS_MAX = 64 };

#define OPT_STEMS(s, m)                                                      \
    OPT_FLAG(s, m, 0, "show-stems",                                          \
             "print stems instead of whole words")
#define OPT_THREADS(s, m, h)                                                 \
    OPT_U32(s, m, 'j', "threads", "N", "all cores", h)

extern const struct field term_fields[]; /* term, df; record: a term id */

/* Find the ids of at most TERMS_MAX words as the user typed them. */
int find_terms(struct cooc *db, size_t n, char *const *words,
               uint32_t terms[TERMS_MAX], struct cooc_err *err);

/* Read the terms of a file that has one word per line; a note on stderr reports
 * the number of unknown words.  If some is true, a file without any known word
 * is COOC_ENOTFOUND. */
int read_terms(struct cooc *db, const char *path, bool some,
               struct cooc_list *out, struct cooc_err *err);

/* Find the terms of a list: those that match the pattern or, if like is NULL,
 * those of a file, as in read_terms() with some.  option: that has the
 * pattern. */
int list_terms(struct cooc *db, const char *like, const char *option,
               const char *path, struct cooc_list *out, struct cooc_err *err);

/* The options of "between" and "within". */
struct pair_lists_args {
    const char *like1, *like2; /* patterns in place of files; within: like1 */
    const char *by, *measures; /* by == NULL: keep the order of the lists */
    uint64_t limit, min_count;
    bool adjust;
};

extern const struct opt pair_lists_options[]; /* without patterns */
extern const struct pair_lists_args pair_lists_defaults;

/* Convert --limit for the library, where 0 means no limit. */
static inline size_t limit_of(uint64_t asked)
{
    return asked < SIZE_MAX ? (size_t)asked : 0;
}

#endif
