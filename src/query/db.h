/* db.h - what stands behind the public struct cooc. */
#ifndef COOC_DB_H
#define COOC_DB_H

#include <pthread.h>

#include "cooc.h"
#include "store/store.h"
#include "token/token.h"

struct cooc {
    struct store store;
    pthread_mutex_t lock; /* for the two below, made when first needed */
    struct rules *rules;
    struct tokeniser *tok;
};

/* df of both and N, with the count still 0. */
int db_pair(const struct cooc *db, uint32_t x, uint32_t y,
            struct cooc_pair *out, struct cooc_err *err);

/* COOC_EINVAL if it is none of the enum. */
int db_check_measure(enum cooc_measure m, struct cooc_err *err);

#endif
