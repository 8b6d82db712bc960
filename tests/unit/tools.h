/* tools.h - small collections and stores for the tests, made from seeds. */
#ifndef COOC_TEST_TOOLS_H
#define COOC_TEST_TOOLS_H

#include "cooc_build.h"
#include "harness.h"

#include <dirent.h>
#include <stdbool.h>
#include <unistd.h>

/* Work in /dev/shm if possible, unless the user has set TMPDIR. */
static inline void choose_tmpdir(void)
{
    if (access("/dev/shm", W_OK | X_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0);
}

/* ---- random numbers (splitmix64), the same on every machine ---------- */

static inline uint64_t random_u64(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static inline uint32_t random_below(uint64_t *seed, uint32_t n)
{
    return (uint32_t)(random_u64(seed) >> 32) % n;
}

/* ---- files ----------------------------------------------------------- */

/* "dir/name"; for free(). */
static inline char *in_dir(const char *dir, const char *name)
{
    char *path = NULL;

    if (asprintf(&path, "%s/%s", dir, name) < 0)
        fail_msg("out of memory");
    return path;
}

static inline void write_bytes(const char *path, const void *data, size_t len)
{
    FILE *f = fopen(path, "wb");

    if (!f || (len && fwrite(data, 1, len, f) != len) || fclose(f) != 0)
        fail_msg("cannot write %s", path);
}

/* Write text to dir/name; free() the path. */
static inline char *write_text(const char *dir, const char *name,
                               const char *text)
{
    char *path = in_dir(dir, name);

    write_bytes(path, text, strlen(text));
    return path;
}

/* The whole file; for free(). */
static inline char *read_bytes(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *data = NULL;
    long n = 0;

    if (!f || fseek(f, 0, SEEK_END) != 0 || (n = ftell(f)) < 0)
        fail_msg("cannot read %s", path);
    rewind(f);
    data = malloc((size_t)n + 1);
    *len = data ? fread(data, 1, (size_t)n, f) : 0;
    fclose(f);
    return data;
}

static inline bool is_dot(const char *name)
{
    return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Number of files in dir, including hidden ones; -1 if dir does not exist. */
static inline int count_files(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    int n = 0;

    if (!d)
        return -1;
    while ((e = readdir(d)) != NULL)
        n += !is_dot(e->d_name);
    closedir(d);
    return n;
}

static inline void check_same_file(const char *dir, const char *other,
                                   const char *name)
{
    char *p = in_dir(dir, name), *q = in_dir(other, name);
    size_t n, m;
    char *a = read_bytes(p, &n), *b = read_bytes(q, &m);

    if (n != m || memcmp(a, b, n) != 0)
        fail_msg("%s and %s differ", p, q);
    free(a);
    free(b);
    free(p);
    free(q);
}

/* Check that both directories contain identical files. */
static inline void check_same_store(const char *dir, const char *other)
{
    DIR *d = opendir(dir);
    struct dirent *e;

    assert_non_null(d);
    while ((e = readdir(d)) != NULL)
        if (!is_dot(e->d_name))
            check_same_file(dir, other, e->d_name);
    closedir(d);
    assert_int_equal(count_files(dir), count_files(other));
}

/* Check that both stores have identical files, except that one manifest may
 * have a note of how files were read. */
static inline void check_same_documents(const char *a, const char *b)
{
    static const char strip[] = "sed -e '/^  \"reading\": {$/,/^  },$/d' "
                                "-e '/^  \"checksum\"/d'";
    char *command = NULL;

    if (asprintf(&command,
                 "diff -r -x manifest.json '%s' '%s' >/dev/null && "
                 "test \"$(%s '%s/manifest.json')\" = "
                 "\"$(%s '%s/manifest.json')\"", a, b, strip, a, strip,
                 b) < 0)
        fail_msg("out of memory");
    assert_int_equal(system(command), 0);
    free(command);
}

/* ---- stores ---------------------------------------------------------- */

/* For stores that must have row files although they are small. */
static const struct cooc_count_options full_rows = {
    .size = sizeof(struct cooc_count_options), .rows = COOC_ROWS_FULL,
};

/* Index a file of lines into dir/name and count it, with full rows, if
 * requested; free() the path. */
static inline char *make_store(const char *dir, const char *name,
                               const char *lines, bool counted)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    char *input = write_text(dir, "input.txt", lines);
    const char *const inputs[] = { input };
    char *store = in_dir(dir, name);

    o.format = "lines";
    o.threads = 1;
    o.replace = true;
    CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), 0, &err);
    if (counted)
        CHECK_RC(cooc_count(store, &full_rows, NULL, &err), 0, &err);
    unlink(input);
    free(input);
    return store;
}

#endif
