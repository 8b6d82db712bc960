/* forge.h - a small store of which any file can be any bytes, with checksums,
 * sizes and manifest made right again.
 *
 *     sections: u8 what, u16 length, the bytes that it is to be
 *
 * What no section names is as in a true store.  Arrays get the length that
 * follows from the numbers of the manifest, so that what is in them is looked
 * at; with an odd length byte in LENGTHS they keep theirs.
 */
#ifndef COOC_FUZZ_FORGE_H
#define COOC_FUZZ_FORGE_H

#include "fuzz.h"
#include "store/manifest.h"

enum forge_part {
    PART_ROWS = COLLECTION_FILES, /* u8 length and code of each row */
    PART_ROW_OFFSETS,             /* u64s, instead of the true ones */
    PART_SEAL,                    /* instead of the true one */
    PART_NUMBERS,                 /* u8 which, u64 value, and so on */
    PART_LENGTHS,
    FORGE_PARTS
};

struct forge; /* the true store, and how to make false ones of it */

/* Make a true store of those documents, stemmed, so that it has every file, at
 * path, where false ones will be. */
struct forge *forge_new(const char *path, const char *lines);

/* Write the store that the sections describe, those parts of it that are in
 * parts[0..n) if n is not 0.  uncounted: its rows are there, but the manifest
 * does not tell. */
void forge_write(struct forge *f, struct bytes sections,
                 const uint8_t *parts, size_t n, bool uncounted);

#endif
