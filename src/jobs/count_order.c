/* count_order.c - read and check the options of a count, fill its report. */
#include <unistd.h>

#include "base/err.h"
#include "base/pool.h"
#include "base/recognise.h"
#include "base/sized.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "count/method.h"
#include "count/plan.h"
#include "jobs/steps.h"
#include "kernel/kernel.h"

#define FLUSH_PAIRS 100000000u /* default for naive */
#define ACCUMULATORS 100u      /* default for multi-scan */

static int check_options(const struct count_order *order, struct cooc_err *err)
{
    const struct cooc_count_options *o = &order->o;

    if ((unsigned)o->rows > COOC_ROWS_COMPACT)
        return err_option(err, COOC_EINVAL, "rows", "unknown kind of rows %d",
                          (int)o->rows);
    if (o->compact_df && o->rows == COOC_ROWS_FULL)
        return err_option(err, COOC_EINVAL, "compact_df",
                          "a df limit applies only to compact rows");
    if (o->compact_df > OMITTED_DF_MAX)
        return err_option(err, COOC_EINVAL, "compact_df",
                          "the df limit must be at most %u", OMITTED_DF_MAX);
    if (o->memory && o->memory < COOC_COUNT_MEMORY_MIN)
        return err_option(err, COOC_EINVAL, "memory",
                          "memory must be at least 64 MiB to count");
    if (!count_method_find(o->method, err))
        return COOC_EINVAL;
    if (!kernel_find(order->tuning.kernel, err))
        return COOC_EINVAL;
    if (o->tmpdir && workdir_access(o->tmpdir, W_OK | X_OK) < 0)
        return err_add_option(
            err, err_sys(err, "cannot write temporary files", o->tmpdir),
            "tmpdir");
    if (o->tmpdir && recognise_store(o->tmpdir))
        return err_path_option(err, COOC_EINVAL, o->tmpdir, "tmpdir",
                               "is a store; name another directory for "
                               "temporary files");
    return pool_check(o->threads, err);
}

int count_order_read(struct count_order *order,
                     const struct cooc_count_options *given,
                     struct cooc_err *err)
{
    int rc = sized_read(&order->o, sizeof order->o, given, "count options",
                        err);

    if (rc == 0)
        rc = sized_read(&order->tuning, sizeof order->tuning, order->o.tuning,
                        "tuning", err);
    if (rc == 0)
        rc = sized_read(&order->watch, sizeof order->watch, order->o.watch,
                        "watch", err);
    if (rc < 0)
        return rc;
    if (order->o.compact_df && order->o.rows == COOC_ROWS_DEFAULT)
        order->o.rows = COOC_ROWS_COMPACT;
    if (!order->tuning.flush_pairs)
        order->tuning.flush_pairs = FLUSH_PAIRS;
    if (!order->tuning.accumulators)
        order->tuning.accumulators = ACCUMULATORS;
    return check_options(order, err);
}

int count_report_check(const struct cooc_count_report *given,
                       struct cooc_err *err)
{
    struct cooc_count_report r;
    int rc = sized_read(&r, sizeof r, given, "count report", err);

    return rc < 0 ? rc : sized_check(r.estimate, "estimate", err);
}

void count_report_write(const struct count_outcome *own,
                        struct cooc_count_report *given)
{
    struct cooc_count_report r = own->r, theirs;

    if (sized_read(&theirs, sizeof theirs, given, "count report", NULL) < 0)
        return;
    r.estimate = theirs.estimate;
    sized_write(r.estimate, &own->estimate, sizeof own->estimate);
    sized_write(given, &r, sizeof r);
}
