/* fields.h - the text fields that were asked for, and which of them occur.
 *
 * The text of a misspelt field would be lost silently.  So every format that
 * reads --text-field reports here which fields each record has.  A field that
 * the first FIELDS_SOON records lack is a warning at that point, and a field
 * that all records lack is an error at the end.
 *
 *     fields_begin()    before the first record: split the list of names
 *     for each record
 *         fields_saw()      for each field that it has
 *         fields_offer()    for names that it has, while fields_want_names()
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

#define FIELDS_SOON 10000 /* records */

struct field {
    const char *name; /* as it was given: name[0..len) */
    size_t len;
    const char *trimmed; /* without white space around it; may be the same */
    size_t trimmed_len;
    bool seen;    /* some record has it */
};

struct fields {
    struct field *items;
    size_t n, cap;
    uint64_t records;
    bool any_text;    /* some record has text in one of them */
    struct buf seen;  /* name_list.h: the names under which they were found */
    struct buf names; /* name_list.h: of what the first records have */
};

/* Take the fields of a list as in "title, body.text", which must outlive f.
 * Does nothing if there are fields already.  COOC_EINVAL if the list has no
 * name. */
int fields_begin(struct fields *f, const char *list, struct cooc_err *err);

/* The record has field i, by its trimmed name or the exact one; text: and
 * there is text in it. */
int fields_saw(struct fields *f, size_t i, bool trimmed, bool text,
               struct cooc_err *err);

/* Names that users could have meant are wanted from the first records. */
bool fields_want_names(const struct fields *f);
int fields_offer(struct fields *f, const char *name, size_t len,
                 struct cooc_err *err);

/* A record has ended.  May warn through watch, which may be NULL. */
int fields_record(struct fields *f, struct watch *watch, struct cooc_err *err);

/* COOC_EINVAL names the fields that no record has, and those there are.  A
 * field in known (name_list.h; NULL: none) has text in documents from before:
 * that is a warning only.  Does nothing if there were no records. */
int fields_finish(struct fields *f, const struct buf *known,
                  struct watch *watch, struct cooc_err *err);
void fields_release(struct fields *f);

#endif
