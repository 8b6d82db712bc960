/* parallel_sort.h - sort many records on all cores.
 *
 * A sample sort: a sorted sample of the records gives splitters, every record
 * is moved to the bucket between its two splitters, and each bucket is sorted
 * on its own.  All three steps run in parallel.
 *
 *     records      5 1 9 3 | 7 2 8 6        (two parts)
 *     splitters    4 7
 *     buckets      1 3 2 | 5 6 | 9 7 8
 *     sorted       1 2 3 | 5 6 | 7 8 9
 *
 * Cost     About n log2 n comparisons, and each record is copied once to its
 *          bucket.  Memory: only the output and the numbers of records per
 *          bucket.
 * Threads  The calling thread and threads - 1 others, until the call returns.
 */
#ifndef COOC_PARALLEL_SORT_H
#define COOC_PARALLEL_SORT_H

#include <stddef.h>

struct cooc_err;
struct watch;

struct sort_part {
    const void *items;
    size_t n;
};

/* Sort the records of all parts, each of the given size, into out.  compare()
 * must be a total order, or else the order of equal records is undefined.  The
 * watch is called after every 32,768 records, so that the sort can be
 * cancelled, and counts sorted records as done. */
int parallel_sort(void *out, const struct sort_part *parts, size_t n_parts,
                  size_t size, int (*compare)(const void *, const void *),
                  unsigned threads, struct watch *watch, struct cooc_err *err);

#endif
