/* input.c - helpers that all formats share. */
#include "read/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/pool.h"
#include "base/watch.h"
#include "cooc.h"
#include "read/group_runs.h"
#include "read/html_text.h"
#include "read/scan.h"
#include "read/stream.h"

/* Bytes of input between two reports of progress. */
#define WATCH_AFTER ((uint64_t)256 << 10)

static void vocab_release(struct vocab *v)
{
    mem_free(v->path);
    mem_free(v->ends);
    buf_release(&v->words);
    *v = (struct vocab){ 0 };
}

void input_release(struct input *in)
{
    text_release(&in->text);
    buf_release(&in->label);
    buf_release(&in->body);
    buf_release(&in->ends);
    buf_release(&in->scratch);
    vocab_release(&in->vocab);
    fields_release(&in->fields);
}

int input_name(struct input *in, uint64_t number, struct cooc_err *err)
{
    size_t len = strlen(in->name);
    int rc;

    in->label.len = 0;
    rc = buf_reserve(&in->label, len + 1 + DECIMAL_U64, err);
    if (rc < 0)
        return rc;
    memcpy(in->label.data, in->name, len);
    in->label.data[len++] = ':';
    in->label.len = len + decimal_u64(in->label.data + len, number);
    input_label(in);
    return 0;
}

void input_label(struct input *in)
{
    in->doc.name = in->label.len ? in->label.data : "";
    in->doc.name_len = in->label.len;
}

void input_text(struct input *in, const struct buf *text)
{
    in->doc.text = text->len ? text->data : "";
    in->doc.text_len = text->len;
}

const char *input_charset(const struct input *in)
{
    bool known = in->encoding.named || in->text.recoder || in->text.marked;

    return known ? "UTF-8" : NULL;
}

void input_note_encoding(struct input *in, const char *encoding)
{
    if (!in->encoding_noted)
        watch_note(in->watch, (struct cooc_note){ .kind = COOC_NOTE_ENCODING,
                                                  .path = in->name,
                                                  .text = encoding });
    in->encoding_noted = true;
}

int input_page(struct input *in, const char *html, size_t len,
               const char *charset, struct cooc_err *err)
{
    const struct html_hints hints = { charset, in->other,
                                      in->encoding.fallback };
    char guessed[HTML_CHARSET_MAX];
    int rc;

    in->scratch.len = 0;
    rc = html_text(html, len, &hints, &in->scratch,
                   in->wants_ends ? &in->ends : NULL,
                   &in->stats->invalid_bytes, guessed, err);
    if (rc == 0 && *guessed)
        input_note_encoding(in, guessed);
    input_text(in, &in->scratch);
    return rc;
}

int input_fields(struct input *in, struct scan *line, struct cooc_err *err)
{
    const char *text = "";
    size_t len = 0;
    int rc = text_line(&in->text, &text, &len, err);

    *line = scan_of(text, len);
    scan_blanks(line);
    return rc;
}

int input_add_line(struct input *in, const char *text, size_t len,
                   struct cooc_err *err)
{
    int rc = input_room(in, len + 1, err);

    if (rc == 0)
        rc = buf_add(&in->body, text, len, err);
    return rc < 0 ? rc : buf_byte(&in->body, '\n', err);
}

const char *document_advice(size_t max)
{
    return max < DOCUMENT_MAX ? "split it, or allow more memory"
                              : "split it, or see whether another format "
                                "finds the documents in it";
}

