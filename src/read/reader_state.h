/* reader_state.h - what the files of the reader share.
 *
 * reader.c goes from entries to documents, reader_entry.c from inputs to
 * entries.
 */
#ifndef COOC_READER_STATE_H
#define COOC_READER_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "read/format.h"
#include "read/encoding.h"
#include "read/input.h"
#include "read/input_files.h"
#include "read/invalid.h"
#include "read/part_info.h"
#include "read/read.h"

struct binary;
struct buf;
struct cooc_err;
struct feed;
struct grouper;
struct stream;

/* Room for the names of several formats; ", ..." replaces the rest. */
#define FORMATS_LABEL 64

struct reader {
    struct feed *feed;          /* replaces inputs, or NULL */
    bool feed_terms;
    struct input_files files;
    struct part_info part;      /* see reader_part() */
    const struct format *asked; /* named by the user, or NULL */
    const struct buf *known;    /* text fields of existing documents, or NULL */
    struct reader_before before; /* existing documents */
    const struct format *first; /* format of the first input */
    const char *first_input;
    struct grouper *grouper;    /* of the rows, if they are grouped */

    struct stream *stream;       /* the current file */
    const struct format *format; /* of the current input; NULL: not yet known */
    size_t which;                /* index of format in formats[] */
    bool in_entry;               /* the entry may have more documents */
    bool many_texts;             /* a plain text file is one document */
    bool office;                 /* the entry is an office file */
    bool is_probe;               /* see reader_probe(); nothing is noted */
    bool leave_file;             /* the file cannot be read further */
    struct cooc_err unfit;       /* why the first file that the options do not
                                  * fit was skipped; code 0: none was */
    struct encoding encoding;    /* of the entry */
    bool empty;                  /* the entry has no text */
    bool not_text;               /* the entry should not be read */
    const struct binary *binary; /* its format, or NULL */

    uint64_t entry;          /* number of the entry, from 1 */
    uint64_t invalid_before; /* invalid bytes of earlier entries */
    struct invalid_list invalid;

    void *states[FORMATS];
    bool used[FORMATS];        /* formats that produced documents */
    unsigned uses;             /* enum reading_use: options that apply */
    char names[FORMATS_LABEL]; /* names of used formats: "lines, jsonl" */
    struct reader_stats stats;
    struct input in;
};

/* Open the next file of the inputs: 1, or 0 if there are no more files. */
int reader_next_file(struct reader *r, struct cooc_err *err);
/* Set the format and the encoding of the entry, or r->not_text.  An office file
 * is one document, whatever format the user named. */
int reader_choose_format(struct reader *r, struct cooc_err *err);
/* Fail unless what is not text was found in a folder or an archive. */
int reader_refuse_binary(const struct reader *r, const char *name,
                         struct cooc_err *err);
/* 1: at the beginning of an entry; 0: no more entries; < 0: failed. */
int reader_next_entry(struct reader *r, struct cooc_err *err);

#endif
