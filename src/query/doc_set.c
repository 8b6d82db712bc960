/* doc_set.c - the documents that contain all, or any, of several terms. */
#include "query/doc_set.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "index/intersect.h"
#include "query/scratch.h"

/* Merge two sorted lists, with each document once. */
static uint64_t union_of(const uint32_t *a, uint64_t n, const uint32_t *b,
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
                     enum cooc_match match, struct doc_space *space,
                     struct cooc_err *err)
{
    uint64_t most = match == COOC_MATCH_ANY ? s->n + n : s->n < n ? s->n : n;
    int to = s->docs == space->list[0];
    int rc = array_grow(&space->list[to], &space->cap[to], (size_t)most + 1,
                        sizeof *space->list[to], err);

    if (rc < 0)
        return rc;
    if (match == COOC_MATCH_ANY)
        s->n = union_of(s->docs, s->n, docs, n, space->list[to]);
    else
        s->n = intersect((struct list){ s->docs, s->docs + s->n },
                         (struct list){ docs, docs + n }, space->list[to]);
    s->docs = space->list[to];
    return 0;
}

int doc_set_find(struct doc_set *s, const struct cooc *db,
                 const uint32_t *terms, size_t n_terms, enum cooc_match match,
                 struct doc_space *space, struct cooc_err *err)
{
    int rc = n_terms ? 0 : err_set(err, COOC_EINVAL,
                                   "no term given; give at least one");

    *s = (struct doc_set){ .term = n_terms == 1 ? *terms : COOC_NO_TERM };
    if (match != COOC_MATCH_ALL && match != COOC_MATCH_ANY)
        rc = err_set(err, COOC_EINVAL, "unknown kind of match %d", (int)match);
    for (size_t i = 0; i < n_terms && rc == 0; i++) {
        const uint32_t *docs;
        uint64_t n;

        rc = collection_term_docs(&db->store.docs, terms[i], &docs, &n, err);
        if (rc == 0 && i) {
            rc = join_list(s, docs, n, match, space, err);
        } else if (rc == 0) {
            s->docs = docs;
            s->n = n;
        }
    }
    return rc;
}

int cooc_docs_into(struct cooc_scratch *s, struct cooc *db,
                   const uint32_t *terms, size_t n_terms,
                   enum cooc_match match, const uint32_t **docs, size_t *n,
                   struct cooc_err *err)
{
    struct doc_set found;
    int rc = doc_set_find(&found, db, terms, n_terms, match, &s->docs, err);

    *docs = rc < 0 ? NULL : found.docs;
    *n = rc < 0 ? 0 : (size_t)found.n;
    return rc;
}

int cooc_docs(struct cooc *db, const uint32_t *terms, size_t n_terms,
              enum cooc_match match, uint32_t **docs, size_t *n,
              struct cooc_err *err)
{
    const uint32_t *found;
    struct cooc_scratch *s;
    int rc = scratch_get(&s, db, err);

    *docs = NULL;
    *n = 0;
    if (rc == 0)
        rc = cooc_docs_into(s, db, terms, n_terms, match, &found, n, err);
    if (rc == 0)
        rc = scratch_copy(docs, found, *n, sizeof *found, err);
    if (rc < 0)
        *n = 0;
    scratch_put(s, db);
    return rc;
}
