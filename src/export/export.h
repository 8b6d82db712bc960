/* export.h - what a format is: one file each, behind one interface.
 *
 *     begin    what comes before the first pair; terms and their number are
 *              fixed, pairs are counted if the format wants it
 *     row      the pairs of a term; every term once, in order, unless the
 *              format takes any order
 *     end      what comes after the last pair
 *
 * A format writes into one sink or two, which are opened, made durable and
 * given their names elsewhere (export.c): all at once, and only when both
 * are complete.
 *
 * To add the format "abc", write exp_abc.c, which defines
 *
 *     const struct exporter export_abc = { .name = "abc", ... };
 *
 * and add it to EXPORT_FORMATS below and to meson.build.  The command line,
 * its help and Python find it there.  Copy a format that is like yours:
 *
 *     exp_raw.c      bytes, one file, no state
 *     exp_mtx.c      a matrix of lines, with its terms in a second file
 *     exp_pajek.c    a network, which is text with fields (network.h)
 */
#ifndef COOC_EXPORT_H
#define COOC_EXPORT_H

#include "cooc_export.h"
#include "export/selection_walk.h"
#include "export/sink.h"

enum {
    EXPORT_TO_PIPE = 1,   /* may go to standard output */
    EXPORT_NETWORK = 2,   /* terms without a pair are left out */
    EXPORT_COUNTED = 4,   /* the number of pairs must be known before */
    EXPORT_SURVEYED = 8,  /* ... and that of each term's partners */
    EXPORT_BOTH = 16,     /* usually symmetric: a pair in both rows */
    EXPORT_EITHER = 32,   /* symmetric or not, as one likes */
    EXPORT_FROM_ROW = 64, /* a matrix: scores go from row to column */
    EXPORT_HALF = 128,    /* usually half: readers know of symmetry */
    EXPORT_ANY_ORDER = 256, /* pairs may come in any order, one to a row */
};

/* A term as a format wants it.  It may hold any bytes: whatever they are, the
 * file stays well-formed. */
enum label {
    LABEL_TSV,   /* tab, newline, return, NUL, backslash as \t \n \r \0 \\ */
    LABEL_CSV,   /* RFC 4180: in quotes if it must be; NUL is U+FFFD */
    LABEL_JSON,  /* a string in its quotes */
    LABEL_XML,   /* for text and attributes; what XML 1.0 cannot hold is
                  * U+FFFD, white space but the blank a reference */
    LABEL_QUOTED, /* in quotes, for Pajek, whose readers differ on escapes: a
                   * quote inside is ', a backslash /, control characters are
                   * blanks */
    LABEL_PLAIN, /* for tables without escapes: tabs and control characters
                  * are blanks */
};

struct export_job {
    const struct exporter *format;
    const struct cooc_export_options *o;
    struct selection sel;
    struct sink main, side; /* side: if the format has one */
    bool symmetric;         /* each pair stands in both rows */
    uint64_t entries;       /* that will be written, if counted */
    uint64_t written;       /* so far; the formats count */
    const char *tmpdir;     /* for temporary files */
    void *state;            /* the format's own, all zero at first */
};

/* Every format, in the order in which they are listed; the first is the
 * default. */
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
    FORMAT(gephi_csv)

struct exporter {
    const char *name, *summary;
    unsigned flags;
    size_t state_size;

    /* Files in a directory; how the second is called if the first has a
     * name of its own: its ending is taken away ("": none), this put in its
     * place. */
    const char *file, *side, *ending, *side_ending;

    /* All but row may be NULL; the first argument of row is the job. */
    int (*begin)(struct export_job *j, struct cooc_err *err);
    row_fn row;
    int (*end)(struct export_job *j, struct cooc_err *err);
    void (*release)(struct export_job *j);
    const struct network *network; /* for network_begin() and so on */
};

#define DECLARE_EXPORTER(name) extern const struct exporter export_##name;
EXPORT_FORMATS(DECLARE_EXPORTER)
#undef DECLARE_EXPORTER

/* What was asked for, as facts for files that can hold a note.  Names and
 * values are plain ASCII that no format has to escape. */
struct notes {
    size_t n;
    struct note {
        const char *name;
        char value[32];
    } list[20];
};

void export_notes(const struct export_job *j, struct notes *n);

/* All notes, each as "name: value" between before and after. */
int export_write_notes(const struct export_job *j, struct sink *to,
                       const char *before, const char *after,
                       struct cooc_err *err);

/* "ppmi"; "count" is the default. */
static inline const char *export_measure(const struct export_job *j)
{
    return j->sel.by.m->about.name;
}

/* Append the label; invalid UTF-8 becomes U+FFFD except in TSV and CSV.  No
 * label contains a NUL byte. */
int label_add(struct buf *to, enum label kind, const char *s, size_t len,
              struct cooc_err *err);

/* Append the term of a new id to a buffer, as the format wants it. */
int export_label(const struct export_job *j, uint32_t id, enum label kind,
                 struct buf *to, struct cooc_err *err);

/* The term of each new id, one per line, escaped as in TSV. */
int export_terms(const struct export_job *j, struct sink *to,
                 struct cooc_err *err);

#endif
