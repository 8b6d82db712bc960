/* symmetric.c - whole rows: the partners of a term before and behind it.
 *
 * The idea.  Terms are cut into ranges; the partners behind the terms of one
 * range fit into memory, and the survey has said where in the table each
 * term's begin.
 *
 *     one range     walk: each pair (t, s) goes into the table at s
 *     several       walk: each pair goes to the stream of s's range
 *     then          walk again: for row i, what is before it comes from the
 *                   row itself, what is behind it from the table, which is
 *                   filled from its stream when a range begins
 *
 * A stream holds blocks of a length and runs: t, the number of pairs, and for
 * each its gap and count, as varints; 2 to 3 bytes a pair.
 *
 * Cost.  Two walks, and for several ranges as many bytes on disk as the store
 * has, about.  Memory: the table, and a block for each range.
 */
#include "export/symmetric.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/spool.h"

#define BLOCK_BYTES ((size_t)1 << 15) /* bytes of a stream's block */
#define LEAST ((uint64_t)1 << 18)     /* pairs of a table, at least */

struct range {
    uint32_t first, last;
    struct spool stream;
    uint8_t *block;
    size_t used;
};

struct symmetric {
    struct selection *s;
    bool scores;
    row_fn fn;
    void *self;
    struct spool_file file;
    struct range *ranges;
    size_t n_ranges, cap, at; /* at: the range in the table */
    struct cooc_entry *table;
    uint64_t *start; /* in the table, of each term of a range */
    uint32_t *fill;  /* how many a term has there so far */
    struct cooc_entry *row;
    double *row_scores;
    size_t row_cap, scores_cap;
};

/* ---- ranges ---------------------------------------------------------- */

/* Pairs that a table may hold. */
static uint64_t table_room(const struct selection *s)
{
    uint64_t fixed = (uint64_t)s->n * 24 + ((uint64_t)24 << 20);
    uint64_t left = s->memory > fixed ? (s->memory - fixed) / 2 : 0;

    return left / sizeof(struct cooc_entry) > LEAST
               ? left / sizeof(struct cooc_entry)
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
    y->table = mem_array((size_t)most, sizeof *y->table);
    y->start = mem_array((size_t)longest + 1, sizeof *y->start);
    y->fill = mem_array(longest, sizeof *y->fill);
    return y->table && y->start && y->fill ? 0 : err_nomem(err);
}

/* The table is for that range from now on, and empty. */
static void begin_range(struct symmetric *y, size_t at)
{
    const struct range *r = &y->ranges[at];
    uint64_t sum = 0;

    y->at = at;
    for (uint32_t i = 0; i < r->last - r->first; i++) {
        y->start[i] = sum;
        y->fill[i] = 0;
        sum += y->s->after[r->first + i];
    }
}

static inline bool place(struct symmetric *y, uint32_t s, uint32_t t,
                         uint32_t count)
{
    const struct range *r = &y->ranges[y->at];
    uint32_t i = s - r->first;

    if (s < r->first || s >= r->last || y->fill[i] >= y->s->after[s])
        return false;
    y->table[y->start[i] + y->fill[i]++] = (struct cooc_entry){ t, count };
    return true;
}

/* ---- turning round --------------------------------------------------- */

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
    uint8_t head[4];
    int rc;

    if (!r->used)
        return 0;
    put_le32(head, (uint32_t)r->used);
    rc = spool_add(&r->stream, &y->file, head, sizeof head, err);
    if (rc == 0)
        rc = spool_add(&r->stream, &y->file, r->block, r->used, err);
    r->used = 0;
    return rc;
}

/* Entries of row t in range r, to its stream. */
static int spool_run(struct symmetric *y, struct range *r, uint32_t t,
                     const struct cooc_entry *e, size_t n, struct cooc_err *err)
{
    while (n > 0) {
        uint32_t next = r->first;
        size_t fit = r->used + 3 * VARINT_MAX < BLOCK_BYTES
                         ? (BLOCK_BYTES - r->used - 2 * VARINT_MAX) / 10
                         : 0;
        uint8_t *p;

        if (!fit) {
            int rc = flush_block(y, r, err);

            if (rc < 0)
                return rc;
            continue;
        }
        fit = fit < n ? fit : n;
        p = put_varint(r->block + r->used, t);
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
    return 0;
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
        rc = spool_run(y, r, row->id, row->entries + first, at - first, err);
    }
    return rc;
}

static int spool_all(struct symmetric *y, const char *tmpdir,
                     struct cooc_err *err)
{
    int rc = spool_file_open(&y->file, tmpdir, err);

