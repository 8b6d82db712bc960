/* packing.h - is this a compressed file or an archive?  By its first bytes.
 *
 * These are all the types that are opened.  Each has a mark that no text has:
 * bytes which are not characters in UTF-8, or control characters.  So text is
 * never taken for one of them, whatever words it begins with; and what has the
 * mark but cannot be opened is damaged, and is never read as text.
 */
#ifndef COOC_PACKING_H
#define COOC_PACKING_H

#include <stdbool.h>
#include <stddef.h>

enum packing {
    PACKING_NONE,
    PACKING_GZ, /* compressed: one entry */
    PACKING_BZ2,
    PACKING_XZ,
    PACKING_ZST,
    PACKING_LZ4,
    PACKING_TAR, /* archives: entries with names */
    PACKING_ZIP,
};

#define PACKING_HEAD 512 /* bytes that tell, if there are as many */

enum packing packing_of(const char *head, size_t len);

/* Is it a compressed file, not an archive? */
static inline bool packing_is_compressed(enum packing p)
{
    return p >= PACKING_GZ && p <= PACKING_LZ4;
}

/* Is it only padding? */
bool all_zero(const char *p, size_t n);

/* "bz2" */
const char *packing_name(enum packing p);

#endif
