/* graphblas.c - count the pairs of a store as SuiteSparse:GraphBLAS's A'A.
 *
 *     graphblas-product STORE THREADS
 *
 * A has a row a document and a column a term; over the semiring plus_pair
 * the product adds one for each document that holds both terms, whatever the
 * values.  Prints JSON: seconds of the product and of the cut to its upper
 * half, and what came out.
 */
#include <GraphBLAS.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "store/store.h"

static double now(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void must(GrB_Info info, const char *what)
{
    if (info != GrB_SUCCESS) {
        fprintf(stderr, "graphblas-product: %s: error %d\n", what, (int)info);
        exit(1);
    }
}

/* The forward lists as a matrix of ones, all sharing one value. */
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

static void multiply(GrB_Matrix a, uint32_t n_docs, uint32_t n_terms)
{
    GrB_Matrix at = NULL, c = NULL, half = NULL;
    GrB_Index entries = 0, pairs = 0;
    uint64_t sum = 0;
    double start, cpu, product, cut;

    must(GrB_Matrix_new(&at, GrB_UINT32, n_terms, n_docs), "a matrix");
    must(GrB_transpose(at, NULL, NULL, a, NULL), "the transpose");
    must(GrB_Matrix_wait(at, GrB_MATERIALIZE), "the transpose");
    start = now(CLOCK_MONOTONIC);
    cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    must(GrB_Matrix_new(&c, GrB_UINT32, n_terms, n_terms), "a matrix");
    must(GrB_mxm(c, NULL, NULL, GxB_PLUS_PAIR_UINT32, at, a, NULL),
         "the product");
    product = now(CLOCK_MONOTONIC) - start; /* rows need not be in order */
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    must(GrB_Matrix_nvals(&entries, c), "the product");
    start = now(CLOCK_MONOTONIC);
    must(GrB_Matrix_new(&half, GrB_UINT32, n_terms, n_terms), "a matrix");
    must(GrB_Matrix_select_INT64(half, NULL, NULL, GrB_TRIU, c, 1, NULL),
         "the half");
    must(GrB_Matrix_wait(half, GrB_MATERIALIZE), "the half");
    cut = now(CLOCK_MONOTONIC) - start;
    must(GrB_Matrix_nvals(&pairs, half), "the half");
    must(GrB_Matrix_reduce_UINT64(&sum, NULL, GrB_PLUS_MONOID_UINT64, half,
                                  NULL), "the sum");
    printf("{\"product_s\": %.3f, \"product_cpu_s\": %.3f, \"half_s\": %.3f"
           ", \"entries\": %" PRIu64 ", \"pairs\": %" PRIu64
           ", \"increments\": %" PRIu64 "}\n",
           product, cpu, cut, (uint64_t)entries, (uint64_t)pairs, sum);
    GrB_Matrix_free(&half);
    GrB_Matrix_free(&at);
    GrB_Matrix_free(&c);
}

int main(int argc, char **argv)
{
    struct store s = { 0 };
    struct lists fwd, inv;
    struct cooc_err err = { 0 };
    GrB_Matrix a;

    if (argc != 3) {
        fputs("usage: graphblas-product STORE THREADS\n", stderr);
        return 2;
    }
    if (store_open_documents(&s, argv[1], &err) < 0 ||
        collection_load(&s.docs, &fwd, &inv, &err) < 0) {
        fprintf(stderr, "graphblas-product: %s\n", err.text);
        return 1;
    }
    must(GrB_init(GrB_NONBLOCKING), "starting");
    must(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, atoi(argv[2])),
         "threads");
    a = load(&fwd, s.manifest.terms);
    multiply(a, fwd.n, s.manifest.terms);
    GrB_Matrix_free(&a);
    GrB_finalize();
    store_close(&s);
    return 0;
}
