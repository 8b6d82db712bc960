/* term_merge.c - merge dictionaries in parallel, one range of names per job.
 *
 * A job merges its range into buffers of its own: the g-th distinct term has a
 * name, a df, and one place in the maps for every dictionary that contains it.
 * When it is the turn of the job, the number of terms before its range is
 * known, and names and df are appended to those of all terms.  Buffers that are
 * full before the end of the range are appended early, which means waiting for
 * the turn, but bounds the memory.
 */
#include "index/term_merge.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/turns.h"
#include "base/watch.h"
#include "index/ingest.h"
#include "index/order.h"

#define ASK_EVERY 65536u /* records */
#define SMALL_SHARE 32u  /* of the memory: below that, files are not needed */
#define FULL_MIN ((size_t)1 << 20) /* bytes of a buffer */
#define FULL_MAX ((size_t)32 << 20)
#define FULL_SHARE 32u /* of the memory of a worker */

/* Where the maps refer to a term. */
struct map_place {
    uint64_t at;
    uint32_t g; /* number of the term in the buffer */
};

struct term_buffer {
    struct buf text, ends, df; /* ends: u64 per term; df: u32 per term */
    struct buf places;
    uint32_t n;
    bool has_turn;
};

struct term_merging {
    struct merged_terms *m;
    struct ordering *o;
    struct ingested *g;
    const struct index_job *job;
    struct names_range *ranges;
    size_t n_ranges;
    struct term_buffer *buffers; /* by worker */
    size_t full; /* a fuller buffer waits for its turn */
    struct turns turns;
    bool spools; /* names are written to a spool first */
    struct spool names;
    struct spool_writer names_out;
};

int temp_map(void **out, size_t bytes, const struct index_job *job,
             struct cooc_err *err)
{
    const char *dir = job->tmpdir;
    bool small = bytes <= job->memory / SMALL_SHARE;
    int fd = -1, rc = small ? 0 : file_temp(&fd, dir, err);
    void *p;

    *out = NULL;
    if (rc < 0)
        return rc;
    if (small) {
        /* Shared, so that map_forget() does not lose it. */
        p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        *out = p != MAP_FAILED ? p : NULL;
        return p != MAP_FAILED ? 0 : err_nomem(err);
    }
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

/* ---- appending to all terms --------------------------------------------- */

/* Append the terms of a buffer; it is its turn. */
static int append_terms(struct term_merging *t, const struct term_buffer *b,
                        struct cooc_err *err)
{
    struct merged_terms *m = t->m;
    const uint64_t *ends = (const uint64_t *)(const void *)b->ends.data;
    uint64_t base = m->n ? m->ends[m->n - 1] : 0;
    int rc;

    if (!b->n)
        return 0;
    if (b->n >= UINT32_MAX - 1 - m->n)
        return err_option(err, COOC_ELIMIT, "min_df",
                          "more than 2^32 terms are not supported; drop rare "
                          "terms");
    rc = array_grow(&m->df, &m->df_cap, (size_t)m->n + b->n, sizeof *m->df,
                    err);
    if (rc == 0)
        rc = array_grow(&m->ends, &m->ends_cap, (size_t)m->n + b->n,
                        sizeof *m->ends, err);
    if (rc == 0 && t->spools)
        rc = spool_write(&t->names_out, b->text.data, b->text.len, err);
    else if (rc == 0 && b->text.len)
        memcpy(m->text + base, b->text.data, b->text.len);
    if (rc < 0)
        return rc;
    memcpy(m->df + m->n, b->df.data, b->df.len);
    for (uint32_t i = 0; i < b->n; i++)
        m->ends[m->n + i] = base + ends[i];
    m->n += b->n;
    return 0;
}

/* Append and empty the buffer.  The last call of a job passes the turn on. */
static int flush(struct term_merging *t, struct term_buffer *b, uint64_t job,
                 bool last, int rc, struct cooc_err *err)
{
    const struct map_place *p = (const void *)b->places.data;
    uint32_t base = 0;
    bool go = b->has_turn || turns_wait(&t->turns, job);

    b->has_turn = true;
    if (go && rc == 0) {
        base = t->m->n;
        rc = append_terms(t, b, err);
    }
    if (last)
        turns_pass(&t->turns, rc);
    for (size_t i = 0; go && rc == 0 && i < b->places.len / sizeof *p; i++)
        t->o->maps[p[i].at] = base + p[i].g;
    b->text.len = b->ends.len = b->df.len = b->places.len = 0;
    b->n = 0;
    return rc;
}

/* ---- merging a range ---------------------------------------------------- */

/* Add a record to the buffer; it begins a new term if is_new. */
static int add_record(struct term_buffer *b, const struct name_record *r,
                      uint64_t at, bool is_new, struct cooc_err *err)
{
    const uint32_t zero = 0;
    struct map_place place = { .at = at };
    int rc = 0;

    if (is_new) {
        uint64_t end = b->text.len + r->len;

        rc = buf_add(&b->text, r->name, r->len, err);
        if (rc == 0)
            rc = buf_add(&b->ends, &end, sizeof end, err);
        if (rc == 0)
            rc = buf_add(&b->df, &zero, sizeof zero, err);
        b->n += rc == 0;
    }
    if (rc < 0)
        return rc;
    ((uint32_t *)(void *)b->df.data)[b->n - 1] += (uint32_t)r->number;
    place.g = b->n - 1;
    return buf_add(&b->places, &place, sizeof place, err);
}

static int merge_range(void *self, unsigned worker, uint64_t job,
                       struct cooc_err *err)
{
    struct term_merging *t = self;
    struct term_buffer *b = &t->buffers[worker];
    const struct names_list *terms = &t->g->terms;
    struct names_merge in;
    uint64_t asked = 0;
    int rc = names_merge_open(&in, terms->items, terms->n, &t->g->names_file,
                              t->ranges[job],
                              t->job->memory / t->job->threads, err);

