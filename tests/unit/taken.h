/* taken.h - exports received in memory, and stores to export. */
#ifndef COOC_TEST_TAKEN_H
#define COOC_TEST_TAKEN_H

#include "tools.h"

#include <pthread.h>

/* What a callback has received, and when it cancels. */
struct taken {
    char *data;
    size_t len, cap;
    long calls, stop_at; /* cancel at this call; 0: never */
    int stop_with;
    pthread_t caller;
    bool other_thread, empty;
};

/* Reserves the capacity before allocations are made to fail. */
static inline struct taken taken_new(void)
{
    struct taken t = { .cap = (size_t)32 << 20, .caller = pthread_self() };

    t.data = malloc(t.cap);
    assert_non_null(t.data);
    return t;
}

static inline int take(void *self, const void *data, size_t len,
                       struct cooc_err *err)
{
    struct taken *t = self;

    t->other_thread |= !pthread_equal(t->caller, pthread_self());
    t->empty |= !len;
    if (++t->calls == t->stop_at) {
        if (err)
            snprintf(err->text, sizeof err->text, "the disk has melted");
        return t->stop_with;
    }
    if (len > t->cap - t->len)
        return COOC_ELIMIT;
    memcpy(t->data + t->len, data, len);
    t->len += len;
    return 0;
}

static inline void check_bytes(const struct taken *t, const char *path,
                               const char *what)
{
    size_t len;
    char *want = read_bytes(path, &len);

    if (t->len != len || memcmp(t->data, want, len) != 0)
        fail_msg("%s: %zu bytes differ from the %zu in %s", what, t->len, len,
                 path);
    free(want);
}

/* ---- stores ------------------------------------------------------------ */

static inline struct cooc *open_store(const char *path)
{
    struct cooc_err err = { 0 };
    struct cooc *db;

    CHECK_RC(cooc_open(&db, path, &err), 0, &err);
    return db;
}

/* Two documents that both contain the same n terms, so every pair of terms
 * occurs; free() the path. */
static inline char *make_complete(const char *dir, const char *name,
                                  unsigned n)
{
    char *text = malloc(n * 32), *p = text, *made;

    assert_non_null(text);
    for (unsigned i = 0; i < 2 * n; i++)
        p += sprintf(p, "term%u%c", i % n, (i + 1) % n ? ' ' : '\n');
    made = make_store(dir, name, text, true);
    free(text);
    return made;
}

#endif
