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

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "read/feed.h"
#include "read/format.h"
#include "read/input.h"
#include "read/input_files.h"
#include "read/recode.h"
#include "read/stream.h"

/* Room for the names of all text formats or all term formats. */
#define FORMATS_LABEL 64

struct reader {
    struct feed *feed;          /* replaces inputs, or NULL */
    bool feed_terms;
    struct input_files files;
    struct part_info part;      /* see reader_part() */
    const struct format *asked; /* named by the user, or NULL */
    const struct buf *known;    /* text fields of existing documents, or NULL */
    const struct format *first; /* format of the first input */
    const char *first_input;

    struct stream *stream;       /* the current file */
    const struct format *format; /* of the current input; NULL: not yet known */
    size_t which;                /* index of format in formats[] */
    bool in_entry;               /* the entry may have more documents */
    bool office;                 /* the entry is an office file */
    const struct format *others; /* then: the format of other files */

    void *states[FORMATS];
    bool used[FORMATS];        /* formats that produced documents */
    unsigned uses;             /* enum reading_use: options that apply */
    char names[FORMATS_LABEL]; /* names of used formats: "lines, jsonl" */
    struct reader_stats stats;
    struct input in;
};

/* Open the next file of the inputs: 1, or 0 if there are no more files. */
static int next_file(struct reader *r, struct cooc_err *err)
{
    struct input_files *all = &r->files;
    int rc = input_files_next(all, &r->stats, err);

    if (rc <= 0)
        return rc;
    r->in.path = all->path;
    if (all->begins || all->format) {
        r->format = all->format ? all->format : r->asked;
        r->office = false;
    }
    rc = all->cut ? stream_open_range(&r->stream, all->path, all->range,
                                      &r->stats, r->in.watch, err)
                  : stream_open(&r->stream, all->path, &r->stats,
                                r->in.watch, err);
    if (rc == 0)
        stream_limit(r->stream, r->in.text.max);
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
    if (!r->first) {
        r->first = r->format;
        r->first_input = r->files.input;
    }
    return format_compare(r->format, r->files.input, r->first, r->first_input,
                          r->in.options, err);
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
    r->uses |= r->format->uses;
    r->in.state = r->states[i];
    return 0;
}

/* An office file is one document, whatever the format of other files is. */
static void choose_office(struct reader *r)
{
    r->format = r->office ? r->others : r->format;
    r->office = stream_is_office(r->stream);
    r->others = r->format;
    if (r->office)
        r->format = &format_html;
}

