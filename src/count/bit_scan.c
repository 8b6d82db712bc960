/* bit_scan.c - count one row at a time: add up the bitmaps of its documents.
 *
 * The idea.  Each document has a bitmap of the H most frequent terms (the
 * head).  Row t is then the sum, column by column, of the bitmaps of t's
 * documents.  256 columns are added at a time with a few logical operations
 * (kernel/).  The counters are kept as bit planes and are never converted to
 * integers, not even for writing (rows/row_encode.c).  Columns beyond H (the
 * tail) are counted one by one, as in list-scan, but they are few, and one byte
 * is enough for most counters.
 *
 *     for each row t
 *         planes = sum of bitmaps[d] over d in inverted[t]
 *         for each d in inverted[t], each term H <= s < t in forward[d]
 *             counts[s] += 1
 *
 * Example.  H = 4, row 9, d0 = {0,1,3,9}   d1 = {0,2,3,9}   d2 = {0,9}
 *     bitmaps 1011, 1101, 0001 (column 0 is the rightmost bit)
 *     plane 0:  0111    plane 1:  1001    counts  0->3 1->1 2->1 3->2
 *
 * Cost.  H/256 steps per posting, instead of one step for each term that occurs
 * together with t in that document; cost_of() estimates the time for a given H.
 * Memory: H/8 + 8 bytes per document, shared; per worker, 1 byte per term, 4
 * more per term with at least 256 documents, and the planes of a row.
 *
 * Threads.  Rows are independent.
 *
 * When.  The default.  It gains most if documents are long and the vocabulary
 * is not too large.  It needs more memory than list-scan.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "count/method.h"
#include "count/tail.h"
#include "kernel/kernel.h"

#define HEAD_STEP 256u
#define HEAD_MAX 65536u
#define HUGE_PAGE ((size_t)2 << 20)
#define DOCS_AT_ONCE 4096u
#define WORTH 0.9      /* doubling the head must save 10% of the time */
#define SAMPLE 16384u  /* documents that the cost model samples */
#define FETCH_MAX 16   /* prefetch the next row if it has at most this df */
#define FETCH_AHEAD 6u /* documents to prefetch ahead within a row */
#define FETCH_LINES 12u /* cache lines to prefetch per bitmap */

/* Rough times in nanoseconds, set so that the chosen width is close to the best
 * of those that we tried (docs/METHODS.md).  Only their ratios matter. */
#define NS_BLOCK 0.6     /* add 256 columns of a document */
#define NS_BLOCK_FAR 1.8 /* the same, if the bitmaps exceed CACHE */
#define CACHE ((uint64_t)16 << 20)
#define NS_BYTE 4.0      /* fill a byte of the bitmaps, in new memory */
#define NS_ROW_BLOCK 8.0 /* finish and write a block of a row */
#define NS_TAIL 3.0      /* count and write a term beyond the head */

#define FORGET_AFTER 262144u /* lists of which only the length is read */

struct heads {
    const struct kernels *k;
    uint32_t width; /* terms in the bitmaps, a multiple of HEAD_STEP */
    uint64_t *maps; /* bitmaps of all documents, in a mapping */
    size_t map_bytes;
    uint64_t *tails; /* by document: the start of its tail in fwd.ids */
};

/* ---- the bitmaps -------------------------------------------------------- */

/* Estimate the time of a count with a head of this width. */
static double cost_of(const struct count_job *job, uint32_t width)
{
    double bytes = (double)job->fwd.n * width / 8;
    double blocks = 0, rows = 0, tail = 0;
    uint32_t step = job->fwd.n / SAMPLE + 1; /* for short documents only */
    uint64_t longer = job->fwd.off[job->fwd.n] / (job->fwd.n + 1) * 4;

    for (uint32_t t = 0; t < job->last; t++) {
        uint64_t df = job->inv.off[t + 1] - job->inv.off[t];
        uint32_t w = (t < width ? t : width) / HEAD_STEP + 1;

        if (t % FORGET_AFTER == FORGET_AFTER - 1)
            lists_forget(&job->inv, t + 1 - FORGET_AFTER, t);
        if (df < 2)
            continue;
        blocks += (double)df * w;
        rows += w;
    }
    for (uint32_t d = 0; d < job->fwd.n; d++) {
        bool every = job->fwd.off[d + 1] - job->fwd.off[d] > longer;
        size_t head, all;
        double n;

        if (!every && d % step)
            continue;
        terms_before(&job->fwd, d, width, &head);
        terms_before(&job->fwd, d, job->last, &all);
        n = all > head ? (double)(all - head) : 0;
        tail += n * (n - 1) / 2 * (every ? 1 : step);
    }
    return bytes * NS_BYTE +
           blocks * (bytes > (double)CACHE ? NS_BLOCK_FAR : NS_BLOCK) +
           rows * NS_ROW_BLOCK + tail * NS_TAIL;
}

