/* stream.c - print every pair of terms that occurs together in at least
 * MIN_COUNT documents, in the order of the store.
 *
 *     cc stream.c $(pkg-config --cflags --libs cooc) -o stream
 *     ./stream NAME.cooc MIN_COUNT
 */
#include <stdio.h>
#include <stdlib.h>

#include <cooc_bulk.h>

static int print(void *self, const struct cooc_hit *hit, struct cooc_err *err)
{
    struct cooc *db = (struct cooc *)self;
    const char *x, *y;
    size_t x_len, y_len;
    int rc = cooc_term_name(db, hit->pair.x, &x, &x_len, err);

    if (rc == 0)
        rc = cooc_term_name(db, hit->pair.y, &y, &y_len, err);
    if (rc == 0)
        printf("%.*s\t%.*s\t%llu\n", (int)x_len, x, (int)y_len, y,
               (unsigned long long)hit->pair.count);
    return rc;
}

int main(int argc, char **argv)
{
    struct cooc_rank_options options = COOC_RANK_OPTIONS;
    struct cooc_err err;
    struct cooc *db;
    int rc;

    if (argc != 3) {
        fprintf(stderr, "usage: stream NAME.cooc MIN_COUNT\n");
        return 2;
    }
    options.min_count = strtoull(argv[2], NULL, 10);
    rc = cooc_open(&db, argv[1], &err);
    if (rc == 0)
        rc = cooc_pairs_each(db, &options, print, db, &err);
    cooc_close(db);
    if (rc < 0)
        fprintf(stderr, "stream: %s\n", err.text);
    return rc < 0;
}
