/* manifest_write.c - write manifest.json. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/plain_json.h"
#include "index/build.h"
#include "store/manifest.h"
#include "store/manifest_text.h"

int manifest_settings(struct manifest *m, const struct cooc_index_options *o,
                      const struct index_rules *how, struct cooc_err *err)
{
    json_t *j = json_pack(
        "{s:s, s:s, s:b, s:b, s:I, s:I, s:s, s:b, s:b, s:I, s:I, s:f, s:I,"
        " s:s, s:I, s:s}",
        "context", "document", "tokens", manifest_modes[how->mode], "keep_case",
        o->keep_case, "drop_numbers", o->drop_numbers, "min_length",
        (json_int_t)o->min_length, "max_length", (json_int_t)o->max_length,
        "stem", o->stem ? o->stem : "", "stop_list", o->stop_file != NULL,
        "thesaurus", o->thesaurus_file != NULL, "min_df",
        (json_int_t)o->min_df, "max_df", (json_int_t)o->max_df,
        "max_df_share", o->max_df_share, "top_terms",
        (json_int_t)o->top_terms, "terms_list", how->terms_hash,
        "max_doc_terms", (json_int_t)o->max_doc_terms, "ids", "rank");
    const struct rules_options rules = { .mode = how->mode,
                                         .drop_numbers = o->drop_numbers };
    int rc = plain_json_add(&m->settings, j, JSON_COMPACT, err);

    m->versions = rule_versions_now(&rules);
    m->labels = how->labels;
    json_decref(j);
    return rc;
}

static json_t *json_of_id(const struct blob_id *id)
{
    char hash[SUM_DIGITS + 1];

    snprintf(hash, sizeof hash, "%016" PRIx64, id->hash);
    return json_pack("{s:I, s:s}", "size", (json_int_t)id->size, "hash",
                     hash);
}

static json_t *json_of_rows(const struct manifest *m)
{
    json_t *shards = json_array(), *rows;

    if (!m->counted) {
        json_decref(shards);
        return json_null();
    }
    for (uint32_t i = 0; i < m->n_shards; i++) {
        const struct shard_info *s = &m->shards[i];
        char name[SHARD_NAME_MAX];
        json_t *one;

        shard_name(name, i);
        one = json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "file", name,
                        "first", (json_int_t)s->first, "last",
                        (json_int_t)s->last, "pairs", (json_int_t)s->pairs,
                        "row_bytes", (json_int_t)s->row_bytes, "id",
                        json_of_id(&s->id));
        if (!one || json_array_append_new(shards, one) < 0) {
            json_decref(shards);
            return NULL;
        }
    }
    rows = json_pack("{s:I, s:{s:I, s:I, s:I}, s:s, s:I, s:o}", "pairs",
                     (json_int_t)m->pairs, "left_out", "df",
                     (json_int_t)m->left_out.df, "rows",
                     (json_int_t)m->left_out.rows, "pairs",
                     (json_int_t)m->left_out.pairs, "written",
                     manifest_written[m->written], "costly_df",
                     (json_int_t)m->costly_df, "shards", shards);
    return rows;
}

/* Parts that not every store has.  A reader that does not know one of them
 * cannot answer for the store. */
static json_t *json_of_features(const struct manifest *m)
{
    json_t *all = json_array();

    if (m->labels && json_array_append_new(all, json_string(LABELS)) < 0) {
        json_decref(all);
        return NULL;
    }
    return all;
}

/* Their names, or NULL: no memory. */
static json_t *json_of_fields(const struct manifest *m)
{
    json_t *fields = json_array();
    const char *name = NULL;

    while (fields && (name = name_list_next(&m->fields, name)) != NULL)
        if (json_array_append_new(fields, json_string(name)) < 0) {
            json_decref(fields);
            return NULL;
        }
    return fields;
}

static json_t *json_of(const struct manifest *m)
{
    json_t *files = json_object(), *settings, *all;

    for (int f = 0; f < COLLECTION_FILES; f++)
        if (collection_has(m->labels, f) &&
            json_object_set_new(files, collection_file_name(f),
                                json_of_id(&m->files[f])) < 0) {
            json_decref(files);
            return NULL;
        }
    settings = plain_json_load(m->settings.data, m->settings.len, 0, NULL);
    all = json_pack("{s:s, s:i, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:o,"
                    " s:o}",
                    "format", STORE_FORMAT, "version", STORE_VERSION,
                    "features", json_of_features(m), "settings", settings,
                    "rules", rule_versions_json(&m->versions), "documents",
                    (json_int_t)m->documents, "terms", (json_int_t)m->terms,
                    "postings", (json_int_t)m->postings, "tokens",
                    (json_int_t)m->tokens, "increments",
                    (json_int_t)m->increments, "files", files, "rows",
                    json_of_rows(m));
    if (all && m->fields.len &&
        json_object_set_new(all, "fields", json_of_fields(m)) < 0) {
        json_decref(all);
        return NULL;
    }
    return all;
}

int manifest_write(const struct manifest *m, const char *dir,
                   struct cooc_err *err)
{
    json_t *j = json_of(m);
    struct buf out = { 0 };
    char *path = NULL;
    int rc = plain_json_add(&out, j, JSON_INDENT(2), err);

    if (rc == 0)
        out.len -= strlen("\n}"); /* the checksum comes before it */
    if (rc == 0)
        rc = buf_printf(&out, err, SUM_BEFORE "%016" PRIx64 SUM_AFTER,
                        (uint64_t)XXH3_64bits(out.data, out.len));
    if (rc == 0)
        rc = path_join(&path, dir, MANIFEST_NAME, err);
    if (rc == 0)
        rc = dir_sync(dir, err); /* the files' names, before we name them */
    if (rc == 0)
        rc = file_write_atomic(path, out.data, out.len, err);
    if (rc == 0)
        rc = dir_sync(dir, err);
    mem_free(path);
    buf_release(&out);
    json_decref(j);
    return rc;
}
