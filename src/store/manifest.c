/* manifest.c - write manifest.json; read it without trusting it. */
#include "store/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/file.h"
#include "base/json.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/name_list.h"
#include "base/workdir.h"
#include "count/plan.h"
#include "store/part.h"
#include "store/reading_note.h"
#include "store/settings.h"

#define MANIFEST_MAX ((size_t)256 << 20)

#define HASH_DIGITS 16
#define SUM_LENGTH 37u /* length of the text by sum_text() */

#define LABELS "labels" /* feature, see index/labels.h */
#define PHRASES "phrases" /* feature, see token/phrases.h */
#define ITEMS "items"   /* feature, and the setting `tokens`: TOKENS_ITEMS */

static const char *const written_names[] = { "all", [COOC_ROWS_FULL] = "all",
                                             [COOC_ROWS_COMPACT] = "costly" };

void shard_name(char *out, uint32_t shard)
{
    snprintf(out, SHARD_NAME_MAX, "rows-%04" PRIu32 ".bin", shard);
}

int shard_path(char **out, const char *dir, uint32_t shard,
               struct cooc_err *err)
{
    char name[SHARD_NAME_MAX];

    shard_name(name, shard);
    return path_join(out, dir, name, err);
}

void manifest_release(struct manifest *m)
{
    json_decref(m->settings);
    json_decref(m->reading);
    part_info_release(&m->part);
    buf_release(&m->fields);
    buf_release(&m->text);
    mem_free(m->shards);
    *m = (struct manifest){ 0 };
}

/* Make the end of the manifest: the checksum of the text before
 * it, data[0..len). */
static void sum_text(char out[SUM_LENGTH + 1], const void *data, size_t len)
{
    snprintf(out, SUM_LENGTH + 1, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n",
             (uint64_t)XXH3_64bits(data, len));
}

/* ---- writing ------------------------------------------------------------ */

/* The json_of functions return a new value for json_pack(), or NULL if memory
 * runs out.  Appending NULL to a JSON array or object fails. */

static json_t *json_of_id(const struct checked_file_id *id)
{
    char hash[HASH_DIGITS + 1];

    snprintf(hash, sizeof hash, "%016" PRIx64, id->hash);
    return json_pack("{s:I, s:s}", "size", (json_int_t)id->size, "hash",
                     hash);
}

/* Return j, or free it and return NULL if rc says that an
 * addition to it failed. */
static json_t *unless_failed(json_t *j, int rc)
{
    if (rc == 0)
        return j;
    json_decref(j);
    return NULL;
}

static json_t *json_of_shards(const struct manifest *m)
{
    json_t *shards = json_array();
    int rc = 0;

    for (uint32_t i = 0; i < m->n_shards && rc == 0; i++) {
        const struct shard_info *s = &m->shards[i];
        char name[SHARD_NAME_MAX];

        shard_name(name, i);
        rc = json_array_append_new(
            shards,
            json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "file", name, "first",
                      (json_int_t)s->first, "last", (json_int_t)s->last,
                      "pairs", (json_int_t)s->pairs, "row_bytes",
                      (json_int_t)s->row_bytes, "id", json_of_id(&s->id)));
    }
    return unless_failed(shards, rc);
}

static json_t *json_of_rows(const struct manifest *m)
{
    if (!m->counted)
        return json_null();
    return json_pack("{s:I, s:{s:I, s:I, s:I}, s:s, s:I, s:o}", "pairs",
                     (json_int_t)m->pairs, "left_out", "df",
                     (json_int_t)m->omitted.df, "rows",
                     (json_int_t)m->omitted.rows, "pairs",
                     (json_int_t)m->omitted.pairs, "written",
                     written_names[m->written], "costly_df",
                     (json_int_t)m->compact_df, "shards", json_of_shards(m));
}

static json_t *json_of_files(const struct manifest *m)
{
    json_t *files = json_object();
    int rc = 0;

    for (int f = 0; f < COLLECTION_FILES && rc == 0; f++)
        if (collection_has(m->labels, m->rules.phrases, f))
            rc = json_object_set_new(files, collection_file_name(f),
                                     json_of_id(&m->files[f]));
    return unless_failed(files, rc);
}

