/* wanted_terms.c - which terms a choice is about. */
#include "query/wanted_terms.h"

#include "base/err.h"
#include "base/mem.h"

uint32_t wanted_below(const struct wanted_terms *f, uint64_t df)
{
    uint32_t low = 0, n = f->n;

    while (low < n) {
        uint32_t mid = low + (n - low) / 2;

        if (wanted_df(f, mid) < df)
            n = mid;
        else
            low = mid + 1;
    }
    return low;
}

void wanted_limit(struct wanted_terms *f, uint64_t min_df, uint64_t max_df)
{
    uint32_t last = wanted_below(f, min_df);
    uint32_t first = max_df < UINT64_MAX ? wanted_below(f, max_df + 1) : 0;

    f->first = first > f->first ? first : f->first;
    f->last = last < f->last ? last : f->last;
}

int wanted_terms_init(struct wanted_terms *f, const struct cooc *db,
                      const struct cooc_choice *c, struct cooc_err *err)
{
    const struct collection *docs = &db->store.docs;
    uint32_t n = docs->n_terms;
    const void *off = NULL;
    int rc = blob_get(docs->files[FILE_INVERTED_OFF], 0,
                      ((uint64_t)n + 1) * 8, &off, err);

    *f = (struct wanted_terms){ .n = n, .last = n, .off = off };
    if (rc < 0)
        return rc;
    wanted_limit(f, c->min_df, c->max_df ? c->max_df : UINT64_MAX);
    if (!c->n_exclude)
        return 0;
    f->excluded = mem_zarray((size_t)n / 64 + 1, sizeof *f->excluded);
    if (!f->excluded)
        return err_nomem(err);
    for (size_t i = 0; i < c->n_exclude; i++) {
        uint32_t t = c->exclude[i];

        if (t >= n) {
            wanted_terms_release(f);
            return err_set(err, COOC_EINVAL, "there is no term %u", t);
        }
        f->excluded[t >> 6] |= (uint64_t)1 << (t & 63);
    }
    return 0;
}

void wanted_terms_release(struct wanted_terms *f)
{
    mem_free(f->excluded);
    *f = (struct wanted_terms){ 0 };
}
