/* fmt_vertical.c - vertical text, as corpus tools read and write it: one token
 * per line with its columns, and structural tags on lines of their own.
 *
 *     <doc id="tea">
 *     <s>
 *     Dogs TAB NNS TAB dog
 *     ran  TAB VVD TAB run
 *     <g/>
 *     .    TAB .   TAB .
 *     </s>
 *     </doc>
 *
 * The element of documents is the one that the options name, otherwise the
 * first <doc> or <text> of the entry decides.  <p> and <s> are paragraphs and
 * sentences, and so is a blank line; other tags are ignored.  A line is a tag
 * if it begins with '<' and a letter, '/', '!' or '?', and ends with '>'.
 */
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "read/annotated.h"
#include "read/format.h"
#include "read/input.h"

struct vertical_state {
    struct annotated a;
    const char *element; /* of documents; NULL: not yet known */
    bool any_id;         /* some document has the requested attribute */
    bool any;            /* there are documents */
};

static int begin_vertical(struct input *in, struct cooc_err *err)
{
    static const char *const names[] = { "form", NULL };
    static const struct column_names columns = { names, COLUMN_MAX, false, 0 };
    struct vertical_state *s = in->state;

    s->a.entities = true;
    s->element = in->options->record;
    return annotated_begin(&s->a, in, &columns, err);
}

static bool is_tag(const char *line, size_t len)
{
    return len > 2 && line[0] == '<' && line[len - 1] == '>' &&
           (ascii_is_letter(line[1]) || memchr("/!?", line[1], 3));
}

/* The name of the element at p. */
static struct cell read_name(const char *p, const char *end)
{
    struct cell name = { p, 0 };

    while (p + name.len < end && !ascii_space(p[name.len]) &&
           !memchr("/>=", p[name.len], 3))
        name.len++;
    return name;
}

/* Find the attribute with this name after the name of an element. */
static bool find_attribute(const char *p, const char *end, const char *wanted,
                           struct cell *value)
{
    while (p < end) {
        struct cell name = read_name(p, end);
        const char *q;

        p += name.len;
        if (!name.len) {
            p++; /* a blank or another separator */
            continue;
        }
        if (p == end || *p != '=')
            continue;
        if (++p == end || (*p != '"' && *p != '\''))
            continue;
        q = memchr(p + 1, *p, (size_t)(end - p - 1));
        if (!q)
            return false;
        *value = (struct cell){ p + 1, (size_t)(q - p - 1) };
        p = q + 1;
        ascii_trim(&value->at, &value->len, ASCII_SPACE);
        if (name.len == strlen(wanted) &&
            !ascii_ncasecmp(name.at, wanted, name.len) && value->len)
            return true;
    }
    return false;
}

static struct cell document_name(struct vertical_state *s, struct input *in,
                                 const char *p, const char *end)
{
    const char *asked = in->options->id_field;
    struct cell name = { "", 0 };

    s->any = true;
    if (asked)
        s->any_id |= find_attribute(p, end, asked, &name);
    else if (!find_attribute(p, end, "id", &name) &&
             !find_attribute(p, end, "name", &name) &&
             !find_attribute(p, end, "n", &name))
        name.len = 0;
    return name;
}

static bool is_document(struct vertical_state *s, const struct cell *name)
{
    if (!s->element && ascii_is(name->at, name->len, "doc"))
        s->element = "doc";
    else if (!s->element && ascii_is(name->at, name->len, "text"))
        s->element = "text";
    return s->element && ascii_is(name->at, name->len, s->element);
}

/* 1: the current document is complete; 0: continue; < 0: failed. */
static int read_tag(struct vertical_state *s, struct input *in,
                    const char *line, size_t len, struct cooc_err *err)
{
    bool closing = line[1] == '/';
    const char *end = line + len - 1;
    struct cell name = read_name(line + 1 + closing, end);
    const char *rest = name.at + name.len;

    if (ascii_is(name.at, name.len, "s"))
        annotated_end(&s->a, false);
    else if (ascii_is(name.at, name.len, "p"))
        annotated_end(&s->a, true);
    if (!is_document(s, &name))
        return 0;
    if (closing)
        return s->a.open;
    name = document_name(s, in, rest, end);
    return annotated_mark(&s->a, in, &name, err);
}

static int read_token(struct vertical_state *s, struct input *in,
                      const char *line, size_t len, struct cooc_err *err)
{
    struct cell cells[COLUMN_MAX];
    size_t n = annotated_split(line, len, cells, s->a.columns.last);

    annotated_line(&s->a, in, n);
    return annotated_keeps(&s->a, cells, n)
               ? annotated_add(&s->a, in, cells, n, err)
               : 0;
}

static int next_vertical(struct input *in, struct cooc_err *err)
{
    struct vertical_state *s = in->state;
    const char *line;
    size_t len;
    int rc;

    annotated_resume(&s->a);
    while ((rc = text_line(&in->text, &line, &len, err)) > 0) {
        const char *text = line;
        size_t text_len = len;

        ascii_trim(&text, &text_len, ASCII_SPACE);
        if (!text_len) {
            annotated_end(&s->a, false);
            rc = 0;
        } else if (is_tag(text, text_len)) {
            rc = read_tag(s, in, text, text_len, err);
        } else {
            rc = read_token(s, in, line, len, err);
        }
        if (rc != 0)
            break;
    }
    return rc < 0 ? rc : annotated_document(&s->a, in, rc == 0, err);
}

static void finish_vertical(struct input *in)
{
    const struct vertical_state *s = in->state;

    if (in->options->id_field && s->any && !s->any_id)
        watch_warn(in->watch,
                   "no document has a name in the attribute '%.80s'; documents "
                   "are named by file and line", in->options->id_field);
    annotated_finish(&s->a, in);
}

static void release_vertical(void *state)
{
    struct vertical_state *s = state;

    annotated_release(&s->a);
}

const struct format format_vertical = {
    .name = "vertical",
    .kind = KIND_ITEMS,
    .uses = USE_COLUMN | USE_ID | USE_RECORD,
    .state_size = sizeof(struct vertical_state),
    .begin = begin_vertical,
    .next = next_vertical,
    .finish = finish_vertical,
    .release = release_vertical,
};
