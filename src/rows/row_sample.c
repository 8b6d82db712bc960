/* row_sample.c - draw twice: first for the cost only, then for the rows. */
#include "rows/row_sample.h"

static int walk(struct sample *s, bool count, struct cooc_err *err)
{
    s->count = count;
    s->cost = 0;
    s->at = 0;
    s->step = s->n ? (double)s->sizes / s->n : 0;
    s->next = s->step / 2;
    return s->walk(s->self, s, err);
}

int sample_draw(struct sample *s, uint32_t least, uint64_t limit,
                struct cooc_err *err)
{
    int rc = 0;

    for (; rc == 0 && s->n > least; s->n /= 2) {
        rc = walk(s, false, err);
        if (s->cost <= limit)
            break;
    }
    return rc < 0 ? rc : walk(s, true, err);
}

int sample_code(struct sample *s, const struct entry *e, size_t n,
                struct cooc_err *err)
{
    s->code.len = 0;
    return row_encode(&s->code, e, n, &s->scratch, err);
}

void sample_release(struct sample *s)
{
    buf_release(&s->code);
    row_scratch_release(&s->scratch);
}
