/* index_args.c - the options for documents, words and terms; run an index job.
 * */
#include "cli/index_args.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "cli/program.h"
#include "cooc_build.h"

/* How to read the inputs and split them into documents. */
const struct opt input_options[] = {
    OPT_TITLE("Documents"),
    OPT_NAME_OF(struct cooc_index_options, format, 0, "format", "FORMAT",
                "detected", cooc_format_get, "set the input format"),
    OPT_TEXT(struct cooc_index_options, encoding, 0, "encoding", "NAME",
             "auto", "set the character encoding"),
    OPT_LIST(struct cooc_index_options, text_fields, 0, "text-field",
             "A,B,C", "depends on the format",
             "read text from these columns, fields, elements or tags"),
    OPT_TEXT(struct cooc_index_options, id_field, 0, "id-field", "NAME",
             "depends on the format",
             "name each document by this column, field, element or tag"),
    OPT_TEXT(struct cooc_index_options, split, 0, "split", "TEXT",
             "fields are text",
             "split fields into terms at TEXT, as in --split ';', or none"),
    OPT_TEXT(struct cooc_index_options, group_by, 0, "group-by", "COLUMN",
             "each row is a document",
             "make one document of all rows with the same value in COLUMN"),
    OPT_TEXT(struct cooc_index_options, delimiter, 0, "delimiter", "CHAR",
             "detected", "split csv rows at CHAR, or tab"),
    OPT_FLAG(struct cooc_index_options, header, 0, "header",
             "read column names from line 1 of a tsv file"),
    OPT_FLAG(struct cooc_index_options, no_header, 0, "no-header",
             "treat line 1 of a csv file as a row; columns have numbers"),
    OPT_TEXT(struct cooc_index_options, record, 0, "record", "ELEMENT",
             "DOC for trec", "make a document of each xml or trec ELEMENT"),
    OPT_TEXT(struct cooc_index_options, column, 0, "column", "NAME", "form",
             "read terms of annotated text from this column"),
    OPT_TEXT(struct cooc_index_options, pos, 0, "pos", "TAG,TAG", "all",
             "keep only these parts of speech of annotated text"),
    OPT_TEXT(struct cooc_index_options, vocab_file, 0, "vocab", "FILE", NULL,
             "read uci, ldac or svmlight terms from lines of FILE"),
    OPT_TEXT(struct cooc_index_options, separators, 0, "separators", "CHARS",
             "space, tab, comma", "split transactions at these characters"),
    OPT_TEXT(struct cooc_index_options, fold, 0, "fold", "case", "unchanged",
             "fold the case of ready-made terms"),
    OPT_FLAG(struct cooc_index_options, zero_based, 0, "zero-based",
             "number svmlight features from 0 instead of 1"),
    OPT_FLAG(struct cooc_index_options, skip_bad, 0, "skip-bad",
             "skip inputs and records that cannot be read"),
    OPT_END
};

static const char *const token_kinds[] = { "words", "whitespace", NULL };
static const char *const number_rules[] = { "keep", "drop", NULL };
static const char *const word_rules[] = { "drop", "keep", NULL };

const struct opt skip_options[] = {
    OPT_TEXT(struct skip_args, list, 0, "skip-list", "FILE", NULL,
             "list what --skip-bad skips in FILE"),
    OPT_END
};

