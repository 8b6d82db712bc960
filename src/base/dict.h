/* dict.h - a hash table in memory that maps terms to dense ids.
 *
 * The first term added gets id 0, the next new one 1, and so on, so callers can
 * keep data about terms in plain arrays.  These ids are provisional: index/
 * renumbers the terms by frequency when all documents are read.
 *
 * Ownership  The dict copies each term.  Returned names are valid until the
 *            next dict_add(), dict_clear() or dict_free().
 * Threads    One thread at a time; each worker has its own dict.
 * Errors     COOC_ENOMEM or COOC_ELIMIT; the dict stays unchanged.
 */
#ifndef COOC_DICT_H
#define COOC_DICT_H

#include <stddef.h>
#include <stdint.h>

struct dict;
struct cooc_err;

#define DICT_NONE UINT32_MAX /* the term is not in the dict */
#define DICT_TERM_MAX 65535u /* maximum length of a term in bytes */

int dict_new(struct dict **out, struct cooc_err *err);
void dict_free(struct dict *d);

/* Set *id to the id of term[0..len); add the term if it is new. */
int dict_add(struct dict *d, const char *term, size_t len, uint32_t *id,
             struct cooc_err *err);

/* A term as it is stored in a slot of the table: half a cache line.
 *
 * To hide cache misses, words are added in two steps: dict_prepare() computes
 * the hash and prefetches the slot, dict_add_prepared() looks the word up.  A
 * caller that prepares several words before adding the first one does not wait
 * for memory.  A prepared word does not refer to the original text. */
struct dict_word {
    uint64_t first, last; /* the bytes of the word, padded with zeros; for a
                           * word longer than DICT_WORD_MAX, its hash and 0 */
    uint64_t hash;
    uint32_t len;
    uint32_t id_plus_1; /* 0 if the slot is empty */
};

#define DICT_WORD_MAX 16u

/* At least DICT_WORD_MAX bytes must be readable at word, even if len is
 * smaller.  Only words of at most DICT_WORD_MAX bytes may be added this way. */
void dict_prepare(const struct dict *d, const char *word, size_t len,
                  struct dict_word *out);
int dict_add_prepared(struct dict *d, const struct dict_word *w, uint32_t *id,
                      struct cooc_err *err);

/* Return the id of term[0..len), or DICT_NONE. */
uint32_t dict_find(const struct dict *d, const char *term, size_t len);

const char *dict_term(const struct dict *d, uint32_t id, size_t *len);
uint32_t dict_size(const struct dict *d);
uint64_t dict_memory(const struct dict *d); /* allocated bytes */

/* Remove all terms and free their memory.  A worker clears its dict when it
 * exceeds its share of memory, so dict_memory() must be small afterwards. */
void dict_clear(struct dict *d);

/* Set *order to a new array with all ids in byte order of their terms.  The
 * caller frees it with mem_free(). */
int dict_sorted(const struct dict *d, uint32_t **order,
                struct cooc_err *err);

#endif
