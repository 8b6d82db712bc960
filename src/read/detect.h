/* detect.h - what format is this?  A guess, by name and first bytes. */
#ifndef COOC_DETECT_H
#define COOC_DETECT_H

#include <stdbool.h>
#include <stddef.h>

struct format;

#define SAMPLE_SIZE ((size_t)64 << 10)
#define PAGE_SAMPLE_SIZE ((size_t)8 << 10) /* for detect_page() */

struct sample {
    const char *name; /* of the file or entry; "-": none */
    bool many;        /* the first of many, in a directory or archive */
    const char *data; /* its first bytes, as UTF-8 */
    size_t len;
    bool cut; /* there is more behind */
};

/* Never NULL: what cannot be told is lines, or files if there are many. */
const struct format *detect_format(const struct sample *s);

/* A document a file: html if the name says so or it begins so, else files. */
const struct format *detect_page(const struct sample *s);

#endif
