/* symmetric.c - whole rows: the partners of a term before and after it.
 *
 * The idea.  Terms are divided into ranges so that the partners after the terms
 * of one range fit into memory; the survey has counted them.
 *
 *     one range     walk: each pair (t, s) is put into the table at s
 *     several       walk: each pair is written to the stream of the range of s
 *     then          for each range, fill the table from its stream and walk
 *                   through its rows: the partners before a term come from
 *                   the row, those after it from the table
 *
 * Threads.  The rows are divided into parts, and the survey has counted the
 * partners after each term in each part.  So each part has places of its own in
 * the table, in the order of the parts, and its own stream per range.
 *
 *     partners after s   | part 0 | part 1 | part 2 | ...
 *                          ^ next[0][s]      ^ next[2][s]
 *
 * A stream consists of blocks of at most BLOCK_BYTES, and a block of groups: t,
 * the number of pairs, and the gap and count of each pair, as varints; 2 to 3
 * bytes per pair.
 *
 * Cost.  Two walks; with several ranges, also about as many bytes on disk as
 * the rows of the store.  Memory: the table, 4 bytes per term and part, and one
 * block per range and worker.
 */
#include "export/selection_walk.h"

#include <sys/mman.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/spool.h"

#define BLOCK_BYTES ((size_t)1 << 15)
#define TWO_VARINTS 10 /* maximum bytes of two 32-bit numbers */
#define LEAST ((uint64_t)1 << 18) /* minimum size of a table, in pairs */
#define HUGE_PAGE ((uintptr_t)1 << 21)

struct range {
    uint32_t first, last;
    struct spool *streams; /* one per part */
};

/* The pairs of a part that are not yet in the stream of a range. */
struct block {
    uint8_t *bytes;
    size_t used;
};

struct symmetric {
    struct selection *s;
    unsigned threads;
    struct spool_file file;
    struct range *ranges;
    size_t n_ranges, cap;
    struct range *loading; /* the range being loaded from its streams */
    struct block *blocks; /* one per worker and range */
    unsigned *part;       /* the part of the blocks of each worker */
    struct later_partners table; /* the table of one range */
    uint32_t *sums; /* by term: the sum of its places in next, modulo 2^32 */
    /* next[part * s->n + id]: position in the table of the next partner; takes
     * the place of s->part_after, range by range. */
    uint32_t *next;
};

/* ---- ranges ---------------------------------------------------------- */

/* The maximum number of pairs in a table. */
static uint64_t table_room(const struct selection *s)
{
    uint64_t fixed = (uint64_t)s->n * (28 + 4 * (uint64_t)s->n_parts) +
                     ((uint64_t)24 << 20);
    uint64_t left = s->memory > fixed ? (s->memory - fixed) / 2 : 0;

    left /= sizeof(struct entry);
    left = left > LEAST ? left : LEAST;
    return left < UINT32_MAX ? left : UINT32_MAX;
}

static int cut_ranges(struct symmetric *y, uint64_t *most, uint32_t *longest,
                      struct cooc_err *err)
{
    const struct selection *s = y->s;
    uint64_t room = table_room(s), pairs = 0;

    for (uint32_t id = 0; id < s->n; id++) {
        struct range *r;

        if (!y->n_ranges || pairs + s->after[id] > room) {
            int rc = array_grow(&y->ranges, &y->cap, y->n_ranges + 1,
                                sizeof *y->ranges, err);

            if (rc < 0)
                return rc;
            y->ranges[y->n_ranges++] = (struct range){ .first = id };
            pairs = 0;
        }
        pairs += s->after[id];
        *most = pairs > *most ? pairs : *most;
        r = &y->ranges[y->n_ranges - 1];
        r->last = id + 1;
        if (r->last - r->first > *longest)
            *longest = r->last - r->first;
    }
    return 0;
}

/* Partners are put into the table in random order: huge pages avoid most TLB
 * misses. */
