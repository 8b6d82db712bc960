/* term_args.c - the words and word lists that a query takes. */
#include "ask/term_args.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cooc_bulk.h"

const struct field term_fields[] = {
    { .kind = FIELD_KIND_TERM, .label = "term" },
    { .kind = FIELD_KIND_DF, .label = "df" },
    FIELD_END
};

int find_terms(struct cooc *db, size_t n, char *const *words,
               uint32_t terms[TERMS_MAX], struct cooc_err *err)
{
    size_t lens[TERMS_MAX];

    if (n > TERMS_MAX)
        return err_set(err, COOC_EINVAL,
                       "too many terms; at most %d are supported", TERMS_MAX);
    for (size_t i = 0; i < n; i++)
        lens[i] = strlen(words[i]);
    return cooc_terms_find(db, (const char *const *)words, lens, n, terms, err);
}

int list_terms(struct cooc *db, const char *like, const char *option,
               const char *path, struct cooc_list *out, struct cooc_err *err)
{
    int rc;

    if (!like)
        return read_terms(db, path, true, out, err);
    rc = cooc_list_like(db, like, out, err);
    if (rc == COOC_ENOTFOUND)
        snprintf(err->option, sizeof err->option, "%s", option);
    return rc;
}

int read_terms(struct cooc *db, const char *path, bool some,
               struct cooc_list *out, struct cooc_err *err)
{
    char unknown[200] = "no words; write one per line";
    int rc = cooc_list_read(db, path, out, err);
    size_t all = out->unknown + out->n;

    if (rc < 0)
        return rc;
    if (out->unknown)
        snprintf(unknown, sizeof unknown,
                 "%zu of %zu %s %s in no document; the first is '%s'",
                 out->unknown, all, plural(all, "word", "words"),
                 plural(out->unknown, "is", "are"), out->first_unknown);
    if (some && !out->n)
        return err_path(err, COOC_ENOTFOUND, path, "%s", unknown);
    if (out->unknown)
        answer_note("%s: %s", path, unknown);
    return 0;
}
