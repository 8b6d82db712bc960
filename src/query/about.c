/* about.c - what the library says of itself, so that callers who have no
 * compiler to hold them to cooc.h can tell that it is not the one they know. */
#include <string.h>

#include "cooc.h"

const char *cooc_version(void)
{
    return COOC_VERSION;
}

#define SIZE_OF(s) { #s, sizeof(struct s) }

static const struct {
    const char *name;
    size_t size;
} sizes[] = {
    SIZE_OF(cooc_err),          SIZE_OF(cooc_progress),
    SIZE_OF(cooc_estimate),     SIZE_OF(cooc_watch),
    SIZE_OF(cooc_index_options), SIZE_OF(cooc_index_report),
    SIZE_OF(cooc_count_options), SIZE_OF(cooc_count_report),
    SIZE_OF(cooc_method),       SIZE_OF(cooc_info),
    SIZE_OF(cooc_list),         SIZE_OF(cooc_pair),
    SIZE_OF(entry),        SIZE_OF(cooc_measure),
    SIZE_OF(cooc_scoring),           SIZE_OF(cooc_rank_options),
    SIZE_OF(cooc_hit),          SIZE_OF(cooc_term_filter),
    SIZE_OF(cooc_matrix),       SIZE_OF(cooc_check_report),
    SIZE_OF(cooc_merge_options),
    SIZE_OF(cooc_merge_report), SIZE_OF(cooc_add_options),
    SIZE_OF(cooc_export_options), SIZE_OF(cooc_export_report),
    SIZE_OF(cooc_cell),         SIZE_OF(cooc_dump_report),
};

size_t cooc_struct_size(const char *name)
{
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (!strcmp(sizes[i].name, name))
            return sizes[i].size;
    return 0;
}
