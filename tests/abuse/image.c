/* image.c - directories in memory. */
#include "image.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const void *x, const void *y)
{
    const struct image_file *a = x, *b = y;

    return strcmp(a->name, b->name);
}

void image_add(struct image *im, const char *name, const void *bytes,
               size_t len)
{
    struct image_file *f = &im->files[im->n++];

    if (im->n > IMAGE_FILES || strlen(name) >= sizeof f->name)
        errx(2, "too many files, or too long a name: %s", name);
    strcpy(f->name, name);
    f->bytes = malloc(len + 1);
    if (!f->bytes)
        err(2, "%s", name);
    memcpy(f->bytes, bytes, len);
    f->len = len;
    qsort(im->files, im->n, sizeof *f, by_name);
}

static uint8_t *read_file(const char *dir, const char *name, size_t *len)
{
    char path[512];
    struct stat st;
    uint8_t *bytes;
    int fd;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0)
        err(2, "%s", path);
    *len = (size_t)st.st_size;
    bytes = malloc(*len + 1);
    if (!bytes || read(fd, bytes, *len) != (ssize_t)*len)
        err(2, "%s", path);
    close(fd);
    return bytes;
}

static bool is_dot(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

void image_load(struct image *im, const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;

    if (!d)
        err(2, "%s", dir);
    *im = (struct image){ 0 };
    while ((e = readdir(d)) != NULL)
        if (!is_dot(e->d_name)) {
            size_t len;
            uint8_t *bytes = read_file(dir, e->d_name, &len);

            image_add(im, e->d_name, bytes, len);
            free(bytes);
        }
    closedir(d);
}

void image_release(struct image *im)
{
    for (size_t i = 0; i < im->n; i++)
        free(im->files[i].bytes);
    im->n = 0;
}

const struct image_file *image_find(const struct image *im, const char *name)
{
    for (size_t i = 0; i < im->n; i++)
        if (!strcmp(im->files[i].name, name))
            return &im->files[i];
    return NULL;
}

void file_put(const char *dir, const char *name, const void *bytes,
              size_t len)
{
    char path[512];
    int fd;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
        err(2, "%s", path);
    close(fd);
}

void image_empty(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;

    if (!d && errno == ENOENT)
        return;
    if (!d)
        err(2, "%s", dir);
    while ((e = readdir(d)) != NULL)
        if (!is_dot(e->d_name) && unlinkat(dirfd(d), e->d_name, 0) < 0)
            err(2, "%s/%s", dir, e->d_name);
    closedir(d);
}

void image_put(const struct image *im, const char *dir)
{
    if (mkdir(dir, 0777) < 0 && errno != EEXIST)
        err(2, "%s", dir);
    image_empty(dir);
    for (size_t i = 0; i < im->n; i++)
        file_put(dir, im->files[i].name, im->files[i].bytes,
                 im->files[i].len);
}

bool image_same(const struct image *im, const char *dir, const char *prefix)
{
    size_t len = strlen(prefix), found = 0, want = 0;
    DIR *d = opendir(dir);
    struct dirent *e;
    bool same = d != NULL;

    for (size_t i = 0; i < im->n; i++)
        want += !strncmp(im->files[i].name, prefix, len);
    while (same && (e = readdir(d)) != NULL)
        if (!is_dot(e->d_name) && !strncmp(e->d_name, prefix, len)) {
            const struct image_file *f = image_find(im, e->d_name);
            size_t n;
            uint8_t *bytes = read_file(dir, e->d_name, &n);

            same = f && f->len == n && !memcmp(f->bytes, bytes, n);
            free(bytes);
            found++;
        }
    if (d)
        closedir(d);
    return same && found == want;
}
