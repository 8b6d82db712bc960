/* format.h - the interface that every input format implements.
 *
 * For each entry in the format, reader.c calls begin(), then next() until it
 * returns 0.  in->state lasts for the whole job, across all entries, and starts
 * as zeros.  finish() is called once, when every input has been read.
 *
 * To add a format: write fmt_x.c on top of input.h and list it in detect.c.  If
 * its files can be recognised by name or content, add that to detect.c, too.
 */
#ifndef COOC_FORMAT_H
#define COOC_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "read/read.h"
#include "read/reading.h"

struct cooc_err;
struct cooc_index_options;
struct input;

/* Where a file of this format can be divided into shares. */
enum format_cut {
    CUT_NEVER,
    CUT_LINES, /* before every line */
    CUT_RUNS   /* before every line that has another first field, up to the
                * TAB, than the line before it; names are distinct */
};

struct format {
    const char *name;
    enum document_kind kind; /* unless the options change it: format_kind() */
    unsigned uses; /* options that apply to it: bits of enum reading_use */
    bool is_raw;   /* reads unconverted bytes and converts them itself */
    bool is_page;  /* documents may declare their encoding, so bytes are only
                    * converted if a mark or the user says what they are */
    bool takes_any; /* any text is valid, so binary files would be, too */
    enum format_cut cut;
    size_t state_size;

    /* Begin a new entry; may be NULL. */
    int (*begin)(struct input *in, struct cooc_err *err);
    /* 1: a document; 0: the entry has no more documents; < 0: failed.  Unless
     * next() sets them in in->doc, the text is in->body and the name is
     * NAME:LINE. */
    int (*next)(struct input *in, struct cooc_err *err);
    /* Called when all inputs have been read; may warn through in->watch.  May
     * be NULL. */
    void (*finish)(struct input *in);
    /* Free what the state owns; may be NULL. */
    void (*release)(void *state);
};

extern const struct format format_lines, format_tsv, format_files, format_jsonl,
    format_trec, format_html, format_warc, format_triples, format_uci,
    format_ldac, format_svmlight, format_transactions, format_csv, format_wos,
    format_ris, format_medline, format_bibtex, format_conllu, format_vertical,
    format_xml, format_ciff;

#define FORMATS 21

/* All formats, in the order in which they are listed to users. */
extern const struct format *const formats[FORMATS];

/* Find a format by name.  COOC_EINVAL, with a list of all names, if it is
 * unknown. */
int format_find(const struct format **out, const char *name,
                struct cooc_err *err);

/* Where files of the format can be divided with these options. */
enum format_cut format_cut(const struct format *f,
                           const struct cooc_index_options *o);

/* The kind of documents that the format gives with these options. */
enum document_kind format_kind(const struct format *f,
                               const struct cooc_index_options *o);

/* COOC_EINVAL if the options ask for grouped rows, but the entry `name` is in a
 * format without columns. */
int format_check_group(const struct format *f, const char *name,
                       const struct cooc_index_options *o,
                       struct cooc_err *err);

/* COOC_EINVAL unless both formats give the same kind of documents.  input is in
 * format f, and first_input is in format first. */
int format_compare(const struct format *f, const char *input,
                   const struct format *first, const char *first_input,
                   const struct cooc_index_options *o, struct cooc_err *err);

/* *f is the format that the entry `name` was recognised as.  If that is plain
 * text, set *f to the format of the existing documents; otherwise, COOC_EINVAL
 * unless they are in the same format. */
int format_expect(const struct format **f, const char *name,
                  const struct reader_before *before, struct cooc_err *err);

/* ---- detecting the format from the name and the first bytes -------------- */

#define SAMPLE_SIZE ((size_t)64 << 10)

struct sample {
    const char *name; /* of the file or entry; "-": no name */
    bool many;        /* the entry is in a directory or archive */
    bool many_texts;  /* the inputs have several plain text files by name, or a
                       * directory: each such file is one document */
    const char *data; /* first bytes of the entry, as UTF-8 */
    size_t len;
    bool cut; /* the entry has more bytes than data */
};

/* Never NULL: an entry that is not recognised is lines, or files if s->many. */
const struct format *detect_format(const struct sample *s);

/* Whether the inputs have several files with names of plain text, or one such
 * file and a directory. */
bool inputs_have_texts(const char *const *inputs, size_t n);

/* The format of records or annotated text that the first lines show beyond
 * doubt; NULL: none.  records: only wos, ris, medline and bibtex. */
const struct format *detect_tagged(const struct sample *s, bool records);

/* The format of an entry that is one document: html if its name or its first
 * bytes say so, otherwise files. */
const struct format *detect_page(const struct sample *s);

#endif
