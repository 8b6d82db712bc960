/* export.h - the interface of an export format; one file per format.
 *
 *     begin    write everything before the first pair; the terms are known, and
 *              so is the number of pairs if the format asks for it
 *     format   append the pairs of a term to an output (output.h); called once
 *              per term, by all threads.  The outputs are written to the main
 *              sink in the order of the terms, unless the format accepts any
 *              order, or passed to take
 *     row      instead of format: write the pairs of a term; called in order
 *     end      write everything after the last pair
 *
 * A format of the documents instead of pairs has only
 *
 *     write    write everything; the store may not be counted
 *
 * A format writes to one or two sinks.  export.c opens them, makes them durable
 * and gives the files their names at the end, when both are complete.
 *
 * To add the format "abc", write exp_abc.c, which defines
 *
 *     const struct exporter export_abc = { .name = "abc", ... };
 *
 * and add it to EXPORT_FORMATS below and to meson.build.  The command line,
 * its help and Python use that list.  Copy a format that is similar to yours:
 *
 *     exp_raw.c      binary, one file, no state
 *     exp_mtx.c      a text matrix, with its terms in a second file
 *     exp_pajek.c    a network, described by text templates (network.h)
 *     exp_ciff.c     the documents instead of pairs
 */
#ifndef COOC_EXPORT_H
#define COOC_EXPORT_H

#include "cooc_export.h"
#include "export/selection_walk.h"
#include "export/sink.h"

enum {
    EXPORT_TO_PIPE = 1,   /* can be written to standard output */
    EXPORT_NETWORK = 2,   /* terms without a pair are omitted */
    EXPORT_COUNTED = 4,   /* needs the number of pairs in advance */
    EXPORT_SURVEYED = 8,  /* needs the number of partners per term */
    EXPORT_BOTH = 16,     /* by default, each pair is in both rows */
    EXPORT_EITHER = 32,   /* --triangle and --symmetric apply */
    EXPORT_FROM_ROW = 64, /* a matrix: x is the row, y the column */
    EXPORT_HALF = 128,    /* by default half: the header says symmetric */
    EXPORT_ANY_ORDER = 256, /* accepts pairs in any order, one per row */
};

/* How a format escapes terms.  A term may contain any bytes; the file is always
 * well-formed. */
enum label {
    LABEL_TSV,   /* tab, newline, return, NUL, backslash as \t \n \r \0 \\ */
    LABEL_CSV,   /* RFC 4180: quoted if necessary; NUL becomes U+FFFD */
    LABEL_JSON,  /* a quoted string */
    LABEL_XML,   /* for text and attributes; characters that XML 1.0 does not
                  * allow become U+FFFD, white space other than the blank
                  * becomes a character reference */
    LABEL_QUOTED, /* quoted, for Pajek, where readers disagree on escapes: a
                   * quote becomes ', a backslash /, control characters become
                   * blanks */
    LABEL_PLAIN, /* for tables without escapes: tabs and control characters
                  * become blanks */
};

struct export_job {
    const struct exporter *format;
    const struct cooc_export_options *o;
    struct selection sel;
    struct sink main, side; /* side: only if the format has two files */
    bool symmetric;         /* each pair is in both rows */
    uint64_t entries;       /* number of entries to write; see EXPORT_COUNTED */
    uint64_t written;       /* entries so far; counted by row or take, if the
                             * format has one; postings if it has write */
    uint64_t documents;     /* written, if the format has write */
    const char *tmpdir;     /* for temporary files */
    void *state;            /* of the format, initially all zeros */
};

/* All formats, in the order of the help; the first is the default. */
#define EXPORT_FORMATS(FORMAT)                                        \
    FORMAT(tsv)                                                       \
    FORMAT(csv)                                                       \
    FORMAT(jsonl)                                                     \
    FORMAT(raw)                                                       \
    FORMAT(glove)                                                     \
    FORMAT(mtx)                                                       \
    FORMAT(npz)                                                       \
    FORMAT(sqlite)                                                    \
    FORMAT(gexf)                                                      \
    FORMAT(graphml)                                                   \
    FORMAT(pajek)                                                     \
    FORMAT(vosviewer)                                                 \
    FORMAT(gephi_csv)                                                 \
    FORMAT(ciff)

struct exporter {
    const char *name, *summary;
    unsigned flags;
    size_t state_size;

    /* The names of both files in a directory.  If the user names the first
     * file, the name of the second is formed by replacing the suffix ending
     * ("": none) by side_ending. */
    const char *file, *side, *ending, *side_ending;

    /* begin, seal, take and end may be NULL; the first argument of format,
     * seal, take and row is the job. */
    int (*begin)(struct export_job *j, struct cooc_err *err);
    format_fn format;
    seal_fn seal;
    take_fn take;
    unsigned streams; /* of an output */
    row_fn row;
    int (*end)(struct export_job *j, struct cooc_err *err);
    int (*write)(struct export_job *j, struct cooc_err *err);
    void (*release)(struct export_job *j);
    const struct network *network; /* for the functions of network.h */
};

#define DECLARE_EXPORTER(name) extern const struct exporter export_##name;
EXPORT_FORMATS(DECLARE_EXPORTER)
#undef DECLARE_EXPORTER

/* The options of an export, for formats that can contain notes.  Names and
 * values are plain ASCII that no format has to escape. */
struct notes {
    size_t n;
    struct note {
        const char *name;
        char value[32];
    } list[20];
};

void export_notes(const struct export_job *j, struct notes *n);

/* Write all notes, each as "name: value" between before and after. */
int export_write_notes(const struct export_job *j, struct sink *to,
                       const char *before, const char *after,
                       struct cooc_err *err);

/* The name of the measure, for example "ppmi"; "count" is the default. */
static inline const char *export_measure(const struct export_job *j)
{
    return j->sel.by.m->about.name;
}

/* Append the label; invalid UTF-8 becomes U+FFFD except in TSV and CSV.  No
 * label contains a NUL byte. */
int label_add(struct buf *to, enum label kind, const char *s, size_t len,
              struct cooc_err *err);

/* Append the term of a new id to a buffer, escaped for the format. */
int export_label(const struct export_job *j, uint32_t id, enum label kind,
                 struct buf *to, struct cooc_err *err);

/* Write the term of each new id, one per line, escaped as in TSV. */
int export_terms(const struct export_job *j, struct sink *to,
                 struct cooc_err *err);

#endif
