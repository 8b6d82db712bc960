/* write.h - the two views of the documents, written to the store. */
#ifndef COOC_WRITE_H
#define COOC_WRITE_H

#include <stdint.h>

#include "cooc.h"

struct blob_id;
struct gathered;
struct ordering;
struct watch;

/* Translate the chunks to final ids: forward and docs files. */
int write_forward(const struct gathered *g, const struct ordering *o,
                  const char *dir, unsigned threads, struct blob_id *ids,
                  struct cooc_index_report *report, struct watch *watch,
                  struct cooc_err *err);

/* From the forward file just written: the inverted files. */
int write_inverted(const char *dir, uint32_t n_docs, uint32_t n_terms,
                   uint64_t memory, struct blob_id *ids, struct watch *watch,
                   struct cooc_err *err);

#endif
