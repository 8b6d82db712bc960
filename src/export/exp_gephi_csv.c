/* exp_gephi_csv.c - two tables with the column names that Gephi expects. */
#include "export/network.h"

static const struct network text = {
    .label = LABEL_CSV,
    .head = "Id,Label,df\n",
    .node = "$i,$l,$d\n",
    .middle = "Source,Target,Type,Weight,Count\n",
    .edge = "$x,$y,Undirected,$w,$c\n",
};

const struct exporter export_gephi_csv = {
    .name = "gephi-csv", .summary = "tables of edges and nodes for Gephi",
    .flags = EXPORT_NETWORK,
    .file = "edges.csv", .side = "nodes.csv",
    .ending = ".csv", .side_ending = ".nodes.csv",
    .begin = network_begin, .row = network_row, .end = network_end,
    .network = &text,
};
