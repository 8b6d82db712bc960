/* tagged.c - records of lines that begin with tags. */
#include "read/tagged.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "cooc.h"
#include "read/input.h"

int tagged_begin(struct input *in, struct cooc_err *err)
{
    struct tagged *t = in->state;

    t->line = NULL;
    t->skipping = t->any = false;
    return bib_begin(in, err);
}

static bool is_tag(const struct tag_line *l, const char *tag)
{
    return tag && l->kind == LINE_TAG && l->tag_len == strlen(tag) &&
           !memcmp(l->tag, tag, l->tag_len);
}

static bool is_any(const struct tag_line *l, const char *const *tags)
{
    for (; *tags; tags++)
        if (is_tag(l, *tags))
            return true;
    return false;
}

/* 1: the next line; 0: no more lines; < 0: failed. */
static int next_line(struct tagged *t, struct input *in,
                     const struct tagged_format *f, struct tag_line *l,
                     struct cooc_err *err)
{
    const char *line = t->line;
    size_t len = t->len;
    int rc = 1;

    t->line = NULL;
    if (!line)
        rc = text_line(&in->text, &line, &len, err);
    if (rc <= 0)
        return rc;
    if (len >= 3 && !memcmp(line, "\xef\xbb\xbf", 3))
        line += 3, len -= 3; /* in files that were concatenated */
    t->len = len;
    f->parse(line, len, l);
    if (l->kind != LINE_TAG)
        l->value = line, l->value_len = len;
    return 1;
}

/* Read this line again; it lives until another one is read. */
static void put_back(struct tagged *t, const struct tag_line *l)
{
    t->line = l->kind == LINE_TAG ? l->tag : l->value;
}

static int malformed(struct tagged *t, struct input *in,
                     const struct tagged_format *f, const struct tag_line *l,
                     struct cooc_err *err)
{
    t->skipping = true;
    if (l->kind == LINE_TAG)
        return input_bad_record(in, in->text.line, err,
                                "a record begins with %.*s instead of %s",
                                (int)l->tag_len, l->tag, f->begin);
    return input_bad_record(in, in->text.line, err,
                            "expected a tag or the continuation of a line, "
                            "found '%.*s'; check that this is %s",
                            l->value_len < 30 ? (int)l->value_len : 30,
                            l->value, f->what);
}

/* Does the line end what is skipped?  If it begins a record, it is read again.
 */
static bool ends_skipping(struct tagged *t, const struct tagged_format *f,
                          const struct tag_line *l)
{
    if (is_tag(l, f->begin) || is_any(l, f->around)) {
        put_back(t, l);
        return true;
    }
    return f->end ? is_tag(l, f->end) : l->kind == LINE_BLANK;
}

/* Find the next record: 1, with its first line in *l; 0: no more records. */
static int find_record(struct tagged *t, struct input *in,
                       const struct tagged_format *f, struct tag_line *l,
                       struct cooc_err *err)
{
    int rc;

    while ((rc = next_line(t, in, f, l, err)) > 0) {
        if (t->skipping) {
            t->skipping = !ends_skipping(t, f, l);
            continue;
        }
        if (l->kind == LINE_BLANK || is_any(l, f->around) || is_tag(l, f->end))
            continue;
        if (l->kind == LINE_TAG && (!f->must_begin || is_tag(l, f->begin))) {
            t->any = true;
            bib_clear(&t->record, in->text.line);
            return 1;
        }
        /* Some programs write lines of their own before the first record. */
        if (f->must_begin && l->kind == LINE_MORE)
            continue;
        t->any = true;
        return malformed(t, in, f, l, err);
    }
    if (rc == 0 && f->must_begin && !t->any && in->text.line)
        return err_path(err, COOC_EFORMAT, in->name,
                        "is not %s: it has no line that begins with %s",
                        f->what, f->begin);
    return rc;
}

/* Remove asterisks at the beginning of a value and after '/'. */
static int remove_stars(struct tagged *t, struct tag_line *l,
                        struct cooc_err *err)
{
    const char *text = l->value;
    size_t len = l->value_len;
    char before = l->kind == LINE_TAG ? '/' : ' ';
    int rc = 0;

    ascii_trim(&text, &len, ASCII_SPACE);
    t->plain.len = 0;
    for (size_t i = 0; i < len && rc == 0; i++) {
        if (text[i] != '*' || before != '/')
            rc = buf_byte(&t->plain, text[i], err);
        before = text[i];
    }
    l->value = t->plain.len ? t->plain.data : "";
    l->value_len = t->plain.len;
    return rc;
}

/* Add a line of the current record. */
static int add_line(struct tagged *t, struct input *in,
                    const struct tagged_format *f, struct tag_line *l,
                    struct cooc_err *err)
{
    if (l->kind == LINE_BLANK)
        return 0;
    if (l->kind == LINE_OTHER)
        return malformed(t, in, f, l, err);
    if (l->kind == LINE_TAG)
        t->starred = is_any(l, f->starred);
    if (t->starred && memchr(l->value, '*', l->value_len)) {
        int rc = remove_stars(t, l, err);

        if (rc < 0)
            return rc;
    }
    if (l->kind == LINE_MORE)
        return t->tag_len ? bib_add(&t->record, in, t->tag, t->tag_len,
                                    l->value, l->value_len, err)
                          : bib_more(&t->record, in, l->value, l->value_len,
                                     err);
    t->tag_len = is_any(l, f->lists) ? l->tag_len : 0;
    memcpy(t->tag, l->tag, t->tag_len);
    return bib_add(&t->record, in, l->tag, l->tag_len, l->value, l->value_len,
                   err);
}

int tagged_next(struct input *in, const struct tagged_format *f,
                struct cooc_err *err)
{
    struct tagged *t = in->state;
    struct tag_line l;
    int rc;

    t->record.names = &f->names;
    rc = find_record(t, in, f, &l, err);
    if (rc <= 0)
        return rc;
    do {
        rc = add_line(t, in, f, &l, err);
        if (rc == 0)
            rc = next_line(t, in, f, &l, err);
        if (rc < 0)
            return rc;
        if (rc == 0 || is_tag(&l, f->begin) || is_any(&l, f->around)) {
            if (rc > 0)
                put_back(t, &l);
            if (!f->end)
                break;
            return input_bad_record(in, t->record.line, err,
                                    "the record is not ended by a line with "
                                    "%s", f->end);
        }
    } while (f->end ? !is_tag(&l, f->end) : l.kind != LINE_BLANK);
    return bib_document(&t->record, in, err);
}

void tagged_finish(struct input *in)
{
    const struct tagged *t = in->state;

    bib_finish(&t->record, in);
}

void tagged_release(void *state)
{
    struct tagged *t = state;

    bib_release(&t->record);
    buf_release(&t->plain);
}
