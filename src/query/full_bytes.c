/* full_bytes.c - how large a store that leaves out rows would be in full.
 *
 * How many pairs the rows have that are left out is known; so what is wanted
 * is the bytes to a pair.  They come from a sample of rows, which is drawn in
 * proportion to what rows cost, without knowing all costs: thousands of
 * postings are looked at, at equal steps; the place of the term in its
 * document is what the posting adds to its row; and at equal steps along the
 * sum of these places are the postings that draw their rows.  So with cost(t),
 * the sum of a row's counts,
 *
 *     bytes = pairs left out * sum of bytes(t) / cost(t)
 *                            / sum of pairs(t) / cost(t)
 *
 * over the sample.  Rows of terms in one document have pairs but no bytes:
 * nobody writes them.
 */
#include <math.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/sort.h"
#include "cooc_bulk.h"
#include "query/db.h"
#include "rows/row_sample.h"

#define SAMPLED 8192u
#define SAMPLE 512u
#define SAMPLE_MIN 64u
#define COST_MAX ((uint64_t)1 << 22) /* increments, about 0.01 s */

/* A posting: its row, and the terms before it in its document. */
struct posting {
    uint32_t row, place;
};

struct full_sample {
    const struct store *s;
    const uint64_t *off; /* of the inverted lists */
    struct posting *postings;
    uint64_t places; /* their sum */
    struct row_reader reader;
    double pairs, bytes;
};

static int offsets_fall(const struct full_sample *f, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT,
                    checked_file_path(f->s->docs.files[FILE_INVERTED_OFF]),
                    "is damaged: its offsets decrease");
}

/* Posting i of all. */
static int sample_posting(struct full_sample *f, struct posting *p,
                          uint32_t made, uint64_t i, struct cooc_err *err)
{
    const struct collection *c = &f->s->docs;
    const uint32_t *docs, *terms;
    uint64_t n, n_terms;
    int rc;

    p->row = made - 1 + (uint32_t)search_u64(f->off + made,
                                             c->n_terms - made, i + 1);
    rc = collection_term_docs(c, p->row, &docs, &n, err);
    i -= f->off[p->row];
    if (rc == 0 && i >= n)
        return offsets_fall(f, err);
    if (rc == 0)
        rc = collection_doc(c, docs[i], &terms, &n_terms, err);
    if (rc < 0)
        return rc;
    p->place = (uint32_t)search_u32(terms, (size_t)n_terms, p->row);
    f->places += p->place;
    return 0;
}

/* Look at row t, which was drawn that often. */
static int sample_row(struct full_sample *f, struct sample *s, uint32_t t,
                      double hits, struct cooc_err *err)
{
    struct row_reader *r = &f->reader;
    uint64_t df = f->off[t + 1] - f->off[t], cost = 0;
    int rc = store_row(f->s, t, r, err);

    if (rc == 0)
        rc = sample_code(s, r->entries, df > 1 ? r->n : 0, err);
    if (rc < 0 || !r->n)
        return rc;
    for (size_t i = 0; i < r->n; i++)
        cost += r->entries[i].count;
    f->pairs += hits * (double)r->n / (double)cost;
    f->bytes += hits * (double)s->code.len / (double)cost;
    return 0;
}

static int draw_postings(void *self, struct sample *s, struct cooc_err *err)
{
    struct full_sample *f = self;
    int rc = 0;

    for (uint32_t i = 0; i < SAMPLED && rc == 0; i++) {
        const struct posting *p = &f->postings[i];
        uint64_t df = f->off[p->row + 1] - f->off[p->row];
        uint32_t hits = sample_hits(s, p->place);

        s->cost += hits * df * p->place; /* about */
        if (hits && s->count)
            rc = sample_row(f, s, p->row, hits, err);
    }
    return rc;
}

/* Bytes of the rows from made on, if they were written. */
static int estimate(struct full_sample *f, uint32_t made, double *bytes,
                    struct cooc_err *err)
{
    const struct manifest *m = &f->s->manifest;
    double first = (double)f->off[made];
    double step = ((double)f->off[m->terms] - first) / SAMPLED;
    struct sample s = { .walk = draw_postings, .self = f, .n = SAMPLE };
    uint32_t written = m->terms;
    int rc = 0;

    if (made >= m->terms || f->off[made] > f->off[m->terms] ||
        f->off[m->terms] > m->postings)
        return offsets_fall(f, err);
    for (uint32_t i = 0; i < SAMPLED && rc == 0; i++)
        rc = sample_posting(f, &f->postings[i], made,
                            (uint64_t)(first + (i + 0.5) * step), err);
    s.sizes = f->places;
    if (rc == 0)
        rc = sample_draw(&s, SAMPLE_MIN, COST_MAX, err);
    sample_release(&s);
    while (written > made && f->off[written] - f->off[written - 1] < 2)
        written--;
    *bytes = f->pairs > 0
                 ? (double)m->omitted.pairs * f->bytes / f->pairs : 0;
    *bytes *= 1 + 8.0 / CHECKED_FILE_BLOCK;
    *bytes += (written - made) * 8.0; /* where each begins */
    return rc;
}

int cooc_full_bytes(struct cooc *db, uint64_t *bytes, struct cooc_err *err)
{
    const struct manifest *m = &db->store.manifest;
    struct full_sample f = { .s = &db->store };
    double more = 0;
    int rc = db_need_rows(db, err);

    *bytes = 0;
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < m->n_shards; i++)
        *bytes += m->shards[i].id.size;
    if (m->omitted.df <= 1 || !m->omitted.pairs)
        return 0;
    rc = db_offsets(db, &f.off, err);
    if (rc < 0)
        return rc;
    f.postings = mem_array(SAMPLED, sizeof *f.postings);
    rc = f.postings ? estimate(&f, rows_written(m), &more, err)
                    : err_nomem(err);
    *bytes += (uint64_t)fmin(more, 1e18);
    mem_free(f.postings);
    row_reader_release(&f.reader);
    return rc;
}
