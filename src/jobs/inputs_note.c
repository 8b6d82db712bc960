/* inputs_note.c - cooc_inputs_*(): the note of the inputs (input_fingerprint.h)
 * for programs that make a store in several steps. */
#include <string.h>

#include "base/err.h"
#include "base/library_alloc.h"
#include "base/sized.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_parts.h"
#include "jobs/input_fingerprint.h"

/* End a call that began with workdir_begin(). */
static int leave(struct workdir *call, int rc, struct cooc_err *err)
{
    workdir_end(call);
    return rc < 0 ? library_alloc_end(rc, err) : 0;
}

int cooc_inputs_identify(const char *const *inputs, size_t n_inputs,
                         const struct cooc_index_options *options,
                         struct cooc_inputs *out, struct cooc_err *err)
{
    struct cooc_index_options o;
    struct cooc_inputs own = { 0 };
    struct buf note = { 0 };
    struct watch watch;
    struct workdir call;
    int rc = sized_read(&o, sizeof o, options, "index options", err);

    if (rc == 0)
        rc = sized_check(out, "inputs", err);
    if (rc < 0)
        return rc;
    rc = workdir_begin(&call, err);
    if (watch_init(&watch, o.watch, rc < 0 ? NULL : err) < 0 && rc == 0)
        rc = COOC_EINVAL;
    if (rc == 0)
        rc = input_fingerprint_make(&note, inputs, n_inputs, &o, &watch, err);
    if (rc == 0 && note.len >= sizeof own.text)
        rc = err_set(err, COOC_ELIMIT, "the note of the inputs is too long");
    if (rc == 0 && note.len)
        memcpy(own.text, note.data, note.len);
    buf_release(&note);
    watch_release(&watch);
    sized_write(out, &own, sizeof own);
    return leave(&call, rc, err);
}

/* Read the argument of a program. */
static int read_note(struct buf *note, const struct cooc_inputs *inputs,
                     struct cooc_err *err)
{
    struct cooc_inputs own;
    int rc = sized_read(&own, sizeof own, inputs, "inputs", err);

    if (rc == 0 && !memchr(own.text, 0, sizeof own.text))
        rc = err_set(err, COOC_EINVAL,
                     "the note of the inputs is not terminated");
    return rc < 0 ? rc : buf_add(note, own.text, strlen(own.text), err);
}

int cooc_inputs_note(const char *store, const struct cooc_inputs *inputs,
                     struct cooc_err *err)
{
    struct buf note = { 0 };
    struct workdir call;
    int rc = workdir_begin(&call, err);

    if (rc == 0)
        rc = read_note(&note, inputs, err);
    if (rc == 0)
        rc = input_fingerprint_write(&note, store, err);
    buf_release(&note);
    return leave(&call, rc, err);
}

int cooc_inputs_noted(const char *store, const struct cooc_inputs *inputs,
                      bool *same, struct cooc_err *err)
{
    struct buf note = { 0 };
    const char *differs;
    struct workdir call;
    int rc = workdir_begin(&call, err);

    *same = false;
    if (rc == 0)
        rc = read_note(&note, inputs, err);
    if (rc == 0 && note.len)
        rc = input_fingerprint_matches(&note, store, same, &differs, err);
    buf_release(&note);
    return leave(&call, rc, err);
}
