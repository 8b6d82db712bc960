/* check.c - cooc_check(): verify every byte of a store.
 *
 *     files      every checksum
 *     documents  offsets, order; forward and inverted index have the same
 *                postings
 *     terms      names in byte order, ids by frequency, ties by name; the
 *                label of each term is its most frequent form
 *     rows       decode, encode again to the same bytes, order, sums; omitted
 *                rows are recomputed, and are exactly those that may be omitted
 *     totals     pairs of each shard; sum of all counts = sum of n(n-1)/2
 */
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sized.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "count/plan.h"
#include "index/labels.h"
#include "store/seal.h"
#include "store/store.h"

#define ROWS_AT_ONCE 4096u /* omitted rows per job */

static int check_files(const struct store *s, struct cooc_check_report *r,
                       struct watch *watch, struct cooc_err *err)
{
    uint32_t n = COLLECTION_FILES +
                 (s->manifest.counted ? s->manifest.n_shards : 0);
    int rc = 0;

    for (uint32_t i = 0; i < n && rc == 0; i++) {
        struct checked_file *b = i < COLLECTION_FILES ? s->docs.files[i] : NULL;

        if (i >= COLLECTION_FILES)
            rc = store_shard(s, i - COLLECTION_FILES, &b, err);
        if (rc < 0)
            return rc;
        if (!b)
            continue; /* an optional file */
        rc = checked_file_verify(b, watch, err);
        r->files++;
        r->bytes += checked_file_size(b);
    }
    return rc;
}

/* Compare the names of terms a and b: *cmp is < 0, 0 or > 0. */
static int compare_names(const struct collection *c, uint32_t a, uint32_t b,
                         int *cmp, struct cooc_err *err)
{
    const char *s, *t;
    size_t n, m;
    int rc = collection_term(c, a, &s, &n, err);

    if (rc == 0)
        rc = collection_term(c, b, &t, &m, err);
    if (rc == 0)
        *cmp = bytes_compare(s, n, t, m);
    return rc;
}

static int check_terms(const struct collection *c, const struct lists *inv,
                       struct cooc_err *err)
{
    uint32_t id, last = 0;
    int rc = 0, cmp = 0;

    for (uint32_t i = 0; i < c->n_terms && rc == 0; i++) {
        rc = collection_sorted(c, i, &id, err);
        if (rc == 0 && i)
            rc = compare_names(c, last, id, &cmp, err);
        if (rc == 0 && i && cmp >= 0)
            rc = err_path(err, COOC_EFORMAT,
                          checked_file_path(c->files[FILE_TERMS_SORT]),
                          "is damaged: entry %u is out of order", i);
        last = id;
    }
    for (uint32_t t = 1; t < c->n_terms && rc == 0; t++) {
        uint64_t df = inv->off[t + 1] - inv->off[t];
        uint64_t before = inv->off[t] - inv->off[t - 1];

        cmp = -1;
        if (df == before)
            rc = compare_names(c, t - 1, t, &cmp, err);
        if (rc == 0 && (df > before || df == 0 || cmp >= 0))
            rc = err_path(err, COOC_EFORMAT,
                          checked_file_path(c->files[FILE_TERMS]),
                          "is damaged: term %u is not numbered by frequency",
                          t);
    }
    return rc;
}

/* Whether form f is a better label than form g; ties by position. */
static bool is_better(const struct form *f, uint32_t f_at,
                      const struct form *g, uint32_t g_at)
{
    if (f->tokens != g->tokens)
        return f->tokens > g->tokens;
    return f->len != g->len ? f->len < g->len : f_at < g_at;
}

/* Check that forms are in byte order, and that the label of each term is the
 * best of its forms. */
