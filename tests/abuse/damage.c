/* damage.c - small stores, damaged in every way (mutate.h); every query result
 * must be right or an error.
 *
 *     damage DIR EVERY SEED SHARE SHARES
 *
 * Stores are made in DIR.  About one in EVERY kinds of damage is tried; SEED
 * decides which, so that a short run covers a part of everything and the next
 * run another part.  SHARES processes with the same EVERY and SEED divide the
 * work; SHARE is the number of this process, from 0.  The work is done in a
 * child process that sets an alarm: if it dies, this is recorded, and another
 * child continues after the damage that killed it.  Prints a table with one
 * column per outcome, and errors on standard error.
 *
 * The library it is linked with cuts rows into many small shards.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "damage.h"
#include "made_up.h"

#define SECONDS 60 /* time limit per damage, for slow machines */

static char dir[200];
static uint64_t every, seed, share, shares;

/* Pseudo-random, and the same for the same seed. */
static uint64_t draw(uint64_t i)
{
    return scramble(scramble(seed) ^ i);
}

/* The first damage from i on that this process tries.  Not every n-th: the bits
 * of a byte are eight consecutive numbers, and all of them should be tried. */
static uint64_t next_of_ours(uint64_t i, uint64_t total)
{
    while (i < total &&
           (draw(i) % every != 0 || draw(i) / every % shares != share))
        i++;
    return i;
}

/* ---- one damage at a time ------------------------------------------------ */

static void repair(const struct trial *t)
{
    const struct image *good = t->m.good;

    for (size_t f = 0; f < good->n && !t->writes; f++)
        if (t->m.touched[f])
            file_put(t->store, good->files[f].name, good->files[f].bytes,
                     good->files[f].len);
    if (t->writes)
        image_put(good, t->store);
}

static void do_task(struct trial *t, struct tally *y)
{
    if (t->task != ask)
        image_load(&t->was, t->store);
    t->from_rows = draw(~t->shared->next) % 2;
    t->task(t, y);
    image_release(&t->was);
}

static void work(struct trial *t)
{
    struct shared *s = t->shared;

    for (; s->next < t->m.total;
         s->next = next_of_ours(s->next + 1, t->m.total)) {
        alarm(SECONDS);
        if (mutator_apply(&t->m, s->next, t->store)) {
            struct tally *y = &s->of[t->m.kind];
            long live = mem_live();

            y->tried++;
            do_task(t, y);
            y->leaked += mem_live() != live;
            if (mem_live() != live)
                complain(t, "memory was not given back");
        }
        repair(t);
    }
    alarm(0);
    exit(0);
}

/* A child died at damage s->next: record it and continue after it. */
static void bury(struct trial *t, int status)
{
    struct shared *s = t->shared;
    struct tally *y;
    char what[64];

    mutator_apply(&t->m, s->next, t->store); /* to describe it */
    y = &s->of[t->m.kind];
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
        y->hung++;
        complain(t, "hangs");
    } else {
        y->crashed++;
        snprintf(what, sizeof what, "crashes, status %d", status);
        complain(t, what);
    }
    image_put(t->m.good, t->store);
    image_empty(t->out); /* the next merge must not find it */
    rmdir(t->out);
    s->next = next_of_ours(s->next + 1, t->m.total);
}

static bool report(const struct trial *t)
{
    bool good = true;

    for (int k = 0; k < MUTATIONS; k++) {
        const struct tally *y = &t->shared->of[k];

        if (!y->tried)
            continue;
        printf("%s\t%s", t->label, mutation_names[k]);
        /* A tally consists of numbers, in the order of the columns. */
        for (size_t i = 0; i < sizeof *y / sizeof(uint64_t); i++)
            printf("\t%llu", (unsigned long long)((const uint64_t *)y)[i]);
        putchar('\n');
        good &= (t->task != ask || y->found == y->tried) && !y->wrong &&
                !y->crashed && !y->hung && !y->leaked;
    }
    fflush(stdout);
    return good;
}

