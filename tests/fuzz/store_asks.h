/* store_asks.h - every question that a store can be asked. */
#ifndef COOC_FUZZ_STORE_ASKS_H
#define COOC_FUZZ_STORE_ASKS_H

#include <stdbool.h>
#include <stdint.h>

/* Ask; a good store must answer, and rightly.  Questions that take long are
 * asked for some values of how only. */
void ask_store(const char *store, uint8_t how, bool good);

#endif
