/* row_encode_parts.c - a row from its bit planes, pair after pair nowhere.
 *
 * The code of a row (row_code.h) was made for this.  A block of 32 pairs or
 * more is its bitmap, as it is.  The planes of the counts are selections:
 * with at_least[j] the columns that count 2^j or more,
 *
 *     is a pair of S(j) in S(j + 1)?   at_least[j + 1] where at_least[j]
 *     bit j of the count of S(j + 1)   plane j where at_least[j + 1]
 *
 * which is one PEXT for 64 columns.  Only blocks with few pairs, and the
 * entries of the tail, are walked through.  In most rows most words are
 * empty, and nobody can tell which: those that are not are listed once, for
 * each j, without a branch.
 */
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "count/row_parts.h"
#include "kernel/kernel.h"
#include "store/row_bits.h"
#include "store/row_code.h"

struct encoder {
    const struct row_parts *r;
    uint16_t *ones;   /* of each block of the head */
    uint32_t n_head;  /* blocks of the head */
    uint32_t *counts; /* of the tail, those still in S(j) */
    unsigned bits;    /* of the largest count of the head */
    uint16_t *index[33]; /* for each j < bits: words not 0 in at_least[j] */
    size_t n_index[33];
    uint8_t *p;
};

/* One more than the last block of DENSE pairs or more, in head or tail. */
static uint32_t dense_blocks(const struct encoder *e)
{
    const struct cooc_entry *tail = e->r->tail;
    size_t n = e->r->n_tail;
    uint32_t blocks = e->n_head;

    for (size_t i = n; i >= DENSE; i--) /* DENSE in a row, from the end */
        if (tail[i - 1].term / BLOCK == tail[i - DENSE].term / BLOCK)
            return tail[i - 1].term / BLOCK + 1;
    while (blocks && e->ones[blocks - 1] < DENSE)
        blocks--;
    return blocks;
}

static uint8_t *put_columns(uint8_t *p, const uint64_t *map)
{
    for (unsigned w = 0; w < BLOCK / 64; w++)
        for (uint64_t left = map[w]; left; left &= left - 1)
            *p++ = (uint8_t)(w * 64 + (unsigned)__builtin_ctzll(left));
    return p;
}

static void put_bitmap(uint8_t *p, const uint64_t *map)
{
    for (unsigned w = 0; w < BLOCK / 64; w++)
        put_le64(p + w * 8, map[w]);
}

/* Heads and columns of the head's blocks among the first `blocks`. */
static void put_head_blocks(struct encoder *e, uint32_t blocks)
{
    uint8_t *heads = e->p, *p = heads + blocks;
    uint32_t n = blocks < e->n_head ? blocks : e->n_head;

    memset(heads, 0, blocks);
    for (uint32_t b = 0; b < n; b++) {
        const uint64_t *map = e->r->at_least + b * (BLOCK / 64);

        if (e->ones[b] < DENSE) {
            heads[b] = (uint8_t)e->ones[b];
            p = put_columns(p, map);
        } else {
            heads[b] = DENSE;
            put_bitmap(p, map);
            p += BITMAP;
        }
    }
    e->p = p;
}

/* The tail's blocks among the first `blocks`, whose heads are zeros yet;
 * returns how many entries they hold. */
static size_t put_tail_blocks(struct encoder *e, uint8_t *heads,
                              uint32_t blocks)
{
    const struct cooc_entry *tail = e->r->tail;
    size_t i = 0, n = e->r->n_tail;

    while (i < n && tail[i].term / BLOCK < blocks) {
        uint32_t b = tail[i].term / BLOCK;
        uint64_t map[BLOCK / 64] = { 0 };
        size_t from = i;

        for (; i < n && tail[i].term / BLOCK == b; i++)
            map[tail[i].term % BLOCK / 64] |= (uint64_t)1
                                              << tail[i].term % 64;
        if (i - from < DENSE) {
            heads[b] = (uint8_t)(i - from);
            e->p = put_columns(e->p, map);
        } else {
            heads[b] = DENSE;
            put_bitmap(e->p, map);
            e->p += BITMAP;
        }
    }
    return i;
}

/* What lies behind the blocks, as gaps. */
static void put_gaps(struct encoder *e, uint32_t blocks, size_t tail_from)
{
    const struct row_parts *r = e->r;
    uint32_t from = blocks * BLOCK;
    uint8_t *p = e->p;

    for (size_t i = 0; e->bits && i < e->n_index[0]; i++) {
        uint32_t w = e->index[0][i];

        if (w < blocks * (BLOCK / 64))
            continue;
        for (uint64_t left = r->at_least[w]; left; left &= left - 1) {
            uint32_t c = w * 64 + (uint32_t)__builtin_ctzll(left);

            p = put_varint(p, c - from);
            from = c + 1;
        }
    }
    for (size_t i = tail_from; i < r->n_tail; i++) {
        p = put_varint(p, r->tail[i].term - from);
        from = r->tail[i].term + 1;
    }
    e->p = p;
}

