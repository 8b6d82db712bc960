/* forward.c - chunks to final ids, in parallel, written in order.
 *
 * A worker takes the next chunk, translates and sorts it alone, then waits
 * for its turn to append it: chunks are of similar size, so the wait is
 * short.  Dropped terms vanish here.
 */
#include <pthread.h>
#include <string.h>
#include <xxhash.h>

#include "base/blob.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/watch.h"
#include "index/collection.h"
#include "index/gather.h"
#include "index/order.h"
#include "index/write.h"

struct forward_job {
    const struct gathered *g;
    const struct ordering *o;
    struct blob_writer *ids, *ids_off, *names, *names_off;
    uint64_t postings, name_bytes;
    struct watch *watch; /* may be NULL */
    pthread_mutex_t lock;
    pthread_cond_t turn;
    size_t next_taken, next_written;
    bool failed;
    struct cooc_err err;
};

struct scratch {
    struct buf data, tmp;
};

/* The chunk's bytes, from memory or from its file. */
static int load_chunk(const struct chunk *c, struct buf *data,
                      struct cooc_err *err)
{
    int rc;

    data->len = 0;
    rc = buf_reserve(data, c->len, err);
    if (rc < 0)
        return rc;
    data->len = c->len;
    if (c->fd < 0) {
        memcpy(data->data, c->data.data, c->len);
        return 0;
    }
    rc = file_pread(c->fd, data->data, c->len, c->off, "a temporary file",
                    err);
    if (rc == 0 && XXH3_64bits(data->data, c->len) != c->hash)
        rc = err_set(err, COOC_EIO, "a temporary file is damaged: check the "
                     "disk");
    return rc;
}

/* Translate in place: lens become shorter, ids final and ascending. */
static int translate(const struct forward_job *job, const struct chunk *c,
                     struct scratch *s, struct cooc_err *err)
{
    const uint32_t *map = job->o->maps + job->o->first[c->run];
    uint32_t *lens, *ids, *to;
    int rc = load_chunk(c, &s->data, err);

    if (rc == 0)
        rc = buf_reserve(&s->tmp, c->n_ids * sizeof *ids, err);
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

/* Append a translated chunk; it is this chunk's turn. */
static int append(struct forward_job *job, const struct chunk *c,
                  const struct scratch *s, struct cooc_err *err)
{
    const uint32_t *lens = (const uint32_t *)(const void *)s->data.data;
    const uint32_t *name_lens = lens + c->n_docs;
    const uint32_t *ids = name_lens + c->n_docs;
    const char *names = (const char *)(ids + c->n_ids);
    uint64_t n = 0, bytes = 0;
    int rc = 0;

    for (uint32_t d = 0; d < c->n_docs && rc == 0; d++) {
        n += lens[d];
        bytes += name_lens[d];
        job->postings += lens[d];
        job->name_bytes += name_lens[d];
        rc = blob_write_u64(job->ids_off, &job->postings, 1, err);
        if (rc == 0)
            rc = blob_write_u64(job->names_off, &job->name_bytes, 1, err);
    }
    if (rc == 0)
        rc = blob_write_u32(job->ids, ids, n, err);
    if (rc == 0)
        rc = blob_write(job->names, names, bytes, err);
    return rc;
}

static void work(void *self, unsigned worker)
{
    struct forward_job *job = self;
    struct scratch s = { 0 };

    (void)worker;
    for (;;) {
        struct cooc_err err = { 0 };
        bool failed;
        size_t i;
        int rc;

        pthread_mutex_lock(&job->lock);
        i = job->next_taken++;
        failed = job->failed;
        pthread_mutex_unlock(&job->lock);
        if (i >= job->g->n_chunks)
            break;
        rc = failed ? 0 : translate(job, &job->g->chunks[i], &s, &err);
        pthread_mutex_lock(&job->lock);
        while (job->next_written != i)
            pthread_cond_wait(&job->turn, &job->lock);
        if (rc == 0 && !job->failed)
            rc = append(job, &job->g->chunks[i], &s, &err);
        if (rc == 0 && !job->failed && job->watch)
            rc = watch_add(job->watch, job->g->chunks[i].n_docs, 0, 0, &err);
        if (rc < 0 && !job->failed) {
            job->failed = true;
            job->err = err;
            job->err.code = rc;
        }
        job->next_written++;
        pthread_cond_broadcast(&job->turn);
        pthread_mutex_unlock(&job->lock);
    }
    buf_release(&s.data);
    buf_release(&s.tmp);
}

static int open_files(struct forward_job *job, const char *dir,
                      struct cooc_err *err)
{
    const uint64_t zero = 0;
    int rc = collection_create(&job->ids, dir, FILE_FORWARD, err);

    if (rc == 0)
        rc = collection_create(&job->ids_off, dir, FILE_FORWARD_OFF, err);
    if (rc == 0)
        rc = collection_create(&job->names, dir, FILE_DOCS, err);
    if (rc == 0)
        rc = collection_create(&job->names_off, dir, FILE_DOCS_OFF, err);
    if (rc == 0)
        rc = blob_write_u64(job->ids_off, &zero, 1, err);
    if (rc == 0)
        rc = blob_write_u64(job->names_off, &zero, 1, err);
    return rc;
}

int write_forward(const struct gathered *g, const struct ordering *o,
                  const char *dir, unsigned threads, struct blob_id *ids,
                  struct cooc_index_report *report, struct watch *watch,
                  struct cooc_err *err)
{
    struct forward_job job = { .g = g, .o = o, .watch = watch };
    int rc = open_files(&job, dir, err);

    if (rc < 0)
        goto out;
    pthread_mutex_init(&job.lock, NULL);
    pthread_cond_init(&job.turn, NULL);
    pool_run(threads, work, &job);
    pthread_cond_destroy(&job.turn);
    pthread_mutex_destroy(&job.lock);
    if (job.failed) {
        rc = err_set(err, job.err.code, "%s", job.err.text);
        goto out;
    }
    rc = blob_commit(job.ids, &ids[FILE_FORWARD], err);
    if (rc == 0)
        rc = blob_commit(job.ids_off, &ids[FILE_FORWARD_OFF], err);
    if (rc == 0)
        rc = blob_commit(job.names, &ids[FILE_DOCS], err);
    if (rc == 0)
        rc = blob_commit(job.names_off, &ids[FILE_DOCS_OFF], err);
    report->postings = job.postings;
out:
    blob_writer_free(job.ids);
    blob_writer_free(job.ids_off);
    blob_writer_free(job.names);
    blob_writer_free(job.names_off);
    return rc;
}
