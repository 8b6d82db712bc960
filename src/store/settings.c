/* settings.c - options of indexing, as a member of the manifest. */
#include "store/settings.h"

#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/err.h"
#include "base/json.h"
#include "cooc_build.h"
#include "index/build.h"

static const char *const modes[] = { "words", "whitespace", "given" };
#define MODES (sizeof modes / sizeof *modes)

/* A member of the settings and the option that sets it. */
static const struct option {
    const char *member;
    const char *option; /* what follows is its value */
    const char *value;  /* or this is, for a flag */
    bool by_df;         /* drops terms for what all documents have */
} options[] = {
    { "tokens", "--tokens", NULL, false },
    { "keep_case", "--keep-case", "", false },
    { "drop_numbers", "--numbers", " drop", false },
    { "min_length", "--min-length", NULL, false },
    { "max_length", "--max-length", NULL, false },
    { "stem", "--stem", NULL, false },
    { "stop_list", "--stop", "", false },
    { "thesaurus", "--thesaurus", "", false },
    { "max_doc_terms", "--max-doc-terms", NULL, false },
    { "terms_list", "--terms", "", false }, /* its hash says nothing */
    { "min_df", "--min-df", NULL, true },
    { "max_df", "--max-df", NULL, true },
    { "max_df_share", "--max-df", NULL, true },
    { "top_terms", "--top-terms", NULL, true },
};

#define OPTIONS (sizeof options / sizeof *options)
#define TEXT_MAX 96 /* of an option and its value */

int settings_write(struct manifest *m, const struct cooc_index_options *o,
                   const struct index_rules *how, struct cooc_err *err)
{
    const struct rules_options rules = { .mode = how->mode,
                                         .drop_numbers = o->drop_numbers };

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
    return m->settings ? 0 : err_nomem(err);
}

bool settings_read(struct manifest *m, json_t *j)
{
    const char *tokens = json_string_value(json_object_get(j, "tokens"));
    const char *stem = json_string_value(json_object_get(j, "stem"));
    size_t mode = 0;

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

/* "--stem english"; false if the option was not used. */
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
            strcmp(text, "--min-df 1") != 0)
            return err_set(err, COOC_EINVAL,
                           "%s was made with %s: terms that it dropped might "
                           "stay with more documents, and they are gone; index "
                           "without that option and merge, or index all "
                           "documents together with it", path, text);
    return 0;
}

/* "made with X, the other with Y", either of which may be none. */
static int name_difference(const struct option *o, const char *a_path,
                           const json_t *a, const char *b_path,
                           const json_t *b, struct cooc_err *err)
{
    char of_a[TEXT_MAX] = "", of_b[TEXT_MAX] = "";
    bool has_a = option_text(o, a, of_a), has_b = option_text(o, b, of_b);

    if (!strcmp(o->member, "tokens"))
        for (int i = 0; i < 2; i++) {
            char *text = i ? of_b : of_a;

            if (!strcmp(text, "--tokens given"))
                strcpy(text, "terms as they were given");
        }
    if (has_a && has_b && o->value)
        return err_set(err, COOC_EINVAL,
                       "%.150s and %.150s were made with different lists of "
                       "%s: their counts do not go together", a_path, b_path,
                       o->option);
    if (has_a && has_b)
        return err_set(err, COOC_EINVAL,
                       "%.150s was made with %s, %.150s with %s: their "
                       "counts do not go together", a_path, of_a, b_path,
                       of_b);
    return err_set(err, COOC_EINVAL,
                   "%.150s was made with %s, %.150s without: their counts do "
                   "not go together", has_a ? a_path : b_path,
                   has_a ? of_a : of_b, has_a ? b_path : a_path);
}

static int compare_lists(const struct manifest *a, const char *a_path,
                         const struct manifest *b, const char *b_path,
                         struct cooc_err *err)
{
    const enum collection_file files[] = { FILE_STOP, FILE_THESAURUS };
    const char *const names[] = { "--stop", "--thesaurus" };

    for (int i = 0; i < 2; i++) {
        const struct checked_file_id *x = &a->files[files[i]];
        const struct checked_file_id *y = &b->files[files[i]];

        if (x->size != y->size || x->hash != y->hash)
            return err_set(err, COOC_EINVAL,
                           "%.150s and %.150s were made with different files "
                           "for %s: their counts do not go together", a_path,
                           b_path, names[i]);
    }
    return 0;
}

int settings_compare(const struct manifest *a, const char *a_path,
                     const struct manifest *b, const char *b_path,
                     struct cooc_err *err)
{
    const json_t *x = a->settings, *y = b->settings;

    if (json_equal(x, y))
        return compare_lists(a, a_path, b, b_path, err);
    for (size_t i = 0; i < OPTIONS; i++)
        if (!json_equal(json_object_get(x, options[i].member),
                        json_object_get(y, options[i].member)))
            return name_difference(&options[i], a_path, x, b_path, y, err);
    return err_set(err, COOC_EINVAL,
                   "%.150s and %.150s were made with different settings; "
                   "see their manifest.json", a_path, b_path);
}

int settings_options(const struct manifest *m, const char *path,
                     struct cooc_index_options *o,
                     struct settings_lists *lists, struct cooc_err *err)
{
    const json_t *j = m->settings;
    const char *terms = json_string_value(json_object_get(j, "terms_list"));

    if (!json_get_u32(j, "max_doc_terms", UINT32_MAX, &o->max_doc_terms))
        return err_set(err, COOC_EFORMAT, "%s: its settings cannot be read",
                       path);
    o->tokens = m->rules.mode == TOKENS_WHITESPACE ? "whitespace" : "words";
    o->keep_case = m->rules.keep_case;
    o->drop_numbers = m->rules.drop_numbers;
    o->min_length = m->rules.min_length;
    o->max_length = m->rules.max_length;
    o->stem = *m->stem ? m->stem : NULL;
    lists->stop = json_is_true(json_object_get(j, "stop_list"));
    lists->thesaurus = json_is_true(json_object_get(j, "thesaurus"));
    lists->terms = terms && *terms;
    o->min_df = json_integer_value(json_object_get(j, "min_df")) == 1;
    return 0;
}
