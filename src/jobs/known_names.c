/* known_names.c - a hash per added document, sorted; each old name is searched
 * for by its hash, and compared only if a hash is equal. */
#include "jobs/known_names.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "index/collection.h"

#define ASK_EVERY 65536u

struct named {
    uint64_t hash;
    uint32_t doc;
    bool known;
};

struct search {
    const struct collection *added;
    struct named *names; /* ascending by hash, then by document */
    size_t n;
};

static int by_hash(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return (x->doc > y->doc) - (x->doc < y->doc);
}

/* The name of a document from standard input: "-" or "-:LINE". */
static bool is_nameless(const char *name, size_t len)
{
    return !len || (name[0] == '-' && (len == 1 || name[1] == ':'));
}

static int hash_names(struct search *s, struct cooc_err *err)
{
    const char *name;
    size_t len;
    int rc = 0;

    for (uint32_t d = 0; d < s->added->n_docs && rc == 0; d++) {
        rc = collection_doc_name(s->added, d, &name, &len, err);
        if (rc == 0 && !is_nameless(name, len))
            s->names[s->n++] = (struct named){ XXH3_64bits(name, len), d,
                                               false };
    }
    qsort(s->names, s->n, sizeof *s->names, by_hash);
    return rc;
}

/* Mark the added documents with this name. */
static int mark(struct search *s, const char *name, size_t len,
                struct cooc_err *err)
{
    uint64_t hash = XXH3_64bits(name, len);
    size_t from = 0, to = s->n;
    int rc = 0;

    while (from < to) {
        size_t mid = from + (to - from) / 2;

        if (s->names[mid].hash < hash)
            from = mid + 1;
        else
            to = mid;
    }
    for (; from < s->n && s->names[from].hash == hash && rc == 0; from++) {
        const char *other;
        size_t n;

        rc = collection_doc_name(s->added, s->names[from].doc, &other, &n, err);
        if (rc == 0 && n == len && !memcmp(other, name, len))
            s->names[from].known = true;
    }
    return rc;
}

static int warn(const struct search *s, const char *store, struct watch *watch,
                struct cooc_err *err)
{
    uint32_t first = UINT32_MAX;
    uint64_t n = 0;
    const char *name;
    size_t len;
    int rc = 0;

    for (size_t i = 0; i < s->n; i++) {
        n += s->names[i].known;
        if (s->names[i].known && s->names[i].doc < first)
            first = s->names[i].doc;
    }
    if (n)
        rc = collection_doc_name(s->added, first, &name, &len, err);
    if (n && rc == 0)
        watch_warn(watch,
                   "%" PRIu64 " of %" PRIu32 " added documents %s of %.150s, "
                   "and both are counted; the first is '%.*s'", n,
                   s->added->n_docs,
                   n == 1 ? "has the name of a document"
                          : "have the names of documents", store,
                   len > 100 ? 100 : (int)len, name);
    return rc;
}

int known_names_report(const struct collection *old,
                       const struct collection *added, const char *store,
                       struct watch *watch, struct cooc_err *err)
{
    struct search s = { .added = added };
    const char *name;
    size_t len;
    int rc;

    s.names = mem_array(added->n_docs, sizeof *s.names);
    rc = s.names ? hash_names(&s, err) : err_nomem(err);
    for (uint32_t d = 0; d < old->n_docs && s.n && rc == 0; d++) {
        rc = collection_doc_name(old, d, &name, &len, err);
        if (rc == 0)
            rc = mark(&s, name, len, err);
        if (rc == 0 && d % ASK_EVERY == 0)
            rc = watch_add(watch, 0, 0, 0, err);
    }
    if (rc == 0)
        rc = warn(&s, store, watch, err);
    mem_free(s.names);
    return rc;
}
