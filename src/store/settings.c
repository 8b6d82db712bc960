/* settings.c - the index options as a member of the manifest. */
#include "store/settings.h"

#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/err.h"
#include "base/json.h"
#include "cooc_build.h"
#include "index/build.h"

static const char *const modes[] = { "words", "whitespace", "given",
                                   "items" };
#define MODES (sizeof modes / sizeof *modes)

/* A member of the settings and the option that sets it. */
static const struct option {
    const char *member;
    const char *option; /* followed by the value of the member */
    const char *value;  /* or by this text, unless NULL */
    bool by_df;         /* drops terms by their df */
} options[] = {
    { "tokens", "tokens", NULL, false },
    { "keep_case", "keep_case", "", false },
    { "drop_numbers", "drop_numbers", "", false },
    { "min_length", "min_length", NULL, false },
    { "max_length", "max_length", NULL, false },
    { "stem", "stem", NULL, false },
    { "phrase_words", "keep_phrase_words", "", false },
    { "stop_list", "stop_file", "", false },
    { "thesaurus", "thesaurus_file", "", false },
    { "max_doc_terms", "max_doc_terms", NULL, false },
    { "terms_list", "terms_file", "", false }, /* do not print its hash */
    { "min_df", "min_df", NULL, true },
    { "max_df", "max_df", NULL, true },
    { "max_df_share", "max_df_share", NULL, true },
    { "top_terms", "top_terms", NULL, true },
};

#define OPTIONS (sizeof options / sizeof *options)
#define TEXT_MAX 96 /* bytes of an option with its value */

int settings_write(struct manifest *m, const struct cooc_index_options *o,
                   const struct index_rules *how, struct cooc_err *err)
{
    const struct rules_options rules = { .mode = how->mode,
                                         .drop_numbers = o->drop_numbers };

    int rc = 0;

    m->versions = rule_versions_now(&rules);
    m->labels = how->labels;
    m->settings = json_pack(
        "{s:s, s:s, s:b, s:b, s:I, s:I, s:s, s:b, s:b, s:I, s:I, s:f, s:I,"
        " s:s, s:I, s:s}",
        "context", "document", "tokens", modes[how->mode], "keep_case",
        o->keep_case, "drop_numbers", o->drop_numbers, "min_length",
        (json_int_t)o->min_length, "max_length", (json_int_t)o->max_length,
        "stem", o->stem ? o->stem : "", "stop_list", o->stop_file != NULL,
        "thesaurus", o->thesaurus_file != NULL, "min_df",
        (json_int_t)o->min_df, "max_df", (json_int_t)o->max_df,
        "max_df_share", o->max_df_share, "top_terms",
        (json_int_t)o->top_terms, "terms_list", how->terms_hash,
        "max_doc_terms", (json_int_t)o->max_doc_terms, "ids", "rank");
    if (m->settings && how->phrases)
        rc = json_object_set_new(m->settings, "phrases",
                                 json_integer(how->phrases));
    if (m->settings && how->phrases && o->keep_phrase_words && rc == 0)
        rc = json_object_set_new(m->settings, "phrase_words",
                                 json_string("keep"));
    m->rules.phrases = how->phrases > 0;
    return m->settings && rc == 0 ? 0 : err_nomem(err);
}

bool settings_read(struct manifest *m, json_t *j)
{
    const char *tokens = json_string_value(json_object_get(j, "tokens"));
    const char *stem = json_string_value(json_object_get(j, "stem"));
    const json_t *phrases = json_object_get(j, "phrases");
    size_t mode = 0;

    if (phrases && !json_get_u32(j, "phrases", UINT32_MAX, &m->phrases))
        return false;
    m->rules.keep_phrase_words = json_object_get(j, "phrase_words") != NULL;
    if (!tokens || !stem || strlen(stem) >= sizeof m->stem)
        return false;
    while (mode < MODES && strcmp(modes[mode], tokens) != 0)
        mode++;
    m->rules.mode = (enum token_mode)mode;
    m->rules.keep_case = json_is_true(json_object_get(j, "keep_case"));
    m->rules.drop_numbers = json_is_true(json_object_get(j, "drop_numbers"));
    strcpy(m->stem, stem);
    m->settings = json_incref(j);
    return mode < MODES &&
           json_get_u32(j, "min_length", UINT32_MAX - 1,
                        &m->rules.min_length) &&
           json_get_u32(j, "max_length", UINT32_MAX - 1,
                        &m->rules.max_length);
}

