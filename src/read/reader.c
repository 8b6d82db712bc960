/* reader.c - turn a list of inputs into a sequence of documents.
 *
 *     for each input                       a path or "-"
 *         for each file                    one, or those of a directory
 *             for each entry               one, or those of an archive
 *                 for each document        as the format defines it
 *
 * The name and the beginning of each file and entry decide its format, unless
 * the user named one.  The first input decides whether documents are text or
 * terms, because the later stages treat the two differently; an input of the
 * other kind is an error.
 *
 * Errors.  If the options say so, a record that cannot be read is left out, and
 * a file or an archive is left at the point where it cannot be read further.
 */
#include "read/reader_state.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "read/feed.h"
#include "read/group.h"
#include "read/stream.h"

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
    r->many_texts = inputs_have_texts(inputs, n);
    if (o->format)
        rc = format_find(&r->asked, o->format, err);
    if (rc == 0)
        rc = encoding_choose(&r->in.encoding, o->encoding, err);
    return rc < 0 ? rc : input_files_check(&r->files, err);
}

/* The last error: a file or an entry that the user did not name cannot be read
 * with the options given. */
static bool is_unfit(const struct reader *r)
{
    return r->in.unfit && r->in.found;
}

/* After an error: whether to leave out the record or the rest of the file, and
 * go on. */
static bool skip(struct reader *r, int rc, const struct cooc_err *why)
{
    struct input *in = &r->in;

    if (!in->options->skip_bad || !(input_is_bad(in, rc) || is_unfit(r)))
        return false;
    if (is_unfit(r) && !r->unfit.code)
        r->unfit = *why;
    if (is_unfit(r) && !in->fields.records)
        fields_release(&in->fields); /* they may mean others elsewhere */
    in->unfit = false;
    in->bad_file = !in->bad_record && (!r->stream || stream_failed(r->stream));
    input_note_bad(in, why);
    if (in->bad_record) {
        in->bad_record = false;
        return true;
    }
    r->in_entry = false;
    r->leave_file = in->bad_file;
    return true;
}

/* Add to an error that the record or the file could be left out. */
static int fail(struct reader *r, int rc, struct cooc_err *why,
                struct cooc_err *err)
{
    bool others = r->files.n > 1 || r->in.found || r->in.bad_record ||
                  r->in.documents;

    if (is_unfit(r) && !r->in.options->skip_bad)
        err_add_option(why, rc, "skip_bad");
    else if (others && input_is_bad(&r->in, rc) && !r->in.options->skip_bad &&
        !why->option[0])
        err_add_option(why, rc, "skip_bad");
    return err_copy(err, why);
}

int reader_open(struct reader **out, const char *const *inputs, size_t n,
                const struct cooc_index_options *o, struct watch *watch,
                struct cooc_err *err)
{
    const struct reader_before none = { 0 };

    return reader_open_more(out, inputs, n, o, &none, watch, err);
}

int reader_open_more(struct reader **out, const char *const *inputs, size_t n,
                     const struct cooc_index_options *o,
                     const struct reader_before *before, struct watch *watch,
                     struct cooc_err *err)
{
    struct cooc_err why = { 0 };
    struct reader *r;
    int rc = make_reader(&r, inputs, n, o, watch, err);

    *out = NULL;
    if (r)
        r->before = *before;
    if (rc == 0)
        r->files.watch = watch;
    if (rc == 0 && o->parts)
        rc = open_share(r, err);
    while (rc == 0 && (rc = reader_next_entry(r, &why)) < 0) {
        if (!skip(r, rc, &why)) {
            rc = fail(r, rc, &why, err);
            break;
        }
        rc = 0;
    }
    if (rc < 0) {
        reader_close(r);
        return rc;
    }
    if (!r->first)
        r->first = r->asked ? r->asked : &format_files; /* no entries */
    *out = r;
    return 0;
}

