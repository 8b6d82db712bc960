/* forms.h - the surface forms of stemmed terms, and the label of each term.
 *
 * A surface form is a word as it enters the stemmer, after folding and
 * thesaurus.  A stemmed store keeps every form with its number of tokens; the
 * label of a term is its most frequent form (ties: the shorter one, then byte
 * order).  Labels are what people see and type; stems only number the terms.
 *
 * Forms are collected like terms: each worker writes sorted runs (run.h), and
 * a merge of all runs adds up their tokens.
 */
#ifndef COOC_FORMS_H
#define COOC_FORMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/blob.h"

struct cooc_err;
struct gathered;
struct ordering;
struct reducer;
struct run;
struct watch;

#define FORM_RUNS 2 /* words as they are, and preferred forms */

/* Make FORM_RUNS runs of the forms of r, in memory or one after the other in
 * the file of runs[0], of which fd, off and owner are set. */
int forms_make_runs(const struct reducer *r, struct run *runs,
                    const char *path, struct cooc_err *err);

/* Merge g->forms and write them to dir, with the labels; what was written is
 * described in ids.  Where stores are united that were stemmed by different
 * rules, a form may belong to several terms: an error, unless mixed. */
int forms_write(const struct gathered *g, const struct ordering *o, bool mixed,
                const char *dir, const char *tmpdir, uint64_t memory,
                struct blob_id *ids, struct watch *watch,
                struct cooc_err *err);

#endif
