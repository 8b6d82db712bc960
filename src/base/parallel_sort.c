/* parallel_sort.c - sort many records on all cores, by sample sort.
 *
 *     sample      take every k-th record, sort the sample, and keep every
 *                 OVERSAMPLE-th of it as a splitter
 *     count       for each piece of the input: the number of its records that
 *                 belong to each bucket
 *     place       from these numbers, where each piece writes into each bucket
 *     move        for each piece: copy its records to their buckets
 *     sort        qsort() each bucket
 *
 * Records are compared with the splitters twice, in `count` and in `move`:
 * remembering the bucket of each record was not faster and takes memory.
 */
#include "base/parallel_sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"

#define PIECE 32768u        /* records per job */
#define BUCKETS_MAX 4096u
#define OVERSAMPLE 16u      /* sampled records per splitter */

/* Some adjacent records of one part. */
struct piece {
    const char *items;
    size_t n;
};

struct sorting {
    char *out;
    size_t size, total;
    int (*compare)(const void *, const void *);
    struct watch *watch;
    struct piece *pieces;
    size_t n_pieces, cap;
    char *splitters;
    size_t n_buckets;
    size_t *counts;         /* n_pieces x n_buckets; later: where to write */
    size_t *ends;           /* of the buckets in out */
};

static int cut_into_pieces(struct sorting *s, const struct sort_part *parts,
                           size_t n_parts, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < n_parts; i++)
        for (size_t at = 0, n; at < parts[i].n && rc == 0; at += n) {
            n = parts[i].n - at < PIECE ? parts[i].n - at : PIECE;
            rc = array_grow(&s->pieces, &s->cap, s->n_pieces + 1,
                            sizeof *s->pieces, err);
            if (rc == 0)
                s->pieces[s->n_pieces++] = (struct piece){
                    (const char *)parts[i].items + at * s->size, n
                };
            s->total += n;
        }
    return rc;
}

/* The bucket of a record: the number of splitters that are not after it. */
static size_t bucket_of(const struct sorting *s, const void *record)
{
    size_t lo = 0, hi = s->n_buckets - 1;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (s->compare(record, s->splitters + mid * s->size) < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

/* Take the same number of records from every piece, evenly spaced. */
static int choose_splitters(struct sorting *s, struct cooc_err *err)
{
    size_t per_piece = s->n_buckets * OVERSAMPLE / s->n_pieces + 1;
    char *sample = mem_array(s->n_pieces * per_piece, s->size);
    size_t n = 0;

    s->splitters = mem_array(s->n_buckets, s->size);
    if (!sample || !s->splitters) {
        mem_free(sample);
        return err_nomem(err);
    }
    for (size_t i = 0; i < s->n_pieces; i++) {
        const struct piece *p = &s->pieces[i];

        for (size_t k = 0; k < per_piece; k++)
            memcpy(sample + n++ * s->size,
                   p->items + p->n * k / per_piece * s->size, s->size);
    }
    qsort(sample, n, s->size, s->compare);
    for (size_t b = 1; b < s->n_buckets; b++)
        memcpy(s->splitters + (b - 1) * s->size,
               sample + n * b / s->n_buckets * s->size, s->size);
    mem_free(sample);
    return 0;
}

static int count_piece(void *self, unsigned worker, uint64_t job,
                       struct cooc_err *err)
{
    struct sorting *s = self;
    const struct piece *p = &s->pieces[job];
    size_t *counts = s->counts + job * s->n_buckets;

    (void)worker;
    for (size_t i = 0; i < p->n; i++)
        counts[bucket_of(s, p->items + i * s->size)]++;
    return watch_add(s->watch, 0, 0, 0, err);
}

/* Turn the counts into the places where each piece writes its records. */
static void place_buckets(struct sorting *s)
{
    size_t at = 0;

    for (size_t b = 0; b < s->n_buckets; b++) {
        for (size_t i = 0; i < s->n_pieces; i++) {
            size_t *count = &s->counts[i * s->n_buckets + b], n = *count;

            *count = at;
            at += n;
        }
        s->ends[b] = at;
    }
}

static int move_piece(void *self, unsigned worker, uint64_t job,
                      struct cooc_err *err)
{
    struct sorting *s = self;
    const struct piece *p = &s->pieces[job];
    size_t *places = s->counts + job * s->n_buckets;

    (void)worker;
    for (size_t i = 0; i < p->n; i++) {
        const char *record = p->items + i * s->size;

        memcpy(s->out + places[bucket_of(s, record)]++ * s->size, record,
               s->size);
    }
    return watch_add(s->watch, 0, 0, 0, err);
}

static int sort_bucket(void *self, unsigned worker, uint64_t job,
                       struct cooc_err *err)
{
    struct sorting *s = self;
    size_t start = job ? s->ends[job - 1] : 0, n = s->ends[job] - start;

    (void)worker;
    if (n)
        qsort(s->out + start * s->size, n, s->size, s->compare);
    return watch_add(s->watch, n, 0, 0, err);
}

int parallel_sort(void *out, const struct sort_part *parts, size_t n_parts,
                  size_t size, int (*compare)(const void *, const void *),
                  unsigned threads, struct watch *watch, struct cooc_err *err)
{
    struct sorting s = { .out = out, .size = size, .compare = compare,
                         .watch = watch };
    int rc = cut_into_pieces(&s, parts, n_parts, err);

    s.n_buckets = s.total / PIECE + 1;
    s.n_buckets = s.n_buckets < BUCKETS_MAX ? s.n_buckets : BUCKETS_MAX;
    s.counts = mem_zarray(s.n_pieces * s.n_buckets + 1, sizeof *s.counts);
    s.ends = mem_array(s.n_buckets, sizeof *s.ends);
    if (rc == 0 && (!s.counts || !s.ends))
        rc = err_nomem(err);
    if (rc == 0 && s.n_pieces)
        rc = choose_splitters(&s, err);
    if (rc == 0)
        rc = pool_for(s.n_pieces, threads, count_piece, &s, err);
    if (rc == 0) {
        place_buckets(&s);
        rc = pool_for(s.n_pieces, threads, move_piece, &s, err);
    }
    if (rc == 0)
        rc = pool_for(s.n_buckets, threads, sort_bucket, &s, err);
    mem_free(s.pieces);
    mem_free(s.splitters);
    mem_free(s.counts);
    mem_free(s.ends);
    return rc;
}
