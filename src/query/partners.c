/* partners.c - read a row, look up pairs, or count the terms of documents. */
#include "query/partners.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "query/scratch.h"

/* Nanoseconds, measured on court opinions (20,000 documents of 614 terms). */
#define NS_ROW 1000.0    /* reach a row */
#define NS_PAIR 1.0      /* decode a pair; a row is assumed to be full */
#define NS_BLOCK 10000.0 /* verify a block; a row needs two */
#define ROW_BYTES 0.5    /* of a row, per column */

void partners_release(struct partners *p)
{
    doc_terms_release(&p->docs);
    row_reader_release(&p->row);
    mem_free(p->found);
    *p = (struct partners){ 0 };
}

/* Decide whether reading the row of a term t is cheaper than counting the terms
 * [first, t) of its documents.  If there are terms after t to be counted
 * (rest), only the difference matters. */
static int choose_row(const struct cooc *db, const struct doc_set *docs,
                      uint32_t first, uint32_t last, bool rest, bool *row,
                      struct cooc_err *err)
{
    uint32_t t = docs->term;
    double scan = 0, all = 0, after = 0, ids = 0, other, fresh;
    int rc;

    *row = first < t && t < rows_written(&db->store.manifest) &&
           db->store.manifest.counted && db->row_use != ROW_NEVER;
    if (!*row || db->row_use == ROW_ALWAYS)
        return 0;
    rc = doc_terms_cost(db, docs, first, t, &scan, &ids, err);
    if (rc == 0 && rest)
        rc = doc_terms_cost(db, docs, first, last, &all, &other, err);
    if (rc == 0 && rest)
        rc = doc_terms_cost(db, docs, t + 1, last, &after, &other, err);
    fresh = doc_terms_new(db, docs);
    scan = rest ? all - after : scan + fresh * doc_terms_verify(db, docs);
    *row = NS_ROW + fresh * 2 * NS_BLOCK + fmin(first + ids, t) * NS_PAIR <
           scan;
    return rc;
}

static int read_row(struct partners *p, const struct cooc *db,
                    const struct doc_set *docs, struct cooc_err *err)
{
    uint32_t most = 0;
    int rc = store_row(&db->store, docs->term, &p->row, err);

    for (size_t i = 0; i < p->row.n && rc == 0; i++)
        most = p->row.entries[i].count > most ? p->row.entries[i].count : most;
    return rc < 0 || most <= docs->n ? rc
                                     : db_bad_count(db, docs->term, err);
}

/* Decide whether looking up the pairs of t and each of the terms [first, last),
 * which are rarer than t, is cheaper than counting the terms of the documents
 * of t. */
static int choose_pairs(const struct cooc *db, const struct doc_set *docs,
                        uint32_t first, uint32_t last, bool *pairs,
                        struct cooc_err *err)
{
    struct cooc_pair p;
    double scan = 0, ids, fresh, blocks, n = last - first;
    int rc = 0;

    *pairs = docs->term != COOC_NO_TERM && docs->term < first &&
             db->row_use == ROW_IF_CHEAPER;
    if (*pairs)
        rc = db_pair(db, docs->term, first, &p, err);
    if (rc == 0 && *pairs)
        rc = doc_terms_cost(db, docs, first, last, &scan, &ids, err);
    if (rc < 0 || !*pairs)
        return rc;
    fresh = doc_terms_new(db, docs);
    blocks = n * last * ROW_BYTES / CHECKED_FILE_BLOCK + 1;
    *pairs = n * db_pair_cost(db, &p, last) + fresh * blocks * NS_BLOCK <
             scan + fresh * doc_terms_verify(db, docs);
    return 0;
}

static int look_up_pairs(struct partners *p, const struct cooc *db,
                         const struct doc_set *docs, uint32_t first,
                         uint32_t last, struct cooc_err *err)
{
    int rc = array_grow(&p->found, &p->found_cap, last - first,
                        sizeof *p->found, err);

    for (uint32_t s = first; s < last && rc == 0; s++) {
        struct cooc_pair pair = { 0 };

        rc = db_pair_count(db, docs->term, s, &pair, err);
        p->found[p->n] = (struct entry){ s, (uint32_t)pair.count };
        p->n += pair.count > 0;
    }
    p->entries = p->found;
    return rc;
}

