/* damage.c - small stores, damaged in every way there is (mutate.h); what is
 * asked of them must be right or refused.
 *
 *     damage DIR EVERY OFFSET
 *
 * Stores are made in DIR.  Of all damages those are tried whose number is
 * OFFSET modulo EVERY: so several of these programs share the work, and a
 * short run sees a part of everything.  The work is done in a child that
 * sets itself an alarm: whatever kills it is noted, and another goes on
 * behind.  Prints a table, with a column for each thing that may come of a
 * damage; says on standard error what went wrong.
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
#include "exam.h"
#include "made_up.h"
#include "mutate.h"

#define SECONDS 60 /* for one damage, on a slow machine */
#define SAID_MAX 20 /* complaints of one trial */

/* What came of it, for each kind of damage.  Shared with the child. */
struct tally {
    uint64_t tried;
    uint64_t found;            /* by check, which named the file */
    uint64_t right, refused, wrong; /* answers */
    uint64_t crashed, hung, leaked;
};

struct shared {
    uint64_t next; /* damage to try */
    struct tally of[MUTATIONS];
    uint64_t said;
};

struct trial {
    const char *label;
    struct mutator m;
    char store[256], out[256]; /* directories */
    const char *others[4];     /* stores or documents beside it */
    struct image want;         /* what a writing task shall make */
    struct exam exam;
    void (*task)(struct trial *t, struct tally *y);
    bool writes;               /* into the store */
    struct shared *shared;
};

static char dir[200];
static uint64_t every, offset;

static void complain(struct trial *t, const char *what)
{
    if (t->shared->said++ < SAID_MAX)
        fprintf(stderr, "%s: %s: %s\n", t->label, t->m.what, what);
}

/* ---- what is asked of a damaged store ------------------------------------ */

static bool names_a_file(const struct trial *t, const char *text)
{
    for (size_t f = 0; f < t->m.good->n; f++)
        if (t->m.touched[f] && strstr(text, t->m.good->files[f].name))
            return true;
    return false;
}

static void look(struct trial *t, struct tally *y)
{
    struct cooc_err why = { 0 };
    int rc = cooc_check(t->store, 1, NULL, NULL, &why);
    bool found = rc == COOC_EFORMAT || rc == COOC_EVERSION ||
                 (rc == COOC_ENOTFOUND && t->m.kind >= GONE);

    if (found && (t->m.kind == FOREIGN || names_a_file(t, why.text)))
        y->found++;
    else
        complain(t, rc < 0 ? why.text : "not found by check");
}

/* Every answer is the right one, or says that the store is damaged. */
static void ask(struct trial *t, struct tally *y)
{
    struct cooc_err why = { 0 };
    struct cooc *db = NULL;

    look(t, y);
    if (cooc_open(&db, t->store, &why) < 0) {
        y->refused += t->exam.n;
        return;
    }
    for (size_t q = 0; q < t->exam.n; q++) {
        const struct exam_answer *want = &t->exam.truth[q];
        struct exam_answer got = exam_ask(&t->exam, db, q, 0);
        char question[100];

        if (got.rc == COOC_EFORMAT) {
            y->refused++;
        } else if (got.rc == want->rc && got.hash == want->hash) {
            y->right++;
        } else {
            y->wrong++;
            exam_describe(&t->exam, q, question, sizeof question);
            complain(t, question);
        }
    }
    cooc_close(db);
}

/* A task that writes has failed, or written what it should. */
static void judge(struct trial *t, struct tally *y, int rc,
                  const struct cooc_err *why, bool same)
{
    if (rc < 0)
        y->refused++;
    else if (same)
        y->right++;
    else
        y->wrong++;
    if (rc >= 0 && !same)
        complain(t, "other bytes were written");
    if (rc < 0 && !*why->text)
        complain(t, "an error without a word");
}

static void count(struct trial *t, struct tally *y)
{
    struct cooc_count_options o;
    struct cooc_err why = { 0 };
    int rc;

    cooc_count_options_init(&o);
    o.threads = 1;
    rc = cooc_count(t->store, &o, NULL, &why);
    judge(t, y, rc, &why, image_same(&t->want, t->store, "rows-") &&
                              image_same(&t->want, t->store, "manifest"));
}

/* "cooc count INPUT -o STORE", for the second time. */
static void go_on(struct trial *t, struct tally *y)
{
    struct cooc_index_options io;
    struct cooc_count_options o;
    struct cooc_err why = { 0 };
    int rc;

    cooc_index_options_init(&io);
    cooc_count_options_init(&o);
    io.format = "lines";
    io.threads = o.threads = 1;
    io.then_count = true;
    rc = cooc_index(t->others, 1, t->store, &io, NULL, &why);
    if (rc == 0)
        rc = cooc_count(t->store, &o, NULL, &why);
    judge(t, y, rc, &why, image_same(&t->want, t->store, "rows-") &&
                              image_same(&t->want, t->store, "manifest"));
}

