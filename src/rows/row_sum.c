/* row_sum.c - the sum of rows. */
#include "rows/row_sum.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/sort.h"

int row_sum_init(struct row_sum *s, uint32_t dense, struct cooc_err *err)
{
    size_t maps = (size_t)dense / 64 + 1;

    *s = (struct row_sum){ .dense = dense };
    s->counts = mem_zarray(dense, sizeof *s->counts);
    s->touched = mem_zarray(maps, sizeof *s->touched);
    s->summary = mem_zarray(maps / 64 + 1, sizeof *s->summary);
    if (s->counts && s->touched && s->summary)
        return 0;
    row_sum_release(s);
    return err_nomem(err);
}

void row_sum_release(struct row_sum *s)
{
    mem_free(s->counts);
    mem_free(s->touched);
    mem_free(s->summary);
    mem_free(s->rest);
    mem_free(s->rest_tmp);
    mem_free(s->entries);
    *s = (struct row_sum){ 0 };
}

/* Sort the collected columns and make one of equal ones. */
static int join_rest(struct row_sum *s, struct cooc_err *err)
{
    size_t n = 0;
    int rc = array_grow(&s->rest_tmp, &s->tmp_cap, s->n_rest,
                        sizeof *s->rest_tmp, err);

    if (rc < 0 || !s->n_rest)
        return rc;
    sort_u64(s->rest, s->rest_tmp, s->n_rest);
    for (size_t i = 1; i < s->n_rest; i++)
        if (s->rest[i] >> 32 == s->rest[n] >> 32)
            s->rest[n] += (uint32_t)s->rest[i];
        else
            s->rest[++n] = s->rest[i];
    s->n_rest = n + 1;
    return 0;
}

static int add_rest(struct row_sum *s, const struct cooc_entry *e, size_t n,
                    struct cooc_err *err)
{
    int rc = 0;

    if (s->n_rest + n > s->rest_cap) {
        rc = join_rest(s, err); /* maybe there is room now */
        if (rc == 0)
            rc = array_grow(&s->rest, &s->rest_cap, s->n_rest + n,
                            sizeof *s->rest, err);
    }
    for (size_t i = 0; i < n && rc == 0; i++)
        s->rest[s->n_rest++] = (uint64_t)e[i].term << 32 | e[i].count;
    return rc;
}

static inline void add_dense(struct row_sum *s, uint32_t c, uint32_t count)
{
    s->counts[c] += count;
    s->touched[c >> 6] |= (uint64_t)1 << (c & 63);
    s->summary[c >> 12] |= (uint64_t)1 << (c >> 6 & 63);
}

int row_sum_add(struct row_sum *s, const struct cooc_entry *e, size_t n,
                struct cooc_err *err)
{
    size_t i = 0;

    for (; i < n && e[i].term < s->dense; i++)
        add_dense(s, e[i].term, e[i].count);
    return i < n ? add_rest(s, e + i, n - i, err) : 0;
}

int row_sum_add_any(struct row_sum *s, const struct cooc_entry *e, size_t n,
                    struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++)
        if (e[i].term < s->dense)
            add_dense(s, e[i].term, e[i].count);
        else
            rc = add_rest(s, &e[i], 1, err);
    return rc;
}

int row_sum_terms(struct row_sum *s, const uint32_t *terms, size_t n,
                  struct cooc_err *err)
{
    size_t i = 0;
    int rc = 0;

    for (; i < n && terms[i] < s->dense; i++)
        add_dense(s, terms[i], 1);
    for (; i < n && rc == 0; i++)
        rc = add_rest(s, &(struct cooc_entry){ terms[i], 1 }, 1, err);
    return rc;
}

/* The counters of one word of the bitmap, behind the n taken so far. */
static int take_word(struct row_sum *s, uint32_t w, size_t *n,
                     struct cooc_err *err)
{
    int rc = array_grow(&s->entries, &s->cap, *n + 64, sizeof *s->entries,
                        err);

    for (uint64_t bits = s->touched[w]; rc == 0 && bits; bits &= bits - 1) {
        uint32_t c = w * 64 + (uint32_t)__builtin_ctzll(bits);

        s->entries[(*n)++] = (struct cooc_entry){ .term = c,
                                                  .count = s->counts[c] };
        s->counts[c] = 0;
    }
    s->touched[w] = 0;
    return rc;
}

int row_sum_take(struct row_sum *s, size_t *n, struct cooc_err *err)
{
    int rc = s->n_rest ? join_rest(s, err) : 0;

    *n = 0;
    for (uint32_t i = 0; i <= s->dense >> 12 && rc == 0; i++) {
        for (uint64_t up = s->summary[i]; rc == 0 && up; up &= up - 1)
            rc = take_word(s, i * 64 + (uint32_t)__builtin_ctzll(up), n, err);
        s->summary[i] = 0;
    }
    if (rc == 0)
        rc = array_grow(&s->entries, &s->cap, *n + s->n_rest,
                        sizeof *s->entries, err);
    for (size_t i = 0; i < s->n_rest && rc == 0; i++)
        s->entries[(*n)++] = (struct cooc_entry){
            .term = (uint32_t)(s->rest[i] >> 32),
            .count = (uint32_t)s->rest[i]
        };
    s->n_rest = 0;
    return rc;
}
