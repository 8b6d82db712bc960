/* exp_pajek.c - Pajek's .net: *Vertices and *Edges, numbered from 1.
 *
 * An edge has one number, its weight.  Notes about the export are '%' comment
 * lines at the beginning, because some programs skip comments only there.
 */
#include "export/network.h"

static const struct network text = {
    .label = LABEL_QUOTED, .first = 1,
    .before_note = "% ", .after_note = "\n",
    .head = "$A*Vertices $N\n",
    .node = "$i $l\n",
    .middle = "*Edges\n",
    .edge = "$x $y $w\n",
};

const struct exporter export_pajek = {
    .name = "pajek", .summary = "a network for Pajek",
    .flags = EXPORT_TO_PIPE | EXPORT_NETWORK,
    .begin = network_begin, .row = network_row, .end = network_end,
    .network = &text,
};
