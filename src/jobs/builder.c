/* builder.c - build a store from documents in memory.
 *
 * A builder runs cooc_index() or cooc_add() in its own thread, which reads from
 * a feed (read/feed.h) instead of files.  Everything after the reader is the
 * same, and so are the bytes of the store.
 *
 * While documents are being added, they exist only in memory and in nameless
 * temporary files; directories are created after the last document has been
 * read.  So if the process ends before that, nothing is left behind.
 */
#include <pthread.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/sized.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "index/build.h"
#include "jobs/steps.h"
#include "read/feed.h"
#include "read/read.h"
#include "read/reading.h"
#include "store/staging.h"

#define BLOCK_BYTES ((size_t)1 << 20)

struct cooc_builder {
    struct feed *feed;
    pthread_t thread;
    pthread_mutex_t lock; /* protects started, rc and err until started */
    pthread_cond_t begun;
    bool started;
    int rc;
    struct cooc_err err;

    char *store;
    bool adds;
    const struct cooc_add_options *add; /* valid until the thread has started */
    struct cooc_index_options o;
    struct cooc_index_report report;
    struct staging staging;
    struct adding *adding;

    pthread_mutex_t vocab_lock; /* protects the fields below */
    struct buf words, ends;     /* ends: u64 per word, its end in words */
    size_t n_words;
    struct buf text;
};

/* ---- the thread --------------------------------------------------------- */

static int check_no_files(const struct cooc_index_options *o,
                          struct cooc_err *err)
{
    const char *set = o->count_follows      ? "count_follows"
                      : o->parts || o->part ? "part"
                      : o->skip_bad         ? "skip_bad"
                                            : NULL;

    for (size_t i = 0; i < READING_OPTIONS && !set; i++)
        if (reading_value(o, i) && reading_options[i].use != USE_FOLD)
            set = reading_options[i].name;
    return !set ? 0
                : err_option(err, COOC_EINVAL, set,
                             "%s does not apply to documents in memory", set);
}

/* All documents have been read: make the directory of the store. */
static int make_directory(void *self, const char **dir, struct cooc_err *err)
{
    struct cooc_builder *b = self;
    int rc = staging_begin(&b->staging, b->store, b->o.replace, err);

    *dir = b->staging.part.data;
    return rc;
}

static int prepare(struct cooc_builder *b, struct cooc_err *err)
{
    const struct cooc_index_options *o = &b->o;
    uint64_t memory;
    size_t block = BLOCK_BYTES;
    int rc;

    if (b->adds) {
        rc = adding_open(&b->adding, b->store, false, b->add, err);
        o = rc < 0 ? o : adding_options(b->adding);
    } else {
        rc = index_check(o, err);
        if (rc == 0)
            rc = staging_check(b->store, o->replace, err);
    }
    if (rc == 0)
        rc = check_no_files(o, err);
    memory = o->memory ? o->memory : memory_half();
    block = block < memory / 64 ? block : (size_t)(memory / 64);
    return rc < 0 ? rc
                  : feed_new(&b->feed, block, reader_document_max(o), err);
}

static void signal_started(struct cooc_builder *b, int rc)
{
    pthread_mutex_lock(&b->lock);
    b->rc = rc;
    b->started = true;
    pthread_cond_signal(&b->begun);
    pthread_mutex_unlock(&b->lock);
}

static int build(struct cooc_builder *b, struct cooc_err *err)
{
    struct index_input in = { .feed = b->feed,
                              .make_directory = make_directory,
                              .self = b };
    struct watch watch;
    char *dir = NULL;
    int rc;

    if (b->adds)
        return adding_run(b->adding, &in, err);
    rc = watch_init(&watch, b->o.watch, err);
    if (rc == 0)
        rc = path_dir(&dir, b->store, err);
    in.tmpdir = dir;
    if (rc == 0)
        rc = index_into(&in, &b->o, NULL, NULL, &b->report, &watch, err);
    if (rc == 0)
        rc = staging_publish(&b->staging, err);
    staging_release(&b->staging);
    b->staging = (struct staging)STAGING_NONE;
    watch_release(&watch);
    mem_free(dir);
    return rc;
}

