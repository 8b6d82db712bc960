/* dict.h - the terms seen while reading: bytes -> dense id, in memory.
 *
 * The first term added gets id 0, the next new one 1, and so on, so that
 * callers keep what they know of a term in plain arrays.  These ids are
 * provisional: index/ renumbers by frequency when everything is read.
 *
 * Ownership  The dict copies what it is given; names live until the next
 *            dict_add(), dict_clear() or dict_free().
 * Threads    One; each worker has a dict of its own.
 */
#ifndef COOC_DICT_H
#define COOC_DICT_H

#include <stddef.h>
#include <stdint.h>

struct dict;
struct cooc_err;

#define DICT_NONE UINT32_MAX
#define DICT_TERM_MAX 65535u /* bytes */

int dict_new(struct dict **out, struct cooc_err *err);
void dict_free(struct dict *d);

/* Find the id of term[0..len), adding the term if it is new. */
int dict_add(struct dict *d, const char *term, size_t len, uint32_t *id,
             struct cooc_err *err);

/* A word as the dict holds it: half a cache line.  Words are added in two
 * steps: prepare several, then add them, and the memory that the first needs
 * has come when its turn is.  A prepared word is independent of its text. */
struct dict_word {
    uint64_t first, last; /* its bytes, padded with zeros; of a word longer
                           * than DICT_WORD_MAX its hash, and 0 */
    uint64_t hash;
    uint32_t len;
    uint32_t id_plus_1; /* 0: not in the dict */
};

#define DICT_WORD_MAX 16u

/* At least DICT_WORD_MAX bytes must be readable at word. */
void dict_prepare(const struct dict *d, const char *word, size_t len,
                  struct dict_word *out);
int dict_add_prepared(struct dict *d, const struct dict_word *w, uint32_t *id,
                      struct cooc_err *err);

/* The id of term[0..len), or DICT_NONE. */
uint32_t dict_find(const struct dict *d, const char *term, size_t len);

const char *dict_term(const struct dict *d, uint32_t id, size_t *len);
uint32_t dict_size(const struct dict *d);
uint64_t dict_memory(const struct dict *d); /* bytes in use */

/* Forget every term and give back the memory: dict_memory() is small again,
 * or a worker's dictionary that was full once would be full for ever. */
void dict_clear(struct dict *d);

/* All ids in byte order of their terms, in a new array for mem_free(). */
int dict_sorted(const struct dict *d, uint32_t **order,
                struct cooc_err *err);

#endif
