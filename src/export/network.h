/* network.h - what the formats of networks have in common.
 *
 * Nodes are the terms that stay, numbered from 0; a node has its label and
 * df.  Edges are pairs; an edge has its weight, which is the measure asked
 * for, and its count.
 */
#ifndef COOC_NETWORK_H
#define COOC_NETWORK_H

#include "base/buf.h"
#include "export/export.h"
#include "export/label.h"

/* Called for each node with its label as the format wants it. */
typedef int (*node_fn)(struct export_job *j, uint32_t id, const char *label,
                       uint64_t df, struct cooc_err *err);

int network_nodes(struct export_job *j, enum label kind, node_fn fn,
                  struct cooc_err *err);

/* An edge: x is the more frequent term, the weight is in digits.  An
 * infinity is spelled as Java and Python read it. */
struct network_edge {
    uint32_t x, y, count;
    char weight[32];
};

typedef int (*network_edge_fn)(struct export_job *j,
                               const struct network_edge *e,
                               struct cooc_err *err);

/* The edges of a row, each counted as written. */
int network_edges(struct export_job *j, const struct export_row *row,
                  network_edge_fn fn, struct cooc_err *err);

/* All notes in one text, "name: value" with the mark before each line. */
int network_notes(const struct export_job *j, struct buf *out,
                  const char *mark, const char *end, enum label kind,
                  struct cooc_err *err);

#endif
