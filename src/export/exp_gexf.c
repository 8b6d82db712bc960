/* exp_gexf.c - GEXF 1.2, the format of Gephi, in the form that networkx also
 * reads. */
#include "export/network.h"

static const struct network text = {
    .label = LABEL_XML,
    .before_note = "", .after_note = "; ",
    .head =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<gexf xmlns=\"http://www.gexf.net/1.2draft\" version=\"1.2\">\n"
        "  <meta>\n"
        "    <creator>cooc " COOC_VERSION "</creator>\n"
        "    <description>$A</description>\n"
        "  </meta>\n"
        "  <graph mode=\"static\" defaultedgetype=\"undirected\">\n"
        "    <attributes class=\"node\">\n"
        "      <attribute id=\"0\" title=\"df\" type=\"long\"/>\n"
        "    </attributes>\n"
        "    <attributes class=\"edge\">\n"
        "      <attribute id=\"0\" title=\"count\" type=\"long\"/>\n"
        "    </attributes>\n"
        "    <nodes>\n",
    .node =
        "      <node id=\"$i\" label=\"$l\"><attvalues>"
        "<attvalue for=\"0\" value=\"$d\"/></attvalues></node>\n",
    .middle =
        "    </nodes>\n"
        "    <edges>\n",
    .edge =
        "      <edge id=\"$e\" source=\"$x\" target=\"$y\" weight=\"$w\">"
        "<attvalues><attvalue for=\"0\" value=\"$c\"/></attvalues></edge>\n",
    .tail =
        "    </edges>\n"
        "  </graph>\n"
        "</gexf>\n",
};

const struct exporter export_gexf = {
    .name = "gexf", .summary = "a network for Gephi",
    .flags = EXPORT_TO_PIPE | EXPORT_NETWORK,
    .begin = network_begin, .row = network_row, .end = network_end,
    .network = &text,
};
