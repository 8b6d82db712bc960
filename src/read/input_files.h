/* input_files.h - the files of all inputs, one after the other.
 *
 * An input is a file, "-" for standard input, or a directory, which is searched
 * (walk.h).  If the options ask for a share of the inputs, only its files and
 * ranges of files are returned (division.h).
 */
#ifndef COOC_INPUT_FILES_H
#define COOC_INPUT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "read/division.h"
#include "read/stream.h"

struct reader_stats;
struct walk;

struct input_files {
    const char *const *inputs;
    size_t n, next;
    struct watch *watch;      /* for notes on hidden files; may be NULL */
    struct walk *walk;        /* the current input, if a directory */
    bool divided;
    struct division division; /* unless divided is false */

    /* The current file. */
    const char *path, *input; /* input: for messages */
    const struct format *format; /* NULL: not known in advance */
    bool begins;              /* it is the first file of an input, or of the
                               * share */
    bool found;               /* in a directory, not named by the user */
    bool cut;                 /* read only this range of it */
    struct stream_range range;
};

/* Check all inputs, to fail now rather than after hours of reading. */
int input_files_check(const struct input_files *f, struct cooc_err *err);
/* Return only the files of share o->part of o->parts. */
int input_files_divide(struct input_files *f,
                       const struct cooc_index_options *o, struct watch *watch,
                       struct cooc_err *err);
/* 1: the next file; 0: no more files; < 0: failed. */
int input_files_next(struct input_files *f, struct reader_stats *stats,
                     struct cooc_err *err);
void input_files_release(struct input_files *f);

#endif
