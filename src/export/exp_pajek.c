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

static int write_row(void *self, const struct export_row *row,
                     struct cooc_err *err)
{
    struct export_job *j = self;
    int rc = 0;

    for (size_t i = 0; i < row->n && rc == 0; i++) {
        char weight[32];

        network_weight(row, i, weight);
        rc = sink_printf(&j->main, err, "%" PRIu64 " %" PRIu64 " %s\n",
                         (uint64_t)row->entries[i].term + 1,
                         (uint64_t)row->id + 1, weight);
    }
    j->written += row->n;
    return rc;
}

const struct exporter export_pajek = {
    .name = "pajek", .summary = "a network for Pajek",
    .flags = EXPORT_TO_PIPE | EXPORT_NETWORK,
    .begin = begin, .row = write_row,
};
