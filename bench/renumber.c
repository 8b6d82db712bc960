/* renumber.c - cooc-renumber: give the terms of a store other ids.
 *
 *     cooc-renumber first-seen|last-seen FROM.cooc TO.cooc
 *
 * The ids of cooc are frequency ranks.  The paper (arXiv 2007.08709) numbers
 * terms as they are encountered; this program makes an indexed store with such
 * ids, for measuring what the numbering costs:
 *
 *     first-seen   ascending: a row holds the partners that were encountered
 *                  before its term
 *     last-seen    descending: a row holds those that were encountered after
 *                  its term, as in the paper
 *
 * A store does not say in which order terms occur within a document, so terms
 * that are new in the same document are put in a random order.
 *
 * The new store can be counted, checked and exported in full.  Queries rely on
 * frequency ranks, so their answers would be wrong.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/placed_file.h"
#include "base/workdir.h"
#include "store/staging.h"
#include "store/store.h"

/* The old and the new store. */
struct renumbering {
    struct store from;
    struct lists fwd, inv;
    const char *dir;              /* of the new store */
    struct checked_file_id *ids;  /* its files */
    uint32_t *new_of, *old_of;    /* by old and by new id */
    uint32_t *list;               /* n_postings ids */
    uint64_t *off;                /* the offsets of a file of lists */
};

/* ---- ids ---------------------------------------------------------------- */

static uint32_t shuffled(uint32_t id)
{
    return (id ^ id >> 15) * 0x2c1b3c6du;
}