/* The head's part of a string of bits: from[] where at_least[j]; the tail's
 * can follow. */
static struct bit_writer put_selected(struct encoder *e, const uint64_t *from,
                                      unsigned j)
{
    struct bit_writer w = { .p = e->p };
    size_t n;

    if (j >= e->bits)
        return w;
    n = e->r->k->select(e->p, from, e->r->at_least + j * e->r->words,
                        e->index[j], e->n_index[j]);
    w.p += n / 64 * 8;
    w.fill = n % 64;
    w.word = get_le64(w.p) & (((uint64_t)1 << w.fill) - 1);
    return w;
}

static void put_planes(struct encoder *e, unsigned bits)
{
    const struct row_parts *r = e->r;
    size_t n = r->n_tail;

    for (unsigned j = 0; j + 1 < bits; j++) {
        struct bit_writer w =
            put_selected(e, r->at_least + (j + 1) * r->words, j);
        size_t m = 0;

        for (size_t i = 0; i < n; i++) {
            uint32_t more = e->counts[i] >> (j + 1) != 0;

            put_bit(&w, more);
            e->counts[m] = e->counts[i];
            m += more;
        }
        end_bits(&w);
        e->p = w.p;
        n = m;
        w = put_selected(e, r->planes + j * r->words, j + 1);
        for (size_t i = 0; i < n; i++)
            put_bit(&w, e->counts[i] >> j & 1);
        end_bits(&w);
        e->p = w.p;
    }
}

/* List the words of each plane, and so find the bits of the head. */
static int list_words(struct encoder *e, struct row_scratch *scratch,
                      struct cooc_err *err)
{
    const struct row_parts *r = e->r;
    const uint16_t *among = NULL;
    size_t n = r->words;
    int rc = array_grow(&scratch->index, &scratch->index_cap,
                        (r->bits + 1) * r->words, sizeof *scratch->index,
                        err);

    if (rc < 0)
        return rc;
    for (e->bits = 0; e->bits < r->bits; e->bits++) {
        unsigned j = e->bits;

        e->index[j] = scratch->index + j * r->words;
        n = r->k->nonzero(e->index[j], r->at_least + j * r->words, among, n);
        if (!n)
            break;
        e->n_index[j] = n;
        among = e->index[j];
    }
    return 0;
}

/* Copy the tail's counts; the bits of the row's largest count. */
static unsigned count_bits(struct encoder *e)
{
    uint32_t all = 0;

    for (size_t i = 0; i < e->r->n_tail; i++)
        all |= e->counts[i] = e->r->tail[i].count;
    return e->bits > bit_length(all) ? e->bits : bit_length(all);
}

int row_encode_parts(struct buf *out, const struct row_parts *row,
                     struct row_scratch *scratch, struct cooc_err *err)
{
    struct encoder e = { .r = row, .n_head = (uint32_t)(row->words / 4) };
    uint32_t blocks;
    uint8_t *heads;
    unsigned bits;
    size_t in_blocks = 0;
    int rc;

    if (!row->pairs)
        return 0;
    rc = array_grow(&scratch->subset, &scratch->cap, row->n_tail,
                    sizeof *scratch->subset, err);
    if (rc == 0)
        rc = array_grow(&scratch->ones, &scratch->ones_cap, e.n_head,
                        sizeof *scratch->ones, err);
    if (rc == 0)
        rc = list_words(&e, scratch, err);
    if (rc < 0)
        return rc;
    e.ones = scratch->ones;
    e.counts = scratch->subset;
    row->k->block_ones(e.ones, row->at_least, row->words);
    blocks = dense_blocks(&e);
    bits = count_bits(&e);
    /* As in row_encode(), and the slack that select() asks for. */
    rc = buf_reserve(out, 32 + blocks + row->pairs * 5 +
                              (row->pairs / 4 + 32) * bits, err);
    if (rc < 0)
        return rc;
    e.p = (uint8_t *)out->data + out->len;
    e.p = put_varint(e.p, row->pairs);
    *e.p++ = (uint8_t)bits;
    e.p = put_varint(e.p, blocks);
    heads = e.p;
    put_head_blocks(&e, blocks);
    if (blocks > e.n_head)
        in_blocks = put_tail_blocks(&e, heads, blocks);
    put_gaps(&e, blocks, in_blocks);
    put_planes(&e, bits);
    out->len = (size_t)(e.p - (uint8_t *)out->data);
    return 0;
}
