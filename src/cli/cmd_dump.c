/* cmd_dump.c - "cooc dump": print a matrix or GloVe count file as text. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "cli/cmd.h"
#include "cooc_export.h"

#define ENOUGH 1 /* stop: --limit cells were printed */

struct dump_args {
    const char *vocab;
    uint64_t limit, printed;
    bool json;
    uint64_t first; /* number of the first row and column */
    char *text;     /* content of the vocabulary file */
    char **words;
    size_t n_words;
    struct answer out;
};

static const struct opt options[] = {
    OPT_U64(struct dump_args, limit, 'n', "limit", "N", "all",
            "print at most N cells"),
    OPT_TEXT(struct dump_args, vocab, 0, "vocab", "FILE", NULL,
             "print the words in FILE instead of their numbers"),
    OPT_FLAG(struct dump_args, json, 0, "json", JSON_LINES),
    OPT_END
};

static int cannot_read(const char *path, struct cooc_err *err)
{
    return err_path(err, COOC_EIO, path, "cannot read: %s", strerror(errno));
}

static int read_text(struct dump_args *a, struct cooc_err *err)
{
    FILE *f = fopen(a->vocab, "re");
    size_t room = 0;
    ssize_t n;
    int rc = 0;

    if (!f)
        return cannot_read(a->vocab, err);
    errno = 0;
    n = getdelim(&a->text, &room, '\0', f);
    if (n < 0 && (ferror(f) || !feof(f)))
        rc = cannot_read(a->vocab, err);
    else if (n < 0 && a->text)
        *a->text = '\0'; /* the file is empty */
    fclose(f);
    return rc;
}

/* Replace \t, \n, \r and \\, as written by export, in place. */
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

/* Split the vocabulary into words, one per line.  If counted, as in GloVe's
 * vocab.txt, a blank and a count follow each word. */
static int split_words(struct dump_args *a, bool counted,
                       struct cooc_err *err)
{
    size_t cap = 0;
    int rc;

    for (char *p = a->text; p && *p;) {
        char *end = p + strcspn(p, "\n"), *next = *end ? end + 1 : end;

        *end = '\0';
        p[strcspn(p, counted ? " \r" : "\r")] = '\0';
        if (!counted)
            unescape(p);
        rc = array_grow(&a->words, &cap, a->n_words + 1, sizeof *a->words,
                        err);
        if (rc < 0)
            return rc;
        a->words[a->n_words++] = p;
        p = next;
    }
    return 0;
}

static int on_about(void *self, const struct cooc_dump_report *about,
                    struct cooc_err *err)
{
    static const struct field columns[] = {
        { .kind = FIELD_KIND_BYTES, .label = "row" },
        { .kind = FIELD_KIND_BYTES, .label = "column" },
        { .kind = FIELD_KIND_REAL, .label = "value", .decimals = 4 },
        FIELD_END
    };
    struct dump_args *a = self;

    a->first = about->first;
    answer_list(&a->out, NULL, columns);
    return a->vocab ? split_words(a, !strcmp(about->format, "glove"), err)
                    : 0;
}

static int name_of(const struct dump_args *a, uint64_t number,
                   struct value *out, struct cooc_err *err)
{
    uint64_t i = number - a->first;

    *out = (struct value){ VALUE_COUNT, .count = number };
    if (!a->vocab)
        return 0;
    if (i >= a->n_words)
        return err_path(err, COOC_EFORMAT, a->vocab,
                        "has no line for number %" PRIu64 ", so it belongs "
                        "to another file", number);
    *out = (struct value){ VALUE_TEXT,
                           .text = { a->words[i], strlen(a->words[i]) } };
    return 0;
}

static int on_cell(void *self, const struct cooc_cell *cell,
                   struct cooc_err *err)
{
    struct dump_args *a = self;
    struct value values[3];
    int rc;

    if (a->limit && a->printed == a->limit)
        return ENOUGH;
    rc = name_of(a, cell->row, &values[0], err);
    if (rc == 0)
        rc = name_of(a, cell->column, &values[1], err);
    values[2] = (struct value){ VALUE_REAL, .real = cell->value };
    if (cell->value >= 1 && cell->value < 1e15 &&
        (double)(uint64_t)cell->value == cell->value)
        values[2] = (struct value){ VALUE_COUNT,
                                    .count = (uint64_t)cell->value };
    a->printed++;
    return rc == 0 ? answer_values(&a->out, values, err) : rc;
}

static int run(void *args, int argc, char **argv, struct cooc_err *err)
{
    struct dump_args *a = args;
    int rc;

    (void)argc;
    answer_init(&a->out, stdout, out_form(a->json));
    rc = a->vocab ? read_text(a, err) : 0;
    if (rc == 0)
        rc = cooc_dump(argv[0], on_about, on_cell, a, NULL, err);
    if (rc >= 0)
        rc = answer_list_end(&a->out, err);
    answer_finish(&a->out);
    mem_free(a->words);
    free(a->text);
    return rc;
}

const struct job job_dump = {
    .usage = {
        .name = "dump", .min = 1, .max = 1,
        .args = "[options] FILE",
        .summary = "print a matrix file or a GloVe count file as text",
        .details = "Use this to look into a file that 'cooc export' or "
                   "another program has written. FILE is a Matrix Market "
                   "file (.mtx), a sparse matrix saved by scipy (.npz: csr, "
                   "csc or coo), or GloVe's cooccurrence.bin; it may be "
                   "compressed. For --vocab, give GloVe's vocab.txt or the "
                   "terms file of a matrix.",
        .output = "One row per stored cell: row, column and value. Rows and "
                  "columns are numbered as in the file: from 0 in .npz files, "
                  "from 1 in .mtx and GloVe files. Only the stored half of a "
                  "symmetric .mtx file is printed.",
        .examples = "cooc dump cooccurrence.bin --vocab vocab.txt -n 20\n"
                    "cooc dump news.npz --vocab news.npz.terms.txt\n"
                    "cooc dump matrix.mtx.gz -n 20\n",
        .options = options, .size = sizeof(struct dump_args),
    },
    .run = run,
};
