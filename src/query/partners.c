/* partners.c - count the terms of some documents, or read a row. */
#include "query/partners.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "query/scratch.h"

/* Nanoseconds, measured on court opinions, HTML pages and diplomatic papers
 * (18,600 to 40,000 documents of 162 to 614 terms); see choose_row(). */
#define NS_SWEEP 0.5      /* count an id; counters are swept (accum.h) */
#define NS_TOUCH 2.0      /* count an id and mark its counter */
#define NS_DOCUMENT 500.0 /* reach a document */
#define NS_SEEK 40.0      /* find the place of a term in a document */
#define NS_ROW 10000.0    /* reach a row: its first use verifies two blocks,
                           * 15,000 each, later uses cost next to nothing */
#define NS_PAIR 1.0       /* decode a pair, of the most that a row can have */

/* Postings of terms [first, last) in the documents, if these are like all
 * others. */
static int expect_ids(const struct collection *c, const struct doc_set *docs,
                      uint32_t first, uint32_t last, double *ids,
                      struct cooc_err *err)
{
    struct checked_file *off = c->files[FILE_INVERTED_OFF];
    const void *low, *high;
    int rc = checked_file_get(off, (uint64_t)first * 8, 8, &low, err);

    if (rc == 0)
        rc = checked_file_get(off, (uint64_t)last * 8, 8, &high, err);
    *ids = 0;
    if (rc == 0 && docs->n)
        *ids = (double)(*(const uint64_t *)high - *(const uint64_t *)low) *
               (double)docs->n / c->n_docs;
    return rc;
}

/* Is it cheaper to read the row of a term t than to count the terms [first, t)
 * of its documents?  The documents are needed anyway if there are terms after
 * t to be counted (rest).
 *
 * Microseconds for all partners of a term in 20,000 court opinions, blocks
 * verified: its documents alone; its row and the rest of its documents.
 *
 *     df            6679   2583   1297    371     92     20      4
 *     documents     6147   3187   1024    275     89     42     13
 *     row, rest     5769   2459    703    190     61     22      8
 *
 * With few documents the first use of the row costs more than it saves.  The
 * commoner partners alone, for which no document is read:
 *
 *     documents     4460   2334    663    225    133    105     41
 *     row              6     15     27     63    101     72     35
 */
static int choose_row(const struct cooc *db, const struct doc_set *docs,
                      uint32_t first, bool rest, bool *row,
                      struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    uint32_t t = docs->term;
    double df = (double)docs->n, ids, scan, read;
    int rc;

    *row = first < t && t < rows_written(&db->store.manifest) &&
           db->store.manifest.counted && db->row_use != ROW_NEVER;
    if (!*row || db->row_use == ROW_ALWAYS)
        return 0;
    rc = expect_ids(c, docs, first, t, &ids, err);
    scan = ids * (ids < c->n_terms / 8.0 ? NS_TOUCH : NS_SWEEP);
    read = NS_ROW + fmin(first + ids, t) * NS_PAIR;
    if (rest)
        read += df * NS_SEEK;
    else
        scan += df * NS_DOCUMENT;
    *row = read < scan;
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

/* Count the terms [first, last) of the documents. */
static int scan(struct partners *p, const struct cooc *db,
                const struct doc_set *docs, uint32_t first, uint32_t last,
                size_t *n, struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    const uint32_t *terms;
    double ids = 0;
    uint64_t len;
    int rc = expect_ids(c, docs, first, last, &ids, err);

    accum_begin(&p->acc, last, ids < last ? (uint64_t)ids : last);
    for (uint64_t i = 0; i < docs->n && rc == 0; i++) {
        rc = collection_doc(c, docs->docs[i], &terms, &len, err);
        if (rc == 0) {
            size_t from = ids_below(terms, (size_t)len, first);
            size_t to = last < c->n_terms ? ids_below(terms, (size_t)len, last)
                                          : (size_t)len;

            rc = accum_add(&p->acc, terms + from, to - from, err);
        }
    }
    if (rc == 0)
        rc = accum_take(&p->acc, last, n, err);
    if (rc < 0)
        accum_release(&p->acc); /* its counters are not zero */
    return rc;
}

int partners_of_docs(struct partners *p, const struct cooc *db,
                     const struct doc_set *docs, uint32_t first,
                     uint32_t last, struct cooc_err *err)
{
    struct row_reader *r = &p->row;
    bool rest = docs->term == COOC_NO_TERM || docs->term + 1 < last, row;
    size_t n = 0;
    int rc;

    r->n = 0;
    p->n = 0;
    if (first >= last)
        return 0;
    rc = choose_row(db, docs, first, rest, &row, err);
    if (rc == 0 && row) {
        rc = read_row(p, db, docs, err);
        first = docs->term + 1;
    }
    if (rc == 0 && first < last)
        rc = scan(p, db, docs, first, last, &n, err);
    p->entries = p->acc.entries;
    if (rc == 0 && r->n) { /* append what was counted to the row */
        rc = array_grow(&r->decoded, &r->cap, r->n + n, sizeof *r->decoded,
                        err);
        if (rc == 0 && n)
            memcpy(r->decoded + r->n, p->acc.entries, n * sizeof *r->decoded);
        p->entries = r->decoded;
    }
    p->n = r->n + n;
    return rc;
}

int partners_of_term(struct partners *p, const struct cooc *db, uint32_t x,
                     struct cooc_err *err)
{
    struct doc_set docs;
    int rc = doc_set_find(&docs, db, &x, 1, COOC_MATCH_ALL, NULL, err);

    return rc < 0 ? rc
                  : partners_of_docs(p, db, &docs, 0, db->store.docs.n_terms,
                                     err);
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
