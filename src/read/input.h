/* input.h - what a format reads from: the entry at hand and its names.
 *
 * reader.c prepares it for each entry; formats use the parts they need and
 * the helpers below.
 */
#ifndef COOC_INPUT_H
#define COOC_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "read/entry_text.h"
#include "read/fields.h"
#include "read/line_reader.h"

struct cooc_index_options;
struct document;
struct reader_stats;
struct watch;

struct input {
    const struct cooc_index_options *options;
    struct reader_stats *stats;
    struct watch *watch; /* for warnings; may be NULL */
    struct fields fields; /* that formats with text fields look for */
    const char *path; /* of the file, "-" for standard input */
    const char *name; /* of the entry: path, or ARCHIVE/ENTRY */
    bool found;       /* in a directory or archive, not named by the user */
    size_t max;       /* bytes of a document */
    struct text text;
    struct line_reader lines;
    struct buf label; /* the document's name, where it is made up */
    struct buf body;  /* the document's text, where it is put together */
};

void input_release(struct input *in);

/* Name the document NAME:number. */
int input_name(struct input *in, uint64_t number, struct document *doc,
               struct cooc_err *err);

/* All that is left of the entry, into body. */
int input_whole(struct input *in, struct cooc_err *err);

/* COOC_ELIMIT if body and extra more bytes are too much for a document. */
int input_room(const struct input *in, size_t extra, struct cooc_err *err);

/* COOC_EFORMAT, the text headed by NAME:LINE of the line read last. */
int input_wrong(const struct input *in, struct cooc_err *err, const char *fmt,
                ...) __attribute__((format(printf, 3, 4)));

#endif
