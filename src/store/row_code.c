/* row_code.c - rows to bytes and back. */
#include "store/row_code.h"

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/row_bits.h"

void row_scratch_release(struct row_scratch *s)
{
    mem_free(s->subset);
    mem_free(s->ones);
    mem_free(s->index);
    *s = (struct row_scratch){ 0 };
}

/* ---- encoding ----------------------------------------------------------- */

/* How many entries from i on lie in the same block as entry i. */
static size_t block_run(const struct cooc_entry *e, size_t n, size_t i)
{
    uint32_t block = e[i].term / BLOCK;
    size_t k = i + 1;

    while (k < n && e[k].term / BLOCK == block)
        k++;
    return k - i;
}

static uint32_t count_blocks(const struct cooc_entry *e, size_t n)
{
    uint32_t blocks = 0;

    for (size_t i = 0, run; i < n; i += run) {
        run = block_run(e, n, i);
        if (run >= DENSE)
            blocks = e[i].term / BLOCK + 1;
    }
    return blocks;
}

/* Heads and columns of the blocks; returns how many entries they hold. */
static size_t put_blocks(struct buf *out, const struct cooc_entry *e,
                         size_t n, uint32_t blocks)
{
    uint8_t *heads = (uint8_t *)out->data + out->len, *p = heads + blocks;
    size_t i = 0;

    memset(heads, 0, blocks);
    for (size_t run; i < n && e[i].term / BLOCK < blocks; i += run) {
        uint32_t block = e[i].term / BLOCK;

        run = block_run(e, n, i);
        if (run < DENSE) {
            heads[block] = (uint8_t)run;
            for (size_t k = 0; k < run; k++)
                *p++ = (uint8_t)e[i + k].term;
        } else {
            heads[block] = DENSE;
            memset(p, 0, BITMAP);
            for (size_t k = 0; k < run; k++)
                p[e[i + k].term % BLOCK / 8] |=
                    (uint8_t)(1u << e[i + k].term % 8);
            p += BITMAP;
        }
    }
    out->len = (size_t)(p - (uint8_t *)out->data);
    return i;
}

static void put_gaps(struct buf *out, const struct cooc_entry *e, size_t n,
                     uint32_t from)
{
    uint8_t *p = (uint8_t *)out->data + out->len;

    for (size_t i = 0; i < n; i++) {
        p = put_varint(p, e[i].term - from);
        from = e[i].term + 1;
    }
    out->len = (size_t)(p - (uint8_t *)out->data);
}

/* counts[0..n) are those of S(0); they are overwritten. */
static void put_planes(struct buf *out, uint32_t *counts, size_t n,
                       unsigned bits)
{
    struct bit_writer w = { .p = (uint8_t *)out->data + out->len };

    for (unsigned j = 0; j + 1 < bits; j++) {
        size_t m = 0;

        for (size_t i = 0; i < n; i++) {
            uint32_t more = counts[i] >> (j + 1) != 0;

            put_bit(&w, more);
            counts[m] = counts[i];
            m += more;
        }
        end_bits(&w);
        n = m;
        for (size_t i = 0; i < n; i++)
            put_bit(&w, counts[i] >> j & 1);
        end_bits(&w);
    }
    out->len = (size_t)(w.p - (uint8_t *)out->data);
}

int row_encode(struct buf *out, const struct cooc_entry *entries, size_t n,
               struct row_scratch *scratch, struct cooc_err *err)
{
    uint32_t blocks, all = 0;
    uint8_t *p;
    size_t in_blocks;
    unsigned bits;
    int rc;

    if (n == 0)
        return 0;
    rc = array_grow(&scratch->subset, &scratch->cap, n, sizeof(uint32_t),
                    err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < n; i++) {
        scratch->subset[i] = entries[i].count;
        all |= entries[i].count;
    }
    bits = bit_length(all);
    blocks = count_blocks(entries, n);
    /* A pair needs at most 5 bytes of place and 2 bits a plane. */
    rc = buf_reserve(out, 32 + blocks + n * 5 + (n / 4 + 16) * bits, err);
    if (rc < 0)
        return rc;
    p = (uint8_t *)out->data + out->len;
    p = put_varint(p, n);
    *p++ = (uint8_t)bits;
    p = put_varint(p, blocks);
    out->len = (size_t)(p - (uint8_t *)out->data);
    in_blocks = put_blocks(out, entries, n, blocks);
    put_gaps(out, entries + in_blocks, n - in_blocks, blocks * BLOCK);
    put_planes(out, scratch->subset, n, bits);
    return 0;
}

/* ---- decoding ----------------------------------------------------------- */

struct input {
    const uint8_t *p, *end;
    uint32_t t; /* columns are below this */
};

static struct cooc_entry *take_bitmap(const uint8_t *p, uint32_t base,
                                      struct cooc_entry *e)
{
    for (unsigned w = 0; w < BITMAP / 8; w++)
        for (uint64_t bits = get_le64(p + w * 8); bits; bits &= bits - 1)
            *e++ = (struct cooc_entry){
                .term = base + w * 64 + (uint32_t)__builtin_ctzll(bits),
                .count = 1
            };
    return e;
}

