/* printers.c - special output forms of some questions. */
#include <string.h>
#include <unistd.h>

#include "ask/display.h"
#include "ask/term_args.h"
#include "base/err.h"
#include "cli/cmd.h"
#include "cooc_bulk.h"

/* ---- "cooc within --matrix": a square, always tab-separated -------------- */

static const struct opt options[] = {
    OPT_FLAG(struct output_args, matrix, 0, "matrix",
             "print a matrix of counts, or of the --by measure"),
    OPT_END
};

struct matrix {
    const struct answer *answer;
    const struct cooc_list *list;
    const struct cooc_measure *by;
    size_t next; /* the next column to print */
};

static int print_name(const struct matrix *m, uint32_t id,
                      struct cooc_err *err)
{
    struct text_span name;
    int rc = answer_name(m->answer, id, &name, err);

    if (rc == 0)
        (out_form(false) == OUT_HUMAN ? display_terminal
                                      : display_tsv)(stdout, name.text,
                                                     name.len);
    return rc;
}

static void print_score(struct matrix *m, const struct cooc_pair *p)
{
    char buf[NUMBER_MAX];

    printf("\t%s", format_exact(buf, cooc_score(p, m->by)));
    m->next++;
}

/* Print the diagonal: a term co-occurs with itself in all its documents. */
static int print_diagonal(struct matrix *m, uint32_t id, struct cooc_err *err)
{
    struct cooc_pair p;
    int rc = cooc_pair_get(m->answer->db, id, id, &p, err);

    if (rc == 0)
        print_score(m, &p);
    return rc;
}

static int print_pair(void *self, const struct cooc_pair *p,
                      struct cooc_err *err)
{
    struct matrix *m = self;
    int rc = 0;

    if (m->list->terms[m->next] == p->x)
        rc = print_diagonal(m, p->x, err);
    if (rc == 0)
        print_score(m, p);
    return rc;
}

static int print_row(struct matrix *m, uint32_t id, struct cooc_err *err)
{
    int rc = print_name(m, id, err);

    m->next = 0;
    if (rc == 0)
        rc = cooc_between(m->answer->db, &id, 1, m->list->terms, m->list->n,
                          print_pair, m, err);
    if (rc == 0 && m->next < m->list->n)
        rc = print_diagonal(m, id, err);
    putchar('\n');
    return rc;
}

static int check(const struct output_args *form, const void *args,
                 struct cooc_err *err)
{
    static const char *const but[] = { "by", NULL };

    if (form->matrix &&
        (form->json ||
         opt_given(pair_lists_options, args, &pair_lists_defaults, but)))
        return err_set(err, COOC_EINVAL,
                       "--matrix can be combined only with --by, because it "
                       "prints all pairs in tab-separated columns");
    return 0;
}

static int print_matrix(struct answer *a, const struct request *q,
                        const struct output_args *form, bool *done,
                        struct cooc_err *err)
{
    const struct pair_lists_args *lists = q->args;
    struct cooc_list list = COOC_LIST;
    struct matrix m = { .answer = a, .list = &list,
                        .by = cooc_measure_get(0) };
    int rc;

    *done = form->matrix;
    if (!form->matrix)
        return 0;
    rc = lists->by ? cooc_measure_find(lists->by, &m.by, err) : 0;
    if (rc == 0)
        rc = list_terms(a->db, lists->like1, "like", q->words[0], &list, err);
    if (rc == 0)
        fputs("term", stdout);
    for (size_t i = 0; i < list.n && rc == 0; i++) {
        putchar('\t');
        rc = print_name(&m, list.terms[i], err);
    }
    if (list.n)
        putchar('\n');
    for (size_t i = 0; i < list.n && rc == 0; i++)
        rc = print_row(&m, list.terms[i], err);
    cooc_free(list.terms);
    return rc;
}

const struct printer printer_matrix = { .options = options, .check = check,
                                        .print = print_matrix };

/* ---- "cooc measures" at a terminal--------------------------------------- */

/* The formulas are too long for columns, so each measure takes several lines.
 * */
static void show_measure(const struct cooc_measure *m, size_t width)
{
    enum { INDENT = 17 };
    char text[300];

    printf("%-*s", INDENT, m->name);
    snprintf(text, sizeof text, "%s%s%s", m->title,
             m->directed ? "; directed" : "",
             m->lower ? "; low is strong" : "");
    display_wrap(stdout, text, INDENT, INDENT, width);
    printf("%*s", INDENT, "");
    snprintf(text, sizeof text, "%s; range %s", m->formula, m->range);
    if (strcmp(m->zero, "none") && strcmp(m->zero, "0"))
        snprintf(text, sizeof text, "%s; range %s (%s)", m->formula,
                 m->range, m->zero);
    display_wrap(stdout, text, INDENT, INDENT, width);
}

static int print_measures(struct answer *a, const struct request *q,
                          const struct output_args *form, bool *done,
                          struct cooc_err *err)
{
    const struct cooc_measure *m;

    (void)q, (void)form, (void)err;
    *done = a->form == OUT_HUMAN;
    for (unsigned i = 0; *done && (m = cooc_measure_get(i)) != NULL; i++)
        show_measure(m, terminal_width(STDOUT_FILENO));
    return 0;
}

const struct printer printer_measures = { .print = print_measures };
