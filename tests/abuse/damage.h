/* damage.h - what damage.c does to stores, and the tasks of damage_tasks.c on
 * the damaged stores.
 */
#ifndef COOC_TEST_DAMAGE_H
#define COOC_TEST_DAMAGE_H

#include "exam.h"
#include "mutate.h"

/* Outcomes for one kind of damage.  Shared with the child process. */
struct tally {
    uint64_t tried;
    uint64_t found;    /* check found the damage and named the file */
    uint64_t unopened; /* the store could not be opened, so no queries */
    uint64_t right, refused, wrong; /* query results */
    uint64_t crashed, hung, leaked;
};

struct shared {
    uint64_t next; /* the next damage to try */
    struct tally of[MUTATIONS];
    uint64_t said;
};

struct trial {
    const char *label;
    struct mutator m;
    char store[256], out[256]; /* directories */
    const char *others[4];     /* other stores or documents of the task */
    struct image was;          /* the damaged store before a writing task */
    struct image want;         /* the expected result of a writing task */
    bool from_rows;            /* merge pairs from rows, not documents */
    struct exam exam;
    struct exam_answer *his;   /* the right answers of the foreign store */
    void (*task)(struct trial *t, struct tally *y);
    bool writes;               /* the task writes into the store */
    struct shared *shared;
};

/* Print to standard error, at most SAID_MAX times per trial. */
void complain(struct trial *t, const char *what);

/* Tasks.  ask() runs queries.  The others write; after an error, the files on
 * disk are checked as well. */
void ask(struct trial *t, struct tally *y);
void count(struct trial *t, struct tally *y);
void go_on(struct trial *t, struct tally *y); /* count INPUT -o STORE, again */
void merge(struct trial *t, struct tally *y);
void add(struct trial *t, struct tally *y);

#endif
