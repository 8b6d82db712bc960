/* forms.c - surface forms: one set of dictionaries per worker, then one merge.
 *
 *     ingest   list words in byte order with their numbers of tokens; variants
 *              in the thesaurus count for their preferred form, in a second
 *              dictionary
 *     merge    equal forms of all dictionaries come one after the other: add
 *              up their tokens and look up the final id of their term
 *     write    number the forms, remember the best form of each term, and
 *              write them to their place
 *
 * Each job merges a range of names, and numbers its forms when all forms before
 * them are numbered, as in term_merge.c.
 *
 * Cost.  One addition per token (term_extractor.c).  Memory: 20 bytes per term
 * for the best forms; the forms themselves are streamed.
 */
#include "index/forms.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/turns.h"
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
#define FULL ((size_t)1 << 20) /* bytes of names in a buffer */

/* Forms that a worker has merged but not yet written. */
struct form_buffer {
    struct buf text, ends, terms, nums; /* u64, u32 and u64 per form */
    uint32_t n;
    bool has_turn;
    /* Terms of the current form: nearly always one. */
    struct form_tally *now;
    size_t n_now, now_cap;
};

struct writing {
    const struct ingested *g;
    const struct ordering *o;
    const struct index_job *job;
    struct files_writer *out;
    struct names_range *ranges;
    struct form_buffer *buffers; /* by worker */
    struct turns turns;
    /* The forms of all jobs that had their turn. */
    uint32_t n;
    uint64_t text_bytes;
    struct best_form *best; /* by term */
};

/* Number the forms of a buffer, beginning with w->n; it is its turn. */
static int number_forms(struct writing *w, const struct form_buffer *b,
                        struct cooc_err *err)
{
    const uint64_t *ends = (const void *)b->ends.data;
    const uint64_t *nums = (const void *)b->nums.data;
    const uint32_t *terms = (const void *)b->terms.data;

    if (b->n >= UINT32_MAX - 1 - w->n)
        return err_set(err, COOC_ELIMIT,
                       "more than 2^32 word forms are not supported");
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t len = (uint32_t)(ends[i] - (i ? ends[i - 1] : 0));
        struct best_form *best = &w->best[terms[i]];

        if (best->form == NO_FORM || nums[i] > best->tokens ||
            (nums[i] == best->tokens && len < best->len))
            *best = (struct best_form){ .tokens = nums[i], .form = w->n + i,
                                        .len = len };
    }
    w->n += b->n;
    w->text_bytes += b->text.len;
    return 0;
}

/* Write the forms of a buffer; the first is form `first`, and its name begins
 * at byte at. */
static int put_forms(const struct writing *w, const struct form_buffer *b,
                     uint64_t first, uint64_t at, struct cooc_err *err)
{
    struct placed_file *const *out = w->out->files;
    uint64_t *ends = (uint64_t *)(void *)b->ends.data;
    int rc = placed_file_put(out[FILE_FORMS], at, b->text.data, b->text.len,
                             err);

    for (uint32_t i = 0; i < b->n; i++)
        ends[i] += at;
    if (rc == 0)
        rc = placed_file_put_u64(out[FILE_FORMS_OFF], (first + 1) * 8, ends,
                                 b->n, err);
    if (rc == 0)
        rc = placed_file_put_u32(out[FILE_FORMS_TERM], first * 4,
                                 (const void *)b->terms.data, b->n, err);
    if (rc == 0)
        rc = placed_file_put_u64(out[FILE_FORMS_NUM], first * 8,
                                 (const void *)b->nums.data, b->n, err);
    return rc;
}

/* Write and empty the buffer.  The last call of a job passes the turn on. */
static int flush(struct writing *w, struct form_buffer *b, uint64_t job,
                 bool last, int rc, struct cooc_err *err)
{
    uint64_t first = 0, at = 0;
    bool go = b->has_turn || turns_wait(&w->turns, job);

    b->has_turn = true;
    go = go && rc == 0 && b->n;
    if (go) {
        first = w->n;
        at = w->text_bytes;
        rc = number_forms(w, b, err);
    }
    if (last)
        turns_pass(&w->turns, rc);
    if (go && rc == 0)
        rc = put_forms(w, b, first, at, err);
    b->text.len = b->ends.len = b->terms.len = b->nums.len = 0;
    b->n = 0;
    return rc;
}

static int add_form(struct form_buffer *b, const struct buf *form,
                    const struct form_tally *t, struct cooc_err *err)
{
    int rc = buf_add(&b->text, form->data, form->len, err);
    uint64_t end = b->text.len;

    if (rc == 0)
        rc = buf_add(&b->ends, &end, sizeof end, err);
    if (rc == 0)
        rc = buf_add(&b->terms, &t->term, sizeof t->term, err);
    if (rc == 0)
        rc = buf_add(&b->nums, &t->tokens, sizeof t->tokens, err);
    b->n += rc == 0;
    return rc;
}

static int by_term(const void *x, const void *y)
{
    const struct form_tally *a = x, *b = y;

    return (a->term > b->term) - (a->term < b->term);
}

