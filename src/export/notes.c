/* notes.c - what was asked for, to be written down in the file itself. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/decimal.h"
#include "export/export.h"

struct notes {
    note_fn fn;
    void *self;
    int rc;
};

static void note(struct notes *n, const char *name, const char *value,
                 struct cooc_err *err)
{
    if (n->rc == 0)
        n->rc = n->fn(n->self, name, value, err);
}

static void note_number(struct notes *n, const char *name, uint64_t v,
                        struct cooc_err *err)
{
    char text[DECIMAL_U64 + 1];

    text[decimal_u64(text, v)] = '\0';
    note(n, name, text, err);
}

static void note_real(struct notes *n, const char *name, double v,
                      struct cooc_err *err)
{
    char text[DECIMAL_REAL + 1];

    text[decimal_real(text, v)] = '\0';
    note(n, name, text, err);
}

int export_notes(const struct export_job *j, note_fn fn, void *self,
                 struct cooc_err *err)
{
    const struct cooc_export_options *o = j->o;
    const struct manifest *m = &j->sel.db->store.manifest;
    struct notes n = { .fn = fn, .self = self };

    note(&n, "made by", "cooc " COOC_VERSION, err);
    note_number(&n, "documents", m->documents, err);
    note_number(&n, "terms in the store", m->terms, err);
    note_number(&n, "pairs in the store", m->pairs, err);
    note_number(&n, "terms here", j->sel.n, err);
    note(&n, "measure", export_measure(j), err);
    if (o->by.reverse)
        note(&n, "direction", "reverse", err);
    if (o->by.shift != 0)
        note_real(&n, "shift", o->by.shift, err);
    if (o->by.smoothing != 0)
        note_real(&n, "smoothing", o->by.smoothing, err);
    if (o->terms)
        note_number(&n, "listed terms", o->n_terms, err);
    if (o->top_terms)
        note_number(&n, "top terms", o->top_terms, err);
    if (o->min_count > 1)
        note_number(&n, "minimum count", o->min_count, err);
    if (!isnan(o->min_score))
        note_real(&n, "minimum score", o->min_score, err);
    if (o->per_node)
        note_number(&n, "per node", o->per_node, err);
    if (o->top_edges)
        note_number(&n, "top edges", o->top_edges, err);
    if (o->nodes)
        note_number(&n, "nodes", o->nodes, err);
    note(&n, "diagonal", o->diagonal ? "df" : "none", err);
    return n.rc;
}