static json_t *json_of_features(const struct manifest *m)
{
    const char *tokens = json_string_value(json_object_get(m->settings,
                                                           "tokens"));
    json_t *all = json_array();
    int rc = 0;

    if (m->labels)
        rc = json_array_append_new(all, json_string(LABELS));
    if (rc == 0 && tokens && !strcmp(tokens, ITEMS))
        rc = json_array_append_new(all, json_string(ITEMS));
    if (rc == 0 && m->rules.phrases)
        rc = json_array_append_new(all, json_string(PHRASES));
    return unless_failed(all, rc);
}

/* The manifest as JSON.  Features are parts that not every store has; a reader
 * that does not know one of them must reject the store. */
static json_t *json_of(const struct manifest *m)
{
    json_t *all = json_pack(
        "{s:s, s:i, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o}",
        "format", STORE_FORMAT, "version", STORE_VERSION, "features",
        json_of_features(m), "settings",
        json_incref(m->settings), "rules",
        rule_versions_json(&m->versions), "documents",
        (json_int_t)m->documents, "terms", (json_int_t)m->terms, "postings",
        (json_int_t)m->postings, "tokens", (json_int_t)m->tokens,
        "increments", (json_int_t)m->increments, "files", json_of_files(m),
        "rows", json_of_rows(m));
    int rc = 0;

    if (all && m->fields.len)
        rc = json_object_set_new(all, "fields", names_json(&m->fields));
    if (all && rc == 0 && m->part.parts)
        rc = json_object_set_new(all, "part", part_json(&m->part));
    if (all && rc == 0 && m->reading)
        rc = json_object_set(all, "reading", m->reading);
    return unless_failed(all, rc);
}

int manifest_write(const struct manifest *m, const char *dir,
                   struct cooc_err *err)
{
    json_t *j = json_of(m);
    struct buf out = { 0 };
    char *path = NULL, sum[SUM_LENGTH + 1];
    int rc = library_alloc_end(json_append(&out, j, JSON_INDENT(2), err), err);

    if (rc == 0) {
        out.len -= strlen("\n}"); /* the checksum is inserted before it */
        sum_text(sum, out.data, out.len);
        rc = buf_add(&out, sum, SUM_LENGTH, err);
    }
    if (rc == 0)
        rc = path_join(&path, dir, MANIFEST_NAME, err);
    if (rc == 0)
        rc = dir_sync(dir, err); /* make the names of the files durable first */
    if (rc == 0)
        rc = file_write_atomic(path, out.data, out.len, err);
    if (rc == 0)
        rc = dir_sync(dir, err);
    mem_free(path);
    buf_release(&out);
    json_decref(j);
    return rc;
}

/* ---- reading ------------------------------------------------------------ */

static bool get_u32(const json_t *j, const char *key, uint32_t *out)
{
    return json_get_u32(j, key, UINT32_MAX - 1, out);
}

static bool get_id(const json_t *j, struct checked_file_id *id)
{
    const char *hex = json_string_value(json_object_get(j, "hash"));
    char *end;

    if (!hex || strlen(hex) != HASH_DIGITS ||
        !json_get_u64(j, "size", &id->size))
        return false;
    id->hash = strtoull(hex, &end, 16);
    return *end == '\0';
}

static bool get_omitted(struct manifest *m, const json_t *j,
                        struct cooc_err *err)
{
    if (!get_u32(j, "df", &m->omitted.df) ||
        m->omitted.df > OMITTED_DF_MAX)
        err_set(err, COOC_EFORMAT,
                "the df of omitted rows is missing or not between 0 and %u",
                OMITTED_DF_MAX);
    else if (!get_u32(j, "rows", &m->omitted.rows) ||
             m->omitted.rows > m->terms ||
             !json_get_u64(j, "pairs", &m->omitted.pairs))
        err_set(err, COOC_EFORMAT,
                "a member of the omitted rows is missing or out of range");
    else
        return true;
    return false;
}

/* Read which rows were written.  Early stores do not say; in these, omitted
 * rows were chosen by cost. */
static bool get_written(struct manifest *m, const json_t *j,
                        struct cooc_err *err)
{
    const json_t *written = json_object_get(j, "written");
    const char *name = json_string_value(written);
    bool costly = name && !strcmp(name, written_names[COOC_ROWS_COMPACT]);

