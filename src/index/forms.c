/* forms.c - surface forms: one set of dictionaries per worker, then one merge.
 *
 *     ingest   list words in byte order with their numbers of tokens; variants
 *              in the thesaurus count for their preferred form, in a second
 *              dictionary
 *     merge    equal forms of all dictionaries come one after the other: add
 *              up their tokens, look up the final id of their term, write
 *              them, and remember the best form of each term
 *
 * Cost.  One addition per token (term_extractor.c).  Memory: 16 bytes per term
 * for the best forms; the forms themselves are streamed.
 */
#include "index/forms.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "index/ingest.h"
#include "index/order.h"
#include "index/term_extractor.h"
#include "index/write.h"

#define ASK_EVERY 65536u /* forms */

/* The number of tokens of a form, for one of its terms. */
struct form_tally {
    uint32_t term;
    uint64_t tokens;
};

/* ---- ingest ------------------------------------------------------------- */

struct ingesting {
    const struct term_extractor *red;
    /* Preferred forms.  They are sorted separately, because their order is not
     * that of their variants. */
    struct dict *preferred;
    struct form_tally *tallies; /* by id of preferred */
    size_t cap;
};

static int add_preferred(struct ingesting *a, const struct name_record *r,
                         struct cooc_err *err)
{
    uint32_t before = dict_size(a->preferred), id;
    int rc = array_grow(&a->tallies, &a->cap, (size_t)before + 1,
                        sizeof *a->tallies, err);

    if (rc == 0)
        rc = dict_add(a->preferred, r->name, r->len, &id, err);
    if (rc < 0)
        return rc;
    if (id == before)
        a->tallies[id] = (struct form_tally){ .term = r->id };
    a->tallies[id].tokens += r->number;
    return 0;
}

/* name_fill_fn for the words of the extractor. */
static int fill_word(void *self, struct name_record *r, struct cooc_err *err)
{
    struct ingesting *a = self;
    bool preferred;

    if (!term_extractor_form(a->red, r, &preferred))
        return 0;
    return preferred ? add_preferred(a, r, err) : 1;
}

/* name_fill_fn for preferred forms. */
static int fill_preferred(void *self, struct name_record *r,
                          struct cooc_err *err)
{
    const struct form_tally *t = &((struct ingesting *)self)->tallies[r->id];

    (void)err;
    r->id = t->term;
    r->number = t->tokens;
    return 1;
}

static int add_forms(struct ingested *g, struct ingesting *a, uint32_t owner,
                     const struct dict *d, name_fill_fn fill,
                     struct cooc_err *err)
{
    struct sorted_names s = { .owner = owner,
                              .n_ids = dict_size(a->red->terms) };
    int rc = names_write_dict(&s, &g->names_file, d, fill, a, err);

    return rc < 0 ? rc : ingested_add_names(g, &g->forms, &s, NULL, err);
}

int forms_ingest(struct ingested *g, struct term_extractor *r, uint32_t dict,
                 struct cooc_err *err)
{
    struct ingesting a = { .red = r };
    int rc = dict_new(&a.preferred, err);

    if (rc == 0)
        rc = add_forms(g, &a, dict, r->words, fill_word, err);
    if (rc == 0)
        rc = add_forms(g, &a, dict, a.preferred, fill_preferred, err);
    dict_free(a.preferred);
    mem_free(a.tallies);
    return rc;
}

/* ---- merge -------------------------------------------------------------- */

/* The best form of a term so far. */
struct best_form {
    uint64_t tokens;
    uint32_t form, len; /* form is NO_FORM if there is none yet */
};

#define NO_FORM UINT32_MAX

struct writing {
    struct files_writer out;
    uint32_t n;
    struct best_form *best; /* by term */
    bool mixed;
    /* Terms of the current form: nearly always one. */
    struct form_tally *terms;
    size_t n_terms, terms_cap;
};

static int write_form(struct writing *w, const struct buf *form,
                      const struct form_tally *t, struct cooc_err *err)
{
    struct best_form *b = &w->best[t->term];
    uint32_t len = (uint32_t)form->len;
    int rc;

    if (w->n == UINT32_MAX - 1)
        return err_set(err, COOC_ELIMIT,
                       "more than 2^32 word forms are not supported");
    if (b->form == NO_FORM || t->tokens > b->tokens ||
        (t->tokens == b->tokens && len < b->len))
        *b = (struct best_form){ .tokens = t->tokens, .form = w->n,
                                 .len = len };
    w->n++;
    rc = files_writer_name(&w->out, FILE_FORMS, form->data, len, err);
    if (rc == 0)
        rc = checked_file_write_u32(w->out.files[FILE_FORMS_TERM], &t->term, 1,
                                    err);
    if (rc == 0)
        rc = checked_file_write_u64(w->out.files[FILE_FORMS_NUM], &t->tokens, 1,
                                    err);
    return rc;
}

