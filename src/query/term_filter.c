/* term_filter.c - which terms a choice is about. */
#include "query/term_filter.h"

#include "base/err.h"
#include "base/mem.h"

uint32_t term_filter_below(const struct term_filter *f, uint64_t df)
{
    uint32_t low = 0, n = f->n;

    while (low < n) {
        uint32_t mid = low + (n - low) / 2;

        if (term_filter_df(f, mid) < df)
            n = mid;
        else
            low = mid + 1;
    }
    return low;
}

int term_filter_init(struct term_filter *f, const struct cooc *db,
                     const struct cooc_choice *c, struct cooc_err *err)
{
    const struct collection *docs = &db->store.docs;
    uint32_t n = docs->n_terms;
    const void *off;
    int rc = blob_get(docs->files[FILE_INVERTED_OFF], 0,
                      ((uint64_t)n + 1) * 8, &off, err);

    *f = (struct term_filter){ .n = n, .last = n, .off = off };
    if (rc < 0)
        return rc;
    if (c->min_df)
        f->last = term_filter_below(f, c->min_df);
    if (c->max_df && c->max_df < UINT64_MAX)
        f->first = term_filter_below(f, c->max_df + 1);
    if (!c->n_exclude)
        return 0;
    f->excluded = mem_zarray((size_t)n / 64 + 1, sizeof *f->excluded);
    if (!f->excluded)
        return err_nomem(err);
    for (size_t i = 0; i < c->n_exclude; i++) {
        uint32_t t = c->exclude[i];

        if (t >= n) {
            term_filter_release(f);
            return err_set(err, COOC_EINVAL, "there is no term %u", t);
        }
        f->excluded[t >> 6] |= (uint64_t)1 << (t & 63);
    }
    return 0;
}

void term_filter_release(struct term_filter *f)
{
    mem_free(f->excluded);
    *f = (struct term_filter){ 0 };
}
