/* exam.h - everything an open store can be asked, question by question.
 *
 * Questions are numbered, so that they can be asked in any order and from any
 * thread.  An answer is what the call returned and a hash of all it handed
 * out; so the answers of two stores, or of one store before and after
 * something happened to it, can be compared one by one.
 */
#ifndef COOC_TEST_EXAM_H
#define COOC_TEST_EXAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cooc_bulk.h"
#include "cooc_export.h"

struct exam_answer {
    int rc;
    uint64_t hash;
};

/* Taken from a good store; only read afterwards. */
struct exam {
    uint32_t terms, documents;
    uint32_t paired;      /* so many terms, frequent and rare, in pairs */
    const char *scratch;  /* exports are written there */
    unsigned threads;     /* of questions that have a choice */
    bool all_formats;     /* export in every format, else in one */
    char **names;         /* of the terms */
    size_t *name_lens;
    size_t n;             /* questions */
    struct exam_answer *truth;
};

/* Ask everything, one question after the other; false and a line on standard
 * error if the store cannot be asked. */
bool exam_prepare(struct exam *e, const char *store, const char *scratch,
                  unsigned threads, bool all_formats);
void exam_release(struct exam *e);

/* Question q < e->n; who tells askers at the same time apart. */
struct exam_answer exam_ask(const struct exam *e, struct cooc *db, size_t q,
                            unsigned who);

/* "pair 3 7": for messages. */
void exam_describe(const struct exam *e, size_t q, char *out, size_t size);

#endif
