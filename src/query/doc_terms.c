/* doc_terms.c - count the terms of a set of documents. */
#include "query/doc_terms.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "kernel/kernel.h"

/* Nanoseconds, measured on court opinions and HTML pages (20,000 and 40,000
 * documents of 614 and 162 terms on average). */
#define NS_SWEEP 0.5      /* count an id if counters are swept (accum.h) */
#define NS_COUNTER 0.4    /* sweep a counter */
#define NS_TOUCH 3.0      /* count an id if its counter is marked */
#define NS_DOCUMENT 500.0 /* reach a document and find a term in it */
#define NS_SUBTRACT 2.0   /* subtract the count of a term from its df */

#define NS_VERIFY 10000.0 /* verify the checksum of a block, and map it */
#define SAMPLE 32     /* documents to examine whether they are verified */
#define SHARE 0.9     /* begin to search this far before the expected place */
#define AHEAD 2u      /* documents to prefetch before they are counted */
#define GROUP 256u    /* bitmaps added at a time */
#define LINE_IDS 16u  /* ids in a cache line */

int doc_terms_init(struct doc_terms *d, uint32_t n_terms,
                   struct cooc_err *err)
{
    return d->acc.counts ? 0 : accum_init(&d->acc, n_terms, err);
}

void doc_terms_release(struct doc_terms *d)
{
    accum_release(&d->acc);
    mem_free(d->planes);
    mem_free(d->others);
    mem_free(d->left);
    *d = (struct doc_terms){ 0 };
}

/* Get the df of terms [first, last), each the difference of two offsets. */
static int get_offsets(const struct collection *c, uint32_t first,
                       uint32_t last, const uint64_t **off,
                       struct cooc_err *err)
{
    const void *p = NULL;
    int rc = checked_file_get(c->files[FILE_INVERTED_OFF],
                              (uint64_t)first * sizeof **off,
                              ((uint64_t)last - first + 1) * sizeof **off, &p,
                              err);

    *off = p;
    return rc;
}

/* Estimate the postings of terms [first, last) in n documents, assuming that
 * these are like the rest of the collection. */
static int expect_ids(const struct collection *c, uint64_t n, uint32_t first,
                      uint32_t last, double *ids, struct cooc_err *err)
{
    const uint64_t *low = NULL, *high = NULL;
    int rc = get_offsets(c, first, first, &low, err);

    if (rc == 0)
        rc = get_offsets(c, last, last, &high, err);
    *ids = 0;
    if (rc == 0 && n)
        *ids = (double)(*high - *low) * (double)n / c->n_docs;
    return rc;
}

/* Whether it is faster to count the terms of the other documents. */
static bool use_others(const struct collection *c, const struct doc_set *docs,
                       uint32_t first, uint32_t last)
{
    double more = 2 * (double)docs->n - c->n_docs;

    return more * NS_DOCUMENT > (double)(last - first) * NS_SUBTRACT;
}

int doc_terms_cost(const struct cooc *db, const struct doc_set *docs,
                   uint32_t first, uint32_t last, double *ns, double *ids,
                   struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    bool others = use_others(c, docs, first, last);
    uint64_t n = others ? c->n_docs - docs->n : docs->n;
    int rc = expect_ids(c, n, first, last, ids, err);

    *ns = (double)n * NS_DOCUMENT +
          fmin(*ids * NS_TOUCH, *ids * NS_SWEEP + last * NS_COUNTER) +
          (others ? (last - first) * NS_SUBTRACT : 0);
    return rc;
}

double doc_terms_new(const struct cooc *db, const struct doc_set *docs)
{
    const struct collection *c = &db->store.docs;
    uint64_t step = docs->n / SAMPLE + 1, n = 0, found = 0;

    for (uint64_t i = 0; i < docs->n; i += step, n++) {
        uint64_t at = (uint64_t)docs->docs[i] * 8;
        const void *off;

        found += !checked_file_seen(c->files[FILE_FORWARD_OFF], at) ||
                 checked_file_get(c->files[FILE_FORWARD_OFF], at, 8, &off,
                                  NULL) < 0 ||
                 !checked_file_seen(c->files[FILE_FORWARD],
                                    *(const uint64_t *)off * 4);
    }
    return n ? (double)found / (double)n : 0;
}

