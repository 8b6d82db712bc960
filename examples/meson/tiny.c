/* tiny.c - make a store from a text file with one document per line, count all
 * pairs, and print the ten strongest.
 *
 *     cc tiny.c $(pkg-config --cflags --libs cooc) -o tiny
 *     ./tiny documents.txt tiny.cooc
 */
#include <stdio.h>

#include <cooc_build.h>
#include <cooc_bulk.h>

static int show(const char *store, struct cooc_err *err)
{
    struct cooc *db;
    struct cooc_hit *hits = NULL;
    struct cooc_rank_options options = COOC_RANK_OPTIONS;
    size_t n = 0;
    int rc = cooc_open(&db, store, err);

    options.limit = 10;
    if (rc == 0)
        rc = cooc_measure_find("llr", &options.scoring.measure, err);
    if (rc == 0)
        rc = cooc_pairs(db, &options, &hits, &n, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        const char *x, *y;
        size_t x_len, y_len;

        rc = cooc_term_name(db, hits[i].pair.x, &x, &x_len, err);
        if (rc == 0)
            rc = cooc_term_name(db, hits[i].pair.y, &y, &y_len, err);
        if (rc == 0)
            printf("%.*s %.*s: in %llu documents\n", (int)x_len, x,
                   (int)y_len, y, (unsigned long long)hits[i].pair.count);
    }
    cooc_free(hits);
    cooc_close(db);
    return rc;
}

int main(int argc, char **argv)
{
    struct cooc_index_options options = COOC_INDEX_OPTIONS;
    struct cooc_err err;
    const char *inputs[1];
    int rc;

    if (argc != 3) {
        fprintf(stderr, "usage: tiny DOCUMENTS NAME.cooc\n");
        return 2;
    }
    inputs[0] = argv[1];
    options.format = "lines";
    rc = cooc_index(inputs, 1, argv[2], &options, NULL, &err);
    if (rc == 0)
        rc = cooc_count(argv[2], NULL, NULL, &err);
    if (rc == 0)
        rc = show(argv[2], &err);
    if (rc < 0)
        fprintf(stderr, "tiny: %s\n", err.text);
    return rc < 0;
}
