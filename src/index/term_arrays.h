/* term_arrays.h - the terms of a collection as plain arrays, to read all of
 * them in byte order. */
#ifndef COOC_TERM_ARRAYS_H
#define COOC_TERM_ARRAYS_H

#include "dict/sorted_names.h"
#include "index/collection.h"

#define TERMS_AHEAD 16u /* terms to prefetch */

/* The terms of a collection as plain arrays; sort is NULL if one of the files
 * is damaged. */
struct term_arrays {
    const uint32_t *sort;
    const uint64_t *off, *inverted_off;
    const char *text;
    uint64_t text_bytes;
};

static inline void term_arrays_get(const struct collection *c,
                                   struct term_arrays *a)
{
    uint64_t ends = ((uint64_t)c->n_terms + 1) * 8;
    const void *sort, *off, *inverted, *text;

    *a = (struct term_arrays){
        .text_bytes = checked_file_size(c->files[FILE_TERMS])
    };
    if (checked_file_get(c->files[FILE_TERMS_OFF], 0, ends, &off, NULL) < 0 ||
        checked_file_get(c->files[FILE_INVERTED_OFF], 0, ends, &inverted,
                         NULL) < 0 ||
        checked_file_get(c->files[FILE_TERMS], 0, a->text_bytes, &text,
                         NULL) < 0 ||
        checked_file_get(c->files[FILE_TERMS_SORT], 0, (uint64_t)c->n_terms * 4,
                         &sort, NULL) < 0)
        return;
    a->off = off;
    a->inverted_off = inverted;
    a->text = text;
    a->sort = sort;
}

/* Get the term at a position in byte order.  False if something is wrong; then
 * the functions of the collection report it. */
static inline bool term_arrays_term(const struct collection *c,
                                    const struct term_arrays *a, uint32_t at,
                                    struct name_record *r)
{
    uint32_t id = a->sort[at], next;
    uint64_t start, end, first, last;

    if (at + TERMS_AHEAD < c->n_terms &&
        (next = a->sort[at + TERMS_AHEAD]) < c->n_terms) {
        __builtin_prefetch(&a->off[next]);
        __builtin_prefetch(&a->inverted_off[next]);
    }
    if (id >= c->n_terms)
        return false;
    start = a->off[id];
    end = a->off[id + 1];
    first = a->inverted_off[id];
    last = a->inverted_off[id + 1];
    if (end < start || end > a->text_bytes || last < first ||
        last > c->n_postings)
        return false;
    *r = (struct name_record){ .id = id, .number = last - first,
                               .name = a->text + start,
                               .len = (size_t)(end - start) };
    return true;
}

#endif
