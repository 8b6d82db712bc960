/* ask.h - each question that a store answers, as data.
 *
 * A question is one file, ask_x.c: a struct of arguments, the table of options
 * that sets it, its defaults, the fields of the results, the text of the help,
 * and a function that asks the library and hands the results to an answer.
 * It does not know where the options come from or in which form the results
 * are written:
 *
 *     argv -> opt_set() -> ask() -> a table, TSV or JSON
 *
 * To add a question, write its file and list it below, in meson.build
 * and in the commands of cli/main.c.
 */
#ifndef COOC_ASK_H
#define COOC_ASK_H

#include "ask/answer.h"
#include "ask/opt.h"

/* How something is asked for, in data and in words. */
struct usage {
    const char *name;
    const char *args;     /* usage lines, split by '\n' */
    const char *summary;  /* one line, no capital, no full stop */
    const char *details;  /* NULL, or when to use it, in paragraphs */
    const char *output;   /* NULL, or what the results mean, in paragraphs */
    const char *examples; /* lines, each with its '\n' */
    const struct opt *options;
    size_t size;          /* of the argument struct */
    const void *defaults; /* one of it, or */
    void (*init)(void *args); /* what fills it; neither: all zero */
    int min, max;         /* arguments, the store included; < 0: any number */
};

/* A question with its arguments. */
struct request {
    const void *args;    /* set by the options */
    size_t n_words;      /* the arguments after the store */
    char *const *words;
};

struct question {
    struct usage usage;
    bool facts;     /* the answer begins with facts; otherwise it is a list */
    bool stems;     /* it shows terms, and can show their stems instead */
    bool storeless; /* about cooc itself: a->db is NULL */
    /* What can be refused before a store is opened; may be NULL. */
    int (*check)(const void *args, struct cooc_err *err);
    int (*ask)(struct answer *a, const struct request *q, struct cooc_err *err);
};

extern const struct question question_between, question_docs,
    question_measures, question_methods, question_pair, question_pairs,
    question_row, question_stats, question_terms, question_top,
    question_within;

/* Shared with the report of a count: the pairs of a store, called label, which
 * of their rows are written, and their size.  ratio: a / b, 0 where b is 0. */
void answer_pairs(struct answer *a, const char *label,
                  const struct cooc_info *info);
double ratio(double a, double b);

#endif