/* Check that a task that writes succeeds without damage. */
static bool works(struct trial *t)
{
    struct tally y = { 0 };

    if (t->task == ask)
        return true;
    snprintf(t->m.what, sizeof t->m.what, "no damage");
    do_task(t, &y);
    if (!y.right)
        complain(t, "fails");
    image_put(t->m.good, t->store);
    return y.right > 0;
}

static bool run(struct trial *t)
{
    struct shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;
    bool good;

    if (s == MAP_FAILED)
        err(2, "mmap");
    t->shared = s;
    s->next = next_of_ours(0, t->m.total);
    image_put(t->m.good, t->store);
    good = works(t);
    while (s->next < t->m.total) {
        pid_t child = fork();

        if (child < 0)
            err(2, "fork");
        if (child == 0)
            work(t);
        if (waitpid(child, &status, 0) < 0)
            err(2, "wait");
        if (status)
            bury(t, status);
    }
    good &= report(t);
    munmap(s, sizeof *s);
    return good;
}

/* ---- trials -------------------------------------------------------------- */

static char *make(const struct made_up *k, struct image *im)
{
    char *store = made_up_store(dir, k);

    image_load(im, store);
    return store;
}

static void trial_init(struct trial *t, const char *label, const char *store)
{
    *t = (struct trial){ .label = label };
    snprintf(t->store, sizeof t->store, "%s", store);
    snprintf(t->out, sizeof t->out, "%s/out.cooc", dir);
}

/* The results of the same queries on another store. */
static struct exam_answer *answers_of(const struct exam *e, const char *store)
{
    struct exam_answer *answers = calloc(e->n, sizeof *answers);
    struct cooc_err why = { 0 };
    struct cooc *db = NULL;

    if (!answers || cooc_open(&db, store, &why) < 0)
        errx(2, "%s: %s", store, why.text);
    for (size_t q = 0; q < e->n; q++)
        answers[q] = exam_ask(e, db, q, 0);
    cooc_close(db);
    return answers;
}

/* Queries on a store in which any byte may be damaged. */
static bool try_questions(const struct made_up *k, const struct made_up *like,
                          uint64_t coarse)
{
    struct image good, foreign;
    struct trial t;
    char *store = make(k, &good), *other = make(like, &foreign);
    uint64_t usual = every;
    bool all_right;

    trial_init(&t, k->name, store);
    t.task = ask;
    mutator_init(&t.m, &good, &foreign, "", 4000 * coarse, 1000 * coarse);
    if (!exam_prepare(&t.exam, store, dir, 1, false))
        return false;
    t.his = answers_of(&t.exam, other);
    every *= coarse;
    all_right = run(&t);
    every = usual;
    exam_release(&t.exam);
    free(t.his);
    image_release(&good);
    image_release(&foreign);
    free(store);
    free(other);
    return all_right;
}

/* Leftovers of an interrupted count: some complete parts, and garbage. */
static void interrupt(struct image *im, const struct image *counted)
{
    for (size_t f = 0, n = 0; f < counted->n; f++) {
        const struct image_file *file = &counted->files[f];

        if (!strncmp(file->name, "rows-", 5) && n++ % 2 == 0)
            image_add(im, file->name, file->bytes, file->len);
    }
    image_add(im, "rows-0001.bin.tmp", "half a part", 11);
    image_add(im, "rows-9999.bin", "no part", 7);
    image_add(im, "manifest.json.tmp", "{", 1);
    image_add(im, "tmp-ab12cd", "x", 1);
    image_add(im, ".rows-0002.bin.tmp", "half a part", 11);
    image_add(im, ".manifest.json.tmp", "{", 1);
}