static int check_forms(const struct collection *c, struct cooc_err *err)
{
    struct form f, last = { 0 }, label;
    uint32_t at;
    int rc = 0;

    for (uint32_t t = 0; c->labels && t < c->n_terms && rc == 0; t++) {
        rc = collection_label_form(c, t, &at, &label, err);
        if (rc == 0 && label.term != t)
            rc = err_path(err, COOC_EFORMAT,
                          checked_file_path(c->files[FILE_LABELS]),
                          "is damaged: the label of term %u is a form of term "
                          "%u", t, label.term);
    }
    for (uint32_t i = 0; i < c->n_forms && rc == 0; i++, last = f) {
        int cmp;

        rc = collection_form(c, i, &f, err);
        if (rc == 0)
            rc = collection_label_form(c, f.term, &at, &label, err);
        if (rc < 0)
            break;
        cmp = i ? bytes_compare(last.name, last.len, f.name, f.len) : -1;
        if (cmp > 0 || (cmp == 0 && last.term >= f.term))
            rc = err_path(err, COOC_EFORMAT,
                          checked_file_path(c->files[FILE_FORMS]),
                          "is damaged: form %u is out of order", i);
        else if (is_better(&f, i, &label, at))
            rc = err_path(err, COOC_EFORMAT,
                          checked_file_path(c->files[FILE_LABELS]),
                          "is damaged: the label of term %u is not its most "
                          "frequent form", f.term);
    }
    return rc;
}

/* Check the names of documents.  Any bytes are valid, so this
 * checks offsets only. */
static int check_documents(const struct collection *c, struct cooc_err *err)
{
    int rc = 0;

    for (uint32_t d = 0; d < c->n_docs && rc == 0; d++) {
        const char *name;
        size_t len;

        rc = collection_doc_name(c, d, &name, &len, err);
    }
    return rc;
}

struct row_check {
    const struct store *s;
    const char *path;
    const struct count_plan *plan;
    const struct lists *fwd, *inv;
    struct watch *watch;
    struct bulk_rows bulk;
    struct worker {
        struct row_reader reader;
        struct buf again; /* a row that was encoded again */
        uint64_t pairs, omitted, increments;
    } *workers;
};

static int check_row(const struct row_check *k, struct worker *w, uint32_t t,
                     uint64_t *sum, struct cooc_err *err)
{
    uint64_t df = k->inv->off[t + 1] - k->inv->off[t];
    struct row_reader *r = &w->reader;
    struct buf *again = &w->again;
    const uint8_t *code;
    size_t len;
    bool bad;
    int rc = store_row_code(k->s, t, &code, &len, err);

    if (rc == 0)
        rc = store_row(k->s, t, r, err);
    again->len = 0;
    if (rc == 0 && t < rows_written(&k->s->manifest))
        rc = row_encode(again, r->entries, r->n, &r->scratch, err);
    if (rc < 0)
        return rc;
    *sum = 0;
    bad = len != again->len || (len && memcmp(code, again->data, len) != 0);
    for (size_t i = 0; i < r->n; i++) {
        *sum += r->entries[i].count;
        bad |= r->entries[i].count > df;
    }
    if (bad)
        return err_path(err, COOC_EFORMAT, store_row_path(k->s, t),
                        "is damaged: row %u is not in its canonical form", t);
    if (*sum != k->plan->cost[t])
        return err_path(err, COOC_EFORMAT, store_row_path(k->s, t),
                        "is damaged: the counts of row %u add up to %llu, but "
                        "its documents say %llu", t, (unsigned long long)*sum,
                        (unsigned long long)k->plan->cost[t]);
    return 0;
}

/* Whether row t is the prefix of a single document, which has already been
 * verified.  Checking these rows would be slow: a document with 200,000 terms
 * that occur nowhere else has 20 billion pairs in them. */
static bool is_prefix(const struct row_check *k, uint32_t t)
{
    return t >= rows_written(&k->s->manifest) &&
           k->inv->off[t + 1] - k->inv->off[t] == 1;
}

/* Check rows [first, last) and count their pairs. */
static int check_range(const struct row_check *k, struct worker *w,
                       uint32_t first, uint32_t last, uint64_t *pairs,
                       struct cooc_err *err)
{
    uint64_t since = 0; /* increments not yet reported */
    int rc = 0;

