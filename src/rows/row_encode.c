/* row_encode.c - encode a row from its bit planes, never pair by pair.
 *
 * The encoding (row_code.h) was designed for this.  The bitmap already exists.
 * The planes of the counts are selections of bits: let at_least[j] be the
 * bitmap of columns with a count of at least 2^j.  Then
 *
 *     "is a pair of S(j) in S(j + 1)?"  is  at_least[j + 1] where at_least[j]
 *     "bit j of counts in S(j + 1)"     is  plane j where at_least[j + 1]
 *
 * which takes one PEXT instruction per 64 columns.  Only the columns after the
 * bitmap are listed one by one.  In most rows many words are empty, in no
 * predictable order, so the non-empty words are listed once for each j,
 * without branches.
 */
#include <string.h>

#include "base/mem.h"
#include "kernel/kernel.h"
#include "rows/row_code.h"

struct encoder {
    const struct row_parts *r;
    struct row_scratch *s;
    unsigned bits;       /* bit length of the largest count */
    /* For each j < bits: the non-zero words of at_least[j]. */
    uint32_t *index[33];
    size_t n_index[33];
    uint32_t blocks;
    size_t first_tail; /* index of the first tail word after the bitmap */
    size_t n_codes, far;
    uint8_t *p;
};

void row_scratch_release(struct row_scratch *s)
{
    mem_free(s->index);
    mem_free(s->columns);
    mem_free(s->codes);
    mem_free(s->bytes);
    mem_free(s->planes);
    row_room_release(&s->room);
    *s = (struct row_scratch){ 0 };
}

/* List the non-zero words of each at_least[j], which also gives e->bits. */
static int list_words(struct encoder *e, struct cooc_err *err)
{
    const struct row_parts *r = e->r;
    const uint32_t *among = NULL;
    size_t n = r->words;
    int rc = array_grow(&e->s->index, &e->s->index_cap,
                        (r->bits + 1) * r->words, sizeof *e->s->index, err);

    if (rc < 0)
        return rc;
    for (e->bits = 0; e->bits < r->bits; e->bits++) {
        unsigned j = e->bits;

        e->index[j] = e->s->index + j * r->words;
        n = r->k->nonzero(e->index[j], r->at_least + j * r->words, among, n);
        if (!n)
            break;
        e->n_index[j] = n;
        among = e->index[j];
    }
    return 0;
}

/* ---- columns ------------------------------------------------------------ */

/* Let the bitmap extend into the tail if that is better.  This is rarely worth
 * checking: usually, even if all pairs of the tail were in one block, the sum
 * would not reach its maximum again. */
static void end_in_tail(struct encoder *e, struct bitmap_end *end,
                        size_t pairs)
{
    const struct row_parts *r = e->r;
    const uint64_t *map = r->at_least + r->head;

    if (end->sum + (int64_t)pairs - BLOCK_WORTH <= end->best)
        return;
    for (size_t i = 0; i < r->n_tail;) {
        uint32_t block = r->tail[i] / BLOCK_WORDS;
        size_t first = i;

        while (i < r->n_tail && r->tail[i] / BLOCK_WORDS == block)
            i++;
        bitmap_end_add(end, block,
                       (int64_t)r->k->ones(map + first, i - first));
    }
}

static int find_blocks(struct encoder *e, struct cooc_err *err)
{
    const struct row_parts *r = e->r;
    struct bitmap_end end = { 0 };
    size_t blocks = r->head / BLOCK_WORDS, pairs = 0;
    int rc = array_grow(&e->s->codes, &e->s->codes_cap, blocks,
                        sizeof *e->s->codes, err);

    if (rc < 0)
        return rc;
    r->k->block_ones(e->s->codes, r->at_least, r->head);
    for (size_t b = 0; b < blocks; b++) {
        pairs += e->s->codes[b];
        bitmap_end_add(&end, (uint32_t)b, e->s->codes[b]);
    }
    end_in_tail(e, &end, r->pairs - pairs);
    e->blocks = end.blocks;
    return 0;
}

/* List the columns after the bitmap. */
static int list_columns(struct encoder *e, size_t *n, struct cooc_err *err)
{
    const struct row_parts *r = e->r;
    const uint32_t *index = e->index[0];
    size_t words = (size_t)e->blocks * BLOCK_WORDS, i = 0, end, skip = 0;
    int rc = array_grow(&e->s->columns, &e->s->columns_cap,
                        r->pairs + KERNEL_SLACK, sizeof *e->s->columns, err);

    if (rc < 0)
        return rc;
    while (skip < r->n_tail && r->tail[skip] < words)
        skip++;
    e->first_tail = skip;
    while (i < e->n_index[0] && index[i] < words && index[i] < r->head)
        i++;
    end = e->n_index[0] - r->n_tail; /* tail words are never empty */
    *n = r->k->columns(e->s->columns, r->at_least, index + i, index + i,
                       end - i);
    *n += r->k->columns(e->s->columns + *n, r->at_least + r->head + skip,
                        NULL, r->tail + skip, r->n_tail - skip);
    return 0;
}