/* Bytes of the bitmaps and tails of all documents. */
static uint64_t heads_bytes(uint32_t docs, uint32_t width)
{
    return (uint64_t)docs * (width / 8 + 8) + HUGE_PAGE;
}

/* The requested width, rounded up to HEAD_STEP, but limited by the number of
 * terms, HEAD_MAX and the memory. */
static uint32_t fit_head(const struct count_job *job, uint32_t asked)
{
    uint32_t most = job->inv.n < HEAD_MAX ? job->inv.n : HEAD_MAX;
    uint32_t blocks = ((asked < most ? asked : most) + HEAD_STEP - 1) /
                      HEAD_STEP;
    uint64_t fixed = heads_bytes(job->fwd.n, 0), fit = 1;

    if (job->params.shared_memory > fixed && job->fwd.n)
        fit = (job->params.shared_memory - fixed) / job->fwd.n /
              (HEAD_STEP / 8);
    fit = fit ? fit : 1;
    return (blocks < fit ? blocks : (uint32_t)fit) * HEAD_STEP;
}

/* Choose the power of two with the least estimated time that fits in memory.  A
 * larger width must save enough time to be worth its memory. */
static uint32_t choose_head(const struct count_job *job)
{
    uint32_t best = HEAD_STEP, asked = job->params.head_terms;
    double least = 0;

    if (asked)
        return fit_head(job, asked);
    for (uint32_t w = HEAD_STEP; w <= HEAD_MAX; w *= 2) {
        double cost;

        if (heads_bytes(job->fwd.n, w) > job->params.shared_memory)
            break;
        cost = cost_of(job, w);
        if (w == HEAD_STEP || cost < least * WORTH) {
            least = cost;
            best = w;
        }
        if (w >= job->inv.n)
            break;
    }
    return best;
}

