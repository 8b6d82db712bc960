/* show_estimate.c - print the estimate before a count, and what is kept after
 * an interrupted count. */
#include <inttypes.h>
#include <string.h>

#include "ask/answer.h"
#include "base/err.h"
#include "cli/advice.h"
#include "cli/job_args.h"
#include "cooc_build.h"

static void print_json(const struct cooc_estimate *e)
{
    static const struct field fields[] = {
        FIELD_COUNT(struct cooc_estimate, increments, "increments"),
        FIELD_COUNT(struct cooc_estimate, pairs, "pairs"),
        FIELD_COUNT(struct cooc_estimate, row_bytes, "bytes"),
        FIELD_COUNT(struct cooc_estimate, shards, "parts"),
        FIELD_COUNT(struct cooc_estimate, shards_kept, "parts kept"),
        FIELD_COUNT(struct cooc_estimate, shards_dropped, "parts dropped"),
        FIELD_COUNT(struct cooc_estimate, needed, "needed"),
        FIELD_COUNT(struct cooc_estimate, available, "available"),
        FIELD_END
    };
    char line[600] = "";
    FILE *f = fmemopen(line, sizeof line - 1, "w");
    struct answer out;

    if (!f)
        return;
    answer_init(&out, f, OUT_JSON);
    answer_text(&out, "phase", "estimate");
    answer_facts(&out, fields, e, NULL);
    if (e->batches) {
        answer_count(&out, "batches", e->batches);
        answer_count(&out, "temporary bytes", e->temporary);
    }
    answer_finish(&out);
    fclose(f);
    fputs(line, stderr);
}

/* "57 of 128 row files are finished" */
static void print_parts(const struct cooc_estimate *e)
{
    if (e->shards_kept)
        fprintf(stderr,
                "cooc: %" PRIu64 " of %" PRIu64 " %s %s finished and kept",
                e->shards_kept, e->shards,
                plural(e->shards, "row file", "row files"),
                plural(e->shards_kept, "is", "are"));
    if (e->shards_dropped)
        fprintf(stderr,
                "%s%" PRIu64 " %s damaged or from another count and will be "
                "counted again",
                e->shards_kept ? "; " : "cooc: ", e->shards_dropped,
                plural(e->shards_dropped, "was", "were"));
    if (e->shards_kept || e->shards_dropped)
        putc('\n', stderr);
}

int show_estimate(void *self, const struct cooc_estimate *e)
{
    struct progress *p = self;

    if (p->quiet)
        return interrupted();
    progress_clear(p);
    if (p->json) {
        print_json(e);
        return interrupted();
    }
    fputs("cooc: ", stderr);
    print_amount(stderr, (double)e->increments, "increments");
    fputs(" to count; about ", stderr);
    print_amount(stderr, (double)e->pairs, "pairs");
    if (e->row_bytes) {
        fputs(" in ", stderr);
        print_amount(stderr, (double)e->row_bytes, "bytes");
    }
    fputs("; ", stderr);
    print_amount(stderr, (double)e->available, "bytes");
    fputs(" free\n", stderr);
    if (e->batches) {
        fprintf(stderr,
                "cooc: in %" PRIu64 " %s, with temporary files of about ",
                e->batches, plural(e->batches, "batch", "batches"));
        print_amount(stderr, (double)e->temporary, "bytes");
        putc('\n', stderr);
    }
    print_parts(e);
    return interrupted();
}

/* Append to an error which rows exist and which command continues the count. */
static void add_state(FILE *f, const struct cooc_count_report *r, int rc,
                      const char *store, bool again)
{
    const struct cooc_estimate *e = r->estimate;
    struct cooc_info info;

    if (store_info(store, &info, NULL) == 0 && info.counted) {
        fputs("; the pairs counted before are unchanged", f);
        return;
    }
    if (!e->increments)
        fputs("; nothing was changed", f); /* stopped before the row files
                                              * were checked */
    else if (r->shards_done)
        fprintf(f, "; %" PRIu64 " of %" PRIu64 " %s %s finished and kept",
                r->shards_done,
                r->shards, plural(r->shards, "row file", "row files"),
                plural(r->shards_done, "is", "are"));
    else
        fprintf(f, "; %s is indexed but not counted", store);
    fputs("; ", f);
    if (rc == COOC_EFULL && e->needed > e->available) {
        fputs("free at least ", f);
        print_amount(f, (double)(e->needed - e->available), "bytes");
        fputs(", then ", f);
    }
    if (again)
        fputs("run the same command to continue", f);
    else
        fprintf(f, "to continue, run: cooc count %s", store);
}

int describe_failed_count(int rc, const struct progress *p,
                          const struct cooc_count_report *r, const char *store,
                          bool again, struct cooc_err *err)
{
    /* Whether the library had finished the estimate. */
    bool counting = r->estimate->increments &&
                    strcmp(p->phase, "estimating") != 0;
    char text[sizeof err->text] = "";
    FILE *f;

    if (rc == COOC_EFORMAT || (rc != COOC_ECANCELLED && !counting))
        return rc; /* damaged or not started: the library's message is enough */
    f = fmemopen(text, sizeof text - 1, "w");
    if (!f)
        return rc;
    advice_add(err);
    if (rc != COOC_ECANCELLED)
        fputs(err->text, f);
    else if (counting && progress_percent(p) >= 0)
        fprintf(f, "interrupted at %d%%", progress_percent(p));
    else
        fputs("interrupted", f);
    add_state(f, r, rc, store, again);
    fclose(f);
    return err_reword(err, "%s", text);
}
