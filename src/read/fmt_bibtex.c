/* fmt_bibtex.c - BibTeX.
 *
 *     @string{jtea = "Journal of Tea"}
 *     @article{ito2020,
 *         author = {Ito, A. and Roe, B.},
 *         title = {Caf{\'e} culture},
 *         journal = jtea # " B",
 *         year = 2020
 *     }
 *
 * An entry (bibtex_scan.c) is divided into fields; only fields that are needed
 * are converted from TeX (tex_text.c).  Text outside entries is ignored, as are
 * @comment and @preamble.  Names are separate values, and so are cited
 * references, which the Web of Science writes one per line.  A name that no
 * @string defines stands for itself.
 */
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "cooc.h"
#include "read/bib_record.h"
#include "read/bib_strings.h"
#include "read/bibtex_scan.h"
#include "read/format.h"
#include "read/input.h"
#include "read/tex_text.h"

struct bibtex_state {
    struct bib_record record;
    struct bib_strings strings; /* of the current entry of the input */
    struct bibtex_scan scan;
    struct buf value; /* of a field, as it is written */
    struct buf text;  /* the same, converted */
};

/* ---- divide it into fields ----------------------------------------------- */

struct cursor {
    const char *from, *at, *end; /* of the entry; a '\n' is at end */
};

static void skip(struct cursor *c, const char *set)
{
    while (c->at < c->end && memchr(set, *c->at, strlen(set)))
        c->at++;
}

static uint64_t line_of(const struct bibtex_state *s, const struct cursor *c)
{
    uint64_t line = s->scan.line;

    for (const char *p = c->from; (p = memchr(p, '\n', (size_t)(c->at - p)));)
        p++, line++;
    return line;
}

static int expected(const struct bibtex_state *s, struct input *in,
                    const struct cursor *c, const char *what,
                    struct cooc_err *err)
{
    size_t left = (size_t)(c->end - c->at);
    size_t n = left ? strcspn(c->at, "\n") : 0;

    if (!left)
        return input_bad_record(in, line_of(s, c), err,
                                "expected %s, found the end of the entry",
                                what);
    return input_bad_record(in, line_of(s, c), err,
                            "expected %s, found '%.*s'", what,
                            n < 30 ? (int)n : 30, c->at);
}

/* A name of a field or of a string, or a number. */
static struct field read_name(struct cursor *c)
{
    struct field name = { .name = c->at };

    while (c->at < c->end && !memchr(" \t\n\v\f\r\"#%'(),={}", *c->at, 16))
        c->at++;
    name.len = (size_t)(c->at - name.name);
    return name;
}

/* Read a piece in braces or quotation marks, without them.  False: it does not
 * end. */
static bool read_piece(struct cursor *c, struct field *piece)
{
    char close = *c->at == '{' ? '}' : '"';
    size_t depth = 0;

    piece->name = ++c->at;
    for (; c->at < c->end; c->at++) {
        if (!depth && *c->at == close) {
            piece->len = (size_t)(c->at++ - piece->name);
            return true;
        }
        if (*c->at == '{')
            depth++;
        else if (*c->at == '}' && depth)
            depth--;
    }
    return false;
}

/* Read a value, piece # piece ..., into s->value. */
static int read_value(struct bibtex_state *s, struct input *in,
                      struct cursor *c, struct cooc_err *err)
{
    int rc = 0;

    s->value.len = 0;
    do {
        struct field piece = { 0 };

        skip(c, ASCII_SPACE);
        if (c->at < c->end && (*c->at == '{' || *c->at == '"')) {
            const char *from = c->at;

            if (!read_piece(c, &piece)) {
                c->at = from;
                return expected(s, in, c, "a value that is closed", err);
            }
        } else {
            piece = read_name(c);
            if (!piece.len)
                return expected(s, in, c, "a value", err);
            bib_strings_find(&s->strings, &piece.name, &piece.len);
        }
        rc = input_room_for(in, s->value.len, piece.len, err);
        if (rc == 0 && piece.len)
            rc = buf_add(&s->value, piece.name, piece.len, err);
        skip(c, ASCII_SPACE);
    } while (rc == 0 && c->at < c->end && *c->at == '#' && c->at++);
    return rc;
}

/* ---- values -------------------------------------------------------------- */

static bool is_one_of(const struct field *name, const char *const *names)
{
    for (; *names; names++)
        if (ascii_is(name->name, name->len, *names))
            return true;
    return false;
}

static const char *const people[] = { "author", "editor", NULL };
static const char *const references[] = { "cited-references", NULL };
static const char *const addresses[] = { "doi", "url", "eprint", "file", NULL };

static int add_one(struct bibtex_state *s, struct input *in,
                   const struct field *name, const char *value, size_t len,
                   struct cooc_err *err)
{
    int rc;

    s->text.len = 0;
    rc = tex_text(value, len, is_one_of(name, addresses), &s->text, err);
    if (rc < 0 || (is_one_of(name, people) &&
                   ascii_is(s->text.data, s->text.len, "others")))
        return rc;
    return bib_add(&s->record, in, name->name, name->len, s->text.data,
                   s->text.len, err);
}

/* The length of value up to the word "and" outside braces, or up to the end;
 * *next is where to continue. */
static size_t up_to_and(const char *value, const char *end, const char **next)
{
    size_t depth = 0;

    for (const char *p = value; p < end; p++) {
        depth += *p == '{';
        depth -= *p == '}' && depth;
        if (!depth && end - p > 4 && ascii_space(p[0]) &&
            ascii_space(p[4]) && !ascii_ncasecmp(p + 1, "and", 3)) {
            *next = p + 4;
            return (size_t)(p - value);
        }
    }
    *next = end;
    return (size_t)(end - value);
}

