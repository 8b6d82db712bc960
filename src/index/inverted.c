/* inverted.c - invert the forward index, a range of terms at a time.
 *
 * A counting sort: the df of each term, which is known from ordering the terms,
 * gives the position of every list; then walk through the documents and append
 * each to the lists of its terms.  Documents are visited in order, so the lists
 * are ascending.
 *
 * The lists of one range of terms are made at a time.  If a range has too many
 * postings, its lists do not fit in the cache; if it has too few, most of the
 * time is spent on visiting documents; in between, the best size hardly
 * matters.  If the forward index may not fit in memory, ranges are as large as
 * possible, so that it is read few times.
 *
 * The terms of a document are ascending, so those of a range follow those of
 * the range before it: a worker remembers where it stopped in each document.  A
 * job therefore makes several adjacent ranges.  At its first range, the terms
 * before it are counted in every document: they are read in order, which is
 * faster than a binary search that waits for memory at each step.
 *
 * Cost.  One visit per range and document (10 to 20 ns), one random write per
 * posting (5 to 7 ns).
 */
#include <endian.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "index/ingest.h"
#include "index/order.h"
#include "index/write.h"

/* The size of a range in numbers of 4 bytes, one per posting and one per
 * term. */
#define RANGE_MIN ((uint64_t)1 << 18)
#define RANGE_MAX ((uint64_t)1 << 22)
#define PER_VISIT 32u    /* postings that make a visit worthwhile */
#define JOBS_PER_THREAD 2u
#define AHEAD 8u         /* documents to prefetch */
#define ASK_EVERY 65536u /* documents */
#define FORGET_EVERY ((uint64_t)2 << 20) /* postings */

struct inversion {
    const uint64_t *fwd_off; /* mapped, in the byte order of files */
    const uint32_t *fwd;
    uint32_t n_docs, n_terms;
    uint64_t postings;
    uint64_t *off;    /* n_terms + 1 starts of lists */
    uint32_t *ranges; /* n_ranges + 1 first terms */
    size_t n_ranges, ranges_cap;
    bool forgets; /* give pages of the forward index back to the kernel */
    struct files_writer *out;
    struct watch *watch; /* may be NULL */
    size_t n_jobs;
    struct worker {
        uint32_t *numbers; /* room for a range: its lists, then for each term
                            * the position of its next document */
        uint32_t *seen; /* by document: number of terms before `done`; NULL if
                         * memory is short */
        uint32_t done;
    } *workers;
};

/* The size of the range [first, last), in numbers. */
static uint64_t range_size(const struct inversion *t, uint32_t first,
                           uint32_t last)
{
    return t->off[last] - t->off[first] + (last - first);
}

/* Cut the terms into ranges of at most `most` numbers or one term. */
static int cut_ranges(struct inversion *t, uint64_t most, struct cooc_err *err)
{
    int rc = 0;

    for (uint32_t last = 0; rc == 0; last++)
        if (last == t->n_terms || !t->n_ranges ||
            range_size(t, t->ranges[t->n_ranges - 1], last + 1) > most) {
            rc = array_grow(&t->ranges, &t->ranges_cap, t->n_ranges + 1,
                            sizeof *t->ranges, err);
            if (rc < 0)
                break;
            t->ranges[t->n_ranges++] = last;
            if (last == t->n_terms)
                break;
        }
    t->n_ranges -= rc == 0;
    return rc;
}

/* The number of the document's terms ids[0..n) that are before first. */
static uint32_t count_before(const uint32_t *ids, uint32_t n, uint32_t first)
{
    uint32_t before = 0;

    for (uint32_t i = 0; i < n; i++) /* the compiler vectorises this */
        before += le32toh(ids[i]) < first;
    return before;
}

static int damaged(struct cooc_err *err)
{
    return err_set(err, COOC_EIO, "the forward index changed while it was "
                                  "inverted; check disk and memory");
}