double doc_terms_verify(const struct cooc *db, const struct doc_set *docs)
{
    double blocks = (double)db->store.docs.n_postings * 4 / CHECKED_FILE_BLOCK;

    /* of n documents in random places */
    return blocks * (1 - exp(-(double)docs->n / (blocks + 1))) * NS_VERIFY;
}

/* ---- ids ---------------------------------------------------------------- */

/* How to count ids: those in [first, last), and not below width. */
struct id_range {
    const struct doc_heads *heads;
    uint32_t width, first, last;
    double share; /* of the terms of a document that are before first */
};

/* A document that will be counted soon. */
struct span {
    const uint32_t *terms;
    uint64_t n;
    uint64_t begin; /* no term before this one is wanted, most likely */
};

/* Get a document and prefetch its terms: reading them from memory is what takes
 * the time. */
static int fetch(const struct collection *c, const struct id_range *r,
                 uint32_t doc, struct span *out, struct cooc_err *err)
{
    int rc = collection_doc(c, doc, &out->terms, &out->n, err);

    if (rc < 0)
        return rc;
    if (r->width)
        out->begin = atomic_load_explicit(&r->heads->after[doc],
                                          memory_order_acquire) - 1;
    else
        out->begin = (uint64_t)((double)out->n * r->share);
    for (uint64_t i = out->begin; i < out->n; i += LINE_IDS)
        __builtin_prefetch(out->terms + i);
    return 0;
}

/* The position of the first id that is at least `first`. */
static size_t find_first(const struct span *s, uint32_t first)
{
    size_t begin = (size_t)s->begin, n = (size_t)s->n;

    if (begin < n && s->terms[begin] < first)
        return begin + ids_below(s->terms + begin, n - begin, first);
    return ids_below(s->terms, begin, first);
}

static int count_span(struct accum *acc, const struct collection *c,
                      const struct id_range *r, const struct span *s,
                      struct cooc_err *err)
{
    size_t from = (size_t)s->begin, to = (size_t)s->n;

    if (!r->width)
        from = r->first ? find_first(s, r->first) : 0;
    if (r->last < c->n_terms)
        to = ids_below(s->terms, to, r->last);
    return from < to ? accum_add(acc, s->terms + from, to - from, err) : 0;
}

static int count_ids(struct accum *acc, const struct collection *c,
                     const struct doc_set *docs, const struct id_range *r,
                     struct cooc_err *err)
{
    struct span ring[AHEAD];
    int rc = 0;

    for (uint64_t i = 0; i < docs->n + AHEAD && rc == 0; i++) {
        struct span *s = &ring[i % AHEAD];

        if (i >= AHEAD)
            rc = count_span(acc, c, r, s, err);
        if (rc == 0 && i < docs->n)
            rc = fetch(c, r, docs->docs[i], s, err);
    }
    return rc;
}

/* ---- bitmaps ------------------------------------------------------------ */

/* Add the counts of columns [64 w, 64 w + 64) that are in [first, last). */
static int add_columns(struct accum *acc, const uint64_t *planes,
                       size_t stride, unsigned bits, uint32_t w,
                       uint32_t first, uint32_t last, struct cooc_err *err)
{
    struct entry e[64];
    uint32_t counts[64] = { 0 };
    size_t n = 0;

    for (unsigned j = 0; j < bits; j++)
        for (uint32_t i = 0; i < 64; i++)
            counts[i] += (uint32_t)(planes[j * stride + w] >> i & 1) << j;
    for (uint32_t i = 0; i < 64; i++)
        if (counts[i] && w * 64 + i >= first && w * 64 + i < last)
            e[n++] = (struct entry){ .term = w * 64 + i, .count = counts[i] };
    return accum_add_entries(acc, e, n, err);
}

/* Count the terms [first, last) that are below width. */
static int count_heads(struct doc_terms *d, const struct cooc *db,
                       const struct doc_set *docs, uint32_t width,
                       uint32_t first, uint32_t last, struct cooc_err *err)
{
    const struct kernels *k = kernel_find(NULL, NULL);
    size_t apart = width / 64, begin = first / 256 * 4;
    unsigned bits = 64 - (unsigned)__builtin_clzll(docs->n);
    int rc = array_grow(&d->planes, &d->planes_cap, bits * apart,
                        sizeof *d->planes, err);

    if (rc < 0)
        return rc;
    for (uint64_t i = 0; i < docs->n; i += GROUP) {
        struct bitmap maps[GROUP];
        size_t n = docs->n - i < GROUP ? (size_t)(docs->n - i) : GROUP;

        for (size_t j = 0; j < n; j++)
            maps[j] = (struct bitmap){
                db->heads->maps + docs->docs[i + j] * apart + begin,
                apart - begin,
            };
        k->add_up(d->planes + begin, apart, bits, maps, n, apart - begin,
                  i > 0);
    }
    last = last < width ? last : width;
    for (uint32_t w = first / 64; w * 64 < last && rc == 0; w++)
        rc = add_columns(&d->acc, d->planes, apart, bits, w, first, last, err);
    return rc;
}

