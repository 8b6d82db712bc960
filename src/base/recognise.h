/* recognise.h - recognise a store, finished or not, by its contents.
 *
 * A store may have any name and be in any folder, even in a folder of
 * documents.  Readers must not read its files as documents, and only commands
 * that create or count a store may write into it.  So a store is recognised by
 * signatures:
 *
 *     manifest.json   {"format": "cooc store", ...
 *     counting.json   {"counting": "cooc ...
 *     other files     end in a footer that begins with "coocblob"
 *                     (checked_file.h)
 *
 * While a store is being made, unfinished files have hidden names, which
 * readers always skip, and the manifest does not exist yet.
 *
 * These functions never wait for a pipe and follow no links in the directory.
 */
#ifndef COOC_RECOGNISE_H
#define COOC_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>

#define STORE_MANIFEST "manifest.json"

enum store_name {
    NAME_FOREIGN,  /* no file of a store has this name */
    NAME_FILE,     /* a finished file of a store */
    NAME_LEFTOVER, /* a temporary file of an older version of cooc */
    NAME_HIDDEN,   /* a temporary file: ".NAME.tmp", ".NAME.tmp-..." or
                    * ".tmp-..." */
};

/* Classify a file in a store by its name alone. */
enum store_name recognise_name(const char *name);

/* Whether text[0..len) begins like a manifest. */
bool recognise_manifest(const char *text, size_t len);

/* Whether the file belongs to a store, by its name and contents. */
bool recognise_file(const char *path);

/* Whether the directory is a store, finished or not.  With a manifest, it may
 * contain other files as well; without one, all visible files must have names
 * of a store.  False if the directory cannot be read. */
bool recognise_store(const char *path);

/* The same for an open directory; path is only its name. */
bool recognise_store_at(int fd, const char *path);

#endif
