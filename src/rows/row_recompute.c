/* row_recompute.c - recompute omitted rows from their documents. */
#include "rows/row_recompute.h"

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"

void row_recompute_release(struct row_recompute *r)
{
    mem_free(r->odd);
    mem_free(r->entries);
    *r = (struct row_recompute){ 0 };
}

/* Get the terms before t in document d, which must contain t. */
static int get_prefix(const struct collection *c, uint32_t d, uint32_t t,
                      const uint32_t **terms, size_t *n, struct cooc_err *err)
{
    uint64_t len;
    int rc = collection_doc(c, d, terms, &len, err);

    if (rc < 0)
        return rc;
    *n = ids_below(*terms, (size_t)len, t);
    if (*n == len || (*terms)[*n] != t)
        return err_path(err, COOC_EFORMAT,
                        checked_file_path(c->files[FILE_FORWARD]),
                        "is damaged: document %u does not contain term %u, "
                        "but the inverted list of the term contains the "
                        "document", d, t);
    return 0;
}

static struct entry *copy(struct entry *to, const uint32_t *terms,
                               const uint32_t *end)
{
    while (terms < end)
        *to++ = (struct entry){ .term = *terms++, .count = 1 };
    return to;
}

/* Recompute the row of a term in at most two documents: a branch-free merge. */
static int merge(struct row_recompute *r, const struct collection *c,
                 const uint32_t *docs, uint64_t df, uint32_t t,
                 struct cooc_err *err)
{
    const uint32_t *a = NULL, *b = NULL, *a_end, *b_end;
    struct entry *e;
    size_t n = 0, m = 0;
    int rc = df > 0 ? get_prefix(c, docs[0], t, &a, &n, err) : 0;

    if (rc == 0 && df > 1)
        rc = get_prefix(c, docs[1], t, &b, &m, err);
    if (rc == 0)
        rc = array_grow(&r->entries, &r->cap, n + m, sizeof *r->entries, err);
    if (rc < 0)
        return rc;
    e = r->entries;
    a_end = n ? a + n : a;
    b_end = m ? b + m : b;
    while (a < a_end && b < b_end) {
        uint32_t x = *a, y = *b;

        *e++ = (struct entry){ .term = x < y ? x : y,
                                    .count = 1u + (x == y) };
        a += x <= y;
        b += y <= x;
    }
    e = copy(copy(e, a, a_end), b, b_end);
    r->n = (size_t)(e - r->entries);
    return 0;
}

static int make_counters(struct row_recompute *r, uint32_t n_terms,
                         struct cooc_err *err)
{
    size_t words = (size_t)n_terms / 64 + 1;

    if (r->odd)
        return 0;
    r->odd = mem_zarray(10 * words + words / 8 + 1, sizeof *r->odd);
    if (!r->odd)
        return err_nomem(err);
    r->even = r->odd + words;
    r->marks = r->even + words;
    r->counts = (uint8_t *)(r->marks + words / 8 + 1);
    return 0;
}

/* Count terms.  Neighbours in a list often share a word of the bitmap, and each
 * update would wait for the previous one to be stored; so they alternate
 * between two bitmaps. */
static void add(struct row_recompute *r, const uint32_t *terms, size_t n)
{
    uint64_t *const odd = r->odd, *const even = r->even;
    uint8_t *const counts = r->counts, *const marks = (uint8_t *)r->marks;
    size_t i = 0;

    for (; i + 1 < n; i += 2) {
        uint32_t s = terms[i], u = terms[i + 1];

        counts[s]++;
        counts[u]++;
        even[s >> 6] |= (uint64_t)1 << (s & 63);
        odd[u >> 6] |= (uint64_t)1 << (u & 63);
        marks[s >> 6] = marks[u >> 6] = 1;
    }
    if (i < n) {
        counts[terms[i]]++;
        even[terms[i] >> 6] |= (uint64_t)1 << (terms[i] & 63);
        marks[terms[i] >> 6] = 1;
    }
}

/* Append the counted terms of bitmap word w to e, and reset their counters. */
static struct entry *take_word(struct row_recompute *r, uint32_t w,
                                    struct entry *e)
{
    for (uint64_t bits = r->odd[w] | r->even[w]; bits; bits &= bits - 1) {
        uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(bits);

        *e++ = (struct entry){ .term = s, .count = r->counts[s] };
        r->counts[s] = 0;
    }
    r->odd[w] = r->even[w] = 0;
    return e;
}

/* Collect the row.  Marks are bytes and are examined eight at a time, the first
 * in the low bits. */
static void take(struct row_recompute *r, uint32_t t)
{
    struct entry *e = r->entries;

    for (uint32_t i = 0; i <= t >> 9; i++) {
        for (uint64_t m = le64toh(r->marks[i]); m; m &= m - 1)
            e = take_word(r, i * 8 + ((uint32_t)__builtin_ctzll(m) >> 3), e);
        r->marks[i] = 0;
    }
    r->n = (size_t)(e - r->entries);
}

/* Recompute the row of a term with 3 to 255 documents. */
static int count(struct row_recompute *r, const struct collection *c,
                 const uint32_t *docs, uint64_t df, uint32_t t,
                 struct cooc_err *err)
{
    size_t most = 0;
    int rc = make_counters(r, c->n_terms, err);

    for (uint64_t i = 0; i < df && rc == 0; i++) {
        const uint32_t *terms = NULL;
        size_t n = 0;

        rc = get_prefix(c, docs[i], t, &terms, &n, err);
        if (rc == 0)
            add(r, terms, n);
        most += n;
    }
    most = most < t ? most : t;
    if (rc == 0)
        rc = array_grow(&r->entries, &r->cap, most, sizeof *r->entries, err);
    if (rc < 0) {
        mem_free(r->odd); /* the counters are not all 0 */
        r->odd = NULL;
    } else {
        take(r, t);
    }
    return rc;
}

int row_recompute(struct row_recompute *r, const struct collection *c,
                  uint32_t t, uint32_t most_df, struct cooc_err *err)
{
    const uint32_t *docs;
    uint64_t df;
    int rc = collection_term_docs(c, t, &docs, &df, err);

    r->n = 0;
    if (rc < 0)
        return rc;
    if (df > most_df)
        return err_path(err, COOC_EFORMAT,
                        checked_file_path(c->files[FILE_INVERTED]),
                        "is damaged: row %u is omitted, but its term occurs "
                        "in %llu documents and only rows of terms in at most "
                        "%u may be omitted", t, (unsigned long long)df,
                        most_df);
    return df <= 2 ? merge(r, c, docs, df, t, err)
                   : count(r, c, docs, df, t, err);
}
