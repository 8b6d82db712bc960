/* annotated.c - text that is already divided into tokens, one per line. */
#include "read/annotated.h"

#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/watch.h"
#include "base/fold_text.h"
#include "base/utf8.h"
#include "cooc_build.h"
#include "read/input.h"
#include "read/scan.h"

/* ---- options ------------------------------------------------------------- */

/* The number of the column name[0..len), or 0. */
static unsigned find_column(const char *name, size_t len,
                            const struct column_names *names)
{
    struct scan s = scan_of(name, len);
    uint64_t number;

    if (scan_u64(&s, &number) && !scan_left(&s))
        return number <= names->max ? (unsigned)number : 0;
    for (unsigned i = 0; names->names[i]; i++)
        if (ascii_is(name, len, names->names[i]))
            return i + 1;
    return 0;
}

static int unknown(const char *option, const char *name, size_t len,
                   const struct column_names *names, struct cooc_err *err)
{
    char known[160] = "";

    for (const char *const *n = names->names; *n; n++) {
        strncat(known, *n, sizeof known - strlen(known) - 1);
        strncat(known, ", ", sizeof known - strlen(known) - 1);
    }
    return err_option(err, COOC_EINVAL, option,
                      "there is no column '%.*s'; use %s%sor a number from 1 "
                      "to %u", len < 40 ? (int)len : 40, name, known,
                      names->surface ? "surface, " : "", names->max);
}

static void note_column(struct columns *c, unsigned column)
{
    if (column > c->last)
        c->last = column;
}

/* Read "form", "lemma+upos" or "3". */
static int read_columns(struct columns *c, const char *text,
                        const struct column_names *names,
                        struct cooc_err *err)
{
    const char *plus;

    do {
        const char *name = text;
        size_t len = strcspn(text, "+");
        unsigned column;

        plus = text[len] ? text + len : NULL;
        text += len + 1;
        ascii_trim(&name, &len, ASCII_SPACE);
        column = find_column(name, len, names);
        if (!column)
            return unknown("column", name, len, names, err);
        if (c->n == COLUMNS_JOINED)
            return err_option(err, COOC_EINVAL, "column",
                              "at most %d columns can be joined",
                              COLUMNS_JOINED);
        c->terms[c->n++] = column;
        note_column(c, column);
    } while (plus);
    return 0;
}

/* Read "NOUN,VERB" or "xpos=NN,NNS". */
static int read_tags(struct columns *c, const char *text,
                     const struct column_names *names, struct cooc_err *err)
{
    const char *equals = strchr(text, '='), *name = text;
    size_t len = equals ? (size_t)(equals - text) : 0;

    c->tags = equals ? equals + 1 : text;
    c->pos = names->pos;
    if (equals) {
        ascii_trim(&name, &len, ASCII_SPACE);
        c->pos = find_column(name, len, names);
        if (!c->pos)
            return unknown("pos", name, len, names, err);
    } else if (!c->pos) {
        return err_option(err, COOC_EINVAL, "pos",
                          "name the column of the parts of speech as well, as "
                          "in 2=%.40s", text);
    }
    if (!c->tags[strspn(c->tags, ", ")])
        return err_option(err, COOC_EINVAL, "pos",
                          "no part of speech is named; separate them by "
                          "commas, as in NOUN,VERB");
    note_column(c, c->pos);
    return 0;
}

int annotated_begin(struct annotated *a, struct input *in,
                    const struct column_names *names, struct cooc_err *err)
{
    const struct cooc_index_options *o = in->options;
    const char *column = o->column ? o->column : "form";
    int rc;

    a->open = a->announced = a->marked = a->skipping = false;
    a->tokens = a->found = false;
    a->columns = (struct columns){ 0 };
    if (names->surface && ascii_casecmp(column, "surface") == 0) {
        a->columns.surface = true;
        column = "form";
    }
    rc = read_columns(&a->columns, column, names, err);
    if (rc == 0 && o->pos)
        rc = read_tags(&a->columns, o->pos, names, err);
    return rc;
}

