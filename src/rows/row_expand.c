/* row_expand.c - convert a row in parts to entries, many columns at a time. */
#include "rows/row_expand.h"

#include "base/buf.h"
#include "base/bytes.h"
#include "base/mem.h"
#include "kernel/kernel.h"

void row_expand_release(struct row_expand *x)
{
    mem_free(x->index);
    mem_free(x->columns);
    mem_free(x->packed);
    *x = (struct row_expand){ 0 };
}

/* List the words that are not empty in x->index, followed by their numbers, and
 * return how many there are. */
static size_t list_words(struct row_expand *x, const struct row_parts *r)
{
    size_t n = r->k->nonzero(x->index, r->at_least, NULL, r->words);
    uint32_t *number = x->index + n;

    for (size_t i = 0; i < n; i++)
        number[i] = x->index[i] < r->head ? x->index[i]
                                          : r->tail[x->index[i] - r->head];
    return n;
}

/* The number of planes that are not empty; at least 1. */
static unsigned planes_used(const struct row_parts *r)
{
    unsigned bits = r->bits;

    for (; bits > 1; bits--) {
        const uint64_t *map = r->at_least + (bits - 1) * r->words;
        uint64_t any = 0;

        for (size_t w = 0; w < r->words; w++)
            any |= map[w];
        if (any)
            break;
    }
    return bits;
}

/* Collect the columns and counts of the words, then put them together. */
static int expand_in_steps(struct row_expand *x, const struct row_parts *r,
                           unsigned bits, size_t words, struct entry *entries,
                           struct cooc_err *err)
{
    size_t stride = r->pairs / 64 + 1 + KERNEL_SLACK / 8;
    int rc = array_grow(&x->columns, &x->columns_cap, r->pairs + KERNEL_SLACK,
                        sizeof *x->columns, err);

    if (rc == 0)
        rc = array_grow(&x->packed, &x->packed_cap, bits * stride + 1,
                        sizeof *x->packed, err);
    if (rc < 0)
        return rc;
    r->k->columns(x->columns, r->at_least, x->index, x->index + words, words);
    for (unsigned j = 0; j < bits; j++) {
        uint64_t *packed = x->packed + j * stride;

        r->k->select((uint8_t *)packed, r->planes + j * r->words, r->at_least,
                     x->index, words);
        for (size_t i = 0; i < stride; i++)
            packed[i] = le64toh(packed[i]);
    }
    r->k->entries(entries, x->columns, x->packed, stride, bits, r->pairs);
    return 0;
}

int row_expand(struct row_expand *x, const struct row_parts *r,
               struct entry **entries, size_t *cap, size_t *n,
               struct cooc_err *err)
{
    unsigned bits = planes_used(r);
    size_t words;
    int rc = array_grow(&x->index, &x->index_cap,
                        2 * r->words + KERNEL_SLACK, sizeof *x->index, err);

    if (rc == 0)
        rc = array_grow(entries, cap, r->pairs + KERNEL_SLACK,
                        sizeof **entries, err);
    if (rc < 0)
        return rc;
    *n = r->pairs;
    words = list_words(x, r);
    if (!r->k->expand || bits > 8)
        return expand_in_steps(x, r, bits, words, *entries, err);
    r->k->expand(*entries, r->at_least, r->planes, r->words, bits, x->index,
                 x->index + words, words);
    return 0;
}
