/* serve.c - four threads query one open store without allocating memory for
 * each query.
 *
 *     cc serve.c $(pkg-config --cflags --libs cooc) -pthread -o serve
 *     ./serve NAME.cooc 100000
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <cooc.h>

struct server {
    struct cooc *db;
    uint32_t terms;
    unsigned long queries, seed;
    unsigned long long partners; /* number of results */
    int rc;
    struct cooc_err err;
};

static void *serve(void *self)
{
    struct server *s = (struct server *)self;
    struct cooc_rank_options options = COOC_RANK_OPTIONS;
    struct cooc_scratch *scratch;

    options.limit = 10;
    s->rc = cooc_scratch_new(&scratch, &s->err);
    for (unsigned long i = 0; i < s->queries && s->rc == 0; i++) {
        const struct cooc_hit *hits; /* valid until the next query */
        size_t n;
        uint32_t term;

        s->seed = s->seed * 1103515245 + 12345;
        term = (uint32_t)(s->seed >> 16) % s->terms;
        s->rc = cooc_top_into(scratch, s->db, &term, 1, COOC_MATCH_ALL,
                              &options, &hits, &n, &s->err);
        if (s->rc == 0)
            s->partners += n;
    }
    cooc_scratch_free(scratch);
    return NULL;
}

int main(int argc, char **argv)
{
    struct cooc_info info = COOC_INFO;
    static struct server servers[4]; /* static, so all zero */
    pthread_t threads[4];
    struct cooc_err err;
    struct cooc *db;
    int started = 0, rc;

    if (argc != 3) {
        fprintf(stderr, "usage: serve NAME.cooc QUERIES\n");
        return 2;
    }
    rc = cooc_open(&db, argv[1], &err);
    if (rc == 0)
        rc = cooc_info_get(db, &info, &err);
    for (int i = 0; i < 4 && rc == 0 && info.terms; i++, started++) {
        servers[i].db = db;
        servers[i].terms = (uint32_t)info.terms;
        servers[i].queries = strtoul(argv[2], NULL, 10);
        servers[i].seed = (unsigned long)i;
        pthread_create(&threads[i], NULL, serve, &servers[i]);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        printf("thread %d: %llu partners%s%s\n", i, servers[i].partners,
               servers[i].rc ? ": " : "", servers[i].err.text);
    }
    if (rc < 0)
        fprintf(stderr, "serve: %s\n", err.text);
    cooc_close(db);
    return rc < 0;
}
