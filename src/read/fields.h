/* fields.h - the requested text fields, and which of them occur in the input.
 *
 * The text of a misspelt field would be lost silently.  So every format that
 * supports --text-field reports here which fields each record has.  A field
 * that is missing in the first FIELDS_SOON records is a warning at that point,
 * and a field that is missing in all records is an error at the end.
 *
 *     fields_begin()    before the first record: split the list of names
 *     for each record
 *         fields_saw()      for each requested field that it has
 *         fields_offer()    for each name that it has, if fields_want_names()
 *         fields_record()   once, at its end
 *     fields_finish()   when every input has been read (reader.c)
 *
 * Formats look up a field by its exact name, then, if the record does not have
 * it, by its name without surrounding white space.
 *
 * One object serves a whole job, over all inputs and formats; an all-zero one
 * is valid and has no fields.
 * Threads    One at a time, like the reader.
 */
#ifndef COOC_FIELDS_H
#define COOC_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct watch;

#define FIELDS_SOON 10000 /* records before the first warning */

struct field {
    const char *name; /* as given by the user: name[0..len) */
    size_t len;
    const char *trimmed; /* without surrounding white space; may equal name */
    size_t trimmed_len;
    const char *prefix; /* typed terms: prefix[0..prefix_len) ':' item */
    size_t prefix_len;
    bool seen;    /* some record has it */
};

struct fields {
    struct field *items;
    size_t n, cap;
    uint64_t records;
    bool any_text;    /* some record has text in one of the fields */
    bool untyped;     /* a name has a '=', but fields are not split */
    struct buf seen;  /* name_list.h: names under which fields were found */
    struct buf names; /* name_list.h: names that the first records have */
};

/* Set the fields from lists, for example "title, body.text", which must outlive
 * f; more lists may follow, each after a '\n'.  typed: "au=author" is the field
 * author with the prefix au.  No-op if f already has fields.  COOC_EINVAL if
 * there is no name. */
int fields_begin(struct fields *f, const char *lists, bool typed,
                 struct cooc_err *err);

/* The same for names that may contain commas: a list that is a name as a whole
 * is not split. */
typedef bool is_field_name(const void *self, const char *name, size_t len);
int fields_begin_known(struct fields *f, const char *lists, bool typed,
                       is_field_name *is_name, const void *self,
                       struct cooc_err *err);

/* The field name[0..len), which may be "prefix=name" if typed. */
struct field field_of(const char *name, size_t len, bool typed);

/* Report that the record has field i, under its trimmed or its exact name.
 * text: the field has text in it. */
int fields_saw(struct fields *f, size_t i, bool trimmed, bool text,
               struct cooc_err *err);

/* Offer a name that a record has, to be listed in messages about missing
 * fields.  Only names of the first records are wanted. */
bool fields_want_names(const struct fields *f);
int fields_offer(struct fields *f, const char *name, size_t len,
                 struct cooc_err *err);

/* End a record.  May warn through watch, which may be NULL. */
int fields_record(struct fields *f, struct watch *watch, struct cooc_err *err);

/* Return COOC_EINVAL if no record has one of the fields; the message names the
 * missing fields and the fields that records have.  For a field in known
 * (name_list.h; NULL: none), which has text in existing documents, only warn.
 * No-op if there were no records. */
int fields_finish(struct fields *f, const struct buf *known,
                  struct watch *watch, struct cooc_err *err);
/* The same for a share of the inputs: only warn, and add the requested fields,
 * and those that no record has, to two lists (name_list.h). */
int fields_finish_part(const struct fields *f, struct buf *asked,
                       struct buf *missing, struct watch *watch,
                       struct cooc_err *err);
void fields_release(struct fields *f);

#endif
