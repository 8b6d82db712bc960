/* feed.c - pass documents from the calling program to a reader, in blocks. */
#include "read/feed.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "read/read.h"

/* A document in a block: the length in bytes of its name and of the text that
 * follows the name. */
struct record {
    size_t name_len, text_len;
};

struct block {
    struct buf records, bytes;
};

struct feed {
    size_t block, max;
    pthread_mutex_t lock; /* protects all but taken, next and at */
    pthread_cond_t moved; /* signals a change of the fields below */
    struct block filling, ready;
    enum feed_kind kind;
    uint64_t documents;
    bool waiting; /* ready is full and not yet taken */
    bool ended;
    int code; /* first error, or 0 */
    struct cooc_err why;

    struct block taken; /* used by the reader only */
    size_t next, at;    /* next record and byte in taken */
};

int feed_new(struct feed **out, size_t block, size_t max,
             struct cooc_err *err)
{
    struct feed *f = mem_zarray(1, sizeof *f);

    *out = f;
    if (!f)
        return err_nomem(err);
    f->block = block;
    f->max = max;
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->moved, NULL);
    return 0;
}

static void block_release(struct block *b)
{
    buf_release(&b->records);
    buf_release(&b->bytes);
}

void feed_free(struct feed *f)
{
    if (!f)
        return;
    block_release(&f->filling);
    block_release(&f->ready);
    block_release(&f->taken);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->moved);
    mem_free(f);
}

/* ---- the program's side ------------------------------------------------- */

static void swap(struct block *a, struct block *b)
{
    struct block t = *a;

    *a = *b;
    *b = t;
}

static int failed(const struct feed *f, struct cooc_err *err)
{
    if (err)
        *err = f->why;
    return f->code;
}

static int check_document(const struct feed *f, enum feed_kind kind,
                          size_t name_len, size_t len, struct cooc_err *err)
{
    if (f->ended)
        return err_set(err, COOC_EINVAL,
                       "no more documents can be added after an error or the "
                       "end");
    if (f->kind && f->kind != kind)
        return err_set(err, COOC_EINVAL,
                       "document %" PRIu64 ": text and ready-made terms "
                       "cannot be in one store", f->documents);
    if (len > f->max || name_len > f->max)
        return err_option(err, COOC_ELIMIT, "memory",
                          "document %" PRIu64 " is larger than %zu MiB; split "
                          "it, or allow more memory", f->documents,
                          f->max >> 20);
    return 0;
}

/* Append a document to the block being filled, which is unchanged on
 * failure. */
static int append(struct feed *f, const char *name, size_t name_len,
                  const char *text, size_t len, struct cooc_err *err)
{
    struct record r = { .name_len = name_len, .text_len = len };
    struct block *b = &f->filling;
    size_t before = b->bytes.len;
    int rc = buf_add(&b->bytes, name, name_len, err);

    if (rc == 0)
        rc = buf_add(&b->bytes, text, len, err);
    if (rc == 0)
        rc = buf_add(&b->records, &r, sizeof r, err);
    if (rc < 0)
        b->bytes.len = before;
    return rc;
}

int feed_add(struct feed *f, enum feed_kind kind, const char *name,
             size_t name_len, const char *text, size_t len,
             struct cooc_err *err)
{
    char number[24];
    int rc;

    pthread_mutex_lock(&f->lock);
    if (!name) {
        name_len = (size_t)snprintf(number, sizeof number, "%" PRIu64,
                                    f->documents);
        name = number;
    }
    rc = f->code ? failed(f, err)
                 : check_document(f, kind, name_len, len, err);
    if (rc == 0)
        rc = append(f, name, name_len, text, len, err);
    if (rc == 0) {
        f->documents++;
        if (!f->kind)
            pthread_cond_broadcast(&f->moved);
        f->kind = kind;
    } else if (!f->code) { /* counts without it would be wrong */
        f->code = rc;
        if (err)
            f->why = *err;
        else
            err_set(&f->why, rc, "cannot add a document");
        pthread_cond_broadcast(&f->moved);
    }
    while (!f->code && f->waiting && f->filling.bytes.len >= f->block)
        pthread_cond_wait(&f->moved, &f->lock);
    if (rc == 0 && !f->code && f->filling.bytes.len >= f->block) {
        swap(&f->filling, &f->ready);
        f->waiting = true;
        pthread_cond_broadcast(&f->moved);
    }
    pthread_mutex_unlock(&f->lock);
    return rc;
}

void feed_end(struct feed *f)
{
    pthread_mutex_lock(&f->lock);
    f->ended = true;
    pthread_cond_broadcast(&f->moved);
    pthread_mutex_unlock(&f->lock);
}

int feed_fail(struct feed *f, int code, const struct cooc_err *why,
              struct cooc_err *first)
{
    pthread_mutex_lock(&f->lock);
    if (!f->code) {
        f->code = code;
        f->why = *why;
    }
    code = failed(f, first);
    pthread_cond_broadcast(&f->moved);
    pthread_mutex_unlock(&f->lock);
    return code;
}

int feed_error(struct feed *f, struct cooc_err *err)
{
    int rc;

    pthread_mutex_lock(&f->lock);
    rc = f->code ? failed(f, err) : 0;
    pthread_mutex_unlock(&f->lock);
    return rc;
}

/* ---- the reader's side -------------------------------------------------- */

enum feed_kind feed_kind(struct feed *f)
{
    enum feed_kind kind;

    pthread_mutex_lock(&f->lock);
    while (!f->kind && !f->ended && !f->code)
        pthread_cond_wait(&f->moved, &f->lock);
    kind = f->kind;
    pthread_mutex_unlock(&f->lock);
    return kind;
}

/* Take the full block, or the last one after feed_end().  1: taken; 0: no more
 * documents; < 0: failed. */
static int take(struct feed *f, struct cooc_err *err)
{
    int rc = 1;

    f->taken.records.len = f->taken.bytes.len = 0;
    f->next = f->at = 0;
    pthread_mutex_lock(&f->lock);
    while (!f->waiting && !f->ended && !f->code)
        pthread_cond_wait(&f->moved, &f->lock);
    if (f->code)
        rc = failed(f, err);
    else
        swap(&f->taken, f->waiting ? &f->ready : &f->filling);
    f->waiting = false;
    pthread_cond_broadcast(&f->moved);
    pthread_mutex_unlock(&f->lock);
    return rc < 0 ? rc : f->taken.records.len > 0;
}

int feed_next(struct feed *f, struct document *doc, struct cooc_err *err)
{
    struct record r;

    if (f->next * sizeof r == f->taken.records.len) {
        int rc = take(f, err);

        if (rc <= 0)
            return rc;
    }
    memcpy(&r, f->taken.records.data + f->next++ * sizeof r, sizeof r);
    *doc = (struct document){ .name = f->taken.bytes.data + f->at,
                              .name_len = r.name_len,
                              .text = f->taken.bytes.data + f->at + r.name_len,
                              .text_len = r.text_len };
    f->at += r.name_len + r.text_len;
    return 1;
}
