/* pair_table.c - open addressing, linear probing, at most 3/4 full. */
#include "count/pair_table.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/radix.h"

#define FIRST_SLOTS ((size_t)1 << 16)

static int make_slots(struct pair_table *t, size_t n, struct cooc_err *err)
{
    *t = (struct pair_table){ .keys = mem_zarray(n, sizeof *t->keys),
                              .counts = mem_zarray(n, sizeof *t->counts),
                              .mask = n - 1 };
    if (t->keys && t->counts)
        return 0;
    pair_table_release(t);
    return err_nomem(err);
}

int pair_table_init(struct pair_table *t, struct cooc_err *err)
{
    return make_slots(t, FIRST_SLOTS, err);
}

void pair_table_release(struct pair_table *t)
{
    mem_free(t->keys);
    mem_free(t->counts);
    *t = (struct pair_table){ 0 };
}

int pair_table_reserve(struct pair_table *t, size_t extra,
                       struct cooc_err *err)
{
    struct pair_table bigger;
    size_t slots = t->mask + 1;
    int rc;

    if (t->n + extra <= slots / 4 * 3)
        return 0;
    while (t->n + extra > slots / 4 * 3)
        slots *= 2;
    rc = make_slots(&bigger, slots, err);
    if (rc < 0)
        return rc;
    for (size_t k = 0; k <= t->mask; k++)
        if (t->keys[k]) {
            size_t i = pair_table_slot(&bigger, t->keys[k]);

            bigger.keys[i] = t->keys[k];
            bigger.counts[i] = t->counts[k];
        }
    bigger.n = t->n;
    pair_table_release(t);
    *t = bigger;
    return 0;
}

#define RECORD_KEY(r) ((uint64_t)(r).row << 32 | (r).entry.term)

DEFINE_RADIX_SORT(sort_records, struct pair_record, uint64_t, RECORD_KEY)

int pair_table_take(struct pair_table *t, struct pair_record **out, size_t *n,
                    struct cooc_err *err)
{
    struct pair_record *a = mem_array(t->n, sizeof *a);
    struct pair_record *b = mem_array(t->n, sizeof *b);

    *out = NULL;
    *n = 0;
    if (!a || !b) {
        mem_free(a);
        mem_free(b);
        return err_nomem(err);
    }
    for (size_t i = 0; i <= t->mask; i++)
        if (t->keys[i]) {
            uint64_t key = t->keys[i] - 1;

            a[(*n)++] = (struct pair_record){
                (uint32_t)(key >> 32), { (uint32_t)key, t->counts[i] }
            };
        }
    memset(t->keys, 0, (t->mask + 1) * sizeof *t->keys);
    memset(t->counts, 0, (t->mask + 1) * sizeof *t->counts);
    t->n = 0;
    *out = sort_records(a, b, *n);
    mem_free(*out == a ? b : a);
    return 0;
}
