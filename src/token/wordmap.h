/* wordmap.h - from a word to a number; made once, then only read.
 *
 * An all-zero struct wordmap is empty and valid.
 *
 * Ownership  The map copies its words.
 * Threads    Many readers, or one writer.
 */
#ifndef COOC_WORDMAP_H
#define COOC_WORDMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct wordmap_slot;

struct wordmap {
    struct wordmap_slot *slots;
    size_t n_slots; /* 0 or a power of two */
    size_t n;
    struct buf words;
};

#define WORDMAP_NONE UINT32_MAX

void wordmap_release(struct wordmap *m);

/* Give word the number value, unless it has one already; *found is the
 * number it has afterwards.  value is not WORDMAP_NONE. */
int wordmap_add(struct wordmap *m, const char *word, size_t len, uint32_t value,
                uint32_t *found, struct cooc_err *err);

/* Its number, or WORDMAP_NONE. */
uint32_t wordmap_find(const struct wordmap *m, const char *word, size_t len);

#endif
