/* agreement.c - parts of a count must divide and omit the same rows. */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "jobs/counting.h"
#include "store/parts_file.h"

static const char *rows_name(enum cooc_row_set rows)
{
    return rows == COOC_ROWS_FULL ? "full" : "compact";
}

/* Whether the options ask for other rows than those of the parts. */
static bool wants_others(const struct cooc_count_options *o,
                         const struct parts_file *p)
{
    bool full = o->rows == COOC_ROWS_FULL || o->compact_df == 1;

    if (o->rows == COOC_ROWS_DEFAULT)
        return false;
    return full ? p->written != COOC_ROWS_FULL
                : p->written != COOC_ROWS_COMPACT ||
                      p->compact_df != o->compact_df;
}

static int err_other_rows(const char *dir, const struct parts_file *p,
                          struct cooc_err *err)
{
    if (p->compact_df)
        return err_path_option(err, COOC_EINVAL, dir, "rows",
                               "parts of this store were counted with compact "
                               "rows that omit df 1 to %u; use the same for "
                               "all parts", p->compact_df);
    return err_path_option(err, COOC_EINVAL, dir, "rows",
                           "parts of this store were counted with %s rows%s; "
                           "use the same for all parts",
                           rows_name(p->written),
                           p->written == COOC_ROWS_FULL
                               ? "" : " and an automatic df limit");
}

int parts_adopt(struct counting *c, struct cooc_err *err)
{
    struct manifest *m = &c->s.manifest;
    struct parts_file p;
    bool restart = c->order->o.recount;
    int rc = parts_file_read(&p, c->dir, err);

    if (rc == 1 && p.collection != c->w.from.collection)
        rc = err_path(err, COOC_EFORMAT, c->dir,
                      "counting.parts belongs to another collection; remove "
                      "this file");
    if (rc == 1 && wants_others(&c->order->o, &p))
        rc = err_other_rows(c->dir, &p, err);
    if (rc == 1) {
        m->written = p.written;
        m->compact_df = p.compact_df;
    }
    parts_file_release(&p);
    if (rc < 0 && rc != COOC_ENOMEM && restart)
        rc = parts_file_remove(c->dir, err);
    return rc < 0 ? rc : 0;
}

int parts_describe(struct parts_file *p, const struct counting *c,
                   const uint64_t *work, struct cooc_err *err)
{
    const struct count_plan *plan = &c->plan;
    uint32_t n = plan->n_shards + plan->n_shares;

    *p = (struct parts_file){
        .collection = c->w.from.collection,
        .written = c->s.manifest.written,
        .compact_df = c->s.manifest.compact_df,
        .omitted_df = plan->omitted_df, .terms = c->s.manifest.terms,
        .n_shards = plan->n_shards, .n_shares = plan->n_shares,
        .increments = plan->total,
        .cuts = mem_zarray(n + 1, sizeof *p->cuts),
        .work = mem_zarray(n, sizeof *p->work),
    };
    if (!p->cuts || !p->work)
        return err_nomem(err);
    memcpy(p->cuts, plan->cuts, (plan->n_shards + 1) * sizeof *p->cuts);
    memcpy(p->cuts + plan->n_shards, plan->share_cuts,
           (plan->n_shares + (plan->n_shares > 0)) * sizeof *p->cuts);
    memcpy(p->work, work, n * sizeof *p->work);
    return 0;
}

int parts_agree(const struct counting *c, const uint64_t *work,
                struct cooc_err *err)
{
    struct parts_file own, theirs = { 0 };
    int rc = parts_describe(&own, c, work, err);

    if (rc == 0)
        rc = parts_file_read(&theirs, c->dir, err);
    if (rc == 0) {
        rc = parts_file_write(&own, c->dir, err);
        if (rc == 0)
            rc = parts_file_read(&theirs, c->dir, err);
    }
    if (rc == 1 && wants_others(&c->order->o, &theirs))
        rc = err_other_rows(c->dir, &theirs, err);
    if (rc == 1 && !parts_file_equal(&own, &theirs))
        rc = err_path(err, COOC_EVERSION, c->dir,
                      "other parts of this store divide the rows differently; "
                      "use the same version of cooc and the same options for "
                      "all parts");
    parts_file_release(&own);
    parts_file_release(&theirs);
    return rc < 0 ? rc : 0;
}
