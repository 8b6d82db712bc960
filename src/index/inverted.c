/* inverted.c - turn the forward file round.
 *
 * A counting sort: count the df of each term, which gives every list its
 * place, then walk the documents and drop each into the lists of its terms.
 * Documents are walked in order, so the lists come out ascending.  If the
 * lists do not fit the memory given, terms are taken a range at a time, each
 * with its own walk.
 */
#include <string.h>

#include "base/blob.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "index/collection.h"
#include "index/write.h"

struct turn {
    const uint64_t *fwd_off;
    const uint32_t *fwd;
    uint32_t n_docs, n_terms;
    uint64_t *off;  /* n_terms + 1 */
    uint64_t *next; /* by document: where its walk stands */
};

static int open_blob(struct blob **b, const char *dir,
                     enum collection_file f, const char *kind,
                     const struct blob_id *id, const void **data,
                     struct cooc_err *err)
{
    char *path;
    int rc = path_join(&path, dir, collection_file_name(f), err);

    *b = NULL;
    if (rc == 0)
        rc = blob_open(b, path, kind, id, err);
    if (rc == 0)
        rc = blob_get(*b, 0, blob_size(*b), data, err);
    mem_free(path);
    return rc;
}

/* Lists of terms [first, last) into out, which begins at off[first]. */
static void fill_range(struct turn *t, uint32_t last, uint64_t base,
                       uint64_t *place, uint32_t *out)
{
    for (uint32_t d = 0; d < t->n_docs; d++) {
        uint64_t i = t->next[d], end = t->fwd_off[d + 1];

        for (; i < end && t->fwd[i] < last; i++)
            out[place[t->fwd[i]]++ - base] = d;
        t->next[d] = i;
    }
}

static int write_lists(struct turn *t, uint64_t room, struct blob_writer *w,
                       struct cooc_err *err)
{
    uint64_t *place = mem_array((size_t)t->n_terms + 1, sizeof *place);
    uint32_t *out = NULL;
    uint64_t cap = 0;
    int rc = place ? 0 : err_nomem(err);

    if (rc == 0)
        memcpy(place, t->off, ((size_t)t->n_terms + 1) * sizeof *place);
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
        fill_range(t, last, base, place, out);
        rc = blob_write_u32(w, out, n, err);
    }
    mem_free(place);
    mem_free(out);
    return rc;
}

static int write_both(struct turn *t, const char *dir, uint64_t memory,
                      struct blob_id *ids, struct cooc_err *err)
{
    struct blob_writer *lists = NULL, *off = NULL;
    uint64_t room = memory / 2 / sizeof(uint32_t);
    int rc = collection_create(&lists, dir, FILE_INVERTED, err);

    if (rc == 0)
        rc = collection_create(&off, dir, FILE_INVERTED_OFF, err);
    if (rc == 0)
        rc = blob_write_u64(off, t->off, (size_t)t->n_terms + 1, err);
    if (rc == 0)
        rc = write_lists(t, room, lists, err);
    if (rc == 0)
        rc = blob_commit(lists, &ids[FILE_INVERTED], err);
    if (rc == 0)
        rc = blob_commit(off, &ids[FILE_INVERTED_OFF], err);
    blob_writer_free(lists);
    blob_writer_free(off);
    return rc;
}

int write_inverted(const char *dir, uint32_t n_docs, uint32_t n_terms,
                   uint64_t n_postings, uint64_t memory, struct blob_id *ids,
                   struct cooc_err *err)
{
    struct turn t = { .n_docs = n_docs, .n_terms = n_terms };
    struct blob *fwd = NULL, *off = NULL;
    const void *p = NULL, *q = NULL;
    int rc = open_blob(&fwd, dir, FILE_FORWARD, "forward",
                       &ids[FILE_FORWARD], &p, err);

    if (rc == 0)
        rc = open_blob(&off, dir, FILE_FORWARD_OFF, "offsets",
                       &ids[FILE_FORWARD_OFF], &q, err);
    if (rc < 0)
        goto out;
    t.fwd = p;
    t.fwd_off = q;
    t.off = mem_zarray((size_t)n_terms + 1, sizeof *t.off);
    t.next = mem_array((size_t)n_docs + 1, sizeof *t.next);
    rc = t.off && t.next ? 0 : err_nomem(err);
    if (rc < 0)
        goto out;
    memcpy(t.next, t.fwd_off, ((size_t)n_docs + 1) * sizeof *t.next);
    for (uint64_t i = 0; i < n_postings; i++)
        t.off[t.fwd[i] + 1]++;
    for (uint32_t i = 0; i < n_terms; i++)
        t.off[i + 1] += t.off[i];
    rc = write_both(&t, dir, memory, ids, err);
out:
    mem_free(t.off);
    mem_free(t.next);
    blob_close(fwd);
    blob_close(off);
    return rc;
}
