/* rank_tools.h - helpers to select and rank pairs. */
#ifndef COOC_TEST_RANK_TOOLS_H
#define COOC_TEST_RANK_TOOLS_H

#include "tools.h"

static inline const struct cooc_measure *measure_of(const char *name)
{
    const struct cooc_measure *m;

    if (cooc_measure_find(name, &m, NULL) < 0)
        fail_msg("unknown measure %s", name);
    return m;
}

static inline struct cooc_rank_options
rank_by(const char *measure, uint64_t min_count, size_t limit)
{
    struct cooc_rank_options c = COOC_RANK_OPTIONS;

    c.scoring.measure = measure_of(measure);
    c.min_count = min_count;
    c.limit = limit;
    return c;
}

#endif
