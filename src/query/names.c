/* names.c - exact lookups: from a name to the id of its term or document.
 *
 * Terms are kept in byte order, so a term is found by binary search.  Documents
 * are in the order in which they were read; the first lookup builds a hash
 * table of their numbers, 6 to 12 bytes per document, which later lookups only
 * read.
 */
#include <string.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/mem.h"
#include "query/db.h"

struct doc_names {
    uint32_t *slots; /* document number + 1; 0: empty */
    size_t mask;
};

int cooc_term_id(struct cooc *db, const char *name, size_t len,
                 uint32_t *term, bool *found, struct cooc_err *err)
{
    int there = 0, rc;

    rc = db_shown_as(db, false, len ? name : "", len, term, &there, err);
    *found = rc == 0 && there;
    return rc;
}

/* Find the slot of a name, or the empty slot for it. */
static int find_slot(const struct cooc *db, const struct doc_names *d,
                     const char *name, size_t len, size_t *at,
                     struct cooc_err *err)
{
    *at = (size_t)XXH3_64bits(name, len) & d->mask;
    for (; d->slots[*at]; *at = (*at + 1) & d->mask) {
        const char *other;
        size_t n;
        int rc = collection_doc_name(&db->store.docs, d->slots[*at] - 1,
                                     &other, &n, err);

        if (rc < 0)
            return rc;
        if (n == len && memcmp(other, name, len) == 0)
            break;
    }
    return 0;
}

/* Add all documents; of several with the same name, only the first. */
static int add_all(const struct cooc *db, struct doc_names *d,
                   struct cooc_err *err)
{
    int rc = 0;

    for (uint32_t doc = 0; doc < db->store.docs.n_docs && rc == 0; doc++) {
        const char *name;
        size_t len, at;

        rc = collection_doc_name(&db->store.docs, doc, &name, &len, err);
        if (rc == 0)
            rc = find_slot(db, d, name, len, &at, err);
        if (rc == 0 && !d->slots[at])
            d->slots[at] = doc + 1;
    }
    return rc;
}

static int make_names(struct doc_names **out, const struct cooc *db,
                      struct cooc_err *err)
{
    struct doc_names *d = mem_zarray(1, sizeof *d);
    size_t n = 4;
    int rc;

    *out = NULL;
    if (!d)
        return err_nomem(err);
    while (n / 3 * 2 < db->store.docs.n_docs)
        n *= 2;
    d->mask = n - 1;
    d->slots = mem_zarray(n, sizeof *d->slots);
    rc = d->slots ? add_all(db, d, err) : err_nomem(err);
    if (rc == 0)
        *out = d;
    else
        doc_names_free(d);
    return rc;
}

void doc_names_free(struct doc_names *d)
{
    if (!d)
        return;
    mem_free(d->slots);
    mem_free(d);
}

int cooc_document_id(struct cooc *db, const char *name, size_t len,
                     uint32_t *doc, bool *found, struct cooc_err *err)
{
    const struct doc_names *d;
    size_t at = 0;
    int rc = 0;

    *found = false;
    pthread_mutex_lock(&db->lock);
    if (!db->doc_names)
        rc = make_names(&db->doc_names, db, err);
    d = db->doc_names;
    pthread_mutex_unlock(&db->lock);
    if (rc == 0)
        rc = find_slot(db, d, name, len, &at, err);
    if (rc < 0)
        return rc;
    *found = d->slots[at] != 0;
    if (*found)
        *doc = d->slots[at] - 1;
    return 0;
}
