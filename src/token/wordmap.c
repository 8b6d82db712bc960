/* wordmap.c - an open-addressing hash table of words.
 *
 * The words lie one behind the other in a single buffer; a slot knows where
 * its word is.  At most half of the slots are taken, so a search that fails
 * looks at two of them on average.
 */
#include "token/wordmap.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/err.h"
#include "base/mem.h"

struct wordmap_slot {
    uint64_t hash;
    size_t at, len; /* in words */
    uint32_t value;
    uint32_t taken;
};

void wordmap_release(struct wordmap *m)
{
    if (!m)
        return;
    mem_free(m->slots);
    buf_release(&m->words);
    *m = (struct wordmap){ 0 };
}

/* The slot of the word, or the free one where it belongs; n_slots > n. */
static struct wordmap_slot *locate(const struct wordmap *m, uint64_t hash,
                                   const char *word, size_t len)
{
    for (size_t i = (size_t)hash;; i++) {
        struct wordmap_slot *s = &m->slots[i & (m->n_slots - 1)];

        if (!s->taken)
            return s;
        if (s->hash == hash && s->len == len &&
            (!len || memcmp(m->words.data + s->at, word, len) == 0))
            return s;
    }
}

static int grow(struct wordmap *m, struct cooc_err *err)
{
    struct wordmap bigger = *m;

    bigger.n_slots = m->n_slots ? m->n_slots * 2 : 64;
    bigger.slots = mem_zarray(bigger.n_slots, sizeof *bigger.slots);
    if (!bigger.slots)
        return err_nomem(err);
    for (size_t i = 0; i < m->n_slots; i++) {
        const struct wordmap_slot *s = &m->slots[i];

        if (s->taken)
            *locate(&bigger, s->hash, m->words.data + s->at, s->len) = *s;
    }
    mem_free(m->slots);
    *m = bigger;
    return 0;
}

int wordmap_add(struct wordmap *m, const char *word, size_t len, uint32_t value,
                uint32_t *found, struct cooc_err *err)
{
    uint64_t hash = XXH3_64bits(word, len);
    struct wordmap_slot *s;
    int rc;

    if (m->n >= m->n_slots / 2) {
        rc = grow(m, err);
        if (rc < 0)
            return rc;
    }
    s = locate(m, hash, word, len);
    if (!s->taken) {
        size_t at = m->words.len;

        rc = buf_add(&m->words, word, len, err);
        if (rc < 0)
            return rc;
        *s = (struct wordmap_slot){
            .hash = hash, .at = at, .len = len, .value = value, .taken = 1
        };
        m->n++;
    }
    *found = s->value;
    return 0;
}

uint32_t wordmap_find(const struct wordmap *m, const char *word, size_t len)
{
    const struct wordmap_slot *s;

    if (!m->n)
        return WORDMAP_NONE;
    s = locate(m, XXH3_64bits(word, len), word, len);
    return s->taken ? s->value : WORDMAP_NONE;
}
