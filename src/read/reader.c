/* reader.c - turn a list of inputs into a sequence of documents.
 *
 *     for each input                       a path or "-"
 *         for each file                    one, or those of a directory
 *             for each entry               one, or those of an archive
 *                 for each document        as the format defines it
 *
 * The first entry of an input decides its format, unless the user named one.
 * If the format is one document per file, each entry decides between plain text
 * and HTML.  The first input decides whether documents are text or terms,
 * because the later stages treat the two differently; an input of the other
 * kind is an error.
 */
#include "read/read.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/recognise.h"
#include "base/watch.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "read/feed.h"
#include "read/format.h"
#include "read/input.h"
#include "read/recode.h"
#include "read/stream.h"
#include "read/walk.h"

/* Room for the names of all text formats or all term formats. */
#define FORMATS_LABEL 64

struct reader {
    struct feed *feed;          /* replaces inputs, or NULL */
    bool feed_terms;
    const char *const *inputs;
    size_t n, next;
    const struct format *asked; /* named by the user, or NULL */
    const struct buf *known;    /* text fields of existing documents, or NULL */
    const struct format *first; /* format of the first input */
    const char *first_input;

    struct walk *walk;           /* the current input, if a directory */
    struct stream *stream;       /* the current file */
    const struct format *format; /* of the current input; NULL: not yet known */
    size_t which;                /* index of format in formats[] */
    bool in_entry;               /* the entry may have more documents */

    void *states[FORMATS];
    bool used[FORMATS];        /* formats that produced documents */
    char names[FORMATS_LABEL]; /* names of used formats: "lines, jsonl" */
    struct reader_stats stats;
    struct input in;
};

static bool is_stdin(const char *input)
{
    return strcmp(input, "-") == 0;
}

/* Reject a store, or a file of a store, as an input. */
static int refuse_store(const char *input, const struct stat *st,
                        struct cooc_err *err)
{
    if (S_ISDIR(st->st_mode) && recognise_store(input))
        return err_path(err, COOC_EINVAL, input,
                        "is a store, not documents; to combine stores, merge "
                        "them");
    if (S_ISREG(st->st_mode) && recognise_file(input))
        return err_path(err, COOC_EINVAL, input,
                        "is a file of a store, not a document; leave it out");
    return 0;
}

/* Check all inputs, to fail now rather than after hours of reading. */
static int check_inputs(const struct reader *r, struct cooc_err *err)
{
    struct stat st;
    bool seen = false;
    int rc = 0;

    if (r->n == 0)
        return err_set(err, COOC_EINVAL,
                       "no input given; give at least one file or directory");
    for (size_t i = 0; i < r->n && rc == 0; i++) {
        if (is_stdin(r->inputs[i])) {
            if (seen)
                return err_set(err, COOC_EINVAL,
                               "standard input (-) is given twice; give it "
                               "once");
            seen = true;
        } else if (workdir_stat(r->inputs[i], &st) < 0)
            return err_sys(err, "cannot open", r->inputs[i]);
        else
            rc = refuse_store(r->inputs[i], &st, err);
    }
    return rc;
}

/* Open the next file of the inputs: 1, or 0 if there are no more files. */
static int next_file(struct reader *r, struct cooc_err *err)
{
    for (;;) {
        const char *input;
        struct stat st;
        int rc;

        if (r->walk) {
            rc = walk_next(r->walk, &r->in.path, err);
            if (rc < 0)
                return rc;
            if (rc > 0)
                break;
            walk_close(r->walk);
            r->walk = NULL;
        }
        if (r->next == r->n)
            return 0;
        input = r->in.path = r->inputs[r->next++];
        r->format = r->asked;
        if (is_stdin(input) || workdir_stat(input, &st) < 0 ||
            !S_ISDIR(st.st_mode))
            break;
        rc = walk_open(&r->walk, input, &r->stats, err);
        if (rc < 0)
            return rc;
    }
    int rc = stream_open(&r->stream, r->in.path, &r->stats, r->in.watch, err);
    return rc < 0 ? rc : 1;
}

static bool is_page(const struct format *f)
{
    return f == &format_files || f == &format_html;
}

/* Must the format of this entry be guessed? */
static bool must_guess(const struct reader *r)
{
    return !r->format || (!r->asked && r->in.found && is_page(r->format));
}

