/* transpose.c - transpose posting lists with an external sort.
 *
 *     collect    postings (document, term) in memory, with the terms of the
 *                lists that they belong to.  When memory is full, sort them by
 *                document and write the terms of each document as a record of
 *                a run.
 *     merge      merge the runs by document; the records of a document are
 *                joined in the order of the runs.
 *
 * Example.   tea: 0 2, milk: 1 | 2, where | means that memory is full
 *     runs       (0: tea) (1: milk) (2: tea)     (2: milk)
 *     merged     (0: tea) (1: milk) (2: tea, milk)
 *
 * Records contain the terms themselves: with numbers, all terms would have to
 * be kept in memory.
 *
 * Cost       16 bytes of memory per posting until it is written, then the
 *            length of its term on disk, written and read once, and again if
 *            there are more than GROUP_RUNS_MAX runs.
 * Memory     An eighth of the job's for postings, a sixteenth for runs that
 *            need not go to disk, and a sixteenth for reading runs.
 */
#include "read/transpose.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/radix.h"
#include "base/watch.h"
#include "read/group_runs.h"

struct posting {
    uint32_t doc, term; /* term: index of starts */
};

struct transposer {
    struct spool_file file;
    struct group_runs runs;
    struct group_merge out;
    bool ahead, ended; /* the merge is at a record, or at its end */
    uint64_t room;     /* bytes of postings and terms in memory */

    struct buf texts; /* terms, each with its '\n' */
    size_t *starts;   /* where each term begins, and the end of the last one */
    size_t n_terms, starts_cap;
    struct posting *postings;
    size_t n, cap;
    size_t full; /* write the postings when n is this */
};

int transposer_new(struct transposer **out, const struct group_options *o,
                   struct cooc_err *err)
{
    struct transposer *t = *out = mem_zarray(1, sizeof *t);
    struct group_options how = *o;
    int rc;

    if (!t)
        return err_nomem(err);
    how.lines = true;
    how.marks = false;
    t->room = o->memory / 8;
    rc = group_runs_open(&t->runs, &t->file, &how, err);
    if (rc < 0) {
        transposer_free(t);
        *out = NULL;
    }
    return rc;
}

static void free_lists(struct transposer *t)
{
    buf_release(&t->texts);
    mem_free(t->starts);
    mem_free(t->postings);
    t->starts = NULL;
    t->postings = NULL;
    t->n = t->n_terms = t->cap = t->starts_cap = 0;
}

void transposer_free(struct transposer *t)
{
    if (!t)
        return;
    spool_file_close(&t->file); /* first, so that dropping runs is cheap */
    group_merge_close(&t->out);
    group_runs_release(&t->runs);
    free_lists(t);
    mem_free(t);
}

/* ---- collect ------------------------------------------------------------ */

#define DOC_OF(p) ((p).doc)
DEFINE_RADIX_SORT(sort_postings, struct posting, uint32_t, DOC_OF)

/* Write the terms of p[0..n), which are of one document, as a record. */
static int write_record(const struct transposer *t, struct spool_writer *w,
                        const struct posting *p, size_t n, struct cooc_err *err)
{
    struct group_head head = { .key = p->doc, .name = "" };
    int rc;

    for (size_t i = 0; i < n; i++)
        head.text_len += t->starts[p[i].term + 1] - t->starts[p[i].term];
    if (head.text_len > t->runs.max)
        return group_too_large(&t->runs, &head, err);
    rc = group_head_write(w, &head, err);
    for (size_t i = 0; i < n && rc == 0; i++) {
        const size_t *start = &t->starts[p[i].term];

        rc = spool_write(w, t->texts.data + start[0], start[1] - start[0], err);
    }
    return rc;
}

