/* store_asks.h - every query on a store. */
#ifndef COOC_FUZZ_STORE_ASKS_H
#define COOC_FUZZ_STORE_ASKS_H

#include <stdbool.h>
#include <stdint.h>

/* Run every query; a good store must answer correctly.  Slow queries run only
 * for some values of how. */
void ask_store(const char *store, uint8_t how, bool good);

#endif
