/* pair_lists.h - the options of "between" and "within". */
#ifndef COOC_ASK_PAIR_LISTS_H
#define COOC_ASK_PAIR_LISTS_H

#include "ask/opt.h"

struct pair_lists_args {
    const char *by, *measures; /* by NULL: in order of the lists */
    uint64_t limit, min_count;
    bool adjust;
};

extern const struct opt pair_lists_options[];
extern const struct pair_lists_args pair_lists_defaults;

#endif
