/* exp_vosviewer.c - VOSviewer: a network file without a header, and a map file;
 * ids start from 1. */
#include "export/network.h"

static const struct network text = {
    .label = LABEL_PLAIN, .first = 1,
    .head = "id\tlabel\tweight<Documents>\tweight<Links>\n",
    .node = "$i\t$l\t$d\t$k\n",
    .edge = "$x\t$y\t$w\n",
};

const struct exporter export_vosviewer = {
    .name = "vosviewer", .summary = "a network for VOSviewer, with its map",
    .flags = EXPORT_NETWORK,
    .file = "network.txt", .side = "map.txt",
    .ending = ".txt", .side_ending = ".map.txt",
    .begin = network_begin, .row = network_row, .end = network_end,
    .network = &text,
};
