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
 * A stream consists of blocks of at most BLOCK_BYTES, and a block of groups: t,
 * the number of pairs, and the gap and count of each pair, as varints; 2 to 3
 * bytes per pair.
 *
 * Cost.  Two walks; with several ranges, also about as many bytes on disk as
 * the rows of the store.  Memory: the table, and one block per range.
 */
#include "export/selection_walk.h"

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/spool.h"

#define BLOCK_BYTES ((size_t)1 << 15)
#define TWO_VARINTS 10 /* maximum bytes of two 32-bit numbers */
#define LEAST ((uint64_t)1 << 18) /* minimum size of a table, in pairs */

struct range {
    uint32_t first, last;
    struct spool stream;
    uint8_t *block;
    size_t used;
};

struct symmetric {
    struct selection *s;
    struct spool_file file;
    struct range *ranges;
    size_t n_ranges, cap;
    struct later_partners table; /* the table of one range */
    uint64_t *next;     /* position of the next partner of each term */
};

/* ---- ranges ---------------------------------------------------------- */

/* The maximum number of pairs in a table. */
static uint64_t table_room(const struct selection *s)
{
    uint64_t fixed = (uint64_t)s->n * 24 + ((uint64_t)24 << 20);
    uint64_t left = s->memory > fixed ? (s->memory - fixed) / 2 : 0;

    return left / sizeof(struct entry) > LEAST
               ? left / sizeof(struct entry)
               : LEAST;
}

static int cut_ranges(struct symmetric *y, struct cooc_err *err)
{
    const struct selection *s = y->s;
    uint64_t room = table_room(s), pairs = 0, most = 0;
    uint32_t longest = 0;

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
        most = pairs > most ? pairs : most;
        r = &y->ranges[y->n_ranges - 1];
        r->last = id + 1;
        longest = r->last - r->first > longest ? r->last - r->first : longest;
    }
    y->table.entries = mem_array((size_t)most, sizeof *y->table.entries);
    y->table.start = mem_array((size_t)longest + 1, sizeof *y->table.start);
    y->next = mem_array(longest, sizeof *y->next);
    return y->table.entries && y->table.start && y->next ? 0 : err_nomem(err);
}

/* Clear the table and use it for range r. */
static void clear_table(struct symmetric *y, const struct range *r)
{
    uint64_t sum = 0;

    y->table.first = r->first;
    y->table.last = r->last;
    for (uint32_t i = 0; i < r->last - r->first; i++) {
        y->table.start[i] = y->next[i] = sum;
        sum += y->s->after[r->first + i];
    }
    y->table.start[r->last - r->first] = sum;
}

static inline bool place(struct symmetric *y, uint64_t s, uint64_t t,
                         uint64_t count)
{
    struct later_partners *a = &y->table;
    uint64_t i = s - a->first;

    if (s < a->first || s >= a->last || y->next[i] >= a->start[i + 1] ||
        count > UINT32_MAX)
        return false;
    a->entries[y->next[i]++] = (struct entry){ (uint32_t)t,
                                                    (uint32_t)count };
    return true;
}

/* ---- into the table or the streams ------------------------------------ */

static int place_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    struct symmetric *y = self;

    for (size_t i = 0; i < row->n; i++)
        if (!place(y, row->entries[i].term, row->id, row->entries[i].count))
            return spool_damaged(&y->file, err);
    return 0;
}

static int flush_block(struct symmetric *y, struct range *r,
                       struct cooc_err *err)
{
    size_t len = r->used;

    r->used = 0;
    return spool_add(&r->stream, &y->file, r->block, len, err);
}

/* Write the entries of row t that are in range r to the stream of r. */
static int spool_entries(struct symmetric *y, struct range *r, uint32_t t,
                         const struct entry *e, size_t n,
                         struct cooc_err *err)
{
    int rc = 0;

    while (n > 0 && rc == 0) {
        size_t fit = (BLOCK_BYTES - r->used) / TWO_VARINTS;
        uint32_t next = r->first;
        uint8_t *p = r->block + r->used;

        if (fit < 2) {
            rc = flush_block(y, r, err);
            continue;
        }
        fit = fit - 1 < n ? fit - 1 : n; /* t and the number take one */
        p = put_varint(p, t);
        p = put_varint(p, fit);
        for (size_t i = 0; i < fit; i++) {
            p = put_varint(p, e[i].term - next);
            p = put_varint(p, e[i].count);
            next = e[i].term + 1;
        }
        r->used = (size_t)(p - r->block);
        e += fit;
        n -= fit;
    }
    return rc;
}

