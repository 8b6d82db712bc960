/* accum.c - counters, and how to find the non-zero ones. */
#include "rows/accum.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/sort.h"

int accum_init(struct accum *a, uint32_t dense, struct cooc_err *err)
{
    size_t words = (size_t)dense / 64 + 1;

    *a = (struct accum){ .dense = dense };
    a->counts = mem_zarray((size_t)dense + 8, sizeof *a->counts);
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
    mem_free(a->rest);
    mem_free(a->rest_tmp);
    mem_free(a->entries);
    *a = (struct accum){ 0 };
}

/* ---- columns without counters ------------------------------------------- */

/* Sort the list and add up equal columns. */
static int join_rest(struct accum *a, struct cooc_err *err)
{
    size_t n = 0;
    int rc = array_grow(&a->rest_tmp, &a->tmp_cap, a->n_rest,
                        sizeof *a->rest_tmp, err);

    if (rc < 0 || !a->n_rest)
        return rc;
    sort_u64(a->rest, a->rest_tmp, a->n_rest);
    for (size_t i = 1; i < a->n_rest; i++)
        if (a->rest[i] >> 32 == a->rest[n] >> 32)
            a->rest[n] += (uint32_t)a->rest[i];
        else
            a->rest[++n] = a->rest[i];
    a->n_rest = n + 1;
    return 0;
}

int accum_add_entries(struct accum *a, const struct entry *e, size_t n,
                      struct cooc_err *err)
{
    int rc = 0;

    a->added += n;
    for (size_t i = 0; i < n && rc == 0; i++) {
        if (e[i].term < a->dense) {
            a->counts[e[i].term] += e[i].count;
            accum_mark(a, e[i].term);
            continue;
        }
        if (a->n_rest == a->rest_cap) {
            rc = join_rest(a, err); /* may free some space */
            if (rc == 0)
                rc = array_grow(&a->rest, &a->rest_cap, a->n_rest + n - i,
                                sizeof *a->rest, err);
        }
        if (rc == 0)
            a->rest[a->n_rest++] = (uint64_t)e[i].term << 32 | e[i].count;
    }
    return rc;
}

/* ---- taking the row ----------------------------------------------------- */

static struct entry *take_all(struct accum *a, uint32_t end)
{
    struct entry *e = a->entries;

    for (uint32_t s = 0; s < end; s += 4) {
        uint64_t low, high;

        memcpy(&low, a->counts + s, 8); /* counts has 8 extra items */
        memcpy(&high, a->counts + s + 2, 8);
        if (!(low | high))
            continue;
        for (uint32_t k = s; k < s + 4 && k < end; k++) {
            *e = (struct entry){ .term = k, .count = a->counts[k] };
            e += a->counts[k] != 0;
        }
        memset(a->counts + s, 0, 16);
    }
    return e;
}

static struct entry *take_touched(struct accum *a, uint32_t end)
{
    struct entry *e = a->entries;

    for (uint32_t i = 0; i <= end >> 12; i++) {
        for (uint64_t up = a->summary[i]; up; up &= up - 1) {
            uint32_t w = i * 64 + (uint32_t)__builtin_ctzll(up);

            for (uint64_t bits = a->touched[w]; bits; bits &= bits - 1) {
                uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(bits);

                *e++ = (struct entry){ .term = s,
                                            .count = a->counts[s] };
                a->counts[s] = 0;
            }
            a->touched[w] = 0;
        }
        a->summary[i] = 0;
    }
    return e;
}

int accum_take(struct accum *a, uint32_t row, size_t *n,
               struct cooc_err *err)
{
    uint32_t end = row < a->dense ? row : a->dense;
    size_t most = a->added < end ? (size_t)a->added : end;
    struct entry *e;
    int rc = a->n_rest ? join_rest(a, err) : 0;

    if (rc == 0) /* one more: take_all() writes, then tests */
        rc = array_grow(&a->entries, &a->entries_cap, most + a->n_rest + 1,
                        sizeof *a->entries, err);
    if (rc < 0)
        return rc;
    e = a->sweep ? take_all(a, end) : take_touched(a, end);
    for (size_t i = 0; i < a->n_rest; i++)
        *e++ = (struct entry){ .term = (uint32_t)(a->rest[i] >> 32),
                                    .count = (uint32_t)a->rest[i] };
    *n = (size_t)(e - a->entries);
    a->added = a->n_rest = 0;
    a->sweep = false;
    return 0;
}