void annotated_release(struct annotated *a)
{
    buf_release(&a->name);
    buf_release(&a->next_name);
    buf_release(&a->cell);
}

/* ---- tokens -------------------------------------------------------------- */

size_t annotated_split(const char *line, size_t len, struct cell *cells,
                       size_t max)
{
    const char *end = line + len;
    size_t n = 0;

    for (;;) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));

        if (n < max)
            cells[n] = (struct cell){ line, (size_t)((tab ? tab : end) -
                                                     line) };
        n++;
        if (!tab)
            return n;
        line = tab + 1;
    }
}

bool annotated_keeps(struct annotated *a, const struct cell *cells, size_t n)
{
    const char *tag = a->columns.tags;
    const struct cell *cell;

    if (!a->columns.pos)
        return true;
    a->judged = true;
    if (n < a->columns.pos)
        return false;
    cell = &cells[a->columns.pos - 1];
    while (*tag) {
        const char *name = tag;
        size_t len = strcspn(tag, ",");

        tag += len + (tag[len] == ',');
        ascii_trim(&name, &len, ASCII_SPACE);
        if (len && len == cell->len && !memcmp(name, cell->at, len)) {
            a->kept = true;
            return true;
        }
    }
    return false;
}

void annotated_finish(const struct annotated *a, const struct input *in)
{
    if (a->judged && !a->kept)
        watch_warn(in->watch,
                   "no token has the part of speech %.80s, so no terms were "
                   "read; upper and lower case make a difference",
                   in->options->pos);
}

/* Decode the entities of XML in place. */
static void decode(struct buf *text)
{
    static const struct {
        const char *name;
        char c;
    } entities[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' },
                     { "&quot;", '"' }, { "&apos;", '\'' } };
    size_t to = 0, i = 0;

    while (i < text->len) {
        size_t e = 0, n = 0;

        for (; text->data[i] == '&' && e < 5; e++) {
            n = strlen(entities[e].name);
            if (n <= text->len - i &&
                !memcmp(text->data + i, entities[e].name, n))
                break;
        }
        if (text->data[i] == '&' && e < 5) {
            text->data[to++] = entities[e].c;
            i += n;
        } else {
            text->data[to++] = text->data[i++];
        }
    }
    text->len = to;
}

/* The text of a column, trimmed and decoded, if it is XML; it lives until the
 * next call.  False in *has if the column is missing or "_". */
static int read_cell(struct annotated *a, const struct cell *cells, size_t n,
                     unsigned column, struct cell *cell, bool *has,
                     struct cooc_err *err)
{
    int rc;

    *cell = column <= n ? cells[column - 1] : (struct cell){ "", 0 };
    ascii_trim(&cell->at, &cell->len, ASCII_SPACE);
    *has = cell->len > 1 || (cell->len == 1 && *cell->at != '_');
    if (!a->entities || !*has || !memchr(cell->at, '&', cell->len))
        return 0;
    rc = buf_set(&a->cell, cell->at, cell->len, err);
    if (rc < 0)
        return rc;
    decode(&a->cell);
    *cell = (struct cell){ a->cell.data, a->cell.len };
    return 0;
}

/* Append the first of several columns to the text, folded. */
static int add_folded(struct input *in, const struct cell *cell,
                      struct cooc_err *err)
{
    const char *text = cell->at;
    size_t len = cell->len;
    int rc = 0;

    if (!utf8_is_valid(text, len)) {
        in->scratch.len = 0;
        rc = utf8_repair(text, len, &in->scratch, &in->stats->invalid_bytes,
                         err);
        text = in->scratch.data;
        len = in->scratch.len;
    }
    if (rc == 0)
        rc = input_room(in, len, err);
    return rc < 0 ? rc : fold_text(text, len, in->options->keep_case,
                                   &in->body, err);
}