/* Append all documents to the lists of terms [first, last). */
static int fill_range(struct inversion *t, struct worker *w, uint32_t first,
                      uint32_t last, struct cooc_err *err)
{
    const uint32_t postings = (uint32_t)(t->off[last] - t->off[first]);
    uint32_t *lists = w->numbers, *place = lists + postings;
    const uint32_t *seen = w->done == first ? w->seen : NULL;
    uint64_t forgotten = 0;
    int rc = 0;

    for (uint32_t d = 0; d < t->n_docs && rc == 0; d++) {
        uint64_t start = le64toh(t->fwd_off[d]);
        uint64_t end = le64toh(t->fwd_off[d + 1]);
        const uint32_t *ids = t->fwd + start;
        uint32_t n = (uint32_t)(end - start), i, id;

        if (end < start || end > t->postings)
            return damaged(err);
        if (seen && d + AHEAD < t->n_docs)
            __builtin_prefetch(t->fwd + le64toh(t->fwd_off[d + AHEAD]) +
                               seen[d + AHEAD]);
        i = seen ? seen[d] : first ? count_before(ids, n, first) : 0;
        for (; i < n && (id = le32toh(ids[i])) < last; i++) {
            uint32_t at = place[id - first]++;

            if (at >= postings)
                return damaged(err);
            lists[at] = d;
        }
        if (w->seen)
            w->seen[d] = i;
        if (t->forgets && start - forgotten > FORGET_EVERY) {
            map_forget(t->fwd, forgotten * 4, start * 4);
            forgotten = start;
        }
        if (d % ASK_EVERY == ASK_EVERY - 1)
            rc = watch_add(t->watch, 0, 0, 0, err);
    }
    w->done = last;
    return rc;
}

/* The documents of a range, for progress: they add up to n_docs. */
static uint64_t progress_at(const struct inversion *t, uint32_t term)
{
    return (uint64_t)((double)t->n_docs * (double)t->off[term] /
                      (double)t->postings);
}

static int write_range(struct inversion *t, struct worker *w, size_t i,
                       struct cooc_err *err)
{
    uint32_t first = t->ranges[i], last = t->ranges[i + 1];
    uint64_t base = t->off[first], n = t->off[last] - base;
    uint32_t *place = w->numbers + n, wrong = 0;
    int rc;

    for (uint32_t k = 0; k < last - first; k++)
        place[k] = (uint32_t)(t->off[first + k] - base);
    rc = fill_range(t, w, first, last, err);
    for (uint32_t k = 0; k < last - first; k++)
        wrong |= place[k] ^ (uint32_t)(t->off[first + k + 1] - base);
    if (rc == 0 && wrong)
        rc = damaged(err);
    if (rc == 0)
        rc = placed_file_put_u32(t->out->files[FILE_INVERTED], base * 4,
                                 w->numbers, n, err);
    if (rc == 0)
        rc = placed_file_put_u64(t->out->files[FILE_INVERTED_OFF],
                                 ((uint64_t)first + 1) * 8, t->off + first + 1,
                                 last - first, err);
    return rc < 0 ? rc : watch_add(t->watch, progress_at(t, last) -
                                             progress_at(t, first), 0, 0, err);
}

/* Make several adjacent ranges. */
static int write_ranges(void *self, unsigned worker, uint64_t job,
                        struct cooc_err *err)
{
    struct inversion *t = self;
    struct worker *w = &t->workers[worker];
    size_t first = job * t->n_ranges / t->n_jobs;
    size_t last = (job + 1) * t->n_ranges / t->n_jobs;
    int rc = 0;

    for (size_t i = first; i < last && rc == 0; i++)
        rc = write_range(t, w, i, err);
    return rc;
}

/* Allocate memory for as many workers as have room for the largest range, but
 * at least one; *threads becomes their number.  If remember, they remember
 * where they stopped in each document. */
