/* made_up.c - documents generated from a seed, and stores of them. */
#include "made_up.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "cooc_build.h"
#include "image.h"

static unsigned draw(uint64_t *seed, unsigned n)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*seed >> 33) % n);
}

static char *path_of(const char *dir, const char *name, const char *suffix)
{
    char *path = NULL;

    if (asprintf(&path, "%s/%s%s", dir, name, suffix) < 0)
        err(2, "%s", name);
    return path;
}

char *made_up_input(const char *dir, const struct made_up *k)
{
    return path_of(dir, k->input, ".txt");
}

/* Lines of words w0, w1, ...; words with small numbers are more frequent. */
static char *write_documents(const char *dir, const struct made_up *k)
{
    char *path = made_up_input(dir, k);
    FILE *f = fopen(path, "w");
    uint64_t seed = k->seed;

    if (!f)
        err(2, "%s", path);
    for (unsigned d = 0; d < k->documents; d++) {
        for (unsigned n = draw(&seed, k->length); n > 0; n--)
            fprintf(f, "w%u ", draw(&seed, 1 + draw(&seed, k->terms)));
        fputc('\n', f);
    }
    if (fclose(f) != 0)
        err(2, "%s", path);
    return path;
}

char *made_up_store(const char *dir, const struct made_up *k)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_count_options c = COOC_COUNT_OPTIONS;
    struct cooc_err why = { 0 };
    char *store = path_of(dir, k->name, ".cooc");
    char *input = write_documents(dir, k);
    char *stop = path_of(dir, "stop", ".txt");
    char *same = path_of(dir, "same", ".txt");
    const char *const inputs[] = { input };
    int rc;

    file_put(dir, "stop.txt", "w1\n", 3);
    file_put(dir, "same.txt", "w2\tw3\nw4\tbig car\n", 17);
    o.format = "lines";
    o.threads = c.threads = 1;
    o.stop_file = k->with & LISTS ? stop : NULL;
    o.thesaurus_file = k->with & LISTS ? same : NULL;
    o.count_follows = k->with & THEN_COUNT;
    c.rows = k->compact_df ? COOC_ROWS_COMPACT : COOC_ROWS_FULL;
    c.compact_df = k->compact_df;
    rc = cooc_index(inputs, 1, store, &o, NULL, &why);
    if (rc == 0 && k->with & COUNTED)
        rc = cooc_count(store, &c, NULL, &why);
    if (rc < 0)
        errx(2, "%s", why.text);
    free(stop);
    free(same);
    free(input);
    return store;
}