static void use_huge_pages(void *p, uint64_t bytes)
{
    uintptr_t from = ((uintptr_t)p + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    uintptr_t to = ((uintptr_t)p + bytes) & ~(HUGE_PAGE - 1);

    if (to > from) /* may fail */
        madvise((void *)from, to - from, MADV_HUGEPAGE);
}

static int open_table(struct symmetric *y, struct cooc_err *err)
{
    uint64_t most = 0;
    uint32_t longest = 0;
    int rc = cut_ranges(y, &most, &longest, err);

    if (rc < 0)
        return rc;
    y->next = y->s->part_after;
    y->sums = mem_array(longest, sizeof *y->sums);
    y->table.entries = mem_array((size_t)most, sizeof *y->table.entries);
    y->table.start = mem_array((size_t)longest + 1, sizeof *y->table.start);
    if (!y->table.entries || !y->table.start || !y->sums)
        return err_nomem(err);
    use_huge_pages(y->table.entries, most * sizeof *y->table.entries);
    return 0;
}

/* Use the table for range r, and give each part its places. */
static void clear_table(struct symmetric *y, const struct range *r)
{
    const struct selection *s = y->s;
    uint64_t at = 0;

    y->table.first = r->first;
    y->table.last = r->last;
    for (uint32_t i = 0; i < r->last - r->first; i++) {
        y->table.start[i] = at;
        y->sums[i] = 0;
        for (unsigned p = 0; p < s->n_parts; p++) {
            uint32_t *next = &y->next[(size_t)p * s->n + r->first + i];
            uint32_t n = *next;

            *next = (uint32_t)at;
            y->sums[i] += (uint32_t)at;
            at += n;
        }
    }
    y->table.start[r->last - r->first] = at;
}

/* Check that every place of the table is taken. */
static bool table_is_full(const struct symmetric *y)
{
    const struct selection *s = y->s;

    for (uint32_t id = y->table.first; id < y->table.last; id++) {
        uint32_t sum = 0;

        for (unsigned p = 0; p < s->n_parts; p++)
            sum += y->next[(size_t)p * s->n + id];
        if (sum - y->sums[id - y->table.first] != s->after[id])
            return false;
    }
    return true;
}

/* ---- into the table or the streams ------------------------------------ */

static int place_row(void *self, unsigned worker, unsigned part,
                     const struct export_row *row, struct cooc_err *err)
{
    struct symmetric *y = self;
    uint32_t *next = y->next + (size_t)part * y->s->n;
    struct entry *entries = y->table.entries;
    uint64_t size = y->table.start[y->s->n];

    (void)worker;
    for (size_t i = 0; i < row->n; i++) {
        uint32_t at = next[row->entries[i].term]++;

        if (at >= size)
            return spool_damaged(&y->file, err);
        entries[at] = (struct entry){ row->id, row->entries[i].count };
    }
    return 0;
}

static int flush_block(struct symmetric *y, struct block *b, struct spool *to,
                       struct cooc_err *err)
{
    size_t len = b->used;

    b->used = 0;
    return spool_add(to, &y->file, b->bytes, len, err);
}

/* Write the blocks of a worker to the streams of its part. */
static int flush_blocks(struct symmetric *y, unsigned worker,
                        struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < y->n_ranges && rc == 0; i++)
        rc = flush_block(y, &y->blocks[worker * y->n_ranges + i],
                         &y->ranges[i].streams[y->part[worker]], err);
    return rc;
}

/* Write the entries of row t that are in range r to its stream. */
static int spool_entries(struct symmetric *y, const struct range *r,
                         struct block *b, struct spool *to,
                         const struct export_row *row, size_t at, size_t end,
                         struct cooc_err *err)
{
    int rc = 0;

    while (at < end && rc == 0) {
        size_t fit = (BLOCK_BYTES - b->used) / TWO_VARINTS;
        uint32_t next = r->first;
        uint8_t *p = b->bytes + b->used;

        if (fit < 2) {
            rc = flush_block(y, b, to, err);
            continue;
        }
        fit = fit - 1 < end - at ? fit - 1 : end - at; /* t, n take one */
        p = put_varint(p, row->id);
        p = put_varint(p, fit);
        for (size_t i = 0; i < fit; i++) {
            const struct entry *e = &row->entries[at + i];

            p = put_varint(p, e->term - next);
            p = put_varint(p, e->count);
            next = e->term + 1;
        }
        b->used = (size_t)(p - b->bytes);
        at += fit;
    }
    return rc;
}

static int spool_row(void *self, unsigned worker, unsigned part,
                     const struct export_row *row, struct cooc_err *err)
{
    struct symmetric *y = self;
    struct block *blocks = y->blocks + worker * y->n_ranges;
    size_t at = 0;
    int rc = 0;

    if (y->part[worker] != part)
        rc = flush_blocks(y, worker, err);
    y->part[worker] = part;
    for (size_t i = 0; at < row->n && rc == 0; i++) {
        struct range *r = &y->ranges[i];
        size_t end = at;

        while (end < row->n && row->entries[end].term < r->last)
            end++;
        rc = spool_entries(y, r, &blocks[i], &r->streams[part], row, at, end,
                           err);
        at = end;
    }
    return rc;
}

static int open_streams(struct symmetric *y, const char *tmpdir,
                        struct cooc_err *err)
{
    size_t n = y->threads * y->n_ranges;
    int rc = spool_file_open(&y->file, tmpdir, err);

    if (rc < 0)
        return rc;
    y->part = mem_zarray(y->threads, sizeof *y->part);
    y->blocks = mem_zarray(n, sizeof *y->blocks);
    if (!y->part || !y->blocks)
        return err_nomem(err);
    for (size_t i = 0; i < n; i++) {
        y->blocks[i].bytes = mem_array(BLOCK_BYTES, 1);
        if (!y->blocks[i].bytes)
            return err_nomem(err);
    }
    for (size_t i = 0; i < y->n_ranges; i++) {
        y->ranges[i].streams = mem_zarray(y->s->n_parts,
                                          sizeof *y->ranges[i].streams);
        if (!y->ranges[i].streams)
            return err_nomem(err);
    }
    return 0;
}