const struct opt index_options[] = {
    OPT_TABLE(struct index_args, o, input_options),
    OPT_TABLE(struct index_args, skip, skip_options),
    OPT_TITLE("Words"),
    OPT_NAME(struct index_args, o.tokens, 0, "tokens", "KIND",
             "words", token_kinds, "choose how to split text"),
    OPT_FLAG(struct index_args, o.keep_case, 0, "keep-case",
             "treat 'Rose' and 'rose' as different terms"),
    OPT_NAME(struct index_args, numbers, 0, "numbers", "RULE", NULL,
             number_rules,
             "choose what to do with numbers such as 7 and -3.14"),
    OPT_U32(struct index_args, o.min_length, 0, "min-length", "N",
            "none", "drop words shorter than N characters"),
    OPT_U32(struct index_args, o.max_length, 0, "max-length", "N",
            "none", "drop words longer than N characters"),
    OPT_TEXT(struct index_args, o.stop_file, 0, "stop", "FILE", NULL,
             "drop the stop words listed in FILE, one per line"),
    OPT_TEXT(struct index_args, o.stem, 0, "stem", "LANGUAGE", NULL,
             "reduce words to their stems, as in --stem english"),
    OPT_TEXT(struct index_args, o.thesaurus_file, 0, "thesaurus", "FILE",
             NULL, "replace words; FILE has 'variant TAB preferred' lines"),
    OPT_TEXT(struct index_args, o.phrases_file, 0, "phrases", "FILE", NULL,
             "make terms of the phrases listed in FILE, one per line"),
    OPT_NAME(struct index_args, phrase_words, 0, "phrase-words", "RULE", NULL,
             word_rules, "choose whether the words of a phrase count, too"),
    OPT_TITLE("Terms"),
    OPT_U64(struct index_args, o.min_df, 0, "min-df", "N", "none",
            "drop terms in fewer than N documents"),
    OPT_SHARE(struct index_args, max_df, 0, "max-df", "none",
              "drop terms in more than N (or N%) of the documents"),
    OPT_U32(struct index_args, o.top_terms, 0, "top-terms", "N", "all",
            "keep only the N most frequent terms"),
    OPT_TEXT(struct index_args, o.terms_file, 0, "terms", "FILE", NULL,
             "keep only the terms listed in FILE, one per line"),
    OPT_U32(struct index_args, o.max_doc_terms, 0, "max-doc-terms", "N",
            "all", "keep only the first N distinct terms per document"),
    OPT_END
};

void index_args_init(struct index_args *a)
{
    *a = (struct index_args){ 0 };
    cooc_init(&a->o, sizeof a->o);
    a->numbers = number_rules[a->o.drop_numbers];
    a->phrase_words = word_rules[a->o.keep_phrase_words];
    a->max_df = (struct share){ a->o.max_df, a->o.max_df_share };
}

/* The store exists already: say how to continue. */
static int hint_existing(const char *store, const char *differs,
                         struct cooc_err *err)
{
    struct cooc_info info;

    if (store_info(store, &info, NULL) < 0 || info.counted)
        return COOC_EEXISTS; /* the message of the library is enough */
    return err_path(err, COOC_EEXISTS, store,
                    "is already indexed%s%s but not counted; to count its "
                    "pairs or continue an interrupted count, run: cooc count "
                    "%s; to start over, add --force", differs ? " " : "",
                    differs ? differs : "", store);
}

/* A store is a directory, but its files are not documents. */
int refuse_stores(char **inputs, int n, struct cooc_err *err)
{
    for (int i = 0; i < n; i++) {
        struct cooc *db;

        if (cooc_open(&db, inputs[i], NULL) < 0)
            continue;
        cooc_close(db);
        return err_path(err, COOC_EINVAL, inputs[i],
                        "is a store, not documents; to count its pairs, run: "
                        "cooc count %s", inputs[i]);
    }
    return 0;
}

/* The real path of the directory of a file, or NULL if it does not exist.  The
 * caller frees it. */
static char *dir_of(const char *path)
{
    char *copy = strdup(path), *dir = copy ? realpath(dirname(copy), NULL)
                                           : NULL;

    free(copy);
    return dir;
}

static bool is_below(const char *dir, const char *input)
{
    char *top = realpath(input, NULL);
    size_t len = top ? strlen(top) : 0;
    bool below = top && !strncmp(dir, top, len) &&
                 (!dir[len] || dir[len] == '/' || top[len - 1] == '/');

    free(top);
    return below;
}

