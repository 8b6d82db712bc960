/* index.c - cooc_index(): build a new store from documents. */
#include <string.h>
#include <xxhash.h>

#include "base/err.h"
#include "base/library_alloc.h"
#include "base/sized.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "index/build.h"
#include "jobs/input_fingerprint.h"
#include "jobs/steps.h"
#include "store/manifest.h"
#include "store/reading_note.h"
#include "store/settings.h"
#include "store/staging.h"

/* Set m->increments to the sum of n(n-1)/2 over all documents, which is the sum
 * of all counts. */
static int sum_increments(struct manifest *m, const char *dir,
                          struct cooc_err *err)
{
    struct checked_file *b = NULL;
    const void *p;
    int rc = collection_open_file(&b, dir, FILE_FORWARD_OFF,
                                  &m->files[FILE_FORWARD_OFF], err);

    if (rc == 0)
        rc = checked_file_get(b, 0, ((uint64_t)m->documents + 1) * 8, &p, err);
    for (uint32_t d = 0; rc == 0 && d < m->documents; d++) {
        const uint64_t *off = p;
        uint64_t n = off[d + 1] - off[d];

        m->increments += n ? n * (n - 1) / 2 : 0;
    }
    checked_file_close(b);
    return rc;
}

int index_finish(struct manifest *m, const char *dir,
                 const struct cooc_index_report *r, struct cooc_err *err)
{
    int rc;

    m->documents = (uint32_t)r->documents;
    m->terms = (uint32_t)r->terms;
    m->postings = r->postings;
    rc = sum_increments(m, dir, err);
    return rc < 0 ? rc : manifest_write(m, dir, err);
}

uint64_t index_identity(const struct checked_file_id *files)
{
    const enum collection_file parts[] = { FILE_FORWARD, FILE_FORWARD_OFF,
                                           FILE_INVERTED, FILE_INVERTED_OFF };
    uint64_t numbers[2 * sizeof parts / sizeof *parts], hash;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        numbers[2 * i] = files[parts[i]].size;
        numbers[2 * i + 1] = files[parts[i]].hash;
    }
    hash = XXH3_64bits(numbers, sizeof numbers);
    return hash ? hash : 1;
}

int index_into(struct index_input *in, const struct cooc_index_options *o,
               const struct buf *fingerprint, const struct buf *known_fields,
               struct cooc_index_report *rep, struct watch *watch,
               struct cooc_err *err)
{
    struct manifest m = { 0 };
    struct index_rules how = { .known_fields = known_fields };
    int rc;

    rc = index_build(in, o, m.files, &how, rep, watch, err);
    if (rc == 0)
        rc = settings_write(&m, o, &how, err);
    m.fields = how.fields;
    m.part = how.part;
    m.tokens = rep->tokens;
    if (rc == 0 && !in->feed)
        rc = reading_note_make(&m.reading, o, rep, err);
    if (rc == 0 && fingerprint)
        rc = input_fingerprint_write(fingerprint, in->dir, err);
    if (rc == 0)
        rc = index_finish(&m, in->dir, rep, err);
    if (rc == 0)
        rep->written = index_identity(m.files);
    manifest_release(&m);
    return rc;
}

int cooc_index(const char *const *inputs, size_t n_inputs, const char *store,
               const struct cooc_index_options *options,
               struct cooc_index_report *report, struct cooc_err *err)
{
    struct cooc_index_options o;
    struct cooc_index_report own = { 0 };
    struct index_input in = { .inputs = inputs, .n = n_inputs };
    struct staging staging = STAGING_NONE;
    struct buf fingerprint = { 0 };
    struct watch watch;
    struct workdir workdir;
    int rc;

    rc = sized_read(&o, sizeof o, options, "index options", err);
    if (rc == 0)
        rc = sized_check(report, "index report", err);
    if (rc == 0 && !n_inputs)
        rc = err_set(err, COOC_EINVAL,
                     "no input given; give at least one file or directory");
    if (rc < 0)
        return rc;
    rc = workdir_begin(&workdir, err);
    if (rc == 0)
        rc = index_check(&o, err);
    if (watch_init(&watch, o.watch, rc < 0 ? NULL : err) < 0 && rc == 0)
        rc = COOC_EINVAL;
    if (rc == 0 && o.count_follows) {
        /* Before reading the inputs, so that later changes are detected. */
        rc = input_fingerprint_make(&fingerprint, inputs, n_inputs, &o, &watch,
                                    err);
        own.resumable = fingerprint.len > 0;
        if (rc == 0)
            rc = input_fingerprint_matches(&fingerprint, store, &own.resumed,
                                           &own.differs, err);
    }
    if (rc == 0 && !own.resumed) {
        rc = staging_begin(&staging, store, o.replace, err);
        in.dir = staging.part.data;
        if (rc == 0)
            rc = index_into(&in, &o, &fingerprint, NULL, &own, &watch, err);
        if (rc == 0)
            rc = staging_publish(&staging, err);
    }
    staging_release(&staging);
    watch_release(&watch);
    buf_release(&fingerprint);
    workdir_end(&workdir);
    if (rc < 0) /* a published store remains a success */
        rc = library_alloc_end(rc, err);
    sized_write(report, &own, sizeof own);
    return rc;
}

int cooc_replace(const char *from, const char *to, struct cooc_err *err)
{
    struct staging staging = STAGING_NONE;
    struct workdir workdir;
    int rc = workdir_begin(&workdir, err);

    if (rc == 0)
        rc = staging_adopt(&staging, from, to, err);
    if (rc == 0)
        rc = staging_publish(&staging, err);
    staging_release(&staging);
    workdir_end(&workdir);
    return rc;
}
