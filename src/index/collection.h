/* collection.h - the documents on disk, from both sides.
 *
 *     forward    document -> its terms, ascending
 *     inverted   term -> its documents, ascending
 *     terms      id -> name, and all ids in byte order of name
 *     docs       document -> name
 *     forms      words as they entered the stemmer, in byte order, each with
 *                its term and its number of tokens; and the label of each
 *                term, its most frequent form (stemmed collections only)
 *
 * Each array is a file of its own (base/checked_file.h); an .off file holds
 * n + 1 offsets into its partner.  docs/FORMAT.md has the details.
 *
 * Accessors verify what they return: bounds, order and checksums, so that a
 * damaged or hostile file is an error, never a wrong answer.  Counting calls
 * collection_load() once and then uses the plain arrays.
 *
 * Threads    An open collection may be read by many threads.
 */
#ifndef COOC_COLLECTION_H
#define COOC_COLLECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked_file.h"

struct cooc_err;
struct watch;

enum collection_file {
    FILE_TERMS,      /* names, one after the other */
    FILE_TERMS_OFF,  /* u64[V + 1] */
    FILE_TERMS_SORT, /* u32[V] */
    FILE_DOCS,       /* names */
    FILE_DOCS_OFF,   /* u64[N + 1] */
    FILE_FORWARD,    /* u32[P] */
    FILE_FORWARD_OFF,
    FILE_INVERTED, /* u32[P] */
    FILE_INVERTED_OFF,
    FILE_STOP,      /* the stop list as it was given, or nothing */
    FILE_THESAURUS, /* likewise */
    FILE_FORMS,     /* names; these five only if there are labels */
    FILE_FORMS_OFF,  /* u64[F + 1] */
    FILE_FORMS_TERM, /* u32[F] */
    FILE_FORMS_NUM,  /* u64[F]: tokens */
    FILE_LABELS,     /* u32[V]: the form that is the label of each term */
    COLLECTION_FILES
};

/* Is f one of the files of a collection with, or without, labels? */
bool collection_has(bool labels, enum collection_file f);

/* "terms.bin" and so on. */
const char *collection_file_name(enum collection_file f);

/* Does f hold offsets into the file before it? */
bool collection_is_off(enum collection_file f);

/* A writer for that file in dir. */
int collection_create(struct checked_file_writer **out, const char *dir,
                      enum collection_file f, struct cooc_err *err);

/* That file in dir, which the manifest describes in id. */
int collection_open_file(struct checked_file **out, const char *dir,
                         enum collection_file f,
                         const struct checked_file_id *id,
                         struct cooc_err *err);

struct collection {
    uint32_t n_docs, n_terms;
    uint64_t n_postings;
    bool labels;
    uint32_t n_forms;    /* 0 without labels */
    /* NULL: not one of its files */
    struct checked_file *files[COLLECTION_FILES];
    struct watch *watch; /* told while loading, may end it; NULL: nobody */
};

/* Map the files, which the manifest describes in ids, and check that their
 * sizes fit the three numbers. */
int collection_open(struct collection *c, const char *dir,
                    const struct checked_file_id *ids, uint32_t n_docs,
                    uint32_t n_terms, uint64_t n_postings, bool labels,
                    struct cooc_err *err);
void collection_close(struct collection *c);

/* All of these check their arguments. */
int collection_doc(const struct collection *c, uint32_t doc,
                   const uint32_t **terms, uint64_t *n,
                   struct cooc_err *err);
int collection_term_docs(const struct collection *c, uint32_t term,
                         const uint32_t **docs, uint64_t *n,
                         struct cooc_err *err);
int collection_df(const struct collection *c, uint32_t term, uint64_t *df,
                  struct cooc_err *err);
int collection_term(const struct collection *c, uint32_t term,
                    const char **name, size_t *len, struct cooc_err *err);
int collection_doc_name(const struct collection *c, uint32_t doc,
                        const char **name, size_t *len,
                        struct cooc_err *err);
/* The place of a name in byte order: *at is where it stands (*found) or
 * would stand; the id there is collection_sorted(). */
int collection_search(const struct collection *c, const char *name,
                      size_t len, uint32_t *at, int *found,
                      struct cooc_err *err);
int collection_sorted(const struct collection *c, uint32_t at, uint32_t *id,
                      struct cooc_err *err);
/* The name at a place in byte order of all terms. */
int collection_term_at(const struct collection *c, uint32_t at,
                       const char **name, size_t *len, struct cooc_err *err);

/* A surface form; form < n_forms. */
int collection_form_name(const struct collection *c, uint32_t form,
                         const char **name, size_t *len,
                         struct cooc_err *err);

/* The first of n places with a name that is not less than name[0..len), where
 * name_at() tells the name at a place; *found if it is equal. */
typedef int (*name_fn)(const struct collection *c, uint32_t at,
                       const char **name, size_t *len, struct cooc_err *err);
int collection_search_by(const struct collection *c, name_fn name_at,
                         uint32_t n, const char *name, size_t len,
                         uint32_t *at, int *found, struct cooc_err *err);

/* Plain arrays for the inner loops: list i is ids[off[i] .. off[i + 1]). */
struct lists {
    const uint64_t *off;
    const uint32_t *ids;
    uint32_t n;
    bool mapped; /* files, which can be forgotten */
};

/* How many of ids[0..n), which ascend, are below id. */
static inline size_t ids_below(const uint32_t *ids, size_t n, uint32_t id)
{
    const uint32_t *p = ids;

    while (n > 1) { /* the last one that is <= id, without a branch */
        size_t half = n / 2;

        p += p[half] <= id ? half : 0;
        n -= half;
    }
    return (size_t)(p - ids) + (n && *p < id);
}

/* The terms of document d that come before term t: there are *n. */
static inline const uint32_t *terms_before(const struct lists *fwd,
                                           uint32_t d, uint32_t t, size_t *n)
{
    const uint32_t *terms = fwd->ids + fwd->off[d];

    *n = ids_below(terms, (size_t)(fwd->off[d + 1] - fwd->off[d]), t);
    return terms;
}

/* Lists [first, last) are not needed for a while: the kernel may have their
 * memory back.  They can still be used. */
void lists_forget(const struct lists *l, uint32_t first, uint32_t last);

/* Verify both views whole: checksums, offsets, strictly ascending lists,
 * ids in range, and that both hold the same postings.  Both are walked
 * through and forgotten on the way, so that this takes hardly any memory;
 * what is read again later is the same file, but not verified again. */
int collection_load(const struct collection *c, struct lists *forward,
                    struct lists *inverted, struct cooc_err *err);

#endif
