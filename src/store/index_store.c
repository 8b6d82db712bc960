/* index_store.c - cooc_index(): documents to a new store. */
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/watch.h"
#include "index/build.h"
#include "store/manifest.h"
#include "store/place.h"

void cooc_index_options_init(struct cooc_index_options *o)
{
    *o = (struct cooc_index_options){ 0 };
}

/* The sum over documents of n(n-1)/2: what all counts must add up to. */
static int sum_increments(const char *dir, const struct blob_id *ids,
                          uint64_t n_docs, uint64_t *sum,
                          struct cooc_err *err)
{
    struct blob *b = NULL;
    const void *p;
    char *path;
    int rc = path_join(&path, dir, collection_file_name(FILE_FORWARD_OFF),
                       err);

    *sum = 0;
    if (rc == 0)
        rc = blob_open(&b, path, "offsets", &ids[FILE_FORWARD_OFF], err);
    if (rc == 0)
        rc = blob_get(b, 0, (n_docs + 1) * 8, &p, err);
    for (uint64_t d = 0; rc == 0 && d < n_docs; d++) {
        const uint64_t *off = p;
        uint64_t n = off[d + 1] - off[d];

        *sum += n ? n * (n - 1) / 2 : 0;
    }
    blob_close(b);
    mem_free(path);
    return rc;
}

static int build_in(const char *const *inputs, size_t n, const char *dir,
                    const struct cooc_index_options *o,
                    struct cooc_index_report *rep, struct cooc_err *err)
{
    struct manifest m = { 0 };
    struct watch watch;
    enum token_mode mode;
    int rc;

    watch_init(&watch, &o->watch);
    rc = index_build(inputs, n, dir, o, m.files, &mode, rep, &watch, err);
    watch_release(&watch);
    if (rc == 0)
        rc = sum_increments(dir, m.files, rep->documents, &m.increments,
                            err);
    if (rc == 0)
        rc = manifest_settings(&m, o, mode, err);
    m.documents = (uint32_t)rep->documents;
    m.terms = (uint32_t)rep->terms;
    m.postings = rep->postings;
    m.tokens = rep->tokens;
    if (rc == 0)
        rc = manifest_write(&m, dir, err);
    manifest_release(&m);
    return rc;
}

int cooc_index(const char *const *inputs, size_t n_inputs, const char *store,
               const struct cooc_index_options *options,
               struct cooc_index_report *report, struct cooc_err *err)
{
    struct cooc_index_options defaults;
    struct cooc_index_report own = { 0 };
    struct place place;
    int rc;

    cooc_index_options_init(&defaults);
    options = options ? options : &defaults;
    if (!n_inputs)
        return err_set(err, COOC_EINVAL, "no input given");
    rc = index_check(options, err);
    if (rc < 0)
        return rc;
    rc = place_begin(&place, store, options->replace, err);
    if (rc == 0)
        rc = build_in(inputs, n_inputs, place.part.data, options, &own, err);
    if (rc == 0)
        rc = place_publish(&place, err);
    place_release(&place);
    if (report)
        *report = own;
    return rc;
}
