/* naive.c - count document by document, in a dictionary of pairs.
 *
 * The idea.  For each document, look up every pair of its terms in a dictionary
 * and add 1.  The dictionary soon exceeds the memory, so:
 *
 *     for each document, for each pair s < t of its terms
 *         table[t, s] += 1
 *         if the table has flush_pairs pairs: sort it, write it to a file
 *     merge the files
 *
 * Example.  d0 = {0,1,3}   d1 = {0,3}   flushed after each document
 *     file 1:  row 1: 0->1   row 3: 0->1 1->1
 *     file 2:  row 3: 0->1
 *     merged:  row 1: 0->1   row 3: 0->2 1->1
 *
 * The files are streams of one spool (base/spool.h), which has a checksum per
 * piece.  They are merged PAIRS_FAN_IN at a time, so that their windows take
 * little memory for any number of files.  Each file has the format of the
 * paper, in the byte order of the host: a primary key, the number of tuples,
 * then this number of (secondary key, count) tuples, all of 32 bits; rows in
 * increasing order.
 *
 * Cost.  One lookup, a cache miss, per pair per document; and each pair is
 * written and read once for each file that contains it.  Memory: 16 to 32 bytes
 * per pair in the table, and 24 more while the pairs are sorted.  If this does
 * not fit in memory, the table is flushed earlier.
 *
 * Threads.  One, because documents are counted in order.
 *
 * When.  Never; it is the baseline.
 *
 * After "naive" in Billerbeck et al., arXiv 2007.08709 (2020).
 */
#include "count/naive.h"

#include <string.h>

#include "base/err.h"
#include "base/heap.h"
#include "base/mem.h"
#include "base/radix.h"
#include "count/method.h"

#define FIRST_SLOTS ((size_t)1 << 16)
/* Maximum bytes per pair, including sorting. */
#define PAIR_BYTES 56

/* ---- the dictionary ------------------------------------------------------ */

void pair_table_release(struct pair_table *t)
{
    mem_free(t->keys);
    mem_free(t->counts);
    *t = (struct pair_table){ 0 };
}

static int make_slots(struct pair_table *t, size_t n, struct cooc_err *err)
{
    *t = (struct pair_table){ .keys = mem_zarray(n, sizeof *t->keys),
                              .counts = mem_zarray(n, sizeof *t->counts),
                              .mask = n - 1 };
    if (t->keys && t->counts)
        return 0;
    pair_table_release(t);
    return err_nomem(err);
}

int pair_table_init(struct pair_table *t, struct cooc_err *err)
{
    return make_slots(t, FIRST_SLOTS, err);
}

/* The slot of key, or the empty slot where it would be inserted. */
static inline size_t pair_table_slot(const struct pair_table *t, uint64_t key)
{
    uint64_t hash = key * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(hash ^ hash >> 32) & t->mask;

    while (t->keys[i] && t->keys[i] != key)
        i = (i + 1) & t->mask;
    return i;
}

void pair_table_count(struct pair_table *t, uint32_t row, uint32_t term)
{
    uint64_t key = ((uint64_t)row << 32 | term) + 1;
    size_t i = pair_table_slot(t, key);

    if (!t->keys[i]) {
        t->keys[i] = key;
        t->n++;
    }
    t->counts[i]++;
}

int pair_table_reserve(struct pair_table *t, size_t extra,
                       struct cooc_err *err)
{
    struct pair_table bigger;
    size_t slots = t->mask + 1;
    int rc;

    if (t->n + extra <= slots / 4 * 3)
        return 0;
    while (t->n + extra > slots / 4 * 3)
        slots *= 2;
    rc = make_slots(&bigger, slots, err);
    if (rc < 0)
        return rc;
    for (size_t k = 0; k <= t->mask; k++)
        if (t->keys[k]) {
            size_t i = pair_table_slot(&bigger, t->keys[k]);

            bigger.keys[i] = t->keys[k];
            bigger.counts[i] = t->counts[k];
        }
    bigger.n = t->n;
    pair_table_release(t);
    *t = bigger;
    return 0;
}

#define RECORD_KEY(r) ((uint64_t)(r).row << 32 | (r).entry.term)

DEFINE_RADIX_SORT(sort_records, struct pair_record, uint64_t, RECORD_KEY)

