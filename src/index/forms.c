/* forms.c - surface forms: runs of those of a worker, one merge of all.
 *
 *     runs     words in byte order with their tokens; variants of the
 *              thesaurus count for their preferred form, in a second run
 *     merge    equal forms of all runs are neighbours: add up their tokens,
 *              look up their term's final id, write, remember the best form
 *              of each term
 *
 * Cost.  Nothing per token but one addition (reduce.c).  Memory: 16 bytes per
 * term for the best forms; the forms themselves are streamed.
 */
#include "index/forms.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "dict/dict.h"
#include "index/collection.h"
#include "index/gather.h"
#include "index/order.h"
#include "index/reduce.h"
#include "index/run.h"

#define ASK_EVERY 65536u /* forms */

/* ---- runs --------------------------------------------------------------- */

/* Preferred forms: few, but their order is not that of their variants. */
struct preferred {
    struct dict *dict;
    struct form_tally {
        uint32_t term;
        uint64_t tokens;
    } *tallies;
    size_t cap;
};

static int add_preferred(struct preferred *p, const struct word_form *f,
                         struct cooc_err *err)
{
    uint32_t before = dict_size(p->dict), id;
    int rc = array_grow(&p->tallies, &p->cap, (size_t)before + 1,
                        sizeof *p->tallies, err);

    if (rc == 0)
        rc = dict_add(p->dict, f->form, f->len, &id, err);
    if (rc < 0)
        return rc;
    if (id == before)
        p->tallies[id] = (struct form_tally){ .term = f->term };
    p->tallies[id].tokens += f->tokens;
    return 0;
}

static int add_words(const struct reducer *r, struct run_out *out,
                       struct preferred *p, struct cooc_err *err)
{
    uint32_t *order = NULL, n = dict_size(r->words);
    int rc = dict_sorted(r->words, &order, err);

    for (uint32_t i = 0; i < n && rc == 0; i++) {
        struct word_form f;

        if (!reducer_form(r, order[i], &f))
            continue;
        rc = f.is_preferred
                 ? add_preferred(p, &f, err)
                 : run_out_add(out, f.term, f.tokens, f.form, f.len, err);
    }
    mem_free(order);
    return rc < 0 ? rc : run_out_end(out, err);
}

static int add_all_preferred(const struct preferred *p, struct run_out *out,
                           struct cooc_err *err)
{
    uint32_t *order = NULL, n = dict_size(p->dict);
    int rc = dict_sorted(p->dict, &order, err);

    for (uint32_t i = 0; i < n && rc == 0; i++) {
        const struct form_tally *t = &p->tallies[order[i]];
        size_t len;
        const char *form = dict_term(p->dict, order[i], &len);

        rc = run_out_add(out, t->term, t->tokens, form, len, err);
    }
    mem_free(order);
    return rc < 0 ? rc : run_out_end(out, err);
}

int forms_make_runs(const struct reducer *r, struct run *runs,
                    const char *path, struct cooc_err *err)
{
    struct run_out out = { .run = &runs[0], .path = path };
    struct preferred p = { 0 };
    int rc = dict_new(&p.dict, err);

    runs[0].n_ids = dict_size(r->terms);
    if (rc == 0)
        rc = add_words(r, &out, &p, err);
    if (rc == 0) {
        runs[1] = (struct run){ .fd = runs[0].fd, .owner = runs[0].owner,
                                .off = runs[0].off + runs[0].len,
                                .n_ids = runs[0].n_ids };
        out.run = &runs[1];
        rc = add_all_preferred(&p, &out, err);
    }
    buf_release(&out.buf);
    dict_free(p.dict);
    mem_free(p.tallies);
    return rc;
}

/* ---- merge -------------------------------------------------------------- */

/* The best form of a term so far. */
struct best {
    uint64_t tokens;
    uint32_t form, len; /* NO_FORM: none yet */
};

#define NO_FORM UINT32_MAX

struct writing {
    struct blob_writer *text, *off, *term, *num;
    uint64_t end;
    uint32_t n;
    struct best *best; /* by term */
    bool mixed;
    struct buf form;   /* the one at hand, */
    struct form_tally *terms; /* and the terms it belongs to: nearly always
                               * one */
    size_t n_terms, terms_cap;
};

static int write_form(struct writing *w, const struct form_tally *t,
                      struct cooc_err *err)
{
    struct best *b = &w->best[t->term];
    uint32_t len = (uint32_t)w->form.len;
    int rc;

    if (w->n == UINT32_MAX - 1)
        return err_set(err, COOC_ELIMIT, "more than 2^32 forms of words");
    if (b->form == NO_FORM || t->tokens > b->tokens ||
        (t->tokens == b->tokens && len < b->len))
        *b = (struct best){ .tokens = t->tokens, .form = w->n, .len = len };
    w->n++;
    w->end += len;
    rc = blob_write(w->text, w->form.data, len, err);
    if (rc == 0)
        rc = blob_write_u64(w->off, &w->end, 1, err);
    if (rc == 0)
        rc = blob_write_u32(w->term, &t->term, 1, err);
    return rc < 0 ? rc : blob_write_u64(w->num, &t->tokens, 1, err);
}

static int by_term(const void *x, const void *y)
{
    const struct form_tally *a = x, *b = y;

    return (a->term > b->term) - (a->term < b->term);
}