/* Write an option with its value, such as "stem english", to out.  False if
 * the option was not used. */
static bool option_text(const struct option *o, const json_t *settings,
                        char *out)
{
    const json_t *v = json_object_get(settings, o->member);

    if (json_is_true(v))
        snprintf(out, TEXT_MAX, "%s%s", o->option, o->value ? o->value : "");
    else if (json_is_integer(v) && json_integer_value(v))
        snprintf(out, TEXT_MAX, "%s %" JSON_INTEGER_FORMAT, o->option,
                 json_integer_value(v));
    else if (json_is_real(v) && json_real_value(v) > 0) {
        char share[DECIMAL_REAL];
        size_t n = decimal_real(share, json_real_value(v) * 100);

        snprintf(out, TEXT_MAX, "%s %.*s%%", o->option, (int)n, share);
    } else if (json_is_string(v) && *json_string_value(v))
        snprintf(out, TEXT_MAX, "%s%s%.64s", o->option, o->value ? "" : " ",
                 o->value ? o->value : json_string_value(v));
    else
        return false;
    return true;
}

int settings_unitable(const struct manifest *m, const char *path,
                      struct cooc_err *err)
{
    char text[TEXT_MAX];

    for (size_t i = 0; i < OPTIONS; i++)
        if (options[i].by_df && option_text(&options[i], m->settings, text) &&
            strcmp(text, "min_df 1") != 0)
            return err_path_option(
                err, COOC_EINVAL, path, options[i].option,
                "was made with %s, and more documents might bring back terms "
                "that it dropped; index without that option, or index all "
                "documents together with it", text);
    return 0;
}

int settings_filter(json_t **out, const json_t *settings,
                    const struct cooc_merge_options *o, const char *terms_hash,
                    struct cooc_err *err)
{
    json_t *j = *out = json_deep_copy(settings);
    int rc = j ? 0 : -1;

    if (rc == 0 && o->min_df)
        rc = json_object_set_new(j, "min_df",
                                 json_integer((json_int_t)o->min_df));
    if (rc == 0 && o->max_df)
        rc = json_object_set_new(j, "max_df",
                                 json_integer((json_int_t)o->max_df));
    if (rc == 0 && o->max_df_share > 0)
        rc = json_object_set_new(j, "max_df_share",
                                 json_real(o->max_df_share));
    if (rc == 0 && o->top_terms)
        rc = json_object_set_new(j, "top_terms",
                                 json_integer((json_int_t)o->top_terms));
    if (rc == 0 && *terms_hash)
        rc = json_object_set_new(j, "terms_list", json_string(terms_hash));
    return rc == 0 ? 0 : err_nomem(err);
}

static int other_list(const char *a_path, const char *b_path,
                      const char *option, struct cooc_err *err)
{
    return err_path_option(err, COOC_EINVAL, a_path, option,
                           "cannot be combined with %.150s: they were made "
                           "with different lists", b_path);
}

enum token_kind { SPLIT_TEXT, GIVEN, ITEMS };

/* Say in plain words what "tokens given" and "tokens items" are. */
static enum token_kind tokens_words(char text[TEXT_MAX])
{
    if (!strcmp(text, "tokens given")) {
        strcpy(text, "ready-made terms");
        return GIVEN;
    }
    if (!strcmp(text, "tokens items")) {
        strcpy(text, "normalised ready-made terms");
        return ITEMS;
    }
    return SPLIT_TEXT;
}

/* Return an error that says how the two stores differ in an option, which one
 * of them may lack. */
