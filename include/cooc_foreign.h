/* cooc_foreign.h - for callers in other languages; a part of cooc.h.
 *
 * They have no compiler to hold them to cooc.h, and calls are dear to them:
 * here whole arrays are filled at once.
 */
#ifndef COOC_FOREIGN_H
#define COOC_FOREIGN_H

#include "cooc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library at hand, and the size of its struct of that
 * name, as in "cooc_info"; 0 if unknown. */
COOC_API const char *cooc_version(void);
COOC_API size_t cooc_struct_size(const char *name);

/* df of terms [first, last) into dfs[0..last - first). */
COOC_API int cooc_dfs(struct cooc *db, uint32_t first, uint32_t last,
                      uint64_t *dfs, struct cooc_err *err);

/* The pairs of terms[0..n) among each other as a sparse matrix in compressed
 * rows: the entries of row i, which is terms[i], are those from starts[i] up
 * to starts[i + 1].  Pairs that never meet have none. */
struct cooc_matrix {
    const uint32_t *terms;    /* each once; NULL: 0 to n - 1 */
    size_t n;
    uint64_t min_count;
    bool symmetric;           /* both ways; else in the row of the rarer */
    bool diagonal;            /* a term with itself: count is df */
    struct cooc_watch watch;
    uint64_t *starts;         /* n + 1 of them, for cooc_matrix_size() */
    uint32_t *columns;        /* starts[n] of each, for cooc_matrix_fill(); */
    uint32_t *counts;         /* NULL: not wanted */
    double *scores;           /* row to column; NULL: not wanted */
    struct cooc_by by;        /* what scores are */
};

/* Fill starts; then, with room for as many entries, the rest.  The columns of
 * a row ascend if terms do.  Need counted rows. */
COOC_API int cooc_matrix_size(struct cooc *db, const struct cooc_matrix *m,
                              struct cooc_err *err);
COOC_API int cooc_matrix_fill(struct cooc *db, const struct cooc_matrix *m,
                              struct cooc_err *err);

#ifdef __cplusplus
}
#endif
#endif