/* ---- all of it ---------------------------------------------------------- */

static int count(struct doc_terms *d, const struct cooc *db,
                 const struct doc_set *docs, uint32_t first, uint32_t last,
                 struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    struct id_range r = { .heads = db->heads, .first = first, .last = last };
    double ids = 0, before = 0;
    int rc = expect_ids(c, docs->n, first, last, &ids, err);

    if (rc == 0)
        rc = expect_ids(c, docs->n, 0, first, &before, err);
    if (rc == 0)
        rc = doc_heads_make(db->heads, c, docs->docs, docs->n, first,
                            &r.width, err);
    if (rc < 0)
        return rc;
    r.share = SHARE * before / (before + ids + 1);
    accum_begin(&d->acc, last, ids < last ? (uint64_t)ids : last);
    if (r.width)
        rc = count_heads(d, db, docs, r.width, first, last, err);
    if (rc == 0 && last > r.width)
        rc = count_ids(&d->acc, c, docs, &r, err);
    if (rc == 0)
        rc = accum_take(&d->acc, last, &d->n, err);
    if (rc < 0)
        accum_release(&d->acc); /* its counters are not zero */
    d->entries = d->acc.entries;
    return rc;
}

/* Find the documents that are not in the set. */
static int find_others(struct doc_terms *d, const struct collection *c,
                       const struct doc_set *docs, struct doc_set *out,
                       struct cooc_err *err)
{
    uint64_t n = c->n_docs - docs->n;
    uint32_t *to, doc = 0;
    int rc = array_grow(&d->others, &d->others_cap, (size_t)n + 1,
                        sizeof *d->others, err);

    if (rc < 0)
        return rc;
    to = d->others;
    for (uint64_t i = 0; i <= docs->n; i++, doc++)
        for (uint32_t end = i < docs->n ? docs->docs[i] : c->n_docs;
             doc < end; doc++)
            *to++ = doc;
    *out = (struct doc_set){ .term = COOC_NO_TERM, .docs = d->others, .n = n };
    return 0;
}

/* Replace the counts of terms [first, last) in the other documents by those in
 * the documents of the set. */
static int subtract(struct doc_terms *d, const struct collection *c,
                    uint32_t first, uint32_t last, struct cooc_err *err)
{
    const struct entry *e = d->entries, *end = e + d->n;
    const uint64_t *off = NULL;
    size_t n = 0;
    int rc = get_offsets(c, first, last, &off, err);

    if (rc == 0)
        rc = array_grow(&d->left, &d->left_cap, last - first, sizeof *d->left,
                        err);
    for (uint32_t t = first; t < last && rc == 0; t++) {
        uint64_t df = off[t - first + 1] - off[t - first], other = 0;

        if (e < end && e->term == t)
            other = e++->count;
        if (other > df || df > c->n_docs)
            return err_path(err, COOC_EFORMAT,
                            checked_file_path(c->files[FILE_FORWARD]),
                            "is damaged: more documents contain term %u than "
                            "its inverted list says", t);
        d->left[n] = (struct entry){ t, (uint32_t)(df - other) };
        n += df > other;
    }
    d->entries = d->left;
    d->n = n;
    return rc;
}

int doc_terms_count(struct doc_terms *d, const struct cooc *db,
                    const struct doc_set *docs, uint32_t first, uint32_t last,
                    struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    struct doc_set others;
    int rc;

    d->n = 0;
    if (!use_others(c, docs, first, last))
        return count(d, db, docs, first, last, err);
    rc = find_others(d, c, docs, &others, err);
    if (rc == 0)
        rc = count(d, db, &others, first, last, err);
    return rc < 0 ? rc : subtract(d, c, first, last, err);
}