static void *run(void *self)
{
    struct cooc_builder *b = self;
    struct workdir workdir;
    int rc = workdir_begin(&workdir, &b->err);

    if (rc == 0)
        rc = prepare(b, &b->err);
    signal_started(b, rc);
    if (rc == 0) {
        struct cooc_err err = { 0 };

        rc = build(b, &err);
        if (rc < 0)
            feed_fail(b->feed, rc, &err, NULL);
        b->rc = rc;
        b->err = err;
    }
    workdir_end(&workdir);
    return NULL;
}

/* ---- open and close ----------------------------------------------------- */

static void builder_free(struct cooc_builder *b)
{
    adding_free(b->adding);
    feed_free(b->feed);
    pthread_mutex_destroy(&b->lock);
    pthread_mutex_destroy(&b->vocab_lock);
    pthread_cond_destroy(&b->begun);
    buf_release(&b->words);
    buf_release(&b->ends);
    buf_release(&b->text);
    mem_free(b->store);
    mem_free(b);
}

/* Start the thread, and wait until it has checked everything. */
static int start(struct cooc_builder *b, struct cooc_err *err)
{
    if (pthread_create(&b->thread, NULL, run, b) != 0)
        return err_set(err, COOC_ELIMIT, "cannot start a thread");
    pthread_mutex_lock(&b->lock);
    while (!b->started)
        pthread_cond_wait(&b->begun, &b->lock);
    pthread_mutex_unlock(&b->lock);
    if (!b->feed) { /* prepare() has failed */
        pthread_join(b->thread, NULL);
        if (err)
            *err = b->err;
        return b->rc;
    }
    return 0;
}

static int open_builder(struct cooc_builder **out, const char *store,
                        const struct cooc_index_options *o,
                        const struct cooc_add_options *add,
                        struct cooc_err *err)
{
    struct cooc_builder *b = mem_zarray(1, sizeof *b);
    int rc;

    *out = NULL;
    if (!b)
        return err_nomem(err);
    b->staging = (struct staging)STAGING_NONE;
    pthread_mutex_init(&b->lock, NULL);
    pthread_mutex_init(&b->vocab_lock, NULL);
    pthread_cond_init(&b->begun, NULL);
    b->adds = !o;
    b->add = add;
    b->store = mem_dup(store, strlen(store));
    rc = b->store ? 0 : err_nomem(err);
    if (o)
        b->o = *o;
    if (rc == 0)
        rc = start(b, err);
    if (rc == 0)
        *out = b;
    else
        builder_free(b);
    return rc;
}

int cooc_builder_open(struct cooc_builder **out, const char *store,
                      const struct cooc_index_options *options,
                      struct cooc_err *err)
{
    struct cooc_index_options o;
    int rc = sized_read(&o, sizeof o, options, "index options", err);

    *out = NULL;
    return rc < 0 ? rc : open_builder(out, store, &o, NULL, err);
}

int cooc_builder_open_add(struct cooc_builder **out, const char *store,
                          const struct cooc_add_options *options,
                          struct cooc_err *err)
{
    return open_builder(out, store, NULL, options, err);
}

/* Wait for the thread and free the builder. */
static int finish(struct cooc_builder *b, struct cooc_index_report *report,
                  struct cooc_merge_report *merged, struct cooc_err *err)
{
    int rc;

    feed_end(b->feed);
    pthread_join(b->thread, NULL);
    rc = b->rc;
    if (rc < 0 && err)
        *err = b->err;
    if (b->adds)
        adding_report(b->adding, report, merged);
    else
        sized_write(report, &b->report, sizeof b->report);
    builder_free(b);
    return rc;
}

int cooc_builder_finish(struct cooc_builder *b,
                        struct cooc_index_report *report, struct cooc_err *err)
{
    return cooc_builder_finish_add(b, report, NULL, err);
}

int cooc_builder_finish_add(struct cooc_builder *b,
                            struct cooc_index_report *indexed,
                            struct cooc_merge_report *report,
                            struct cooc_err *err)
{
    struct cooc_err why;
    int rc = sized_check(indexed, "index report", &why);

    if (rc == 0)
        rc = merge_report_check(report, &why);
    if (rc == 0)
        return finish(b, indexed, report, err);
    cooc_builder_abort(b);
    if (err)
        *err = why;
    return rc;
}

