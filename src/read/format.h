/* format.h - the one interface behind every input format.
 *
 * For each entry that has the format, reader.c calls begin(), then next()
 * until it returns 0.  in->state lasts for the whole job, over all entries, and
 * begins as zeros.  When every input has been read, finish() has the last
 * word.
 *
 * To add a format: write fmt_x.c over input.h, list it in detect.c, and if its
 * files can be told by name or content, teach that, too.
 */
#ifndef COOC_FORMAT_H
#define COOC_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

struct cooc_err;
struct input;

struct format {
    const char *name;
    bool is_terms; /* documents are terms, one a line; else running text */
    bool is_raw;   /* takes bytes as they are and converts by itself */
    size_t state_size;

    /* A new entry; may be NULL. */
    int (*begin)(struct input *in, struct cooc_err *err);
    /* 1: a document; 0: the entry has no more; < 0: failed.  Unless set in
     * in->doc, its text is in->body, its name NAME:LINE. */
    int (*next)(struct input *in, struct cooc_err *err);
    /* All inputs have been read: warn through in->watch; may be NULL. */
    void (*finish)(struct input *in);
    /* Free what the state owns; may be NULL. */
    void (*release)(void *state);
};

extern const struct format format_lines, format_tsv, format_files, format_jsonl,
    format_trec, format_html, format_warc, format_triples, format_uci,
    format_ldac, format_svmlight, format_transactions;

#define FORMATS 12

/* All of them, in the order in which they are listed to users. */
extern const struct format *const formats[FORMATS];

/* By name; COOC_EINVAL lists the known ones. */
int format_find(const struct format **out, const char *name,
                struct cooc_err *err);

/* ---- what format is this?  A guess, by name and first bytes -------------- */

#define SAMPLE_SIZE ((size_t)64 << 10)
#define PAGE_SAMPLE_SIZE ((size_t)8 << 10) /* for detect_page() */

struct sample {
    const char *name; /* of the file or entry; "-": none */
    bool many;        /* the first of many, in a directory or archive */
    const char *data; /* its first bytes, as UTF-8 */
    size_t len;
    bool cut; /* there is more behind */
};

/* Never NULL: what cannot be told is lines, or files if there are many. */
const struct format *detect_format(const struct sample *s);

/* A document a file: html if the name says so or it begins so, else files. */
const struct format *detect_page(const struct sample *s);

#endif
