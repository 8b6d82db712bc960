/* input.h - what a format reads from, and what it makes documents of.
 *
 * reader.c prepares it for each entry and owns it; formats use the parts they
 * need and the helpers below, so that a format is little more than its grammar.
 */
#ifndef COOC_INPUT_H
#define COOC_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "cooc_build.h"
#include "read/entry_text.h"
#include "read/fields.h"
#include "read/read.h"

struct reader_stats;
struct scan;
struct watch;

/* The words behind the numbers of a bag-of-words file, one per line, the first
 * line is number 0: all their bytes, and where each word ends. */
struct vocab {
    char *path; /* NULL: none was loaded */
    struct buf words;
    size_t *ends; /* of each word in words */
    size_t n, cap;
};

struct input {
    const struct cooc_index_options *options;
    struct reader_stats *stats;
    struct watch *watch;  /* for warnings; may be NULL */
    struct fields fields; /* that formats with text fields look for */
    struct vocab vocab;   /* the words that numbers stand for */

    /* The entry at hand. */
    const char *path;   /* of the file, "-" for standard input */
    const char *name;   /* of the entry: path, or ARCHIVE/ENTRY */
    bool found;         /* in a directory or archive, not named by the user */
    uint64_t documents; /* handed out so far */
    struct text text;   /* its max is that of documents, too */
    void *state;        /* the format's own */

    /* The next document; all but scratch is emptied before it. */
    struct document doc;
    struct buf label;   /* its name, where that is made up */
    struct buf body;    /* its text, where that is put together */
    struct buf scratch; /* for the format; its text without markup */
};

void input_release(struct input *in);

/* ---- reading ---- */

/* 1: the next line without the blanks that it begins with; 0: no more. */
int input_fields(struct input *in, struct scan *line, struct cooc_err *err);

/* All that is left of the entry, into body. */
int input_whole(struct input *in, struct cooc_err *err);

/* COOC_EFORMAT, the text headed by NAME:LINE of the line read last. */
int input_wrong(const struct input *in, struct cooc_err *err, const char *fmt,
                ...) __attribute__((format(printf, 3, 4)));

/* ---- making documents ---- */

/* COOC_ELIMIT if body and extra more bytes are too much for a document. */
int input_room(const struct input *in, size_t extra, struct cooc_err *err);

/* Add text[0..len) and a '\n' to body. */
int input_add_line(struct input *in, const char *text, size_t len,
                   struct cooc_err *err);

/* Load path as the vocabulary, unless it is loaded; NULL: empty it. */
int vocab_load(struct input *in, const char *path, struct cooc_err *err);

/* Add a line to body: word number index of the vocabulary, which must exist, or
 * if none is loaded, the number id itself. */
int vocab_add_term(struct input *in, uint64_t index, uint64_t id,
                   struct cooc_err *err);

/* The document's text is that of a buffer, which may be empty. */
void input_text(struct input *in, const struct buf *text);

/* Name the document NAME:number, or as label says. */
int input_name(struct input *in, uint64_t number, struct cooc_err *err);
void input_label(struct input *in);

/* The document is the text of the page html[0..len), made in scratch; charset
 * as for html_text(). */
int input_page(struct input *in, const char *html, size_t len,
               const char *charset, struct cooc_err *err);
/* The charset of pages in an entry that was converted to UTF-8, or NULL. */
const char *input_charset(const struct input *in);

#endif
