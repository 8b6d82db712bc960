/* naive.c - count document by document, in a dictionary of pairs.
 *
 * The idea.  For each document, look up every pair of its terms in a
 * dictionary and add one.  The dictionary soon outgrows memory, so:
 *
 *     for each document, for each pair s < t of its terms
 *         table[t, s] += 1
 *         if the table holds flush_pairs pairs: sort it, write it to a file
 *     merge the files
 *
 * Example.  d0 = {0,1,3}   d1 = {0,3}   flushed after each document
 *     file 1:  row 1: 0->1   row 3: 0->1 1->1
 *     file 2:  row 3: 0->1
 *     merged:  row 1: 0->1   row 3: 0->2 1->1
 *
 * The files are streams of one spool (base/spool.h), each piece with a
 * checksum.  They are merged FAN_IN at a time, so that windows take little
 * memory, however many there are.
 *
 * Cost.  One look-up, a cache miss, for each pair of each document, and each
 * pair is written and read again once for each file it gets into.  Memory:
 * 16 to 32 bytes for each pair held, and 24 while they are sorted.  If that
 * does not fit the memory given, the table is flushed earlier.
 *
 * Threads.  One: the order of documents is the order of the work.
 *
 * When.  Never; it is the baseline.
 *
 * After "naive" in Billerbeck et al., arXiv 2007.08709 (2020).
 */
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "count/method.h"
#include "count/pair_merge.h"
#include "count/pair_table.h"
#include "rows/row_sink.h"

#define FAN_IN 32

struct naive {
    const struct count_job *job;
    struct pair_table table;
    struct spool_file file;
    struct spool streams[FAN_IN]; /* one per flush */
    size_t n_streams;
    size_t limit;  /* pairs in the table */
    uint64_t work; /* since the watch was asked */
};

/* Where merged rows go that are not yet final. */
struct spill {
    struct naive *v;
    struct spool_writer out;
};

static int write_row(void *self, uint32_t row,
                     const struct entry *entries, size_t n,
                     struct cooc_err *err)
{
    struct spill *s = self;
    int rc = pairs_write_row(&s->out, row, entries, n, err);

    return rc < 0 ? rc : job_go_on(s->v->job, &s->v->work, n, err);
}

static void drop_streams(struct naive *v)
{
    while (v->n_streams)
        spool_drop(&v->streams[--v->n_streams], &v->file);
}

/* All streams become one. */
static int merge_streams(struct naive *v, struct cooc_err *err)
{
    struct spool one = { 0 };
    struct spill s = { .v = v, .out = { .to = &one, .file = &v->file } };
    struct row_sink sink = { .row = write_row, .self = &s };
    int rc = pairs_merge(&v->file, v->streams, v->n_streams, &sink, err);

    rc = spool_writer_end(&s.out, rc, err);
    drop_streams(v);
    v->streams[v->n_streams++] = one;
    return rc;
}

static int flush(struct naive *v, struct cooc_err *err)
{
    struct spool_writer w = { .file = &v->file };
    struct pair_record *records = NULL;
    size_t n;
    int rc = v->n_streams == FAN_IN ? merge_streams(v, err) : 0;

    if (rc == 0)
        rc = pair_table_take(&v->table, &records, &n, err);
    if (rc < 0)
        return rc;
    w.to = &v->streams[v->n_streams++];
    for (size_t i = 0, len; i < n && rc == 0; i += len) {
        rc = pairs_write_records(&w, records + i, n - i, &len, err);
        if (rc == 0)
            rc = job_go_on(v->job, &v->work, len, err);
    }
    mem_free(records);
    return spool_writer_end(&w, rc, err);
}

static int count_document(struct naive *v, uint32_t d, struct cooc_err *err)
{
    const struct lists *fwd = &v->job->fwd;
    const uint32_t *terms = fwd->ids + fwd->off[d];
    uint64_t len = fwd->off[d + 1] - fwd->off[d];

    for (uint64_t i = 1; i < len && terms[i] < v->job->last; i++) {
        int rc = 0;

        if (v->table.n + i > v->limit && v->table.n)
            rc = flush(v, err);
        if (rc == 0)
            rc = pair_table_reserve(&v->table, i, err);
        if (rc == 0 && i % 256 == 255)
            rc = watch_add(v->job->watch, 0, 0, 0, err);
        if (rc < 0)
            return rc;
        for (uint64_t j = 0; j < i; j++)
            pair_table_count(&v->table, terms[i], terms[j]);
    }
    return watch_add(v->job->watch, 0, 1, 0, err);
}

/* The smallest table, and room for the pairs of a document's last term. */
static struct count_need need(const struct count_size *size)
{
    return (struct count_need){
        .worker = ((uint64_t)4 << 20) +
                  (uint64_t)size->longest_doc * 2 * PAIR_BYTES +
                  (uint64_t)size->longest_row * 16
    };
}

static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    struct naive v = { .job = job };
    uint64_t fits = job->params.memory / PAIR_BYTES;
    int rc = spool_file_open(&v.file, job->params.tmpdir, err);

    if (rc == 0)
        rc = pair_table_init(&v.table, err);
    v.limit = (size_t)(job->params.flush_pairs < fits
                           ? job->params.flush_pairs
                           : fits);
    for (uint32_t d = 0; d < job->fwd.n && rc == 0; d++)
        rc = count_document(&v, d, err);
    if (rc == 0)
        rc = flush(&v, err);
    pair_table_release(&v.table);
    if (rc == 0)
        rc = pairs_merge(&v.file, v.streams, v.n_streams, out, err);
    spool_file_close(&v.file); /* first: nothing need be given back */
    drop_streams(&v);
    return rc;
}

const struct count_method count_naive = {
    .about = { "naive", "a dictionary of pairs, flushed to files and merged" },
    .by_rows = false,
    .need = need,
    .run = run,
};
