/* many_docs.h - a collection that takes a noticeable time to count. */
#ifndef COOC_TEST_MANY_DOCS_H
#define COOC_TEST_MANY_DOCS_H

#include "tools.h"

/* A file of lines with words of a long-tailed distribution. */
static inline char *write_many(const char *dir, const char *name,
                               uint32_t lines)
{
    char *path = in_dir(dir, name);
    FILE *f = fopen(path, "w");
    uint64_t seed = 7;

    assert_non_null(f);
    for (uint32_t i = 0; i < lines; i++) {
        for (int k = 0; k < 40; k++) {
            uint32_t range = 10u << random_below(&seed, 9);

            fprintf(f, "w%u ", random_below(&seed, range));
        }
        fputc('\n', f);
    }
    assert_int_equal(fclose(f), 0);
    return path;
}

/* dir/name, a store of that many lines. */
static inline char *make_many(const char *dir, const char *name,
                              uint32_t lines, bool counted)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    char *input = write_many(dir, "many.txt", lines);
    const char *const inputs[] = { input };
    char *store = in_dir(dir, name);

    CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), 0, &err);
    if (counted)
        CHECK_RC(cooc_count(store, &full_rows, NULL, &err), 0, &err);
    free(input);
    return store;
}

static inline void copy_tree(const char *from, const char *to)
{
    char cmd[1200];

    snprintf(cmd, sizeof cmd, "rm -rf '%s' && cp -a '%s' '%s'", to, from, to);
    assert_int_equal(system(cmd), 0);
}

#endif
