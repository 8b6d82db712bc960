/* row_sink.h - takes rows, from a counting method or from a merge.
 *
 * Rows come in increasing order of their term.
 */
#ifndef COOC_ROW_SINK_H
#define COOC_ROW_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "base/entry.h"
#include "cooc.h"

struct row_parts;

/* A row comes as entries or in parts (row_parts.h).  A sink that gets rows
 * from a counting method must take both. */
struct row_sink {
    int (*row)(void *self, uint32_t term, const struct entry *entries,
               size_t n, struct cooc_err *err);
    void *self;
    int (*parts)(void *self, uint32_t term, const struct row_parts *row,
                 struct cooc_err *err);
};

#endif
