/* damage.h - what damage.c does to stores, and what damage_tasks.c asks of
 * them then.
 */
#ifndef COOC_TEST_DAMAGE_H
#define COOC_TEST_DAMAGE_H

#include "exam.h"
#include "mutate.h"

/* What came of it, for each kind of damage.  Shared with the child. */
struct tally {
    uint64_t tried;
    uint64_t found;    /* by check, which named the file */
    uint64_t unopened; /* stores that refused to open: nothing was asked */
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
    struct image was;          /* the damaged store, before a writing task */
    struct image want;         /* what such a task shall make */
    bool from_rows;            /* how pairs are united */
    struct exam exam;
    struct exam_answer *his;   /* answers of the foreign store, all right */
    void (*task)(struct trial *t, struct tally *y);
    bool writes;               /* into the store */
    struct shared *shared;
};

/* On standard error, if not too much was said already. */
void complain(struct trial *t, const char *what);

/* Tasks.  The first one asks; the others write, and what is on disk after
 * they have refused is looked at, too. */
void ask(struct trial *t, struct tally *y);
void count(struct trial *t, struct tally *y);
void go_on(struct trial *t, struct tally *y); /* count INPUT -o STORE, again */
void merge(struct trial *t, struct tally *y);
void add(struct trial *t, struct tally *y);

#endif
