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

/* The weight of an edge in digits, with its NUL.  An infinity is spelled as
 * Java and Python read it. */
void network_weight(const struct export_row *row, size_t i, char weight[32]);

/* All notes in one text, "name: value" with the mark before each line. */
int network_notes(const struct export_job *j, struct buf *out,
                  const char *mark, const char *end, enum label kind,
                  struct cooc_err *err);

#endif
