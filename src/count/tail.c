/* tail.c - counters for the rare columns of a row. */
#include "count/tail.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

int tail_init(struct tail *t, uint32_t from, uint32_t last,
              struct cooc_err *err)
{
    size_t maps;

    *t = (struct tail){ .from = from,
                        .width = last > from ? last - from : 0 };
    maps = t->width / 64 + 1;
    t->bytes = mem_zarray(t->width, sizeof *t->bytes);
    t->touched = mem_zarray(maps, sizeof *t->touched);
    t->summary = mem_zarray(maps / 64 + 1, sizeof *t->summary);
    if (t->bytes && t->touched && t->summary)
        return 0;
    tail_release(t);
    return err_nomem(err);
}

void tail_release(struct tail *t)
{
    mem_free(t->bytes);
    mem_free(t->words);
    mem_free(t->touched);
    mem_free(t->summary);
    mem_free(t->entries);
    *t = (struct tail){ 0 };
}

int tail_begin(struct tail *t, uint64_t documents, struct cooc_err *err)
{
    t->small = documents < 256;
    if (t->small || t->words)
        return 0;
    t->words = mem_zarray(t->width, sizeof *t->words);
    return t->words ? 0 : err_nomem(err);
}

static uint32_t take_count(struct tail *t, uint32_t c)
{
    uint32_t count = t->small ? t->bytes[c] : t->words[c];

    if (t->small)
        t->bytes[c] = 0;
    else
        t->words[c] = 0;
    return count;
}

/* The counters of one word of the bitmap, behind the n taken so far. */
static int take_word(struct tail *t, size_t w, size_t *n,
                     struct cooc_err *err)
{
    int rc = array_grow(&t->entries, &t->cap, *n + 64, sizeof *t->entries,
                        err);

    for (uint64_t bits = t->touched[w]; rc == 0 && bits; bits &= bits - 1) {
        uint32_t c = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(bits);

        t->entries[(*n)++] = (struct cooc_entry){ .term = t->from + c,
                                                  .count = take_count(t, c) };
    }
    t->touched[w] = 0;
    return rc;
}

int tail_take(struct tail *t, uint32_t row, size_t *n, struct cooc_err *err)
{
    uint32_t last = (row - t->from) >> 12;
    int rc = 0;

    *n = 0;
    for (uint32_t i = 0; i <= last && rc == 0; i++) {
        for (uint64_t up = t->summary[i]; rc == 0 && up; up &= up - 1)
            rc = take_word(t, (size_t)i * 64 + (size_t)__builtin_ctzll(up), n,
                           err);
        t->summary[i] = 0;
    }
    return rc;
}
