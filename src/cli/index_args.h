/* index_args.h - the options for documents, words and terms, and the index job,
 * for "index" and for "count INPUT... -o NAME.cooc". */
#ifndef COOC_CLI_INDEX_ARGS_H
#define COOC_CLI_INDEX_ARGS_H

#include "cli/job_args.h"
#include "cli/findings.h"
#include "cooc_build.h"

/* The options for reading documents; they set a struct cooc_index_options. */
extern const struct opt input_options[];

/* What is done about inputs that cannot be read. */
struct skip_args {
    const char *list; /* --skip-list, or NULL */
};
extern const struct opt skip_options[];

/* The arguments of an index job. */
struct index_args {
    struct cooc_index_options o;
    struct skip_args skip;
    struct share max_df; /* copied to o.max_df or o.max_df_share */
    const char *numbers; /* "keep" or "drop" */
    const char *phrase_words; /* "drop" or "keep" */
};

extern const struct opt index_options[];

/* Set the library's defaults. */
void index_args_init(struct index_args *a);

/* Begin to collect notes about inputs[0..n); end with findings_end(). */
int begin_findings(struct findings *notes, const struct skip_args *skip,
                const struct cooc_index_options *o,
                const struct job_args *how, char **inputs, int n,
                struct cooc_err *err);

/* Index inputs[0..n) into store. */
int index_documents(struct index_args *a, const struct job_args *how,
                    char **inputs, int n, const char *store,
                    struct job_stats *stats, struct cooc_index_report *report,
                    struct cooc_err *err);

/* Returns COOC_EINVAL if one of the inputs is a store. */
int refuse_stores(char **inputs, int n, struct cooc_err *err);

/* Returns COOC_EINVAL if the file to be written that an option names is an
 * input or a list, or is in a folder of documents, where the next job would
 * read it as a document; path may be NULL. */
int refuse_output(const char *option, const char *path,
                  const struct cooc_index_options *o, char **inputs, int n,
                  struct cooc_err *err);

/* Sets the error for a missing -o, with the command to run. */
int no_store_named(const char *command, char **inputs, int n,
                   struct cooc_err *err);

#endif