static int add_values(struct bibtex_state *s, struct input *in,
                      const struct field *name, struct cooc_err *err)
{
    const char *at = s->value.len ? s->value.data : "";
    const char *end = at + s->value.len, *next;
    bool names = is_one_of(name, people), lines = is_one_of(name, references);
    int rc = 0;

    if (!bib_wants(&s->record, in, name->name, name->len))
        return bib_add(&s->record, in, name->name, name->len, "", 0, err);
    do {
        size_t len = (size_t)(end - at);
        const char *nl = lines ? memchr(at, '\n', len) : NULL;

        next = nl ? nl + 1 : end;
        len = nl ? (size_t)(nl - at) : len;
        if (names)
            len = up_to_and(at, end, &next);
        rc = add_one(s, in, name, at, len, err);
        at = next;
    } while (rc == 0 && at < end);
    return rc;
}

static int read_fields(struct bibtex_state *s, struct input *in,
                       struct cursor *c, struct cooc_err *err)
{
    for (;;) {
        struct field name;
        int rc;

        skip(c, ", \t\n\v\f\r");
        if (c->at == c->end)
            return 0;
        name = read_name(c);
        if (!name.len)
            return expected(s, in, c, "the name of a field", err);
        skip(c, ASCII_SPACE);
        if (c->at == c->end || *c->at != '=')
            return expected(s, in, c, "= after the name of a field", err);
        c->at++;
        rc = read_value(s, in, c, err);
        if (rc == 0)
            rc = add_values(s, in, &name, err);
        if (rc < 0)
            return rc;
        if (c->at < c->end && *c->at != ',')
            return expected(s, in, c, "a comma after a value", err);
    }
}

/* @string{name = value} */
static int define(struct bibtex_state *s, struct input *in, struct cursor *c,
                  struct cooc_err *err)
{
    struct field name;
    int rc;

    skip(c, ASCII_SPACE);
    name = read_name(c);
    skip(c, ASCII_SPACE);
    if (!name.len || c->at == c->end || *c->at != '=')
        return expected(s, in, c, "a name and =", err);
    c->at++;
    rc = read_value(s, in, c, err);
    if (rc == 0)
        rc = input_room_for(in, s->strings.text.len, s->value.len, err);
    return rc < 0 ? rc : bib_strings_add(&s->strings, name.name, name.len,
                                         s->value.data, s->value.len, err);
}

/* ---- the format ---------------------------------------------------------- */

static const char *const text[] = { "title", NULL, "abstract", NULL, NULL };
static const char *const none[] = { NULL };
static const struct bib_names bibtex_names = { .any_case = true, .text = text,
                                        .ids = none };

/* 1: the entry is a document; 0: it is not; < 0: failed. */
static int read_entry(struct bibtex_state *s, struct input *in,
                      struct cooc_err *err)
{
    static const char *const ignored[] = { "comment", "preamble", NULL };
    struct field type = { .name = s->scan.type.data, .len = s->scan.type.len };
    const char *entry = s->scan.entry.data;
    struct cursor c = { entry, entry, entry + s->scan.entry.len - 1 };
    const char *key = c.at;
    size_t len;
    int rc;

    if (is_one_of(&type, ignored))
        return 0;
    if (ascii_is(type.name, type.len, "string"))
        return define(s, in, &c, err);
    bib_clear(&s->record, s->scan.line);
    while (c.at < c.end && !memchr(",=", *c.at, 2))
        c.at++;
    if (c.at < c.end && *c.at == '=')
        c.at = key; /* an entry without a key */
    len = (size_t)(c.at - key);
    ascii_trim(&key, &len, ASCII_SPACE);
    rc = buf_add(&s->record.key, key, len, err);
    if (rc == 0)
        rc = read_fields(s, in, &c, err);
    return rc < 0 ? rc : bib_document(&s->record, in, err);
}

static int next_bibtex(struct input *in, struct cooc_err *err)
{
    struct bibtex_state *s = in->state;
    int rc;

    do {
        rc = bibtex_scan_next(&s->scan, in, err);
        if (rc <= 0)
            break;
        rc = read_entry(s, in, err);
    } while (rc == 0);
    if (rc == 0 && !s->scan.any && in->text.line)
        return err_path(err, COOC_EFORMAT, in->name,
                        "is not a BibTeX file: it has no entry that begins "
                        "like @article{");
    return rc;
}

static int begin_bibtex(struct input *in, struct cooc_err *err)
{
    struct bibtex_state *s = in->state;

    s->record.names = &bibtex_names;
    bibtex_scan_begin(&s->scan);
    bib_strings_clear(&s->strings);
    return bib_begin(in, err);
}

static void finish_bibtex(struct input *in)
{
    const struct bibtex_state *s = in->state;

    bib_finish(&s->record, in);
}

static void release_bibtex(void *state)
{
    struct bibtex_state *s = state;

    bib_release(&s->record);
    bib_strings_clear(&s->strings);
    bibtex_scan_release(&s->scan);
    buf_release(&s->value);
    buf_release(&s->text);
}

const struct format format_bibtex = {
    .name = "bibtex",
    .uses = USE_FIELDS | USE_ID | USE_SPLIT,
    .state_size = sizeof(struct bibtex_state),
    .begin = begin_bibtex,
    .next = next_bibtex,
    .finish = finish_bibtex,
    .release = release_bibtex,
};
