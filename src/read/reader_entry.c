/* reader_entry.c - from inputs to entries: open files, choose their formats. */
#include "read/reader_state.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "read/recode.h"
#include "read/stream.h"

int reader_next_file(struct reader *r, struct cooc_err *err)
{
    struct input_files *all = &r->files;
    int rc = input_files_next(all, &r->stats, err);

    r->in.path = rc > 0 ? all->path : NULL;
    if (rc <= 0)
        return rc;
    if (all->begins)
        r->format = r->asked;
    if (all->format)
        r->format = all->format;
    rc = all->cut ? stream_open_range(&r->stream, all->path, all->range,
                                      &r->stats, r->in.watch, err)
                  : stream_open(&r->stream, all->path, &r->stats,
                                r->in.watch, err);
    if (rc == 0)
        stream_limit(r->stream, r->in.text.max);
    return rc < 0 ? rc : 1;
}

/* Must the format of this entry be guessed?  A range of a file does not begin
 * with what shows its format. */
static bool must_guess(const struct reader *r)
{
    return !r->format || (!r->asked && r->in.found && !r->files.format);
}

/* Detect the format from the name and the first bytes of the entry. */
static int detect(struct reader *r, struct cooc_err *err)
{
    struct sample s = { .name = stream_name(r->stream), .many = r->in.found,
                        .many_texts = r->many_texts };
    const char *encoding = r->in.options->encoding;
    struct buf sample = { 0 };
    uint64_t ignored;
    size_t mark = 0;
    int rc;

    rc = stream_peek(r->stream, SAMPLE_SIZE + 1, &s.data, &s.len, err);
    if (rc < 0)
        return rc;
    s.cut = s.len > SAMPLE_SIZE;
    if (s.cut)
        s.len = SAMPLE_SIZE;
    if (!encoding)
        encoding = encoding_mark(s.data, s.len, &mark);
    s.data += mark;
    s.len -= mark;
    if (encoding && !encoding_is_utf8(encoding)) {
        rc = recode(encoding, s.data, s.len, !s.cut, &sample, &ignored, err);
        s.data = sample.data;
        s.len = sample.len;
    }
    if (rc == 0)
        r->format = detect_format(&s);
    if (rc == 0 && r->before.format)
        rc = format_expect(&r->format, s.name, &r->before, err);
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
    r->office = stream_is_office(r->stream);
    if (r->office) {
        r->format = &format_html;
        return 0;
    }
    if (r->asked)
        r->format = r->asked;
    return must_guess(r) ? detect(r, err) : 0;
}

static int begin_entry(struct reader *r, struct cooc_err *err)
{
    struct input *in = &r->in;
    int rc = 0;

    in->name = stream_name(r->stream);
    in->found = r->files.found || stream_is_archive(r->stream);
    in->documents = 0;
    rc = reader_choose_format(r, err);
    if (rc == 0)
        rc = check_kind(r, err);
    if (rc == 0)
        rc = find_state(r, err);
    if (rc == 0)
        rc = format_check_group(r->format, in->name, in->options, err);
    if (rc == 0 && r->format == &format_lines && !r->asked &&
        !r->before.format)
        watch_note(in->watch, (struct cooc_note){ .kind = COOC_NOTE_LINES,
                                                  .path = in->name,
                                                  .text = "" });
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

int reader_next_entry(struct reader *r, struct cooc_err *err)
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
        rc = reader_next_file(r, err);
        if (rc <= 0)
            return rc;
    }
}