/* All records of the form at hand have been seen. */
static int end_form(struct writing *w, struct cooc_err *err)
{
    int rc = 0;

    if (w->n_terms > 1 && !w->mixed)
        return err_set(err, COOC_EINVAL,
                       "the stores do not agree on the stem of '%.*s': their "
                       "stemmers differ; index the documents again with one "
                       "version, or accept the difference with "
                       "--accept-rules",
                       w->form.len > 100 ? 100 : (int)w->form.len,
                       w->form.data);
    if (w->n_terms > 1)
        qsort(w->terms, w->n_terms, sizeof *w->terms, by_term);
    for (size_t i = 0; i < w->n_terms && rc == 0; i++)
        rc = write_form(w, &w->terms[i], err);
    w->n_terms = 0;
    return rc;
}

static int add_record(struct writing *w, const struct run_cursor *c,
                      uint32_t term, struct cooc_err *err)
{
    size_t i = 0;
    int rc = 0;

    if (w->n_terms && (w->form.len != c->len ||
                       memcmp(w->form.data, c->term, c->len) != 0))
        rc = end_form(w, err);
    if (rc == 0 && !w->n_terms) {
        w->form.len = 0;
        rc = buf_reserve(&w->form, c->len + 1, err);
        if (rc == 0)
            rc = buf_add(&w->form, c->term, c->len, err);
    }
    if (rc == 0)
        rc = array_grow(&w->terms, &w->terms_cap, w->n_terms + 1,
                        sizeof *w->terms, err);
    if (rc < 0)
        return rc;
    while (i < w->n_terms && w->terms[i].term != term)
        i++;
    if (i == w->n_terms)
        w->terms[w->n_terms++] = (struct form_tally){ .term = term };
    w->terms[i].tokens += c->number;
    return 0;
}

static int merge_forms(struct writing *w, const struct gathered *g,
                       const struct ordering *o, const char *tmpdir,
                       uint64_t memory, struct watch *watch,
                       struct cooc_err *err)
{
    struct run_heap h;
    uint64_t asked = 0;
    int rc = run_heap_open(&h, g->forms, g->n_forms, tmpdir, memory, err);

    while (rc == 0 && h.n) {
        const struct run_cursor *c = &h.cursors[h.items[0]];
        uint32_t term = o->maps[o->first[c->run->owner] + c->id];

        if (term != TERM_NONE)
            rc = add_record(w, c, term, err);
        if (rc == 0)
            rc = run_heap_next(&h, err);
        if (rc == 0 && watch && ++asked % ASK_EVERY == 0)
            rc = watch_add(watch, 0, 0, 0, err);
    }
    run_heap_close(&h);
    return rc < 0 ? rc : end_form(w, err);
}

static int begin(struct writing *w, const char *dir, uint32_t n_terms,
                 struct cooc_err *err)
{
    int rc;

    w->best = mem_array(n_terms, sizeof *w->best);
    if (!w->best)
        return err_nomem(err);
    for (uint32_t t = 0; t < n_terms; t++)
        w->best[t] = (struct best){ .form = NO_FORM };
    rc = collection_create(&w->text, dir, FILE_FORMS, err);
    if (rc == 0)
        rc = collection_create(&w->off, dir, FILE_FORMS_OFF, err);
    if (rc == 0)
        rc = collection_create(&w->term, dir, FILE_FORMS_TERM, err);
    if (rc == 0)
        rc = collection_create(&w->num, dir, FILE_FORMS_NUM, err);
    return rc < 0 ? rc : blob_write_u64(w->off, &w->end, 1, err);
}

static int write_labels(const struct writing *w, uint32_t n_terms,
                        const char *dir, struct blob_id *id,
                        struct cooc_err *err)
{
    struct blob_writer *out = NULL;
    int rc = collection_create(&out, dir, FILE_LABELS, err);

    for (uint32_t t = 0; t < n_terms && rc == 0; t++)
        rc = w->best[t].form != NO_FORM
                 ? blob_write_u32(out, &w->best[t].form, 1, err)
                 : err_set(err, COOC_EFORMAT, "term %u has no surface "
                           "form; run cooc check on the stores", t);
    if (rc == 0)
        rc = blob_commit(out, id, err);
    blob_writer_free(out);
    return rc;
}

int forms_write(const struct gathered *g, const struct ordering *o, bool mixed,
                const char *dir, const char *tmpdir, uint64_t memory,
                struct blob_id *ids, struct watch *watch,
                struct cooc_err *err)
{
    struct writing w = { .mixed = mixed };
    int rc = begin(&w, dir, o->n_terms, err);

    if (rc == 0)
        rc = merge_forms(&w, g, o, tmpdir, memory, watch, err);
    if (rc == 0)
        rc = blob_commit(w.text, &ids[FILE_FORMS], err);
    if (rc == 0)
        rc = blob_commit(w.off, &ids[FILE_FORMS_OFF], err);
    if (rc == 0)
        rc = blob_commit(w.term, &ids[FILE_FORMS_TERM], err);
    if (rc == 0)
        rc = blob_commit(w.num, &ids[FILE_FORMS_NUM], err);
    if (rc == 0)
        rc = write_labels(&w, o->n_terms, dir, &ids[FILE_LABELS], err);
    blob_writer_free(w.text);
    blob_writer_free(w.off);
    blob_writer_free(w.term);
    blob_writer_free(w.num);
    mem_free(w.best);
    mem_free(w.terms);
    buf_release(&w.form);
    return rc;
}
