/* exp_graphml.c - GraphML, read by igraph, Cytoscape, yEd, networkx. */
#include <inttypes.h>

#include "export/network.h"

static int write_node(struct export_job *j, uint32_t id, const char *label,
                      uint64_t df, struct cooc_err *err)
{
    return sink_printf(&j->main, err,
                       "    <node id=\"n%" PRIu32 "\"><data key=\"label\">%s"
                       "</data><data key=\"df\">%" PRIu64 "</data></node>\n",
                       id, label, df);
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    static const char keys[] =
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
        "    <data key=\"about\">";
    struct buf notes = { 0 };
    int rc = sink_text(&j->main,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<graphml xmlns=\"http://graphml.graphdrawing.org/"
                       "xmlns\">\n", err);

    if (rc == 0)
        rc = sink_text(&j->main, keys, err);
    if (rc == 0)
        rc = network_notes(j, &notes, "", "; ", LABEL_XML, err);
    if (rc == 0)
        rc = sink_add(&j->main, notes.data, notes.len, err);
    if (rc == 0)
        rc = sink_text(&j->main, "</data>\n", err);
    if (rc == 0)
        rc = network_nodes(j, LABEL_XML, write_node, err);
    buf_release(&notes);
    return rc;
}

static int write_edge(struct export_job *j, const struct network_edge *e,
                      struct cooc_err *err)
{
    return sink_printf(&j->main, err,
                       "    <edge source=\"n%" PRIu32 "\" target=\"n%" PRIu32
                       "\"><data key=\"weight\">%s</data>"
                       "<data key=\"count\">%" PRIu32 "</data></edge>\n",
                       e->x, e->y, e->weight, e->count);
}

static int write_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    return network_edges(self, row, write_edge, err);
}

static int end(struct export_job *j, struct cooc_err *err)
{
    return sink_text(&j->main, "  </graph>\n</graphml>\n", err);
}

const struct exporter export_graphml = {
    .name = "graphml", .summary = "a network for igraph, Cytoscape, networkx",
    .flags = EXPORT_TO_PIPE | EXPORT_NETWORK,
    .begin = begin, .row = write_row, .end = end,
};
