/* order.c - merge the runs, drop, number, write the dictionary.
 *
 *     merge     a heap over the runs gives terms in byte order; the g-th
 *               distinct one has df[g], its name goes to a temporary file,
 *               and map[run][id] = g for every run that has it
 *     number    sort by df, falling; equal df stay in byte order
 *     write     names in order of id, and the ids in byte order of name
 *     finish    map[run][id] = final id
 *
 * Memory.  32 bytes for each distinct term.  Names and maps are in mapped
 * temporary files, which the kernel can write out when memory is short.
 */
#include "index/order.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/blob.h"
#include "base/buf.h"
#include "base/decimal.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/watch.h"
#include "dict/dict.h"
#include "index/collection.h"
#include "index/gather.h"
#include "index/run.h"

#define WRITE_AT ((size_t)1 << 20)
#define ASK_EVERY 65536u /* terms */

struct merged {
    uint32_t *df;   /* by g; 0 once the term is dropped */
    size_t df_cap;
    uint64_t *ends; /* where the g-th name ends in the file */
    size_t ends_cap;
    uint32_t n;
    int fd;
    struct buf out; /* names not yet written */
    uint64_t written;
    const char *names; /* the file, mapped */
    size_t names_len;
    const struct dict *only;
    struct watch *watch; /* may be NULL */
    uint32_t asked;
};

/* Once for every term or so: may we go on? */
static int ask_watch(struct merged *m, struct cooc_err *err)
{
    if (!m->watch || ++m->asked % ASK_EVERY)
        return 0;
    return watch_add(m->watch, 0, 0, 0, err);
}

/* ---- the merge ---------------------------------------------------------- */

static int flush_names(struct merged *m, const char *path,
                       struct cooc_err *err)
{
    size_t len = m->out.len;

    m->written += len;
    m->out.len = 0;
    return file_write(m->fd, m->out.data, len, path, err);
}

static int begin_term(struct merged *m, const struct run_cursor *c,
                      const char *path, struct cooc_err *err)
{
    int rc;

    if (m->n == UINT32_MAX - 1)
        return err_set(err, COOC_ELIMIT, "more than 2^32 terms; use --min-df "
                       "or --terms");
    rc = array_grow(&m->df, &m->df_cap, (size_t)m->n + 1, sizeof *m->df, err);
    if (rc == 0)
        rc = array_grow(&m->ends, &m->ends_cap, (size_t)m->n + 1,
                        sizeof *m->ends, err);
    if (rc == 0)
        rc = buf_add(&m->out, c->term, c->len, err);
    if (rc < 0)
        return rc;
    m->df[m->n] = 0;
    m->ends[m->n++] = m->written + m->out.len;
    return m->out.len >= WRITE_AT ? flush_names(m, path, err) : 0;
}

static int merge_runs(struct merged *m, struct ordering *o,
                      const struct gathered *g, const char *path,
                      uint64_t memory, struct cooc_err *err)
{
    struct run_heap h;
    struct buf last = { 0 };
    int rc = run_heap_open(&h, g->runs, g->n_runs, path, memory, err);

    while (rc == 0 && h.n) {
        size_t r = h.items[0];
        const struct run_cursor *c = &h.cursors[r];

        if (!m->n || last.len != c->len ||
            memcmp(last.data, c->term, c->len) != 0) {
            rc = begin_term(m, c, path, err);
            last.len = 0;
            if (rc == 0)
                rc = buf_add(&last, c->term, c->len, err);
            if (rc == 0) /* so that an empty term compares too */
                rc = buf_reserve(&last, 1, err);
            if (rc < 0)
                break;
        }
        m->df[m->n - 1] += (uint32_t)c->number;
        o->maps[o->first[r] + c->id] = m->n - 1;
        rc = run_heap_next(&h, err);
        if (rc == 0)
            rc = ask_watch(m, err);
    }
    if (rc == 0)
        rc = flush_names(m, path, err);
    buf_release(&last);
    run_heap_close(&h);
    return rc;
}

static const char *name_of(const struct merged *m, uint32_t g, size_t *len)
{
    uint64_t start = g ? m->ends[g - 1] : 0;

    *len = (size_t)(m->ends[g] - start);
    return m->names + start;
}

/* ---- numbering ---------------------------------------------------------- */

/* Set df to 0 for every term that is not wanted, and report it. */
static void drop_terms(struct merged *m, const struct term_filter *f,
                       struct cooc_index_report *rep)
{
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

/* by_id[id] = g for the terms that stay; in a new array. */
static int number_terms(struct merged *m, const struct term_filter *f,
                        uint64_t **by_id, uint32_t *n_terms,
                        struct cooc_index_report *rep, struct cooc_err *err)
{
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

static int write_names(struct merged *m, const uint64_t *by_id,
                       uint32_t n, const char *dir, struct blob_id *ids,
                       struct cooc_err *err)
{
    struct blob_writer *text = NULL, *off = NULL;
    uint64_t end = 0;
    int rc = collection_create(&text, dir, FILE_TERMS, err);

