/* fuzz_runs.c - temporary files, which may be damaged because disks fail.
 *
 *     u8 which; dictionaries: u8 terms, the records; pairs of naive: u16
 *     length of the first stream, both; otherwise rows of two batches: u8
 *     rows, u16 length of the first, both
 */
#include "fuzz.h"

#include "count/naive.h"
#include "dict/sorted_names.h"
#include "jobs/runs.h"

static void read_dictionary(struct bytes in)
{
    struct sorted_names names = { .n_ids = take_byte(&in) };
    struct spool_file file;
    struct names_cursor c;
    struct cooc_err err = { 0 };
    unsigned sum = 0;
    int rc;

    MUST(spool_file_open(&file, fuzz_dir(), &err) == 0);
    MUST(spool_add(&names.records, &file, in.p, in.n, &err) == 0);
    rc = names_cursor_init(&c, &names, &file, 64, &err);
    while (rc >= 0 && (rc = names_cursor_next(&c, &err)) > 0) {
        MUST(c.now.id < names.n_ids);
        for (size_t i = 0; i < c.now.len; i++)
            sum += (uint8_t)c.now.name[i];
    }
    MUST(rc == 0 || err.text[0]);
    MUST(sum || !sum); /* forces the read */
    names_cursor_release(&c);
    spool_drop(&names.records, &file);
    spool_file_close(&file);
}

/* Rows of hostile streams may be in any order; the gate refuses them. */
static int take_row(void *self, uint32_t t, const struct entry *e,
                    size_t n, struct cooc_err *err)
{
    uint64_t *sum = self;

    (void)err;
    *sum += t;
    for (size_t i = 0; i < n; i++)
        *sum += e[i].term + e[i].count;
    return 0;
}

static void merge_pairs(struct bytes in)
{
    uint64_t sum = 0;
    struct row_sink sink = { .row = take_row, .self = &sum };
    struct bytes first = take_bytes(&in, (size_t)take_u64(&in, 2));
    struct spool streams[2] = { { 0 } };
    struct spool_file file;
    struct cooc_err err = { 0 };
    int rc;

    MUST(spool_file_open(&file, fuzz_dir(), &err) == 0);
    MUST(spool_add(&streams[0], &file, first.p, first.n, &err) == 0);
    MUST(spool_add(&streams[1], &file, in.p, in.n, &err) == 0);
    rc = pairs_merge(&file, streams, 2, &sink, &err);
    MUST(rc == 0 || err.text[0]);
    spool_drop(&streams[0], &file);
    spool_drop(&streams[1], &file);
    spool_file_close(&file);
}

struct seen {
    uint64_t next;
    uint32_t last;
};

static int see_row(void *self, uint32_t t, const struct entry *e,
                   size_t n, struct cooc_err *err)
{
    struct seen *s = self;

    (void)err;
    MUST(t >= s->next && t < s->last && n > 0);
    for (size_t i = 0; i < n; i++)
        MUST(e[i].term < t && (!i || e[i].term > e[i - 1].term));
    s->next = (uint64_t)t + 1;
    return 0;
}

static void merge_rows(struct bytes in)
{
    struct seen seen = { .last = take_byte(&in) };
    struct row_sink sink = { .row = see_row, .self = &seen };
    struct spool a = { 0 }, b = { 0 };
    const struct spool *const both[] = { &a, &b };
    size_t n = (size_t)take_u64(&in, 2);
    struct bytes first = take_bytes(&in, n);
    struct cooc_err err = { 0 };
    struct run_merger m;
    struct spool_file spool;
    int rc;

    MUST(spool_file_open(&spool, fuzz_dir(), &err) == 0);
    MUST(spool_add(&a, &spool, first.p, first.n, &err) == 0);
    MUST(spool_add(&b, &spool, in.p, in.n, &err) == 0);
    MUST(run_merger_init(&m, &spool, 2, SPOOL_BLOCK, seen.last, &err) == 0);
    rc = run_merge(&m, both, 2, seen.last, &sink, NULL, &err);
    MUST(rc == 0 || err.text[0]);
    run_merger_release(&m);
    spool_drop(&a, &spool);
    spool_drop(&b, &spool);
    spool_file_close(&spool);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct bytes in = { data, size };

    uint8_t which = take_byte(&in);

    if (which & 1)
        merge_rows(in);
    else if (which & 2)
        merge_pairs(in);
    else
        read_dictionary(in);
}
