/* exp_vosviewer.c - VOSviewer: a network file and a map file.
 *
 *     network    id1 TAB id2 TAB strength, ids from 1, no header
 *     map        id TAB label TAB weight<Documents> TAB weight<Links>
 */
#include <inttypes.h>

#include "export/network.h"

static int write_node(struct export_job *j, uint32_t id, const char *label,
                      uint64_t df, struct cooc_err *err)
{
    return sink_printf(&j->side, err,
                       "%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\n",
                       (uint64_t)id + 1, label, df,
                       (uint64_t)j->sel.before[id] + j->sel.after[id]);
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    int rc = sink_text(&j->side,
                       "id\tlabel\tweight<Documents>\tweight<Links>\n", err);

    return rc == 0 ? network_nodes(j, LABEL_PLAIN, write_node, err) : rc;
}

static int write_edge(struct export_job *j, const struct network_edge *e,
                      struct cooc_err *err)
{
    return sink_printf(&j->main, err, "%" PRIu64 "\t%" PRIu64 "\t%s\n",
                       (uint64_t)e->x + 1, (uint64_t)e->y + 1, e->weight);
}

static int write_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    return network_edges(self, row, write_edge, err);
}

const struct exporter export_vosviewer = {
    .name = "vosviewer", .summary = "a network for VOSviewer, with its map",
    .flags = EXPORT_NETWORK,
    .file = "network.txt", .side = "map.txt",
    .ending = ".txt", .side_ending = ".map.txt",
    .begin = begin, .row = write_row,
};
