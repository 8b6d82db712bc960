/* chunk_cache.c - call ICU only once per distinct chunk of text.
 *
 * In French or Russian text, every second or third word has a letter above
 * 0x7f, and ICU takes fifty times as long for it as the fast path takes for an
 * ASCII word.  But words repeat, so their segmentation is cached.
 *
 * The cache is two-way set-associative.  A slot has a fixed size of two cache
 * lines and holds everything: the chunk, its finished words, and its number of
 * invalid bytes.  The hash of a chunk selects a set of two slots, so a lookup
 * touches at most two slots and the cache is never rehashed:
 *
 *     new chunk -> first slot -> second slot -> evicted
 *
 * Cost.  4 MiB of address space per tokeniser; only pages in use take memory.
 */
#include "token/chunk_cache.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/err.h"
#include "base/mem.h"

#define SETS 16384u

struct slot {
    uint8_t len; /* bytes of the chunk */
    uint8_t words_len, invalid;
    uint8_t spare;
    char bytes[CHUNK_ROOM]; /* the chunk, then its packed words */
};

/* A tag is a part of the hash; 0 means that the slot is empty.  Tags are in
 * their own array so that a slot is never read before it is written: a page
 * that is read first costs a second page fault when it is written, which also
 * interrupts the other threads. */
struct chunk_cache {
    uint32_t (*tags)[2];
    struct slot (*sets)[2];
    uint64_t hash; /* hash of the chunk of the last lookup */
};

static uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 32) | 1;
}

int chunk_cache_new(struct chunk_cache **out, struct cooc_err *err)
{
    struct chunk_cache *c = mem_zarray(1, sizeof *c);

    *out = NULL;
    if (!c)
        return err_nomem(err);
    c->tags = mem_array(SETS, sizeof *c->tags);
    c->sets = mem_zarray(SETS + 1, sizeof *c->sets); /* + 1 for WORD_SLACK */
    if (!c->tags || !c->sets) {
        chunk_cache_free(c);
        return err_nomem(err);
    }
    memset(c->tags, 0, SETS * sizeof *c->tags);
    *out = c;
    return 0;
}

void chunk_cache_free(struct chunk_cache *c)
{
    if (!c)
        return;
    mem_free(c->tags);
    mem_free(c->sets);
    mem_free(c);
}

bool chunk_cache_find(struct chunk_cache *c, const char *chunk, size_t len,
                      const uint8_t **words, size_t *words_len,
                      unsigned *invalid)
{
    uint64_t hash = len <= CHUNK_ROOM ? XXH3_64bits(chunk, len) : 0;
    const struct slot *set = c->sets[hash % SETS];

    c->hash = hash;
    for (int i = 0; i < 2; i++) {
        const struct slot *s = &set[i];

        if (c->tags[hash % SETS][i] != tag_of(hash) || s->len != len ||
            memcmp(s->bytes, chunk, len) != 0)
            continue;
        *words = (const uint8_t *)s->bytes + len;
        *words_len = s->words_len;
        *invalid = s->invalid;
        return true;
    }
    return false;
}

void chunk_cache_add(struct chunk_cache *c, const char *chunk, size_t len,
                     const char *words, size_t words_len, uint64_t invalid)
{
    uint64_t hash = c->hash;
    struct slot *set = c->sets[hash % SETS];
    uint32_t *tags = c->tags[hash % SETS];

    if (!len || len > CHUNK_ROOM || words_len > CHUNK_ROOM - len)
        return;
    if (tags[0])
        set[1] = set[0];
    tags[1] = tags[0];
    tags[0] = tag_of(hash);
    set[0] = (struct slot){ .len = (uint8_t)len,
                            .words_len = (uint8_t)words_len,
                            .invalid = (uint8_t)invalid };
    memcpy(set[0].bytes, chunk, len);
    if (words_len)
        memcpy(set[0].bytes + len, words, words_len);
}