static void put_bitmap(struct encoder *e)
{
    const struct row_parts *r = e->r;
    size_t words = (size_t)e->blocks * BLOCK_WORDS;
    size_t in_head = words < r->head ? words : r->head;

    for (size_t w = 0; w < in_head; w++)
        put_le64(e->p + w * 8, r->at_least[w]);
    memset(e->p + in_head * 8, 0, (words - in_head) * 8);
    for (size_t i = 0; i < e->first_tail; i++)
        put_le64(e->p + (size_t)r->tail[i] * 8, r->at_least[r->head + i]);
    e->p += words * 8;
}

/* Convert the columns to codes, at first as if every gap were below 65535,
 * because few rows have a longer one. */
static int code_gaps(struct encoder *e, size_t n, struct cooc_err *err)
{
    const uint32_t *column = e->s->columns;
    uint32_t from = e->blocks * BLOCK, far = 0;
    size_t most_far = n ? (column[n - 1] - from) / GAP_FAR : 0, m = n;
    uint16_t *code;
    int rc = array_grow(&e->s->codes, &e->s->codes_cap,
                        n + most_far + KERNEL_SLACK, sizeof *code, err);

    if (rc < 0)
        return rc;
    code = e->s->codes;
    if (n) {
        code[0] = (uint16_t)(column[0] - from);
        far = column[0] - from >= GAP_FAR;
    }
    for (size_t i = 1; i < n; i++) {
        uint32_t gap = column[i] - column[i - 1] - 1;

        code[i] = (uint16_t)gap;
        far |= gap >= GAP_FAR;
    }
    if (far) {
        m = 0;
        for (size_t i = 0; i < n; from = column[i++] + 1) {
            for (; column[i] - from >= GAP_FAR; from += GAP_FAR)
                code[m++] = GAP_FAR;
            code[m++] = (uint16_t)(column[i] - from);
        }
    }
    e->n_codes = m;
    e->far = m - n;
    memset(code + m, 0, KERNEL_SLACK * sizeof *code);
    return 0;
}

static int put_gaps(struct encoder *e, struct cooc_err *err)
{
    size_t which = (e->n_codes + 7) / 8;
    uint8_t *end;
    int rc = array_grow(&e->s->bytes, &e->s->bytes_cap,
                        which + KERNEL_SLACK, 1, err);

    if (rc < 0)
        return rc;
    end = e->r->k->pack(e->s->bytes, e->p + which, e->s->codes, e->n_codes);
    memcpy(e->p, e->s->bytes, which);
    e->p = end;
    return 0;
}

/* ---- counts ------------------------------------------------------------- */

static void put_planes(struct encoder *e)
{
    const struct row_parts *r = e->r;
    size_t n;

    for (unsigned j = 0; j + 1 < e->bits; j++) {
        const uint64_t *now = r->at_least + j * r->words;
        const uint64_t *next = now + r->words;

        n = r->k->select(e->p, next, now, e->index[j], e->n_index[j]);
        e->p += (n + 7) / 8;
        n = r->k->select(e->p, r->planes + j * r->words, next,
                         e->index[j + 1], e->n_index[j + 1]);
        e->p += (n + 7) / 8;
    }
}

int row_encode_parts(struct buf *out, const struct row_parts *row,
                     struct row_scratch *scratch, struct cooc_err *err)
{
    struct encoder e = { .r = row, .s = scratch };
    size_t n = 0;
    int rc;

    if (!row->pairs)
        return 0;
    rc = list_words(&e, err);
    if (rc == 0)
        rc = find_blocks(&e, err);
    if (rc == 0)
        rc = list_columns(&e, &n, err);
    if (rc == 0)
        rc = code_gaps(&e, n, err);
    /* A code takes at most 2 bytes and 1 bit, a pair 2 bits per plane. */
    if (rc == 0)
        rc = buf_reserve(out, 64 + (size_t)e.blocks * (BLOCK / 8) +
                                  e.n_codes * 3 +
                                  (row->pairs / 4 + 64) * e.bits, err);
    if (rc < 0)
        return rc;
    e.p = (uint8_t *)out->data + out->len;
    e.p = put_varint(e.p, row->pairs);
    *e.p++ = (uint8_t)e.bits;
    e.p = put_varint(e.p, e.blocks);
    e.p = put_varint(e.p, e.far);
    put_bitmap(&e);
    rc = put_gaps(&e, err);
    if (rc < 0)
        return rc;
    put_planes(&e);
    out->len = (size_t)(e.p - (uint8_t *)out->data);
    return 0;
}

int row_encode(struct buf *out, const struct entry *entries, size_t n,
               struct row_scratch *scratch, struct cooc_err *err)
{
    struct row_parts row;
    int rc;

    if (!scratch->k)
        scratch->k = kernel_find(NULL, err);
    rc = row_room_take(&scratch->room, &row, scratch->k, entries, n, err);
    return rc < 0 ? rc : row_encode_parts(out, &row, scratch, err);
}