/* Detect the format from the name and the first bytes of the entry. */
static int detect(struct reader *r, struct cooc_err *err)
{
    struct sample s = { .name = stream_name(r->stream), .many = r->in.found };
    size_t size = r->format ? PAGE_SAMPLE_SIZE : SAMPLE_SIZE;
    const char *encoding = r->in.options->encoding;
    struct buf sample = { 0 };
    uint64_t ignored;
    size_t mark = 0;
    int rc;

    rc = stream_peek(r->stream, size + 1, &s.data, &s.len, err);
    if (rc < 0)
        return rc;
    s.cut = s.len > size;
    if (s.cut)
        s.len = size;
    if (!encoding)
        encoding = encoding_mark(s.data, s.len, &mark);
    s.data += mark;
    s.len -= mark;
    if (encoding && !encoding_is_utf8(encoding)) {
        rc = recode(encoding, s.data, s.len, !s.cut, &sample, &ignored, err);
        s.data = sample.data;
        s.len = sample.len;
    }
    if (rc == 0 && !r->format)
        r->format = detect_format(&s);
    if (rc == 0 && s.many && is_page(r->format))
        r->format = detect_page(&s);
    buf_release(&sample);
    return rc;
}

/* Check that the input is of the same kind, text or terms, as the first one. */
static int check_kind(struct reader *r, struct cooc_err *err)
{
    const char *input = r->inputs[r->next - 1];
    const struct format *f = r->format;

    if (!r->first) {
        r->first = f;
        r->first_input = input;
    }
    if (f->is_terms != r->first->is_terms)
        return err_path_option(err, COOC_EINVAL, input, "format",
                               "is %s (%s), but %.150s is %s (%s), and these "
                               "cannot be in one store; set the format if it "
                               "is recognised wrongly", f->name,
                               f->is_terms ? "terms" : "text", r->first_input,
                               r->first->name,
                               r->first->is_terms ? "terms" : "text");
    return 0;
}

/* Find or make the state that the input's format keeps for the whole job. */
static int find_state(struct reader *r, struct cooc_err *err)
{
    size_t i = 0;

    while (formats[i] != r->format)
        i++;
    if (!r->states[i]) {
        r->states[i] = mem_zarray(1, r->format->state_size + 1);
        if (!r->states[i])
            return err_nomem(err);
    }
    r->which = i;
    r->in.state = r->states[i];
    return 0;
}

static int begin_entry(struct reader *r, struct cooc_err *err)
{
    struct input *in = &r->in;
    int rc = 0;

    in->name = stream_name(r->stream);
    in->found = r->walk || stream_is_archive(r->stream);
    in->documents = 0;
    if (must_guess(r))
        rc = detect(r, err);
    if (rc == 0)
        rc = check_kind(r, err);
    if (rc == 0)
        rc = find_state(r, err);
    if (rc < 0)
        return rc;
    if (r->format->is_raw)
        text_begin_raw(&in->text, r->stream);
    else
        rc = text_begin(&in->text, r->stream, r->in.options->encoding,
                        &r->stats.invalid_bytes, err);
    if (rc < 0)
        return rc;
    if (r->format->begin)
        rc = r->format->begin(in, err);
    r->in_entry = rc == 0;
    return rc;
}

/* 1: at the beginning of an entry; 0: no more entries; < 0: failed. */
static int next_entry(struct reader *r, struct cooc_err *err)
{
    int rc;

    for (;;) {
        if (r->stream) {
            rc = stream_entry(r->stream, err);
            if (rc < 0)
                return rc;
            if (rc > 0) {
                rc = begin_entry(r, err);
                return rc < 0 ? rc : 1;
            }
            stream_close(r->stream);
            r->stream = NULL;
        }
        rc = next_file(r, err);
        if (rc <= 0)
            return rc;
    }
}

int reader_check(const struct cooc_index_options *o, struct cooc_err *err)
{
    const struct format *format;
    int rc = o->format ? format_find(&format, o->format, err) : 0;

    return rc == 0 && o->encoding ? encoding_check(o->encoding, err) : rc;
}

/* The reader holds one copy of a document, or up to three if it is HTML or
 * JSON.  Each worker holds a document, and its next one may be as long.  Terms
 * need memory as well. */
size_t reader_document_max(const struct cooc_index_options *o)
{
    uint64_t memory = o->memory ? o->memory : memory_half();
    uint64_t share = memory / (4 + 2 * (o->threads ? o->threads
                                                   : pool_cores()));

    return share < DOCUMENT_MAX ? (size_t)share : DOCUMENT_MAX;
}