void cooc_builder_abort(struct cooc_builder *b)
{
    struct cooc_err why;

    if (!b)
        return;
    feed_fail(b->feed, err_set(&why, COOC_ECANCELLED, "interrupted"), &why,
              NULL);
    pthread_join(b->thread, NULL);
    builder_free(b);
}

/* ---- documents ---------------------------------------------------------- */

int cooc_builder_text(struct cooc_builder *b, const char *name,
                      size_t name_len, const char *text, size_t len,
                      struct cooc_err *err)
{
    return feed_add(b->feed, FEED_TEXT, name, name_len, text, len, err);
}

/* Add a term and a line end to b->text. */
static int add_term(struct cooc_builder *b, const char *term, size_t len,
                    struct cooc_err *err)
{
    int rc = buf_add(&b->text, term, len, err);

    return rc < 0 ? rc : buf_byte(&b->text, '\n', err);
}

/* Add the document in b->text to the feed.  If rc says that making it failed,
 * make the feed fail permanently. */
static int add_terms(struct cooc_builder *b, int rc, const char *name,
                     size_t name_len, struct cooc_err *err)
{
    if (rc < 0)
        return feed_fail(b->feed, rc, err, err);
    return feed_add(b->feed, FEED_TERMS, name, name_len,
                    b->text.data ? b->text.data : "", b->text.len, err);
}

int cooc_builder_terms(struct cooc_builder *b, const char *name,
                       size_t name_len, const struct cooc_bytes *terms,
                       size_t n, struct cooc_err *err)
{
    struct cooc_err why = { 0 };
    int rc = 0;

    pthread_mutex_lock(&b->vocab_lock);
    b->text.len = 0;
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = !terms[i].len || memchr(terms[i].data, '\n', terms[i].len)
                 ? err_set(&why, COOC_EINVAL,
                           "term %zu of a document is empty or contains a "
                           "newline", i)
                 : add_term(b, terms[i].data, terms[i].len, &why);
    rc = add_terms(b, rc, name, name_len, &why);
    pthread_mutex_unlock(&b->vocab_lock);
    if (rc < 0 && err)
        *err = why;
    return rc;
}

int cooc_builder_vocab(struct cooc_builder *b, const struct cooc_bytes *words,
                       size_t n, struct cooc_err *err)
{
    struct cooc_err why = { 0 };
    int rc;

    pthread_mutex_lock(&b->vocab_lock);
    rc = feed_error(b->feed, &why);
    if (rc == 0 && b->n_words)
        rc = err_set(&why, COOC_EINVAL, "the vocabulary is already set");
    for (size_t i = 0; i < n && rc == 0; i++) {
        uint64_t end;

        if (!words[i].len || memchr(words[i].data, '\n', words[i].len))
            rc = err_set(&why, COOC_EINVAL,
                         "word %zu of the vocabulary is empty or contains a "
                         "newline", i);
        if (rc == 0)
            rc = buf_add(&b->words, words[i].data, words[i].len, &why);
        end = b->words.len;
        if (rc == 0)
            rc = buf_add(&b->ends, &end, sizeof end, &why);
    }
    b->n_words = rc < 0 ? b->n_words : n;
    if (rc < 0)
        rc = feed_fail(b->feed, rc, &why, &why);
    pthread_mutex_unlock(&b->vocab_lock);
    if (rc < 0 && err)
        *err = why;
    return rc;
}

int cooc_builder_ids(struct cooc_builder *b, const char *name,
                     size_t name_len, const uint32_t *ids, size_t n,
                     struct cooc_err *err)
{
    struct cooc_err why = { 0 };
    const uint64_t *ends;
    int rc = 0;

    pthread_mutex_lock(&b->vocab_lock);
    ends = (const uint64_t *)(const void *)b->ends.data;
    b->text.len = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        uint64_t from;

        if (ids[i] >= b->n_words) {
            rc = err_set(&why, COOC_EINVAL,
                         "word id %u is out of range (the vocabulary has %zu "
                         "words)", ids[i], b->n_words);
            break;
        }
        from = ids[i] ? ends[ids[i] - 1] : 0;
        rc = add_term(b, b->words.data + from, (size_t)(ends[ids[i]] - from),
                      &why);
    }
    rc = add_terms(b, rc, name, name_len, &why);
    pthread_mutex_unlock(&b->vocab_lock);
    if (rc < 0 && err)
        *err = why;
    return rc;
}
