/* tail.c - counters for the rare columns of a row. */
#include "rows/tail.h"

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "kernel/kernel.h"
#include "rows/row_parts.h"

int tail_init(struct tail *t, uint32_t last, struct cooc_err *err)
{
    size_t groups = last / 4096 + 1;

    *t = (struct tail){ .bytes = mem_zarray(groups, 4096 + 64 + 1) };
    if (!t->bytes)
        return err_nomem(err);
    t->flags = t->bytes + groups * 4096;
    t->summary = t->flags + groups * 64;
    return 0;
}

void tail_release(struct tail *t)
{
    mem_free(t->bytes);
    mem_free(t->counts);
    *t = (struct tail){ 0 };
}

int tail_begin(struct tail *t, uint64_t documents, uint32_t row,
               struct cooc_err *err)
{
    size_t need = (size_t)row + 64;

    t->small = documents < 256;
    if (t->small || need <= t->counts_cap)
        return 0;
    mem_free(t->counts); /* all counters are 0 */
    t->counts_cap = 0;
    need += need / 2;
    t->counts = mem_zarray(need, sizeof *t->counts);
    if (!t->counts)
        return err_nomem(err);
    t->counts_cap = need;
    return 0;
}

/* Pack eight flags, each 0 or 1, into eight bits. */
static uint64_t flag_bits(const uint8_t *flags)
{
    return get_le64(flags) * 0x0102040810204080 >> 56;
}

int tail_list(struct tail *t, const struct kernels *k, uint32_t row,
              struct row_room *room, size_t *n, struct cooc_err *err)
{
    size_t groups = (row >> 12) + 1;
    int rc = 0;

    *n = 0;
    for (size_t g = 0; g < groups && rc == 0; g++) {
        uint8_t *flags = t->flags + g * 64;
        uint32_t number = (uint32_t)g;
        uint64_t bits = 0;

        if (!t->summary[g])
            continue;
        for (unsigned i = 0; i < 8; i++)
            bits |= flag_bits(flags + i * 8) << i * 8;
        rc = array_grow(&room->tail, &room->tail_cap,
                        *n + 64 + KERNEL_SLACK, sizeof *room->tail, err);
        if (rc == 0)
            *n += k->columns(room->tail + *n, &bits, NULL, &number, 1);
        memset(flags, 0, 64);
        t->summary[g] = 0;
    }
    return rc;
}

/* The same as take_bytes() in kernel.h, for counters of 32 bits. */
static void take_counts(struct tail *t, uint64_t *planes,
                        const struct row_parts *r)
{
    for (size_t i = 0; i < r->n_tail; i++) {
        uint32_t *count = t->counts + (size_t)r->tail[i] * 64;

        for (unsigned j = 0; j < r->bits; j++) {
            uint64_t plane = 0;

            for (unsigned c = 0; c < 64; c++)
                plane |= (uint64_t)(count[c] >> j & 1) << c;
            planes[j * r->words + i] = plane;
        }
        memset(count, 0, 64 * sizeof *count);
    }
}

void tail_take(struct tail *t, struct row_room *room,
               const struct row_parts *r)
{
    uint64_t *planes = room->planes + r->head;

    if (t->small)
        r->k->take_bytes(planes, r->words, r->bits, t->bytes, r->tail,
                         r->n_tail);
    else
        take_counts(t, planes, r);
}