    m->compact_df = 0;
    m->written = m->omitted.df > 1 ? COOC_ROWS_COMPACT : COOC_ROWS_FULL;
    if (!written)
        return true;
    m->written = costly ? COOC_ROWS_COMPACT : COOC_ROWS_FULL;
    if (name && (costly || !strcmp(name, written_names[COOC_ROWS_FULL])) &&
        get_u32(j, "costly_df", &m->compact_df) &&
        m->compact_df <= (costly ? OMITTED_DF_MAX : 0))
        return true;
    err_set(err, COOC_EFORMAT,
            "written or costly_df is unknown or out of range");
    return false;
}

/* Read the rows.  Shards must be contiguous, and the numbers of rows and pairs
 * must add up with those of the omitted rows. */
static bool get_rows(struct manifest *m, const json_t *j,
                     struct cooc_err *err)
{
    const json_t *shards = json_object_get(j, "shards");
    uint32_t expect = 0;
    uint64_t pairs;

    if (!json_is_array(shards) ||
        !json_get_u64(j, "pairs", &m->pairs) ||
        !get_omitted(m, json_object_get(j, "left_out"), err) ||
        !get_written(m, j, err))
        return false;
    pairs = m->omitted.pairs;
    m->n_shards = (uint32_t)json_array_size(shards);
    m->shards = mem_zarray(m->n_shards, sizeof *m->shards);
    if (!m->shards) {
        err_nomem(err);
        return false;
    }
    for (uint32_t i = 0; i < m->n_shards; i++) {
        const json_t *one = json_array_get(shards, i);
        struct shard_info *s = &m->shards[i];

        if (!get_u32(one, "first", &s->first) ||
            !get_u32(one, "last", &s->last) ||
            !json_get_u64(one, "pairs", &s->pairs) ||
            !json_get_u64(one, "row_bytes", &s->row_bytes) ||
            !get_id(json_object_get(one, "id"), &s->id) ||
            s->first != expect || s->last <= s->first)
            return false;
        expect = s->last;
        pairs += s->pairs;
    }
    m->counted = true;
    if (expect != rows_written(m))
        err_set(err, COOC_EFORMAT,
                "%u rows are stored and %u are omitted, but there are %u "
                "terms", expect, m->omitted.rows, m->terms);
    return expect == rows_written(m) && pairs == m->pairs;
}

static bool get_all(struct manifest *m, const json_t *j, struct cooc_err *err)
{
    const json_t *files = json_object_get(j, "files");
    const json_t *rows = json_object_get(j, "rows");
    json_t *reading = json_object_get(j, "reading");

    if (!get_u32(j, "documents", &m->documents) ||
        !get_u32(j, "terms", &m->terms) ||
        !json_get_u64(j, "postings", &m->postings) ||
        !json_get_u64(j, "tokens", &m->tokens) ||
        !json_get_u64(j, "increments", &m->increments) ||
        !settings_read(m, json_object_get(j, "settings")) ||
        m->rules.phrases != (m->phrases > 0) ||
        !rule_versions_read(&m->versions, json_object_get(j, "rules")) ||
        !names_read(&m->fields, json_object_get(j, "fields"), err) ||
        !part_read(&m->part, json_object_get(j, "part"), err) ||
        !reading_note_check(reading))
        return false;
    m->reading = json_incref(reading);
    for (int f = 0; f < COLLECTION_FILES; f++)
        if (collection_has(m->labels, m->rules.phrases, f) &&
            !get_id(json_object_get(files, collection_file_name(f)),
                    &m->files[f]))
            return false;
    return json_is_null(rows) || get_rows(m, rows, err);
}

/* Check the version before the checksum, because a newer format may compute its
 * checksum differently. */
static int check_version(const json_t *j, const char *path,
                         struct cooc_err *err)
{
    const char *format = json_string_value(json_object_get(j, "format"));
    const json_t *v = json_object_get(j, "version");

