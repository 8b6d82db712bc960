/* row_parts.c - rows in parts: their sum, their limits, their entries. */
#include "count/row_parts.h"

#include "base/buf.h"
#include "kernel/kernel.h"

uint64_t row_parts_sum(const struct row_parts *r)
{
    uint64_t sum = r->n_once;

    for (unsigned j = 0; r->words && j < r->bits; j++)
        sum += (uint64_t)r->k->ones(r->planes + j * r->words, r->words) << j;
    for (size_t i = 0; i < r->n_tail; i++)
        sum += r->tail[i].count;
    return sum;
}

bool row_parts_fit(const struct row_parts *r, uint32_t t)
{
    uint64_t beyond = 0, from = (uint64_t)r->words * 64;
    bool good = !r->n_once || r->once[r->n_once - 1] < t;

    for (unsigned j = 0; j < r->bits; j++)
        for (size_t w = t / 64; w < r->words; w++)
            beyond |= r->planes[j * r->words + w] >>
                      (w == t / 64 ? t % 64 : 0);
    for (size_t i = 0; i < r->n_tail; i++) {
        good &= r->tail[i].term >= from && r->tail[i].count > 0;
        from = (uint64_t)r->tail[i].term + 1;
    }
    return good && !beyond && (!r->n_tail || from <= t);
}

static uint32_t count_at(const struct row_parts *r, size_t w, unsigned bit)
{
    uint32_t count = 0;

    for (unsigned j = 0; j < r->bits; j++)
        count |= (uint32_t)(r->planes[j * r->words + w] >> bit & 1) << j;
    return count;
}

int row_parts_expand(const struct row_parts *r, struct cooc_entry **entries,
                     size_t *cap, size_t *n, struct cooc_err *err)
{
    struct cooc_entry *e;
    int rc;

    *n = r->pairs;
    rc = array_grow(entries, cap, *n, sizeof **entries, err);
    if (rc < 0)
        return rc;
    e = *entries;
    for (size_t w = 0; w < r->words; w++)
        for (uint64_t left = r->at_least[w]; left; left &= left - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(left);

            *e++ = (struct cooc_entry){ .term = (uint32_t)w * 64 + bit,
                                        .count = count_at(r, w, bit) };
        }
    for (size_t i = 0; i < r->n_tail; i++)
        *e++ = r->tail[i];
    for (size_t i = 0; i < r->n_once; i++)
        *e++ = (struct cooc_entry){ .term = r->once[i], .count = 1 };
    return 0;
}
