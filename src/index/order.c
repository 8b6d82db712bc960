/* order.c - drop and number terms, write their names.
 *
 *     merge     all terms in byte order, the g-th with df[g] (term_merge.c);
 *               map[dict][id] = g for every dictionary that contains it
 *     number    sort by falling df; terms of equal df stay in byte order
 *     write     names in order of id, and ids in byte order of name
 *     finish    map[dict][id] = final id
 *
 * Memory.  32 bytes per distinct term.  Unless they are small, names and maps
 * are in mapped temporary files, which the kernel can write back to disk if
 * memory is short.
 *
 * Threads.  All steps except `number`, which takes about 10 ns per term.
 */
#include "index/order.h"

#include <string.h>
#include <sys/mman.h>

#include "base/decimal.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/radix.h"
#include "base/turns.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "index/ingest.h"
#include "index/term_merge.h"
#include "index/write.h"

#define NAMES_PER_JOB 16384u
#define IDS_PER_JOB ((uint64_t)1 << 18) /* of the maps */
#define AHEAD 8u /* names to prefetch */

/* ---- numbering ---------------------------------------------------------- */

/* Set df to 0 for every term that the filter drops, and report the numbers. */
static void drop_terms(struct merged_terms *m, const struct term_filter *f,
                       struct cooc_index_report *rep)
{
    uint64_t most = f->max_df_share > 0
                        ? decimal_share(f->max_df_share, rep->documents)
                        : UINT64_MAX;

    for (uint32_t g = 0; g < m->n; g++) {
        uint64_t *why = NULL;
        size_t len;
        const char *name = merged_name(m, g, &len);

        if (!m->df[g])
            continue;
        if (f->only && dict_find(f->only, name, len) == DICT_NONE)
            why = &rep->dropped_terms_list;
        else if (m->df[g] < f->min_df)
            why = &rep->dropped_terms_min_df;
        else if ((f->max_df && m->df[g] > f->max_df) ||
                 m->df[g] > most)
            why = &rep->dropped_terms_max_df;
        if (why) {
            ++*why;
            rep->dropped_postings += m->df[g];
            m->df[g] = 0;
        }
    }
}

/* The sort is stable, so terms of equal df stay in byte order. */
#define FALLING_DF(key) ((uint32_t)((key) >> 32))
DEFINE_RADIX_SORT(sort_by_df, uint64_t, uint32_t, FALLING_DF)

/* Number the terms that are left: by_id[id] = g, in a new array. */
static int number_terms(const struct merged_terms *m,
                        const struct term_filter *f,
                        struct cooc_index_report *rep, uint64_t **by_id,
                        uint32_t *n_terms, struct cooc_err *err)
{
    uint64_t *keys = mem_array(m->n, sizeof *keys);
    uint64_t *tmp = mem_array(m->n, sizeof *tmp), *sorted;
    uint32_t n = 0;

    *by_id = NULL;
    if (!keys || !tmp) {
        mem_free(keys);
        mem_free(tmp);
        return err_nomem(err);
    }
    for (uint32_t g = 0; g < m->n; g++)
        if (m->df[g])
            keys[n++] = (uint64_t)(UINT32_MAX - m->df[g]) << 32 | g;
    sorted = sort_by_df(keys, tmp, n);
    mem_free(sorted == keys ? tmp : keys);
    for (uint32_t i = 0; i < n; i++)
        sorted[i] &= UINT32_MAX;
    for (; f->top_terms && n > f->top_terms; n--) {
        rep->dropped_terms_top++;
        rep->dropped_postings += m->df[sorted[n - 1]];
    }
    *by_id = sorted;
    *n_terms = n;
    return 0;
}

/* ---- writing names ------------------------------------------------------ */

struct naming {
    const struct merged_terms *m;
    const uint64_t *by_id;
    const uint32_t *rank; /* by g: the id, or TERM_NONE */
    struct ordering *o;
    struct files_writer *out;
    struct watch *watch;
    uint64_t n_jobs; /* jobs that write names; one more job writes ids */
    struct name_scratch {
        struct buf text, ends;
    } *scratch; /* by worker */
    struct turns turns;
    uint64_t end; /* of the names of all jobs that had their turn */
};

