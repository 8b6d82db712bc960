/* scratch.c - the memory that the queries of one thread reuse. */
#include "query/scratch.h"

#include <stdatomic.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

int cooc_scratch_new(struct cooc_scratch **out, struct cooc_err *err)
{
    *out = mem_zarray(1, sizeof **out);
    return *out ? 0 : err_nomem(err);
}

void cooc_scratch_free(struct cooc_scratch *s)
{
    if (!s)
        return;
    partners_release(&s->partners);
    mem_free(s->rank.hits);
    mem_free(s->rank.excluded);
    mem_free(s->docs.list[0]);
    mem_free(s->docs.list[1]);
    mem_free(s->entries);
    mem_free(s);
}

int scratch_ready(struct cooc_scratch *s, const struct cooc *db,
                  struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    struct partners *p = &s->partners;

    if (s->n_terms != c->n_terms || s->n_docs != c->n_docs) {
        partners_release(p);
        s->n_terms = c->n_terms;
        s->n_docs = c->n_docs;
    }
    return doc_terms_init(&p->docs, c->n_terms, err);
}

int scratch_get(struct cooc_scratch **out, struct cooc *db,
                struct cooc_err *err)
{
    *out = atomic_exchange(&db->spare, NULL);
    if (!*out) {
        int rc = cooc_scratch_new(out, err);

        if (rc < 0)
            return rc;
    }
    return scratch_ready(*out, db, err);
}

void scratch_put(struct cooc_scratch *s, struct cooc *db)
{
    if (s)
        cooc_scratch_free(atomic_exchange(&db->spare, s));
}

int scratch_copy(void *out, const void *items, size_t n, size_t size,
                 struct cooc_err *err)
{
    void *copy = mem_array(n, size);

    if (!copy)
        return err_nomem(err);
    if (n)
        memcpy(copy, items, n * size);
    memcpy(out, &copy, sizeof copy);
    return 0;
}
