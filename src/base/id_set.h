/* id_set.h - a set of small integers that is emptied in ascending order.
 *
 * One bit per possible id, and a summary with one bit per word of 64 ids, so
 * that empty words are skipped.  Adding the ids of a document and taking them
 * out again sorts them: 4 to 5.5 ns per id, where a radix sort takes 7 to 13.
 *
 * Cost     Two bits are set per id.  Taking reads limit / 4096 words, so it
 *          pays only for sets that are not too small: id_set_pays().
 */
#ifndef COOC_ID_SET_H
#define COOC_ID_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

struct id_set {
    uint64_t *words, *summary;
    size_t n_summary;
};

/* The memory of a set of ids below limit, in bytes. */
static inline uint64_t id_set_memory(uint32_t limit)
{
    return (uint64_t)limit / 8 + limit / 512 + 1024;
}

/* Make an empty set of ids below limit. */
static inline int id_set_init(struct id_set *s, uint32_t limit,
                              struct cooc_err *err)
{
    s->n_summary = (size_t)limit / 4096 + 1;
    s->words = mem_zarray(s->n_summary * 64, sizeof *s->words);
    s->summary = mem_zarray(s->n_summary, sizeof *s->summary);
    return s->words && s->summary ? 0 : err_nomem(err);
}

static inline void id_set_release(struct id_set *s)
{
    mem_free(s->words);
    mem_free(s->summary);
    *s = (struct id_set){ 0 };
}

/* Whether a set is faster than a sort for n ids.  False if s is all zero. */
static inline bool id_set_pays(const struct id_set *s, size_t n)
{
    return s->words && n >= 48 && n >= s->n_summary / 16;
}

static inline void id_set_add(struct id_set *s, uint32_t id)
{
    s->words[id >> 6] |= (uint64_t)1 << (id & 63);
    s->summary[id >> 12] |= (uint64_t)1 << (id >> 6 & 63);
}

/* Remove all ids and write them to out, ascending.  Returns their number. */
static inline size_t id_set_take(struct id_set *s, uint32_t *out)
{
    uint32_t *to = out;

    for (size_t i = 0; i < s->n_summary; i++) {
        uint64_t full = s->summary[i];

        if (!full)
            continue;
        s->summary[i] = 0;
        for (; full; full &= full - 1) {
            size_t at = i * 64 + (size_t)__builtin_ctzll(full);
            uint64_t bits = s->words[at];

            s->words[at] = 0;
            for (; bits; bits &= bits - 1)
                *to++ = (uint32_t)(at * 64 + (size_t)__builtin_ctzll(bits));
        }
    }
    return (size_t)(to - out);
}

#endif