static int map_heads(struct heads *h, uint32_t n_docs, struct cooc_err *err)
{
    void *p;

    h->map_bytes = (size_t)n_docs * (h->width / 8);
    h->map_bytes = (h->map_bytes / HUGE_PAGE + 1) * HUGE_PAGE;
    p = mmap(NULL, h->map_bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return err_nomem(err);
    madvise(p, h->map_bytes, MADV_HUGEPAGE); /* fewer TLB misses; may fail */
    h->maps = p;
    return 0;
}

static void fill_document(struct heads *h, const struct lists *fwd,
                          uint32_t d)
{
    uint64_t i = fwd->off[d], end = fwd->off[d + 1];
    uint64_t *map = h->maps + (size_t)d * (h->width / 64);

    for (; i < end && fwd->ids[i] < h->width; i++)
        map[fwd->ids[i] / 64] |= (uint64_t)1 << fwd->ids[i] % 64;
    h->tails[d] = i;
}

/* Fill the bitmaps of a range of documents. */
static int fill_heads(void *self, unsigned worker, uint64_t job,
                      struct cooc_err *err)
{
    const struct count_job *j = self;
    uint64_t first = job * DOCS_AT_ONCE, last = first + DOCS_AT_ONCE;

    (void)worker;
    for (uint64_t d = first; d < last && d < j->fwd.n; d++)
        fill_document(j->shared, &j->fwd, (uint32_t)d);
    return watch_add(j->watch, 0, 0, 0, err);
}

static void release(void *shared)
{
    struct heads *h = shared;

    if (!h)
        return;
    if (h->maps)
        munmap(h->maps, h->map_bytes);
    mem_free(h->tails);
    mem_free(h);
}

static int prepare(const struct count_job *job, void **shared,
                   struct cooc_err *err)
{
    struct heads *h = mem_zarray(1, sizeof *h);
    struct count_job filling = *job;
    uint32_t terms;
    int rc = 0;

    *shared = NULL;
    if (!h)
        return err_nomem(err);
    filling.shared = h;
    h->k = job->params.kernels ? job->params.kernels : kernel_find(NULL, err);
    h->width = choose_head(job);
    terms = h->width < job->inv.n ? h->width : job->inv.n;
    if (job->head_terms && *job->head_terms < terms)
        *job->head_terms = terms;
    h->tails = mem_array(job->fwd.n, sizeof *h->tails);
    rc = h->tails ? map_heads(h, job->fwd.n, err) : err_nomem(err);
    if (rc == 0)
        rc = pool_for(job->fwd.n / DOCS_AT_ONCE + 1, job->threads, fill_heads,
                      &filling, err);
    if (rc == 0)
        *shared = h;
    else
        release(h);
    return rc;
}

/* ---- the rows ----------------------------------------------------------- */

struct scan {
    const struct count_job *job;
    const struct heads *h;
    struct row_room room;
    struct tail tail;
};

/* Clear the columns of the head that are not below t. */
static void cut_head(uint64_t *planes, const struct row_parts *row,
                     uint32_t t)
{
    for (unsigned j = 0; j < row->bits; j++) {
        uint64_t *p = planes + j * row->words;

        p[t / 64] &= ((uint64_t)1 << t % 64) - 1;
        for (size_t w = t / 64 + 1; w < row->head; w++)
            p[w] = 0;
    }
}

/* Set the planes of the head. */
static void add_head(struct scan *s, uint32_t t, const struct row_parts *row)
{
    const struct lists *inv = &s->job->inv;
    const uint32_t *docs = inv->ids + inv->off[t];
    size_t n = (size_t)(inv->off[t + 1] - inv->off[t]);

    if (n == 1)
        memcpy(s->room.planes, s->h->maps + docs[0] * (s->h->width / 64),
               row->head * sizeof *s->room.planes);
    else
        s->h->k->add_up(s->room.planes, row->words, row->bits, s->h->maps,
                        s->h->width / 64, docs, n, row->head);
    if (t < row->head * 64)
        cut_head(s->room.planes, row, t);
}

/* Count the columns of the tail and list their words; tail_take()
 * fetches the counts. */
static int add_tail(struct scan *s, uint32_t t, size_t *words,
                    struct cooc_err *err)
{
    const struct lists *inv = &s->job->inv, *fwd = &s->job->fwd;
    uint64_t end = inv->off[t + 1];
    int rc = tail_begin(&s->tail, end - inv->off[t], t, err);

    if (rc < 0)
        return rc;
    for (uint64_t i = inv->off[t]; i < end; i++) {
        uint64_t ahead = i + FETCH_AHEAD < end ? i + FETCH_AHEAD : end - 1;

        __builtin_prefetch(fwd->ids + s->h->tails[inv->ids[ahead]]);
        tail_add(&s->tail, fwd->ids + s->h->tails[inv->ids[i]], t);
    }
    return tail_list(&s->tail, s->h->k, t, &s->room, words, err);
}

static int scan_row(struct scan *s, uint32_t t, const struct row_sink *out,
                    struct cooc_err *err)
{
    const struct lists *inv = &s->job->inv;
    uint64_t df = inv->off[t + 1] - inv->off[t];
    uint32_t columns = t < s->h->width ? t : s->h->width;
    size_t head = (columns + HEAD_STEP - 1) / HEAD_STEP * (HEAD_STEP / 64);
    struct row_parts row = { .k = s->h->k };
    size_t tail = 0;
    int rc = 0;

    if (t > s->h->width)
        rc = add_tail(s, t, &tail, err);
    if (rc == 0)
        rc = row_room_begin(&s->room, &row, head, tail, bit_length(df), err);
    if (rc < 0)
        return rc;
    add_head(s, t, &row);
    if (tail)
        tail_take(&s->tail, &s->room, &row);
    row_room_end(&s->room, &row);
    return out->parts(out->self, t, &row, err);
}

/* Prefetch row t while another one is counted: the documents of a rare term are
 * few and scattered. */
static void fetch_row(const struct scan *s, uint32_t t)
{
    const struct lists *inv = &s->job->inv, *fwd = &s->job->fwd;

    if (t >= s->job->last || inv->off[t + 1] - inv->off[t] > FETCH_MAX)
        return;
    for (uint64_t i = inv->off[t]; i < inv->off[t + 1]; i++) {
        uint32_t d = inv->ids[i];
        const uint32_t *tail = fwd->ids + s->h->tails[d];

        const uint64_t *map = s->h->maps + (size_t)d * (s->h->width / 64);

        for (unsigned line = 0; line < FETCH_LINES &&
             line * 8 < s->h->width / 64; line++)
            __builtin_prefetch(map + line * 8);
        __builtin_prefetch(tail);
        __builtin_prefetch(tail + 16);
    }
}

/* The memory with the smallest head, but with planes for the widest. */
static struct count_need need(const struct count_size *size)
{
    uint32_t wide = size->terms < size->frequent ? size->terms
                                                 : size->frequent;

    return (struct count_need){
        .shared = heads_bytes(size->docs, HEAD_STEP),
        .worker = (uint64_t)size->terms + size->terms / 7 +
                  (uint64_t)wide * 6 + size->row_room +
                  HEAD_MAX / 8 * 2 * (bit_length(size->docs) + 1)
    };
}

static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    struct scan s = { .job = job, .h = job->shared };
    int rc = tail_init(&s.tail, s.h->width, job->last, err);

    for (uint32_t t = job->first; t < job->last && rc == 0; t++)
        if (t && job->inv.off[t] < job->inv.off[t + 1]) { /* row 0 is empty */
            fetch_row(&s, t + 1);
            rc = scan_row(&s, t, out, err);
        }
    row_room_release(&s.room);
    tail_release(&s.tail);
    return rc;
}

const struct count_method count_bit_scan = {
    .about = { "bit-scan",
               "for each term, add up bitmaps of its documents" },
    .by_rows = true,
    .need = need,
    .prepare = prepare,
    .release = release,
    .run = run,
};