static int make_workers(struct inversion *t, uint64_t room, bool remember,
                        unsigned *threads, struct cooc_err *err)
{
    uint64_t most = 1;

    for (size_t i = 0; i < t->n_ranges; i++) {
        uint64_t n = range_size(t, t->ranges[i], t->ranges[i + 1]);

        most = n > most ? n : most;
    }
    if (*threads > t->n_ranges)
        *threads = t->n_ranges ? (unsigned)t->n_ranges : 1;
    if (*threads > room / most)
        *threads = room / most ? (unsigned)(room / most) : 1;
    t->workers = mem_zarray(*threads, sizeof *t->workers);
    if (!t->workers)
        return err_nomem(err);
    for (unsigned i = 0; i < *threads; i++) {
        struct worker *w = &t->workers[i];

        w->numbers = mem_array(most, sizeof *w->numbers);
        w->seen = remember ? mem_zarray(t->n_docs, sizeof *w->seen) : NULL;
        if (!w->numbers || (remember && !w->seen))
            return err_nomem(err);
    }
    return 0;
}

static void release(struct inversion *t, unsigned threads)
{
    for (unsigned i = 0; i < threads && t->workers; i++) {
        mem_free(t->workers[i].numbers);
        mem_free(t->workers[i].seen);
    }
    mem_free(t->workers);
    mem_free(t->ranges);
    mem_free(t->off);
}

static uint64_t limit(uint64_t v, uint64_t least, uint64_t most)
{
    return v < least ? least : v > most ? most : v;
}

/* Choose the ranges and make the lists. */
static int invert(struct inversion *t, const struct index_job *job,
                  struct cooc_err *err)
{
    uint64_t all = t->postings + t->n_terms;
    uint64_t room = job->memory / 4 / sizeof(uint32_t);
    uint64_t seen = (uint64_t)t->n_docs * sizeof(uint32_t);
    uint64_t least = limit(t->n_docs, RANGE_MIN, RANGE_MAX);
    unsigned threads = (unsigned)limit(room / least, 1, job->threads);
    uint64_t most = limit((uint64_t)t->n_docs * PER_VISIT, RANGE_MAX / 4,
                          RANGE_MAX);
    int rc;

    most = limit(all / threads / 2, RANGE_MIN, most); /* work for all threads */
    t->forgets = t->postings * sizeof(uint32_t) > job->memory / 2;
    if (t->forgets || most > room / threads)
        most = room / threads;
    rc = cut_ranges(t, most, err);
    if (rc == 0)
        rc = make_workers(t, room, seen * threads <= job->memory / 16,
                          &threads, err);
    t->n_jobs = limit((uint64_t)threads * JOBS_PER_THREAD, 1, t->n_ranges);
    if (threads == 1 || !t->n_ranges)
        t->n_jobs = 1;
    if (rc == 0)
        rc = pool_for(t->n_jobs, threads, write_ranges, t, err);
    release(t, threads);
    return rc;
}

int write_inverted(const struct ordering *o, const struct index_job *job,
                   struct files_writer *w, struct cooc_err *err)
{
    const struct cooc_index_report *rep = job->report;
    struct inversion t = { .n_docs = (uint32_t)rep->documents,
                           .n_terms = o->n_terms,
                           .postings = rep->postings,
                           .out = w,
                           .watch = job->watch };
    const void *off = NULL, *ids = NULL;
    int rc = files_writer_open(w, job->dir, FILE_INVERTED, FILE_INVERTED_OFF,
                               err);

    if (rc == 0)
        rc = placed_file_map(w->files[FILE_FORWARD_OFF], &off, err);
    if (rc == 0)
        rc = placed_file_map(w->files[FILE_FORWARD], &ids, err);
    t.fwd_off = off;
    t.fwd = ids;
    t.off = mem_array((size_t)t.n_terms + 1, sizeof *t.off);
    if (rc == 0 && !t.off)
        rc = err_nomem(err);
    if (rc < 0) {
        release(&t, 0);
        return rc;
    }
    t.off[0] = 0;
    for (uint32_t i = 0; i < t.n_terms; i++)
        t.off[i + 1] = t.off[i] + o->df[i];
    if (t.off[t.n_terms] == t.postings)
        return invert(&t, job, err);
    release(&t, 0);
    return damaged(err);
}
