/* recognise.h - recognise a store, finished or not, by its contents.
 *
 * A store may have any name and be in any folder, also in a folder of
 * documents.  Readers must not take its files for documents, and no command
 * except those that create or count a store may write into it.  So a store is
 * recognised by signatures:
 *
 *     manifest.json   {"format": "cooc store", ...
 *     counting.json   {"counting": "cooc ...
 *     other files     end in a footer that begins with "coocblob"
 *                     (checked_file.h)
 *
 * While a store is being made, unfinished files have hidden names, which
 * readers skip everywhere, and the manifest is still missing.
 *
 * Nothing here waits for a pipe or follows a link in the directory.
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
    NAME_HIDDEN,   /* a temporary file: ".NAME.tmp" or ".tmp-..." */
};

/* What a file in a store may be, by its name alone. */
enum store_name recognise_name(const char *name);

/* Does this text begin as a manifest does? */
bool recognise_manifest(const char *text, size_t len);

/* Is this a file of a store, by name and contents? */
bool recognise_file(const char *path);

/* Is this directory a store, finished or not?  With a manifest it may
 * hold other files as well; without one, all names must be a store's.  False
 * if it cannot be read. */
bool recognise_store(const char *path);

/* The same for an open directory; path only names it. */
bool recognise_store_at(int fd, const char *path);

#endif
