/* pair_classes.c - find the terms of two classes. */
#include "query/pair_classes.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "cooc_bulk.h"
#include "query/db.h"

static int mark(struct pair_classes *c, struct cooc *db, const char *like,
                unsigned class, struct cooc_err *err)
{
    const uint8_t bit = class ? 2 : 1;
    struct cooc_list list = COOC_LIST;
    int rc = cooc_list_like(db, like, &list, err);

    for (size_t i = 0; i < list.n; i++)
        c->of[list.terms[i]] |= bit;
    c->n[class] = (uint32_t)list.n;
    mem_free(list.terms);
    if (rc == COOC_ENOTFOUND && err)
        strcpy(err->option, class ? "like2" : "like1");
    return rc;
}

int pair_classes_init(struct pair_classes *c, struct cooc *db,
                      const char *like1, const char *like2,
                      struct cooc_err *err)
{
    const char *const like[] = { like1, like2 };
    uint32_t n = db->store.docs.n_terms;
    int rc = 0;

    *c = (struct pair_classes){ .n = { n, n } };
    if (!like1 && !like2)
        return 0;
    c->of = mem_zarray((size_t)n + 1, sizeof *c->of);
    if (!c->of)
        return err_nomem(err);
    for (unsigned i = 0; i < 2 && rc == 0; i++) {
        if (like[i])
            rc = mark(c, db, like[i], i, err);
        for (uint32_t t = 0; t < n && !like[i]; t++)
            c->of[t] |= (uint8_t)(i ? 2 : 1);
    }
    if (rc < 0)
        pair_classes_release(c);
    return rc;
}

void pair_classes_release(struct pair_classes *c)
{
    mem_free(c->of);
    *c = (struct pair_classes){ 0 };
}