int partners_in_row(struct partners *p, const struct cooc *db,
                    const struct doc_set *docs, uint32_t first, uint32_t last,
                    bool perhaps_all, uint32_t *from, struct cooc_err *err)
{
    bool rest = docs->term == COOC_NO_TERM || docs->term + 1 < last, row;
    int rc;

    p->row.n = p->n = 0;
    *from = first;
    if (first >= last)
        return 0;
    rc = choose_row(db, docs, first, last, rest && !perhaps_all, &row, err);
    if (rc < 0 || !row)
        return rc;
    rc = read_row(p, db, docs, err);
    p->entries = p->row.entries;
    p->n = p->row.n;
    *from = docs->term + 1;
    return rc;
}

int partners_in_docs(struct partners *p, const struct cooc *db,
                     const struct doc_set *docs, uint32_t first, uint32_t last,
                     struct cooc_err *err)
{
    bool pairs;
    int rc;

    p->n = 0;
    if (first >= last)
        return 0;
    rc = choose_pairs(db, docs, first, last, &pairs, err);
    if (rc == 0 && pairs)
        return look_up_pairs(p, db, docs, first, last, err);
    if (rc == 0)
        rc = doc_terms_count(&p->docs, db, docs, first, last, err);
    if (rc < 0)
        return rc;
    p->entries = p->docs.entries;
    p->n = p->docs.n;
    return 0;
}

int partners_of_term(struct partners *p, const struct cooc *db, uint32_t x,
                     struct cooc_err *err)
{
    uint32_t n_terms = db->store.docs.n_terms, first = 0;
    struct row_reader *r = &p->row;
    struct doc_set docs;
    int rc = doc_set_find(&docs, db, &x, 1, COOC_MATCH_ALL, NULL, err);

    if (rc == 0)
        rc = partners_in_row(p, db, &docs, 0, n_terms, false, &first, err);
    if (rc == 0)
        rc = partners_in_docs(p, db, &docs, first, n_terms, err);
    if (rc < 0 || !r->n)
        return rc;
    rc = array_grow(&r->decoded, &r->cap, r->n + p->n, sizeof *r->decoded,
                    err);
    if (rc == 0 && p->n)
        memcpy(r->decoded + r->n, p->entries, p->n * sizeof *r->decoded);
    p->entries = r->decoded;
    p->n += r->n;
    return rc;
}

int cooc_row_into(struct cooc_scratch *s, struct cooc *db, uint32_t x,
                  const struct cooc_entry **entries, size_t *n,
                  struct cooc_err *err)
{
    const struct partners *p = &s->partners;
    size_t found = 0;
    int rc = scratch_ready(s, db, err);

    *entries = NULL;
    *n = 0;
    if (rc == 0)
        rc = partners_of_term(&s->partners, db, x, err);
    if (rc == 0)
        rc = array_grow(&s->entries, &s->entries_cap, p->n + 1,
                        sizeof *s->entries, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < p->n; i++)
        if (p->entries[i].term != x)
            s->entries[found++] = entry_public(p->entries[i]);
    *entries = s->entries;
    *n = found;
    return 0;
}

int cooc_row(struct cooc *db, uint32_t x, struct cooc_entry **entries,
             size_t *n, struct cooc_err *err)
{
    const struct cooc_entry *found;
    struct cooc_scratch *s;
    int rc = scratch_get(&s, db, err);

    *entries = NULL;
    *n = 0;
    if (rc == 0)
        rc = cooc_row_into(s, db, x, &found, n, err);
    if (rc == 0)
        rc = scratch_copy(entries, found, *n, sizeof *found, err);
    if (rc < 0)
        *n = 0;
    scratch_put(s, db);
    return rc;
}
