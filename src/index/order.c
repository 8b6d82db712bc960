/* order.c - merge the dictionaries, drop and number terms, write their names.
 *
 *     merge     read terms in byte order; the g-th distinct term has df[g], its
 *               name is written to a temporary file, and map[dict][id] = g for
 *               every dictionary that contains it
 *     number    sort by falling df; terms of equal df stay in byte order
 *     write     names in order of id, and ids in byte order of name
 *     finish    map[dict][id] = final id
 *
 * Memory.  32 bytes per distinct term.  Names and maps are in mapped temporary
 * files, which the kernel can write back to disk if memory is short.
 */
#include "index/order.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/dict.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "index/ingest.h"
#include "index/write.h"

#define ASK_EVERY 65536u /* terms */

struct merged {
    const struct index_job *job;
    uint32_t *df;   /* by g; 0 if the term is dropped */
    size_t df_cap;
    uint64_t *ends; /* where the g-th name ends */
    size_t ends_cap;
    uint32_t n;
    struct spool names; /* in byte order, while merging */
    char *text;         /* the same, then in a mapped file */
    size_t text_bytes;
    uint32_t asked;
};

/* Called about once per term: check for cancellation every ASK_EVERY calls. */
static int ask_watch(struct merged *m, struct cooc_err *err)
{
    if (++m->asked % ASK_EVERY)
        return 0;
    return watch_add(m->job->watch, 0, 0, 0, err);
}

/* Map a nameless temporary file in dir, which the kernel can write back. */
static int map_temp(void **out, size_t bytes, const char *dir,
                    struct cooc_err *err)
{
    int fd, rc = file_temp(&fd, dir, err);
    void *p;

    *out = NULL;
    if (rc < 0)
        return rc;
    errno = posix_fallocate(fd, 0, (off_t)bytes); /* detects a full disk now */
    if (errno)
        rc = err_sys(err, "cannot allocate a temporary file", dir);
    p = rc < 0 ? MAP_FAILED
               : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (rc == 0 && p == MAP_FAILED)
        rc = err_sys(err, "cannot map a temporary file", dir);
    close(fd);
    if (rc == 0)
        *out = p;
    return rc;
}

/* ---- the merge ---------------------------------------------------------- */

static int begin_term(struct merged *m, struct spool_writer *names,
                      const struct name_record *r, struct cooc_err *err)
{
    int rc;

    if (m->n == UINT32_MAX - 1)
        return err_option(err, COOC_ELIMIT, "min_df",
                          "more than 2^32 terms are not supported; drop rare "
                          "terms");
    rc = array_grow(&m->df, &m->df_cap, (size_t)m->n + 1, sizeof *m->df, err);
    if (rc == 0)
        rc = array_grow(&m->ends, &m->ends_cap, (size_t)m->n + 1,
                        sizeof *m->ends, err);
    if (rc < 0)
        return rc;
    m->df[m->n] = 0;
    m->ends[m->n] = (m->n ? m->ends[m->n - 1] : 0) + r->len;
    m->n++;
    return spool_write(names, r->name, r->len, err);
}

static int merge_terms(struct merged *m, struct ordering *o,
                       struct ingested *g, struct cooc_err *err)
{
    struct names_merge in;
    struct spool_writer names = { .to = &m->names, .file = &g->names_file };
    int rc = names_merge_open(&in, g->terms.items, g->terms.n, &g->names_file,
                              m->job->memory, err);

    while (rc == 0 && in.n) {
        const struct names_cursor *c = names_merge_least(&in);
        size_t dict = (size_t)(c - in.cursors);

        if (in.is_new)
            rc = begin_term(m, &names, &c->now, err);
        if (rc < 0)
            break;
        m->df[m->n - 1] += (uint32_t)c->now.number;
        o->maps[o->first[dict] + c->now.id] = m->n - 1;
        rc = names_merge_next(&in, err);
        if (rc == 0)
            rc = ask_watch(m, err);
    }
    names_merge_close(&in);
    return spool_writer_end(&names, rc, err);
}

/* Load the names into a mapped file, for random access. */
static int map_names(struct merged *m, struct spool_file *file,
                     struct cooc_err *err)
{
    void *p = NULL;
    int rc = map_temp(&p, m->names.len + 1, m->job->tmpdir, err);

    m->text = p;
    m->text_bytes = m->names.len + 1;
    if (rc == 0)
        rc = spool_load(&m->names, file, m->text, err);
    spool_drop(&m->names, file);
    return rc;
}

static const char *name_of(const struct merged *m, uint32_t g, size_t *len)
{
    uint64_t start = g ? m->ends[g - 1] : 0;

    *len = (size_t)(m->ends[g] - start);
    return m->text + start;
}

