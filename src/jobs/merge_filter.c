/* merge_filter.c - make the filters of a merge; a list of terms is read with
 * the rules and word lists of the stores. */
#include "jobs/merge_filter.h"

#include "base/dict.h"
#include "base/err.h"
#include "index/kept_terms.h"
#include "store/settings.h"

const char *merge_filter_given(const struct cooc_merge_options *o)
{
    return o->min_df             ? "min_df"
           : o->max_df           ? "max_df"
           : o->max_df_share > 0 ? "max_df_share"
           : o->top_terms        ? "top_terms"
           : o->terms_file       ? "terms_file"
                                 : NULL;
}

static int stored_list(struct text_list *out, const struct store *s,
                       enum collection_file f, struct cooc_err *err)
{
    struct checked_file *file = s->docs.files[f];
    const void *text = "";
    int rc = checked_file_get(file, 0, checked_file_size(file), &text, err);

    *out = (struct text_list){ .name = checked_file_path(file), .text = text,
                               .len = checked_file_size(file) };
    return rc;
}

static int read_terms(struct merge_filter *f, const char *path,
                      const struct store *s, struct cooc_err *err)
{
    const struct manifest *m = &s->manifest;
    struct rules_options how = m->rules;
    struct cooc_index_options o;
    struct settings_lists lists;
    struct rules *rules = NULL;
    struct text_list terms;
    struct buf text = { 0 };
    int rc = settings_options(m, path, &o, &lists, err);

    how.stem = *m->stem ? m->stem : NULL;
    if (rc == 0 && lists.stop)
        rc = stored_list(&how.stop, s, FILE_STOP, err);
    if (rc == 0 && lists.thesaurus)
        rc = stored_list(&how.thesaurus, s, FILE_THESAURUS, err);
    if (rc == 0 && lists.phrases)
        rc = stored_list(&how.phrase_list, s, FILE_PHRASES, err);
    if (rc == 0)
        rc = text_list_load(&terms, &text, path, err);
    if (rc == 0)
        rc = rules_new(&rules, &how, err);
    if (rc == 0)
        rc = kept_terms_read(&f->only, f->terms_hash, rules, &terms,
                             how.mode < TOKENS_LINES, err);
    f->terms.only = f->only;
    rules_free(rules);
    buf_release(&text);
    return rc;
}

int merge_filter_make(struct merge_filter *f,
                      const struct cooc_merge_options *o,
                      const struct store *s, const char *path,
                      struct cooc_err *err)
{
    const json_t *list = json_object_get(s->manifest.settings, "terms_list");

    f->terms = (struct term_filter){ .min_df = o->min_df, .max_df = o->max_df,
                                     .max_df_share = o->max_df_share,
                                     .top_terms = o->top_terms };
    if (!o->terms_file)
        return 0;
    if (json_is_string(list) && *json_string_value(list))
        return err_path_option(err, COOC_EINVAL, path, "terms_file",
                               "was made with a list of terms, so it lacks "
                               "all other terms; leave the list out");
    return read_terms(f, o->terms_file, s, err);
}

void merge_filter_release(struct merge_filter *f)
{
    dict_free(f->only);
    *f = (struct merge_filter){ 0 };
}
