/* magic.h - recognise compressed files and archives by their first bytes.
 *
 * Only these types are opened.  Each has a signature that no text has: bytes
 * that are not valid UTF-8, or control characters.  So text is never mistaken
 * for one of these types, whatever words it begins with.  A file that has the
 * signature but cannot be opened is damaged, and is never read as text.
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

#define MAGIC_HEAD 512   /* bytes to pass to magic_detect(), if available */

enum magic magic_detect(const char *head, size_t len);

/* Is it a compressed file, not an archive? */
static inline bool magic_is_compressed(enum magic p)
{
    return p >= MAGIC_GZ && p <= MAGIC_LZ4;
}

/* Are all n bytes zero? */
bool all_zero(const char *p, size_t n);

/* The name of the type, for example "bz2". */
const char *magic_name(enum magic p);

#endif
