/* shard_writer.c - a shard: encoded rows, their offsets, the seal. */
#include "store/shard_writer.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "rows/row_code.h"
#include "rows/row_parts.h"
#include "store/journal.h"

#define WRITE_AT ((size_t)1 << 18)

struct shard {
    struct shard_writer *w;
    struct checked_file_writer *file;
    struct shard_info info;
    uint64_t *off; /* rows + 1 offsets of rows */
    uint32_t next; /* the next row */
    uint64_t bytes;
    struct buf code;
    struct row_scratch scratch;
};

static void shard_free(struct shard *s)
{
    if (!s)
        return;
    checked_file_writer_free(s->file);
    mem_free(s->off);
    buf_release(&s->code);
    row_scratch_release(&s->scratch);
    mem_free(s);
}

static int flush_code(struct shard *s, struct cooc_err *err)
{
    int rc = checked_file_write(s->file, s->code.data, s->code.len, err);

    watch_wrote(s->w->watch, s->code.len);
    s->bytes += s->code.len;
    s->code.len = 0;
    return rc;
}

/* Note the offset of row t, which comes next and has this number of pairs. */
static void begin_row(struct shard *s, uint32_t t, size_t pairs)
{
    while (s->next <= t)
        s->off[s->next++ - s->info.first] = s->bytes + s->code.len;
    s->info.pairs += pairs;
}

/* Write the encoded rows to the file if there are enough; rc is the
 * result of encoding. */
static int end_row(struct shard *s, int rc, struct cooc_err *err)
{
    return rc < 0 || s->code.len < WRITE_AT ? rc : flush_code(s, err);
}

static int add_row(void *self, uint32_t t, const struct entry *entries,
                   size_t n, struct cooc_err *err)
{
    struct shard *s = self;

    begin_row(s, t, n);
    return end_row(s, row_encode(&s->code, entries, n, &s->scratch, err), err);
}

static int add_parts(void *self, uint32_t t, const struct row_parts *row,
                     struct cooc_err *err)
{
    struct shard *s = self;

    begin_row(s, t, row->pairs);
    return end_row(s, row_encode_parts(&s->code, row, &s->scratch, err), err);
}

/* A share of the omitted rows that is being counted. */
struct tally {
    struct shard_writer *w;
    uint64_t pairs;
};

static int tally_row(void *self, uint32_t t, const struct entry *e,
                     size_t n, struct cooc_err *err)
{
    struct tally *y = self;

    (void)t;
    (void)e;
    (void)err;
    y->pairs += n;
    return 0;
}

static int begin_tally(struct shard_writer *w, struct row_sink *out,
                       struct cooc_err *err)
{
    struct tally *y = mem_zarray(1, sizeof *y);

    if (!y)
        return err_nomem(err);
    y->w = w;
    *out = (struct row_sink){ .row = tally_row, .self = y };
    return 0;
}

int shard_writer_share(struct shard_writer *w, uint32_t share, uint64_t pairs,
                       struct cooc_err *err)
{
    struct shard_info info = { .first = w->plan->share_cuts[share],
                               .last = w->plan->share_cuts[share + 1],
                               .pairs = pairs };
    int rc = w->shared ? share_write(w->dir, share, &info, &w->from, err) : 0;

    if (rc == 0) {
        w->shares[share] = info;
        rc = journal_unit(w->journal, (uint64_t)w->n_shards + share, err);
    }
    return rc;
}

static int end_tally(struct shard_writer *w, uint32_t share, struct tally *y,
                     bool ok, struct cooc_err *err)
{
    uint64_t pairs = y->pairs + (w->share_pairs ? w->share_pairs[share] : 0);
    int rc = ok ? shard_writer_share(w, share, pairs, err) : 0;

    mem_free(y);
    return rc;
}

static int begin(void *self, uint32_t shard, struct row_sink *out,
                 struct cooc_err *err)
{
    struct shard_writer *w = self;
    struct shard *s;
    char *path = NULL;
    int rc;

