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

/* ---- many words at once ---- */

/* Word i is text[at[2 * i]..at[2 * i + 1]), at most DICT_TERM_MAX bytes long;
 * DICT_SLACK bytes must be readable at each word, however short. */
#define DICT_SLACK 16

/* Set ids[0..n) to the ids of n words; add those that are new. */
int dict_add_words(struct dict *d, const char *text, const uint32_t *at,
                   size_t n, uint32_t *ids, struct cooc_err *err);

/* The same for the words of a document, without repetitions: each term has a
 * mark and a number, at first 0.  If the mark of a word is not equal to mark,
 * set it, add 1 to the number, and append the id to ids, which has room for n.
 * Set *n_ids to the number of ids appended. */
int dict_mark_words(struct dict *d, const char *text, const uint32_t *at,
                    size_t n, uint32_t mark, uint32_t *ids, size_t *n_ids,
                    struct cooc_err *err);

/* Set numbers[id] to the number of each term. */
void dict_numbers(const struct dict *d, uint32_t *numbers);

/* Return the id of term[0..len), or DICT_NONE. */
uint32_t dict_find(const struct dict *d, const char *term, size_t len);

const char *dict_term(const struct dict *d, uint32_t id, size_t *len);
/* For loops over terms in another order than that of their ids: prefetch the
 * position of the text of term `later`, and the text of term `soon`, of which
 * the position was prefetched by an earlier call. */
void dict_prefetch(const struct dict *d, uint32_t later, uint32_t soon);
uint32_t dict_size(const struct dict *d);
uint64_t dict_memory(const struct dict *d); /* allocated bytes */

/* Remove all terms and free their memory.  A worker clears its dict when it
 * exceeds its share of memory, so dict_memory() must be small afterwards. */
void dict_clear(struct dict *d);

#endif
