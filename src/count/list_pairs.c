/* list_pairs.c - count one pair at a time: intersect two inverted lists.
 *
 * The idea.  Two terms occur together in the documents that are in both of
 * their inverted lists.  So for every pair of terms s < t, whether they occur
 * together or not:
 *
 *     count(s, t) = size of the intersection of inverted[s] and inverted[t]
 *
 * Example.  inverted[0] = d0 d1   inverted[1] = d0 d2   inverted[2] = d1 d2
 *     row 1:  {d0 d1} & {d0 d2} = 1
 *     row 2:  {d0 d1} & {d1 d2} = 1   {d0 d2} & {d1 d2} = 1
 *
 * Cost.  W(W-1)/2 intersections, where W is the number of terms with more than
 * one document (the rows of all other terms are omitted, see plan.h).  Nearly
 * all intersections are empty.  Lists of similar length are merged; a short
 * list is searched in a long one.  Memory: one row, no counters.
 *
 * Threads.  Rows are independent.
 *
 * When.  Not the fastest on any collection that we measured (docs/METHODS.md).
 * It would need a small vocabulary of frequent terms, most pairs of which do
 * occur together.
 *
 * After "list-pairs" in Billerbeck et al., arXiv 2007.08709 (2020).
 */
#include "base/buf.h"
#include "base/mem.h"
#include "count/method.h"
#include "index/intersect.h"

static struct list list_of(const struct lists *inv, uint32_t t)
{
    return (struct list){ .ids = inv->ids + inv->off[t],
                          .end = inv->ids + inv->off[t + 1] };
}

static struct count_need need(const struct count_size *size)
{
    return (struct count_need){ .worker = (uint64_t)size->longest_row * 8 };
}

static int run(const struct count_job *job, const struct row_sink *out,
               struct cooc_err *err)
{
    struct entry *row = NULL;
    uint64_t work = 0;
    size_t cap = 0;
    int rc = 0;

    for (uint32_t t = job->first; t < job->last && rc == 0; t++) {
        struct list mine = list_of(&job->inv, t);
        size_t n = 0;

        for (uint32_t s = 0; s < t && rc == 0; s++) {
            uint32_t count = (uint32_t)intersect(
                mine, list_of(&job->inv, s), NULL);

            rc = job_go_on(job, &work, (uint64_t)(mine.end - mine.ids) + 16,
                           err);
            if (!count || rc < 0)
                continue;
            rc = array_grow(&row, &cap, n + 1, sizeof *row, err);
            if (rc == 0)
                row[n++] = (struct entry){ .term = s, .count = count };
        }
        if (rc == 0)
            rc = out->row(out->self, t, row, n, err);
    }
    mem_free(row);
    return rc;
}

const struct count_method count_list_pairs = {
    .about = { "list-pairs",
               "for each pair of terms, intersect their document lists" },
    .by_rows = true,
    .all_lists = true,
    .need = need,
    .run = run,
};
