/* doc_heads.c - the most frequent terms of documents, as bitmaps. */
#include "query/doc_heads.h"

#include "base/err.h"
#include "base/mem.h"

enum { WIDTH_MIN = 256, WIDTH_MAX = 4096 };
#define DOCS_MIN 64 /* for fewer documents, bitmaps gain nothing */

void doc_heads_init(struct doc_heads *h)
{
    *h = (struct doc_heads){ 0 };
    pthread_mutex_init(&h->lock, NULL);
}

void doc_heads_release(struct doc_heads *h)
{
    mem_free(h->maps);
    mem_free(h->after);
    pthread_mutex_destroy(&h->lock);
}

/* The widest bitmaps that fit into the memory that they may take, or 0. */
static uint32_t choose_width(const struct collection *c)
{
    uint64_t room = c->n_postings < HEADS_MAX ? c->n_postings : HEADS_MAX;
    uint32_t width = WIDTH_MAX;

    while (width >= WIDTH_MIN && (uint64_t)c->n_docs * width / 8 > room)
        width /= 2;
    return width < WIDTH_MIN ? 0 : width;
}

/* The caller holds the lock. */
static int make_space(struct doc_heads *h, const struct collection *c,
                      uint32_t width, struct cooc_err *err)
{
    if (h->maps)
        return 0;
    h->maps = mem_zarray((size_t)c->n_docs * (width / 64), sizeof *h->maps);
    h->after = mem_zarray(c->n_docs, sizeof *h->after);
    if (h->maps && h->after) {
        atomic_store_explicit(&h->width, width, memory_order_release);
        return 0;
    }
    mem_free(h->maps);
    mem_free(h->after);
    h->maps = NULL;
    h->after = NULL;
    return err_nomem(err);
}

/* The caller holds the lock. */
static int make_map(struct doc_heads *h, const struct collection *c,
                    uint32_t doc, uint32_t width, struct cooc_err *err)
{
    uint64_t *map = h->maps + (size_t)doc * (width / 64), len;
    const uint32_t *terms;
    uint32_t i = 0;
    int rc = collection_doc(c, doc, &terms, &len, err);

    if (rc < 0)
        return rc;
    for (; i < len && terms[i] < width; i++)
        map[terms[i] / 64] |= (uint64_t)1 << terms[i] % 64;
    atomic_store_explicit(&h->after[doc], i + 1, memory_order_release);
    return 0;
}

static bool is_made(const struct doc_heads *h, uint32_t doc)
{
    return atomic_load_explicit(&h->after[doc], memory_order_acquire) != 0;
}

/* Whether this process reads so many documents that bitmaps pay off. */
static bool worth(struct doc_heads *h, const struct collection *c, uint64_t n)
{
    return atomic_fetch_add_explicit(&h->read, n, memory_order_relaxed) >=
           c->n_docs;
}

int doc_heads_make(struct doc_heads *h, const struct collection *c,
                   const uint32_t *docs, uint64_t n, uint32_t first,
                   uint32_t *width, struct cooc_err *err)
{
    uint32_t columns = atomic_load_explicit(&h->width, memory_order_acquire);
    int rc = 0;

    *width = 0;
    if (!columns && worth(h, c, n)) {
        columns = choose_width(c);
        pthread_mutex_lock(&h->lock);
        if (columns)
            rc = make_space(h, c, columns, err);
        pthread_mutex_unlock(&h->lock);
    }
    if (rc < 0 || n < DOCS_MIN || first >= columns / 2)
        return rc;
    for (uint64_t i = 0; i < n && rc == 0; i++)
        if (!is_made(h, docs[i])) {
            pthread_mutex_lock(&h->lock);
            if (!is_made(h, docs[i]))
                rc = make_map(h, c, docs[i], columns, err);
            pthread_mutex_unlock(&h->lock);
        }
    *width = columns;
    return rc;
}
