/* exp_pajek.c - Pajek's .net: *Vertices and *Edges, numbered from 1.
 *
 * An edge has one number, its weight.  What was asked for stands in '%' lines
 * before all else, the one place where every reader passes them over.
 */
#include <inttypes.h>

#include "export/network.h"

static int write_node(struct export_job *j, uint32_t id, const char *label,
                      uint64_t df, struct cooc_err *err)
{
    (void)df;
    return sink_printf(&j->main, err, "%" PRIu64 " %s\n", (uint64_t)id + 1,
                       label);
}

static int begin(struct export_job *j, struct cooc_err *err)
{
    struct buf notes = { 0 };
    int rc = network_notes(j, &notes, "% ", "\n", LABEL_PLAIN, err);

    if (rc == 0)
        rc = sink_add(&j->main, notes.data, notes.len, err);
    if (rc == 0)
        rc = sink_printf(&j->main, err, "*Vertices %" PRIu32 "\n", j->sel.n);
    if (rc == 0)
        rc = network_nodes(j, LABEL_QUOTED, write_node, err);
    if (rc == 0)
        rc = sink_text(&j->main, "*Edges\n", err);
    buf_release(&notes);
    return rc;
}

static int write_edge(struct export_job *j, const struct network_edge *e,
                      struct cooc_err *err)
{
    return sink_printf(&j->main, err, "%" PRIu64 " %" PRIu64 " %s\n",
                       (uint64_t)e->x + 1, (uint64_t)e->y + 1, e->weight);
}

static int write_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    return network_edges(self, row, write_edge, err);
}

const struct exporter export_pajek = {
    .name = "pajek", .summary = "a network for Pajek",
    .flags = EXPORT_TO_PIPE | EXPORT_NETWORK,
    .begin = begin, .row = write_row,
};
