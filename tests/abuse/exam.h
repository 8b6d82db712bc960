/* exam.h - every query on an open store, one by one.
 *
 * Queries are numbered, so that they can run in any order and on any thread.
 * An answer is the return code and a hash of the result, so the answers of two
 * stores, or of one store at two times, can be compared one by one.
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

/* Prepared from a good store; read-only afterwards. */
struct exam {
    uint32_t terms, documents;
    uint32_t paired;      /* number of terms, frequent and rare, in pairs */
    const char *scratch;  /* directory for exports */
    unsigned threads;     /* of queries that use threads */
    bool all_formats;     /* export in every format instead of one */
    char **names;         /* of the terms */
    size_t *name_lens;
    size_t n;             /* number of queries */
    struct exam_answer *truth;
};

/* Run every query in order; false and a line on standard error if the store
 * cannot be queried. */
bool exam_prepare(struct exam *e, const char *store, const char *scratch,
                  unsigned threads, bool all_formats);
void exam_release(struct exam *e);

/* The number of queries on the store that e describes. */
size_t exam_count(const struct exam *e);

/* Run query q < e->n; who identifies concurrent callers. */
struct exam_answer exam_ask(const struct exam *e, struct cooc *db, size_t q,
                            unsigned who);

/* "pair 3 7": for messages. */
void exam_describe(const struct exam *e, size_t q, char *out, size_t size);

#endif
