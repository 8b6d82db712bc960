/* image.h - a directory of files in memory: change it, write it back, and
 * compare it with a directory. */
#ifndef COOC_TEST_IMAGE_H
#define COOC_TEST_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMAGE_FILES 200

struct image_file {
    char name[64];
    uint8_t *bytes;
    size_t len;
};

struct image {
    struct image_file files[IMAGE_FILES]; /* sorted by name */
    size_t n;
};

/* These functions exit on a system error. */
void image_load(struct image *im, const char *dir);
void image_add(struct image *im, const char *name, const void *bytes,
               size_t len);
void image_release(struct image *im);
const struct image_file *image_find(const struct image *im, const char *name);

/* Make dir contain exactly these files; create it if necessary. */
void image_put(const struct image *im, const char *dir);
void image_empty(const char *dir);
void file_put(const char *dir, const char *name, const void *bytes,
              size_t len);

/* Whether dir contains exactly the same files, of those with a name that begins
 * with prefix. */
bool image_same(const struct image *im, const char *dir, const char *prefix);

#endif
