/* notes.c - the options of an export, as notes in the file itself. */
#include <math.h>
#include <stdio.h>

#include "base/decimal.h"
#include "cooc_export.h"
#include "export/export.h"

static void add_text(struct notes *n, const char *name, const char *value)
{
    struct note *new = &n->list[n->n++];

    new->name = name;
    snprintf(new->value, sizeof new->value, "%s", value);
}

static void add_number(struct notes *n, const char *name, uint64_t value)
{
    char text[DECIMAL_U64 + 1];

    text[decimal_u64(text, value)] = '\0';
    add_text(n, name, text);
}

static void add_real(struct notes *n, const char *name, double value)
{
    char text[DECIMAL_REAL + 1];

    text[decimal_real(text, value)] = '\0';
    add_text(n, name, text);
}

void export_notes(const struct export_job *j, struct notes *n)
{
    const struct cooc_export_options *o = j->o;
    const struct manifest *m = &j->sel.db->store.manifest;

    n->n = 0;
    add_text(n, "made by", "cooc " COOC_VERSION);
    add_number(n, "documents", m->documents);
    add_number(n, "terms in the store", m->terms);
    add_number(n, "pairs in the store", m->pairs);
    add_number(n, "terms here", j->sel.n);
    add_text(n, "measure", export_measure(j));
    if (o->scoring.reverse)
        add_text(n, "direction", "reverse");
    if (o->scoring.shift != 0)
        add_real(n, "shift", o->scoring.shift);
    if (o->scoring.smoothing != 0)
        add_real(n, "smoothing", o->scoring.smoothing);
    if (o->terms)
        add_number(n, "listed terms", o->n_terms);
    if (o->like1)
        add_number(n, "terms of class 1", j->sel.classes.n[0]);
    if (o->like2)
        add_number(n, "terms of class 2", j->sel.classes.n[1]);
    if (o->top_terms)
        add_number(n, "top terms", o->top_terms);
    if (o->min_count > 1)
        add_number(n, "minimum count", o->min_count);
    if (o->has_min_score)
        add_real(n, "minimum score", o->min_score);
    if (o->per_node)
        add_number(n, "per node", o->per_node);
    if (o->top_edges)
        add_number(n, "top edges", o->top_edges);
    if (o->nodes)
        add_number(n, "nodes", o->nodes);
    add_text(n, "diagonal", o->diagonal ? "df" : "none");
}

int export_write_notes(const struct export_job *j, struct sink *to,
                       const char *before, const char *after,
                       struct cooc_err *err)
{
    struct notes n;
    int rc = 0;

    export_notes(j, &n);
    for (size_t i = 0; i < n.n && rc == 0; i++)
        rc = sink_printf(to, err, "%s%s: %s%s", before, n.list[i].name,
                         n.list[i].value, after);
    return rc;
}