    for (size_t i = 0; i < y->n_ranges && rc == 0; i++) {
        y->ranges[i].block = mem_array(BLOCK_BYTES, 1);
        if (!y->ranges[i].block)
            rc = err_nomem(err);
    }
    if (rc == 0)
        rc = selection_walk(y->s, "turning round", NO_SCORES, false, spool_row,
                            y, err);
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
        uint64_t t, n, gap, count, next = y->ranges[y->at].first;

        if (!get_varint(&p, end, &t) || !get_varint(&p, end, &n) ||
            t >= y->s->n)
            return false;
        for (; n > 0; n--) {
            if (!get_varint(&p, end, &gap) || !get_varint(&p, end, &count) ||
                gap > UINT32_MAX || count > UINT32_MAX ||
                next + gap > UINT32_MAX ||
                !place(y, (uint32_t)(next + gap), (uint32_t)t, (uint32_t)count))
                return false;
            next += gap + 1;
        }
    }
    return true;
}

static int load_range(struct symmetric *y, size_t at, struct cooc_err *err)
{
    struct range *r = &y->ranges[at];
    struct spool_reader in;
    uint8_t *window = mem_array(2 * BLOCK_BYTES, 1);
    uint8_t *block = window ? window + BLOCK_BYTES : NULL;
    int rc = window ? 0 : err_nomem(err);

    begin_range(y, at);
    if (rc == 0)
        spool_reader_init(&in, &y->file, &r->stream, window, BLOCK_BYTES);
    while (rc == 0 && in.left > 0) {
        uint8_t head[4];
        uint32_t len = 0;

        rc = spool_read(&in, head, sizeof head, err);
        if (rc == 0) {
            len = get_le32(head);
            rc = len > BLOCK_BYTES ? spool_damaged(&y->file, err)
                                   : spool_read(&in, block, len, err);
        }
        if (rc == 0 && !place_block(y, block, block + len))
            rc = spool_damaged(&y->file, err);
    }
    for (uint32_t i = 0; i < r->last - r->first && rc == 0; i++)
        if (y->fill[i] != y->s->after[r->first + i])
            rc = spool_damaged(&y->file, err);
    spool_drop(&r->stream, &y->file);
    mem_free(window);
    return rc;
}

/* ---- whole rows ------------------------------------------------------ */

static int whole_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    struct symmetric *y = self;
    struct export_row whole = { .id = row->id };
    size_t after = y->s->after[row->id];
    const struct range *r;
    int rc = 0;

    if (row->id >= y->ranges[y->at].last)
        rc = load_range(y, y->at + 1, err);
    r = &y->ranges[y->at];
    whole.n = row->n + after;
    if (rc == 0)
        rc = array_grow(&y->row, &y->row_cap, whole.n, sizeof *y->row, err);
    if (rc == 0 && y->scores)
        rc = array_grow(&y->row_scores, &y->scores_cap, whole.n,
                        sizeof *y->row_scores, err);
    if (rc < 0)
        return rc;
    if (row->n)
        memcpy(y->row, row->entries, row->n * sizeof *y->row);
    if (after)
        memcpy(y->row + row->n, y->table + y->start[row->id - r->first],
               after * sizeof *y->row);
    whole.entries = y->row;
    if (y->scores) {
        selection_scores(y->s, false, row->id, y->row, whole.n, y->row_scores);
        whole.scores = y->row_scores;
    }
    rc = y->fn(y->self, &whole, err);
    return rc == 0 ? watch_add(y->s->watch, after, 0, after, err) : rc;
}

static void release(struct symmetric *y)
{
    for (size_t i = 0; i < y->n_ranges; i++) {
        mem_free(y->ranges[i].block);
        mem_free(y->ranges[i].stream.pieces);
    }
    mem_free(y->ranges);
    mem_free(y->table);
    mem_free(y->start);
    mem_free(y->fill);
    mem_free(y->row);
    mem_free(y->row_scores);
    spool_file_close(&y->file);
}

int symmetric_walk(struct selection *s, bool scores, bool diagonal,
                   const char *tmpdir, row_fn fn, void *self,
                   struct cooc_err *err)
{
    struct symmetric y = {
        .s = s, .scores = scores, .fn = fn, .self = self,
        .file = { .fd = -1, .dir = tmpdir }
    };
    int rc = cut_ranges(&y, err);

    if (rc == 0 && y.n_ranges == 1) {
        begin_range(&y, 0);
        rc = selection_walk(s, "turning round", NO_SCORES, false, place_row, &y,
                            err);
    } else if (rc == 0 && y.n_ranges) {
        rc = spool_all(&y, tmpdir, err);
        if (rc == 0)
            rc = load_range(&y, 0, err);
    }
    s->both = true;
    if (rc == 0)
        rc = selection_walk(s, "exporting", NO_SCORES, diagonal, whole_row, &y,
                            err);
    release(&y);
    return rc;
}