    b->has_turn = false;
    while (rc == 0 && in.n) {
        const struct names_cursor *c = names_merge_least(&in);
        size_t dict = (size_t)(c - in.cursors);

        if (in.is_new && (b->text.len > t->full || b->places.len > t->full))
            rc = flush(t, b, job, false, rc, err);
        if (rc == 0)
            rc = add_record(b, &c->now, t->o->first[dict] + c->now.id,
                            in.is_new, err);
        if (rc == 0)
            rc = names_merge_next(&in, err);
        if (rc == 0 && ++asked % ASK_EVERY == 0)
            rc = watch_add(t->job->watch, 0, 0, 0, err);
    }
    names_merge_close(&in);
    return flush(t, b, job, true, rc, err);
}

/* ---- all together ------------------------------------------------------- */

/* Make room for the names: in memory, if they are sure to fit. */
static int open_text(struct term_merging *t, struct cooc_err *err)
{
    struct merged_terms *m = t->m;
    uint64_t most = 1;
    void *p = NULL;
    int rc;

    for (size_t i = 0; i < t->g->terms.n; i++)
        most += t->g->terms.items[i].records.len;
    t->spools = most > t->job->memory / SMALL_SHARE;
    t->names_out = (struct spool_writer){ .to = &t->names,
                                          .file = &t->g->names_file };
    if (t->spools)
        return 0;
    rc = temp_map(&p, (size_t)most, t->job, err);
    m->text = p;
    m->text_bytes = (size_t)most;
    return rc;
}

/* Load names from the spool into a mapped file, for random access. */
static int load_text(struct term_merging *t, struct cooc_err *err)
{
    struct merged_terms *m = t->m;
    void *p = NULL;
    int rc = temp_map(&p, t->names.len + 1, t->job, err);

    m->text = p;
    m->text_bytes = t->names.len + 1;
    if (rc == 0)
        rc = spool_load(&t->names, &t->g->names_file, m->text, err);
    spool_drop(&t->names, &t->g->names_file);
    return rc;
}

static void release_buffers(struct term_merging *t)
{
    for (unsigned i = 0; i < t->job->threads && t->buffers; i++) {
        buf_release(&t->buffers[i].text);
        buf_release(&t->buffers[i].ends);
        buf_release(&t->buffers[i].df);
        buf_release(&t->buffers[i].places);
    }
    mem_free(t->buffers);
}

int term_merge(struct merged_terms *m, struct ordering *o, struct ingested *g,
               const struct index_job *job, struct cooc_err *err)
{
    struct term_merging t = { .m = m, .o = o, .g = g, .job = job,
                              .turns = TURNS_INIT };
    uint64_t full = job->memory / job->threads / FULL_SHARE;
    int rc = names_split(&t.ranges, &t.n_ranges, g->terms.items, g->terms.n,
                         err);

    t.full = full < FULL_MIN ? FULL_MIN : full < FULL_MAX ? full : FULL_MAX;
    if (rc == 0)
        rc = open_text(&t, err);
    t.buffers = mem_zarray(job->threads, sizeof *t.buffers);
    if (rc == 0 && !t.buffers)
        rc = err_nomem(err);
    if (rc == 0)
        rc = pool_for(t.n_ranges, job->threads, merge_range, &t, err);
    if (t.spools) {
        rc = spool_writer_end(&t.names_out, rc, err);
        if (rc == 0)
            rc = load_text(&t, err);
    }
    release_buffers(&t);
    mem_free(t.ranges);
    return rc;
}

void merged_terms_release(struct merged_terms *m)
{
    if (m->text)
        munmap(m->text, m->text_bytes);
    mem_free(m->df);
    mem_free(m->ends);
}