const char *document_option(size_t max)
{
    return max < DOCUMENT_MAX ? "memory" : "format";
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

int input_room(const struct input *in, size_t extra, struct cooc_err *err)
{
    return input_room_for(in, in->body.len, extra, err);
}

int input_room_for(const struct input *in, size_t len, size_t extra,
                   struct cooc_err *err)
{
    if (extra > in->text.max || len > in->text.max - extra)
        return err_path_option(err, COOC_ELIMIT, in->name,
                               document_option(in->text.max),
                               "a document is larger than %zu MiB; %s",
                               in->text.max >> 20,
                               document_advice(in->text.max));
    return 0;
}

int input_whole(struct input *in, struct cooc_err *err)
{
    const char *data;
    size_t len;
    int rc;

    while ((rc = text_block(&in->text, &data, &len, err)) > 0) {
        rc = input_room(in, len, err);
        if (rc == 0)
            rc = buf_add(&in->body, data, len, err);
        if (rc < 0)
            break;
    }
    return rc;
}

int input_wrong(struct input *in, struct cooc_err *err, const char *fmt,
                ...)
{
    char why[320];
    va_list ap;
    int rc;

    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    rc = text_number_lines(&in->text, err);
    return rc < 0 ? rc : err_line(err, COOC_EFORMAT, in->name, in->text.line,
                                  "%s", why);
}

int input_bad_record(struct input *in, uint64_t line, struct cooc_err *err,
                     const char *fmt, ...)
{
    uint64_t before = in->text.line;
    char why[320];
    va_list ap;
    int rc;

    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    rc = text_number_lines(&in->text, err);
    if (rc < 0)
        return rc;
    in->bad_record = true;
    in->bad_line = line + (in->text.line - before);
    return err_line(err, COOC_EFORMAT, in->name, in->bad_line, "%s", why);
}

int reader_stats_watch(struct reader_stats *stats, struct watch *watch,
                       struct cooc_err *err)
{
    uint64_t bytes = stats->bytes - stats->watched;

    if (bytes < WATCH_AFTER)
        return 0;
    stats->watched += bytes;
    return watch_add(watch, bytes, 0, 0, err);
}

bool reader_is_bad(int code)
{
    return code == COOC_EFORMAT || code == COOC_ELIMIT || code == COOC_EIO ||
           code == COOC_ENOTFOUND;
}

bool input_is_bad(const struct input *in, int code)
{
    return in->path && reader_is_bad(code); /* an input has been opened */
}

void input_note_bad(struct input *in, const struct cooc_err *why)
{
    const char *path = in->bad_file ? in->path : in->name;
    const char *text = why->text;
    size_t n = strlen(path);
    uint64_t line = in->bad_record ? in->bad_line : 0;

    if (in->bad_record)
        in->stats->bad_records++;
    else
        in->stats->bad_files++;
    if (!strncmp(text, path, n) && text[n] == ':') {
        size_t digits = strspn(text + n + 1, "0123456789");

        text += n + 1;
        if (digits && text[digits] == ':') { /* it is about a line */
            line = strtoull(text, NULL, 10);
            text += digits + 1;
        }
        text += *text == ' ';
    }
    watch_note(in->watch, (struct cooc_note){ .kind = COOC_NOTE_BAD,
                                              .path = path, .line = line,
                                              .text = text });
}

int input_check_group(struct input *in, struct cooc_err *err)
{
    if (in->doc.name && in->doc.name_len > GROUP_NAME_MAX)
        return input_bad_record(in, in->text.line, err,
                                "the value to group by is longer than %u "
                                "bytes; group by another column",
                                GROUP_NAME_MAX);
    if (!in->doc.name_len)
        return input_bad_record(in, in->text.line, err,
                                "the row has no value to group by; remove the "
                                "row or fill in '%.80s'",
                                in->options->group_by);
    return 1;
}

/* ---- vocabularies ------------------------------------------------------- */

static int read_words(struct vocab *v, struct text *text,
                      struct cooc_err *err)
{
    const char *word;
    size_t len;
    int rc;

    while ((rc = text_line(text, &word, &len, err)) > 0) {
        rc = array_grow(&v->ends, &v->cap, v->n + 1, sizeof *v->ends, err);
        if (rc == 0)
            rc = buf_add(&v->words, word, len, err);
        if (rc < 0)
            return rc;
        v->ends[v->n++] = v->words.len;
    }
    return rc;
}

static int begin_vocab(struct input *in, struct text *text, struct stream *s,
                       const char *path, struct cooc_err *err)
{
    struct encoding found;
    const char *data;
    size_t len;
    int rc = stream_sample(s, ENCODING_SAMPLE, &data, &len, err);

    if (rc == 0)
        rc = encoding_find(&found, &in->encoding, data, len, err);
    if (rc == 0 && found.source != ENCODING_NAMED && encoding_converts(&found))
        watch_note(in->watch, (struct cooc_note){ .kind = COOC_NOTE_ENCODING,
                                                  .path = path,
                                                  .text = found.name });
    return rc < 0 ? rc : text_begin(text, s, found.name,
                                    &in->stats->invalid_bytes, err);
}

int vocab_load(struct input *in, const char *path, struct cooc_err *err)
{
    struct vocab *v = &in->vocab;
    struct reader_stats apart = { 0 }; /* its bytes are not documents */
    struct stream *s = NULL;
    struct text text = { .max = in->text.max };
    int rc;

    if (v->path && path && strcmp(v->path, path) == 0)
        return 0;
    vocab_release(v);
    if (!path)
        return 0;
    rc = stream_open(&s, path, &apart, NULL, err);
    if (rc == 0)
        rc = stream_entry(s, err);
    if (rc == 0)
        rc = err_path(err, COOC_EFORMAT, path, "does not contain a file");
    if (rc > 0)
        rc = begin_vocab(in, &text, s, path, err);
    if (rc == 0)
        rc = read_words(v, &text, err);
    if (rc == 0) {
        v->path = mem_dup(path, strlen(path));
        rc = v->path ? 0 : err_nomem(err);
    }
    text_release(&text);
    stream_close(s);
    return rc;
}

int vocab_add_term(struct input *in, uint64_t index, uint64_t id,
                   struct cooc_err *err)
{
    const struct vocab *v = &in->vocab;
    char digits[DECIMAL_U64];
    size_t start, len;

    if (!v->path)
        return input_add_line(in, digits, decimal_u64(digits, id), err);
    start = index ? v->ends[index - 1] : 0;
    len = v->ends[index] - start;
    return input_add_line(in, len ? v->words.data + start : "", len, err);
}
