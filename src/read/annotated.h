/* annotated.h - text that is already divided into tokens, one per line, with
 * their lemmas, parts of speech and so on in columns.
 *
 *     1  Dogs  dog  NOUN        "form"        dogs
 *     2  ran   run  VERB        "lemma"       dog run
 *     3  .     .    PUNCT       "lemma+upos"  dog_NOUN run_VERB
 *
 * Each token is a term.  It is folded by the tokeniser (KIND_ITEMS), except if
 * columns are joined by '+': then the term is final (KIND_TERMS), its first
 * column is folded here, and the others, which are tags, are left unchanged
 * (see format_kind()).  A token is dropped if the first column has neither a
 * letter nor a digit, or if one of the columns is "_" or missing.
 *
 * A document begins at a mark; without marks, the entry is one document.
 */
#ifndef COOC_ANNOTATED_H
#define COOC_ANNOTATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct input;

#define COLUMNS_JOINED 4
#define COLUMN_MAX 64 /* the largest number of a column */

/* The columns of a format. */
struct column_names {
    const char *const *names; /* from column 1; NULL at the end */
    unsigned max;             /* the largest number of a column */
    bool surface;             /* "surface" is a name as well */
    unsigned pos;             /* the parts of speech; 0: the user must say */
};

struct cell {
    const char *at;
    size_t len;
};

/* What the options ask for. */
struct columns {
    unsigned terms[COLUMNS_JOINED]; /* columns of the terms, from 1 */
    size_t n;
    bool surface;  /* words as written instead of the words in them */
    unsigned pos;  /* the column of the tags; 0: keep all tokens */
    const char *tags; /* the tags to keep, separated by commas */
    unsigned last; /* the largest of these columns */
};

struct annotated {
    struct columns columns;
    bool entities;      /* the columns are XML */
    bool open;          /* there is a current document */
    bool announced;     /* the next one has begun: its line and name below */
    bool marked;        /* the entry has marks of documents */
    bool skipping;      /* up to the next mark */
    bool tokens, found; /* there are lines of tokens, and one has the columns */
    enum { END_NONE, END_SENTENCE, END_PARAGRAPH } end; /* before the next */
    bool judged, kept;  /* of all entries: tokens were judged by their part of
                         * speech, and one was kept */
    uint64_t line, next_line;
    struct buf name, next_name;
    struct buf cell; /* scratch */
};

/* Prepare for an entry. */
int annotated_begin(struct annotated *a, struct input *in,
                    const struct column_names *names, struct cooc_err *err);
void annotated_release(struct annotated *a);

/* Split a line at TABs into at most max cells; returns the number of columns,
 * which may be larger. */
size_t annotated_split(const char *line, size_t len, struct cell *cells,
                       size_t max);

/* A line is a token with n columns.  Begins a document if there is none. */
void annotated_line(struct annotated *a, const struct input *in, size_t n);
/* Do the options keep a token with this part of speech? */
bool annotated_keeps(struct annotated *a, const struct cell *cells, size_t n);
/* All entries have been read: warn if no token was kept. */
void annotated_finish(const struct annotated *a, const struct input *in);
/* Add the term of a token. */
int annotated_add(struct annotated *a, struct input *in,
                  const struct cell *cells, size_t n, struct cooc_err *err);
/* A sentence or a paragraph ends here. */
void annotated_end(struct annotated *a, bool paragraph);

/* The line read last marks the beginning of a document with this name, which
 * may be empty.  1: the current document must be returned first; 0: there is
 * none; < 0: failed. */
int annotated_mark(struct annotated *a, struct input *in,
                   const struct cell *name, struct cooc_err *err);
/* Continue with the document that was marked by the previous call of next(). */
void annotated_resume(struct annotated *a);
/* Return the current document: 1, 0 if there is none.  at_end: of the entry. */
int annotated_document(struct annotated *a, struct input *in, bool at_end,
                       struct cooc_err *err);

#endif
