/* name_sort.c - sort terms eight bytes at a time.
 *
 * Terms are radix-sorted by their first eight bytes as one integer.  Those that
 * agree are sorted by the next eight, and so on, so most terms are never
 * compared as strings.
 */
#include "dict/name_sort.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/radix.h"

#define SMALL 16       /* below this number, insertion sort is faster */
#define DEPTH_MAX 256u /* terms that agree in more bytes are compared whole */

struct key {
    uint64_t bytes; /* the next 8 bytes, big-endian, padded with zeros */
    uint32_t id, len;
};

#define KEY_BYTES(k) ((k).bytes)
DEFINE_RADIX_SORT(radix_keys, struct key, uint64_t, KEY_BYTES)

static void load(const struct dict *d, struct key *k, size_t depth)
{
    uint64_t v = 0;
    size_t len, n;
    const char *s = dict_term(d, k->id, &len);

    k->len = (uint32_t)len;
    n = len > depth ? len - depth : 0;
    memcpy(&v, s + (n ? depth : 0), n < 8 ? n : 8);
    k->bytes = be64toh(v);
}

/* Compare all of two terms. */
static int compare(const void *x, const void *y, void *dict)
{
    const struct key *a = x, *b = y;
    size_t n, m;
    const char *s = dict_term(dict, a->id, &n), *t = dict_term(dict, b->id, &m);

    return bytes_compare(s, n, t, m);
}

/* Sort few terms that agree before depth; key->bytes are those at depth. */
static void sort_few(const struct dict *d, struct key *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct key k = keys[i];
        size_t j = i;

        for (; j > 0 && (keys[j - 1].bytes > k.bytes ||
                         (keys[j - 1].bytes == k.bytes &&
                          compare(&keys[j - 1], &k,
                                  (void *)(uintptr_t)d) > 0)); j--)
            keys[j] = keys[j - 1];
        keys[j] = k;
    }
}

/* Move the terms that end within the eight bytes at depth to the front: they
 * are prefixes of the others.  Returns their number. */
static size_t move_ended(struct key *keys, size_t n, size_t depth)
{
    size_t ended = 0;

    for (size_t i = 0; i < n; i++)
        if (keys[i].len <= depth + 8) {
            struct key k = keys[i];
            size_t j = ended++;

            keys[i] = keys[j];
            for (; j > 0 && keys[j - 1].len > k.len; j--)
                keys[j] = keys[j - 1];
            keys[j] = k;
        }
    return ended;
}

/* Sort terms that agree before depth. */
static void sort_keys(const struct dict *d, struct key *keys, struct key *tmp,
                      size_t n, size_t depth)
{
    size_t end;

    if (n < SMALL) {
        sort_few(d, keys, n);
        return;
    }
    if (depth > DEPTH_MAX) {
        qsort_r(keys, n, sizeof *keys, compare, (void *)(uintptr_t)d);
        return;
    }
    if (radix_keys(keys, tmp, n) != keys)
        memcpy(keys, tmp, n * sizeof *keys);
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && keys[end].bytes == keys[i].bytes;)
            end++;
        if (end - i == 1)
            continue;
        i += move_ended(keys + i, end - i, depth);
        for (size_t k = i; k < end; k++)
            load(d, &keys[k], depth + 8);
        sort_keys(d, keys + i, tmp, end - i, depth + 8);
    }
}

int name_sort(const struct dict *d, uint32_t **order, struct cooc_err *err)
{
    uint32_t n = dict_size(d);
    struct key *keys = mem_array(n, sizeof *keys);
    struct key *tmp = mem_array(n, sizeof *tmp);
    uint32_t *ids = mem_array(n, sizeof *ids);

    *order = NULL;
    if (!keys || !tmp || !ids) {
        mem_free(keys);
        mem_free(tmp);
        mem_free(ids);
        return err_nomem(err);
    }
    for (uint32_t i = 0; i < n; i++) {
        keys[i].id = i;
        load(d, &keys[i], 0);
    }
    sort_keys(d, keys, tmp, n, 0);
    for (uint32_t i = 0; i < n; i++)
        ids[i] = keys[i].id;
    mem_free(keys);
    mem_free(tmp);
    *order = ids;
    return 0;
}
