/* load.c - verify the whole forward and inverted index, on all cores.
 *
 * Lists are verified in jobs of about a million ids.  Both indexes are compared
 * by a keyed sum over their postings, which does not depend on the order in
 * which jobs finish.
 */
#include <stdatomic.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "index/collection.h"

#define JOB_IDS 1000000u /* ids per job */
#define JOB_LISTS 65536u /* lists per job, at most */

/* The key of the sum is random, so whoever made the files cannot know it:
 * different postings have the same sum with a probability of one in 2^64, like
 * damage that no checksum detects. */
static uint64_t mix_posting(uint64_t key, uint32_t doc, uint32_t term)
{
    uint64_t z = ((uint64_t)doc << 32 | term) + key;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27 ^ key) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t sum_list(uint64_t key, uint32_t i, bool is_doc,
                         const uint32_t *ids, uint64_t n)
{
    uint64_t sum = 0;

    if (is_doc)
        for (uint64_t k = 0; k < n; k++)
            sum += mix_posting(key, i, ids[k]);
    else
        for (uint64_t k = 0; k < n; k++)
            sum += mix_posting(key, ids[k], i);
    return sum;
}

struct loading {
    const struct collection *c;
    enum collection_file f;
    const struct lists *lists;
    uint32_t first, last; /* the lists to verify */
    uint32_t *starts; /* first lists of the jobs, and the end of the last */
    size_t n_jobs, cap;
    uint64_t key;
    atomic_uint_fast64_t sum;
};

/* Map the lists of file f without verifying them. */
static int map_lists(const struct collection *c, enum collection_file f,
                     struct lists *out, struct cooc_err *err)
{
    enum collection_file off = f + 1;
    uint32_t n = f == FILE_FORWARD ? c->n_docs : c->n_terms;
    const void *o, *p;
    int rc = checked_file_get(c->files[off], (uint64_t)n * 8, 8, &o, err);

    if (rc == 0)
        rc = checked_file_get(c->files[off], 0, 8, &o, err);
    if (rc == 0)
        rc = checked_file_get(c->files[f], 0, 0, &p, err);
    if (rc < 0)
        return rc;
    *out = (struct lists){ .off = o, .ids = p, .n = n,
                            .mapped = checked_file_forgets(c->files[f]) };
    if (out->off[0] != 0 || out->off[n] != c->n_postings)
        return err_path(err, COOC_EFORMAT, checked_file_path(c->files[off]),
                        "is damaged: the lists do not cover the file");
    return 0;
}

/* Cut the lists into jobs, by offsets that are verified only by the jobs. */
static int cut_jobs(struct loading *l, struct cooc_err *err)
{
    const uint64_t *off = l->lists->off;
    uint32_t n = l->last, last = l->first;
    int rc = 0;

    for (uint32_t i = l->first; rc == 0; i++) {
        const void *p;

        if (i == l->first || i % JOB_LISTS == 0) {
            uint32_t more = n - i < JOB_LISTS ? n - i : JOB_LISTS;

            rc = checked_file_get(l->c->files[l->f + 1], (uint64_t)i * 8,
                                  ((uint64_t)more + 1) * 8, &p, err);
        }
        if (rc == 0 && (i == l->first || i == n || i - last == JOB_LISTS ||
                        off[i] - off[last] > JOB_IDS)) {
            rc = array_grow(&l->starts, &l->cap, l->n_jobs + 1,
                            sizeof *l->starts, err);
            if (rc == 0)
                l->starts[l->n_jobs++] = last = i;
        }
        if (i == n)
            break;
    }
    l->n_jobs -= l->n_jobs > 0;
    return rc;
}

static int verify_lists(void *self, unsigned worker, uint64_t job,
                        struct cooc_err *err)
{
    struct loading *l = self;
    const struct collection *c = l->c;
    bool docs = l->f == FILE_FORWARD;
    uint32_t first = l->starts[job], last = l->starts[job + 1];
    uint64_t sum = 0, ids = 0, n = 0;
    int rc = 0;