/* Copy names [first, last) to the scratch buffers, and note their df. */
static int copy_names(const struct naming *w, uint32_t first, uint32_t last,
                      struct name_scratch *s, struct cooc_err *err)
{
    const struct merged_terms *m = w->m;
    int rc = 0;

    s->text.len = s->ends.len = 0;
    for (uint32_t i = first; i < last && rc == 0; i++) {
        uint32_t g = (uint32_t)w->by_id[i];
        size_t len;
        const char *name = merged_name(m, g, &len);
        uint64_t end = s->text.len + len;

        if (i + 2 * AHEAD < last)
            __builtin_prefetch(&m->ends[w->by_id[i + 2 * AHEAD]]);
        if (i + AHEAD < last)
            __builtin_prefetch(merged_name(m, (uint32_t)w->by_id[i + AHEAD],
                                           &len));
        rc = buf_add(&s->text, name, (size_t)(end - s->text.len), err);
        if (rc == 0)
            rc = buf_add(&s->ends, &end, sizeof end, err);
        w->o->df[i] = m->df[g];
    }
    return rc;
}

static int write_names(struct naming *w, unsigned worker, uint64_t job,
                       struct cooc_err *err)
{
    struct name_scratch *s = &w->scratch[worker];
    uint32_t first = (uint32_t)(job * NAMES_PER_JOB), n = w->o->n_terms - first;
    uint64_t *ends, at = 0;
    int rc;
    bool go;

    n = n < NAMES_PER_JOB ? n : NAMES_PER_JOB;
    rc = copy_names(w, first, first + n, s, err);
    go = turns_wait(&w->turns, job) && rc == 0;
    if (go) {
        at = w->end;
        w->end += s->text.len;
    }
    turns_pass(&w->turns, rc);
    if (!go)
        return rc;
    ends = (uint64_t *)(void *)s->ends.data;
    for (uint32_t i = 0; i < n; i++)
        ends[i] += at;
    rc = placed_file_put(w->out->files[FILE_TERMS], at, s->text.data,
                         s->text.len, err);
    if (rc == 0)
        rc = placed_file_put_u64(w->out->files[FILE_TERMS_OFF],
                                 ((uint64_t)first + 1) * 8, ends, n, err);
    return rc < 0 ? rc : watch_add(w->watch, 0, 0, 0, err);
}

/* Write all ids in byte order of their names. */
static int write_sorted(struct naming *w, struct name_scratch *s,
                        struct cooc_err *err)
{
    struct placed_file *to = w->out->files[FILE_TERMS_SORT];
    uint64_t at = 0;
    int rc = buf_reserve(&s->text, NAMES_PER_JOB * 4, err);

    for (uint32_t g = 0; g < w->m->n && rc == 0;) {
        uint32_t *ids = (uint32_t *)(void *)s->text.data, n = 0;

        for (; g < w->m->n && n < NAMES_PER_JOB; g++) {
            ids[n] = w->rank[g];
            n += w->rank[g] != TERM_NONE;
        }
        rc = placed_file_put_u32(to, at, ids, n, err);
        at += (uint64_t)n * sizeof *ids;
    }
    return rc;
}

static int write_part(void *self, unsigned worker, uint64_t job,
                      struct cooc_err *err)
{
    struct naming *w = self;

    return job == w->n_jobs ? write_sorted(w, &w->scratch[worker], err)
                            : write_names(w, worker, job, err);
}

/* Write the names in order of id, and the ids in byte order of name. */
static int write_terms(struct naming *w, const struct index_job *job,
                       struct cooc_err *err)
{
    int rc = files_writer_open(w->out, job->dir, FILE_TERMS, FILE_TERMS_SORT,
                               err);

    w->n_jobs = (w->o->n_terms + (uint64_t)NAMES_PER_JOB - 1) / NAMES_PER_JOB;
    w->scratch = mem_zarray(job->threads, sizeof *w->scratch);
    if (rc == 0)
        rc = w->scratch ? pool_for(w->n_jobs + 1, job->threads, write_part, w,
                                   err)
                        : err_nomem(err);
    for (unsigned i = 0; i < job->threads && w->scratch; i++) {
        buf_release(&w->scratch[i].text);
        buf_release(&w->scratch[i].ends);
    }
    mem_free(w->scratch);
    return rc;
}

