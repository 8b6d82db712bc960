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
 */
#ifndef COOC_EXPORT_H
#define COOC_EXPORT_H

#include "export/selection.h"
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

struct exporter {
    const char *name, *summary;
    unsigned flags;
    size_t state_size;

    /* Files in a directory; how the second is called if the first has a
     * name of its own: its ending is taken away ("": none), this put in its
     * place. */
    const char *file, *side, *ending, *side_ending;

    int (*begin)(struct export_job *j, struct cooc_err *err);
    row_fn row; /* self is the job */
    int (*end)(struct export_job *j, struct cooc_err *err); /* may be NULL */
    void (*release)(struct export_job *j);                  /* may be NULL */
};

extern const struct exporter export_tsv, export_csv, export_jsonl, export_raw;
extern const struct exporter export_glove, export_mtx, export_npz;
extern const struct exporter export_sqlite;
extern const struct exporter export_gexf, export_graphml, export_pajek;
extern const struct exporter export_vosviewer, export_gephi_csv;

/* What was asked for, as "name value" facts for files that can hold a note:
 * called for each. */
typedef int (*note_fn)(void *self, const char *name, const char *value,
                       struct cooc_err *err);
int export_notes(const struct export_job *j, note_fn fn, void *self,
                 struct cooc_err *err);

/* "ppmi"; "count" is the default. */
static inline const char *export_measure(const struct export_job *j)
{
    return j->sel.by.m->about.name;
}

/* The term of each new id, a line each, escaped as in TSV. */
int export_terms(const struct export_job *j, struct sink *to,
                 struct cooc_err *err);

#endif
