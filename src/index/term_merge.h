/* term_merge.h - merge the dictionaries of all workers: the first half of
 * ordering the terms (order.h). */
#ifndef COOC_TERM_MERGE_H
#define COOC_TERM_MERGE_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct ingested;
struct index_job;
struct ordering;

/* The distinct terms of all dictionaries, in byte order. */
struct merged_terms {
    uint32_t n;
    uint32_t *df;   /* sums over all dictionaries */
    uint64_t *ends; /* where each name ends in text */
    char *text;     /* all names, in memory or in a mapped file */
    size_t df_cap, ends_cap, text_bytes;
};

/* Merge g->terms into *m, which must be zero.  o->maps, which exists, receives
 * the position in *m of every term of every dictionary.  Release *m even after
 * a failure. */
int term_merge(struct merged_terms *m, struct ordering *o, struct ingested *g,
               const struct index_job *job, struct cooc_err *err);
void merged_terms_release(struct merged_terms *m);

static inline const char *merged_name(const struct merged_terms *m, uint32_t i,
                                      size_t *len)
{
    uint64_t start = i ? m->ends[i - 1] : 0;

    *len = (size_t)(m->ends[i] - start);
    return m->text + start;
}

/* Map memory for temporary data; the caller unmaps it.  If it takes more than a
 * small part of job->memory, it is a nameless file, which the kernel can write
 * back. */
int temp_map(void **out, size_t bytes, const struct index_job *job,
             struct cooc_err *err);

#endif
