/* collection.c - map the files of a collection and verify all that is read. */
#include "index/collection.h"

#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/placed_file.h"
#include "base/watch.h"

static const struct {
    const char *name, *kind;
    /* Size of its integers; 0 if the file does not contain integers. */
    size_t bytes;
} names[COLLECTION_FILES] = {
    [FILE_TERMS] = { "terms.bin", "terms", 0 },
    [FILE_TERMS_OFF] = { "terms.off", "offsets", 8 },
    [FILE_TERMS_SORT] = { "terms.sort", "sorted", 4 },
    [FILE_DOCS] = { "docs.bin", "docs", 0 },
    [FILE_DOCS_OFF] = { "docs.off", "offsets", 8 },
    [FILE_FORWARD] = { "forward.bin", "forward", 4 },
    [FILE_FORWARD_OFF] = { "forward.off", "offsets", 8 },
    [FILE_INVERTED] = { "inverted.bin", "inverted", 4 },
    [FILE_INVERTED_OFF] = { "inverted.off", "offsets", 8 },
    [FILE_STOP] = { "stop.txt", "list", 0 },
    [FILE_THESAURUS] = { "thesaurus.txt", "list", 0 },
    [FILE_FORMS] = { "forms.bin", "forms", 0 },
    [FILE_FORMS_OFF] = { "forms.off", "offsets", 8 },
    [FILE_FORMS_TERM] = { "forms.term", "formterm", 4 },
    [FILE_FORMS_NUM] = { "forms.num", "formnum", 8 },
    [FILE_LABELS] = { "labels.bin", "labels", 4 },
    [FILE_PHRASES] = { "phrases.txt", "list", 0 },
};

const char *collection_file_name(enum collection_file f)
{
    return names[f].name;
}

bool collection_is_off(enum collection_file f)
{
    return !strcmp(names[f].kind, "offsets");
}

bool collection_has(bool labels, bool phrases, enum collection_file f)
{
    return f < FILE_FORMS || (f == FILE_PHRASES ? phrases : labels);
}

int collection_create(struct placed_file **out, const char *dir,
                      enum collection_file f, struct cooc_err *err)
{
    char *path;
    int rc = path_join(&path, dir, names[f].name, err);

    *out = NULL;
    if (rc == 0)
        rc = placed_file_create(out, path, names[f].kind, err);
    mem_free(path);
    return rc;
}

int collection_open_file(struct checked_file **out, const char *dir,
                         enum collection_file f,
                         const struct checked_file_id *id, struct cooc_err *err)
{
    char *path;
    int rc = path_join(&path, dir, names[f].name, err);

    *out = NULL;
    if (rc == 0)
        rc = checked_file_open(out, path, names[f].kind, id, err);
    if (rc == 0)
        checked_file_holds(*out, names[f].bytes);
    mem_free(path);
    return rc;
}

/* Check the sizes that follow from N, V, P and the number of forms.  The sizes
 * of the other files are checked against their offsets. */
static int check_sizes(const struct collection *c, struct cooc_err *err)
{
    const uint64_t n = c->n_docs, v = c->n_terms, p = c->n_postings;
    const uint64_t f = c->n_forms;
    const struct {
        enum collection_file f;
        uint64_t size;
    } want[] = {
        { FILE_TERMS_OFF, (v + 1) * 8 },    { FILE_TERMS_SORT, v * 4 },
        { FILE_DOCS_OFF, (n + 1) * 8 },     { FILE_FORWARD, p * 4 },
        { FILE_FORWARD_OFF, (n + 1) * 8 },  { FILE_INVERTED, p * 4 },
        { FILE_INVERTED_OFF, (v + 1) * 8 }, { FILE_FORMS_OFF, (f + 1) * 8 },
        { FILE_FORMS_TERM, f * 4 },         { FILE_FORMS_NUM, f * 8 },
        { FILE_LABELS, v * 4 },
    };

    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (!collection_has(c->labels, c->phrases, want[i].f))
            continue;
        else if (checked_file_size(c->files[want[i].f]) != want[i].size ||
            p > UINT64_MAX / 8) /* p * 4 might overflow */
            return err_path(err, COOC_EFORMAT,
                            checked_file_path(c->files[want[i].f]),
                            "is damaged: its size does not match the manifest");
    return 0;
}

