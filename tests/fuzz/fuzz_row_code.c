/* fuzz_row_code.c - the code of a row.
 *
 *     u32 term; the code
 *
 * A row that can be decoded encodes to the same bytes, both kernels agree, and
 * a single lookup gives the count of the decoded row.
 */
#include "fuzz.h"

#include "base/mem.h"
#include "kernel/kernel.h"
#include "rows/row_code.h"

struct decoded {
    struct entry *entries;
    size_t cap, n;
    struct row_scratch scratch;
    int rc;
};

static void decode(struct decoded *d, const struct kernels *k,
                   const struct bytes *code, uint32_t t)
{
    struct cooc_err err = { 0 };

    *d = (struct decoded){ .scratch.k = k };
    d->rc = row_decode(code->p, code->n, t, &d->entries, &d->cap, &d->n,
                       &d->scratch, &err);
    MUST(d->rc == 0 || d->rc == COOC_EFORMAT);
}

static void release(struct decoded *d)
{
    mem_free(d->entries);
    row_scratch_release(&d->scratch);
}

static void check_row(struct decoded *d, const struct bytes *code, uint32_t t)
{
    struct buf again = { 0 };
    struct cooc_err err;

    for (size_t i = 0; i < d->n; i++) {
        MUST(d->entries[i].term < t && d->entries[i].count > 0);
        MUST(!i || d->entries[i].term > d->entries[i - 1].term);
    }
    MUST(row_encode(&again, d->entries, d->n, &d->scratch, &err) == 0);
    MUST(again.len == code->n);
    MUST(!code->n || !memcmp(again.data, code->p, code->n));
    buf_release(&again);
}

/* Look up the columns of the row and their neighbours. */
static void check_find(const struct decoded *d, const struct bytes *code,
                       uint32_t t, const struct kernels *k)
{
    struct cooc_err err;
    uint32_t count;

    for (size_t i = 0; i < d->n; i++) {
        uint32_t column = d->entries[i].term;

        MUST(row_find(code->p, code->n, t, column, k, &count, &err) == 0);
        MUST(count == d->entries[i].count);
        if (i && d->entries[i - 1].term + 1 < column) {
            MUST(row_find(code->p, code->n, t, column - 1, k, &count,
                          &err) == 0);
            MUST(count == 0);
        }
    }
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct bytes code = { data, size };
    uint32_t t = (uint32_t)take_u64(&code, 4);
    const struct kernels *best = kernel_find(NULL, NULL);
    struct decoded a, b;
    uint32_t count;

    decode(&a, &kernel_scalar, &code, t);
    decode(&b, best, &code, t);
    MUST(a.rc == b.rc && a.n == b.n);
    MUST(!a.n || !memcmp(a.entries, b.entries, a.n * sizeof *a.entries));
    if (a.rc == 0) {
        check_row(&a, &code, t);
        check_row(&b, &code, t);
        check_find(&a, &code, t, &kernel_scalar);
        check_find(&a, &code, t, best);
    } else { /* any result, but no harm */
        for (uint32_t c = 0; c < t && c < 600; c += 1 + c / 7) {
            row_find(code.p, code.n, t, c, &kernel_scalar, &count, NULL);
            row_find(code.p, code.n, t, t - 1 - c, best, &count, NULL);
        }
    }
    release(&a);
    release(&b);
}
