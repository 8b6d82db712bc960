/* network.h - formats of networks: text with fields, and nothing else.
 *
 *     head      before the nodes
 *     node      each term that stays
 *     middle    between nodes and edges
 *     edge      each pair
 *     tail      after the edges
 *
 * The head and the nodes are written to the second file if the format has
 * two, the rest to the first.  A field is a dollar sign and a letter:
 *
 *     head    $N number of nodes     $A notes: what was asked for
 *     node    $i id                  $l label, as the format wants it
 *             $d df                  $k number of edges
 *     edge    $x $y ids, x is the more frequent term
 *             $w weight, which is the measure asked for
 *             $c count               $e number of the edge, from 0
 *
 * An infinite weight is spelled as Java and Python read it.
 */
#ifndef COOC_NETWORK_H
#define COOC_NETWORK_H

#include "export/export.h"

struct network {
    const char *head, *node, *middle, *edge, *tail;
    const char *before_note, *after_note; /* around each "name: value" */
    enum label label;
    unsigned first; /* id of the first node */
};

/* The three calls of a format with a struct network. */
int network_begin(struct export_job *j, struct cooc_err *err);
int network_row(void *self, const struct export_row *row,
                struct cooc_err *err);
int network_end(struct export_job *j, struct cooc_err *err);

#endif
