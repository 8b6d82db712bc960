/* cooc_check.h - whether a store can be trusted; a part of cooc.h. */
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

/* By which versions of the rules, ours and ICU's, the documents became terms,
 * as in "reading 2, words 2, ICU 72.1"; several, with "; " between them, in a
 * store that was made with accept_rules (cooc_merge.h).  Lives until
 * cooc_close(). */
COOC_API const char *cooc_rules(const struct cooc *db);

#ifdef __cplusplus
}
#endif
#endif
