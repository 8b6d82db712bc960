/* forge.h - a small store in which any file can have any bytes, with the
 * checksums, sizes and manifest corrected.
 *
 *     sections: u8 part, u16 length, the new bytes
 *
 * Parts without a section are as in the original store.  Arrays get the length
 * that follows from the numbers of the manifest, so that their contents are
 * read; with an odd length byte in LENGTHS they keep their length.
 */
#ifndef COOC_FUZZ_FORGE_H
#define COOC_FUZZ_FORGE_H

#include "fuzz.h"
#include "store/manifest.h"

/* The list of phrases, the last file, is not forged: it is text, like the other
 * lists. */
#define FORGE_FILES FILE_PHRASES

enum forge_part {
    PART_ROWS = FORGE_FILES,      /* u8 length and code of each row */
    PART_ROW_OFFSETS,             /* u64s, instead of the right ones */
    PART_SEAL,                    /* instead of the right seal */
    PART_NUMBERS,                 /* u8 which, u64 value, repeated */
    PART_LENGTHS,
    FORGE_PARTS
};

struct forge; /* the original store, from which others are forged */

/* Make the original store of these documents at path, where forged stores will
 * be written.  It is stemmed, so that it has every file. */
struct forge *forge_new(const char *path, const char *lines);

/* Write the store that the sections describe; if n is not 0, change only
 * parts[0..n).  uncounted: the row files exist, but the manifest does not name
 * them. */
void forge_write(struct forge *f, struct bytes sections,
                 const uint8_t *parts, size_t n, bool uncounted);

#endif
