/* reader_entry.c - from inputs to entries: open files, choose their formats. */
#include "read/reader_state.h"

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "read/binary.h"
#include "read/recode.h"
#include "read/stream.h"

/* Does the format that the user named leave open whether a file is text?  In a
 * folder or an archive, one document per file means: per file of text. */
static bool may_be_binary(const struct reader *r)
{
    return !r->asked || (r->in.found && (r->asked == &format_files ||
                                         r->asked == &format_html));
}

int reader_refuse_binary(const struct reader *r, const char *name,
                         struct cooc_err *err)
{
    return r->in.found ? 0 : binary_refuse(r->binary, name, err);
}

/* Skip the file or entry `name`, which is not text; fail if the user named
 * it. */
static int skip_binary(struct reader *r, const char *name, struct cooc_err *err)
{
    char text[BINARY_TEXT_MAX];
    int rc = reader_refuse_binary(r, name, err);

    if (rc < 0)
        return rc;
    r->stats.skipped++;
    binary_describe(r->binary, text);
    if (!r->is_probe)
        watch_note(r->in.watch, (struct cooc_note){ .kind = COOC_NOTE_BINARY,
                                                    .path = name,
                                                    .text = text });
    return 0;
}

static int open_file(struct reader *r, struct cooc_err *err)
{
    struct input_files *all = &r->files;
    int rc;

    rc = all->cut
             ? stream_open_range(&r->stream, all->path, all->range, &r->stats,
                                 r->in.watch, err)
             : stream_open(&r->stream, all->path, &r->stats, r->in.watch, err);
    if (rc < 0)
        return rc;
    stream_limit(r->stream, r->in.text.max);
    if (!r->is_probe)
        stream_note_hidden(r->stream);
    return 0;
}

int reader_next_file(struct reader *r, struct cooc_err *err)
{
    struct input_files *all = &r->files;
    int rc;

    while ((rc = input_files_next(all, &r->stats, err)) > 0) {
        r->in.path = r->in.name = all->path;
        r->in.found = all->found;
        if (all->begins)
            r->format = r->asked;
        if (all->format)
            r->format = all->format;
        rc = open_file(r, err);
        if (rc < 0)
            return rc;
        r->binary = stream_binary(r->stream);
        if (!r->binary || !may_be_binary(r))
            return 1;
        stream_close(r->stream); /* the whole archive is not text */
        r->stream = NULL;
        rc = skip_binary(r, all->path, err);
        if (rc < 0)
            return rc;
    }
    r->in.path = NULL;
    return rc;
}

/* Must the format of this entry be guessed?  A range of a file does not begin
 * with what shows its format. */
static bool must_guess(const struct reader *r)
{
    return !r->format || (!r->asked && r->in.found && !r->files.format);
}

/* Detect the format from the name and the first bytes of the entry, of which s
 * has at least SAMPLE_SIZE, unconverted.  Also whether it is text. */
static int detect(struct reader *r, struct sample *s, struct cooc_err *err)
{
    struct buf sample = { 0 };
    uint64_t ignored;
    int rc = 0;

    s->many = r->in.found;
    s->many_texts = r->many_texts;
    s->cut = s->len > SAMPLE_SIZE;
    if (s->cut)
        s->len = SAMPLE_SIZE;
    s->data += r->encoding.mark;
    s->len -= r->encoding.mark;
    if (encoding_converts(&r->encoding)) {
        rc = recode(r->encoding.name, s->data, s->len, !s->cut, &sample,
                    &ignored, err);
        s->data = sample.data;
        s->len = sample.len;
    }
    if (rc == 0 && must_guess(r)) {
        r->format = detect_format(s);
        if (r->before.format)
            rc = format_expect(&r->format, s->name, &r->before, err);
    }
    if (rc == 0 && !r->binary)
        r->not_text =
            r->format->takes_any && may_be_binary(r) && binary_is_unknown(s);
    buf_release(&sample);
    return rc;
}

/* Peek at the beginning of the entry, as far as its format and encoding depend
 * on it.  Damage after that is found when it is reached. */
static int take_sample(struct reader *r, struct sample *s, struct cooc_err *err)
{
    bool guess = must_guess(r), named = r->in.encoding.named != NULL;
    int rc = stream_sample(r->stream, guess ? SAMPLE_SIZE + 1 : 4, &s->data,
                           &s->len, err);

    s->name = stream_name(r->stream);
    if (rc == 0 && !named && (guess || !r->format->is_raw))
        rc = stream_sample(r->stream, ENCODING_SAMPLE, &s->data, &s->len, err);
    else if (rc == 0 && !guess && may_be_binary(r))
        rc = stream_sample(r->stream, SAMPLE_SIZE + 1, &s->data, &s->len, err);
    return rc;
}