int pair_table_take(struct pair_table *t, struct pair_record **out, size_t *n,
                    struct cooc_err *err)
{
    struct pair_record *a = mem_array(t->n, sizeof *a);
    struct pair_record *b = mem_array(t->n, sizeof *b);

    *out = NULL;
    *n = 0;
    if (!a || !b) {
        mem_free(a);
        mem_free(b);
        return err_nomem(err);
    }
    for (size_t i = 0; i <= t->mask; i++)
        if (t->keys[i]) {
            uint64_t key = t->keys[i] - 1;

            a[(*n)++] = (struct pair_record){
                (uint32_t)(key >> 32), { (uint32_t)key, t->counts[i] }
            };
        }
    memset(t->keys, 0, (t->mask + 1) * sizeof *t->keys);
    memset(t->counts, 0, (t->mask + 1) * sizeof *t->counts);
    t->n = 0;
    *out = sort_records(a, b, *n);
    mem_free(*out == a ? b : a);
    return 0;
}

/* ---- merging ------------------------------------------------------------- */

/* Each stream is read sequentially through a window that holds a whole piece,
 * so that no pair is used before its checksum is verified.  All streams are in
 * a heap, and the next tuple is the least of all by row and term, so a row may
 * be larger than the windows. */
struct pair_cursor {
    struct spool_reader in;
    uint32_t row, left; /* left: tuples left in the row, with the current one */
    struct entry now;
};

/* Read the next tuple into c->now.  Returns 1, 0 at the end, or an error. */
static int advance(struct pair_cursor *c, struct cooc_err *err)
{
    uint32_t head[2];
    int rc;

    if (c->left)
        c->left--;
    while (!c->left) {
        if (!c->in.left)
            return 0;
        rc = spool_read(&c->in, head, sizeof head, err);
        if (rc < 0)
            return rc;
        c->row = head[0];
        c->left = head[1];
    }
    rc = spool_read(&c->in, &c->now, sizeof c->now, err);
    return rc < 0 ? rc : 1;
}

static uint64_t place(const struct pair_cursor *c)
{
    return (uint64_t)c->row << 32 | c->now.term;
}

static bool less(const void *a, const void *b)
{
    return place(a) < place(b);
}

struct pair_merge {
    struct pair_cursor cursors[PAIRS_FAN_IN];
    uint8_t *windows;
    void *heap[PAIRS_FAN_IN]; /* cursors that have a tuple, the least first */
    size_t n;                 /* number of cursors in heap */
    struct entry *row; /* the row being merged */
    size_t row_len, row_cap;
};

static int merge_open(struct pair_merge *m, const struct spool_file *file,
                      const struct spool *streams, size_t n,
                      struct cooc_err *err)
{
    int rc = 0;

    *m = (struct pair_merge){ .windows = mem_array(n, SPOOL_PIECE) };
    if (!m->windows)
        return err_nomem(err);
    for (size_t i = 0; i < n && rc >= 0; i++) {
        spool_reader_init(&m->cursors[i].in, file, &streams[i],
                          m->windows + i * SPOOL_PIECE, SPOOL_PIECE);
        rc = advance(&m->cursors[i], err);
        if (rc > 0)
            m->heap[m->n++] = &m->cursors[i];
    }
    heap_make(m->heap, m->n, less);
    return rc < 0 ? rc : 0;
}

static uint32_t least_row(const struct pair_merge *m)
{
    return ((const struct pair_cursor *)m->heap[0])->row;
}

/* Move the least tuple of all streams to the row being merged. */
static int take_least(struct pair_merge *m, struct cooc_err *err)
{
    struct pair_cursor *c = m->heap[0];
    int rc;

    if (m->row_len && m->row[m->row_len - 1].term == c->now.term) {
        m->row[m->row_len - 1].count += c->now.count;
    } else {
        rc = array_grow(&m->row, &m->row_cap, m->row_len + 1, sizeof *m->row,
                        err);
        if (rc < 0)
            return rc;
        m->row[m->row_len++] = c->now;
    }
    rc = advance(c, err);
    if (rc == 0)
        m->heap[0] = m->heap[--m->n];
    heap_sink(m->heap, m->n, 0, less);
    return rc < 0 ? rc : 0;
}

