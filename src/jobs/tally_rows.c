/* tally_rows.c - write some shards, count the pairs of the others. */
#include "jobs/tally_rows.h"

#include "rows/row_parts.h"

static int tally_row(void *self, uint32_t t, const struct cooc_entry *e,
                     size_t n, struct cooc_err *err)
{
    struct tally_rows *tally = self;

    (void)t;
    (void)e;
    (void)err;
    atomic_fetch_add(&tally->pairs, n);
    return 0;
}

static int tally_parts(void *self, uint32_t t, const struct row_parts *row,
                       struct cooc_err *err)
{
    return tally_row(self, t, NULL, row->pairs, err);
}

static int begin(void *self, uint32_t shard, struct row_sink *out,
                 struct cooc_err *err)
{
    struct tally_rows *t = self;

    if (shard < t->written)
        return t->sinks->begin(t->sinks->self, shard, out, err);
    *out = (struct row_sink){ .row = tally_row, .parts = tally_parts,
                              .self = t };
    return 0;
}

static int end(void *self, uint32_t shard, struct row_sink *sink, bool ok,
               struct cooc_err *err)
{
    struct tally_rows *t = self;

    return shard < t->written
               ? t->sinks->end(t->sinks->self, shard, sink, ok, err)
               : 0;
}

static bool done(void *self, uint32_t shard)
{
    const struct tally_rows *t = self;

    return shard < t->written && t->sinks->done &&
           t->sinks->done(t->sinks->self, shard);
}

struct shard_sinks tally_rows_sinks(struct tally_rows *t)
{
    return (struct shard_sinks){ .begin = begin, .end = end, .self = t,
                                 .done = done };
}
