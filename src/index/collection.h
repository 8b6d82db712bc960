/* collection.h - the documents on disk, as forward and inverted index.
 *
 *     forward    document -> its terms, ascending
 *     inverted   term -> its documents, ascending
 *     terms      id -> name, and all ids in byte order of their names
 *     docs       document -> name
 *     forms      words as they entered the stemmer, in byte order, each with
 *                its term and its number of tokens; and the label of each
 *                term, its most frequent form (stemmed collections only)
 *
 * Each array has a file of its own (base/checked_file.h); an .off file
 * contains the n + 1 offsets into the file that it belongs to.  docs/FORMAT.md
 * has the details.
 *
 * Accessors verify bounds, order and checksums of what they return, so that a
 * damaged or malicious file causes an error, never a wrong result.  Counting
 * calls collection_load() once and then uses the plain arrays.
 *
 * Threads    Any number of threads may read an open collection.
 */
#ifndef COOC_COLLECTION_H
#define COOC_COLLECTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked_file.h"

struct cooc_err;
struct placed_file;
struct watch;

enum collection_file {
    FILE_TERMS,      /* names, concatenated */
    FILE_TERMS_OFF,  /* u64[V + 1] */
    FILE_TERMS_SORT, /* u32[V] */
    FILE_DOCS,       /* names, concatenated */
    FILE_DOCS_OFF,   /* u64[N + 1] */
    FILE_FORWARD,    /* u32[P] */
    FILE_FORWARD_OFF,
    FILE_INVERTED, /* u32[P] */
    FILE_INVERTED_OFF,
    FILE_STOP,      /* the stop list as given, or empty */
    FILE_THESAURUS, /* the thesaurus as given, or empty */
    /* These exist only in collections with labels. */
    FILE_FORMS,
    FILE_FORMS_OFF,  /* u64[F + 1] */
    FILE_FORMS_TERM, /* u32[F] */
    FILE_FORMS_NUM,  /* u64[F]: numbers of tokens */
    FILE_LABELS,     /* u32[V]: the form that is the term's label */
    FILE_PHRASES,    /* only in collections with phrases: the list of them */
    COLLECTION_FILES
};

/* Whether a collection with, or without, labels and phrases has file f. */
bool collection_has(bool labels, bool phrases, enum collection_file f);

/* The name of file f in its directory, for example "terms.bin". */
const char *collection_file_name(enum collection_file f);

/* Whether f contains the offsets into the file before it. */
bool collection_is_off(enum collection_file f);

/* Create file f in dir and return a writer for it. */
int collection_create(struct placed_file **out, const char *dir,
                      enum collection_file f, struct cooc_err *err);

/* Open file f in dir, which the manifest describes as *id. */
int collection_open_file(struct checked_file **out, const char *dir,
                         enum collection_file f,
                         const struct checked_file_id *id,
                         struct cooc_err *err);

struct collection {
    uint32_t n_docs, n_terms;
    uint64_t n_postings;
    bool labels, phrases;
    uint32_t n_forms;    /* 0 if there are no labels */
    /* NULL if this collection does not have the file */
    struct checked_file *files[COLLECTION_FILES];
    /* One flag per document: its list of terms is known to be in order. */
    atomic_uchar *in_order;
    /* Receives the progress of collection_load() and may cancel
     * it; may be NULL. */
    struct watch *watch;
};

/* Map the files, which the manifest describes in ids, and check that their
 * sizes match the numbers of documents, terms and postings. */
int collection_open(struct collection *c, const char *dir,
                    const struct checked_file_id *ids, uint32_t n_docs,
                    uint32_t n_terms, uint64_t n_postings, bool labels,
                    bool phrases, struct cooc_err *err);
void collection_close(struct collection *c);

/* The following functions check their arguments.  Returned pointers are valid
 * until the collection is closed. */
int collection_doc(const struct collection *c, uint32_t doc,
                   const uint32_t **terms, uint64_t *n,
                   struct cooc_err *err);
