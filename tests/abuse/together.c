/* together.c - every query on one open store, from many threads at once.
 *
 *     together DIR THREADS ROUNDS
 *
 * Each thread runs every query of exam.h in its own order; the answers must be
 * those of a single thread.  Every round opens the store again, so that what is
 * created or verified at the first use is created under contention each time.
 * Meanwhile another thread checks the store and opens and closes it.  Built
 * with the thread sanitizer, it reports races as well.  Prints the number of
 * queries.
 */
#include <err.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "cooc_build.h"
#include "exam.h"
#include "made_up.h"

#define THREADS_MAX 64u

struct round {
    const struct exam *exam;
    const char *store;
    struct cooc *db;
    pthread_barrier_t start;
    atomic_bool ended;
    atomic_ulong asked, wrong;
};

struct asker {
    struct round *r;
    pthread_t thread;
    unsigned who;
    size_t first, step; /* of the queries; step and their number are
                         * coprime, so that all are run */
};

static void *ask_all(void *self)
{
    const struct asker *a = self;
    struct round *r = a->r;
    const struct exam *e = r->exam;
    size_t q = a->first % e->n;

    pthread_barrier_wait(&r->start);
    for (size_t i = 0; i < e->n; i++, q = (q + a->step) % e->n) {
        struct exam_answer got = exam_ask(e, r->db, q, a->who);

        atomic_fetch_add(&r->asked, 1);
        if (got.rc != e->truth[q].rc || got.hash != e->truth[q].hash) {
            char what[100];

            exam_describe(e, q, what, sizeof what);
            fprintf(stderr, "%s: %s: thread %u got a wrong answer (%d)\n",
                    r->store, what, a->who, got.rc);
            atomic_fetch_add(&r->wrong, 1);
        }
    }
    return NULL;
}

static void *open_and_check(void *self)
{
    struct round *r = self;
    struct cooc_err why = { 0 };

    pthread_barrier_wait(&r->start);
    do {
        struct cooc *db = NULL;

        if (cooc_check(r->store, 2, NULL, NULL, &why) < 0 ||
            cooc_open(&db, r->store, &why) < 0) {
            fprintf(stderr, "%s: %s\n", r->store, why.text);
            atomic_fetch_add(&r->wrong, 1);
        }
        cooc_close(db);
    } while (!atomic_load(&r->ended));
    return NULL;
}

static size_t step_for(size_t n, size_t wish)
{
    for (size_t a, b;; wish++) {
        for (a = n, b = wish; b; ) {
            size_t rest = a % b;

            a = b;
            b = rest;
        }
        if (a == 1)
            return wish;
    }
}

static void run_round(struct round *r, unsigned threads, unsigned number)
{
    struct asker askers[THREADS_MAX];
    struct cooc_err why = { 0 };
    pthread_t checker;

    if (cooc_open(&r->db, r->store, &why) < 0)
        errx(2, "%s", why.text);
    atomic_store(&r->ended, false);
    pthread_barrier_init(&r->start, NULL, threads + 1);
    for (unsigned i = 0; i < threads; i++) {
        size_t n = r->exam->n;

        askers[i] = (struct asker){ .r = r, .who = i + 1 };
        /* In odd rounds all threads begin with the same query. */
        askers[i].first = number % 2 ? number * 7 : i * n / threads;
        askers[i].step = step_for(n, number % 2 ? 1 : n / 3 + i * 101);
        if (pthread_create(&askers[i].thread, NULL, ask_all, &askers[i]))
            err(2, "thread");
    }
    if (pthread_create(&checker, NULL, open_and_check, r))
        err(2, "thread");
    for (unsigned i = 0; i < threads; i++)
        pthread_join(askers[i].thread, NULL);
    atomic_store(&r->ended, true);
    pthread_join(checker, NULL);
    pthread_barrier_destroy(&r->start);
    cooc_close(r->db);
}

int main(int argc, char **argv)
{
    static const struct made_up stores[] = {
        { "counted", "40", 40, 24, 12, 1, COUNTED | LISTS, 0 },
        { "compact", "40", 40, 24, 12, 1, COUNTED, 3 },
        { "indexed", "40", 40, 24, 12, 1, LISTS, 0 },
        { "large", "1000", 1000, 300, 40, 3, COUNTED | LISTS, 0 },
    };
    unsigned threads, rounds;
    unsigned long asked = 0, wrong = 0;

    if (argc != 4)
        errx(2, "usage: together DIR THREADS ROUNDS");
    threads = (unsigned)strtoul(argv[2], NULL, 10);
    rounds = (unsigned)strtoul(argv[3], NULL, 10);
    if (!threads || threads > THREADS_MAX)
        errx(2, "1 to %u threads", THREADS_MAX);
    for (size_t s = 0; s < sizeof stores / sizeof *stores; s++) {
        char *store = made_up_store(argv[1], &stores[s]);
        struct exam exam;
        struct round r = { .exam = &exam, .store = store };

        if (!exam_prepare(&exam, store, argv[1], 2, true))
            return 2;
        for (unsigned i = 0; i < rounds; i++)
            run_round(&r, threads, i);
        asked += atomic_load(&r.asked);
        wrong += atomic_load(&r.wrong);
        exam_release(&exam);
        free(store);
    }
    printf("%lu queries, %lu wrong\n", asked, wrong);
    return wrong > 0;
}
