/* run_merge.c - write runs, read them, add them up. */
#include "jobs/run_merge.h"

#include "base/bytes.h"
#include "base/err.h"
#include "base/mem.h"

#define WRITE_AT ((size_t)1 << 18)

/* ---- writing ------------------------------------------------------------ */

int run_writer_code(struct run_writer *w, uint32_t t, const void *code,
                    size_t len, struct cooc_err *err)
{
    int rc = buf_reserve(&w->pending, 2 * VARINT_MAX + len, err);
    uint8_t *p;

    if (rc < 0)
        return rc;
    p = (uint8_t *)w->pending.data + w->pending.len;
    p = put_varint(p, t - w->next);
    p = put_varint(p, len);
    memcpy(p, code, len);
    w->pending.len = (size_t)((char *)p + len - w->pending.data);
    w->next = t + 1;
    return w->pending.len < WRITE_AT ? 0 : run_writer_finish(w, err);
}

int run_writer_row(struct run_writer *w, uint32_t t, const struct cooc_entry *e,
                   size_t n, struct cooc_err *err)
{
    int rc;

    if (!n)
        return 0;
    w->code.len = 0;
    rc = row_encode(&w->code, e, n, &w->scratch, err);
    return rc < 0 ? rc : run_writer_code(w, t, w->code.data, w->code.len, err);
}

int run_writer_parts(struct run_writer *w, uint32_t t,
                     const struct row_parts *row, struct cooc_err *err)
{
    int rc;

    w->code.len = 0;
    rc = row_encode_parts(&w->code, row, &w->scratch, err);
    if (rc < 0 || !w->code.len)
        return rc;
    return run_writer_code(w, t, w->code.data, w->code.len, err);
}

int run_writer_finish(struct run_writer *w, struct cooc_err *err)
{
    int rc = spool_add(w->to, w->spool, w->pending.data, w->pending.len, err);

    w->pending.len = 0;
    return rc;
}

void run_writer_release(struct run_writer *w)
{
    buf_release(&w->pending);
    buf_release(&w->code);
    row_scratch_release(&w->scratch);
}

/* ---- reading ------------------------------------------------------------ */

struct run_input {
    struct spool_reader reader;
    uint8_t *window;
    uint64_t row; /* the current one, or NO_ROW */
    uint64_t len; /* bytes of its code, which come next */
};

#define NO_ROW UINT64_MAX

int run_merger_init(struct run_merger *m, const struct spool_file *spool,
                    size_t max_inputs, size_t window, uint32_t dense,
                    struct cooc_err *err)
{
    int rc = 0;

    *m = (struct run_merger){ .spool = spool, .window = window };
    m->inputs = mem_zarray(max_inputs, sizeof *m->inputs);
    if (!m->inputs)
        return err_nomem(err);
    for (; m->max_inputs < max_inputs && rc == 0; m->max_inputs++) {
        m->inputs[m->max_inputs].window = mem_array(window, 1);
        rc = m->inputs[m->max_inputs].window ? 0 : err_nomem(err);
    }
    return rc < 0 ? rc : accum_init(&m->sum, dense, err);
}

void run_merger_release(struct run_merger *m)
{
    for (size_t i = 0; i < m->max_inputs; i++)
        mem_free(m->inputs[i].window);
    mem_free(m->inputs);
    accum_release(&m->sum);
    mem_free(m->entries);
    mem_free(m->code);
    row_scratch_release(&m->scratch);
    *m = (struct run_merger){ 0 };
}

/* Stand on the row that comes after next - 1; all are below last. */
static int next_row(struct run_input *in, uint64_t next, uint32_t last,
                    struct cooc_err *err)
{
    uint64_t gap = 0;
    int rc;

    in->row = NO_ROW;
    if (!in->reader.left)
        return 0;
    rc = spool_varint(&in->reader, &gap, err);
    if (rc == 0)
        rc = spool_varint(&in->reader, &in->len, err);
    if (rc < 0)
        return rc;
    if (gap >= last || next + gap >= last || !in->len ||
        in->len > in->reader.left)
        return spool_damaged(in->reader.file, err);
    in->row = next + gap;
    return 0;
}

/* The code of the current row into m->code. */
static int read_code(struct run_merger *m, struct run_input *in,
                     struct cooc_err *err)
{
    int rc = array_grow(&m->code, &m->code_cap, (size_t)in->len, 1, err);

    return rc < 0 ? rc : spool_read(&in->reader, m->code, (size_t)in->len, err);
}

/* Row t is in several streams: its sum. */
static int add_up(struct run_merger *m, size_t n, uint32_t t, uint32_t last,
                  const struct row_sink *out, struct run_writer *copy,
                  struct cooc_err *err)
{
    size_t pairs;
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        struct run_input *in = &m->inputs[i];

        if (in->row != t)
            continue;
        rc = read_code(m, in, err);
        if (rc == 0)
            rc = row_decode(m->code, (size_t)in->len, t, &m->entries, &m->cap,
                            &pairs, &m->scratch, err);
        if (rc == 0)
            rc = accum_add_entries(&m->sum, m->entries, pairs, err);
        if (rc == 0)
            rc = next_row(in, (uint64_t)t + 1, last, err);
    }
    if (rc == 0)
        rc = accum_take(&m->sum, t, &pairs, err);
    if (rc < 0)
        return rc;
    return copy ? run_writer_row(copy, t, m->sum.entries, pairs, err)
                : out->row(out->self, t, m->sum.entries, pairs, err);
}

/* Row t is in one stream only. */
static int pass_on(struct run_merger *m, struct run_input *in, uint32_t last,
                   const struct row_sink *out, struct run_writer *copy,
                   struct cooc_err *err)
{
    uint32_t t = (uint32_t)in->row;
    size_t pairs, len = (size_t)in->len;
    int rc = read_code(m, in, err);

    if (rc == 0 && copy)
        rc = run_writer_code(copy, t, m->code, len, err);
    else if (rc == 0)
        rc = row_decode(m->code, len, t, &m->entries, &m->cap, &pairs,
                        &m->scratch, err);
    if (rc == 0 && !copy)
        rc = out->row(out->self, t, m->entries, pairs, err);
    return rc < 0 ? rc : next_row(in, (uint64_t)t + 1, last, err);
}

int run_merge(struct run_merger *m, const struct spool *const *from, size_t n,
              uint32_t last, const struct row_sink *out,
              struct run_writer *copy, struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        struct run_input *in = &m->inputs[i];

        spool_reader_init(&in->reader, m->spool, from[i], in->window,
                          m->window);
        rc = next_row(in, 0, last, err);
    }
    while (rc == 0) {
        uint64_t t = NO_ROW;
        size_t holders = 0, one = 0;

        for (size_t i = 0; i < n; i++) {
            if (m->inputs[i].row < t) {
                t = m->inputs[i].row;
                holders = 0;
                one = i;
            }
            holders += m->inputs[i].row == t;
        }
        if (t == NO_ROW)
            break;
        rc = holders > 1 ? add_up(m, n, (uint32_t)t, last, out, copy, err)
                         : pass_on(m, &m->inputs[one], last, out, copy, err);
    }
    return rc;
}