static unsigned popcount_bitmap(const uint8_t *p)
{
    unsigned n = 0;

    for (unsigned w = 0; w < BITMAP / 8; w++)
        n += (unsigned)__builtin_popcountll(get_le64(p + w * 8));
    return n;
}

/* The blocks' entries; *room is how many more the row has. */
static struct cooc_entry *take_blocks(struct input *in, uint64_t blocks,
                                      struct cooc_entry *e, size_t *room)
{
    const uint8_t *heads = in->p, *p = heads + blocks;

    for (uint64_t b = 0; b < blocks; b++) {
        uint32_t base = (uint32_t)b * BLOCK;
        size_t bytes = heads[b] < DENSE ? heads[b] : BITMAP;
        size_t n;

        if (heads[b] > DENSE || bytes > (size_t)(in->end - p))
            return NULL;
        n = heads[b] < DENSE ? bytes : popcount_bitmap(p);
        if (n > *room || (heads[b] == DENSE && n < DENSE) ||
            (b + 1 == blocks && n < DENSE))
            return NULL;
        if (heads[b] == DENSE)
            e = take_bitmap(p, base, e);
        else
            for (size_t i = 0; i < n; i++) {
                if (i && p[i] <= p[i - 1])
                    return NULL;
                *e++ = (struct cooc_entry){ .term = base + p[i],
                                            .count = 1 };
            }
        if (n && e[-1].term >= in->t)
            return NULL;
        p += bytes;
        *room -= n;
    }
    in->p = p;
    return e;
}

static bool take_gaps(struct input *in, uint64_t from, struct cooc_entry *e,
                      size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t gap;

        if (in->p < in->end && *in->p < 0x80)
            gap = *in->p++;
        else if (!get_varint(&in->p, in->end, &gap))
            return false;
        if (gap >= in->t || from + gap >= in->t)
            return false;
        from += gap;
        if (i >= DENSE - 1 && e[i + 1 - DENSE].term / BLOCK == from / BLOCK)
            return false; /* so many belong in a block */
        e[i] = (struct cooc_entry){ .term = (uint32_t)from++, .count = 1 };
    }
    return true;
}

/* Bits [64 i, 64 i + 64) of a string of n bits at p. */
static uint64_t word_of(const uint8_t *p, size_t n, size_t i)
{
    size_t bytes = (n + 7) / 8 - i * 8;
    uint64_t w = 0;

    if (bytes >= 8)
        return get_le64(p + i * 8);
    for (size_t k = 0; k < bytes; k++)
        w |= (uint64_t)p[i * 8 + k] << 8 * k;
    return w;
}

static bool padded(const uint8_t *p, size_t n)
{
    return n % 8 == 0 || p[n / 8] >> n % 8 == 0;
}

/* Add the counts to e[0..n), which all have count 1. */
static bool take_planes(struct input *in, struct cooc_entry *e, size_t n,
                        unsigned bits, uint32_t *subset)
{
    for (unsigned j = 0; j + 1 < bits; j++) {
        size_t bytes = (n + 7) / 8, m = 0;

        if (bytes > (size_t)(in->end - in->p) || !padded(in->p, n))
            return false;
        for (size_t w = 0; w * 64 < n; w++)
            for (uint64_t x = word_of(in->p, n, w); x; x &= x - 1) {
                size_t i = w * 64 + (size_t)__builtin_ctzll(x);

                subset[m++] = j ? subset[i] : (uint32_t)i;
            }
        in->p += bytes;
        n = m;
        bytes = (n + 7) / 8;
        if (!n || bytes > (size_t)(in->end - in->p) || !padded(in->p, n))
            return false;
        for (size_t i = 0; i < n; i++)
            e[subset[i]].count += (1u + (in->p[i / 8] >> i % 8 & 1)) << j;
        in->p += bytes;
    }
    return true;
}

int row_decode(const uint8_t *code, size_t len, uint32_t t,
               struct cooc_entry **entries, size_t *cap, size_t *n,
               struct row_scratch *scratch, struct cooc_err *err)
{
    struct input in = { .p = code, .end = code + len, .t = t };
    uint64_t pairs, blocks;
    struct cooc_entry *e;
    size_t room;
    unsigned bits;
    int rc;

    *n = 0;
    if (len == 0)
        return 0;
    if (!get_varint(&in.p, in.end, &pairs) || !pairs || pairs > t ||
        pairs / 8 > len || in.p == in.end) /* a pair has at least a bit */
        goto bad;
    bits = *in.p++;
    if (bits < 1 || bits > 32 || !get_varint(&in.p, in.end, &blocks) ||
        blocks > (uint64_t)(in.end - in.p) || blocks > t / BLOCK + 1)
        goto bad;
    room = (size_t)pairs;
    rc = array_grow(entries, cap, room, sizeof **entries, err);
    if (rc == 0)
        rc = array_grow(&scratch->subset, &scratch->cap, room,
                        sizeof(uint32_t), err);
    if (rc < 0)
        return rc;
    e = take_blocks(&in, blocks, *entries, &room);
    if (!e || !take_gaps(&in, blocks * BLOCK, e, room) ||
        !take_planes(&in, *entries, (size_t)pairs, bits, scratch->subset) ||
        in.p != in.end)
        goto bad;
    *n = (size_t)pairs;
    return 0;
bad:
    return err_set(err, COOC_EFORMAT, "the code of row %u is not valid", t);
}