int reader_open(struct reader **out, const char *const *inputs, size_t n,
                const struct cooc_index_options *o, struct watch *watch,
                struct cooc_err *err)
{
    struct reader *r = mem_zarray(1, sizeof *r);
    int rc = 0;

    *out = NULL;
    if (!r)
        return err_nomem(err);
    r->in.options = o;
    r->in.stats = &r->stats;
    r->in.watch = watch;
    r->in.text.max = reader_document_max(o);
    r->inputs = inputs;
    r->n = n;
    if (o->format)
        rc = format_find(&r->asked, o->format, err);
    if (rc == 0 && o->encoding)
        rc = encoding_check(o->encoding, err);
    if (rc == 0)
        rc = check_inputs(r, err);
    if (rc == 0)
        rc = next_entry(r, err);
    if (rc < 0) {
        reader_close(r);
        return rc;
    }
    if (!r->first)
        r->first = r->asked ? r->asked : &format_files; /* no entries */
    *out = r;
    return 0;
}

int reader_open_feed(struct reader **out, struct feed *feed,
                     struct cooc_err *err)
{
    struct reader *r = mem_zarray(1, sizeof *r);

    *out = r;
    if (!r)
        return err_nomem(err);
    r->feed = feed;
    r->feed_terms = feed_kind(feed) == FEED_TERMS;
    strcpy(r->names, "memory");
    return 0;
}

void reader_fail(struct reader *r, int code, const struct cooc_err *why)
{
    if (r->feed)
        feed_fail(r->feed, code, why, NULL);
}

void reader_close(struct reader *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < FORMATS; i++) {
        if (r->states[i] && formats[i]->release)
            formats[i]->release(r->states[i]);
        mem_free(r->states[i]);
    }
    input_release(&r->in);
    stream_close(r->stream);
    walk_close(r->walk);
    mem_free(r);
}

static int finish(struct reader *r, struct cooc_err *err)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (r->states[i] && formats[i]->finish) {
            r->in.state = r->states[i];
            formats[i]->finish(&r->in);
        }
    if (r->in.options->text_fields && !r->in.fields.n && r->names[0])
        watch_warn(r->in.watch,
                   "the choice of text fields is ignored: the input was "
                   "recognised as %s, which has no fields", r->names);
    return fields_finish(&r->in.fields, r->known, r->in.watch, err);
}

/* Add the document's format to names, unless it is already there. */
static void note_format(struct reader *r)
{
    size_t len = strlen(r->names);

    if (r->used[r->which])
        return;
    r->used[r->which] = true;
    snprintf(r->names + len, sizeof r->names - len, "%s%s", len ? ", " : "",
             r->format->name);
}

/* 1: a document of the current entry; 0: it has no more; < 0: failed. */
static int next_document(struct reader *r, struct cooc_err *err)
{
    struct input *in = &r->in;
    int rc;

    in->doc = (struct document){ 0 };
    in->label.len = in->body.len = 0;
    rc = r->format->next(in, err);
    if (rc <= 0)
        return rc;
    note_format(r);
    in->documents++;
    if (!in->doc.text)
        input_text(in, &in->body);
    rc = in->doc.name ? 0 : input_name(in, in->text.line, err);
    return rc < 0 ? rc : 1;
}

int reader_next(struct reader *r, struct document *doc, struct cooc_err *err)
{
    int rc;

    if (r->feed) {
        rc = feed_next(r->feed, doc, err);
        if (rc > 0)
            r->stats.bytes += doc->text_len;
        return rc;
    }
    for (;;) {
        if (r->in_entry) {
            rc = next_document(r, err);
            *doc = r->in.doc;
            if (rc != 0)
                return rc;
            r->in_entry = false;
        }
        rc = next_entry(r, err);
        if (rc < 0)
            return rc;
        if (rc == 0)
            return finish(r, err);
    }
}

const char *reader_format(const struct reader *r)
{
    return r->names[0] ? r->names : r->first->name;
}

void reader_know_fields(struct reader *r, const struct buf *known)
{
    r->known = known;
}

const struct buf *reader_fields(const struct reader *r)
{
    return &r->in.fields.seen;
}

bool reader_is_terms(const struct reader *r)
{
    return r->feed ? r->feed_terms : r->first->is_terms;
}

struct reader_stats reader_stats(const struct reader *r)
{
    return r->stats;
}
