/* cooc_export.h - files for other programs, and reading such files.
 *
 *     cooc_export()     an open store -> a table, matrix, database, network or
 *                       inverted index
 *     cooc_export_to()  the same, through a callback
 *     cooc_dump()       a matrix file -> its cells, one at a time
 *
 * Errors, structs and paths are as in cooc.h.
 */
#ifndef COOC_EXPORT_API_H
#define COOC_EXPORT_API_H

#include "cooc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the i-th export format, or NULL after the last; 0 is the
 * default.  *summary, unless NULL, is one line about it. */
COOC_API const char *cooc_export_format_get(unsigned i, const char **summary);

enum cooc_shape {
    COOC_SHAPE_DEFAULT,       /* what readers of the format expect */
    COOC_SHAPE_TRIANGLE,      /* each pair once, in the row of its rarer term */
    COOC_SHAPE_SYMMETRIC      /* each pair in both directions */
};

/* Filters are applied in the order of the fields, except that like1 and like2
 * are applied after terms, each to what the earlier ones have left. */
struct cooc_export_options {
    size_t size;
    const char *format;       /* NULL: "tsv" */
    enum cooc_shape shape;
    struct cooc_scoring scoring; /* the value or weight that is written, and
                               * the strength for the filters below */

    const uint32_t *terms;    /* only these, in any order; NULL: all */
    size_t n_terms;
    uint32_t top_terms;       /* only the most frequent of them; 0: all */
    uint64_t min_count;
    bool has_min_score;
    double min_score;         /* at least as strong as this */
    uint32_t per_node;        /* keep a pair if it is one of this number of
                               * strongest pairs of either term; 0: all */
    uint64_t top_edges;       /* the strongest pairs of all; 0: all */
    uint32_t nodes;           /* the terms with the largest sum of counts, and
                               * the pairs among them; 0: all */
    bool diagonal;            /* also the df of each term, unfiltered */
    bool stems;               /* write stems instead of words */

    unsigned threads;         /* 0: every core */
    uint64_t memory;          /* bytes, at least 64 MiB; 0: half of the
                               * machine's memory */
    const char *tmpdir;       /* for temporary files; NULL: the directory of
                               * the file, the working directory for standard
                               * output and descriptors, the store for
                               * cooc_export_to() */
    const struct cooc_watch *watch;

    /* Only pairs with one term that matches like1 and another that matches
     * like2, in either role, and the terms that match one of them; with only
     * one pattern, at least one term of a pair must match it.  Patterns as in
     * struct cooc_term_filter; NULL: any term. */
    const char *like1, *like2;
};
#define COOC_EXPORT_OPTIONS COOC_INIT(cooc_export_options)

struct cooc_export_report {
    size_t size;
    const char *format;
    bool network;             /* nodes and edges */
    bool cells;               /* pairs counts cells of a matrix: each pair
                               * twice, or with the diagonal */
    uint64_t terms, pairs;    /* number written */
    uint64_t bytes;
    char file[4096];          /* "-": standard output; "": a callback */
    char side_file[4096];     /* names of terms or nodes, or "" */
    bool index;               /* an inverted index: documents and postings are
                               * the numbers written, and pairs is 0 */
    uint64_t documents, postings;
};
#define COOC_EXPORT_REPORT COOC_INIT(cooc_export_report)

/* Write pairs to a file; needs counted rows.  The format ciff, an inverted
 * index, has no pairs and needs no counted rows: terms and top_terms select its
 * posting lists, and options about pairs must not be set.  path NULL or "-" is
 * standard output.  A pipe or a device is written to directly.  /dev/fd/N and
 * /proc/self/fd/N are the open descriptor N, whatever it refers to: the export
 * is written at its current offset, and must be a format that is a single
 * stream.  Other files appear under their names when they are complete and
 * replace older ones.  For formats with two files, path may be a directory. */
COOC_API int cooc_export(struct cooc *db, const char *path,
                         const struct cooc_export_options *options,
                         struct cooc_export_report *report,
                         struct cooc_err *err);

/* Receives the next len bytes.  Return 0 to continue; any other value ends the
 * call, which returns it. */
typedef int (*cooc_write_fn)(void *self, const void *data, size_t len,
                             struct cooc_err *err);

/* The same through a callback, which receives the bytes of the file in order,
 * in pieces of any size, from the calling thread.  COOC_EINVAL for formats that
 * are not a single stream: those with two files, and sqlite. */
COOC_API int cooc_export_to(struct cooc *db, cooc_write_fn write, void *self,
                            const struct cooc_export_options *options,
                            struct cooc_export_report *report,
                            struct cooc_err *err);

/* Write len bytes to path as exports are written: complete or not at all.  A
 * path inside a store is refused.  If data is NULL, only check whether path
 * can be written. */
COOC_API int cooc_write_file(const char *path, const void *data, size_t len,
                             struct cooc_err *err);

/* ---- reading matrices ------------------------------------------------ */

/* A value and its position, numbered as in the file. */
struct cooc_cell {
    uint64_t row, column;
    double value;
};

/* Return 0 to continue; any other value ends the call, which returns it. */
typedef int (*cooc_cell_fn)(void *self, const struct cooc_cell *cell,
                            struct cooc_err *err);

struct cooc_dump_report {
    size_t size;
    const char *format;       /* "glove", "mtx", "npz" */
    uint64_t first;           /* number of the first row: 0 or 1 */
    uint64_t rows, columns;   /* 0: not stated in the file */
    uint64_t cells;           /* number of cells read */
    bool half;                /* each cell also represents its transpose */
};
#define COOC_DUMP_REPORT COOC_INIT(cooc_dump_report)

/* Called before the first cell. */
typedef int (*cooc_dump_fn)(void *self, const struct cooc_dump_report *header,
                            struct cooc_err *err);

/* Read every cell of a Matrix Market file, a sparse matrix of scipy (csr, csc,
 * coo) or GloVe's records, in the order of the file, which may be compressed.
 * header may be NULL. */
COOC_API int cooc_dump(const char *path, cooc_dump_fn header, cooc_cell_fn fn,
                       void *self, struct cooc_dump_report *report,
                       struct cooc_err *err);

#ifdef __cplusplus
}
#endif
#endif
