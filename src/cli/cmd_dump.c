/* cmd_dump.c - "cooc dump": what a matrix or GloVe's file holds, as text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fail.h"
#include "cli/shared.h"

#define ENOUGH 1 /* cells were printed */

struct dump_args {
    const char *vocab;
    uint64_t limit, printed;
    bool json;
    uint64_t first; /* number of the first word */
    char *text;     /* of the vocabulary */
    char **words;
    size_t n_words;
    struct out out;
};

static int read_text(struct dump_args *a, struct cooc_err *err)
{
    FILE *f = fopen(a->vocab, "re");
    size_t room = 0;
    ssize_t n;
    int rc = 0;

    if (!f)
        return fail_sys(err, "cannot read", a->vocab);
    errno = 0;
    n = getdelim(&a->text, &room, '\0', f);
    if (n < 0 && (ferror(f) || !feof(f)))
        rc = fail_sys(err, "cannot read", a->vocab);
    else if (n < 0 && a->text)
        *a->text = '\0'; /* the file is empty */
    fclose(f);
    return rc;
}

/* \t, \n, \r and \\ as export writes them, in place. */
static void unescape(char *word)
{
    static const char letters[] = "tnr\\", meant[] = "\t\n\r\\";
    char *to = word;

    for (; *word; word++) {
        const char *at = *word == '\\' && word[1] ? strchr(letters, word[1])
                                                  : NULL;

        *to++ = at ? meant[at - letters] : *word;
        word += at != NULL;
    }
    *to = '\0';
}

/* Lines to words; GloVe's have their count behind a blank. */
static int split_words(struct dump_args *a, bool counted,
                       struct cooc_err *err)
{
    size_t cap = 0;

    for (char *p = a->text; p && *p;) {
        char *end = p + strcspn(p, "\n"), *next = *end ? end + 1 : end;

        *end = '\0';
        p[strcspn(p, counted ? " \r" : "\r")] = '\0';
        if (!counted)
            unescape(p);
        if (a->n_words == cap) {
            char **grown = realloc(a->words, (2 * cap + 1024) *
                                                 sizeof *grown);

            if (!grown)
                return fail_nomem(err);
            a->words = grown;
            cap = 2 * cap + 1024;
        }
        a->words[a->n_words++] = p;
        p = next;
    }
    return 0;
}

static int on_about(void *self, const struct cooc_dump_report *about,
                    struct cooc_err *err)
{
    static const struct column columns[] = { { "row", 0 }, { "column", 0 },
                                             { "value", 4 } };
    struct dump_args *a = self;

    a->first = about->first;
    out_list(&a->out, NULL, columns, 3);
    return a->vocab ? split_words(a, !strcmp(about->format, "glove"), err)
                    : 0;
}

static int name_cell(const struct dump_args *a, uint64_t number,
                     struct cell *out, struct cooc_err *err)
{
    uint64_t i = number - a->first;

    *out = (struct cell)CELL_COUNT(number);
    if (!a->vocab)
        return 0;
    if (i >= a->n_words)
        return fail(err, COOC_EFORMAT, "%s has no line for number %llu: it "
                    "belongs to another file", a->vocab,
                    (unsigned long long)number);
    *out = (struct cell)CELL_TEXT(a->words[i], strlen(a->words[i]));
    return 0;
}

static int on_cell(void *self, const struct cooc_cell *cell,
                   struct cooc_err *err)
{
    struct dump_args *a = self;
    struct cell cells[3];
    int rc;

    if (a->limit && a->printed == a->limit)
        return ENOUGH;
    rc = name_cell(a, cell->row, &cells[0], err);
    if (rc == 0)
        rc = name_cell(a, cell->column, &cells[1], err);
    cells[2] = (struct cell)CELL_REAL(cell->value);
    if (cell->value >= 1 && cell->value < 1e15 &&
        (double)(uint64_t)cell->value == cell->value)
        cells[2] = (struct cell)CELL_COUNT((uint64_t)cell->value);
    a->printed++;
    return rc == 0 ? out_row(&a->out, cells, err) : rc;
}

static int run_dump(int argc, char **argv, struct cooc_err *err)
{
    struct dump_args a = { 0 };
    const struct opt opts[] = {
        OPT_U64('n', "limit", &a.limit, "N", "all",
                "print at most N cells"),
        OPT_TEXT(0, "vocab", &a.vocab, "FILE", NULL,
                 "print words instead of numbers: GloVe's vocab.txt, or the "
                 "terms file of a matrix"),
        OPT_FLAG(0, "json", &a.json, JSON_LINES),
        OPT_END
    };
    int rc = opt_parse(&argc, &argv, opts, &cmd_dump, 1, 1, err);

    if (rc)
        return rc;
    out_init(&a.out, stdout, out_form(a.json));
    rc = a.vocab ? read_text(&a, err) : 0;
    if (rc == 0)
        rc = cooc_dump(argv[0], on_about, on_cell, &a, NULL, err);
    if (rc >= 0)
        rc = out_list_end(&a.out, err);
    out_release(&a.out);
    free(a.words);
    free(a.text);
    return rc;
}

const struct cmd cmd_dump = {
    .name = "dump", .group = CMD_KEEP,
    .args = "[options] FILE",
    .summary = "print what a matrix file or GloVe's counts hold",
    .details = "FILE is a Matrix Market file (.mtx), a sparse matrix saved by "
               "scipy or 'cooc export' (.npz: csr, csc or coo), or GloVe's "
               "cooccurrence.bin; it may be compressed.  Each stored cell is "
               "a line: row, column and value, numbered as in the file, from "
               "0 in .npz and from 1 in the others.  The half of a symmetric "
               ".mtx file that is not stored is not printed.",
    .examples = "cooc dump cooccurrence.bin --vocab vocab.txt -n 20\n"
                "cooc dump news.npz --vocab news.npz.terms.txt\n"
                "cooc dump matrix.mtx.gz -n 20\n",
    .run = run_dump,
};
