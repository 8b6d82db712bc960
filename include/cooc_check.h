/* cooc_check.h - verify a store, and say by which rules it was made; a part of
 * cooc.h. */
#ifndef COOC_CHECK_H
#define COOC_CHECK_H

#include "cooc.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cooc_check_report {
    uint64_t files, bytes, rows, pairs, increments;
};

/* Verify every checksum, every order, both sum identities.  The error names
 * the first thing wrong and where. */
COOC_API int cooc_check(const char *store, unsigned threads,
                        const struct cooc_watch *watch,
                        struct cooc_check_report *report,
                        struct cooc_err *err);

/* The versions of cooc's rules and of ICU that made terms out of the documents,
 * for example "reading 2, words 2, ICU 72.1".  A store that was made with
 * accept_rules (cooc_merge.h) may have several, separated by "; ".  Lives until
 * cooc_close(). */
COOC_API const char *cooc_rules(const struct cooc *db);

#ifdef __cplusplus
}
#endif
#endif