int collection_term_docs(const struct collection *c, uint32_t term,
                         const uint32_t **docs, uint64_t *n,
                         struct cooc_err *err);
int collection_df(const struct collection *c, uint32_t term, uint64_t *df,
                  struct cooc_err *err);
/* The number of terms of a document. */
int collection_doc_length(const struct collection *c, uint32_t doc,
                          uint64_t *n, struct cooc_err *err);
int collection_term(const struct collection *c, uint32_t term,
                    const char **name, size_t *len, struct cooc_err *err);
int collection_doc_name(const struct collection *c, uint32_t doc,
                        const char **name, size_t *len,
                        struct cooc_err *err);
/* Find a term by name.  If *found, *at is its position in the byte order of all
 * terms, otherwise the position where it would be inserted.
 * collection_sorted() returns the id at a position. */
int collection_search(const struct collection *c, const char *name,
                      size_t len, uint32_t *at, int *found,
                      struct cooc_err *err);
int collection_sorted(const struct collection *c, uint32_t at, uint32_t *id,
                      struct cooc_err *err);
/* The name of the term at a position in the byte order of all terms. */
int collection_term_at(const struct collection *c, uint32_t at,
                       const char **name, size_t *len, struct cooc_err *err);

/* The name of a surface form; form < n_forms. */
int collection_form_name(const struct collection *c, uint32_t form,
                         const char **name, size_t *len,
                         struct cooc_err *err);

/* Find the first of n positions with a name that is not less than
 * name[0..len), where name_at() returns the name at a position.  *found: the
 * name there is equal. */
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
    bool mapped; /* mapped files: lists_forget() has an effect */
};

/* The number of ids in ids[0..n), which are ascending, that are below id. */
static inline size_t ids_below(const uint32_t *ids, size_t n, uint32_t id)
{
    const uint32_t *p = ids;

    while (n > 1) { /* find the last one <= id, branch-free */
        size_t half = n / 2;

        p += p[half] <= id ? half : 0;
        n -= half;
    }
    return (size_t)(p - ids) + (n && *p < id);
}

/* The terms of document d that are less than t; *n is their number. */
static inline const uint32_t *terms_before(const struct lists *fwd,
                                           uint32_t d, uint32_t t, size_t *n)
{
    const uint32_t *terms = fwd->ids + fwd->off[d];

    *n = ids_below(terms, (size_t)(fwd->off[d + 1] - fwd->off[d]), t);
    return terms;
}

/* Give the memory of lists [first, last) back to the kernel.  They can still be
 * used; the kernel then reads them again. */
void lists_forget(const struct lists *l, uint32_t first, uint32_t last);

/* Verify the whole forward and inverted index: checksums, offsets, strictly
 * ascending lists, ids in range, and that both contain the same postings; on
 * the given number of threads, or on every core if it is 0.  Pages are given
 * back to the kernel as soon as they are verified, so this takes hardly any
 * memory; if the kernel reads them again later, they are not verified again. */
int collection_load(const struct collection *c, struct lists *forward,
                    struct lists *inverted, unsigned threads,
                    struct cooc_err *err);

/* The same in two steps, for a process that reads only some inverted lists:
 * verify all documents and the offsets of the inverted lists, then the inverted
 * lists [first, last).  That both indexes contain the same postings is not
 * verified. */
int collection_load_docs(const struct collection *c, struct lists *forward,
                         struct lists *inverted, unsigned threads,
                         struct cooc_err *err);
int collection_load_terms(const struct collection *c,
                          const struct lists *inverted, uint32_t first,
                          uint32_t last, unsigned threads,
                          struct cooc_err *err);

/* The same for a collection that this process has just written: nothing is
 * verified except the sizes. */
int collection_trust(const struct collection *c, struct lists *forward,
                     struct lists *inverted, struct cooc_err *err);

#endif
