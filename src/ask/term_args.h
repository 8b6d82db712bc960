/* term_args.h - the words and word lists that a question is about. */
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

extern const struct field term_fields[]; /* of a term's id: term, df */

/* The ids of words as the user typed them, TERMS_MAX at most. */
int find_terms(struct cooc *db, size_t n, char *const *words,
               uint32_t terms[TERMS_MAX], struct cooc_err *err);

/* The terms of a file, one word per line; a note tells how many words are in
 * no document.  some: COOC_ENOTFOUND if none of them is a term. */
int read_terms(struct cooc *db, const char *path, bool some,
               struct cooc_list *out, struct cooc_err *err);

/* The options of "between" and "within". */
struct pair_lists_args {
    const char *by, *measures; /* by NULL: in order of the lists */
    uint64_t limit, min_count;
    bool adjust;
};

extern const struct opt pair_lists_options[];
extern const struct pair_lists_args pair_lists_defaults;

/* --limit as the library takes it: 0 means all. */
static inline size_t limit_of(uint64_t asked)
{
    return asked < SIZE_MAX ? (size_t)asked : 0;
}

#endif