int pairs_merge(const struct spool_file *file, const struct spool *streams,
                size_t n, const struct row_sink *out, struct cooc_err *err)
{
    struct pair_merge m;
    int rc = merge_open(&m, file, streams, n, err);

    while (rc == 0 && m.n) {
        uint32_t row = least_row(&m);

        m.row_len = 0;
        while (rc == 0 && m.n && least_row(&m) == row)
            rc = take_least(&m, err);
        if (rc == 0)
            rc = out->row(out->self, row, m.row, m.row_len, err);
    }
    mem_free(m.windows);
    mem_free(m.row);
    return rc;
}

static int write_head(struct spool_writer *w, uint32_t row, size_t n,
                      struct cooc_err *err)
{
    const uint32_t head[2] = { row, (uint32_t)n };

    return spool_write(w, head, sizeof head, err);
}

int pairs_write_row(struct spool_writer *w, uint32_t row,
                    const struct entry *entries, size_t n,
                    struct cooc_err *err)
{
    int rc = write_head(w, row, n, err);

    return rc < 0 ? rc : spool_write(w, entries, n * sizeof *entries, err);
}

/* ---- the method ---------------------------------------------------------- */

struct naive {
    const struct count_job *job;
    struct pair_table table;
    struct spool_file file;
    struct spool streams[PAIRS_FAN_IN]; /* one per flush */
    size_t n_streams;
    struct spool_writer out; /* writer of the current stream */
    size_t limit;  /* maximum number of pairs in the table */
    uint64_t work; /* for job_go_on() */
};

/* A row_sink that writes merged rows to another stream. */
static int write_row(void *self, uint32_t row,
                     const struct entry *entries, size_t n,
                     struct cooc_err *err)
{
    struct naive *v = self;
    int rc = pairs_write_row(&v->out, row, entries, n, err);

    return rc < 0 ? rc : job_go_on(v->job, &v->work, n, err);
}

static void drop_streams(struct naive *v)
{
    while (v->n_streams)
        spool_drop(&v->streams[--v->n_streams], &v->file);
}

/* Merge all streams into one. */
static int merge_streams(struct naive *v, struct cooc_err *err)
{
    struct spool one = { 0 };
    struct row_sink sink = { .row = write_row, .self = v };
    int rc;

    v->out.to = &one;
    rc = pairs_merge(&v->file, v->streams, v->n_streams, &sink, err);
    rc = spool_writer_end(&v->out, rc, err);
    drop_streams(v);
    v->streams[v->n_streams++] = one;
    return rc;
}

static int flush(struct naive *v, struct cooc_err *err)
{
    struct pair_record *r = NULL;
    size_t n;
    int rc = v->n_streams == PAIRS_FAN_IN ? merge_streams(v, err) : 0;

    if (rc == 0)
        rc = pair_table_take(&v->table, &r, &n, err);
    if (rc < 0)
        return rc;
    v->out.to = &v->streams[v->n_streams++];
    for (size_t i = 0, end; i < n && rc == 0; i = end) {
        for (end = i + 1; end < n && r[end].row == r[i].row;)
            end++;
        rc = write_head(&v->out, r[i].row, end - i, err);
        for (size_t k = i; k < end && rc == 0; k++)
            rc = spool_write(&v->out, &r[k].entry, sizeof r[k].entry, err);
        if (rc == 0)
            rc = job_go_on(v->job, &v->work, end - i, err);
    }
    mem_free(r);
    return spool_writer_end(&v->out, rc, err);
}

static int count_document(struct naive *v, uint32_t d, struct cooc_err *err)
{
    const struct lists *fwd = &v->job->fwd;
    const uint32_t *terms = fwd->ids + fwd->off[d];
    uint64_t len = fwd->off[d + 1] - fwd->off[d];
    uint64_t i = ids_below(terms, (size_t)len, v->job->first);

    for (i = i ? i : 1; i < len && terms[i] < v->job->last; i++) {
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

/* The memory of the smallest table, with room for the pairs of the last term of
 * the longest document. */
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
    struct naive v = { .job = job, .out.file = &v.file };
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
    spool_file_close(&v.file); /* first, so that drop_streams() need not
                                * free space in it */
    drop_streams(&v);
    return rc;
}

const struct count_method count_naive = {
    .about = { "naive",
               "count in a dictionary, write it to files, merge them" },
    .by_rows = false,
    .need = need,
    .run = run,
};
