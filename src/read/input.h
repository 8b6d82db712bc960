/* input.h - what a format reads from, and the document that it makes.
 *
 * reader.c owns the struct input and prepares it for each entry.  Formats use
 * the parts that they need and the helpers below, so that a format is little
 * more than its grammar.
 */
#ifndef COOC_INPUT_H
#define COOC_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "cooc_build.h"
#include "read/encoding.h"
#include "read/entry_text.h"
#include "read/fields.h"
#include "read/read.h"

struct reader_stats;
struct scan;
struct watch;

/* The vocabulary of a bag-of-words file, which has one word per line; the first
 * line is word 0. */
struct vocab {
    char *path; /* NULL: no vocabulary is loaded */
    struct buf words;
    size_t *ends; /* where each word ends in words */
    size_t n, cap;
};

struct input {
    const struct cooc_index_options *options;
    struct reader_stats *stats;
    struct watch *watch;  /* for warnings; may be NULL */
    const char *tmpdir;   /* of temporary files; NULL: the working directory */
    struct encoding_choice encoding; /* as the options say */
    struct fields fields; /* text fields that formats look for */
    struct vocab vocab;   /* words of numbered terms */

    /* The current entry. */
    const char *path;   /* of the file; "-" for standard input */
    const char *name;   /* of the entry: path, or ARCHIVE/ENTRY */
    bool found;         /* in a directory or archive, not named by the user */
    bool bad_record;    /* see input_bad_record() */
    bool unfit;         /* it cannot be read with the options given */
    uint64_t bad_line;
    bool bad_file;      /* the file, not only the current entry, is bad */
    bool wants_ends;    /* note sentence and paragraph ends */
    uint64_t documents; /* number of documents returned so far */
    struct text text;   /* its text; text.max also limits documents */
    const char *other;  /* see struct html_hints */
    bool encoding_noted; /* its encoding has been noted, or will not be */
    void *state;        /* the format's own state */

    /* The next document.  Everything but scratch is emptied before each
     * next(). */
    struct document doc;
    struct buf label;   /* its name, if the format composes it */
    struct buf body;    /* its text, if the format composes it */
    struct buf ends;    /* struct text_end; see input_end() */
    struct buf scratch; /* for the format; or the text of a page */
};

void input_release(struct input *in);

/* ---- reading ---- */

/* 1: the next line, without leading blanks; 0: no more lines; < 0: failed. */
int input_fields(struct input *in, struct scan *line, struct cooc_err *err);

/* Read the rest of the entry into body. */
int input_whole(struct input *in, struct cooc_err *err);

/* Return COOC_EFORMAT with a message that begins with NAME:LINE, where LINE is
 * the line read last. */
int input_wrong(struct input *in, struct cooc_err *err, const char *fmt,
                ...) __attribute__((format(printf, 3, 4)));

/* The same about the record that began in the given line; it can be left out,
 * and the next call of next() continues after it. */
int input_bad_record(struct input *in, uint64_t line, struct cooc_err *err,
                     const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether the error is about the record or the file, so that reading could go
 * on without it. */
bool input_is_bad(const struct input *in, int code);

/* Report that the record (in->bad_record), the file (in->bad_file) or the entry
 * was left out, and why. */
void input_note_bad(struct input *in, const struct cooc_err *why);

/* ---- making documents ---- */

/* COOC_ELIMIT if extra more bytes would make body, or a buffer of len bytes,
 * too large for a document. */
int input_room(const struct input *in, size_t extra, struct cooc_err *err);
int input_room_for(const struct input *in, size_t len, size_t extra,
                   struct cooc_err *err);

/* Append text[0..len) and a '\n' to body. */
int input_add_line(struct input *in, const char *text, size_t len,
                   struct cooc_err *err);

/* Add a value of a field to body: as a paragraph of its own or, if the options
 * say how to split fields, as terms, each after the field's prefix. */
int input_add_value(struct input *in, const struct field *field,
                    const char *value, size_t len, struct cooc_err *err);

/* A sentence or a paragraph ends at the end of body.  No-op unless
 * in->wants_ends. */
int input_end(struct input *in, bool paragraph, struct cooc_err *err);
/* The same at byte `at` of the text, which must not be before the last end. */
int input_end_at(struct input *in, size_t at, bool paragraph,
                 struct cooc_err *err);

/* Load path as the vocabulary, unless it is already loaded; NULL: clear the
 * vocabulary. */
int vocab_load(struct input *in, const char *path, struct cooc_err *err);

/* Append a line to body: word number index of the vocabulary, which must exist,
 * or the number id if no vocabulary is loaded. */
int vocab_add_term(struct input *in, uint64_t index, uint64_t id,
                   struct cooc_err *err);

/* 1, or an error about the row that was read last: its name is empty or too
 * long to group rows by. */
int input_check_group(struct input *in, struct cooc_err *err);

/* Set the document's text to a buffer, which may be empty. */
void input_text(struct input *in, const struct buf *text);

/* Name the document NAME:number (input_name) or as in->label says
 * (input_label). */
int input_name(struct input *in, uint64_t number, struct cooc_err *err);
void input_label(struct input *in);

/* Note that the entry is in an encoding other than UTF-8; once per entry. */
void input_note_encoding(struct input *in, const char *encoding);

/* Set the document's text to the text of the page html[0..len), extracted into
 * scratch.  charset: the encoding if it is known, otherwise NULL. */
int input_page(struct input *in, const char *html, size_t len,
               const char *charset, struct cooc_err *err);
/* The charset to pass to input_page(): "UTF-8" if the entry is known to be in
 * UTF-8 after conversion, otherwise NULL. */
const char *input_charset(const struct input *in);

#endif
