/* chunk_cache.h - a cache of the words of chunks of text.
 *
 * A chunk is a run of text without ASCII white space (tokeniser.c).  The size
 * of the cache is fixed; its memory pages stay untouched until they are needed.
 */
#ifndef COOC_CHUNK_CACHE_H
#define COOC_CHUNK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct chunk_cache;

#define CHUNK_ROOM 120 /* bytes of a chunk and its packed words together */

int chunk_cache_new(struct chunk_cache **out, struct cooc_err *err);
void chunk_cache_free(struct chunk_cache *c);

/* If the chunk is cached, return true and set its packed words and its number
 * of invalid bytes.  The words live until the next chunk_cache_add();
 * WORD_SLACK bytes are readable at each. */
bool chunk_cache_find(struct chunk_cache *c, const char *chunk, size_t len,
                      const uint8_t **words, size_t *words_len,
                      unsigned *invalid);

/* Cache the chunk that the last chunk_cache_find() did not find, unless it is
 * too long.  May evict an older chunk. */
void chunk_cache_add(struct chunk_cache *c, const char *chunk, size_t len,
                     const char *words, size_t words_len, uint64_t invalid);

#endif