int reader_probe(const char *input, bool found, bool many_texts,
                 const struct cooc_index_options *o, struct watch *watch,
                 const struct format **format, struct cooc_err *err)
{
    struct reader *r;
    int rc = make_reader(&r, &input, 1, o, watch, err);

    *format = NULL;
    if (r)
        r->is_probe = true;
    while (rc == 0 && (rc = reader_next_file(r, err)) > 0) {
        rc = stream_entry(r->stream, err);
        if (rc != 0)
            break;
        stream_close(r->stream);
        r->stream = NULL;
    }
    if (rc > 0) {
        r->in.found = found || r->files.found || stream_is_archive(r->stream);
        r->many_texts = many_texts;
        rc = reader_choose_format(r, err);
        if (rc == 0 && r->not_text)
            rc = reader_refuse_binary(r, stream_name(r->stream), err);
        else if (rc == 0)
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
    grouper_free(r->grouper);
    input_release(&r->in);
    stream_close(r->stream);
    input_files_release(&r->files);
    part_info_release(&r->part);
    invalid_release(&r->invalid);
    mem_free(r);
}

static int finish(struct reader *r, struct cooc_err *err)
{
    int rc = 0;

    r->part.any_document = r->names[0] != '\0';
    if (!r->names[0] && r->unfit.code && !r->files.divided)
        return err_copy(err, &r->unfit); /* the options fit no file */
    if (r->names[0] && r->files.divided)
        rc = reading_list_unused(r->in.options, r->uses, &r->part.unused, err);
    else if (r->names[0])
        rc = reading_check_used(r->in.options, r->uses, r->names, err);
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
    if (len + strlen(r->format->name) + strlen(", , ...") < sizeof r->names)
        snprintf(r->names + len, sizeof r->names - len, "%s%s",
                 len ? ", " : "", r->format->name);
    else if (!strstr(r->names, "..."))
        strcat(r->names, ", ...");
}

/* Count the invalid bytes of a row: after rows have been grouped, their files
 * are no longer known.  Returns 1. */
static int count_invalid(struct reader *r, struct cooc_err *err)
{
    const struct document *d = &r->in.doc;
    uint64_t n = d->text_len ? utf8_count(d->text, d->text_len).invalid : 0;
    int rc = n ? invalid_add(&r->invalid, d->entry, d->file, n, err) : 0;

    return rc < 0 ? rc : 1;
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
    in->doc.file = in->name;
    in->doc.entry = r->entry;
    if (in->options->group_by) {
        rc = input_check_group(in, err);
        return rc < 0 ? rc : count_invalid(r, err);
    }
    if (in->doc.name)
        return 1;
    rc = text_number_lines(&in->text, err);
    if (rc == 0)
        rc = input_name(in, in->text.line, err);
    return rc < 0 ? rc : 1;
}

/* 1: the next document; 0: no more documents; < 0: failed. */
static int advance(struct reader *r, struct document *doc,
                   struct cooc_err *err)
{
    int rc;

    for (;;) {
        if (r->in_entry) {
            rc = next_document(r, err);
            *doc = r->in.doc;
            if (rc != 0)
                return rc;
            r->in_entry = false;
            rc = stream_finish(r->stream, err);
            if (rc < 0)
                return rc;
        }
        rc = reader_next_entry(r, err);
        if (rc <= 0)
            return rc;
    }
}

/* The next document of the inputs, or row if rows are grouped. */
static int next_row(void *self, struct document *doc, struct cooc_err *err)
{
    struct reader *r = self;
    struct cooc_err why = { 0 };
    int rc;

    do
        rc = advance(r, doc, &why);
    while (rc < 0 && skip(r, rc, &why));
    if (rc == 0)
        rc = finish(r, &why);
    return rc < 0 ? fail(r, rc, &why, err) : rc;
}

int reader_next(struct reader *r, struct document *doc, struct cooc_err *err)
{
    int rc = 0;

    if (r->feed) {
        rc = feed_next(r->feed, doc, err);
        if (rc > 0)
            r->stats.bytes += doc->text_len;
        return rc;
    }
    if (!r->in.options->group_by)
        return next_row(r, doc, err);
    if (!r->grouper)
        rc = grouper_open(&r->grouper, &r->in, reader_kind(r), next_row, r,
                          err);
    return rc < 0 ? rc : grouper_next(r->grouper, doc, err);
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
    division_describe(d, o, &p);
    p.records = r->in.fields.records > 0;
    p.any_text = r->in.fields.any_text;
    return p;
}

int reader_add_invalid(struct reader *r, uint64_t entry, const char *file,
                       uint64_t bytes, struct cooc_err *err)
{
    return invalid_add(&r->invalid, entry, file, bytes, err);
}

void reader_note_invalid(const struct reader *r)
{
    invalid_note(&r->invalid, r->in.watch);
}

void reader_set_tmpdir(struct reader *r, const char *dir)
{
    r->in.tmpdir = dir;
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
