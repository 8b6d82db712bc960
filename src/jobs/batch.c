/* batch.c - load a range of documents, renumber its terms, invert its lists. */
#include "jobs/batch.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/sort.h"

static uint64_t doc_length(const struct lists *fwd, uint32_t d)
{
    uint64_t n = fwd->off[d + 1] - fwd->off[d];

    return n < 2 ? 0 : n; /* a single term has no pairs */
}

void batch_cut(struct batch *b, const struct lists *fwd, uint32_t first,
               const struct budget *budget)
{
    uint32_t d = first;

    *b = (struct batch){ .first = first,
                         .zone = budget->size.terms < budget->zone
                                     ? budget->size.terms
                                     : budget->zone };
    for (; d < fwd->n; d++) {
        uint64_t n = doc_length(fwd, d), tails;
        size_t before = 0;

        if (!n)
            continue;
        terms_before(fwd, d, b->zone, &before);
        tails = n - before;
        if (b->docs && (b->postings + n > UINT32_MAX || /* see tail_key() */
                        !budget_fits(budget, b->docs + 1, b->postings + n,
                                     b->tails + tails)))
            break;
        b->docs++;
        b->postings += n;
        b->tails += tails;
    }
    b->last = d;
}

int batch_ends_init(struct batch_ends *e, const struct lists *fwd,
                    const struct budget *budget, struct cooc_err *err)
{
    struct batch b = { 0 };
    size_t cap = 0;
    int rc = 0;

    *e = (struct batch_ends){ 0 };
    for (uint32_t d = 0; d < fwd->n && rc == 0; d = b.last) {
        batch_cut(&b, fwd, d, budget);
        lists_forget(fwd, d, b.last);
        if (!b.docs)
            break;
        rc = array_grow(&e->last, &cap, (size_t)e->n + 1, sizeof *e->last,
                        err);
        if (rc == 0)
            e->last[e->n++] = b.last;
    }
    return rc;
}

void batch_ends_release(struct batch_ends *e)
{
    mem_free(e->last);
    *e = (struct batch_ends){ 0 };
}

/* Sort key of a position in the batch's forward lists with a term beyond the
 * zone.  The position must be below 2^32. */
static uint64_t tail_key(uint32_t term, uint64_t place)
{
    return (uint64_t)term << 32 | place;
}

static void copy_documents(struct batch *b, const struct lists *fwd,
                           uint64_t *tails)
{
    uint64_t at = 0, n_tails = 0;
    uint32_t doc = 0;

    for (uint32_t d = b->first; d < b->last; d++) {
        const uint32_t *terms = fwd->ids + fwd->off[d];
        uint64_t n = doc_length(fwd, d);

        if (!n)
            continue;
        memcpy(b->fwd + at, terms, n * sizeof *terms);
        for (uint64_t i = n; i > 0 && terms[i - 1] >= b->zone; i--)
            tails[n_tails++] = tail_key(terms[i - 1], at + i - 1);
        at += n;
        b->fwd_off[++doc] = at;
    }
}

/* Copy the documents and renumber the terms beyond the zone, in the same
 * order. */
static int name_tails(struct batch *b, const struct lists *fwd,
                      struct cooc_err *err)
{
    size_t n = (size_t)b->tails;
    uint64_t *tails = mem_array(n, sizeof *tails);
    uint64_t *tmp = mem_array(n, sizeof *tmp);
    int rc = tails && tmp ? 0 : err_nomem(err);

    if (rc == 0) {
        copy_documents(b, fwd, tails);
        sort_u64(tails, tmp, n);
        mem_free(tmp);
        tmp = NULL;
        b->names = mem_array(n, sizeof *b->names);
        rc = b->names ? 0 : err_nomem(err);
    }
    for (size_t i = 0; i < n && rc == 0; i++) {
        uint32_t term = (uint32_t)(tails[i] >> 32);

        if (!b->n_names || b->names[b->n_names - 1] != term)
            b->names[b->n_names++] = term;
        b->fwd[(uint32_t)tails[i]] = b->zone + b->n_names - 1;
    }
    mem_free(tails);
    mem_free(tmp);
    return rc;
}

/* Invert the forward lists by a counting sort.  While the lists are filled,
 * inv_off[t] is the position of the next document of t; afterwards it is
 * shifted back to the start of list t. */
static int invert(struct batch *b, struct cooc_err *err)
{
    uint32_t n_terms = b->zone + b->n_names;

    b->inv_off = mem_zarray((size_t)n_terms + 1, sizeof *b->inv_off);
    b->inv = mem_array(b->postings, sizeof *b->inv);
    if (!b->inv_off || !b->inv)
        return err_nomem(err);
    for (uint64_t i = 0; i < b->postings; i++)
        b->inv_off[b->fwd[i] + 1]++;
    for (uint32_t t = 0; t < n_terms; t++)
        b->inv_off[t + 1] += b->inv_off[t];
    for (uint32_t d = 0; d < b->docs; d++)
        for (uint64_t i = b->fwd_off[d]; i < b->fwd_off[d + 1]; i++)
            b->inv[b->inv_off[b->fwd[i]]++] = d;
    for (uint32_t t = n_terms; t > 0; t--)
        b->inv_off[t] = b->inv_off[t - 1];
    b->inv_off[0] = 0;
    b->inverted = (struct lists){ .off = b->inv_off, .ids = b->inv,
                                  .n = n_terms };
    return 0;
}

/* The first term of the batch that is not before term t of the collection. */
static uint32_t batch_place(const struct batch *b, uint32_t t)
{
    return t <= b->zone
               ? t : b->zone + (uint32_t)search_u32(b->names, b->n_names, t);
}

static int make_plan(struct batch *b, const uint32_t *cuts, uint32_t n_shards,
                     struct cooc_err *err)
{
    struct count_plan *p = &b->plan;
    int rc = count_plan_costs(p, &b->forward, b->inverted.n, err);

    if (rc < 0)
        return rc;
    p->n_shards = n_shards;
    p->cuts = mem_array((size_t)n_shards + 1, sizeof *p->cuts);
    if (!p->cuts)
        return err_nomem(err);
    for (uint32_t i = 0; i <= n_shards; i++)
        p->cuts[i] = batch_place(b, cuts[i]);
    return 0;
}

int batch_load(struct batch *b, const struct lists *fwd,
               const uint32_t *cuts, uint32_t n_shards, struct cooc_err *err)
{
    int rc;

    b->fwd_off = mem_zarray((size_t)b->docs + 1, sizeof *b->fwd_off);
    b->fwd = mem_array(b->postings, sizeof *b->fwd);
    if (!b->fwd_off || !b->fwd)
        return err_nomem(err);
    rc = name_tails(b, fwd, err);
    lists_forget(fwd, b->first, b->last);
    if (rc == 0)
        rc = invert(b, err);
    if (rc < 0)
        return rc;
    b->forward = (struct lists){ .off = b->fwd_off, .ids = b->fwd,
                                 .n = b->docs };
    return make_plan(b, cuts, n_shards, err);
}

void batch_release(struct batch *b)
{
    mem_free(b->names);
    mem_free(b->fwd_off);
    mem_free(b->inv_off);
    mem_free(b->fwd);
    mem_free(b->inv);
    count_plan_release(&b->plan);
    *b = (struct batch){ 0 };
}