/* Whether both names, of which b may be NULL, are those of one file. */
static bool same_file(const char *a, const char *b)
{
    struct stat x, y;

    return b && stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Refuse to overwrite what the job reads. */
static int refuse_used(const char *option, const char *path,
                       const struct cooc_index_options *o, char **inputs,
                       int n, struct cooc_err *err)
{
    const char *const lists[] = { o->stop_file, o->thesaurus_file,
                                  o->terms_file, o->vocab_file,
                                  o->phrases_file };
    bool used = false;

    for (int i = 0; i < n; i++)
        used |= same_file(path, inputs[i]);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        used |= same_file(path, lists[i]);
    return used ? err_path(err, COOC_EINVAL, path,
                           "is read by this command; choose another file for "
                           "%s", option) : 0;
}

int refuse_output(const char *option, const char *path,
                  const struct cooc_index_options *o, char **inputs, int n,
                  struct cooc_err *err)
{
    const char *name = path ? strrchr(path, '/') : NULL;
    struct stat st;
    char *dir;
    int rc = path ? refuse_used(option, path, o, inputs, n, err) : 0;

    if (rc < 0)
        return rc;
    name = name ? name + 1 : path;
    if (!path || *name == '.' ||
        (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return 0; /* hidden files, pipes and devices are not read */
    dir = dir_of(path);
    for (int i = 0; dir && i < n && rc == 0; i++)
        if (strcmp(inputs[i], "-") != 0 && stat(inputs[i], &st) == 0 &&
            S_ISDIR(st.st_mode) && is_below(dir, inputs[i]))
            rc = err_path(err, COOC_EINVAL, path,
                          "is in the input folder %s, where the next run "
                          "would read it as a document; choose another "
                          "folder for %s", inputs[i], option);
    free(dir);
    return rc;
}

int begin_findings(struct findings *notes, const struct skip_args *skip,
                const struct cooc_index_options *o,
                const struct job_args *how, char **inputs, int n,
                struct cooc_err *err)
{
    int rc = 0;

    *notes = (struct findings){ .quiet = how->quiet || how->progress_json,
                             .verbose = how->verbose };
    if (skip->list && !o->skip_bad)
        return err_set(err, COOC_EINVAL,
                       "--skip-list lists what --skip-bad skips; add "
                       "--skip-bad");
    if (!program_silent())
        rc = refuse_output("--skip-list", skip->list, o, inputs, n, err);
    return rc < 0 ? rc : findings_begin(notes, skip->list, err);
}

int index_documents(struct index_args *a, const struct job_args *how,
                    char **inputs, int n, const char *store,
                    struct job_stats *stats, struct cooc_index_report *report,
                    struct cooc_err *err)
{
    struct cooc_watch watch;
    struct progress progress;
    struct findings notes;
    int rc;

    a->o.drop_numbers = !strcmp(a->numbers, number_rules[1]);
    a->o.keep_phrase_words = !strcmp(a->phrase_words, word_rules[1]);
    a->o.max_df = a->max_df.count;
    a->o.max_df_share = a->max_df.part;
    a->o.threads = how->threads;
    a->o.memory = how->memory;
    a->o.replace = how->force;
    rc = refuse_stores(inputs, n, err);
    if (rc == 0)
        rc = check_output(store, err);
    if (rc == 0)
        rc = begin_findings(&notes, &a->skip, &a->o, how, inputs, n, err);
    if (rc < 0)
        return rc;
    watch = job_watch(how, &progress, stats);
    progress.notes = &notes;
    a->o.watch = &watch;
    rc = program.index((const char *const *)inputs, (size_t)n, store, &a->o,
                    report, err);
    progress_clear(&progress);
    rc = findings_end(&notes, rc, err);
    if (rc == COOC_ECANCELLED)
        return err_set(err, rc, "interrupted; %s", program.kept);
    return rc == COOC_EEXISTS ? hint_existing(store, report->differs, err)
                              : rc;
}

int no_store_named(const char *command, char **inputs, int n,
                   struct cooc_err *err)
{
    const char *name = inputs[0], *slash;
    size_t len = strlen(name);

    while (len > 1 && name[len - 1] == '/')
        len--;
    slash = memrchr(name, '/', len);
    if (slash && len > 1) {
        len -= (size_t)(slash + 1 - name);
        name = slash + 1;
    }
    len = len > 1 ? 1 + strcspn(name + 1, "./") : len;
    if (!strcmp(inputs[0], "-") || *name == '.' || *name == '/') {
        name = "NAME";
        len = 4;
    }
    return err_set(err, COOC_EINVAL,
                   "no name for the store; run: %s %s %.150s%s -o %.*s.cooc",
                   program.usage, command, inputs[0], n > 1 ? " ..." : "",
                   len > 100 ? 100 : (int)len, name);
}
