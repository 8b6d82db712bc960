/* fuzz_runs.c - temporary files: they are our own, but disks fail.
 *
 *     u8 which; dictionaries: u8 terms, the records; else rows of two
 *     batches: u8 rows, u16 length of the first, both
 */
#include "fuzz.h"

#include <unistd.h>

#include "base/file.h"
#include "index/gather.h"
#include "index/run.h"
#include "jobs/runs.h"

static void read_dictionary(struct bytes in)
{
    struct run run = { .n = take_byte(&in), .len = in.n };
    struct run_cursor c;
    struct cooc_err err = { 0 };
    unsigned sum = 0;
    int rc;

    run.n_ids = run.n;
    MUST(file_temp(&run.fd, fuzz_dir(), &err) == 0);
    MUST(file_write(run.fd, in.p, in.n, "run", &err) == 0);
    rc = run_cursor_init(&c, &run, "run", 64, &err);
    while (rc >= 0 && (rc = run_cursor_next(&c, &err)) > 0) {
        MUST(c.id < run.n_ids);
        for (size_t i = 0; i < c.len; i++)
            sum += (uint8_t)c.term[i];
    }
    MUST(rc == 0 || err.text[0]);
    MUST(sum || !sum); /* it was read */
    run_cursor_release(&c);
    close(run.fd);
}

struct seen {
    uint64_t next;
    uint32_t last;
};

static int see_row(void *self, uint32_t t, const struct cooc_entry *e,
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

    if (take_byte(&in) & 1)
        merge_rows(in);
    else
        read_dictionary(in);
}
