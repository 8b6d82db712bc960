/* fuzz.h - functions shared by the fuzz targets.
 *
 * A target is a file fuzz_NAME.c with one function, fuzz_one().  Linked with
 * libFuzzer, its input is generated; linked with replay.c, it is read from
 * files.  Sanitizers detect errors; MUST() checks all other conditions.
 */
#ifndef COOC_FUZZ_H
#define COOC_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooc_build.h"

#define ARRAY_LEN(a) (sizeof(a) / sizeof(a)[0])

/* The target: process these untrusted bytes as a program would.  All memory of
 * the library must be freed at the end, unless fuzz_keeps is set because an
 * object is reused and may grow. */
void fuzz_one(const uint8_t *data, size_t size);
extern bool fuzz_keeps;

/* The name of the target for libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Abort, which is reported as a finding, unless x is true. */
#define MUST(x)                                                              \
    do {                                                                     \
        if (!(x))                                                            \
            fuzz_fail(__FILE__, __LINE__, #x);                               \
    } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *what);

/* A private directory, in memory if possible, removed at the end. */
const char *fuzz_dir(void);
/* "DIR/name", for free(). */
char *fuzz_path(const char *name);
void fuzz_put(const char *path, const void *data, size_t len);
/* The whole file, for free(). */
uint8_t *fuzz_get(const char *path, size_t *len);
/* Index a file of that text, one document per line, and count it. */
void fuzz_make_store(const char *store, const char *lines,
                     const struct cooc_index_options *o);

/* The remaining bytes of the input.  Bytes after the end are 0. */
struct bytes {
    const uint8_t *p;
    size_t n;
};

static inline uint8_t take_byte(struct bytes *b)
{
    if (!b->n)
        return 0;
    b->n--;
    return *b->p++;
}

static inline uint64_t take_u64(struct bytes *b, unsigned bytes)
{
    uint64_t v = 0;

    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)take_byte(b) << 8 * i;
    return v;
}

/* The next n bytes, or all that remain. */
static inline struct bytes take_bytes(struct bytes *b, size_t n)
{
    struct bytes some = { b->p, n < b->n ? n : b->n };

    b->p += some.n;
    b->n -= some.n;
    return some;
}

/* The next n bytes as a string without NULs; for free(). */
static inline char *take_text(struct bytes *b, size_t n)
{
    struct bytes some = take_bytes(b, n);
    char *s = strndup((const char *)some.p, some.n);

    MUST(s);
    return s;
}

#endif
