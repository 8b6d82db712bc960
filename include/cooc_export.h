/* cooc_export.h - files for other programs, and a look into such
 * files; a part of cooc.h.
 *
 *     cooc_export()  an open store       -> a table, matrix, database, network
 *     cooc_dump()    a matrix or GloVe's -> its cells, one after the other
 *
 * Errors, options and reports are as in cooc.h.
 */
#ifndef COOC_EXPORT_API_H
#define COOC_EXPORT_API_H

#include "cooc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- out ------------------------------------------------------------- */

/* The i-th format of exports, NULL past the last; 0 is the default.  Its
 * summary is a line for the user. */
COOC_API const char *cooc_export_format(unsigned i, const char **summary);

enum cooc_shape {
    COOC_SHAPE_USUAL,     /* what the format's readers expect */
    COOC_SHAPE_TRIANGLE,  /* each pair once, in the row of its rarer term */
    COOC_SHAPE_SYMMETRIC, /* both ways */
};

/* See cooc_export_options_init().  Filters come in this order, each working
 * on what is left by those before it. */
struct cooc_export_options {
    const char *format;       /* NULL: "tsv" */
    enum cooc_shape shape;
    struct cooc_by by;        /* the value or weight; the strength below */

    const uint32_t *terms;    /* only these, in any order; NULL: all */
    size_t n_terms;
    uint32_t top_terms;       /* only so many of them, most frequent first;
                               * this and those below: 0: all */
    uint64_t min_count;       /* documents */
    double min_score;         /* at least as strong as this; NAN: any */
    uint32_t per_node;        /* among the strongest so many of either term */
    uint64_t top_edges;       /* the strongest so many of all */
    uint32_t nodes;           /* the so many terms with the largest sum of
                               * counts, and the pairs among them */
    bool diagonal;            /* df(x) at (x, x), whatever the filters say */
    bool stems;               /* write stems instead of labels */

    unsigned threads;         /* for scores; 0: every core */
    uint64_t memory;          /* bytes, at least 64 MiB; 0: half of the
                               * machine's */
    const char *tmpdir;       /* NULL: where the file is */
    struct cooc_watch watch;
};

struct cooc_export_report {
    const char *format;
    bool network;             /* of nodes and edges */
    bool cells;               /* pairs are cells: each twice, or with df */
    uint64_t terms, pairs;    /* written */
    uint64_t bytes;
    char file[4096];          /* "-": standard output */
    char side_file[4096];     /* of terms, nodes or the like; "": none */
};

COOC_API void cooc_export_options_init(struct cooc_export_options *o);

/* Write pairs for another program; needs counted rows.  path NULL or "-" is
 * standard output, which some formats refuse; for formats with two files it
 * may be a directory.  Files appear when they are complete, and replace what
 * has their names then. */
COOC_API int cooc_export(struct cooc *db, const char *path,
                         const struct cooc_export_options *options,
                         struct cooc_export_report *report,
                         struct cooc_err *err);

/* Write len bytes to path in the way exports are written: to a temporary file,
 * which is synced and then renamed.  Links are followed, pipes and devices are
 * written to directly, "-" is standard output, and a path inside a store is
 * refused.  If data is NULL, nothing is written; the return value then says
 * whether path could be written. */
COOC_API int cooc_write_file(const char *path, const void *data, size_t len,
                             struct cooc_err *err);

/* ---- in -------------------------------------------------------------- */

/* A value and where it stands, numbered as in the file. */
struct cooc_cell {
    uint64_t row, column;
    double value;
};

/* Called for each cell; non-zero means: stop, and is returned. */
typedef int (*cooc_cell_fn)(void *self, const struct cooc_cell *cell,
                            struct cooc_err *err);

struct cooc_dump_report {
    const char *format;       /* "glove", "mtx", "npz" */
    uint64_t first;           /* the number of the first row: 0 or 1 */
    uint64_t rows, columns;   /* 0: the file does not say */
    uint64_t cells;           /* handed out */
    bool half;                /* cells stand for their mirror images too */
};

/* What the file says of itself, before the first cell. */
typedef int (*cooc_dump_fn)(void *self, const struct cooc_dump_report *about,
                            struct cooc_err *err);

/* Every cell of a Matrix Market file, a sparse matrix of scipy (csr, csc,
 * coo) or GloVe's records, in the order of the file, which may be compressed.
 * about may be NULL. */
COOC_API int cooc_dump(const char *path, cooc_dump_fn about, cooc_cell_fn fn,
                       void *self, struct cooc_dump_report *report,
                       struct cooc_err *err);

#ifdef __cplusplus
}
#endif
#endif
