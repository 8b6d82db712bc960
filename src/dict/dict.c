/* dict.c - a hash table whose slots hold short terms themselves.
 *
 * Reading spends most of its time here, once for every token, and what it
 * costs is cache lines.  A slot is half a line: hash, id, length and the
 * first 22 bytes of the term, which for nearly all words is the whole of it,
 * so that a look-up of a known word touches one line.  Longer terms are
 * compared in the text arena, where all terms stand one after the other.
 *
 * Open addressing, linear probing, at most 5/8 full, doubling.
 */
#include "dict/dict.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <endian.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define INLINE 22
#define FIRST_SLOTS 4096

struct slot {
    uint32_t hash;
    uint32_t id_plus_1; /* 0: empty */
    uint16_t len;       /* terms are at most 65535 bytes */
    char text[INLINE];
};

struct dict {
    struct slot *slots;
    size_t mask; /* slots - 1 */
    struct buf text;
    uint64_t *ends; /* where term id ends in text */
    size_t ends_cap;
    uint32_t n;
};

int dict_new(struct dict **out, struct cooc_err *err)
{
    struct dict *d = mem_zarray(1, sizeof *d);

    *out = NULL;
    if (!d)
        return err_nomem(err);
    d->slots = mem_zarray(FIRST_SLOTS, sizeof *d->slots);
    if (!d->slots) {
        mem_free(d);
        return err_nomem(err);
    }
    d->mask = FIRST_SLOTS - 1;
    *out = d;
    return 0;
}

void dict_free(struct dict *d)
{
    if (!d)
        return;
    mem_free(d->slots);
    mem_free(d->ends);
    buf_release(&d->text);
    mem_free(d);
}

uint32_t dict_size(const struct dict *d)
{
    return d->n;
}

uint64_t dict_memory(const struct dict *d)
{
    return (d->mask + 1) * sizeof *d->slots + d->text.cap +
           d->ends_cap * sizeof *d->ends;
}

void dict_clear(struct dict *d)
{
    memset(d->slots, 0, (d->mask + 1) * sizeof *d->slots);
    d->text.len = 0;
    d->n = 0;
}

const char *dict_term(const struct dict *d, uint32_t id, size_t *len)
{
    uint64_t start = id ? d->ends[id - 1] : 0;

    *len = (size_t)(d->ends[id] - start);
    return d->text.data + start;
}

static int grow(struct dict *d, struct cooc_err *err)
{
    size_t mask = d->mask * 2 + 1;
    struct slot *slots = mem_zarray(mask + 1, sizeof *slots);

    if (!slots)
        return err_nomem(err);
    for (size_t i = 0; i <= d->mask; i++)
        if (d->slots[i].id_plus_1) {
            size_t k = d->slots[i].hash & mask;

            while (slots[k].id_plus_1)
                k = (k + 1) & mask;
            slots[k] = d->slots[i];
        }
    mem_free(d->slots);
    d->slots = slots;
    d->mask = mask;
    return 0;
}

static int add_new(struct dict *d, const char *term, size_t len,
                   uint32_t hash, uint32_t *id, struct cooc_err *err)
{
    int rc;
    size_t k;

    if (d->n >= UINT32_MAX - 1 || len > UINT16_MAX)
        return err_set(err, COOC_ELIMIT, "too many or too long terms");
    if ((uint64_t)d->n * 8 >= (uint64_t)(d->mask + 1) * 5) {
        rc = grow(d, err);
        if (rc < 0)
            return rc;
    }
    rc = array_grow(&d->ends, &d->ends_cap, (size_t)d->n + 1,
                    sizeof *d->ends, err);
    if (rc == 0)
        rc = buf_add(&d->text, term, len, err);
    if (rc < 0)
        return rc;
    for (k = hash & d->mask; d->slots[k].id_plus_1;)
        k = (k + 1) & d->mask;
    d->ends[d->n] = d->text.len;
    *id = d->n++;
    d->slots[k].hash = hash;
    d->slots[k].id_plus_1 = d->n;
    d->slots[k].len = (uint16_t)len;
    memcpy(d->slots[k].text, term, len < INLINE ? len : INLINE);
    return 0;
}

static uint32_t find(const struct dict *d, const char *term, size_t len,
                     uint32_t hash)
{
    for (size_t k = hash & d->mask; d->slots[k].id_plus_1;
         k = (k + 1) & d->mask) {
        const struct slot *s = &d->slots[k];

        if (s->hash != hash || s->len != len)
            continue;
        if (len <= INLINE) {
            if (memcmp(s->text, term, len) != 0)
                continue;
        } else {
            size_t n;
            if (memcmp(dict_term(d, s->id_plus_1 - 1, &n), term, len) != 0)
                continue;
        }
        return s->id_plus_1 - 1;
    }
    return DICT_NONE;
}

uint32_t dict_find(const struct dict *d, const char *term, size_t len)
{
    return find(d, term, len, (uint32_t)XXH3_64bits(term, len));
}

int dict_add(struct dict *d, const char *term, size_t len, uint32_t *id,
             struct cooc_err *err)
{
    uint32_t hash = (uint32_t)XXH3_64bits(term, len);

    *id = find(d, term, len, hash);
    return *id != DICT_NONE ? 0 : add_new(d, term, len, hash, id, err);
}

/* Sorting compares eight bytes at once; only ties look at the text. */
struct sort_key {
    uint64_t prefix; /* first bytes, big-endian, zero-padded */
    uint32_t id;
};

static int compare(const void *x, const void *y, void *dict)
{
    const struct sort_key *a = x, *b = y;
    const char *s, *t;
    size_t n, m;
    int c;

    if (a->prefix != b->prefix)
        return a->prefix < b->prefix ? -1 : 1;
    s = dict_term(dict, a->id, &n);
    t = dict_term(dict, b->id, &m);
    c = memcmp(s, t, n < m ? n : m);
    return c ? c : (n > m) - (n < m);
}

int dict_sorted(const struct dict *d, uint32_t **order, struct cooc_err *err)
{
    struct sort_key *keys = mem_array(d->n, sizeof *keys);
    uint32_t *ids = mem_array(d->n, sizeof *ids);

    *order = NULL;
    if (!keys || !ids) {
        mem_free(keys);
        mem_free(ids);
        return err_nomem(err);
    }
    for (uint32_t i = 0; i < d->n; i++) {
        uint8_t first[8] = { 0 };
        size_t len;
        const char *s = dict_term(d, i, &len);

        memcpy(first, s, len < 8 ? len : 8);
        memcpy(&keys[i].prefix, first, 8);
        keys[i].prefix = be64toh(keys[i].prefix);
        keys[i].id = i;
    }
    qsort_r(keys, d->n, sizeof *keys, compare, (void *)(uintptr_t)d);
    for (uint32_t i = 0; i < d->n; i++)
        ids[i] = keys[i].id;
    mem_free(keys);
    *order = ids;
    return 0;
}