/* Check that the input is of the same kind, text or terms, as the first one. */
static int check_kind(struct reader *r, struct cooc_err *err)
{
    if (!r->first) {
        r->first = r->format;
        r->first_input = r->files.input;
    }
    return format_compare(r->format, r->in.found ? r->in.name : r->files.input,
                          r->first, r->first_input, r->in.options, err);
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

int reader_choose_format(struct reader *r, struct cooc_err *err)
{
    struct sample s = { 0 };
    int rc;

    r->office = stream_is_office(r->stream);
    r->empty = r->not_text = false;
    r->binary = NULL;
    r->encoding = (struct encoding){ .name = "UTF-8" };
    if (r->office) {
        r->format = &format_html;
        return 0;
    }
    if (r->asked)
        r->format = r->asked;
    if (r->files.cut) /* in UTF-8, and of a known format */
        return 0;
    rc = take_sample(r, &s, err);
    if (rc == 0)
        rc = encoding_find(&r->encoding, &r->in.encoding, s.data, s.len, err);
    if (rc < 0)
        return rc;
    r->empty = s.len == r->encoding.mark;
    if (may_be_binary(r))
        r->binary = binary_detect(s.name, s.data, s.len);
    r->not_text = r->binary != NULL;
    return must_guess(r) || may_be_binary(r) ? detect(r, &s, err) : 0;
}

/* Begin to convert the entry to UTF-8. */
static int begin_text(struct reader *r, struct cooc_err *err)
{
    struct input *in = &r->in;
    const struct encoding *e = &r->encoding;
    bool converts = encoding_converts(e);
    bool later = r->format->is_page && e->source == ENCODING_GUESSED &&
                 ascii_ncasecmp(e->name, "utf-16", 6) != 0;

    in->other = r->format == &format_html || converts ? e->name : NULL;
    in->encoding_noted = r->is_probe || r->format == &format_warc;
    if (r->files.cut && r->files.range.from) {
        text_begin_within(&in->text, r->stream);
        return 0;
    }
    if (r->format->is_raw) {
        in->other = NULL;
        text_begin_raw(&in->text, r->stream);
        return 0;
    }
    if (converts && !later && e->source != ENCODING_NAMED)
        input_note_encoding(in, e->name);
    return text_begin(&in->text, r->stream, later ? NULL : e->name,
                      &r->stats.invalid_bytes, err);
}

/* Note what the user may not expect about the entry. */
static void note_entry(const struct reader *r)
{
    const struct input *in = &r->in;
    bool lines = r->format == &format_lines && !r->asked && !r->before.format;

    if (lines)
        watch_note(in->watch, (struct cooc_note){ .kind = COOC_NOTE_LINES,
                                                  .path = in->name,
                                                  .text = "" });
    if (r->empty)
        watch_note(in->watch, (struct cooc_note){ .kind = COOC_NOTE_EMPTY,
                                                  .path = in->name,
                                                  .text = "" });
}

/* Begin the entry: 1; 0: it was skipped; < 0: failed. */
static int begin_entry(struct reader *r, struct cooc_err *err)
{
    struct input *in = &r->in;
    bool is_first = !r->first;
    int rc;

    in->name = stream_name(r->stream);
    in->unfit = false;
    in->found = r->files.found || stream_is_archive(r->stream);
    in->documents = 0;
    r->entry++;
    r->invalid_before = r->stats.invalid_bytes;
    rc = reader_choose_format(r, err);
    if (rc == 0 && r->not_text)
        return skip_binary(r, in->name, err);
    if (rc == 0)
        rc = check_kind(r, err);
    if (rc == 0)
        rc = find_state(r, err);
    if (rc == 0) {
        rc = format_check_group(r->format, in->name, in->options, err);
        in->unfit = rc == COOC_EINVAL;
    }
    if (rc == 0)
        note_entry(r);
    if (rc == 0 && r->files.n == 1 && !in->found && !r->files.divided)
        rc = reading_check_used(in->options, r->uses, r->format->name, err);
    if (rc == 0)
        rc = begin_text(r, err);
    if (rc == 0 && r->format->begin)
        rc = r->format->begin(in, err);
    r->in_entry = rc == 0;
    if (in->unfit && is_first)
        r->first = NULL;
    return rc < 0 ? rc : 1;
}

/* Record the invalid bytes that the reader found in the entry. */
static int end_entry(struct reader *r, struct cooc_err *err)
{
    uint64_t n = r->stats.invalid_bytes - r->invalid_before;

    r->invalid_before = r->stats.invalid_bytes;
    return n && r->in.name
               ? invalid_add(&r->invalid, r->entry, r->in.name, n, err)
               : 0;
}

int reader_next_entry(struct reader *r, struct cooc_err *err)
{
    int rc = end_entry(r, err);

    while (rc >= 0) {
        if (r->leave_file) {
            stream_close(r->stream);
            r->stream = NULL;
            r->leave_file = false;
        }
        rc = r->stream ? stream_entry(r->stream, err) : 0;
        if (rc > 0) {
            rc = begin_entry(r, err);
            if (rc != 0)
                return rc;
            continue; /* it was skipped */
        }
        if (rc < 0)
            return rc;
        stream_close(r->stream);
        r->stream = NULL;
        rc = reader_next_file(r, err);
        if (rc <= 0)
            return rc;
    }
    return rc;
}
