/* merge_order.c - copy and check the options of a merge, fill its report. */
#include "base/err.h"
#include "base/sized.h"
#include "cooc_build.h"
#include "index/kept_terms.h"
#include "jobs/steps.h"

int merge_order_read(struct merge_order *order,
                     const struct cooc_merge_options *given,
                     struct cooc_err *err)
{
    int rc = sized_read(&order->o, sizeof order->o, given, "merge options",
                        err);

    if (rc == 0 && (unsigned)order->o.from > COOC_MERGE_DOCUMENTS)
        rc = err_option(err, COOC_EINVAL, "from",
                        "unknown way to merge pairs %d", (int)order->o.from);
    if (rc == 0)
        rc = max_df_share_check(order->o.max_df_share, err);
    return rc < 0 ? rc : count_order_read(&order->count, order->o.count, err);
}

int merge_report_check(const struct cooc_merge_report *given,
                       struct cooc_err *err)
{
    struct cooc_merge_report r;
    int rc = sized_read(&r, sizeof r, given, "merge report", err);

    return rc < 0 ? rc : count_report_check(r.count, err);
}

void merge_report_write(const struct merge_outcome *own,
                        struct cooc_merge_report *given)
{
    struct cooc_merge_report r = own->r, theirs;

    if (sized_read(&theirs, sizeof theirs, given, "merge report", NULL) < 0)
        return;
    r.count = theirs.count;
    count_report_write(&own->count, r.count);
    sized_write(given, &r, sizeof r);
}
