/* network.h - network formats, described by text templates.
 *
 *     head      before the nodes
 *     node      each selected term
 *     middle    between nodes and edges
 *     edge      each pair
 *     tail      after the edges
 *
 * If the format has two files, the head and the nodes are written to the second
 * file and the rest to the first.  A field is a dollar sign and a letter:
 *
 *     head    $N number of nodes     $A notes: the options of the export
 *     node    $i id                  $l label, escaped for the format
 *             $d df                  $k number of edges
 *     edge    $x $y ids, x is the more frequent term
 *             $w weight: the measure of --by
 *             $c count               $e number of the edge, from 0
 *
 * An infinite weight is written as Java and Python parse it.
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

/* begin, row and end of a format with a struct network. */
int network_begin(struct export_job *j, struct cooc_err *err);
int network_row(void *self, const struct export_row *row,
                struct cooc_err *err);
int network_end(struct export_job *j, struct cooc_err *err);

#endif
