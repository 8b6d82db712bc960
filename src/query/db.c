/* db.c - open a store for queries, and get facts about it. */
#include "query/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/library_alloc.h"
#include "base/mem.h"
#include "base/sized.h"
#include "base/workdir.h"
#include "cooc_bulk.h"
#include "index/labels.h"

/* Remember which manifest has the name before the store is read: if it is
 * replaced in the meantime, cooc_changed() may return true needlessly, but
 * never false wrongly. */
static int remember_name(struct cooc *db, const char *store,
                         struct cooc_err *err)
{
    int rc = path_join(&db->path, store, MANIFEST_NAME, err);

    if (rc < 0)
        return rc;
    db->from = workdir_open(".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    if (db->from < 0)
        return err_sys(err, "cannot open", ".");
    if (fstatat(db->from, db->path, &db->manifest, 0) < 0)
        db->manifest = (struct stat){ 0 }; /* opening reports the error */
    return 0;
}

int cooc_changed(struct cooc *db, bool *changed, struct cooc_err *err)
{
    const struct stat *then = &db->manifest;
    struct stat now;

    *changed = true;
    if (fstatat(db->from, db->path, &now, 0) < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? 0 : err_sys(err, "cannot stat", db->path);
    *changed = now.st_dev != then->st_dev || now.st_ino != then->st_ino ||
               now.st_size != then->st_size ||
               now.st_mtim.tv_sec != then->st_mtim.tv_sec ||
               now.st_mtim.tv_nsec != then->st_mtim.tv_nsec;
    return 0;
}

/* Keep the absolute path of the store, or path if it cannot be determined. */
static int keep_dir(struct cooc *db, const char *path, struct cooc_err *err)
{
    int fd = workdir_open(path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    char real[PATH_MAX];

    if (fd >= 0 && workdir_real(fd, real))
        path = real;
    db->dir = mem_dup(path, strlen(path));
    if (fd >= 0)
        close(fd);
    return db->dir ? 0 : err_nomem(err);
}

int cooc_open(struct cooc **out, const char *store, struct cooc_err *err)
{
    struct cooc *db = mem_zarray(1, sizeof *db);
    struct workdir workdir;
    int rc;

    *out = NULL;
    if (!db)
        return err_nomem(err);
    db->from = -1;
    pthread_mutex_init(&db->lock, NULL);
    rc = workdir_begin(&workdir, err);
    db->heads = mem_array(1, sizeof *db->heads);
    if (db->heads)
        doc_heads_init(db->heads);
    else if (rc == 0)
        rc = err_nomem(err);
    if (rc == 0)
        rc = remember_name(db, store, err);
    if (rc == 0)
        rc = store_open(&db->store, store, true, err);
    if (rc == 0)
        rc = keep_dir(db, store, err);
    workdir_end(&workdir);
    if (rc == 0)
        rc = rule_versions_text(&db->store.manifest.versions, &db->versions,
                                err);
    if (rc == 0)
        rc = buf_text(&db->versions, err);
    rc = library_alloc_end(rc, err);
    if (rc == 0)
        *out = db;
    else
        cooc_close(db);
    return rc;
}

const char *cooc_rule_versions(const struct cooc *db)
{
    return db->versions.data;
}

void cooc_close(struct cooc *db)
{
    if (!db)
        return;
    tokeniser_free(db->tok);
    tokeniser_free(db->fold_tok);
    rules_free(db->rules);
    rules_free(db->fold_rules);
    doc_names_free(db->doc_names);
    row_norms_free(db->norms);
    if (db->heads)
        doc_heads_release(db->heads);
    mem_free(db->heads);
    mem_free(db->path);
    if (db->from >= 0)
        close(db->from);
    cooc_scratch_free(db->spare);
    pthread_mutex_destroy(&db->lock);
    buf_release(&db->versions);
    store_close(&db->store);
    mem_free(db->dir);
    mem_free(db);
}

const char *cooc_manifest(const struct cooc *db)
{
    return db->store.manifest.text.data;
}

int cooc_info_get(struct cooc *db, struct cooc_info *out, struct cooc_err *err)
{
    const struct manifest *m = &db->store.manifest;
    struct cooc_info own = { .documents = m->documents,
                             .terms = m->terms,
                             .postings = m->postings,
                             .tokens = m->tokens,
                             .denominator = 1,
                             .increments = m->increments,
                             .counted = m->counted,
                             .pairs = m->pairs,
                             .omitted_df = m->omitted.df,
                             .omitted_rows = m->omitted.rows,
                             .omitted_pairs = m->omitted.pairs,
                             .part = m->part.part,
                             .parts = m->part.parts,
                             .phrases = m->phrases };

    own.rows = m->omitted.df > 1 ? COOC_ROWS_COMPACT : COOC_ROWS_FULL;
    for (uint32_t i = 0; i < m->n_shards; i++)
        own.row_bytes += m->shards[i].id.size;
    own.store_bytes = own.row_bytes + m->text.len;
    for (int f = 0; f < COLLECTION_FILES; f++)
        own.store_bytes += m->files[f].size;
    sized_write(out, &own, sizeof own);
    return sized_check(out, "info", err);
}

int cooc_lengths_get(struct cooc *db, struct cooc_lengths *out,
                     struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    struct cooc_lengths own = { .shortest = c->n_docs ? UINT64_MAX : 0 };
    double sum = 0, squares = 0, n = c->n_docs ? c->n_docs : 1;
    const uint64_t *off;
    const void *p;
    int rc = checked_file_get(c->files[FILE_FORWARD_OFF], 0,
                              ((uint64_t)c->n_docs + 1) * 8, &p, err);

    if (rc < 0)
        return rc;
    off = p;
    for (uint32_t d = 0; d < c->n_docs; d++) {
        uint64_t len = off[d + 1] - off[d];

        if (off[d + 1] < off[d])
            return err_path(err, COOC_EFORMAT,
                            checked_file_path(c->files[FILE_FORWARD_OFF]),
                            "is damaged: its offsets decrease");
        own.shortest = len < own.shortest ? len : own.shortest;
        own.longest = len > own.longest ? len : own.longest;
        sum += (double)len;
        squares += (double)len * (double)len;
    }
    own.mean = sum / n;
    own.sd = sqrt(fmax(0, squares / n - (sum / n) * (sum / n)));
    sized_write(out, &own, sizeof own);
    return sized_check(out, "lengths", err);
}

int cooc_term_name(struct cooc *db, uint32_t id, const char **name, size_t *len,
              struct cooc_err *err)
{
    return db_name(db, false, id, name, len, err);
}

int db_name(const struct cooc *db, bool stems, uint32_t id, const char **name,
            size_t *len, struct cooc_err *err)
{
    return stems
               ? collection_term(&db->store.docs, id, name, len, err)
               : collection_label(&db->store.docs, id, name, len, err);
}

int db_find_stem(const struct cooc *db, const char *stem, size_t len,
                 uint32_t *id, int *found, struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    uint32_t at;
    int rc = collection_search(c, stem, len, &at, found, err);

    return rc == 0 && *found ? collection_sorted(c, at, id, err) : rc;
}

int db_shown_as(const struct cooc *db, bool stems, const char *name,
                size_t len, uint32_t *id, int *found, struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    const char *shown;
    size_t n;
    int rc;

    if (stems)
        return db_find_stem(db, name, len, id, found, err);
    rc = collection_find(c, name, len, id, found, err);
    if (rc == 0 && *found) /* name may be another form of that term */
        rc = collection_label(c, *id, &shown, &n, err);
    if (rc == 0 && *found)
        *found = n == len && memcmp(shown, name, n) == 0;
    return rc;
}

int cooc_term_stem(struct cooc *db, uint32_t id, const char **name, size_t *len,
              struct cooc_err *err)
{
    return collection_term(&db->store.docs, id, name, len, err);
}

int cooc_document_name(struct cooc *db, uint32_t doc, const char **name,
                  size_t *len, struct cooc_err *err)
{
    return collection_doc_name(&db->store.docs, doc, name, len, err);
}

int cooc_term_df(struct cooc *db, uint32_t id, uint64_t *df,
                 struct cooc_err *err)
{
    return collection_df(&db->store.docs, id, df, err);
}

int cooc_term_dfs(struct cooc *db, uint32_t first, uint32_t last, uint64_t *dfs,
             struct cooc_err *err)
{
    int rc = 0;

    if (first > last || last > db->store.docs.n_terms)
        return err_set(err, COOC_EINVAL,
                       "terms %u to %u are out of range (the store has %u "
                       "terms)", first, last, db->store.docs.n_terms);
    for (uint32_t t = first; t < last && rc == 0; t++)
        rc = collection_df(&db->store.docs, t, &dfs[t - first], err);
    return rc;
}

int cooc_document_terms(struct cooc *db, uint32_t doc, const uint32_t **terms,
                        uint64_t *n, struct cooc_err *err)
{
    return collection_doc(&db->store.docs, doc, terms, n, err);
}

int cooc_term_documents(struct cooc *db, uint32_t id, const uint32_t **docs,
                        uint64_t *n, struct cooc_err *err)
{
    return collection_term_docs(&db->store.docs, id, docs, n, err);
}

int db_offsets(const struct cooc *db, const uint64_t **off,
               struct cooc_err *err)
{
    const struct collection *c = &db->store.docs;
    const void *p;
    int rc = checked_file_get(c->files[FILE_INVERTED_OFF], 0,
                              ((uint64_t)c->n_terms + 1) * 8, &p, err);

    *off = p;
    return rc;
}

int db_need_rows(const struct cooc *db, struct cooc_err *err)
{
    return db->store.manifest.counted ? 0
           : err_path(err, COOC_ENOTCOUNTED, db->dir,
                      "the pairs of this store are not counted yet");
}

int db_bad_count(const struct cooc *db, uint32_t t, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, store_row_path(&db->store, t),
                    "is damaged: a count in row %u is greater than the df of "
                    "its terms", t);
}

int db_pair(const struct cooc *db, uint32_t x, uint32_t y,
            struct cooc_pair *out, struct cooc_err *err)
{
    int rc;

    *out = (struct cooc_pair){ .x = x, .y = y,
                               .total = db->store.docs.n_docs };
    rc = collection_df(&db->store.docs, x, &out->fx, err);
    if (rc == 0)
        rc = collection_df(&db->store.docs, y, &out->fy, err);
    return rc;
}

/* ---- rows ---------------------------------------------------------------- */

struct cooc_rows {
    const struct cooc *db;
    uint32_t next, last;
    struct row_reader reader;
    struct cooc_entry *entries; /* the row in the public type */
    size_t cap;
};

int cooc_rows_open(struct cooc_rows **out, struct cooc *db, uint32_t first,
                   uint32_t last, struct cooc_err *err)
{
    struct cooc_rows *r;
    int rc = db_need_rows(db, err);

    *out = NULL;
    if (rc < 0)
        return rc;
    if (first > last || last > db->store.docs.n_terms)
        return err_set(err, COOC_EINVAL,
                       "rows %u to %u are out of range (the store has %u "
                       "terms)", first, last, db->store.docs.n_terms);
    r = mem_zarray(1, sizeof *r);
    if (!r)
        return err_nomem(err);
    r->db = db;
    r->next = first;
    r->last = last;
    *out = r;
    return 0;
}

int cooc_rows_next(struct cooc_rows *r, uint32_t *term,
                   const struct cooc_entry **entries, size_t *n,
                   struct cooc_err *err)
{
    int rc;

    if (r->next >= r->last)
        return 0;
    rc = store_row(&r->db->store, r->next, &r->reader, err);
    if (rc == 0)
        rc = array_grow(&r->entries, &r->cap, r->reader.n, sizeof *r->entries,
                        err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; i < r->reader.n; i++)
        r->entries[i] = entry_public(r->reader.entries[i]);
    *term = r->next++;
    *entries = r->entries;
    *n = r->reader.n;
    return 1;
}

void cooc_rows_close(struct cooc_rows *r)
{
    if (!r)
        return;
    row_reader_release(&r->reader);
    mem_free(r->entries);
    mem_free(r);
}
