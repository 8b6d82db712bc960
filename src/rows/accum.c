/* accum.c - counters and how to find them again. */
#include "rows/accum.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

int accum_init(struct accum *a, uint32_t width, struct cooc_err *err)
{
    size_t words = (size_t)width / 64 + 1;

    *a = (struct accum){ 0 };
    a->counts = mem_zarray((size_t)width + 8, sizeof *a->counts);
    a->touched = mem_zarray(words, sizeof *a->touched);
    a->summary = mem_zarray(words / 64 + 1, sizeof *a->summary);
    if (a->counts && a->touched && a->summary)
        return 0;
    accum_release(a);
    return err_nomem(err);
}

void accum_release(struct accum *a)
{
    mem_free(a->counts);
    mem_free(a->touched);
    mem_free(a->summary);
    mem_free(a->entries);
    *a = (struct accum){ 0 };
}

static size_t take_all(struct accum *a, uint32_t row)
{
    struct cooc_entry *e = a->entries;

    for (uint32_t s = 0; s < row; s += 4) {
        uint64_t low, high;

        memcpy(&low, a->counts + s, 8); /* counts has room behind its end */
        memcpy(&high, a->counts + s + 2, 8);
        if (!(low | high))
            continue;
        for (uint32_t k = s; k < s + 4 && k < row; k++) {
            *e = (struct cooc_entry){ .term = k, .count = a->counts[k] };
            e += a->counts[k] != 0;
        }
        memset(a->counts + s, 0, 16);
    }
    return (size_t)(e - a->entries);
}

static size_t take_touched(struct accum *a, uint32_t row)
{
    struct cooc_entry *e = a->entries;
    uint32_t last = row >> 12;

    for (uint32_t i = 0; i <= last; i++) {
        for (uint64_t up = a->summary[i]; up; up &= up - 1) {
            uint32_t w = i * 64 + (uint32_t)__builtin_ctzll(up);

            for (uint64_t bits = a->touched[w]; bits; bits &= bits - 1) {
                uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(bits);

                *e++ = (struct cooc_entry){ .term = s,
                                            .count = a->counts[s] };
                a->counts[s] = 0;
            }
            a->touched[w] = 0;
        }
        a->summary[i] = 0;
    }
    return (size_t)(e - a->entries);
}

static size_t touched_total(const struct accum *a, uint32_t row)
{
    size_t n = 0;

    for (uint32_t i = 0; i <= row >> 12; i++)
        for (uint64_t up = a->summary[i]; up; up &= up - 1)
            n += (size_t)__builtin_popcountll(
                a->touched[i * 64 + (uint32_t)__builtin_ctzll(up)]);
    return n;
}

int accum_take(struct accum *a, uint32_t row, size_t *n,
               struct cooc_err *err)
{
    /* One entry more than needed: take_all() writes before it looks. */
    size_t need = (a->sweep ? row : touched_total(a, row)) + (size_t)1;
    int rc = array_grow(&a->entries, &a->entries_cap, need,
                        sizeof *a->entries, err);

    if (rc == 0)
        *n = a->sweep ? take_all(a, row) : take_touched(a, row);
    return rc;
}