    if (rc == 0)
        rc = collection_create(&off, dir, FILE_TERMS_OFF, err);
    if (rc == 0)
        rc = blob_write_u64(off, &end, 1, err);
    for (uint32_t i = 0; i < n && rc == 0; i++) {
        size_t len;
        const char *name = name_of(m, (uint32_t)by_id[i], &len);

        rc = blob_write(text, name, len, err);
        end += len;
        if (rc == 0)
            rc = ask_watch(m, err);
        if (rc == 0)
            rc = blob_write_u64(off, &end, 1, err);
    }
    if (rc == 0)
        rc = blob_commit(text, &ids[0], err);
    if (rc == 0)
        rc = blob_commit(off, &ids[1], err);
    blob_writer_free(text);
    blob_writer_free(off);
    return rc;
}

/* rank[g] is the final id: in byte order of names these are terms.sort. */
static int write_sorted(const uint32_t *rank, uint32_t n, const char *dir,
                        struct blob_id *id, struct cooc_err *err)
{
    struct blob_writer *w = NULL;
    int rc = collection_create(&w, dir, FILE_TERMS_SORT, err);

    for (uint32_t g = 0; g < n && rc == 0; g++)
        if (rank[g] != TERM_NONE)
            rc = blob_write_u32(w, &rank[g], 1, err);
    if (rc == 0)
        rc = blob_commit(w, id, err);
    blob_writer_free(w);
    return rc;
}

/* ---- all together ------------------------------------------------------- */

static int map_temp(void **out, size_t bytes, const char *dir,
                    struct cooc_err *err)
{
    int fd, rc = file_temp(&fd, dir, err);
    void *p;

    *out = NULL;
    if (rc < 0)
        return rc;
    errno = posix_fallocate(fd, 0, (off_t)bytes); /* a full disk shows now */
    if (errno)
        rc = err_sys(err, "cannot make room for a temporary file in", dir);
    p = rc < 0 ? MAP_FAILED
               : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (rc == 0 && p == MAP_FAILED)
        rc = err_sys(err, "cannot map a temporary file in", dir);
    close(fd);
    if (rc == 0)
        *out = p;
    return rc;
}

static int open_maps(struct ordering *o, const struct gathered *g,
                     const char *tmpdir, struct cooc_err *err)
{
    void *p;
    int rc;

    o->first = mem_zarray(g->n_runs + 1, sizeof *o->first);
    if (!o->first)
        return err_nomem(err);
    for (size_t i = 0; i < g->n_runs; i++)
        o->first[i + 1] = o->first[i] + g->runs[i].n;
    o->map_bytes = (size_t)(o->first[g->n_runs] + 1) * sizeof *o->maps;
    rc = map_temp(&p, o->map_bytes, tmpdir, err);
    o->maps = p;
    return rc;
}

static int map_names(struct merged *m, const char *path,
                     struct cooc_err *err)
{
    void *p;

    m->names = "";
    if (!m->written)
        return 0;
    p = mmap(NULL, (size_t)m->written, PROT_READ, MAP_SHARED, m->fd, 0);
    if (p == MAP_FAILED)
        return err_sys(err, "cannot map a temporary file in", path);
    m->names = p;
    m->names_len = (size_t)m->written;
    return 0;
}

static void merged_release(struct merged *m)
{
    if (m->names_len)
        munmap((void *)(uintptr_t)m->names, m->names_len);
    if (m->fd >= 0)
        close(m->fd);
    mem_free(m->df);
    mem_free(m->ends);
    buf_release(&m->out);
}

int order_terms(struct ordering *out, const struct gathered *g,
                const struct term_filter *filter, const char *dir,
                const char *tmpdir, uint64_t memory, struct blob_id *ids,
                struct cooc_index_report *report, struct watch *watch,
                struct cooc_err *err)
{
    struct merged m = { .fd = -1, .watch = watch };
    uint64_t *by_id = NULL;
    uint32_t *rank = NULL;
    int rc;

    *out = (struct ordering){ 0 };
    rc = open_maps(out, g, tmpdir, err);
    if (rc == 0)
        rc = file_temp(&m.fd, tmpdir, err);
    if (rc == 0)
        rc = merge_runs(&m, out, g, tmpdir, memory, err);
    if (rc == 0)
        rc = map_names(&m, tmpdir, err);
    if (rc < 0)
        goto out;
    drop_terms(&m, filter, report);
    rc = number_terms(&m, filter, &by_id, &out->n_terms, report, err);
    if (rc == 0)
        rc = write_names(&m, by_id, out->n_terms, dir, ids, err);
    if (rc < 0)
        goto out;
    rank = mem_array(m.n, sizeof *rank);
    rc = rank ? 0 : err_nomem(err);
    if (rc < 0)
        goto out;
    memset(rank, 0xff, m.n * sizeof *rank); /* TERM_NONE */
    for (uint32_t i = 0; i < out->n_terms; i++)
        rank[by_id[i]] = i;
    rc = write_sorted(rank, m.n, dir, &ids[2], err);
    for (uint64_t i = 0; i < out->first[g->n_runs]; i++)
        out->maps[i] = rank[out->maps[i]];
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
