/* exp_gexf.c - GEXF 1.2, the format of Gephi, in the spelling that networkx
 * reads too. */
#include <inttypes.h>

#include "export/network.h"

static int write_node(struct export_job *j, uint32_t id, const char *label,
                      uint64_t df, struct cooc_err *err)
{
    return sink_printf(&j->main, err,
                       "      <node id=\"%" PRIu32 "\" label=\"%s\"><attvalues>"
                       "<attvalue for=\"0\" value=\"%" PRIu64 "\"/>"
                       "</attvalues></node>\n", id, label, df);
}

static int write_meta(struct export_job *j, struct cooc_err *err)
{
    struct buf notes = { 0 };
    int rc = sink_text(&j->main,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<gexf xmlns=\"http://www.gexf.net/1.2draft\" "
                       "version=\"1.2\">\n  <meta>\n    <creator>cooc "
                       COOC_VERSION "</creator>\n    <description>", err);

    if (rc == 0)
        rc = network_notes(j, &notes, "", "; ", LABEL_XML, err);
    if (rc == 0)
        rc = sink_add(&j->main, notes.data, notes.len, err);
    if (rc == 0)
        rc = sink_text(&j->main, "</description>\n  </meta>\n", err);
    buf_release(&notes);
    return rc;
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    int rc = write_meta(j, err);

    if (rc == 0)
        rc = sink_text(&j->main,
                       "  <graph mode=\"static\" "
                       "defaultedgetype=\"undirected\">\n"
                       "    <attributes class=\"node\">\n"
                       "      <attribute id=\"0\" title=\"df\" "
                       "type=\"long\"/>\n"
                       "    </attributes>\n"
                       "    <attributes class=\"edge\">\n"
                       "      <attribute id=\"0\" title=\"count\" "
                       "type=\"long\"/>\n"
                       "    </attributes>\n    <nodes>\n", err);
    if (rc == 0)
        rc = network_nodes(j, LABEL_XML, write_node, err);
    if (rc == 0)
        rc = sink_text(&j->main, "    </nodes>\n    <edges>\n", err);
    return rc;
}

static int write_edge(struct export_job *j, const struct network_edge *e,
                      struct cooc_err *err)
{
    return sink_printf(&j->main, err,
                       "      <edge id=\"%" PRIu64 "\" source=\"%" PRIu32
                       "\" target=\"%" PRIu32 "\" weight=\"%s\">"
                       "<attvalues><attvalue for=\"0\" value=\"%" PRIu32
                       "\"/></attvalues></edge>\n", j->written, e->x, e->y,
                       e->weight, e->count);
}

static int write_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    return network_edges(self, row, write_edge, err);
}

static int end(struct export_job *j, struct cooc_err *err)
{
    return sink_text(&j->main, "    </edges>\n  </graph>\n</gexf>\n", err);
}

const struct exporter export_gexf = {
    .name = "gexf", .summary = "a network for Gephi",
    .flags = EXPORT_TO_PIPE | EXPORT_NETWORK,
    .begin = begin, .row = write_row, .end = end,
};