/* ---- maps --------------------------------------------------------------- */

static int open_maps(struct ordering *o, const struct ingested *g,
                     const struct index_job *job, struct cooc_err *err)
{
    size_t n = g->terms.n;
    void *p;
    int rc;

    o->first = mem_zarray(n + 1, sizeof *o->first);
    if (!o->first)
        return err_nomem(err);
    for (size_t i = 0; i < n; i++)
        o->first[i + 1] = o->first[i] + g->terms.items[i].n_ids;
    o->map_bytes = (size_t)(o->first[n] + 1) * sizeof *o->maps;
    rc = temp_map(&p, o->map_bytes, job, err);
    o->maps = p;
    return rc;
}

struct finishing {
    uint32_t *maps;
    uint64_t n;
    const uint32_t *rank;
};

static int finish_maps(void *self, unsigned worker, uint64_t job,
                       struct cooc_err *err)
{
    const struct finishing *f = self;
    uint64_t first = job * IDS_PER_JOB, last = first + IDS_PER_JOB;

    (void)worker;
    (void)err;
    last = last < f->n ? last : f->n;
    for (uint64_t i = first; i < last; i++)
        f->maps[i] = f->rank[f->maps[i]];
    return 0;
}

/* ---- all together ------------------------------------------------------- */

/* Give the terms of m their ids: write them, and finish the maps. */
static int assign_ids(struct ordering *o, const struct merged_terms *m,
                      const uint64_t *by_id, uint64_t n_maps,
                      const struct index_job *job, struct files_writer *w,
                      struct cooc_err *err)
{
    uint32_t *rank = mem_array(m->n, sizeof *rank);
    struct naming naming = { .m = m, .by_id = by_id, .rank = rank, .o = o,
                             .out = w, .watch = job->watch,
                             .turns = TURNS_INIT };
    struct finishing finishing = { .maps = o->maps, .n = n_maps,
                                   .rank = rank };
    int rc;

    o->df = mem_array(o->n_terms, sizeof *o->df);
    if (!rank || !o->df) {
        mem_free(rank);
        return err_nomem(err);
    }
    memset(rank, 0xff, m->n * sizeof *rank); /* TERM_NONE */
    for (uint32_t i = 0; i < o->n_terms; i++)
        rank[by_id[i]] = i;
    rc = write_terms(&naming, job, err);
    if (rc == 0)
        rc = pool_for((n_maps + IDS_PER_JOB - 1) / IDS_PER_JOB, job->threads,
                      finish_maps, &finishing, err);
    mem_free(rank);
    return rc;
}

int order_terms(struct ordering *out, struct ingested *g,
                const struct term_filter *filter, const struct index_job *job,
                struct files_writer *w, struct cooc_err *err)
{
    struct merged_terms m = { 0 };
    uint64_t *by_id = NULL;
    int rc;

    *out = (struct ordering){ 0 };
    rc = open_maps(out, g, job, err);
    if (rc == 0)
        rc = term_merge(&m, out, g, job, err);
    if (rc == 0) {
        drop_terms(&m, filter, job->report);
        rc = number_terms(&m, filter, job->report, &by_id, &out->n_terms, err);
    }
    if (rc == 0)
        rc = assign_ids(out, &m, by_id, out->first[g->terms.n], job, w, err);
    job->report->terms = out->n_terms;
    mem_free(by_id);
    merged_terms_release(&m);
    if (rc < 0)
        ordering_release(out);
    return rc;
}

void ordering_drop_maps(struct ordering *o)
{
    if (o->maps)
        munmap(o->maps, o->map_bytes);
    mem_free(o->first);
    o->maps = NULL;
    o->first = NULL;
}

void ordering_release(struct ordering *o)
{
    if (!o)
        return;
    ordering_drop_maps(o);
    mem_free(o->df);
    *o = (struct ordering){ 0 };
}