static void free_blocks(struct symmetric *y)
{
    for (size_t i = 0; y->blocks && i < y->threads * y->n_ranges; i++)
        mem_free(y->blocks[i].bytes);
    mem_free(y->blocks);
    y->blocks = NULL;
}

/* Walk through all pairs and put them into the table if there is one range, or
 * write them to the streams of the ranges. */
static int invert(struct symmetric *y, const char *tmpdir,
                  struct cooc_err *err)
{
    struct selection *s = y->s;
    bool one = y->n_ranges == 1;
    int rc = 0;

    if (one)
        clear_table(y, &y->ranges[0]);
    else
        rc = open_streams(y, tmpdir, err);
    if (rc == 0)
        rc = selection_each(s, "turning round", s->parts, s->n_parts,
                            one ? place_row : spool_row, y, err);
    for (unsigned i = 0; !one && i < y->threads && rc == 0; i++)
        rc = flush_blocks(y, i, err);
    free_blocks(y);
    return rc;
}

/* ---- back from the streams ------------------------------------------- */

static bool place_block(struct symmetric *y, uint32_t *next, const uint8_t *p,
                        const uint8_t *end)
{
    const struct later_partners *a = &y->table;
    uint64_t size = a->start[a->last - a->first];

    while (p < end) {
        uint64_t t, n, gap, count, term = a->first;

        if (!get_varint(&p, end, &t) || !get_varint(&p, end, &n) ||
            t >= y->s->n)
            return false;
        for (; n > 0; n--) {
            if (!get_varint(&p, end, &gap) || !get_varint(&p, end, &count) ||
                gap > UINT32_MAX || count > UINT32_MAX ||
                term + gap >= a->last || next[term + gap] >= size)
                return false;
            term += gap;
            a->entries[next[term]++] = (struct entry){ (uint32_t)t,
                                                       (uint32_t)count };
            term++;
        }
    }
    return true;
}

static int load_part(void *self, unsigned worker, uint64_t part,
                     struct cooc_err *err)
{
    struct symmetric *y = self;
    struct spool *stream = &y->loading->streams[part];
    struct spool_reader in;
    uint8_t *window = mem_array(2 * BLOCK_BYTES, 1);
    uint8_t *block = window ? window + BLOCK_BYTES : NULL;
    int rc = window ? 0 : err_nomem(err);

    (void)worker;
    spool_reader_init(&in, &y->file, stream, window, BLOCK_BYTES);
    for (size_t i = 0; i < stream->n && rc == 0; i++) {
        size_t len = (size_t)stream->pieces[i].len;

        rc = spool_read(&in, block, len, err);
        if (rc == 0 && !place_block(y, y->next + part * y->s->n, block,
                                    block + len))
            rc = spool_damaged(&y->file, err);
    }
    spool_drop(stream, &y->file);
    mem_free(window);
    return rc;
}

static int load_range(struct symmetric *y, struct range *r,
                      struct cooc_err *err)
{
    clear_table(y, r);
    y->loading = r;
    return pool_for(y->s->n_parts, y->threads, load_part, y, err);
}

static void release(struct symmetric *y)
{
    free_blocks(y);
    for (size_t i = 0; i < y->n_ranges; i++) {
        for (unsigned p = 0; y->ranges[i].streams && p < y->s->n_parts; p++)
            mem_free(y->ranges[i].streams[p].pieces);
        mem_free(y->ranges[i].streams);
    }
    mem_free(y->part);
    mem_free(y->ranges);
    mem_free(y->table.entries);
    mem_free(y->table.start);
    mem_free(y->sums);
    spool_file_close(&y->file);
}

int symmetric_walk(struct selection *s, const struct walk *w,
                   const char *tmpdir, struct cooc_err *err)
{
    struct symmetric y = { .s = s, .threads = selection_threads(s),
                           .file = { .fd = -1, .dir = tmpdir } };
    struct walk whole = *w;
    int rc = open_table(&y, err);

    whole.later = &y.table;
    if (rc == 0 && y.n_ranges)
        rc = invert(&y, tmpdir, err);
    for (size_t i = 0; i < y.n_ranges && rc == 0; i++) {
        if (y.n_ranges > 1)
            rc = load_range(&y, &y.ranges[i], err);
        if (rc == 0 && !table_is_full(&y))
            rc = spool_damaged(&y.file, err);
        if (rc == 0)
            rc = selection_walk(s, &whole, err);
        whole.phase = NULL; /* one phase for all ranges */
    }
    release(&y);
    return rc;
}
