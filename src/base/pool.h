/* pool.h - run one function on several threads and wait for all of them. */
#ifndef COOC_POOL_H
#define COOC_POOL_H

#include "cooc.h"

/* Cores this process may use, at least 1. */
unsigned pool_cores(void);

/* What a user may ask for; 0 stands for every core. */
int pool_check(unsigned threads, struct cooc_err *err);

/* Call work(self, 0) ... work(self, n - 1), each on a thread of its own (0
 * on this one), and return when all are done.  If the system refuses a
 * thread, its call is made on this one, after 0: work must not wait for
 * another worker to start. */
void pool_run(unsigned n, void (*work)(void *self, unsigned worker),
              void *self);

#endif
