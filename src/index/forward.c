/* forward.c - translate chunks to final ids in parallel; write them in order.
 *
 * A worker takes the next chunk, translates and sorts it, then waits for its
 * turn to append it.  Chunks are of similar size, so the wait is short.
 * Dropped terms are removed here.
 */
#include <pthread.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/watch.h"
#include "index/ingest.h"
#include "index/order.h"
#include "index/write.h"

struct forward_job {
    const struct ingested *g;
    const struct ordering *o;
    struct files_writer out;
    uint64_t postings, name_bytes;
    struct watch *watch; /* may be NULL */
    struct scratch {
        struct buf data, tmp;
    } *scratch; /* by worker */
    pthread_mutex_t lock;
    pthread_cond_t turn;
    size_t next; /* index of the next chunk to append */
    bool failed;
};

/* Load a chunk and translate it in place: ids become final and ascending,
 * dropped terms are removed, and lens is adjusted. */
static int translate(const struct forward_job *job, const struct chunk *c,
                     struct scratch *s, struct cooc_err *err)
{
    const uint32_t *map = job->o->maps + job->o->first[c->dict];
    uint32_t *lens, *ids, *to;
    int rc = buf_reserve(&s->data, c->data.len, err);

    if (rc == 0)
        rc = buf_reserve(&s->tmp, c->n_ids * sizeof *ids, err);
    if (rc == 0)
        rc = spool_load(&c->data, &job->g->chunk_file, s->data.data, err);
    if (rc < 0)
        return rc;
    lens = (uint32_t *)(void *)s->data.data;
    ids = to = lens + 2 * (size_t)c->n_docs;
    for (uint32_t d = 0; d < c->n_docs; d++) {
        uint32_t n = 0;

        for (uint32_t i = 0; i < lens[d]; i++)
            if (map[ids[i]] != TERM_NONE)
                to[n++] = map[ids[i]];
        sort_u32(to, (uint32_t *)(void *)s->tmp.data, n);
        ids += lens[d];
        to += n;
        lens[d] = n;
    }
    return 0;
}

/* Append a translated chunk.  The caller holds the lock, and it is the turn
 * of this chunk. */
static int append(struct forward_job *job, const struct chunk *c,
                  const struct scratch *s, struct cooc_err *err)
{
    const uint32_t *lens = (const uint32_t *)(const void *)s->data.data;
    const uint32_t *name_lens = lens + c->n_docs;
    const uint32_t *ids = name_lens + c->n_docs;
    const char *names = (const char *)(ids + c->n_ids);
    struct checked_file_writer *const *out = job->out.files;
    uint64_t n = 0, bytes = 0;
    int rc = 0;

    for (uint32_t d = 0; d < c->n_docs && rc == 0; d++) {
        n += lens[d];
        bytes += name_lens[d];
        job->postings += lens[d];
        job->name_bytes += name_lens[d];
        rc = checked_file_write_u64(out[FILE_FORWARD_OFF], &job->postings, 1,
                                    err);
        if (rc == 0)
            rc = checked_file_write_u64(out[FILE_DOCS_OFF], &job->name_bytes, 1,
                                        err);
    }
    if (rc == 0)
        rc = checked_file_write_u32(out[FILE_FORWARD], ids, n, err);
    if (rc == 0)
        rc = checked_file_write(out[FILE_DOCS], names, bytes, err);
    return rc < 0 ? rc : watch_add(job->watch, c->n_docs, 0, 0, err);
}

static int write_chunk(void *self, unsigned worker, uint64_t i,
                       struct cooc_err *err)
{
    struct forward_job *job = self;
    const struct chunk *c = &job->g->chunks[i];
    struct scratch *s = &job->scratch[worker];
    int rc = translate(job, c, s, err);

    pthread_mutex_lock(&job->lock);
    while (job->next != i && !job->failed)
        pthread_cond_wait(&job->turn, &job->lock);
    if (rc == 0 && !job->failed)
        rc = append(job, c, s, err);
    job->failed |= rc < 0;
    job->next++;
    pthread_cond_broadcast(&job->turn);
    pthread_mutex_unlock(&job->lock);
    return rc;
}

int write_forward(const struct ingested *g, const struct ordering *o,
                  const struct index_job *job, struct cooc_err *err)
{
    struct forward_job f = { .g = g, .o = o, .watch = job->watch,
                             .lock = PTHREAD_MUTEX_INITIALIZER,
                             .turn = PTHREAD_COND_INITIALIZER };
    int rc = files_writer_open(&f.out, job->dir, FILE_DOCS, FILE_FORWARD_OFF,
                               err);

    f.scratch = mem_zarray(job->threads, sizeof *f.scratch);
    if (rc == 0)
        rc = f.scratch ? pool_for(g->n_chunks, job->threads, write_chunk, &f,
                                  err)
                       : err_nomem(err);
    for (unsigned i = 0; i < job->threads && f.scratch; i++) {
        buf_release(&f.scratch[i].data);
        buf_release(&f.scratch[i].tmp);
    }
    mem_free(f.scratch);
    job->report->postings = f.postings;
    return files_writer_end(&f.out, rc, job->ids, err);
}