static int spool_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    struct symmetric *y = self;
    size_t at = 0;
    int rc = 0;

    for (struct range *r = y->ranges; at < row->n && rc == 0; r++) {
        size_t first = at;

        while (at < row->n && row->entries[at].term < r->last)
            at++;
        rc = spool_entries(y, r, row->id, row->entries + first, at - first,
                           err);
    }
    return rc;
}

/* Walk through all pairs and put them into the table if there is one range, or
 * write them to the streams of the ranges. */
static int invert(struct symmetric *y, const char *tmpdir,
                  struct cooc_err *err)
{
    struct walk w = { .phase = "turning round", .self = y,
                      .fn = y->n_ranges == 1 ? place_row : spool_row };
    int rc = 0;

    if (y->n_ranges == 1) {
        clear_table(y, &y->ranges[0]);
        return selection_walk(y->s, &w, err);
    }
    rc = spool_file_open(&y->file, tmpdir, err);
    for (size_t i = 0; i < y->n_ranges && rc == 0; i++) {
        y->ranges[i].block = mem_array(BLOCK_BYTES, 1);
        if (!y->ranges[i].block)
            rc = err_nomem(err);
    }
    if (rc == 0)
        rc = selection_walk(y->s, &w, err);
    for (size_t i = 0; i < y->n_ranges; i++) {
        if (rc == 0)
            rc = flush_block(y, &y->ranges[i], err);
        mem_free(y->ranges[i].block);
        y->ranges[i].block = NULL;
    }
    return rc;
}

/* ---- back from the stream -------------------------------------------- */

static bool place_block(struct symmetric *y, const uint8_t *p,
                        const uint8_t *end)
{
    while (p < end) {
        uint64_t t, n, gap, count, next = y->table.first;

        if (!get_varint(&p, end, &t) || !get_varint(&p, end, &n) ||
            t >= y->s->n)
            return false;
        for (; n > 0; n--) {
            if (!get_varint(&p, end, &gap) || !get_varint(&p, end, &count) ||
                gap > UINT32_MAX || !place(y, next + gap, t, count))
                return false;
            next += gap + 1;
        }
    }
    return true;
}

static int load_range(struct symmetric *y, struct range *r,
                      struct cooc_err *err)
{
    struct spool_reader in;
    uint8_t *window = mem_array(2 * BLOCK_BYTES, 1);
    uint8_t *block = window ? window + BLOCK_BYTES : NULL;
    int rc = window ? 0 : err_nomem(err);

    clear_table(y, r);
    spool_reader_init(&in, &y->file, &r->stream, window, BLOCK_BYTES);
    for (size_t i = 0; i < r->stream.n && rc == 0; i++) {
        size_t len = (size_t)r->stream.pieces[i].len;

        rc = spool_read(&in, block, len, err);
        if (rc == 0 && !place_block(y, block, block + len))
            rc = spool_damaged(&y->file, err);
    }
    spool_drop(&r->stream, &y->file);
    mem_free(window);
    return rc;
}

static bool table_is_full(const struct symmetric *y)
{
    for (uint32_t i = 0; i < y->table.last - y->table.first; i++)
        if (y->next[i] != y->table.start[i + 1])
            return false;
    return true;
}

static void release(struct symmetric *y)
{
    for (size_t i = 0; i < y->n_ranges; i++) {
        mem_free(y->ranges[i].block);
        mem_free(y->ranges[i].stream.pieces);
    }
    mem_free(y->ranges);
    mem_free(y->table.entries);
    mem_free(y->table.start);
    mem_free(y->next);
    spool_file_close(&y->file);
}

int symmetric_walk(struct selection *s, const struct walk *w,
                   const char *tmpdir, struct cooc_err *err)
{
    struct symmetric y = { .s = s, .file = { .fd = -1, .dir = tmpdir } };
    struct walk whole = *w;
    int rc = cut_ranges(&y, err);

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
