/* graphblas_pairs.c - count the pairs of a store with SuiteSparse:GraphBLAS.
 *
 *     graphblas-pairs whole|blocks STORE THREADS OUT
 *
 * A has one row per document and one column per term.  Over the semiring
 * plus_pair, the product A'A adds one for each document that contains both
 * terms, regardless of the values.  whole: compute the product, then its upper
 * triangle.  blocks: multiply blocks of rows of A', of about equal work, by
 * the columns from the block on, so that half of the work is never done and
 * only one block is in memory.  (A mask for the upper triangle would need an
 * entry for every two terms.)  Writes the pairs to OUT (compare_pairs.c has
 * the format) and prints JSON: the seconds of the products alone, and the
 * version.
 */
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/store.h"

#define WORK 100000000 /* additions per block */

/* The matrices and the output file. */
struct product {
    const struct lists *fwd, *inv;
    GrB_Matrix a, at; /* in blocks, a has only the unfinished columns */
    GrB_Index n_docs, n_terms;
    FILE *out;
    double seconds; /* spent in products */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(GrB_Info info, const char *what)
{
    if (info == GrB_SUCCESS)
        return;
    if (info == GrB_OUT_OF_MEMORY)
        fprintf(stderr, "graphblas-pairs: %s: out of memory\n", what);
    else
        fprintf(stderr, "graphblas-pairs: %s: error %d\n", what, (int)info);
    exit(1);
}

/* The forward lists as a matrix with a single shared value, 1. */
static GrB_Matrix load(const struct lists *fwd, uint32_t n_terms)
{
    const GrB_Index n = fwd->n, nnz = fwd->off[n];
    GrB_Index *rows = malloc((n + 1) * sizeof *rows);
    GrB_Index *columns = malloc((nnz + 1) * sizeof *columns);
    uint32_t *one = malloc(sizeof *one);
    void *values = one;
    GrB_Matrix a = NULL;

    if (!rows || !columns || !one)
        must(GrB_OUT_OF_MEMORY, "reading");
    *one = 1;
    for (GrB_Index d = 0; d <= n; d++)
        rows[d] = fwd->off[d];
    for (GrB_Index i = 0; i < nnz; i++)
        columns[i] = fwd->ids[i];
    must(GrB_Matrix_new(&a, GrB_UINT32, n, n_terms), "a matrix");
    must(GxB_Matrix_pack_CSR(a, &rows, &columns, &values,
                             (n + 1) * sizeof *rows,
                             (nnz + 1) * sizeof *columns, sizeof *one, true,
                             false, NULL), "the documents");
    return a;
}

static GrB_Matrix multiply(struct product *p, GrB_Matrix at, GrB_Matrix a)
{
    GrB_Matrix c = NULL;
    GrB_Index rows, columns;
    double start = now();

    must(GrB_Matrix_nrows(&rows, at), "the product");
    must(GrB_Matrix_ncols(&columns, a), "the product");
    must(GrB_Matrix_new(&c, GrB_UINT32, rows, columns), "a matrix");
    must(GrB_mxm(c, NULL, NULL, GxB_PLUS_PAIR_UINT32, at, a, NULL),
         "the product"); /* rows may be unsorted */
    p->seconds += now() - start;
    return c;
}

/* The part above the diagonal; frees c. */
static GrB_Matrix upper(GrB_Matrix c)
{
    GrB_Matrix half = NULL;
    GrB_Index n;

    must(GrB_Matrix_nrows(&n, c), "the half");
    must(GrB_Matrix_new(&half, GrB_UINT32, n, n), "a matrix");
    must(GrB_Matrix_select_INT64(half, NULL, NULL, GrB_TRIU, c, 1, NULL),
         "the half");
    must(GrB_Matrix_free(&c), "the product");
    return half;
}

static void put(struct product *p, const void *data, size_t size)
{
    if (fwrite(data, 1, size, p->out) != size) {
        perror("graphblas-pairs: cannot write");
        exit(1);
    }
}

/* Write 64-bit numbers below 2^32 as 32-bit numbers. */
static void put_narrow(struct product *p, const GrB_Index *from, GrB_Index n)
{
    uint32_t part[4096];

    while (n) {
        size_t k = n < 4096 ? n : 4096;

        for (size_t i = 0; i < k; i++)
            part[i] = (uint32_t)from[i];
        put(p, part, k * sizeof *part);
        from += k;
        n -= k;
    }
}

/* Write c, which begins at this row and column of the product; frees c. */
static void write_piece(struct product *p, GrB_Matrix c, GrB_Index row,
                        GrB_Index column)
{
    GrB_Index *start, *columns, rows, size[3];
    void *values;
    bool iso, jumbled;

    must(GrB_Matrix_nrows(&rows, c), "the product");
    must(GxB_Matrix_unpack_CSR(c, &start, &columns, &values, &size[0],
                               &size[1], &size[2], &iso, &jumbled, NULL),
         "the product");
    put(p, (uint64_t[]){ row, rows, column, start[rows] },
        4 * sizeof(uint64_t));
    for (GrB_Index r = 0; r < rows; r++)
        put_narrow(p, &(GrB_Index){ start[r + 1] - start[r] }, 1);
    put_narrow(p, columns, start[rows]);
    for (GrB_Index i = 0; iso && i < start[rows]; i++)
        put(p, values, sizeof(uint32_t));
    if (!iso)
        put(p, values, start[rows] * sizeof(uint32_t));
    free(start);
    free(columns);
    free(values);
    GrB_Matrix_free(&c);
}

/* Columns (or rows) first to end - 1 of a matrix, as a new matrix. */
static GrB_Matrix part(GrB_Matrix of, bool columns, GrB_Index first,
                       GrB_Index end)
{
    const GrB_Index range[] = { first, end - 1 };
    GrB_Matrix m = NULL;
    GrB_Index rows, width;

    must(GrB_Matrix_nrows(&rows, of), "a block");
    must(GrB_Matrix_ncols(&width, of), "a block");
    if (columns) {
        must(GrB_Matrix_new(&m, GrB_UINT32, rows, end - first), "a block");
        must(GrB_Matrix_extract(m, NULL, NULL, of, GrB_ALL, rows, range,
                                GxB_RANGE, NULL), "a block");
    } else {
        must(GrB_Matrix_new(&m, GrB_UINT32, end - first, width), "a block");
        must(GrB_Matrix_extract(m, NULL, NULL, of, range, GxB_RANGE, GrB_ALL,
                                width, NULL), "a block");
    }
    return m;
}

static void block(struct product *p, GrB_Index first, GrB_Index end)
{
    GrB_Matrix rows = part(p->at, false, first, end);
    GrB_Matrix columns = part(p->a, true, 0, end - first);

    write_piece(p, upper(multiply(p, rows, columns)), first, first);
    GrB_Matrix_free(&columns);
    if (end < p->n_terms) {
        columns = part(p->a, true, end - first, p->n_terms - first);
        GrB_Matrix_free(&p->a);
        p->a = columns;
        write_piece(p, multiply(p, rows, p->a), first, end);
    }
    GrB_Matrix_free(&rows);
}

static void blocks(struct product *p)
{
    uint64_t work = 0;
    uint32_t first = 0;

    for (uint32_t t = 0; t < p->n_terms; t++) {
        for (uint64_t i = p->inv->off[t]; i < p->inv->off[t + 1]; i++) {
            uint32_t d = p->inv->ids[i];

            work += p->fwd->off[d + 1] - p->fwd->off[d];
        }
        if (work >= WORK || t + 1 == p->n_terms) {
            block(p, first, t + 1);
            first = t + 1;
            work = 0;
        }
    }
}

static void count(struct product *p, bool in_blocks, const char *path)
{
    p->out = fopen(path, "wb");
    if (!p->out) {
        perror(path);
        exit(1);
    }
    p->a = load(p->fwd, (uint32_t)p->n_terms);
    must(GrB_Matrix_new(&p->at, GrB_UINT32, p->n_terms, p->n_docs),
         "a matrix");
    must(GrB_transpose(p->at, NULL, NULL, p->a, NULL), "the transpose");
    must(GrB_Matrix_wait(p->at, GrB_MATERIALIZE), "the transpose");
    if (in_blocks)
        blocks(p);
    else
        write_piece(p, upper(multiply(p, p->at, p->a)), 0, 0);
    GrB_Matrix_free(&p->a);
    GrB_Matrix_free(&p->at);
    if (fclose(p->out) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct store s = { 0 };
    struct lists fwd, inv;
    struct cooc_err err = { 0 };
    struct product p = { .fwd = &fwd, .inv = &inv };

    if (argc != 5 || (strcmp(argv[1], "whole") != 0 &&
                      strcmp(argv[1], "blocks") != 0)) {
        fputs("usage: graphblas-pairs whole|blocks STORE THREADS OUT\n",
              stderr);
        return 2;
    }
    if (store_open(&s, argv[2], false, &err) < 0 ||
        collection_load(&s.docs, &fwd, &inv, 1, &err) < 0) {
        fprintf(stderr, "graphblas-pairs: %s\n", err.text);
        return 1;
    }
    must(GrB_init(GrB_NONBLOCKING), "starting");
    must(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, atoi(argv[3])),
         "threads");
    p.n_docs = fwd.n;
    p.n_terms = s.manifest.terms;
    count(&p, argv[1][0] == 'b', argv[4]);
    printf("{\"product_s\": %.3f, \"version\": "
           "\"SuiteSparse:GraphBLAS %d.%d.%d\"}\n", p.seconds,
           GxB_IMPLEMENTATION_MAJOR, GxB_IMPLEMENTATION_MINOR,
           GxB_IMPLEMENTATION_SUB);
    GrB_finalize();
    store_close(&s);
    return 0;
}
