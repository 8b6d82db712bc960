/* forms.h - the surface forms of stemmed terms, and the label of each term.
 *
 * A surface form is a word as it enters the stemmer, after folding and
 * thesaurus.  A stemmed store keeps every form with its number of tokens.  The
 * label of a term is its most frequent form (ties: the shorter form, then byte
 * order).  Users see and type labels; stems only identify terms.
 *
 * Forms are collected like terms: each worker writes sorted
 * dictionaries (sorted_names.h), and merging all dictionaries adds up
 * the tokens of each form.
 */
#ifndef COOC_FORMS_H
#define COOC_FORMS_H

#include <stdint.h>

struct cooc_err;
struct files_writer;
struct ingested;
struct index_job;
struct ordering;
struct term_extractor;

/* Add the forms of r to g; dict is the number of r's dictionary of terms. */
int forms_ingest(struct ingested *g, struct term_extractor *r, uint32_t dict,
                 struct cooc_err *err);

/* Merge g->forms and write them to out, with the labels.  If stores are merged
 * that were stemmed by different rules, a form may belong to several terms:
 * this is an error unless job->mixed. */
int forms_write(const struct ingested *g, const struct ordering *o,
                const struct index_job *job, struct files_writer *out,
                struct cooc_err *err);

#endif
