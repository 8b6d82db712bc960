/* multi_scan.c - count a hundred rows at a time: scan all documents repeatedly.
 *
 * The idea.  Without an inverted index, each scan of the documents counts the
 * rows of a group of `a` terms, the primary keys of this scan.  Each of them
 * has its own table of counters:
 *
 *     for each group [lo, lo + a) of terms
 *         for each document
 *             for each term t of it in the group
 *                 for each term s < t of it
 *                     table[t][s] += 1
 *         emit the tables
 *
 * Example.  a = 2   d0 = {0,1,3}   d1 = {0,2,3}   d2 = {1,2}
 *     scan for terms 0 and 1:  row 1: 0->1
 *     scan for terms 2 and 3:  row 2: 0->1 1->1   row 3: 0->2 1->1 2->1
 *
 * The position in each document moves forward from group to group.  When the
 * last term of a document has been counted, the document leaves the scan.
 *
 * Cost.  One increment per pair per document, and at most V/a scans over the
 * documents that are not yet finished.  Memory: `a` tables of V counters.
 *
 * Threads.  Groups of rows are independent; each job scans the
 * documents for itself.
 *
 * When.  Never clearly the fastest; it needs no inverted index.
 *
 * After "multi-scan" in Billerbeck et al., arXiv 2007.08709 (2020).
 */
#include "base/err.h"
#include "base/mem.h"
#include "count/method.h"
#include "rows/accum.h"

/* A document that has terms left to count. */
struct active_doc {
    uint32_t doc, position;
};

struct scan {
    const struct count_job *job;
    struct active_doc *docs;
    uint32_t n;
    struct accum *tables;
    uint32_t n_tables;
};

/* The memory with a single table. */
static struct count_need need(const struct count_size *size)
{
    return (struct count_need){
        .worker = (uint64_t)size->docs * sizeof(struct active_doc) +
                  accum_bytes(size->terms, size->longest_row)
    };
}

/* The requested number of tables, or as many as fit in memory. */
static uint32_t choose_tables(const struct count_job *job)
{
    uint32_t a = job->params.accumulators, rows = job->last - job->first;
    uint64_t docs = (uint64_t)job->fwd.n * sizeof(struct active_doc);
    uint64_t fit = job->params.memory > docs ? job->params.memory - docs : 0;

    fit /= accum_bytes(job->last, job->last);
    fit = fit ? fit : 1;
    a = a < rows ? a : rows;
    return a < fit ? a : (uint32_t)fit;
}

static int scan_init(struct scan *s, const struct count_job *job,
                     struct cooc_err *err)
{
    int rc = 0;

    *s = (struct scan){ .job = job, .n_tables = choose_tables(job) };
    s->docs = mem_array(job->fwd.n, sizeof *s->docs);
    s->tables = mem_zarray(s->n_tables, sizeof *s->tables);
    if (!s->docs || !s->tables)
        return err_nomem(err);
    for (uint32_t i = 0; i < s->n_tables && rc == 0; i++)
        rc = accum_init(&s->tables[i], job->last, err);
    for (uint32_t d = 0; d < job->fwd.n; d++) {
        size_t before;

        terms_before(&job->fwd, d, job->first, &before);
        if (before < job->fwd.off[d + 1] - job->fwd.off[d])
            s->docs[s->n++] =
                (struct active_doc){ .doc = d, .position = (uint32_t)before };
    }
    return rc;
}

static void scan_release(struct scan *s)
{
    for (uint32_t i = 0; s->tables && i < s->n_tables; i++)
        accum_release(&s->tables[i]);
    mem_free(s->tables);
    mem_free(s->docs);
}

/* Scan the documents once, for the primary keys [lo, hi). */
static int scan_once(struct scan *s, uint32_t lo, uint32_t hi,
                     struct cooc_err *err)
{
    const struct lists *fwd = &s->job->fwd;
    uint64_t work = 0;
    uint32_t kept = 0;
    int rc = 0;

    for (uint32_t i = 0; i < s->n && rc == 0; i++) {
        struct active_doc a = s->docs[i];
        const uint32_t *terms = fwd->ids + fwd->off[a.doc];
        uint32_t len = (uint32_t)(fwd->off[a.doc + 1] - fwd->off[a.doc]);

        for (; a.position < len && terms[a.position] < hi && rc == 0;
             a.position++)
            rc = accum_add(&s->tables[terms[a.position] - lo], terms,
                           a.position, err);
        if (a.position < len)
            s->docs[kept++] = a;
        if (rc == 0)
            rc = job_go_on(s->job, &work, len, err);
    }
    s->n = kept;
    return rc;
}

static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    struct scan s;
    int rc = scan_init(&s, job, err);

    for (uint32_t lo = job->first, hi; lo < job->last && rc == 0; lo = hi) {
        hi = job->last - lo > s.n_tables ? lo + s.n_tables : job->last;
        rc = scan_once(&s, lo, hi, err);
        for (uint32_t t = lo; t < hi && rc == 0; t++) {
            struct accum *table = &s.tables[t - lo];
            size_t n = 0;

            rc = accum_take(table, t, &n, err);
            if (rc == 0)
                rc = out->row(out->self, t, table->entries, n, err);
        }
    }
    scan_release(&s);
    return rc;
}

const struct count_method count_multi_scan = {
    .about = { "multi-scan",
               "scan all documents once for every hundred terms" },
    .by_rows = true,
    .need = need,
    .run = run,
};
