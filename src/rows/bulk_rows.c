/* bulk_rows.c - recompute many omitted rows of a collection. */
#include "rows/bulk_rows.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"

int bulk_rows_init(struct bulk_rows *b, const struct lists *fwd,
                   const struct lists *inv, uint64_t memory, unsigned threads,
                   struct watch *watch, struct cooc_err *err)
{
    const struct doc_maps_want want = {
        .fwd = fwd, .n_terms = inv->n, .last = inv->n, .memory = memory,
        .threads = threads, .watch = watch,
    };
    int rc = doc_maps_init(&b->maps, &want, err);

    b->fwd = *fwd;
    b->inv = *inv;
    b->ready = rc == 0;
    return rc;
}

int bulk_rows_open(struct bulk_rows *b, const struct collection *c,
                   uint64_t memory, unsigned threads, struct watch *watch,
                   struct cooc_err *err)
{
    struct collection watched = *c;
    struct lists fwd, inv;
    int rc;

    if (watch)
        watch_phase(watch, "checking the index", "bytes",
                    c->n_postings * 8 + (uint64_t)c->n_docs * 4 +
                        (uint64_t)c->n_terms * 4);
    watched.watch = watch;
    rc = collection_load(&watched, &fwd, &inv, threads, err);
    return rc < 0 ? rc : bulk_rows_init(b, &fwd, &inv, memory, threads, watch,
                                        err);
}

void bulk_rows_close(struct bulk_rows *b)
{
    doc_maps_release(&b->maps);
    *b = (struct bulk_rows){ 0 };
}

/* The row of a term in one document is a prefix of the document. */
static int copy_prefix(struct bulk_row *r, const struct bulk_rows *b,
                       uint32_t t, uint32_t d, struct cooc_err *err)
{
    const uint32_t *terms = terms_before(&b->fwd, d, t, &r->n);
    int rc = array_grow(&r->entries, &r->cap, r->n, sizeof *r->entries, err);

    for (size_t i = 0; i < r->n && rc == 0; i++)
        r->entries[i] = (struct entry){ .term = terms[i], .count = 1 };
    return rc;
}

int bulk_row_make(struct bulk_row *r, const struct bulk_rows *b, uint32_t t,
                  uint32_t most_df, struct cooc_err *err)
{
    const uint32_t *docs = b->inv.ids + b->inv.off[t];
    size_t df = (size_t)(b->inv.off[t + 1] - b->inv.off[t]);
    struct row_parts row;
    int rc = 0;

    r->n = 0;
    if (df > most_df)
        return err_set(err, COOC_EFORMAT,
                       "row %u is omitted, but its term occurs in %zu "
                       "documents and only rows of terms in at most %u may be "
                       "omitted", t, df, most_df);
    if (df < 2)
        return df ? copy_prefix(r, b, t, docs[0], err) : 0;
    if (!r->ready)
        rc = map_rows_init(&r->rows, &b->maps, kernel_find(NULL, err),
                           b->inv.n, err);
    r->ready = rc == 0;
    if (rc == 0 && t + 1 < b->inv.n)
        map_rows_fetch(&r->rows, t + 1, docs + df,
                       (size_t)(b->inv.off[t + 2] - b->inv.off[t + 1]));
    if (rc == 0)
        rc = map_rows_make(&r->rows, t, docs, df, &row, err);
    return rc < 0 ? rc : row_expand(&r->expand, &row, &r->entries, &r->cap,
                                    &r->n, err);
}

void bulk_row_release(struct bulk_row *r)
{
    if (r->ready)
        map_rows_release(&r->rows);
    row_expand_release(&r->expand);
    mem_free(r->entries);
    *r = (struct bulk_row){ 0 };
}