static int name_difference(const struct option *o, const char *a_path,
                           const json_t *a, const char *b_path,
                           const json_t *b, struct cooc_err *err)
{
    char of_a[TEXT_MAX] = "", of_b[TEXT_MAX] = "";
    const char *field = o->option;
    bool has_a = option_text(o, a, of_a), has_b = option_text(o, b, of_b);

    if (!strcmp(o->member, "tokens")) {
        enum token_kind x = tokens_words(of_a), y = tokens_words(of_b);

        if (x == ITEMS || y == ITEMS)
            field = x == GIVEN || y == GIVEN ? "fold" : "split";
    }
    if (has_a && has_b && o->value)
        return other_list(a_path, b_path, o->option, err);
    return err_path_option(err, COOC_EINVAL, a_path, field,
                           "cannot be combined with %.150s: it was made %s %s, "
                           "the other %s %s", b_path,
                           has_a ? "with" : "without", has_a ? of_a : o->option,
                           has_b ? "with" : "without",
                           has_b ? of_b : o->option);
}

static int compare_lists(const struct manifest *a, const char *a_path,
                         const struct manifest *b, const char *b_path,
                         struct cooc_err *err)
{
    const enum collection_file files[] = { FILE_STOP, FILE_THESAURUS,
                                           FILE_PHRASES };
    const char *const names[] = { "stop_file", "thesaurus_file",
                                  "phrases_file" };

    for (int i = 0; i < 3; i++) {
        const struct checked_file_id *x = &a->files[files[i]];
        const struct checked_file_id *y = &b->files[files[i]];

        if (files[i] == FILE_PHRASES && !(a->phrases && b->phrases))
            continue;
        if (x->size != y->size || x->hash != y->hash)
            return other_list(a_path, b_path, names[i], err);
    }
    return 0;
}

/* The numbers of phrases differ. */
static int compare_phrases(const struct manifest *a, const char *a_path,
                           const struct manifest *b, const char *b_path,
                           struct cooc_err *err)
{
    int rc = compare_lists(a, a_path, b, b_path, err);

    if (rc < 0 || (a->phrases && b->phrases))
        return rc < 0 ? rc : other_list(a_path, b_path, "phrases_file", err);
    return err_path_option(err, COOC_EINVAL, a_path, "phrases_file",
                           "cannot be combined with %.150s: it was made %s "
                           "phrases, the other %s them", b_path,
                           a->phrases ? "with" : "without",
                           a->phrases ? "without" : "with");
}

/* Whether two members differ, which both stores may lack. */
static bool differ(const json_t *x, const json_t *y)
{
    return (x || y) && !json_equal(x, y);
}

int settings_compare(const struct manifest *a, const char *a_path,
                     const struct manifest *b, const char *b_path,
                     struct cooc_err *err)
{
    const json_t *x = a->settings, *y = b->settings;

    if (json_equal(x, y))
        return compare_lists(a, a_path, b, b_path, err);
    for (size_t i = 0; i < OPTIONS; i++)
        if (differ(json_object_get(x, options[i].member),
                   json_object_get(y, options[i].member)))
            return name_difference(&options[i], a_path, x, b_path, y, err);
    if (a->phrases != b->phrases)
        return compare_phrases(a, a_path, b, b_path, err);
    return err_path(err, COOC_EINVAL, a_path,
                    "cannot be combined with %.150s: they were made with "
                    "different settings; see their manifest.json", b_path);
}

int settings_options(const struct manifest *m, const char *path,
                     struct cooc_index_options *o,
                     struct settings_lists *lists, struct cooc_err *err)
{
    const json_t *j = m->settings;
    const char *terms = json_string_value(json_object_get(j, "terms_list"));

    if (!json_get_u32(j, "max_doc_terms", UINT32_MAX, &o->max_doc_terms))
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: its settings are invalid");
    o->tokens = m->rules.mode == TOKENS_WHITESPACE ? "whitespace" : "words";
    o->keep_case = m->rules.keep_case;
    o->drop_numbers = m->rules.drop_numbers;
    o->min_length = m->rules.min_length;
    o->max_length = m->rules.max_length;
    o->stem = *m->stem ? m->stem : NULL;
    lists->stop = json_is_true(json_object_get(j, "stop_list"));
    lists->thesaurus = json_is_true(json_object_get(j, "thesaurus"));
    lists->phrases = m->rules.phrases;
    lists->terms = terms && *terms;
    o->keep_phrase_words = m->rules.keep_phrase_words;
    o->min_df = json_integer_value(json_object_get(j, "min_df")) == 1;
    return 0;
}