/* Write the postings in memory as a run, sorted by document. */
static int write_run(struct transposer *t, struct cooc_err *err)
{
    struct posting *tmp = mem_array(t->n, sizeof *tmp), *p;
    struct spool run = { 0 };
    struct spool_writer w = { .to = &run, .file = &t->file };
    size_t records = 0;
    int rc = tmp ? 0 : err_nomem(err);

    p = rc == 0 ? sort_postings(t->postings, tmp, t->n) : NULL;
    for (size_t i = 0, end; i < t->n && rc == 0; i = end) {
        end = i + 1;
        while (end < t->n && p[end].doc == p[i].doc)
            end++;
        rc = write_record(t, &w, p + i, end - i, err);
        if (rc == 0 && ++records % GROUP_ASK_AFTER == 0)
            rc = watch_add(t->runs.watch, 0, 0, 0, err);
    }
    mem_free(tmp);
    rc = spool_writer_end(&w, rc, err);
    return rc < 0 ? rc : group_runs_add(&t->runs, &run, err);
}

/* Empty the memory, except for the term of the current list. */
static int make_room(struct transposer *t, struct cooc_err *err)
{
    int rc = t->n ? write_run(t, err) : 0;

    t->n = 0;
    if (t->n_terms) {
        size_t start = t->starts[t->n_terms - 1];

        t->texts.len -= start;
        memmove(t->texts.data, t->texts.data + start, t->texts.len);
        t->starts[0] = 0;
        t->starts[1] = t->texts.len;
        t->n_terms = 1;
    }
    return rc;
}

/* How many postings fit in memory, next to the terms.  Each is there twice
 * while it is sorted. */
static void set_full(struct transposer *t)
{
    uint64_t used = t->texts.len + t->n_terms * sizeof *t->starts;
    uint64_t left = used < t->room ? t->room - used : 0;

    t->full = (size_t)(left / (2 * sizeof *t->postings)) + 1;
}

int transposer_list(struct transposer *t, const char *term, size_t len,
                    struct cooc_err *err)
{
    int rc = 0;

    set_full(t);
    if (t->n >= t->full || t->texts.len > t->room) {
        rc = make_room(t, err);
        t->texts.len = t->n_terms = 0;
    }
    if (rc == 0)
        rc = array_grow(&t->starts, &t->starts_cap, t->n_terms + 2,
                        sizeof *t->starts, err);
    if (rc == 0)
        rc = buf_reserve(&t->texts, len + 1, err);
    if (rc == 0)
        rc = buf_add(&t->texts, term, len, err);
    if (rc == 0)
        rc = buf_byte(&t->texts, '\n', err);
    if (rc < 0)
        return rc;
    t->starts[t->n_terms++] = t->texts.len - len - 1;
    t->starts[t->n_terms] = t->texts.len;
    set_full(t);
    return 0;
}

int transposer_add(struct transposer *t, uint32_t doc, struct cooc_err *err)
{
    int rc = 0;

    if (t->n >= t->full) {
        rc = make_room(t, err);
        set_full(t);
    }
    if (rc == 0 && t->n == t->cap)
        rc = array_grow(&t->postings, &t->cap, t->n + 1, sizeof *t->postings,
                        err);
    if (rc == 0)
        t->postings[t->n++] =
            (struct posting){ doc, (uint32_t)(t->n_terms - 1) };
    return rc;
}

/* ---- merge -------------------------------------------------------------- */

int transposer_finish(struct transposer *t, struct cooc_err *err)
{
    int rc = t->n ? write_run(t, err) : 0;

    free_lists(t);
    mem_trim(); /* the next steps need other pieces of memory */
    if (rc == 0)
        rc = group_runs_reduce(&t->runs, err);
    return rc < 0 ? rc : group_merge_open(&t->out, &t->runs, 0, t->runs.n, err);
}

int transposer_doc(struct transposer *t, uint32_t doc, const char **text,
                   size_t *len, struct cooc_err *err)
{
    struct group_merge *m = &t->out;
    int rc = 0;

    if (!t->ahead && !t->ended) {
        rc = group_merge_next(m, err);
        t->ahead = rc > 0;
        t->ended = rc == 0;
    }
    *text = "";
    *len = 0;
    if (rc < 0 || !t->ahead || m->head.key != doc)
        return rc < 0 ? rc : 0;
    *text = m->text.data;
    *len = m->text.len;
    t->ahead = false;
    return 0;
}

uint64_t transposer_spilled(const struct transposer *t)
{
    return atomic_load(&t->file.end);
}
