/* build.h - build a collection on disk from the inputs: read, order, write. */
#ifndef COOC_BUILD_H
#define COOC_BUILD_H

#include "base/buf.h"
#include "base/checked_file.h"
#include "cooc_build.h"
#include "index/collection.h"
#include "read/part_info.h"
#include "read/read.h"
#include "token/token.h"

struct ingested;
struct index_job;
struct ordering;
struct term_filter;
struct watch;

/* Check the options.  COOC_EINVAL if one is invalid.  Writes nothing. */
int index_check(const struct cooc_index_options *o, struct cooc_err *err);

#define TERMS_HASH_MAX 17

/* How documents were turned into terms, as far as the options do not say. */
struct index_rules {
    enum token_mode mode;
    /* Hash of the list of terms to keep: 16 hexadecimal digits, or "" if
     * there is no list. */
    char terms_hash[TERMS_HASH_MAX];
    bool labels;                     /* terms are stems, with labels */
    uint32_t phrases;                /* number of phrases in all lists */
    /* Text fields of the existing documents to which these are added
     * (name_list.h, read.h), or NULL. */
    const struct buf *known_fields;
    struct buf fields;              /* text fields found in the inputs */
    struct part_info part;          /* which share of the inputs was read */
};

/* Where documents come from, and where the collection is written. */
struct index_input {
    const char *const *inputs;
    size_t n;
    struct feed *feed;  /* read instead of inputs unless NULL */
    const char *dir;    /* an existing, empty directory */
    const char *tmpdir; /* of temporary files; NULL: dir */
    struct reader_before before; /* the store to which they will be added */
    /* If text is not NULL: the contents of the list, instead of the file that
     * the options name. */
    struct text_list stop, thesaurus, phrases;
    /* Documents are added to a store without phrases: lists have words only. */
    bool no_phrases;
    /* Documents are added to a store of this mode, which is not an option of
     * the user.  NULL: they are not added. */
    const enum token_mode *added_to;
    /* If not NULL: called when all documents have been read; sets dir. */
    int (*make_directory)(void *self, const char **dir, struct cooc_err *err);
    void *self;
};

/* Write the files of the collection to in->dir and describe them in
 * ids[COLLECTION_FILES].  *how must be zero except for known_fields; the caller
 * releases how->fields and how->part, even after a failure. */
int index_build(struct index_input *in,
                const struct cooc_index_options *o, struct checked_file_id *ids,
                struct index_rules *how, struct cooc_index_report *report,
                struct watch *watch, struct cooc_err *err);

/* The second half of index_build(): number the terms of the ingested documents
 * and write the forward and the inverted index.  g is released before the
 * inverted index is built, because inverting needs its memory.  Unless keep is
 * NULL, *keep receives the numbering. */
int index_write(struct ingested *g, const struct index_job *job,
                const struct term_filter *filter, struct ordering *keep,
                struct cooc_err *err);

#endif
