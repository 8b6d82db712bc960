/* selection.c - the terms and pairs of an export. */
#include "export/selection_walk.h"

#include <math.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "cooc_export.h"

#define PARTS_PER_THREAD 8u

bool selection_is_all(const struct selection *s)
{
    return !s->new_id && !s->classes.of && s->o->min_count <= 1 &&
           s->least == -INFINITY && !s->weakest && !s->list;
}

int selection_narrow(struct selection *s, const uint8_t *keep,
                     struct cooc_err *err)
{
    uint32_t terms = s->db->store.docs.n_terms, n = 0;
    uint32_t *new_id;

    for (uint32_t t = 0; t < terms; t++)
        n += keep[t];
    new_id = mem_array((size_t)terms + n, sizeof *new_id);
    if (!new_id)
        return err_nomem(err);
    mem_free(s->new_id);
    s->new_id = new_id;
    s->store_id = new_id + terms;
    s->n = 0;
    for (uint32_t t = 0; t < terms; t++) {
        new_id[t] = keep[t] ? s->n : NOT_SELECTED;
        if (keep[t])
            s->store_id[s->n++] = t;
    }
    return 0;
}

/* Keep the terms of the list, if there is one, that are in a class. */
static int narrow_to_list(struct selection *s, struct cooc_err *err)
{
    const struct cooc_export_options *o = s->o;
    uint32_t terms = s->db->store.docs.n_terms, n = 0;
    uint8_t *keep = mem_zarray(terms, 1);
    int rc = keep ? 0 : err_nomem(err);

    for (uint32_t t = 0; t < terms && rc == 0 && !o->terms; t++)
        keep[t] = 1;
    for (size_t i = 0; o->terms && i < o->n_terms && rc == 0; i++) {
        if (o->terms[i] < terms)
            keep[o->terms[i]] = 1;
        else
            rc = err_option(err, COOC_EINVAL, "terms",
                            "term id %u is out of range (the store has %u "
                            "terms)", o->terms[i], terms);
    }
    for (uint32_t t = 0; t < terms && rc == 0; t++) {
        keep[t] = keep[t] && pair_classes_needed(&s->classes, t);
        if (keep[t] && ++n > o->top_terms && o->top_terms)
            keep[t] = 0;
    }
    s->whole = !o->terms && (!o->top_terms || n <= o->top_terms);
    if (rc == 0)
        rc = selection_narrow(s, keep, err);
    mem_free(keep);
    return rc;
}

static int choose_terms(struct selection *s, struct cooc_err *err)
{
    int rc = pair_classes_init(&s->classes, s->db, s->o->like1, s->o->like2,
                               err);

    if (rc < 0)
        return rc;
    s->n = s->db->store.docs.n_terms;
    if (s->o->terms || (s->o->like1 && s->o->like2))
        return narrow_to_list(s, err);
    s->whole = !s->o->top_terms || s->o->top_terms >= s->n;
    if (!s->whole)
        s->n = s->o->top_terms; /* ids are frequency ranks */
    return 0;
}

static int choose_measure(struct selection *s, struct cooc_err *err)
{
    const struct cooc_export_options *o = s->o;
    int rc = scorer_init(&s->by, s->db, &o->scoring, err);

    s->plain_count = s->by.m == &measures[0];
    s->least = rc < 0 || !o->has_min_score
                   ? -INFINITY
                   : selection_strength(s, o->min_score);
    return rc;
}

int selection_open(struct selection *s, struct cooc *db,
                   const struct cooc_export_options *o, struct watch *watch,
                   struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    const void *off;
    int rc;

    *s = (struct selection){ .db = db, .o = o, .watch = watch };
    s->memory = o->memory ? o->memory : memory_half();
    s->threads = o->threads ? o->threads : pool_cores();
    rc = pool_check(s->threads, err);
    if (rc < 0)
        return rc;
    rc = checked_file_get(c->files[FILE_INVERTED_OFF], 0,
                          ((uint64_t)c->n_terms + 1) * 8, &off, err);
    if (rc < 0)
        return rc;
    s->off = off;
    rc = choose_measure(s, err);
    if (rc == 0)
        rc = choose_terms(s, err);
    if (rc == 0 && o->per_node)
        rc = prune_per_node(s, err);
    if (rc == 0 && o->top_edges)
        rc = prune_top_edges(s, err);
    if (rc == 0 && o->nodes)
        rc = prune_nodes(s, err);
    return rc;
}

