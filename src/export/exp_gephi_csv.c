/* exp_gephi_csv.c - two tables with the column names that Gephi expects.
 *
 *     edges    Source,Target,Type,Weight,Count
 *     nodes    Id,Label,df
 */
#include <inttypes.h>

#include "export/network.h"

static int write_node(struct export_job *j, uint32_t id, const char *label,
                      uint64_t df, struct cooc_err *err)
{
    return sink_printf(&j->side, err, "%" PRIu32 ",%s,%" PRIu64 "\n", id,
                       label, df);
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    int rc = sink_text(&j->side, "Id,Label,df\n", err);

    if (rc == 0)
        rc = network_nodes(j, LABEL_CSV, write_node, err);
    if (rc == 0)
        rc = sink_text(&j->main, "Source,Target,Type,Weight,Count\n", err);
    return rc;
}

static int write_edge(struct export_job *j, const struct network_edge *e,
                      struct cooc_err *err)
{
    return sink_printf(&j->main, err,
                       "%" PRIu32 ",%" PRIu32 ",Undirected,%s,%" PRIu32 "\n",
                       e->x, e->y, e->weight, e->count);
}

static int write_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    return network_edges(self, row, write_edge, err);
}

const struct exporter export_gephi_csv = {
    .name = "gephi-csv", .summary = "tables of edges and nodes for Gephi",
    .flags = EXPORT_NETWORK,
    .file = "edges.csv", .side = "nodes.csv",
    .ending = ".csv", .side_ending = ".nodes.csv",
    .begin = begin, .row = write_row,
};
