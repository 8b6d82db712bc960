/* build.h - from inputs to a collection on disk: read, order, write. */
#ifndef COOC_BUILD_H
#define COOC_BUILD_H

#include "base/buf.h"
#include "base/checked_file.h"
#include "cooc_build.h"
#include "index/collection.h"
#include "token/token.h"

struct ingested;
struct index_job;
struct ordering;
struct term_filter;
struct watch;

/* Do the options make sense?  Nothing is written. */
int index_check(const struct cooc_index_options *o, struct cooc_err *err);

#define TERMS_HASH_MAX 17

/* How documents became terms, as far as the options do not tell. */
struct index_rules {
    enum token_mode mode;
    char terms_hash[TERMS_HASH_MAX]; /* of the list of terms to keep: 16 hex
                                        digits, or "" without a list */
    bool labels;                     /* terms are stems and have labels */
    const struct buf *known_fields; /* name_list.h, or NULL: text fields of
                                       documents from before (read.h) */
    struct buf fields;              /* text fields that were read */
};

/* Where documents come from, and where the collection goes. */
struct index_input {
    const char *const *inputs;
    size_t n;
    struct feed *feed;  /* instead of inputs, or NULL */
    const char *dir;    /* exists and is empty */
    const char *tmpdir; /* for temporary files; NULL: dir */
    /* NULL, or sets dir when all documents have been read. */
    int (*make_directory)(void *self, const char **dir, struct cooc_err *err);
    void *self;
};

/* Write the collection's files into in->dir; what was written is described in
 * ids[COLLECTION_FILES].  *how must be zero but for known_fields; its fields
 * are the caller's, also after a failure. */
int index_build(struct index_input *in,
                const struct cooc_index_options *o, struct checked_file_id *ids,
                struct index_rules *how, struct cooc_index_report *report,
                struct watch *watch, struct cooc_err *err);

/* The second half of it: number the terms of what was gathered, write both
 * views.  g is released on the way, since what follows needs its memory; the
 * numbering goes to keep, unless that is NULL. */
int index_write(struct ingested *g, const struct index_job *job,
                const struct term_filter *filter, struct ordering *keep,
                struct cooc_err *err);

#endif
