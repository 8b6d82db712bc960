/* show_status.h - "cooc count --status". */
#ifndef COOC_CLI_SHOW_STATUS_H
#define COOC_CLI_SHOW_STATUS_H

#include <stdbool.h>

struct cooc_count_options;
struct cooc_err;

/* Print how far the count of a store is, who counts and what is left. */
int show_status(const char *store, const struct cooc_count_options *o,
                bool json, struct cooc_err *err);

#endif
