/* format.h - the one interface behind every input format.
 *
 * For each entry that has the format, reader.c calls begin(), then next()
 * until it returns 0.  in->state lasts for the whole job, over all entries, and
 * begins as zeros.  When every input has been read, finish() has the last
 * word.
 *
 * To add a format: write fmt_x.c over input.h, list it in format.c, and if its
 * files can be told by name or content, teach detect.c.
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

#endif
