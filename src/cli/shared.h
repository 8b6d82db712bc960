/* shared.h - what several commands have in common. */
#ifndef COOC_CLI_SHARED_H
#define COOC_CLI_SHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/opt.h"
#include "cli/out.h"
#include "cooc.h"

#define JSON_OBJECT "print one JSON object"
#define JSON_LINES "print one JSON object a line"

#define OPT_STEMS(var)                                                       \
    OPT_FLAG(0, "show-stems", var,                                            \
             "print stems instead of their most frequent words")

/* Open a store for a command that prints terms. */
int open_store(struct cooc **db, const char *path, bool show_stems,
               struct cooc_err *err);

enum { METHODS_MAX = 31, TERMS_MAX = 64 };

/* How the long-running commands run: threads, memory, what they say. */
struct run_args {
    uint32_t threads;
    uint64_t memory;
    bool force, quiet, json;
    bool progress_json;
    const char *stats_file;
    struct opt opts[10];
};

/* Make the table; r must stay where it is.  The help of --force differs. */
void run_args_init(struct run_args *r, const char *force_help);

/* Names for OPT_NAME, NULL at the end. */
void method_names(const char *names[METHODS_MAX + 1]);

/* The id of a word as the user typed it. */
int find_term(struct cooc *db, const char *word, uint32_t *id,
              struct cooc_err *err);

/* Those of several, TERMS_MAX at most. */
int find_terms(struct cooc *db, int n, char **words, uint32_t *terms,
               struct cooc_err *err);

/* If rc says that a store lacks pairs, say what to type; returns rc. */
int hint_count(int rc, const char *store, struct cooc_err *err);

/* The strongest partners of a term; the strongest pairs.  The last column is
 * the measure, unless it is the count. */
int print_partners(struct out *o, struct cooc *db,
                   const struct cooc_measure *by, const struct cooc_hit *hits,
                   size_t n, struct cooc_err *err);
int print_pair_hits(struct out *o, const char *label, struct cooc *db,
                    const struct cooc_measure *by,
                    const struct cooc_hit *hits, size_t n,
                    struct cooc_err *err);

/* Is there the directory in which path is to be made?  NULL is fine. */
int check_output(const char *path, struct cooc_err *err);

/* Is dir, which may be NULL, a directory? */
int check_directory(const char *dir, struct cooc_err *err);

/* -n as the library wants it: 0 and what is too much mean all. */
size_t list_limit(uint64_t asked, uint64_t all);

#endif