/* Add a form, all records of which have been merged. */
static int end_form(struct form_buffer *b, const struct buf *form, bool mixed,
                    struct cooc_err *err)
{
    int rc = 0;

    if (b->n_now > 1 && !mixed)
        return err_option(err, COOC_EINVAL, "accept_rules",
                          "the stores have different stems for '%.*s' because "
                          "their stemmers differ; index all documents with "
                          "one version, or accept the difference",
                          form->len > 100 ? 100 : (int)form->len, form->data);
    if (b->n_now > 1)
        qsort(b->now, b->n_now, sizeof *b->now, by_term);
    for (size_t i = 0; i < b->n_now && rc == 0; i++)
        rc = add_form(b, form, &b->now[i], err);
    b->n_now = 0;
    return rc;
}

static int add_tokens(struct form_buffer *b, uint32_t term, uint64_t tokens,
                      struct cooc_err *err)
{
    size_t i = 0;
    int rc = array_grow(&b->now, &b->now_cap, b->n_now + 1, sizeof *b->now,
                        err);

    if (rc < 0)
        return rc;
    while (i < b->n_now && b->now[i].term != term)
        i++;
    if (i == b->n_now)
        b->now[b->n_now++] = (struct form_tally){ .term = term };
    b->now[i].tokens += tokens;
    return 0;
}

static int merge_range(void *self, unsigned worker, uint64_t job,
                       struct cooc_err *err)
{
    struct writing *w = self;
    struct form_buffer *b = &w->buffers[worker];
    struct names_merge in;
    uint64_t asked = 0;
    int rc = names_merge_open(&in, w->g->forms.items, w->g->forms.n,
                              &w->g->names_file, w->ranges[job],
                              w->job->memory / w->job->threads, err);

    b->has_turn = false;
    while (rc == 0 && in.n) {
        const struct names_cursor *c = names_merge_least(&in);
        uint32_t term = w->o->maps[w->o->first[c->names->owner] + c->now.id];

        if (in.is_new)
            rc = end_form(b, &in.last, w->job->mixed, err);
        if (rc == 0 && (b->text.len > FULL || b->ends.len > FULL))
            rc = flush(w, b, job, false, rc, err);
        if (rc == 0 && term != TERM_NONE)
            rc = add_tokens(b, term, c->now.number, err);
        if (rc == 0)
            rc = names_merge_next(&in, err);
        if (rc == 0 && ++asked % ASK_EVERY == 0)
            rc = watch_add(w->job->watch, 0, 0, 0, err);
    }
    if (rc == 0)
        rc = end_form(b, &in.last, w->job->mixed, err);
    names_merge_close(&in);
    return flush(w, b, job, true, rc, err);
}

static int merge_forms(struct writing *w, struct cooc_err *err)
{
    unsigned threads = w->job->threads;
    size_t n = 0;
    int rc = names_split(&w->ranges, &n, w->g->forms.items, w->g->forms.n,
                         err);

    w->buffers = mem_zarray(threads, sizeof *w->buffers);
    if (rc == 0)
        rc = w->buffers ? pool_for(n, threads, merge_range, w, err)
                        : err_nomem(err);
    for (unsigned i = 0; i < threads && w->buffers; i++) {
        struct form_buffer *b = &w->buffers[i];

        buf_release(&b->text);
        buf_release(&b->ends);
        buf_release(&b->terms);
        buf_release(&b->nums);
        mem_free(b->now);
    }
    mem_free(w->buffers);
    mem_free(w->ranges);
    return rc;
}

static int write_labels(struct writing *w, struct cooc_err *err)
{
    uint32_t n = w->o->n_terms, *labels = mem_array(n, sizeof *labels);
    int rc = labels ? 0 : err_nomem(err);

    for (uint32_t t = 0; t < n && rc == 0; t++)
        if ((labels[t] = w->best[t].form) == NO_FORM)
            rc = err_set(err, COOC_EFORMAT,
                         "a store is damaged: term %u has no surface form; "
                         "check the stores", t);
    if (rc == 0)
        rc = placed_file_put_u32(w->out->files[FILE_LABELS], 0, labels, n,
                                 err);
    mem_free(labels);
    return rc;
}

int forms_write(const struct ingested *g, const struct ordering *o,
                const struct index_job *job, struct files_writer *out,
                struct cooc_err *err)
{
    struct writing w = { .g = g, .o = o, .job = job, .out = out,
                         .turns = TURNS_INIT };
    int rc = files_writer_open(out, job->dir, FILE_FORMS, FILE_LABELS, err);

    w.best = mem_array(o->n_terms, sizeof *w.best);
    if (rc == 0 && !w.best)
        rc = err_nomem(err);
    for (uint32_t t = 0; t < o->n_terms && rc == 0; t++)
        w.best[t] = (struct best_form){ .form = NO_FORM };
    if (rc == 0)
        rc = merge_forms(&w, err);
    if (rc == 0)
        rc = write_labels(&w, err);
    mem_free(w.best);
    return rc;
}
