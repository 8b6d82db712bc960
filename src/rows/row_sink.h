/* row_sink.h - takes rows, from a counting method or from a merge.
 *
 * Rows come in increasing order of their term.
 */
#ifndef COOC_ROW_SINK_H
#define COOC_ROW_SINK_H

#include <stddef.h>
#include <stdint.h>

#include "cooc.h"

struct row_parts;

/* Two doors: a row as entries, or in parts (row_parts.h).  A sink may lack
 * the second; then sink_parts() opens the first. */
struct row_sink {
    int (*row)(void *self, uint32_t term, const struct cooc_entry *entries,
               size_t n, struct cooc_err *err);
    void *self;
    int (*parts)(void *self, uint32_t term, const struct row_parts *row,
                 struct cooc_err *err); /* or NULL */
};

/* Give a row in parts to a sink. */
int sink_parts(const struct row_sink *out, uint32_t term,
               const struct row_parts *row, struct cooc_err *err);

#endif
