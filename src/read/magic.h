/* magic.h - is this a compressed file or an archive?  By its first bytes.
 *
 * These are all the types that are opened.  Each has a mark that no text has:
 * bytes which are not characters in UTF-8, or control characters.  So text is
 * never taken for one of them, whatever words it begins with; and what has the
 * mark but cannot be opened is damaged, and is never read as text.
 */
#ifndef COOC_MAGIC_H
#define COOC_MAGIC_H

#include <stdbool.h>
#include <stddef.h>

enum magic {
    MAGIC_NONE,
    MAGIC_GZ,   /* compressed: one entry */
    MAGIC_BZ2,
    MAGIC_XZ,
    MAGIC_ZST,
    MAGIC_LZ4,
    MAGIC_TAR,   /* archives: entries with names */
    MAGIC_ZIP,
};

#define MAGIC_HEAD 512   /* bytes that tell, if there are as many */

enum magic magic_detect(const char *head, size_t len);

/* Is it a compressed file, not an archive? */
static inline bool magic_is_compressed(enum magic p)
{
    return p >= MAGIC_GZ && p <= MAGIC_LZ4;
}

/* Is it only padding? */
bool all_zero(const char *p, size_t n);

/* "bz2" */
const char *magic_name(enum magic p);

#endif
