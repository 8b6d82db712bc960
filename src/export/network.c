/* network.c - network formats, described by text templates. */
#include "export/network.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/decimal.h"

/* The values of the fields of a node or an edge. */
struct fields {
    uint64_t id, df, links, x, y, count, edge;
    const char *label, *weight;
};

static int put_number(struct sink *to, uint64_t v, struct cooc_err *err)
{
    char text[DECIMAL_U64];

    return sink_add(to, text, decimal_u64(text, v), err);
}

static int put_field(struct export_job *j, struct sink *to, char letter,
                     const struct fields *f, struct cooc_err *err)
{
    const struct network *n = j->format->network;

    switch (letter) {
    case 'N': return put_number(to, j->sel.n, err);
    case 'A':
        return export_write_notes(j, to, n->before_note, n->after_note, err);
    case 'i': return put_number(to, f->id + n->first, err);
    case 'l': return sink_text(to, f->label, err);
    case 'd': return put_number(to, f->df, err);
    case 'k': return put_number(to, f->links, err);
    case 'x': return put_number(to, f->x + n->first, err);
    case 'y': return put_number(to, f->y + n->first, err);
    case 'w': return sink_text(to, f->weight, err);
    case 'c': return put_number(to, f->count, err);
    default: return put_number(to, f->edge, err);
    }
}

static int put_text(struct export_job *j, struct sink *to, const char *text,
                    const struct fields *f, struct cooc_err *err)
{
    int rc = 0;

    while (text && *text && rc == 0) {
        size_t plain = strcspn(text, "$");

        rc = sink_add(to, text, plain, err);
        text += plain;
        if (rc == 0 && *text) {
            rc = put_field(j, to, text[1], f, err);
            text += 2;
        }
    }
    return rc;
}

static int put_nodes(struct export_job *j, struct sink *to,
                     struct cooc_err *err)
{
    const struct network *n = j->format->network;
    struct buf label = { 0 };
    int rc = 0;

    for (uint32_t id = 0; id < j->sel.n && rc == 0; id++) {
        struct fields f = { .id = id, .df = selection_df(&j->sel, id),
                            .links = (uint64_t)j->sel.before[id] +
                                     j->sel.after[id] };

        label.len = 0;
        rc = export_label(j, id, n->label, &label, err);
        if (rc == 0)
            rc = buf_text(&label, err);
        f.label = label.data;
        if (rc == 0)
            rc = put_text(j, to, n->node, &f, err);
    }
    buf_release(&label);
    return rc;
}

int network_begin(struct export_job *j, struct cooc_err *err)
{
    const struct network *n = j->format->network;
    struct sink *to = j->format->side ? &j->side : &j->main;
    int rc = put_text(j, to, n->head, NULL, err);

    if (rc == 0)
        rc = put_nodes(j, to, err);
    return rc == 0 ? put_text(j, &j->main, n->middle, NULL, err) : rc;
}

static void write_weight(const struct export_row *row, size_t i,
                         char weight[DECIMAL_REAL + 1])
{
    double score = row->scores ? row->scores[i] : 0;
    size_t n;

    if (!row->scores)
        n = decimal_u64(weight, row->entries[i].count);
    else if (isinf(score))
        n = (size_t)(stpcpy(weight, score > 0 ? "Infinity" : "-Infinity") -
                     weight);
    else
        n = decimal_real(weight, score);
    weight[n] = '\0';
}

int network_row(void *self, const struct export_row *row,
                struct cooc_err *err)
{
    struct export_job *j = self;
    int rc = 0;

    for (size_t i = 0; i < row->n && rc == 0; i++) {
        char weight[DECIMAL_REAL + 1];
        struct fields f = { .x = row->entries[i].term, .y = row->id,
                            .count = row->entries[i].count,
                            .edge = j->written++, .weight = weight };

        write_weight(row, i, weight);
        rc = put_text(j, &j->main, j->format->network->edge, &f, err);
    }
    return rc;
}

int network_end(struct export_job *j, struct cooc_err *err)
{
    return put_text(j, &j->main, j->format->network->tail, NULL, err);
}