/* Append the term to the text.  False in *has: it lacks a column, or has
 * neither a letter nor a digit. */
static int add_term(struct annotated *a, struct input *in,
                    const struct cell *cells, size_t n, bool *has,
                    struct cooc_err *err)
{
    const struct columns *c = &a->columns;

    for (size_t i = 0; i < c->n; i++) {
        struct cell cell;
        int rc = read_cell(a, cells, n, c->terms[i], &cell, has, err);

        if (rc == 0 && *has && i == 0)
            *has = has_letter_or_digit(cell.at, cell.len);
        if (rc < 0 || !*has)
            return rc;
        rc = input_room(in, cell.len + 2, err);
        if (rc == 0 && i > 0)
            rc = buf_byte(&in->body, '_', err);
        if (rc == 0)
            rc = i == 0 && c->n > 1
                     ? add_folded(in, &cell, err)
                     : buf_add(&in->body, cell.at, cell.len, err);
        if (rc < 0)
            return rc;
    }
    return buf_byte(&in->body, '\n', err);
}

/* Begin a document. */
static void begin_document(struct annotated *a, uint64_t line)
{
    a->open = true;
    a->line = line;
    a->end = END_NONE;
}

void annotated_line(struct annotated *a, const struct input *in, size_t n)
{
    if (!a->open) {
        a->name.len = 0;
        begin_document(a, in->text.line);
    }
    a->tokens = true;
    a->found = a->found || n >= a->columns.last;
}

int annotated_add(struct annotated *a, struct input *in,
                  const struct cell *cells, size_t n, struct cooc_err *err)
{
    size_t before = in->body.len;
    bool has = false;
    int rc = add_term(a, in, cells, n, &has, err);

    if (!has)
        in->body.len = before;
    if (rc < 0 || !has)
        return rc;
    if (a->end != END_NONE)
        rc = input_end_at(in, before, a->end == END_PARAGRAPH, err);
    a->end = END_NONE;
    return rc;
}

void annotated_end(struct annotated *a, bool paragraph)
{
    if (paragraph)
        a->end = END_PARAGRAPH;
    else if (a->end == END_NONE)
        a->end = END_SENTENCE;
}

/* ---- documents ----------------------------------------------------------- */

int annotated_mark(struct annotated *a, struct input *in,
                   const struct cell *name, struct cooc_err *err)
{
    struct buf *to = a->open ? &a->next_name : &a->name;
    int rc = 0;

    a->marked = true;
    a->skipping = false;
    to->len = 0;
    if (name->len)
        rc = buf_add(to, name->at, name->len, err);
    if (rc == 0 && a->entities)
        decode(to);
    if (rc < 0)
        return rc;
    if (!a->open) {
        begin_document(a, in->text.line);
        return 0;
    }
    a->announced = true;
    a->next_line = in->text.line;
    return 1;
}

void annotated_resume(struct annotated *a)
{
    struct buf name = a->name;

    if (!a->announced)
        return;
    a->name = a->next_name;
    a->next_name = name;
    a->announced = false;
    begin_document(a, a->next_line);
}

int annotated_document(struct annotated *a, struct input *in, bool at_end,
                       struct cooc_err *err)
{
    bool whole = at_end && !a->marked;
    int rc = 0;

    if (at_end && a->tokens && !a->found)
        return err_path_option(err, COOC_EINVAL, in->name, "column",
                               "no line has a column %u", a->columns.last);
    if (!a->open)
        return 0;
    a->open = false;
    if (a->name.len)
        rc = buf_add(&in->label, a->name.data, a->name.len, err);
    else if (whole)
        rc = buf_add(&in->label, in->name, strlen(in->name), err);
    else
        rc = input_name(in, a->line, err);
    if (rc == 0)
        input_label(in);
    return rc < 0 ? rc : 1;
}
