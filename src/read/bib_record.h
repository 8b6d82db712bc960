/* bib_record.h - a bibliographic record: what becomes of its names and values.
 *
 *     bib_begin()           once per entry, before the first record
 *     for each record
 *         bib_clear()
 *         bib_add(), bib_more()  for each value, in the order of the file
 *         bib_document()         make the text and the name of the document
 *     bib_finish()          when all inputs have been read
 *
 * The text is that of the requested fields, field by field; without a request,
 * it is the title and the abstract.  Only values that are needed are kept.
 */
#ifndef COOC_BIB_RECORD_H
#define COOC_BIB_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct input;

/* How a format names the fields that are used without a request. */
struct bib_names {
    bool any_case;             /* upper and lower case are equal in names */
    const char *const *text;   /* pairs: a name, and the name to use if the
                                * record lacks it or NULL; NULL at the end */
    const char *const *ids;    /* the first one that the record has names the
                                * document; NULL at the end */
};

/* An all-zero struct with names is valid. */
struct bib_record {
    const struct bib_names *names;
    uint64_t line;     /* where the record begins */
    bool kept;         /* the last value was kept */
    bool any_id;       /* some record has the requested id field */
    struct buf values; /* lines of name TAB value */
    struct buf key;    /* names the document unless an id field is requested */
};

int bib_begin(struct input *in, struct cooc_err *err);
void bib_clear(struct bib_record *r, uint64_t line);

/* Is the field name[0..len) needed?  If not, its values need not be added, but
 * bib_add() also collects names for messages. */
bool bib_wants(const struct bib_record *r, const struct input *in,
               const char *name, size_t len);

/* Add a value.  The name has neither TAB nor line end. */
int bib_add(struct bib_record *r, struct input *in, const char *name,
            size_t name_len, const char *value, size_t len,
            struct cooc_err *err);
/* Append a blank and text to the last value. */
int bib_more(struct bib_record *r, struct input *in, const char *text,
             size_t len, struct cooc_err *err);

/* 1: the record is the next document; < 0: failed. */
int bib_document(struct bib_record *r, struct input *in, struct cooc_err *err);

/* Warn if no record has the requested id field. */
void bib_finish(const struct bib_record *r, const struct input *in);
void bib_release(struct bib_record *r);

#endif
