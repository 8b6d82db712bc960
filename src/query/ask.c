/* ask.c - two terms: in how many documents, in which.
 *
 * A pair is the intersection of two inverted lists.
 */
#include "base/err.h"
#include "base/mem.h"
#include "index/intersect.h"
#include "query/db.h"

static int get_list(const struct cooc *db, uint32_t t, struct list *out,
                    struct cooc_err *err)
{
    const uint32_t *docs;
    uint64_t n;
    int rc = collection_term_docs(&db->store.docs, t, &docs, &n, err);

    if (rc == 0)
        *out = (struct list){ .ids = docs, .end = docs + n };
    return rc;
}

int cooc_pair(struct cooc *db, uint32_t x, uint32_t y, struct cooc_pair *out,
              struct cooc_err *err)
{
    struct list a = { 0 }, b = { 0 };
    int rc = db_pair(db, x, y, out, err);

    if (rc == 0)
        rc = get_list(db, x, &a, err);
    if (rc == 0)
        rc = get_list(db, y, &b, err);
    if (rc == 0)
        out->count = intersect(a, b, NULL);
    return rc;
}

int cooc_docs(struct cooc *db, uint32_t x, uint32_t y, uint32_t **docs,
              size_t *n, struct cooc_err *err)
{
    struct list a = { 0 }, b = { 0 };
    int rc = get_list(db, x, &a, err);
    size_t most;

    *docs = NULL;
    *n = 0;
    if (rc == 0)
        rc = get_list(db, y, &b, err);
    if (rc < 0)
        return rc;
    most = (size_t)(a.end - a.ids < b.end - b.ids ? a.end - a.ids
                                                  : b.end - b.ids);
    *docs = mem_array(most, sizeof **docs);
    if (!*docs)
        return err_nomem(err);
    *n = intersect(a, b, *docs);
    return 0;
}

void cooc_docs_free(uint32_t *docs)
{
    mem_free(docs);
}