static int by_term(const void *x, const void *y)
{
    const struct form_tally *a = x, *b = y;

    return (a->term > b->term) - (a->term < b->term);
}

/* Write a form, all records of which have been merged. */
static int end_form(struct writing *w, const struct buf *form,
                    struct cooc_err *err)
{
    int rc = 0;

    if (w->n_terms > 1 && !w->mixed)
        return err_option(err, COOC_EINVAL, "accept_rules",
                          "the stores have different stems for '%.*s' because "
                          "their stemmers differ; index all documents with "
                          "one version, or accept the difference",
                          form->len > 100 ? 100 : (int)form->len, form->data);
    if (w->n_terms > 1)
        qsort(w->terms, w->n_terms, sizeof *w->terms, by_term);
    for (size_t i = 0; i < w->n_terms && rc == 0; i++)
        rc = write_form(w, form, &w->terms[i], err);
    w->n_terms = 0;
    return rc;
}

static int add_tokens(struct writing *w, uint32_t term, uint64_t tokens,
                      struct cooc_err *err)
{
    size_t i = 0;
    int rc = array_grow(&w->terms, &w->terms_cap, w->n_terms + 1,
                        sizeof *w->terms, err);

    if (rc < 0)
        return rc;
    while (i < w->n_terms && w->terms[i].term != term)
        i++;
    if (i == w->n_terms)
        w->terms[w->n_terms++] = (struct form_tally){ .term = term };
    w->terms[i].tokens += tokens;
    return 0;
}

static int merge_forms(struct writing *w, const struct ingested *g,
                       const struct ordering *o, const struct index_job *job,
                       struct cooc_err *err)
{
    struct names_merge in;
    uint64_t asked = 0;
    int rc = names_merge_open(&in, g->forms.items, g->forms.n, &g->names_file,
                              job->memory, err);

    while (rc == 0 && in.n) {
        const struct names_cursor *c = names_merge_least(&in);
        uint32_t term = o->maps[o->first[c->names->owner] + c->now.id];

        if (in.is_new)
            rc = end_form(w, &in.last, err);
        if (rc == 0 && term != TERM_NONE)
            rc = add_tokens(w, term, c->now.number, err);
        if (rc == 0)
            rc = names_merge_next(&in, err);
        if (rc == 0 && ++asked % ASK_EVERY == 0)
            rc = watch_add(job->watch, 0, 0, 0, err);
    }
    if (rc == 0)
        rc = end_form(w, &in.last, err);
    names_merge_close(&in);
    return rc;
}

static int write_labels(struct writing *w, uint32_t n_terms,
                        struct cooc_err *err)
{
    int rc = 0;

    for (uint32_t t = 0; t < n_terms && rc == 0; t++)
        rc = w->best[t].form != NO_FORM
                 ? checked_file_write_u32(w->out.files[FILE_LABELS],
                                          &w->best[t].form, 1, err)
                 : err_set(err, COOC_EFORMAT,
                           "a store is damaged: term %u has no surface form; "
                           "check the stores", t);
    return rc;
}

int forms_write(const struct ingested *g, const struct ordering *o,
                const struct index_job *job, struct cooc_err *err)
{
    struct writing w = { .mixed = job->mixed };
    int rc = files_writer_open(&w.out, job->dir, FILE_FORMS, FILE_LABELS, err);

    w.best = mem_array(o->n_terms, sizeof *w.best);
    if (rc == 0 && !w.best)
        rc = err_nomem(err);
    for (uint32_t t = 0; t < o->n_terms && rc == 0; t++)
        w.best[t] = (struct best_form){ .form = NO_FORM };
    if (rc == 0)
        rc = merge_forms(&w, g, o, job, err);
    if (rc == 0)
        rc = write_labels(&w, o->n_terms, err);
    mem_free(w.best);
    mem_free(w.terms);
    return files_writer_end(&w.out, rc, job->ids, err);
}