    *pairs = 0;
    for (uint32_t t = first; t < last && rc == 0; t++) {
        uint64_t sum = k->plan->cost[t];

        if (is_prefix(k, t))
            *pairs += sum;
        else {
            rc = check_row(k, w, t, &sum, err);
            *pairs += w->reader.n;
        }
        w->increments += sum;
        since += sum;
        if (rc == 0 && (since > 1 << 24 || t + 1 == last)) {
            rc = watch_add(k->watch, since, 0, 0, err);
            since = 0;
        }
    }
    w->pairs += *pairs;
    return rc;
}

static int wrong_pairs(const char *path, const char *what, uint64_t pairs,
                       uint64_t want, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, path,
                    "is damaged: %s %llu pairs, but the manifest says %llu",
                    what, (unsigned long long)pairs, (unsigned long long)want);
}

/* Check that the seal of a shard agrees with the manifest. */
static int check_seal(const struct store *s, uint32_t shard,
                      struct cooc_err *err)
{
    const struct manifest *m = &s->manifest;
    const struct shard_info *info = &m->shards[shard];
    const struct row_source from = { seal_collection(m->files),
                                     m->omitted.df };
    struct shard_info sealed = { .first = info->first, .last = info->last };
    struct checked_file *b;
    int rc = store_shard(s, shard, &b, err);

    if (rc == 0)
        rc = seal_check(b, &sealed, &from, err);
    if (rc == 0 && sealed.pairs != info->pairs)
        rc = err_path(err, COOC_EFORMAT, checked_file_path(b),
                      "is damaged: its seal does not match the manifest");
    return rc;
}

/* A job is one shard, or ROWS_AT_ONCE omitted rows. */
static int check_job(void *self, unsigned worker, uint64_t job,
                     struct cooc_err *err)
{
    const struct row_check *k = self;
    const struct manifest *m = &k->s->manifest;
    struct worker *w = &k->workers[worker];
    uint32_t first;
    uint64_t pairs;
    int rc;

    if (job < m->n_shards) {
        const struct shard_info *info = &m->shards[job];

        rc = check_range(k, w, info->first, info->last, &pairs, err);
        if (rc == 0 && pairs != info->pairs)
            rc = wrong_pairs(store_row_path(k->s, info->first), "it has",
                             pairs, info->pairs, err);
        return rc;
    }
    first = rows_written(m) + (uint32_t)(job - m->n_shards) * ROWS_AT_ONCE;
    rc = check_range(k, w, first,
                     m->terms - first > ROWS_AT_ONCE ? first + ROWS_AT_ONCE
                                                     : m->terms,
                     &pairs, err);
    w->omitted += pairs;
    return rc;
}

/* Check that rows are omitted if and only if their df allows it.  (store_row()
 * rejects omitted rows of a larger df.) */
static int check_threshold(const struct store *s, const struct lists *inv,
                           struct cooc_err *err)
{
    const struct manifest *m = &s->manifest;
    uint32_t n = rows_written(m);

    if (n && inv->off[n] - inv->off[n - 1] <= m->omitted.df)
        return err_path(err, COOC_EFORMAT, store_row_path(s, n - 1),
                        "is damaged: row %u is stored, but rows of terms in "
                        "at most %u documents are omitted", n - 1,
                        m->omitted.df);
    return 0;
}

/* Check that omitted.df is the requested df, unless it was chosen by cost. */
static int check_omitted_df(const struct manifest *m, const char *path,
                        struct cooc_err *err)
{
    uint32_t asked = m->written == COOC_ROWS_FULL ? 1 : m->compact_df;

    if (asked && m->omitted.df > 1 && m->omitted.df != asked)
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: rows of terms in at most %u documents "
                        "are omitted, but the manifest says %u", m->omitted.df,
                        asked);
    return 0;
}

/* Check every row.  Adds the totals to *r and the pairs in omitted
 * rows to *omitted. */
static int check_each(struct row_check *k, unsigned threads,
                      uint64_t *omitted, struct cooc_check_report *r,
                      struct cooc_err *err)
{
    const struct manifest *m = &k->s->manifest;
    uint64_t ranges = (m->omitted.rows + ROWS_AT_ONCE - 1ull) / ROWS_AT_ONCE;
    int rc;

