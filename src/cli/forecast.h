/* forecast.h - what a count will take, said before it begins, and how to go
 * on when it ends early. */
#ifndef COOC_CLI_FORECAST_H
#define COOC_CLI_FORECAST_H

#include <stdbool.h>

#include "cli/progress.h"
#include "cooc_build.h"

/* The estimate hook; self is the struct progress. */
int forecast_say(void *self, const struct cooc_estimate *e);

/* Counting failed with rc: add to the error what is kept and how to go on.
 * again: the same command would do.  Returns rc. */
int forecast_failed(int rc, const struct progress *p,
                    const struct cooc_count_report *r, const char *store,
                    bool again, struct cooc_err *err);

#endif
