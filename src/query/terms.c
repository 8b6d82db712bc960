/* terms.c - list the vocabulary, or a part of it.
 *
 * Terms with the same prefix are adjacent in byte order, so a prefix, or the
 * literal beginning of a pattern, is a range of the sorted terms.
 */
#include <stdlib.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/sized.h"
#include "index/labels.h"
#include "query/db.h"
#include "query/pattern.h"

struct search {
    const struct collection *c;
    struct cooc_term_filter filter;
    struct buf prefix, like; /* folded */
    uint32_t *ids;
    size_t n, cap;
};

/* Add the term if it passes the filters.  Sets *rare if its df is below the
 * minimum. */
static int try_term(struct search *s, uint32_t id, bool *rare,
                    struct cooc_err *err)
{
    const char *name = NULL;
    size_t len = 0;
    uint64_t df;
    int rc = collection_df(s->c, id, &df, err);

    *rare = rc == 0 && df < s->filter.min_df;
    if (rc < 0 || *rare || (s->filter.max_df && df > s->filter.max_df))
        return rc;
    if (s->filter.like) {
        rc = collection_label(s->c, id, &name, &len, err);
        if (rc < 0 || !pattern_matches(s->like.data ? s->like.data : "",
                                       s->like.len, name, len))
            return rc;
    }
    rc = array_grow(&s->ids, &s->cap, s->n + 1, sizeof *s->ids, err);
    if (rc == 0)
        s->ids[s->n++] = id;
    return rc;
}

static int try_all(struct search *s, struct cooc_err *err)
{
    bool rare = false;
    int rc = 0;

    for (uint32_t id = 0; id < s->c->n_terms && rc == 0 && !rare; id++) {
        if (s->filter.limit && s->n == s->filter.limit)
            break;
        rc = try_term(s, id, &rare, err); /* later ones are rarer still */
    }
    return rc;
}

/* Find the range, in byte order, of the terms that begin with text[0..len),
 * len > 0. */
static int find_range(const struct search *s, const char *text, size_t len,
                      uint32_t *first, uint32_t *last, struct cooc_err *err)
{
    struct buf next = { 0 };
    int rc = collection_name_search(s->c, text, len, first, err);

    *last = collection_names(s->c);
    while (len && (uint8_t)text[len - 1] == 0xff)
        len--;
    if (rc == 0 && len)
        rc = buf_add(&next, text, len, err);
    if (rc == 0 && len) {
        next.data[len - 1]++; /* the smallest string without that prefix */
        rc = collection_name_search(s->c, next.data, len, last, err);
    }
    buf_release(&next);
    return rc;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Sort the terms found so far and drop those over the limit.  Then ids above
 * *bound are not wanted any more. */
static void keep_first(struct search *s, uint32_t *bound)
{
    if (s->n)
        qsort(s->ids, s->n, sizeof *s->ids, ascending);
    if (s->filter.limit && s->n >= s->filter.limit) {
        s->n = s->filter.limit;
        *bound = s->ids[s->n - 1];
    }
}

static int try_range(struct search *s, const char *text, size_t len,
                     struct cooc_err *err)
{
    enum collection_file f = s->c->labels ? FILE_FORMS_TERM : FILE_TERMS_SORT;
    uint32_t first = 0, last = 0, bound = UINT32_MAX, id;
    const uint32_t *ids = NULL;
    const void *p = NULL;
    bool rare, shown;
    int rc = find_range(s, text, len, &first, &last, err);

    if (rc == 0 && first < last)
        rc = checked_file_get(s->c->files[f], (uint64_t)first * 4,
                              (uint64_t)(last - first) * 4, &p, err);
    ids = p;
    for (uint32_t at = first; at < last && rc == 0; at++) {
        if (ids[at - first] > bound)
            continue;
        rc = collection_name_at(s->c, at, &id, &shown, err);
        if (rc == 0 && shown)
            rc = try_term(s, id, &rare, err);
        if (s->filter.limit && s->n / 2 >= s->filter.limit)
            keep_first(s, &bound);
    }
    if (rc == 0)
        keep_first(s, &bound);
    return rc;
}

static int fold(struct cooc *db, const char *text, struct buf *out,
                struct cooc_err *err)
{
    return text ? db_fold(db, text, strlen(text), out, err) : 0;
}

/* The same for the beginning of a name.  A blank at its end is the end of a
 * word of an item. */
static int fold_prefix(struct cooc *db, const char *text, struct buf *out,
                       struct cooc_err *err)
{
    size_t len = text ? strlen(text) : 0;
    int rc = fold(db, text, out, err);

    if (rc < 0 || db->store.manifest.rules.mode != TOKENS_ITEMS ||
        !out->len || !ascii_space(text[len - 1]))
        return rc;
    return buf_byte(out, ' ', err);
}

int cooc_terms(struct cooc *db, const struct cooc_term_filter *filter,
               uint32_t **ids, size_t *n, struct cooc_err *err)
{
    struct search s = { .c = &db->store.docs };
    size_t head;
    int rc;

    library_alloc_begin();
    rc = sized_read(&s.filter, sizeof s.filter, filter, "term filter", err);
    if (rc == 0)
        rc = fold_prefix(db, s.filter.prefix, &s.prefix, err);
    if (rc == 0)
        rc = fold(db, s.filter.like, &s.like, err);
    head = pattern_head(s.like.data, s.like.len);
    if (rc == 0 && s.prefix.len)
        rc = try_range(&s, s.prefix.data, s.prefix.len, err);
    else if (rc == 0 && head)
        rc = try_range(&s, s.like.data, head, err);
    else if (rc == 0)
        rc = try_all(&s, err);
    buf_release(&s.prefix);
    buf_release(&s.like);
    rc = library_alloc_end(rc, err);
    if (rc < 0) {
        mem_free(s.ids);
        s.ids = NULL;
        s.n = 0;
    }
    *ids = s.ids;
    *n = s.n;
    return rc;
}