int collection_open(struct collection *c, const char *dir,
                    const struct checked_file_id *ids, uint32_t n_docs,
                    uint32_t n_terms, uint64_t n_postings, bool labels,
                    bool phrases, struct cooc_err *err)
{
    int rc = 0;

    *c = (struct collection){ .n_docs = n_docs, .n_terms = n_terms,
                              .n_postings = n_postings, .labels = labels,
                              .phrases = phrases };
    for (int f = 0; f < COLLECTION_FILES && rc == 0; f++)
        if (collection_has(labels, phrases, f))
            rc = collection_open_file(&c->files[f], dir, f, &ids[f], err);
    if (rc == 0 && labels) {
        uint64_t forms = checked_file_size(c->files[FILE_FORMS_TERM]) / 4;

        c->n_forms = forms < UINT32_MAX ? (uint32_t)forms : UINT32_MAX;
    }
    if (rc == 0)
        rc = check_sizes(c, err);
    if (rc == 0) {
        c->in_order = mem_zarray(n_docs, sizeof *c->in_order);
        rc = c->in_order ? 0 : err_nomem(err);
    }
    if (rc < 0)
        collection_close(c);
    return rc;
}

void collection_close(struct collection *c)
{
    for (int f = 0; f < COLLECTION_FILES; f++)
        checked_file_close(c->files[f]);
    mem_free(c->in_order);
    *c = (struct collection){ 0 };
}

/* Get offsets i and i + 1 of an .off file; the second is at most limit. */
static int get_range(const struct collection *c, enum collection_file f,
                     uint64_t i, uint64_t limit, uint64_t *start,
                     uint64_t *end, struct cooc_err *err)
{
    const void *p;
    const uint64_t *off;
    int rc = checked_file_get(c->files[f], i * 8, 16, &p, err);

    if (rc < 0)
        return rc;
    off = p;
    if (off[0] > off[1] || off[1] > limit)
        return err_path(err, COOC_EFORMAT, checked_file_path(c->files[f]),
                        "is damaged: offset %llu points outside the file",
                        (unsigned long long)i);
    *start = off[0];
    *end = off[1];
    return 0;
}

static int check_id(const char *what, uint32_t id, uint32_t n,
                    struct cooc_err *err)
{
    if (id < n)
        return 0;
    return err_set(err, COOC_EINVAL,
                   "%s id %u is out of range (the store has %u %ss)", what, id,
                   n, what);
}

/* Find list i of FILE_FORWARD or FILE_INVERTED and verify its checksums. */
static int find_list(const struct collection *c, enum collection_file f,
                     uint32_t i, const uint32_t **ids, uint64_t *n,
                     struct cooc_err *err)
{
    uint64_t start = 0, end = 0;
    const void *p;
    int rc = f == FILE_FORWARD ? check_id("document", i, c->n_docs, err)
                               : check_id("term", i, c->n_terms, err);

    if (rc == 0)
        rc = get_range(c, f + 1, i, c->n_postings, &start, &end, err);
    if (rc == 0)
        rc = checked_file_get(c->files[f], start * 4, (end - start) * 4, &p,
                              err);
    if (rc < 0)
        return rc;
    *ids = p;
    *n = end - start;
    return 0;
}

/* Check that the ids of list i are ascending and in range. */
static int check_list(const struct collection *c, enum collection_file f,
                      uint32_t i, const uint32_t *ids, uint64_t n,
                      struct cooc_err *err)
{
    uint32_t limit = f == FILE_FORWARD ? c->n_terms : c->n_docs, bad = 0;

    for (uint64_t k = 1; k < n; k++) /* faster than an early exit */
        bad |= ids[k - 1] >= ids[k];
    if (!bad && (!n || ids[n - 1] < limit))
        return 0;
    return err_path(err, COOC_EFORMAT, checked_file_path(c->files[f]),
                    "is damaged: list %u is out of order", i);
}

static int get_list(const struct collection *c, enum collection_file f,
                    uint32_t i, const uint32_t **ids, uint64_t *n,
                    struct cooc_err *err)
{
    int rc = find_list(c, f, i, ids, n, err);

    return rc < 0 ? rc : check_list(c, f, i, *ids, *n, err);
}

/* A query may read thousands of documents, and the next one mostly the same, so
 * each is checked only once, as each block is. */
int collection_doc(const struct collection *c, uint32_t doc,
                   const uint32_t **terms, uint64_t *n, struct cooc_err *err)
{
    int rc = find_list(c, FILE_FORWARD, doc, terms, n, err);

    if (rc < 0 ||
        atomic_load_explicit(&c->in_order[doc], memory_order_relaxed))
        return rc;
    rc = check_list(c, FILE_FORWARD, doc, *terms, *n, err);
    if (rc == 0)
        atomic_store_explicit(&c->in_order[doc], 1, memory_order_relaxed);
    return rc;
}