/* ---- numbering ---------------------------------------------------------- */

/* Set df to 0 for every term that the filter drops, and report the numbers. */
static void drop_terms(struct merged *m, const struct term_filter *f)
{
    struct cooc_index_report *rep = m->job->report;
    uint64_t most = f->max_df_share > 0
                        ? decimal_share(f->max_df_share, rep->documents)
                        : UINT64_MAX;

    for (uint32_t g = 0; g < m->n; g++) {
        uint64_t *why = NULL;
        size_t len;
        const char *name = name_of(m, g, &len);

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

/* Number the terms that are left: by_id[id] = g, in a new array. */
static int number_terms(struct merged *m, const struct term_filter *f,
                        uint64_t **by_id, uint32_t *n_terms,
                        struct cooc_err *err)
{
    struct cooc_index_report *rep = m->job->report;
    uint64_t *keys = mem_array(m->n, sizeof *keys);
    uint64_t *tmp = mem_array(m->n, sizeof *tmp);
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
    sort_u64(keys, tmp, n);
    mem_free(tmp);
    for (uint32_t i = 0; i < n; i++)
        keys[i] &= UINT32_MAX;
    for (; f->top_terms && n > f->top_terms; n--) {
        rep->dropped_terms_top++;
        rep->dropped_postings += m->df[keys[n - 1]];
    }
    *by_id = keys;
    *n_terms = n;
    return 0;
}

/* Write the names in order of id, then the ids in byte order of name; rank[g]
 * is the id of the g-th name. */
static int write_terms(struct merged *m, const uint64_t *by_id, uint32_t n,
                       const uint32_t *rank, struct cooc_err *err)
{
    struct files_writer w;
    int rc = files_writer_open(&w, m->job->dir, FILE_TERMS, FILE_TERMS_SORT,
                               err);

    for (uint32_t i = 0; i < n && rc == 0; i++) {
        size_t len;
        const char *name = name_of(m, (uint32_t)by_id[i], &len);

        rc = files_writer_name(&w, FILE_TERMS, name, len, err);
        if (rc == 0)
            rc = ask_watch(m, err);
    }
    for (uint32_t g = 0; g < m->n && rc == 0; g++)
        if (rank[g] != TERM_NONE)
            rc = checked_file_write_u32(w.files[FILE_TERMS_SORT], &rank[g], 1,
                                        err);
    return files_writer_end(&w, rc, m->job->ids, err);
}

/* ---- all together ------------------------------------------------------- */

static int open_maps(struct ordering *o, const struct ingested *g,
                     const char *tmpdir, struct cooc_err *err)
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
    rc = map_temp(&p, o->map_bytes, tmpdir, err);
    o->maps = p;
    return rc;
}

static void merged_release(struct merged *m)
{
    if (m->text)
        munmap(m->text, m->text_bytes);
    mem_free(m->df);
    mem_free(m->ends);
}

int order_terms(struct ordering *out, struct ingested *g,
                const struct term_filter *filter, const struct index_job *job,
                struct cooc_err *err)
{
    struct merged m = { .job = job };
    uint64_t *by_id = NULL;
    uint32_t *rank = NULL;
    int rc;

    *out = (struct ordering){ 0 };
    rc = open_maps(out, g, job->tmpdir, err);
    if (rc == 0)
        rc = merge_terms(&m, out, g, err);
    if (rc == 0)
        rc = map_names(&m, &g->names_file, err);
    if (rc < 0)
        goto out;
    drop_terms(&m, filter);
    rc = number_terms(&m, filter, &by_id, &out->n_terms, err);
    rank = mem_array(m.n, sizeof *rank);
    if (rc == 0 && !rank)
        rc = err_nomem(err);
    if (rc < 0)
        goto out;
    memset(rank, 0xff, m.n * sizeof *rank); /* TERM_NONE */
    for (uint32_t i = 0; i < out->n_terms; i++)
        rank[by_id[i]] = i;
    rc = write_terms(&m, by_id, out->n_terms, rank, err);
    for (uint64_t i = 0; i < out->first[g->terms.n]; i++)
        out->maps[i] = rank[out->maps[i]];
    job->report->terms = out->n_terms;
out:
    mem_free(rank);
    mem_free(by_id);
    merged_release(&m);
    if (rc < 0)
        ordering_release(out);
    return rc;
}

void ordering_release(struct ordering *o)
{
    if (!o)
        return;
    if (o->maps)
        munmap(o->maps, o->map_bytes);
    mem_free(o->first);
    *o = (struct ordering){ 0 };
}
