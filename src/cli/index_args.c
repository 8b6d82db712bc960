/* index_args.c - how documents become terms, and the run over them. */
#include "cli/index_args.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/fail.h"
#include "cli/progress.h"

static const char *const token_kinds[] = { "words", "whitespace", NULL };
static const char *const number_rules[] = { "keep", "drop", NULL };

/* Where documents come from and where they end. */
void input_args_init(struct input_args *a, struct cooc_index_options *o)
{
    const struct opt table[] = {
        OPT_TITLE("Documents"),
        OPT_NAME(0, "format", &o->format, "FORMAT", "recognised", a->formats,
                 "what the inputs are"),
        OPT_TEXT(0, "encoding", &o->encoding, "NAME", "UTF-8",
                 "character encoding of the inputs"),
        OPT_TEXT(0, "text-field", &o->text_fields, "A.B,C",
                 "jsonl: text; trec: all",
                 "take text from these jsonl fields or trec elements"),
        OPT_TEXT(0, "id-field", &o->id_field, "A.B", "id",
                 "jsonl: the field that names the document"),
        OPT_TEXT(0, "vocab", &o->vocab_file, "FILE", NULL,
                 "uci, ldac, svmlight: the terms, one a line"),
        OPT_TEXT(0, "separators", &o->separators, "CHARS",
                 "blank, tab, comma", "transactions: what divides items"),
        OPT_FLAG(0, "zero-based", &o->zero_based,
                 "svmlight: the vocabulary's first line is feature 0"),
        OPT_END,
    };

    _Static_assert(sizeof table <= sizeof a->opts, "opts is too small");
    memset(a, 0, sizeof *a);
    for (unsigned i = 0; i < FORMATS_MAX - 1 && cooc_format(i); i++)
        a->formats[i] = cooc_format(i);
    memcpy(a->opts, table, sizeof table);
}

/* From text to words to terms. */
static size_t add_words(struct index_args *a, struct opt *to)
{
    struct cooc_index_options *o = &a->o;
    const struct opt table[] = {
        OPT_TITLE("Words"),
        OPT_NAME(0, "tokens", &o->tokens, "KIND", NULL, token_kinds,
                 "what is a token"),
        OPT_FLAG(0, "keep-case", &o->keep_case, "'Rose' is not 'rose'"),
        OPT_NAME(0, "numbers", &a->numbers, "RULE", NULL, number_rules,
                 "tokens made of digits, as in 7, -3.14, 1,000"),
        OPT_U32(0, "min-length", &o->min_length, "N", "no limit",
                "drop words of fewer characters"),
        OPT_U32(0, "max-length", &o->max_length, "N", "no limit",
                "drop words of more characters"),
        OPT_TEXT(0, "stop", &o->stop_file, "FILE", NULL,
                 "drop these words, one a line"),
        OPT_TEXT(0, "stem", &o->stem, "LANGUAGE", NULL,
                 "reduce words to stems, as in --stem english"),
        OPT_TEXT(0, "thesaurus", &o->thesaurus_file, "FILE", NULL,
                 "merge words: lines of variant, tab, preferred"),
    };

    memcpy(to, table, sizeof table);
    return sizeof table / sizeof *table;
}

/* Which terms are worth keeping. */
static size_t add_terms(struct index_args *a, struct opt *to)
{
    struct cooc_index_options *o = &a->o;
    const struct opt table[] = {
        OPT_TITLE("Terms"),
        OPT_U64(0, "min-df", &o->min_df, "N", "no limit",
                "drop terms in fewer than N documents"),
        OPT_SHARE(0, "max-df", &a->max_df, "no limit",
                  "drop terms in more documents, or a larger share"),
        OPT_U32(0, "top-terms", &o->top_terms, "N", "all",
                "keep only the N most frequent terms"),
        OPT_TEXT(0, "terms", &o->terms_file, "FILE", NULL,
                 "keep only these terms, one a line"),
        OPT_U32(0, "max-doc-terms", &o->max_doc_terms, "N", "no limit",
                "keep the first N distinct terms of a document"),
        OPT_END,
    };

    memcpy(to, table, sizeof table);
    return sizeof table / sizeof *table;
}

