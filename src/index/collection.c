/* collection.c - map the files of a collection and verify all that is read. */
#include "index/collection.h"

#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"

#define FORGET_AFTER 262144 /* ids or lists verified */
#define ASK_EVERY 1000000u  /* ids */

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
};

const char *collection_file_name(enum collection_file f)
{
    return names[f].name;
}

bool collection_is_off(enum collection_file f)
{
    return !strcmp(names[f].kind, "offsets");
}

bool collection_has(bool labels, enum collection_file f)
{
    return labels || f < FILE_FORMS;
}

int collection_create(struct checked_file_writer **out, const char *dir,
                      enum collection_file f, struct cooc_err *err)
{
    char *path;
    int rc = path_join(&path, dir, names[f].name, err);

    *out = NULL;
    if (rc == 0)
        rc = checked_file_create(out, path, names[f].kind, err);
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
        if (!collection_has(c->labels, want[i].f))
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
                    struct cooc_err *err)
{
    int rc = 0;

    *c = (struct collection){ .n_docs = n_docs, .n_terms = n_terms,
                              .n_postings = n_postings, .labels = labels };
    for (int f = 0; f < COLLECTION_FILES && rc == 0; f++)
        if (collection_has(labels, f))
            rc = collection_open_file(&c->files[f], dir, f, &ids[f], err);
    if (rc == 0 && labels) {
        uint64_t forms = checked_file_size(c->files[FILE_FORMS_TERM]) / 4;

        c->n_forms = forms < UINT32_MAX ? (uint32_t)forms : UINT32_MAX;
    }
    if (rc == 0)
        rc = check_sizes(c, err);
    if (rc < 0)
        collection_close(c);
    return rc;
}

void collection_close(struct collection *c)
{
    for (int f = 0; f < COLLECTION_FILES; f++)
        checked_file_close(c->files[f]);
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

/* Get list i of FILE_FORWARD or FILE_INVERTED. */
static int get_list(const struct collection *c, enum collection_file f,
                    uint32_t i, const uint32_t **ids, uint64_t *n,
                    struct cooc_err *err)
{
    bool docs = f == FILE_FORWARD;
    uint32_t limit = docs ? c->n_terms : c->n_docs, bad = 0;
    uint64_t start = 0, end = 0;
    const uint32_t *list;
    const void *p;
    int rc = docs ? check_id("document", i, c->n_docs, err)
                  : check_id("term", i, c->n_terms, err);

    if (rc == 0)
        rc = get_range(c, f + 1, i, c->n_postings, &start, &end, err);
    if (rc == 0)
        rc = checked_file_get(c->files[f], start * 4, (end - start) * 4, &p,
                              err);
    if (rc < 0)
        return rc;
    *ids = list = p;
    *n = end - start;
    for (uint64_t k = 1; k < end - start; k++) /* faster than an early exit */
        bad |= list[k - 1] >= list[k];
    if (!bad && (start == end || list[end - start - 1] < limit))
        return 0;
    return err_path(err, COOC_EFORMAT, checked_file_path(c->files[f]),
                    "is damaged: list %u is out of order", i);
}

int collection_doc(const struct collection *c, uint32_t doc,
                   const uint32_t **terms, uint64_t *n, struct cooc_err *err)
{
    return get_list(c, FILE_FORWARD, doc, terms, n, err);
}

int collection_term_docs(const struct collection *c, uint32_t term,
                         const uint32_t **docs, uint64_t *n,
                         struct cooc_err *err)
{
    return get_list(c, FILE_INVERTED, term, docs, n, err);
}

int collection_df(const struct collection *c, uint32_t term, uint64_t *df,
                  struct cooc_err *err)
{
    uint64_t start = 0, end = 0;
    int rc = check_id("term", term, c->n_terms, err);

    if (rc == 0)
        rc = get_range(c, FILE_INVERTED_OFF, term, c->n_postings, &start,
                       &end, err);
    *df = end - start;
    return rc;
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

/* Forward and inverted index are compared by a keyed sum over their postings.
 * The key is random, so whoever made the files cannot know it: different
 * postings have the same sum with a probability of one in 2^64, like damage
 * that no checksum detects. */
struct tally {
    uint64_t key, sum;
};

static uint64_t mix_posting(uint64_t key, uint32_t doc, uint32_t term)
{
    uint64_t z = ((uint64_t)doc << 32 | term) + key;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27 ^ key) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void tally_list(struct tally *t, uint32_t i, bool is_doc,
                       const uint32_t *ids, uint64_t n)
{
    uint64_t sum = 0;

    if (is_doc)
        for (uint64_t k = 0; k < n; k++)
            sum += mix_posting(t->key, i, ids[k]);
    else
        for (uint64_t k = 0; k < n; k++)
            sum += mix_posting(t->key, ids[k], i);
    t->sum += sum;
}

/* Called for every list: report progress every ASK_EVERY ids and check for
 * cancellation.  *n counts the ids since the last report. */
static int ask_watch(const struct collection *c, uint64_t *n, uint64_t more,
                     struct cooc_err *err)
{
    uint64_t done = *n += more + 1;

    if (done < ASK_EVERY)
        return 0;
    *n = 0;
    return c->watch ? watch_add(c->watch, done * 4, 0, 0, err) : 0;
}

static int load_lists(const struct collection *c, enum collection_file f,
                      struct lists *out, struct tally *tally,
                      struct cooc_err *err)
{
    bool docs = f == FILE_FORWARD;
    enum collection_file off = f + 1;
    uint32_t n = docs ? c->n_docs : c->n_terms, behind = 0;
    uint64_t len, seen = 0;
    const void *o, *p;
    int rc = checked_file_get(c->files[off], (uint64_t)n * 8, 8, &o, err);

    if (rc == 0)
        rc = checked_file_get(c->files[off], 0, 8, &o, err);
    if (rc == 0)
        rc = checked_file_get(c->files[f], 0, 0, &p, err);
    if (rc < 0)
        return rc;
    *out = (struct lists){ .off = o, .ids = p, .n = n,
                            .mapped = checked_file_forgets(c->files[f]) };
    if (out->off[0] != 0 || out->off[n] != c->n_postings)
        return err_path(err, COOC_EFORMAT, checked_file_path(c->files[off]),
                        "is damaged: the lists do not cover the file");
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *ids;

        rc = get_list(c, f, i, &ids, &len, err);
        if (rc == 0)
            rc = ask_watch(c, &seen, len, err);
        if (rc < 0)
            return rc;
        tally_list(tally, i, docs, ids, len);
        if (out->off[i] - out->off[behind] > FORGET_AFTER ||
            i - behind > FORGET_AFTER) {
            lists_forget(out, behind, i);
            behind = i;
        }
    }
    lists_forget(out, behind, n);
    return 0;
}

int collection_load(const struct collection *c, struct lists *forward,
                    struct lists *inverted, struct cooc_err *err)
{
    struct tally fwd = { 0 }, inv;
    int rc;

    if (getentropy(&fwd.key, sizeof fwd.key) < 0)
        return err_set(err, COOC_EIO, "cannot get random bytes");
    inv = fwd;
    rc = load_lists(c, FILE_FORWARD, forward, &fwd, err);
    if (rc == 0)
        rc = load_lists(c, FILE_INVERTED, inverted, &inv, err);
    if (rc == 0 && fwd.sum != inv.sum)
        rc = err_path(err, COOC_EFORMAT,
                      checked_file_path(c->files[FILE_INVERTED]),
                      "is damaged: its lists are not the inverse of %s",
                      checked_file_path(c->files[FILE_FORWARD]));
    return rc;
}