    if (!format || strcmp(format, STORE_FORMAT) != 0 || !json_is_integer(v))
        return err_path(err, COOC_EFORMAT, path,
                        "is not the manifest of a cooc store");
    if (json_integer_value(v) > STORE_VERSION)
        return err_path(err, COOC_EVERSION, path,
                        "format version %lld is not supported (at most %d); "
                        "use a newer version of cooc",
                        (long long)json_integer_value(v), STORE_VERSION);
    if (json_integer_value(v) != STORE_VERSION)
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: format version %lld does not exist",
                        (long long)json_integer_value(v));
    return 0;
}

/* Check the features.  The error names all features that this version
 * does not know. */
static int check_features(struct manifest *m, const json_t *j,
                          const char *path, struct cooc_err *err)
{
    const json_t *all = json_object_get(j, "features");
    struct buf unknown = { 0 };
    int rc = 0;

    if (all && !json_is_array(all))
        return err_path(err, COOC_EFORMAT, path,
                        "is damaged: features is not a list");
    for (size_t i = 0; i < json_array_size(all) && rc == 0; i++) {
        const char *name = json_string_value(json_array_get(all, i));

        if (name && !strcmp(name, LABELS))
            m->labels = true;
        else if (name && !strcmp(name, PHRASES))
            m->rules.phrases = true;
        else if (name && !strcmp(name, ITEMS))
            ; /* the settings say so, too */
        else
            rc = buf_printf(&unknown, err, "%s%.64s", unknown.len ? ", " : "",
                            name ? name : "(not a name)");
    }
    if (rc == 0 && unknown.len)
        rc = err_path(err, COOC_EVERSION, path,
                      "features of the store are not supported (%.200s); use "
                      "a newer version of cooc", unknown.data);
    buf_release(&unknown);
    return rc;
}

static int check_sum(const struct buf *t, const char *path,
                     struct cooc_err *err)
{
    char want[SUM_LENGTH + 1];

    if (t->len > SUM_LENGTH) {
        sum_text(want, t->data, t->len - SUM_LENGTH);
        if (!memcmp(t->data + t->len - SUM_LENGTH, want, SUM_LENGTH))
            return 0;
    }
    return err_path(err, COOC_EFORMAT, path, "is damaged (checksum mismatch)");
}

static int find_manifest(const char *dir, const char *path,
                         struct cooc_err *err)
{
    struct stat st;

    if (workdir_stat(dir, &st) < 0)
        return err_sys(err, "cannot open the store", dir);
    if (!S_ISDIR(st.st_mode))
        return err_path(err, COOC_EFORMAT, dir,
                        "is a file, but a cooc store is a directory; index the "
                        "file first");
    if (workdir_stat(path, &st) < 0 && errno == ENOENT)
        return err_path(err, COOC_EFORMAT, dir,
                        "is not a cooc store (it has no %s)", MANIFEST_NAME);
    return 0;
}

int manifest_read(struct manifest *m, const char *dir, struct cooc_err *err)
{
    struct cooc_err why = { 0 };
    json_error_t at;
    json_t *j = NULL;
    char *path;
    int rc = path_join(&path, dir, MANIFEST_NAME, err);

    *m = (struct manifest){ 0 };
    if (rc == 0)
        rc = find_manifest(dir, path, err);
    if (rc == 0)
        rc = file_read_own(path, MANIFEST_MAX, &m->text, err);
    if (rc == 0)
        rc = buf_text(&m->text, err);
    if (rc < 0)
        goto out;
    j = json_read(m->text.data, m->text.len, 0, &at);
    if (!j)
        rc = json_out_of_memory(&at)
                 ? err_nomem(err)
                 : err_path(err, COOC_EFORMAT, path, "is damaged: line %d: %s",
                            at.line, at.text);
    if (rc == 0)
        rc = check_version(j, path, err);
    if (rc == 0)
        rc = check_features(m, j, path, err);
    if (rc == 0)
        rc = check_sum(&m->text, path, err);
    if (rc == 0 && !get_all(m, j, &why))
        rc = why.code && why.code != COOC_EFORMAT
                 ? err_copy(err, &why)
                 : err_path(err, COOC_EFORMAT, path, "is damaged: %s",
                            why.code ? why.text
                                     : "a member is missing or out of range");
out:
    if (rc < 0)
        manifest_release(m);
    json_decref(j);
    mem_free(path);
    return rc;
}