void index_args_init(struct index_args *a)
{
    size_t n = 0;

    memset(a, 0, sizeof *a); /* padding too: see index_args_given() */
    cooc_index_options_init(&a->o);
    if (!a->o.tokens)
        a->o.tokens = token_kinds[0];
    a->numbers = number_rules[a->o.drop_numbers];
    a->max_df = (struct share){ a->o.max_df, a->o.max_df_share };
    input_args_init(&a->input, &a->o);
    a->opts[n++] = (struct opt)OPT_TABLE(a->input.opts);
    n += add_words(a, a->opts + n);
    add_terms(a, a->opts + n);
    memcpy(&a->preset, &a->o, sizeof a->o);
}

bool index_args_given(const struct index_args *a)
{
    return memcmp(&a->preset, &a->o, sizeof a->o) != 0 ||
           a->numbers != number_rules[a->preset.drop_numbers] ||
           a->max_df.count != a->preset.max_df ||
           a->max_df.part > a->preset.max_df_share;
}

/* A store that is there already: say how to go on from it. */
static int hint_existing(const char *store, const char *differs,
                         struct cooc_err *err)
{
    struct cooc_info info = { 0 };
    struct cooc *db = NULL;
    int rc = cooc_open(&db, store, NULL);

    if (rc == 0)
        rc = cooc_info(db, &info, NULL);
    cooc_close(db);
    if (rc < 0) /* no store: the library's words are better */
        return COOC_EEXISTS;
    if (!info.counted)
        return fail(err, COOC_EEXISTS,
                    "%s is indexed%s%s but not counted; to count its pairs, "
                    "or go on where a count was stopped, type: cooc count %s "
                    "(or add --force to start over)", store,
                    differs ? " " : "", differs ? differs : "", store);
    return COOC_EEXISTS; /* the library said what is there */
}

/* A store is a directory, but its files are no documents. */
int refuse_stores(char **inputs, int n, struct cooc_err *err)
{
    for (int i = 0; i < n; i++) {
        struct cooc *db = NULL;
        struct stat st;

        if (stat(inputs[i], &st) != 0 || !S_ISDIR(st.st_mode) ||
            cooc_open(&db, inputs[i], NULL) < 0)
            continue;
        cooc_close(db);
        return fail(err, COOC_EINVAL,
                    "%s is a store, not documents; to count its pairs type: "
                    "cooc count %s", inputs[i], inputs[i]);
    }
    return 0;
}

/* The real path of the directory that a file is in; NULL if there is none. */
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

int refuse_inside(const char *path, char **inputs, int n,
                  struct cooc_err *err)
{
    const char *name = path ? strrchr(path, '/') : NULL;
    struct stat st;
    char *dir;
    int rc = 0;

    name = name ? name + 1 : path;
    if (!path || *name == '.' ||
        (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return 0; /* hidden files, pipes and devices are not read */
    dir = dir_of(path);
    for (int i = 0; dir && i < n && rc == 0; i++)
        if (strcmp(inputs[i], "-") != 0 && stat(inputs[i], &st) == 0 &&
            S_ISDIR(st.st_mode) && is_below(dir, inputs[i]))
            rc = fail(err, COOC_EINVAL,
                      "%s: is in the input folder %s, where the next run "
                      "would read it as a document; name another place for "
                      "--stats-json", path, inputs[i]);
    free(dir);
    return rc;
}

int index_run(struct index_args *a, const struct run_args *run,
              char **inputs, int n, const char *store,
              struct run_stats *stats, struct cooc_index_report *report,
              struct cooc_err *err)
{
    struct progress progress;
    int rc;

    a->o.drop_numbers = a->numbers == number_rules[1];
    a->o.max_df = a->max_df.count;
    a->o.max_df_share = a->max_df.part;
    a->o.threads = run->threads;
    a->o.memory = run->memory;
    a->o.replace = run->force;
    rc = refuse_stores(inputs, n, err);
    if (rc == 0)
        rc = check_output(store, err);
    if (rc < 0)
        return rc;
    progress_init(&progress, run->quiet);
    progress.json = run->progress_json;
    progress.stats = stats;
    a->o.watch = progress_watch(&progress);
    rc = cooc_index((const char *const *)inputs, (size_t)n, store, &a->o,
                    report, err);
    progress_clear(&progress);
    if (rc == COOC_ECANCELLED)
        return fail(err, rc, "interrupted; nothing was stored");
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
    return fail(err, COOC_EINVAL,
                "no store named; type: cooc %s %.150s%s -o %.*s.cooc",
                command, inputs[0], n > 1 ? " ..." : "",
                len > 100 ? 100 : (int)len, name);
}
