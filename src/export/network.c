/* network.c - what the formats of networks have in common. */
#include "export/network.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"

int network_nodes(struct export_job *j, enum label kind, node_fn fn,
                  struct cooc_err *err)
{
    struct buf label = { 0 };
    int rc = 0;

    for (uint32_t id = 0; id < j->sel.n && rc == 0; id++) {
        const char *name;
        size_t len;

        label.len = 0;
        rc = selection_term(&j->sel, id, &name, &len, err);
        if (rc == 0)
            rc = label_add(&label, kind, name, len, err);
        if (rc == 0)
            rc = buf_text(&label, err);
        if (rc == 0)
            rc = fn(j, id, label.data, selection_df(&j->sel, id), err);
    }
    buf_release(&label);
    return rc;
}

static void write_weight(const struct export_row *row, size_t i,
                         char weight[32])
{
    double score = row->scores ? row->scores[i] : 0;
    size_t n;

    if (!row->scores)
        n = decimal_u32(weight, row->entries[i].count);
    else if (isinf(score))
        n = (size_t)(stpcpy(weight, score > 0 ? "Infinity" : "-Infinity") -
                     weight);
    else
        n = decimal_real(weight, score);
    weight[n] = '\0';
}

int network_edges(struct export_job *j, const struct export_row *row,
                  network_edge_fn fn, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < row->n && rc == 0; i++) {
        struct network_edge e = { .x = row->entries[i].term, .y = row->id,
                                  .count = row->entries[i].count };

        write_weight(row, i, e.weight);
        rc = fn(j, &e, err);
        j->written++;
    }
    return rc;
}

struct note_text {
    struct buf *out;
    const char *mark, *end;
    enum label kind;
};

static int add_note(void *self, const char *name, const char *value,
                    struct cooc_err *err)
{
    const struct note_text *t = self;
    int rc = buf_printf(t->out, err, "%s%s: ", t->mark, name);

    if (rc == 0)
        rc = label_add(t->out, t->kind, value, strlen(value), err);
    if (rc == 0)
        rc = buf_add(t->out, t->end, strlen(t->end), err);
    return rc;
}

int network_notes(const struct export_job *j, struct buf *out,
                  const char *mark, const char *end, enum label kind,
                  struct cooc_err *err)
{
    struct note_text t = { .out = out, .mark = mark, .end = end,
                           .kind = kind };

    return export_notes(j, add_note, &t, err);
}