    if (shard >= w->n_shards)
        return begin_tally(w, out, err);
    s = mem_zarray(1, sizeof *s);
    if (!s)
        return err_nomem(err);
    s->w = w;
    s->scratch.k = w->k;
    s->info.first = s->next = w->plan->cuts[shard];
    s->info.last = w->plan->cuts[shard + 1];
    s->off = mem_array((size_t)(s->info.last - s->info.first) + 1,
                       sizeof *s->off);
    rc = s->off ? 0 : err_nomem(err);
    if (rc == 0)
        rc = shard_path(&path, w->dir, shard, err);
    if (rc == 0)
        rc = checked_file_create_unique(&s->file, path, "rows", err);
    mem_free(path);
    if (rc < 0) {
        shard_free(s);
        return rc;
    }
    *out = (struct row_sink){ .row = add_row, .parts = add_parts,
                              .self = s };
    return 0;
}

static int finish(struct shard *s, struct cooc_err *err)
{
    static const uint8_t zeros[8];
    uint8_t seal[SEAL_BYTES];
    size_t rows = s->info.last - s->info.first;
    int rc = flush_code(s, err);

    while (s->next <= s->info.last)
        s->off[s->next++ - s->info.first] = s->bytes;
    if (rc == 0)
        rc = checked_file_write(s->file, zeros, -s->bytes & 7, err);
    s->info.row_bytes = checked_file_written(s->file);
    if (rc == 0)
        rc = checked_file_write_u64(s->file, s->off, rows + 1, err);
    seal_make(seal, &s->info, &s->w->from);
    if (rc == 0)
        rc = checked_file_write(s->file, seal, sizeof seal, err);
    if (rc == 0)
        rc = checked_file_commit(s->file, &s->info.id, err);
    return rc;
}

static int end(void *self, uint32_t shard, struct row_sink *sink, bool ok,
               struct cooc_err *err)
{
    struct shard_writer *w = self;
    struct shard *s = sink->self;
    int rc;

    if (shard >= w->n_shards)
        return end_tally(w, shard - w->n_shards, sink->self, ok, err);
    rc = ok ? finish(s, err) : 0;
    if (ok && rc == 0) {
        w->infos[shard] = s->info;
        rc = journal_unit(w->journal, shard, err);
    }
    shard_free(s);
    return rc;
}

int shard_writer_look(struct shard_writer *w, uint32_t unit, bool quick,
                      struct watch *watch, struct cooc_err *err)
{
    bool is_shard = unit < w->n_shards;
    uint32_t share = unit - w->n_shards;
    const uint32_t *cuts = is_shard ? w->plan->cuts + unit
                                    : w->plan->share_cuts + share;
    struct shard_info info = { .first = cuts[0], .last = cuts[1] };
    char *path = NULL;
    struct stat st;
    int rc = is_shard ? shard_path(&path, w->dir, unit, err)
                      : share_path(&path, w->dir, share, err);

    if (rc < 0)
        return rc;
    if (workdir_lstat(path, &st) == 0 || errno != ENOENT) {
        rc = seal_verify(path, is_shard ? SEAL_SHARD : SEAL_SHARE, &info,
                         &w->from, quick, watch, err);
        if (rc == 0 && is_shard)
            w->infos[unit] = info;
        else if (rc == 0)
            w->shares[share] = info;
        rc = rc == 0 ? 1 : rc == COOC_ENOTFOUND ? 0 : rc;
    }
    mem_free(path);
    return rc;
}

bool shard_writer_has(struct shard_writer *w, uint32_t unit)
{
    if (unit < w->first || unit >= w->last || shard_writer_knows(w, unit))
        return true;
    return w->shared && shard_writer_look(w, unit, false, NULL, NULL) == 1;
}

static bool done(void *self, uint32_t unit)
{
    return shard_writer_has(self, unit);
}

struct shard_sinks shard_writer_sinks(struct shard_writer *w)
{
    return (struct shard_sinks){ .begin = begin, .end = end, .done = done,
                                 .self = w };
}