/* Resume a count from damaged leftovers of an earlier count. */
static bool try_counts(const struct made_up *indexed,
                       const struct made_up *counted,
                       const struct made_up *noted)
{
    struct image bare, want, left;
    struct trial t;
    char *store = make(counted, &want);
    bool good;

    free(store);
    store = make(indexed, &bare);
    trial_init(&t, "count", store);
    t.task = count;
    t.writes = true;
    t.want = want;
    mutator_init(&t.m, &bare, NULL, "", 500, 0);
    good = run(&t);
    free(store);

    store = make(noted, &left);
    interrupt(&left, &want);
    trial_init(&t, "count on", store);
    t.task = count;
    t.writes = true;
    t.want = want;
    mutator_init(&t.m, &left, &want, "rows-", 500, 500);
    good &= run(&t);
    t.label = "count again";
    t.task = go_on;
    t.others[0] = made_up_input(dir, noted);
    mutator_init(&t.m, &left, NULL, "counting", 100, 0);
    good &= run(&t);
    image_release(&bare);
    image_release(&want);
    image_release(&left);
    free(store);
    return good;
}

/* Merge a damaged store with a good one, or add documents to it. */
static bool try_unions(const struct made_up *one, const struct made_up *two,
                       uint64_t coarse)
{
    struct image good, other;
    struct cooc_err why = { 0 };
    struct trial t;
    char *store = make(one, &good), *second = make(two, &other);
    const char *const both[] = { store, second };
    uint64_t usual = every;
    bool all_right;

    trial_init(&t, "merge", store);
    if (cooc_merge(both, 2, t.out, NULL, NULL, &why) < 0)
        errx(2, "%s", why.text);
    image_load(&t.want, t.out);
    image_empty(t.out);
    rmdir(t.out);
    t.task = merge;
    t.others[0] = second;
    every *= coarse;
    mutator_init(&t.m, &good, &other, "", 200 * coarse, 200 * coarse);
    all_right = run(&t);
    t.label = "add";
    t.task = add;
    t.writes = true;
    t.others[0] = made_up_input(dir, two);
    all_right &= run(&t);
    every = usual;
    image_release(&good);
    image_release(&other);
    image_release(&t.want);
    free(store);
    free(second);
    return all_right;
}

int main(int argc, char **argv)
{
    /* 40 documents of at most 12 of 24 words, and so on. */
    static const struct made_up
        counted = { "counted", "40", 40, 24, 12, 1, COUNTED | LISTS, 0 },
        like_it = { "like it", "40", 40, 24, 12, 2, COUNTED | LISTS, 0 },
        compact = { "compact", "40", 40, 24, 12, 1, COUNTED, 3 },
        like_compact = { "like compact", "40", 40, 24, 12, 2, COUNTED, 3 },
        indexed = { "indexed", "40", 40, 24, 12, 1, LISTS, 0 },
        like_indexed = { "like indexed", "40", 40, 24, 12, 2, LISTS, 0 },
        large = { "large", "4000", 4000, 500, 40, 3, COUNTED | LISTS, 0 },
        like_large = { "like large", "4000", 4000, 500, 40, 4,
                       COUNTED | LISTS, 0 },
        bare = { "bare", "20", 20, 16, 10, 5, 0, 0 },
        whole = { "whole", "20", 20, 16, 10, 5, COUNTED, 0 },
        noted = { "noted", "20", 20, 16, 10, 5, THEN_COUNT, 0 },
        one = { "one", "one", 20, 16, 10, 6, COUNTED | LISTS, 0 },
        two = { "two", "two", 20, 16, 10, 7, COUNTED | LISTS, 0 };
    bool good = true;

    if (argc != 6)
        errx(2, "usage: damage DIR EVERY SEED SHARE SHARES");
    snprintf(dir, sizeof dir, "%s", argv[1]);
    every = strtoull(argv[2], NULL, 10);
    seed = strtoull(argv[3], NULL, 10);
    share = strtoull(argv[4], NULL, 10);
    shares = strtoull(argv[5], NULL, 10);
    if (!every || share >= shares)
        errx(2, "EVERY must not be 0, and SHARE below SHARES");
    good &= try_questions(&counted, &like_it, 1);
    good &= try_questions(&compact, &like_compact, 1);
    good &= try_questions(&indexed, &like_indexed, 1);
    good &= try_questions(&large, &like_large, 3989);
    good &= try_counts(&bare, &whole, &noted);
    good &= try_unions(&one, &two, 5);
    return !good;
}