static void merge(struct trial *t, struct tally *y)
{
    const char *const both[] = { t->store, t->others[0] };
    struct cooc_merge_options o;
    struct cooc_err why = { 0 };
    int rc;

    cooc_merge_options_init(&o);
    o.pairs_from = t->shared->next / every % 2 ? COOC_FROM_ROWS
                                               : COOC_FROM_DOCUMENTS;
    o.count.threads = 1;
    rc = cooc_merge(both, 2, t->out, &o, NULL, &why);
    judge(t, y, rc, &why, image_same(&t->want, t->out, ""));
    image_empty(t->out);
    rmdir(t->out);
}

static void add(struct trial *t, struct tally *y)
{
    struct cooc_add_options o;
    struct cooc_err why = { 0 };
    int rc;

    cooc_add_options_init(&o);
    o.input.format = "lines";
    o.merge.count.threads = 1;
    o.merge.pairs_from = t->shared->next / every % 2 ? COOC_FROM_ROWS
                                                     : COOC_FROM_DOCUMENTS;
    rc = cooc_add(t->store, t->others, 1, &o, NULL, NULL, &why);
    judge(t, y, rc, &why, image_same(&t->want, t->store, ""));
}

/* ---- one after the other ------------------------------------------------- */

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

static void work(struct trial *t)
{
    struct shared *s = t->shared;

    for (; s->next < t->m.total; s->next += every) {
        alarm(SECONDS);
        if (mutator_apply(&t->m, s->next, t->store)) {
            struct tally *y = &s->of[t->m.kind];
            long live = mem_live();

            y->tried++;
            t->task(t, y);
            y->leaked += mem_live() != live;
            if (mem_live() != live)
                complain(t, "memory was not given back");
        }
        repair(t);
    }
    alarm(0);
    exit(0);
}

/* A child died of number s->next: note it and begin behind it. */
static void bury(struct trial *t, int status)
{
    struct shared *s = t->shared;
    struct tally *y;
    char what[64];

    mutator_apply(&t->m, s->next, t->store); /* for its name */
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
    s->next += every;
}

static bool report(const struct trial *t)
{
    bool good = true;

    for (int k = 0; k < MUTATIONS; k++) {
        const struct tally *y = &t->shared->of[k];

        if (!y->tried)
            continue;
        printf("%s\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\n",
               t->label, mutation_names[k], (unsigned long long)y->tried,
               (unsigned long long)y->found, (unsigned long long)y->right,
               (unsigned long long)y->refused, (unsigned long long)y->wrong,
               (unsigned long long)y->crashed, (unsigned long long)y->hung,
               (unsigned long long)y->leaked);
        good &= (t->task != ask || y->found == y->tried) && !y->wrong &&
                !y->crashed && !y->hung && !y->leaked;
    }
    fflush(stdout);
    return good;
}

/* Without any damage a task that writes does what it should. */
static bool works(struct trial *t)
{
    struct tally y = { 0 };

    if (t->task == ask)
        return true;
    snprintf(t->m.what, sizeof t->m.what, "no damage");
    t->task(t, &y);
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
    s->next = offset;
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

/* Questions to a store of which no byte is right any more. */
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
    every *= coarse;
    all_right = run(&t);
    every = usual;
    exam_release(&t.exam);
    image_release(&good);
    image_release(&foreign);
    free(store);
    free(other);
    return all_right;
}

/* What an interrupted count leaves: some parts, whole, and rubbish. */
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
}

/* Counting goes on from what an earlier count has left, damaged. */
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

/* A damaged store is united with a good one, or grows. */
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
    /* 40 documents of up to 12 of 24 words, and so on. */
    static const struct made_up
        counted = { "counted", "40", 40, 24, 12, 1, COUNTED | LISTS, 0 },
        like_it = { "like it", "40", 40, 24, 12, 2, COUNTED | LISTS, 0 },
        costly = { "costly", "40", 40, 24, 12, 1, COUNTED, 3 },
        like_costly = { "like costly", "40", 40, 24, 12, 2, COUNTED, 3 },
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

    if (argc != 4)
        errx(2, "usage: damage DIR EVERY OFFSET");
    snprintf(dir, sizeof dir, "%s", argv[1]);
    every = strtoull(argv[2], NULL, 10);
    offset = strtoull(argv[3], NULL, 10);
    if (!every || offset >= every)
        errx(2, "OFFSET must be below EVERY");
    good &= try_questions(&counted, &like_it, 1);
    good &= try_questions(&costly, &like_costly, 1);
    good &= try_questions(&indexed, &like_indexed, 1);
    good &= try_questions(&large, &like_large, 3989);
    good &= try_counts(&bare, &whole, &noted);
    good &= try_unions(&one, &two, 5);
    return !good;
}
