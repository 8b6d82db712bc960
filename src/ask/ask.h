/* ask.h - every query as data: its options, its help and its function.
 *
 * A question is one file, ask_x.c: a struct of arguments, the table of options
 * that sets it, its defaults, the fields of the results, the text of the help,
 * and a function that calls the library and passes the results to an answer.
 * A question is independent of the source of its options and of the form of
 * its results:
 *
 *     argv -> opt_set() -> ask() -> a table, TSV or JSON
 *
 * To add a question, write its file and add it below, to meson.build and to
 * the table of commands in cli/main.c.
 */
#ifndef COOC_ASK_H
#define COOC_ASK_H

#include "ask/answer.h"
#include "ask/opt.h"

/* The arguments, options and help of a command. */
struct usage {
    const char *name;
    const char *args;     /* usage lines, separated by '\n' */
    const char *summary;  /* one line, no capital, no full stop */
    const char *details;  /* NULL, or when to use it, in paragraphs */
    const char *output;   /* NULL, or what the results mean, in paragraphs */
    const char *examples; /* lines, each ending in '\n' */
    const struct opt *options;
    size_t size;          /* of the argument struct */
    const void *defaults; /* initial argument struct, or NULL */
    void (*init)(void *args); /* fills it instead; if both are NULL, it
                               * starts as all zeros */
    int min, max;         /* number of arguments, with the store; max < 0:
                           * no limit */
};

/* The arguments of one call of a question. */
struct request {
    const void *args;    /* the argument struct, set by the options */
    size_t n_words;      /* the arguments after the store */
    char *const *words;
};

struct question {
    struct usage usage;
    bool facts;     /* the answer begins with facts; otherwise it is a list */
    bool stems;     /* the answer has terms, so --show-stems applies */
    bool storeless; /* takes no store; a->db is NULL */
    /* Checks the arguments before the store is opened; may be NULL. */
    int (*check)(const struct request *q, struct cooc_err *err);
    int (*ask)(struct answer *a, const struct request *q, struct cooc_err *err);
};

extern const struct question question_between, question_docs,
    question_measures, question_methods, question_pair, question_pairs,
    question_row, question_similar, question_stats, question_terms,
    question_top, question_within;

/* Print the number of pairs of a store under label, which rows are written, and
 * their size; also used by the report of a count. */
void answer_pairs(struct answer *a, const char *label,
                  const struct cooc_info *info);

/* a / b, or 0 if b is 0. */
double ratio(double a, double b);

#endif
