/* image.h - a directory of files, in memory: to change it, to put it back,
 * and to tell whether a directory is the same. */
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
    struct image_file files[IMAGE_FILES]; /* by name */
    size_t n;
};

/* These end the program if the system refuses. */
void image_load(struct image *im, const char *dir);
void image_add(struct image *im, const char *name, const void *bytes,
               size_t len);
void image_release(struct image *im);
const struct image_file *image_find(const struct image *im, const char *name);

/* dir becomes exactly that; it is made if need be. */
void image_put(const struct image *im, const char *dir);
void image_empty(const char *dir);
void file_put(const char *dir, const char *name, const void *bytes,
              size_t len);

/* Are all files whose name begins like that the same in dir, and are there no
 * others? */
bool image_same(const struct image *im, const char *dir, const char *prefix);

#endif