static int begin_entry(struct reader *r, struct cooc_err *err)
{
    struct input *in = &r->in;
    int rc = 0;

    in->name = stream_name(r->stream);
    in->found = r->files.found || stream_is_archive(r->stream);
    in->documents = 0;
    choose_office(r);
    if (!r->office && must_guess(r))
        rc = detect(r, err);
    if (rc == 0)
        rc = check_kind(r, err);
    if (rc == 0)
        rc = find_state(r, err);
    if (rc == 0 && r->files.n == 1 && !in->found)
        rc = reading_check_used(in->options, r->uses, r->format->name, err);
    if (rc < 0)
        return rc;
    if (r->files.cut && r->files.range.from)
        text_begin_within(&in->text, r->stream);
    else if (r->format->is_raw)
        text_begin_raw(&in->text, r->stream);
    else
        rc = text_begin(&in->text, r->stream,
                        r->office ? "UTF-8" : r->in.options->encoding,
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

    if (rc == 0)
        rc = reading_check(o, err);
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

/* Restrict the reader to the share that the options say. */
static int open_share(struct reader *r, struct cooc_err *err)
{
    struct division *d = &r->files.division;
    const struct cooc_index_options *o = r->in.options;
    int rc = input_files_divide(&r->files, o, r->in.watch, err);

    r->first = d->kind;
    r->first_input = d->kind_input;
    if (o->part == 1) {
        r->stats.skipped = d->skipped;
        r->stats.stores = d->stores;
    }
    return rc;
}

/* A reader that has not opened any input yet. */
static int make_reader(struct reader **out, const char *const *inputs,
                       size_t n, const struct cooc_index_options *o,
                       struct watch *watch, struct cooc_err *err)
{
    struct reader *r = *out = mem_zarray(1, sizeof *r);
    int rc = 0;

    if (!r)
        return err_nomem(err);
    r->in.options = o;
    r->in.stats = &r->stats;
    r->in.watch = watch;
    r->in.text.max = reader_document_max(o);
    r->files = (struct input_files){ .inputs = inputs, .n = n };
    if (o->format)
        rc = format_find(&r->asked, o->format, err);
    if (rc == 0 && o->encoding)
        rc = encoding_check(o->encoding, err);
    return rc < 0 ? rc : input_files_check(&r->files, err);
}

int reader_open(struct reader **out, const char *const *inputs, size_t n,
                const struct cooc_index_options *o, struct watch *watch,
                struct cooc_err *err)
{
    struct reader *r;
    int rc = make_reader(&r, inputs, n, o, watch, err);

    *out = NULL;
    if (rc == 0 && o->parts)
        rc = open_share(r, err);
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

int reader_probe(const char *input, const struct cooc_index_options *o,
                 struct watch *watch, const struct format **format,
                 size_t *empty, struct cooc_err *err)
{
    struct reader *r;
    int rc = make_reader(&r, &input, 1, o, watch, err);

    *empty = 0;
    *format = NULL;
    while (rc == 0 && (rc = next_file(r, err)) > 0) {
        rc = stream_entry(r->stream, err);
        if (rc != 0)
            break;
        stream_close(r->stream);
        r->stream = NULL;
        ++*empty;
    }
    if (rc > 0) {
        r->in.found = r->files.found || stream_is_archive(r->stream);
        rc = must_guess(r) ? detect(r, err) : 0;
        *format = r->format;
    }
    reader_close(r);
    return rc;
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
    input_files_release(&r->files);
    part_info_release(&r->part);
    mem_free(r);
}

static int finish(struct reader *r, struct cooc_err *err)
{
    int rc = r->names[0] ? reading_check_used(r->in.options, r->uses, r->names,
                                              err)
                         : 0;

    if (rc < 0)
        return rc;
    for (size_t i = 0; i < FORMATS; i++)
        if (r->states[i] && formats[i]->finish) {
            r->in.state = r->states[i];
            formats[i]->finish(&r->in);
        }
    return r->files.divided
               ? fields_finish_part(&r->in.fields, &r->part.asked,
                                    &r->part.missing, r->in.watch, err)
               : fields_finish(&r->in.fields, r->known, r->in.watch, err);
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
    in->label.len = in->body.len = in->ends.len = 0;
    rc = r->format->next(in, err);
    if (rc <= 0)
        return rc;
    note_format(r);
    in->documents++;
    if (!in->doc.text)
        input_text(in, &in->body);
    in->doc.ends = (const struct text_end *)(const void *)in->ends.data;
    in->doc.n_ends = in->ends.len / sizeof(struct text_end);
    if (in->doc.name)
        return 1;
    rc = text_number_lines(&in->text, err);
    if (rc == 0)
        rc = input_name(in, in->text.line, err);
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

struct part_info reader_part(struct reader *r)
{
    const struct cooc_index_options *o = r->in.options;
    const struct division *d = &r->files.division;
    struct part_info p = r->part;

    r->part = (struct part_info){ 0 };
    if (!r->files.divided)
        return p;
    p.part = o->part;
    p.parts = o->parts;
    p.inputs = d->inputs;
    p.begin = d->begin;
    p.end = d->end;
    p.distinct = d->distinct;
    p.records = r->in.fields.records > 0;
    p.any_text = r->in.fields.any_text;
    return p;
}

void reader_want_ends(struct reader *r)
{
    r->in.wants_ends = true;
}

void reader_know_fields(struct reader *r, const struct buf *known)
{
    r->known = known;
}

const struct buf *reader_fields(const struct reader *r)
{
    return &r->in.fields.seen;
}

enum document_kind reader_kind(const struct reader *r)
{
    if (r->feed)
        return r->feed_terms ? KIND_TERMS : KIND_TEXT;
    return format_kind(r->first, r->in.options);
}

struct reader_stats reader_stats(const struct reader *r)
{
    return r->stats;
}