static int in_random_order(const void *a, const void *b)
{
    uint32_t x = shuffled(*(const uint32_t *)a);
    uint32_t y = shuffled(*(const uint32_t *)b);

    return (x > y) - (x < y);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Fill new_of and old_of; list is used as scratch. */
static void number_terms(struct renumbering *r, bool descending)
{
    uint32_t terms = r->inv.n, next = 0;

    memset(r->new_of, 0xff, terms * sizeof *r->new_of);
    for (uint32_t d = 0; d < r->fwd.n; d++) {
        uint32_t n = 0;

        for (uint64_t i = r->fwd.off[d]; i < r->fwd.off[d + 1]; i++)
            if (r->new_of[r->fwd.ids[i]] == UINT32_MAX)
                r->list[n++] = r->fwd.ids[i];
        qsort(r->list, n, sizeof *r->list, in_random_order);
        for (uint32_t i = 0; i < n; i++, next++)
            r->new_of[r->list[i]] = descending ? terms - 1 - next : next;
    }
    for (uint32_t t = 0; t < terms; t++)
        r->old_of[r->new_of[t]] = t;
}

/* ---- files -------------------------------------------------------------- */

/* Write n integers of 4 or 8 bytes, or n bytes, as file f. */
static int put(struct renumbering *r, enum collection_file f, size_t size,
               const void *data, uint64_t n, struct cooc_err *err)
{
    struct placed_file *w = NULL;
    int rc = collection_create(&w, r->dir, f, err);

    if (rc == 0)
        rc = size == 8   ? placed_file_put_u64(w, 0, data, (size_t)n, err)
             : size == 4 ? placed_file_put_u32(w, 0, data, (size_t)n, err)
                         : placed_file_put(w, 0, data, (size_t)n, err);
    if (rc == 0)
        rc = placed_file_commit(w, &r->ids[f], err);
    placed_file_free(w);
    return rc;
}

static int copy(struct renumbering *r, enum collection_file f, size_t size,
                struct cooc_err *err)
{
    struct checked_file *from = r->from.docs.files[f];
    uint64_t n = checked_file_size(from);
    const void *p;
    int rc = checked_file_get(from, 0, n, &p, err);

    return rc < 0 ? rc : put(r, f, size, p, n / size, err);
}

static int write_lists(struct renumbering *r, struct cooc_err *err)
{
    uint64_t at = 0;
    int rc;

    for (uint64_t i = 0; i < r->fwd.off[r->fwd.n]; i++)
        r->list[i] = r->new_of[r->fwd.ids[i]];
    for (uint32_t d = 0; d < r->fwd.n; d++)
        qsort(r->list + r->fwd.off[d], r->fwd.off[d + 1] - r->fwd.off[d],
              sizeof *r->list, ascending);
    rc = put(r, FILE_FORWARD, 4, r->list, r->fwd.off[r->fwd.n], err);
    for (uint32_t t = 0; t < r->inv.n; t++) {
        uint64_t start = r->inv.off[r->old_of[t]];
        uint64_t n = r->inv.off[r->old_of[t] + 1] - start;

        memcpy(r->list + at, r->inv.ids + start, n * sizeof *r->list);
        r->off[t] = at;
        at += n;
    }
    r->off[r->inv.n] = at;
    if (rc == 0)
        rc = put(r, FILE_INVERTED, 4, r->list, at, err);
    return rc < 0 ? rc : put(r, FILE_INVERTED_OFF, 8, r->off,
                             (uint64_t)r->inv.n + 1, err);
}

static int write_names(struct renumbering *r, struct cooc_err *err)
{
    const struct collection *c = &r->from.docs;
    uint64_t bytes = checked_file_size(c->files[FILE_TERMS]), at = 0;
    char *text = mem_array((size_t)bytes, 1);
    int rc = text ? 0 : err_nomem(err);

    for (uint32_t t = 0; t < c->n_terms && rc == 0; t++) {
        const char *name;
        size_t len;

        rc = collection_term(c, r->old_of[t], &name, &len, err);
        r->off[t] = at;
        if (rc == 0 && len)
            memcpy(text + at, name, len);
        at += rc < 0 ? 0 : len;
    }
    r->off[c->n_terms] = at;
    if (rc == 0)
        rc = put(r, FILE_TERMS, 1, text, at, err);
    if (rc == 0)
        rc = put(r, FILE_TERMS_OFF, 8, r->off, (uint64_t)c->n_terms + 1, err);
    mem_free(text);
    for (uint32_t i = 0; i < c->n_terms && rc == 0; i++) {
        rc = collection_sorted(c, i, &r->list[i], err);
        if (rc == 0)
            r->list[i] = r->new_of[r->list[i]];
    }
    return rc < 0 ? rc : put(r, FILE_TERMS_SORT, 4, r->list, c->n_terms, err);
}

/* ---- the store ---------------------------------------------------------- */

static int write_files(struct renumbering *r, bool descending,
                       struct cooc_err *err)
{
    const struct collection *c = &r->from.docs;
    int rc = collection_load(c, &r->fwd, &r->inv, 0, err);

    r->new_of = mem_array(c->n_terms, sizeof *r->new_of);
    r->old_of = mem_array(c->n_terms, sizeof *r->old_of);
    r->off = mem_array((size_t)c->n_terms + 1, sizeof *r->off);
    r->list = mem_array((size_t)c->n_postings, sizeof *r->list);
    if (rc == 0 && !(r->new_of && r->old_of && r->off && r->list))
        rc = err_nomem(err);
    if (rc < 0)
        return rc;
    number_terms(r, descending);
    rc = write_names(r, err);
    if (rc == 0)
        rc = write_lists(r, err);
    if (rc == 0)
        rc = copy(r, FILE_FORWARD_OFF, 8, err);
    if (rc == 0)
        rc = copy(r, FILE_DOCS, 1, err);
    if (rc == 0)
        rc = copy(r, FILE_DOCS_OFF, 8, err);
    if (rc == 0)
        rc = copy(r, FILE_STOP, 1, err);
    return rc < 0 ? rc : copy(r, FILE_THESAURUS, 1, err);
}

static int renumber(const char *from, const char *to, bool descending,
                    struct cooc_err *err)
{
    struct staging staging = STAGING_NONE;
    struct renumbering r = { 0 };
    struct workdir workdir;
    struct manifest m;
    int rc = workdir_begin(&workdir, err);

    if (rc == 0)
        rc = store_open(&r.from, from, false, err);
    if (rc == 0 && r.from.docs.labels)
        rc = err_set(err, COOC_EINVAL, "stemmed stores are not supported");
    if (rc == 0)
        rc = staging_begin(&staging, to, false, err);
    m = r.from.manifest; /* with other files; not to be released */
    m.counted = false;
    r.ids = m.files;
    r.dir = staging.part.data;
    if (rc == 0)
        rc = write_files(&r, descending, err);
    if (rc == 0)
        rc = manifest_write(&m, r.dir, err);
    if (rc == 0)
        rc = staging_publish(&staging, err);
    staging_release(&staging);
    store_close(&r.from);
    mem_free(r.new_of);
    mem_free(r.old_of);
    mem_free(r.off);
    mem_free(r.list);
    workdir_end(&workdir);
    return rc;
}

int main(int argc, char **argv)
{
    bool descending = argc == 4 && !strcmp(argv[1], "last-seen");
    struct cooc_err err = { 0 };

    if (argc != 4 || (!descending && strcmp(argv[1], "first-seen") != 0)) {
        fputs("Usage: cooc-renumber first-seen|last-seen FROM.cooc TO.cooc\n"
              "\n"
              "Number the terms of a store in the order in which they are\n"
              "first seen, ascending or descending. Count, check and export\n"
              "the new store; queries on it give wrong results.\n", stderr);
        return 2;
    }
    if (renumber(argv[2], argv[3], descending, &err) == 0)
        return 0;
    fprintf(stderr, "cooc-renumber: %s\n", err.text);
    return 1;
}
