/* exp_graphml.c - GraphML, read by igraph, Cytoscape, yEd, networkx. */
#include "export/network.h"

static const struct network text = {
    .label = LABEL_XML,
    .before_note = "", .after_note = "; ",
    .head =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "  <key id=\"about\" for=\"graph\" attr.name=\"about\" "
        "attr.type=\"string\"/>\n"
        "  <key id=\"label\" for=\"node\" attr.name=\"label\" "
        "attr.type=\"string\"/>\n"
        "  <key id=\"df\" for=\"node\" attr.name=\"df\" "
        "attr.type=\"long\"/>\n"
        "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" "
        "attr.type=\"double\"/>\n"
        "  <key id=\"count\" for=\"edge\" attr.name=\"count\" "
        "attr.type=\"long\"/>\n"
        "  <graph id=\"cooc\" edgedefault=\"undirected\">\n"
        "    <data key=\"about\">$A</data>\n",
    .node =
        "    <node id=\"n$i\"><data key=\"label\">$l</data>"
        "<data key=\"df\">$d</data></node>\n",
    .edge =
        "    <edge source=\"n$x\" target=\"n$y\">"
        "<data key=\"weight\">$w</data><data key=\"count\">$c</data></edge>\n",
    .tail =
        "  </graph>\n"
        "</graphml>\n",
};

const struct exporter export_graphml = {
    .name = "graphml", .summary = "a network for igraph, Cytoscape, networkx",
    .flags = EXPORT_TO_PIPE | EXPORT_NETWORK,
    .begin = network_begin, .row = network_row, .end = network_end,
    .network = &text,
};
