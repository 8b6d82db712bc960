/* rule_versions.c - compare, unite, write and read versions of the rules. */
#include "store/rule_versions.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

#define UNKNOWN "unknown"

struct rule_versions rule_versions_now(const struct rules_options *o)
{
    struct rule_versions r = { .n = 1 };

    r.v[0].reading = READING_RULES;
    r.v[0].words = WORD_RULES;
    if (o->mode != TOKENS_LINES || o->drop_numbers)
        token_icu_version(r.v[0].icu);
    return r;
}

static int compare(const struct rule_version *a, const struct rule_version *b)
{
    if (a->reading != b->reading)
        return a->reading < b->reading ? -1 : 1;
    if (a->words != b->words)
        return a->words < b->words ? -1 : 1;
    return strcmp(a->icu, b->icu);
}

/* Insert a version in order, unless present.  False if there is no room. */
static bool add(struct rule_versions *r, const struct rule_version *v)
{
    size_t i = 0;

    while (i < r->n && compare(&r->v[i], v) < 0)
        i++;
    if (i < r->n && compare(&r->v[i], v) == 0)
        return true;
    if (r->n == RULE_VERSIONS_MAX)
        return false;
    memmove(&r->v[i + 1], &r->v[i], (r->n - i) * sizeof *r->v);
    r->v[i] = *v;
    r->n++;
    return true;
}

int rule_versions_unite(struct rule_versions *to,
                        const struct rule_versions *more,
                        struct cooc_err *err)
{
    for (size_t i = 0; i < more->n; i++)
        if (!add(to, &more->v[i]))
            return err_set(err, COOC_ELIMIT,
                           "documents were read by more than %d versions of "
                           "the rules; index them again", RULE_VERSIONS_MAX);
    return 0;
}

bool rule_versions_equal(const struct rule_versions *a,
                         const struct rule_versions *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (compare(&a->v[i], &b->v[i]) != 0)
            return false;
    return true;
}

int rule_versions_text(const struct rule_versions *r, struct buf *out,
                       struct cooc_err *err)
{
    int rc = 0;

    for (size_t i = 0; i < r->n && rc == 0; i++) {
        const struct rule_version *v = &r->v[i];

        rc = buf_printf(out, err, "%sreading %u, words %u%s%s",
                        i ? "; " : "", v->reading, v->words,
                        *v->icu ? ", ICU " : "", v->icu);
    }
    return rc;
}

int rule_versions_differ(const struct rule_versions *a, const char *a_path,
                         const struct rule_versions *b, const char *b_path,
                         struct cooc_err *err)
{
    struct buf x = { 0 }, y = { 0 };
    int rc = rule_versions_text(a, &x, err);

    if (rc == 0)
        rc = rule_versions_text(b, &y, err);
    if (rc == 0)
        rc = err_path_option(err, COOC_EINVAL, a_path, "accept_rules",
                             "was read by another version of the rules than "
                             "%.120s (%.60s and %.60s), so the same text may "
                             "give different terms; index the older documents "
                             "again, or accept the difference", b_path,
                             x.len ? x.data : "", y.len ? y.data : "");
    buf_release(&x);
    buf_release(&y);
    return rc;
}

json_t *rule_versions_json(const struct rule_versions *r)
{
    json_t *all = json_array();

    for (size_t i = 0; i < r->n; i++) {
        const struct rule_version *v = &r->v[i];
        json_t *one = json_pack("{s:I, s:I, s:s}", "reading",
                                (json_int_t)v->reading, "words",
                                (json_int_t)v->words, "icu", v->icu);

        if (json_array_append_new(all, one) < 0) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

bool rule_versions_read(struct rule_versions *r, const json_t *j)
{
    *r = (struct rule_versions){ .n = 1, .v = { { 1, 1, UNKNOWN } } };
    if (!j)
        return true;
    r->n = 0;
    for (size_t i = 0; i < json_array_size(j); i++) {
        const json_t *one = json_array_get(j, i);
        const char *icu = json_string_value(json_object_get(one, "icu"));
        struct rule_version v = { 0 };

        if (!icu || strlen(icu) >= sizeof v.icu ||
            !json_get_u32(one, "reading", UINT32_MAX, &v.reading) ||
            !json_get_u32(one, "words", UINT32_MAX, &v.words) ||
            !v.reading || !v.words)
            return false;
        strcpy(v.icu, icu);
        if (!add(r, &v) || r->n != i + 1)
            return false; /* too many, or a repetition */
    }
    return r->n > 0;
}
