/* bit_scan.c - count one row at a time: add up the bitmaps of its documents.
 *
 * The idea.  Each document has a bitmap of its frequent terms (the head;
 * rows/doc_maps.h).  Row t is then the sum, column by column, of the bitmaps of
 * t's documents.  256 columns are added at a time with a few logical operations
 * (kernel/).  The counters are kept as bit planes and are never converted to
 * integers, not even for writing (rows/row_encode.c).  Terms beyond the bitmap
 * of a document (its tail) are counted one by one, as in list-scan, but they
 * are few, and one byte is enough for most counters.
 *
 *     for each row t
 *         planes = sum of bitmaps[d] over d in inverted[t]
 *         for each d in inverted[t], each term s < t in the tail of d
 *             counts[s] += 1
 *
 * Cost.  W/256 steps per posting in a document with a bitmap of W bits, instead
 * of one step for each term that occurs together with t in that document.
 * Memory: W/8 + 16 bytes per document, shared; per worker, 1 byte per term, 4
 * more per term with at least 256 documents, and the planes of a row.
 *
 * Threads.  Rows are independent.
 *
 * When.  The default.  It gains most if documents are long and the vocabulary
 * is not too large.  It needs more memory than list-scan.
 */
#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "count/method.h"
#include "kernel/kernel.h"
#include "rows/map_rows.h"

static void release(void *shared)
{
    struct doc_maps *maps = shared;

    if (maps)
        doc_maps_release(maps);
    mem_free(maps);
}

static int prepare(const struct count_job *job, void **shared,
                   struct cooc_err *err)
{
    const struct doc_maps_want want = {
        .fwd = &job->fwd, .n_terms = job->inv.n, .last = job->last,
        .width = job->params.head_terms, .memory = job->params.shared_memory,
        .threads = job->threads, .watch = job->watch,
    };
    const struct doc_maps *maps = job->maps;
    struct doc_maps *own = NULL;
    uint32_t terms;
    int rc = 0;

    *shared = NULL;
    if (!maps) {
        maps = own = mem_zarray(1, sizeof *own);
        rc = own ? doc_maps_init(own, &want, err) : err_nomem(err);
    }
    if (rc < 0) {
        mem_free(own);
        return rc;
    }
    terms = maps->widest < job->inv.n ? maps->widest : job->inv.n;
    if (job->head_terms && *job->head_terms < terms)
        *job->head_terms = terms;
    *shared = own;
    return 0;
}

/* The memory with the smallest head, but with planes for the widest. */
static struct count_need need(const struct count_size *size)
{
    uint32_t wide = size->terms < size->frequent ? size->terms
                                                 : size->frequent;

    return (struct count_need){
        .shared = doc_maps_bytes(size->docs, DOC_MAP_STEP),
        .worker = (uint64_t)size->terms + size->terms / 7 +
                  (uint64_t)wide * 6 + size->row_room +
                  DOC_MAP_MAX / 8 * 2 * (bit_length(size->docs) + 1)
    };
}

static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    const struct doc_maps *maps = job->maps ? job->maps : job->shared;
    const struct lists *inv = &job->inv;
    const struct kernels *k = job->params.kernels;
    struct map_rows m;
    struct row_parts row;
    int rc = map_rows_init(&m, maps, k ? k : kernel_find(NULL, NULL),
                           job->last, err);

    for (uint32_t t = job->first; t < job->last && rc == 0; t++) {
        uint64_t at = inv->off[t], end = inv->off[t + 1];

        if (!t || at == end)
            continue; /* row 0 is empty */
        if (t + 1 < job->last)
            map_rows_fetch(&m, t + 1, inv->ids + end,
                           (size_t)(inv->off[t + 2] - end));
        rc = map_rows_make(&m, t, inv->ids + at, (size_t)(end - at), &row,
                           err);
        if (rc == 0)
            rc = out->parts(out->self, t, &row, err);
    }
    map_rows_release(&m);
    return rc;
}

const struct count_method count_bit_scan = {
    .about = { "bit-scan",
               "for each term, add up the bitmaps of its documents" },
    .by_rows = true,
    .by_maps = true,
    .need = need,
    .prepare = prepare,
    .release = release,
    .run = run,
};