    (void)worker;
    for (uint32_t i = first; i < last && rc == 0; i++) {
        const uint32_t *list = NULL;

        rc = docs ? collection_doc(c, i, &list, &n, err)
                  : collection_term_docs(c, i, &list, &n, err);
        if (rc == 0)
            sum += sum_list(l->key, i, docs, list, n);
        ids += n;
    }
    if (rc < 0)
        return rc;
    atomic_fetch_add(&l->sum, sum);
    lists_forget(l->lists, first, last);
    return c->watch ? watch_add(c->watch, (ids + last - first) * 4, 0, 0, err)
                    : 0;
}

/* Verify the lists l->first to l->last, on all cores if threads is 0. */
static int verify_range(struct loading *l, unsigned threads,
                        struct cooc_err *err)
{
    int rc = cut_jobs(l, err);

    if (rc == 0)
        rc = pool_for(l->n_jobs, threads ? threads : pool_cores(),
                      verify_lists, l, err);
    mem_free(l->starts);
    return rc;
}

/* Verify the lists of file f and set *sum to the sum of their postings. */
static int load_lists(const struct collection *c, enum collection_file f,
                      struct lists *out, unsigned threads, uint64_t key,
                      uint64_t *sum, struct cooc_err *err)
{
    struct loading l = { .c = c, .f = f, .lists = out, .key = key };
    int rc = map_lists(c, f, out, err);

    l.last = out->n;
    if (rc == 0)
        rc = verify_range(&l, threads, err);
    *sum = atomic_load(&l.sum);
    return rc;
}

int collection_load(const struct collection *c, struct lists *forward,
                    struct lists *inverted, unsigned threads,
                    struct cooc_err *err)
{
    uint64_t key, fwd, inv;
    int rc;

    if (getentropy(&key, sizeof key) < 0)
        return err_set(err, COOC_EIO, "cannot get random bytes");
    rc = load_lists(c, FILE_FORWARD, forward, threads, key, &fwd, err);
    if (rc == 0)
        rc = load_lists(c, FILE_INVERTED, inverted, threads, key, &inv, err);
    if (rc == 0 && fwd != inv)
        rc = err_path(err, COOC_EFORMAT,
                      checked_file_path(c->files[FILE_INVERTED]),
                      "is damaged: its lists are not the inverse of %s",
                      checked_file_path(c->files[FILE_FORWARD]));
    return rc;
}

int collection_trust(const struct collection *c, struct lists *forward,
                     struct lists *inverted, struct cooc_err *err)
{
    int rc;

    if (!checked_file_forgets(c->files[FILE_FORWARD])) /* swapped if verified */
        return collection_load(c, forward, inverted, 0, err);
    rc = map_lists(c, FILE_FORWARD, forward, err);
    return rc < 0 ? rc : map_lists(c, FILE_INVERTED, inverted, err);
}

/* Verify the offsets of the inverted lists, which must not decrease. */
static int check_offsets(const struct collection *c, const struct lists *inv,
                         struct cooc_err *err)
{
    struct checked_file *f = c->files[FILE_INVERTED_OFF];

    for (uint32_t i = 0, n; i < inv->n; i += n) {
        const void *p;
        int rc;

        n = inv->n - i < JOB_LISTS ? inv->n - i : JOB_LISTS;
        rc = checked_file_get(f, (uint64_t)i * 8, ((uint64_t)n + 1) * 8, &p,
                              err);
        if (rc < 0)
            return rc;
        for (uint32_t k = i; k < i + n; k++)
            if (inv->off[k] > inv->off[k + 1])
                return err_path(err, COOC_EFORMAT, checked_file_path(f),
                                "is damaged: its offsets do not ascend");
    }
    return 0;
}

int collection_load_docs(const struct collection *c, struct lists *forward,
                         struct lists *inverted, unsigned threads,
                         struct cooc_err *err)
{
    uint64_t sum;
    int rc = load_lists(c, FILE_FORWARD, forward, threads, 0, &sum, err);

    if (rc == 0)
        rc = map_lists(c, FILE_INVERTED, inverted, err);
    return rc < 0 ? rc : check_offsets(c, inverted, err);
}

int collection_load_terms(const struct collection *c,
                          const struct lists *inverted, uint32_t first,
                          uint32_t last, unsigned threads,
                          struct cooc_err *err)
{
    struct loading l = { .c = c, .f = FILE_INVERTED, .lists = inverted,
                         .first = first, .last = last };

    return first < last ? verify_range(&l, threads, err) : 0;
}