    k->workers = mem_zarray(threads, sizeof *k->workers);
    if (!k->workers)
        return err_nomem(err);
    for (unsigned i = 0; i < threads; i++)
        k->workers[i].reader.bulk = &k->bulk;
    rc = m->omitted.df < 2 ? 0
                           : bulk_rows_init(&k->bulk, k->fwd, k->inv,
                                            memory_half() / 4, threads,
                                            k->watch, err);
    if (rc == 0)
        rc = pool_for(m->n_shards + ranges, threads, check_job, k, err);
    for (unsigned i = 0; i < threads; i++) {
        struct worker *w = &k->workers[i];

        r->pairs += w->pairs;
        r->increments += w->increments;
        *omitted += w->omitted;
        row_reader_release(&w->reader);
        buf_release(&w->again);
    }
    bulk_rows_close(&k->bulk);
    mem_free(k->workers);
    return rc;
}

static int check_rows(struct row_check *k, unsigned threads,
                      struct cooc_check_report *r, struct cooc_err *err)
{
    const struct manifest *m = &k->s->manifest;
    uint64_t omitted = 0;
    int rc = check_threshold(k->s, k->inv, err);

    if (rc == 0)
        rc = check_each(k, threads ? threads : pool_cores(), &omitted, r,
                        err);
    if (rc < 0)
        return rc;
    if (omitted != m->omitted.pairs)
        return wrong_pairs(k->path, "omitted rows have", omitted,
                           m->omitted.pairs, err);
    r->rows = m->terms;
    if (r->increments != m->increments)
        return err_path(err, COOC_EFORMAT, k->path,
                        "is damaged: all counts add up to %llu, but the "
                        "documents say %llu", (unsigned long long)r->increments,
                        (unsigned long long)m->increments);
    for (uint32_t i = 0; i < m->n_shards && rc == 0; i++)
        rc = check_seal(k->s, i, err);
    return rc < 0 ? rc : check_omitted_df(m, k->path, err);
}

int cooc_check(const char *path, unsigned threads,
               const struct cooc_watch *hook,
               struct cooc_check_report *report, struct cooc_err *err)
{
    struct cooc_check_report own = { 0 };
    struct count_plan plan = { 0 };
    struct lists fwd, inv;
    struct store s;
    struct watch watch;
    struct workdir workdir;
    int rc = workdir_begin(&workdir, err);

    if (rc == 0)
        rc = sized_check(report, "check report", err);
    if (rc == 0)
        rc = pool_check(threads, err);
    if (rc == 0)
        rc = store_open(&s, path, true, err);
    workdir_end(&workdir); /* all files are open */
    if (rc < 0)
        return rc;
    rc = watch_init(&watch, hook, err);
    watch_phase(&watch, "checking files", "bytes", 0);
    if (rc == 0)
        rc = check_files(&s, &own, &watch, err);
    s.docs.watch = &watch;
    if (rc == 0)
        rc = collection_load(&s.docs, &fwd, &inv, threads, err);
    if (rc == 0)
        rc = check_terms(&s.docs, &inv, err);
    if (rc == 0)
        rc = check_forms(&s.docs, err);
    if (rc == 0)
        rc = check_documents(&s.docs, err);
    if (rc == 0)
        rc = count_plan_init(&plan, &fwd, s.manifest.terms, err);
    if (rc == 0 && plan.total != s.manifest.increments)
        rc = err_path(err, COOC_EFORMAT, path,
                      "is damaged: the lengths of the documents do not match "
                      "the manifest");
    if (rc == 0 && s.manifest.counted) {
        watch_phase(&watch, "checking rows", "increments", plan.total);
        rc = check_rows(&(struct row_check){ .s = &s, .path = path,
                                             .plan = &plan, .fwd = &fwd,
                                             .inv = &inv, .watch = &watch },
                        threads, &own, err);
    }
    count_plan_release(&plan);
    watch_release(&watch);
    store_close(&s);
    sized_write(report, &own, sizeof own);
    return library_alloc_end(rc, err);
}
