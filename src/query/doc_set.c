/* doc_set.c - the documents that hold several terms, all of them or any. */
#include "query/doc_set.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "index/intersect.h"

/* Both lists merged, each document once. */
static uint64_t unite(const uint32_t *a, uint64_t n, const uint32_t *b,
                      uint64_t m, uint32_t *out)
{
    uint64_t i = 0, j = 0, k = 0;

    while (i < n || j < m) {
        if (j == m || (i < n && a[i] < b[j]))
            out[k++] = a[i++];
        else if (i == n || b[j] < a[i])
            out[k++] = b[j++];
        else
            out[k++] = a[i++], j++;
    }
    return k;
}

static int join_list(struct doc_set *s, const uint32_t *docs, uint64_t n,
                     enum cooc_match join, struct cooc_err *err)
{
    uint64_t most = join == COOC_MATCH_ANY ? s->n + n : s->n < n ? s->n : n;
    uint32_t *out = mem_array((size_t)most, sizeof *out);

    if (!out)
        return err_nomem(err);
    if (join == COOC_MATCH_ANY)
        s->n = unite(s->docs, s->n, docs, n, out);
    else
        s->n = intersect((struct list){ s->docs, s->docs + s->n },
                         (struct list){ docs, docs + n }, out);
    mem_free(s->own);
    s->docs = s->own = out;
    return 0;
}

int doc_set_find(struct doc_set *s, const struct cooc *db,
                 const uint32_t *terms, size_t n_terms, enum cooc_match join,
                 struct cooc_err *err)
{
    int rc = n_terms ? 0 : err_set(err, COOC_EINVAL, "no term was given");

    *s = (struct doc_set){ .term = n_terms == 1 ? *terms : COOC_NO_TERM };
    if (join != COOC_MATCH_ALL && join != COOC_MATCH_ANY)
        rc = err_set(err, COOC_EINVAL, "match: %d is neither all nor any", (int)join);
    for (size_t i = 0; i < n_terms && rc == 0; i++) {
        const uint32_t *docs;
        uint64_t n;

        rc = collection_term_docs(&db->store.docs, terms[i], &docs, &n, err);
        if (rc == 0 && i) {
            rc = join_list(s, docs, n, join, err);
        } else if (rc == 0) {
            s->docs = docs;
            s->n = n;
        }
    }
    return rc;
}

void doc_set_release(struct doc_set *s)
{
    mem_free(s->own);
    *s = (struct doc_set){ 0 };
}

int cooc_docs(struct cooc *db, const uint32_t *terms, size_t n_terms,
                 enum cooc_match join, uint32_t **docs, size_t *n,
                 struct cooc_err *err)
{
    struct doc_set s = { 0 };
    int rc = doc_set_find(&s, db, terms, n_terms, join, err);

    *docs = NULL;
    *n = 0;
    if (rc == 0 && !s.own) { /* the list of one term */
        s.own = mem_array((size_t)s.n, sizeof *s.own);
        rc = s.own ? 0 : err_nomem(err);
        if (rc == 0)
            memcpy(s.own, s.docs, (size_t)s.n * sizeof *s.own);
    }
    if (rc == 0) {
        *docs = s.own;
        *n = (size_t)s.n;
        s.own = NULL;
    }
    doc_set_release(&s);
    return rc;
}
