/* watcher.c - read a store while others write it.
 *
 *     watcher STORE SCRATCH STATE...
 *
 * Opens STORE repeatedly and runs every query.  Each time the store must be
 * completely in one of the STATEs, which are stores that do not change: by its
 * manifest and by every answer.  Ends at the end of standard input; prints how
 * often the store was refused, wrong, and in each state.
 */
#include <err.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cooc_bulk.h"
#include "exam.h"

#define STATES 8
#define SAID_MAX 5

struct state {
    struct exam exam;
    char *manifest;
    unsigned long seen;
};

static unsigned long said;

static void complain(const char *store, const char *what)
{
    if (said++ < SAID_MAX)
        fprintf(stderr, "%s: %s\n", store, what);
}

/* The state of db; NULL if it is in no known state. */
static struct state *state_of(struct cooc *db, struct state *states, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(states[i].manifest, cooc_manifest(db)))
            return &states[i];
    return NULL;
}

/* Whether every answer equals that of the state. */
static bool as_in(const struct state *s, struct cooc *db, const char *store)
{
    for (size_t q = 0; q < s->exam.n; q++) {
        struct exam_answer got = exam_ask(&s->exam, db, q, 0);
        char what[100];

        if (got.rc == s->exam.truth[q].rc && got.hash == s->exam.truth[q].hash)
            continue;
        exam_describe(&s->exam, q, what, sizeof what);
        complain(store, what);
        return false;
    }
    return true;
}

static bool goes_on(void)
{
    struct pollfd in = { .fd = 0, .events = POLLIN };

    return poll(&in, 1, 0) == 0;
}

static void learn(struct state *s, const char *path, const char *scratch)
{
    struct cooc *db;

    if (!exam_prepare(&s->exam, path, scratch, 1, false) ||
        cooc_open(&db, path, NULL) < 0)
        errx(2, "%s: no good state", path);
    s->manifest = strdup(cooc_manifest(db));
    cooc_close(db);
}

int main(int argc, char **argv)
{
    struct state states[STATES] = { 0 };
    unsigned long refused = 0, wrong = 0;
    int n = argc - 3;

    if (n < 1 || n > STATES)
        errx(2, "usage: watcher STORE SCRATCH STATE...");
    for (int i = 0; i < n; i++)
        learn(&states[i], argv[3 + i], argv[2]);
    while (goes_on()) {
        struct cooc_err why = { 0 };
        struct state *s;
        struct cooc *db;

        if (cooc_open(&db, argv[1], &why) < 0) {
            refused++;
            complain(argv[1], why.text);
            continue;
        }
        s = state_of(db, states, n);
        if (!s)
            complain(argv[1], "in a state that is none");
        if (s && as_in(s, db, argv[1]))
            s->seen++;
        else
            wrong++;
        cooc_close(db);
    }
    printf("%lu %lu", refused, wrong);
    for (int i = 0; i < n; i++) {
        printf(" %lu", states[i].seen);
        exam_release(&states[i].exam);
        free(states[i].manifest);
    }
    putchar('\n');
    return refused || wrong;
}
