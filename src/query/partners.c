/* partners.c - everything that stands in some documents, counted. */
#include "query/partners.h"

#include "base/err.h"
#include "base/mem.h"

int partners_init(struct partners *p, struct cooc *db, struct cooc_err *err)
{
    *p = (struct partners){ 0 };
    pthread_mutex_lock(&db->lock);
    p->acc = db->spare;
    db->spare = (struct accum){ 0 };
    pthread_mutex_unlock(&db->lock);
    return p->acc.counts ? 0
                         : accum_init(&p->acc, db->store.docs.n_terms, err);
}

void partners_release(struct partners *p, struct cooc *db)
{
    struct accum old;

    pthread_mutex_lock(&db->lock);
    old = db->spare;
    db->spare = p->acc;
    pthread_mutex_unlock(&db->lock);
    accum_release(&old);
    *p = (struct partners){ 0 };
}

int partners_of_docs(struct partners *p, const struct cooc *db,
                     const uint32_t *docs, uint64_t n_docs,
                     struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    const uint32_t *terms;
    uint64_t len;
    size_t n = 0;
    int rc = 0;

    accum_begin(&p->acc, c->n_terms, /* a forged store may have none */
                n_docs ? n_docs * (c->n_postings / c->n_docs) : 0);
    for (uint64_t i = 0; i < n_docs && rc == 0; i++) {
        rc = collection_doc(c, docs[i], &terms, &len, err);
        if (rc == 0)
            rc = accum_add(&p->acc, terms, (size_t)len, err);
    }
    if (rc == 0)
        rc = accum_take(&p->acc, c->n_terms, &n, err);
    if (rc < 0)
        accum_release(&p->acc); /* not all zero: of no use any more */
    p->entries = p->acc.entries;
    p->n = n;
    return rc;
}

int partners_of_term(struct partners *p, const struct cooc *db, uint32_t x,
                     struct cooc_err *err)
{
    const uint32_t *docs;
    uint64_t n_docs;
    int rc = collection_term_docs(&db->store.docs, x, &docs, &n_docs, err);

    return rc < 0 ? rc : partners_of_docs(p, db, docs, n_docs, err);
}

int cooc_row(struct cooc *db, uint32_t x, struct cooc_entry **entries,
             size_t *n, struct cooc_err *err)
{
    struct partners p;
    int rc = partners_init(&p, db, err);

    *entries = NULL;
    *n = 0;
    if (rc == 0)
        rc = partners_of_term(&p, db, x, err);
    if (rc == 0) {
        *entries = mem_array(p.n, sizeof **entries);
        rc = *entries ? 0 : err_nomem(err);
    }
    for (size_t i = 0; i < p.n && rc == 0; i++)
        if (p.entries[i].term != x)
            (*entries)[(*n)++] = p.entries[i];
    partners_release(&p, db);
    return rc;
}

void cooc_row_free(struct cooc_entry *entries)
{
    mem_free(entries);
}
