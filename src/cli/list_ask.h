/* list_ask.h - questions about all pairs of lists: "between" and "within". */
#ifndef COOC_CLI_LIST_ASK_H
#define COOC_CLI_LIST_ASK_H

#include "cli/opt.h"
#include "cli/pair_out.h"
#include "cli/pair_rank.h"
#include "cli/progress.h"

struct list_ask {
    const char *by, *measure_names; /* by NULL: in order of the lists */
    uint64_t limit, min_count;
    bool adjust, json, stems;
    struct opt opts[9];

    /* at work */
    struct measure_list measures;
    struct pair_out table;
    struct pair_rank rank;
    struct progress progress;
    bool watched;
    uint64_t done, total, printed;
};

/* Set the defaults and make the table; a must stay where it is. */
void list_ask_init(struct list_ask *a);

/* Find the measures that were asked for. */
int list_ask_measures(struct list_ask *a, struct cooc_err *err);

/* The terms of a file; those that are none are told of.  COOC_ENOTFOUND if
 * there is no term at all. */
int list_ask_read(struct cooc *db, const char *path, struct cooc_list *out,
                  struct cooc_err *err);

/* Begin the answer, of total pairs; hand each to list_ask_pair(), a
 * cooc_pair_fn; end it with what came of that. */
void list_ask_begin(struct list_ask *a, struct cooc *db, uint64_t total);
int list_ask_pair(void *self, const struct cooc_pair *pair,
                  struct cooc_err *err);
int list_ask_end(struct list_ask *a, int rc, struct cooc_err *err);
void list_ask_release(struct list_ask *a);

#endif
