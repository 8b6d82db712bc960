/* inverted.c - invert the forward index.
 *
 * A counting sort: count the df of each term, which gives the position of every
 * list, then walk through the documents and append each to the lists of its
 * terms.  Documents are visited in order, so the lists are ascending.  If the
 * lists do not fit in the available memory, they are built for one range of
 * terms at a time, with one pass over the documents per range.  A pass gives
 * pages that it has read back to the kernel, so that the forward file does not
 * fill the memory.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "index/ingest.h"
#include "index/write.h"

#define FORGET_EVERY ((uint64_t)8 << 20) /* bytes */
#define ASK_EVERY 1024u                  /* documents */

struct inversion {
    struct checked_file *fwd, *fwd_off;
    uint32_t n_docs, n_terms;
    uint64_t *off;   /* n_terms + 1 starts of lists */
    uint64_t *place; /* position of the next document, by term */
    uint64_t forgotten;
    struct watch *watch; /* may be NULL */
    bool reporting; /* this pass counts as progress */
};

/* Get the terms of document d.  A pass must visit documents in order. */
static int walk(struct inversion *t, uint32_t d, const uint32_t **ids,
                uint64_t *n, struct cooc_err *err)
{
    const void *p;
    uint64_t start, end;
    int rc = checked_file_get(t->fwd_off, (uint64_t)d * 8, 16, &p, err);

    if (rc < 0)
        return rc;
    start = ((const uint64_t *)p)[0] * 4;
    end = ((const uint64_t *)p)[1] * 4;
    if (d == 0)
        t->forgotten = 0;
    if (start - t->forgotten > FORGET_EVERY) {
        checked_file_forget(t->fwd, start);
        t->forgotten = start;
    }
    if (d % ASK_EVERY == ASK_EVERY - 1)
        rc = watch_add(t->watch, t->reporting ? ASK_EVERY : 0, 0, 0, err);
    if (rc == 0)
        rc = checked_file_get(t->fwd, start, end - start, &p, err);
    *ids = p;
    *n = (end - start) / 4;
    return rc;
}

static int count_df(struct inversion *t, struct cooc_err *err)
{
    int rc = 0;

    for (uint32_t d = 0; d < t->n_docs && rc == 0; d++) {
        const uint32_t *ids;
        uint64_t n;

        rc = walk(t, d, &ids, &n, err);
        for (uint64_t i = 0; rc == 0 && i < n; i++)
            t->off[ids[i] + 1]++;
    }
    for (uint32_t i = 0; i < t->n_terms; i++)
        t->off[i + 1] += t->off[i];
    return rc;
}

/* Build the lists of terms [first, last) in out, beginning with first's. */
static int fill_range(struct inversion *t, uint32_t first, uint32_t last,
                      uint32_t *out, struct cooc_err *err)
{
    uint64_t base = t->off[first];
    int rc = 0;

    for (uint32_t d = 0; d < t->n_docs && rc == 0; d++) {
        const uint32_t *ids;
        uint64_t n, i = 0;

        rc = walk(t, d, &ids, &n, err);
        if (rc < 0)
            break;
        while (i < n && ids[i] < first)
            i++;
        for (; i < n && ids[i] < last; i++)
            out[t->place[ids[i]]++ - base] = d;
    }
    return rc;
}

static int write_lists(struct inversion *t, uint64_t room,
                       struct checked_file_writer *w, struct cooc_err *err)
{
    uint32_t *out = NULL;
    uint64_t cap = 0;
    int rc = 0;

    for (uint32_t first = 0, last; first < t->n_terms && rc == 0;
         first = last) {
        uint64_t base = t->off[first], n;

        for (last = first + 1; last < t->n_terms &&
                               t->off[last + 1] - base <= room;)
            last++;
        n = t->off[last] - base;
        if (n > cap) {
            mem_free(out);
            out = mem_array(n, sizeof *out);
            cap = n;
            if (!out) {
                rc = err_nomem(err);
                break;
            }
        }
        t->reporting = last == t->n_terms;
        rc = fill_range(t, first, last, out, err);
        if (rc == 0)
            rc = checked_file_write_u32(w, out, n, err);
    }
    mem_free(out);
    return rc;
}

int write_inverted(const struct index_job *job, struct cooc_err *err)
{
    const struct cooc_index_report *rep = job->report;
    struct inversion t = { .n_docs = (uint32_t)rep->documents,
                           .n_terms = (uint32_t)rep->terms,
                           .watch = job->watch };
    uint64_t room = job->memory / 4 / sizeof(uint32_t);
    size_t offsets = (size_t)t.n_terms + 1;
    struct files_writer w;
    int rc = files_writer_open(&w, job->dir, FILE_INVERTED, FILE_INVERTED_OFF,
                               err);

    if (rc == 0)
        rc = collection_open_file(&t.fwd, job->dir, FILE_FORWARD,
                                  &job->ids[FILE_FORWARD], err);
    if (rc == 0)
        rc = collection_open_file(&t.fwd_off, job->dir, FILE_FORWARD_OFF,
                                  &job->ids[FILE_FORWARD_OFF], err);
    if (rc == 0) {
        t.off = mem_zarray(offsets, sizeof *t.off);
        t.place = mem_array(offsets, sizeof *t.place);
        rc = t.off && t.place ? count_df(&t, err) : err_nomem(err);
    }
    if (rc == 0)
        rc = checked_file_write_u64(w.files[FILE_INVERTED_OFF], t.off + 1,
                                    t.n_terms, err);
    if (rc == 0) {
        memcpy(t.place, t.off, offsets * sizeof *t.place);
        rc = write_lists(&t, room, w.files[FILE_INVERTED], err);
    }
    mem_free(t.off);
    mem_free(t.place);
    checked_file_close(t.fwd);
    checked_file_close(t.fwd_off);
    return files_writer_end(&w, rc, job->ids, err);
}