static void close_parts(struct selection *s)
{
    mem_free(s->parts);
    mem_free(s->part_after);
    s->parts = s->part_after = NULL;
}

void selection_release(struct selection *s)
{
    mem_free(s->new_id);
    mem_free(s->weakest);
    mem_free(s->list);
    mem_free(s->before);
    pair_classes_release(&s->classes);
    close_parts(s);
    bulk_rows_close(&s->bulk);
    *s = (struct selection){ 0 };
}

int selection_term(const struct selection *s, uint32_t id, const char **name,
                   size_t *len, struct cooc_err *err)
{
    return db_name(s->db, s->o->stems, selection_store_id(s, id), name, len,
                   err);
}

/* ---- the survey ------------------------------------------------------ */

static int survey_row(void *self, unsigned worker, unsigned part,
                      const struct export_row *row, struct cooc_err *err)
{
    struct selection *s = self;
    uint32_t *after = s->part_after + (size_t)part * s->n;

    (void)worker;
    (void)err;
    s->before[row->id] = (uint32_t)row->n;
    for (size_t i = 0; i < row->n; i++)
        after[row->entries[i].term]++;
    return 0;
}

/* Choose the parts: more than threads, because they differ in size, but not
 * more than memory allows. */
static int open_parts(struct selection *s, struct cooc_err *err)
{
    uint64_t most = (uint64_t)selection_threads(s) * PARTS_PER_THREAD;
    uint64_t room = s->memory / 16 / ((uint64_t)s->n * 4 + 1);

    most = most > PARTS_PER_THREAD ? most : 1;
    room = room > 1 ? room : 1;
    s->n_parts = (unsigned)(room < most ? room : most);
    s->parts = mem_array((size_t)s->n_parts + 1, sizeof *s->parts);
    s->part_after = mem_zarray((size_t)s->n_parts * s->n,
                               sizeof *s->part_after);
    if (!s->parts || !s->part_after)
        return err_nomem(err);
    selection_cut(s, s->parts, s->n_parts);
    return 0;
}

/* Remove terms without partners and renumber the remaining ones. */
static int drop_isolated(struct selection *s, struct cooc_err *err)
{
    uint8_t *keep = mem_zarray(s->db->store.docs.n_terms, 1);
    uint32_t n = 0;
    int rc;

    if (!keep)
        return err_nomem(err);
    for (uint32_t id = 0; id < s->n; id++)
        if (s->before[id] || s->after[id]) {
            keep[selection_store_id(s, id)] = 1;
            s->before[n] = s->before[id];
            s->after[n++] = s->after[id];
        }
    rc = n < s->n ? selection_narrow(s, keep, err) : 0;
    mem_free(keep);
    return rc;
}

int selection_survey(struct selection *s, bool drop, bool keep_parts,
                     struct cooc_err *err)
{
    int rc = open_parts(s, err);

    if (rc < 0)
        return rc;
    s->before = mem_zarray(s->n, 2 * sizeof *s->before);
    if (!s->before)
        return err_nomem(err);
    s->after = s->before + s->n;
    rc = selection_each(s, "looking", s->parts, s->n_parts, survey_row, s,
                        err);
    if (rc < 0)
        return rc;
    for (unsigned i = 0; i < s->n_parts; i++)
        for (uint32_t id = 0; id < s->n; id++)
            s->after[id] += s->part_after[(size_t)i * s->n + id];
    for (uint32_t id = 0; id < s->n; id++)
        s->pairs += s->before[id];
    if (!keep_parts)
        close_parts(s);
    return drop ? drop_isolated(s, err) : 0;
}
