/* tagged.h - records of lines that begin with tags, as bibliographic programs
 * export them.
 *
 *     PT J                  TY  - JOUR             PMID- 7
 *     AU Ito, A             AU  - Ito, A           AU  - Ito A
 *        Roe, B             AU  - Roe, B           TI  - Tea and
 *     TI Tea and milk       TI  - Tea and milk           milk
 *     ER                    ER  -
 *
 * A record that is malformed or not ended is skipped up to the beginning of the
 * next one, if the caller continues.
 */
#ifndef COOC_TAGGED_H
#define COOC_TAGGED_H

#include <stdbool.h>
#include <stddef.h>

#include "read/bib_record.h"

struct cooc_err;
struct input;

#define TAG_MAX 4

struct tag_line {
    enum {
        LINE_TAG,
        LINE_MORE,  /* continues the line before it */
        LINE_BLANK,
        LINE_OTHER  /* malformed */
    } kind;
    const char *tag, *value; /* of LINE_TAG and LINE_MORE */
    size_t tag_len, value_len;
};

struct tagged_format {
    const char *what;          /* for messages, as in "a RIS file" */
    struct bib_names names;
    const char *begin;         /* the tag that begins a record */
    bool must_begin;           /* no other tag begins a record */
    const char *end;           /* the tag that ends it; NULL: a blank line */
    const char *const *around; /* tags outside records; NULL at the end */
    const char *const *lists;  /* tags with one value per line; NULL at the
                                * end */
    const char *const *starred; /* tags with asterisks that mark main topics and
                                 * are removed; NULL at the end */
    /* Set *out to the parts of a line. */
    void (*parse)(const char *line, size_t len, struct tag_line *out);
};

/* The state of a tagged format. */
struct tagged {
    struct bib_record record;
    const char *line; /* read again by the next call, unless NULL */
    size_t len;
    bool skipping;    /* up to the beginning of the next record */
    bool any;         /* the entry has a record */
    char tag[TAG_MAX]; /* of the last line with a tag, if it is in lists */
    size_t tag_len;    /* or 0 */
    bool starred;      /* the last line with a tag has asterisks */
    struct buf plain;  /* a line without them */
};

/* begin(), next(), finish() and release() of formats whose state is a struct
 * tagged. */
int tagged_begin(struct input *in, struct cooc_err *err);
int tagged_next(struct input *in, const struct tagged_format *f,
                struct cooc_err *err);
void tagged_finish(struct input *in);
void tagged_release(void *state);

#endif