int collection_term_docs(const struct collection *c, uint32_t term,
                         const uint32_t **docs, uint64_t *n,
                         struct cooc_err *err)
{
    return get_list(c, FILE_INVERTED, term, docs, n, err);
}

/* The length of list i, which is less than the number of lists. */
static int list_length(const struct collection *c, enum collection_file f,
                       uint32_t i, uint64_t *n, struct cooc_err *err)
{
    uint64_t start = 0, end = 0;
    int rc = get_range(c, f + 1, i, c->n_postings, &start, &end, err);

    *n = end - start;
    return rc;
}

int collection_df(const struct collection *c, uint32_t term, uint64_t *df,
                  struct cooc_err *err)
{
    int rc = check_id("term", term, c->n_terms, err);

    *df = 0;
    return rc < 0 ? rc : list_length(c, FILE_INVERTED, term, df, err);
}

int collection_doc_length(const struct collection *c, uint32_t doc,
                          uint64_t *n, struct cooc_err *err)
{
    int rc = check_id("document", doc, c->n_docs, err);

    *n = 0;
    return rc < 0 ? rc : list_length(c, FILE_FORWARD, doc, n, err);
}

/* Get name i of file f, which has n names. */
static int get_name(const struct collection *c, enum collection_file f,
                    const char *what, uint32_t i, uint32_t n,
                    const char **name, size_t *len, struct cooc_err *err)
{
    uint64_t start = 0, end = 0;
    const void *p;
    int rc = check_id(what, i, n, err);

    if (rc == 0)
        rc = get_range(c, f + 1, i, checked_file_size(c->files[f]), &start,
                       &end, err);
    if (rc == 0)
        rc = checked_file_get(c->files[f], start, end - start, &p, err);
    if (rc < 0)
        return rc;
    *name = p;
    *len = (size_t)(end - start);
    return 0;
}

int collection_term(const struct collection *c, uint32_t term,
                    const char **name, size_t *len, struct cooc_err *err)
{
    return get_name(c, FILE_TERMS, "term", term, c->n_terms, name, len, err);
}

int collection_doc_name(const struct collection *c, uint32_t doc,
                        const char **name, size_t *len, struct cooc_err *err)
{
    return get_name(c, FILE_DOCS, "document", doc, c->n_docs, name, len, err);
}

int collection_form_name(const struct collection *c, uint32_t form,
                         const char **name, size_t *len, struct cooc_err *err)
{
    return get_name(c, FILE_FORMS, "form", form, c->n_forms, name, len, err);
}

int collection_sorted(const struct collection *c, uint32_t at, uint32_t *id,
                      struct cooc_err *err)
{
    const void *p;
    int rc = checked_file_get(c->files[FILE_TERMS_SORT], (uint64_t)at * 4, 4,
                              &p, err);

    if (rc < 0)
        return rc;
    *id = *(const uint32_t *)p;
    if (*id >= c->n_terms)
        return err_path(err, COOC_EFORMAT,
                        checked_file_path(c->files[FILE_TERMS_SORT]),
                        "is damaged: entry %u is not a term id", at);
    return 0;
}

int collection_term_at(const struct collection *c, uint32_t at,
                       const char **name, size_t *len, struct cooc_err *err)
{
    uint32_t id;
    int rc = collection_sorted(c, at, &id, err);

    return rc < 0 ? rc : collection_term(c, id, name, len, err);
}

int collection_search_by(const struct collection *c, name_fn name_at,
                         uint32_t n, const char *name, size_t len,
                         uint32_t *at, int *found, struct cooc_err *err)
{
    uint32_t lo = 0, hi = n;

    *found = 0;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const char *s = NULL;
        size_t m = 0;
        int cmp, rc = name_at(c, mid, &s, &m, err);

        if (rc < 0)
            return rc;
        cmp = bytes_compare(s, m, name, len);
        *found |= cmp == 0;
        if (cmp < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    *at = lo;
    return 0;
}

int collection_search(const struct collection *c, const char *name,
                      size_t len, uint32_t *at, int *found,
                      struct cooc_err *err)
{
    return collection_search_by(c, collection_term_at, c->n_terms, name, len,
                                at, found, err);
}

void lists_forget(const struct lists *l, uint32_t first, uint32_t last)
{
    if (!l->mapped || first >= last)
        return;
    map_forget(l->ids, l->off[first] * sizeof *l->ids,
               l->off[last] * sizeof *l->ids);
    map_forget(l->off, (uint64_t)first * sizeof *l->off,
               (uint64_t)last * sizeof *l->off);
}
