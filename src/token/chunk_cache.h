/* chunk_cache.h - remember the words of pieces of text seen before.
 *
 * A fixed amount of memory, most of it untouched until it is needed.
 */
#ifndef COOC_CHUNK_CACHE_H
#define COOC_CHUNK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct chunk_cache;

#define CHUNK_ROOM 120 /* bytes of a piece and its packed words together */

int chunk_cache_new(struct chunk_cache **out, struct cooc_err *err);
void chunk_cache_free(struct chunk_cache *c);

/* True if chunk is remembered: its packed words (which live until the next
 * chunk_cache_add; WORD_SLACK bytes are readable at each) and the number of its
 * invalid bytes. */
bool chunk_cache_find(struct chunk_cache *c, const char *chunk, size_t len,
                      const uint8_t **words, size_t *words_len,
                      unsigned *invalid);

/* Remember the chunk that was not found last, if it is not too long; something
 * older may be forgotten. */
void chunk_cache_add(struct chunk_cache *c, const char *chunk, size_t len,
                     const char *words, size_t words_len, uint64_t invalid);

#endif
