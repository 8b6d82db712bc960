/* bibtex_scan.c - find the entries of a BibTeX file.
 *
 * An entry ends at its closing brace or parenthesis; braces in it are balanced.
 * One that lacks its closing brace ends where a line begins like an entry, so
 * that only this entry is lost.
 */
#include "read/bibtex_scan.h"

#include "base/ascii_case.h"
#include "cooc.h"
#include "read/input.h"

/* Length of "@word" at p, 0: there is none. */
static size_t at_word(const char *p, const char *end)
{
    const char *q = p + 1;

    if (p == end || *p != '@')
        return 0;
    while (q < end && ascii_is_letter(*q))
        q++;
    return q > p + 1 ? (size_t)(q - p) : 0;
}

/* Does the line begin with "@word{key,"? */
static bool begins_entry(const char *p, const char *end)
{
    size_t n = at_word(p, end);

    for (p += n; n && p < end && (*p == ' ' || *p == '\t'); p++)
        ;
    if (!n || p == end || *p++ != '{')
        return false;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    for (n = 0; p < end && !memchr(" \t{}\"=#,", *p, 8); p++)
        n++;
    return n && p < end && *p == ',';
}

static int next_line(struct bibtex_scan *s, struct input *in,
                     struct cooc_err *err)
{
    int rc = text_line(&in->text, &s->rest, &s->rest_len, err);

    if (rc <= 0)
        s->rest_len = 0;
    return rc;
}

static void advance(struct bibtex_scan *s, size_t n)
{
    s->rest += n;
    s->rest_len -= n;
}

/* Skip white space and line ends: 1, 0 at the end of the input. */
static int skip_space(struct bibtex_scan *s, struct input *in,
                      struct cooc_err *err)
{
    int rc = 1;

    for (;;) {
        while (s->rest_len && ascii_space(*s->rest))
            advance(s, 1);
        if (s->rest_len)
            return 1;
        rc = next_line(s, in, err);
        if (rc <= 0)
            return rc;
    }
}

/* Find "@word{" or "@word(": 1, after it, with the bracket in *open; 0: there
 * are no more entries. */
static int find_entry(struct bibtex_scan *s, struct input *in, char *open,
                      struct cooc_err *err)
{
    bool inside = false; /* of a word */
    int rc = 1;

    for (;;) {
        const char *end = s->rest + s->rest_len;
        size_t n = inside ? 0 : at_word(s->rest, end);

        if (n) {
            s->line = in->text.line;
            rc = buf_set(&s->type, s->rest + 1, n - 1, err);
            advance(s, n);
            if (rc == 0)
                rc = skip_space(s, in, err);
            if (rc <= 0)
                return rc;
            *open = *s->rest;
            if (*open != '{' && *open != '(')
                continue;
            advance(s, 1);
            return 1;
        }
        if (s->rest_len) {
            inside = ascii_is_alnum(*s->rest);
            advance(s, 1);
            continue;
        }
        rc = next_line(s, in, err);
        if (rc <= 0)
            return rc;
        inside = false;
    }
}

/* Find the end of the entry in the current line; NULL: it is not there. */
static const char *find_end(const char *p, const char *end, char open,
                            size_t *depth, bool *quoted)
{
    for (; p < end; p++) {
        if (*p == '{')
            ++*depth;
        else if (*p == '}' && *depth)
            --*depth;
        else if (*p == '}' && open == '{')
            return p;
        else if (*p == '"' && open == '(' && !*depth)
            *quoted = !*quoted;
        else if (*p == ')' && open == '(' && !*depth && !*quoted)
            return p;
    }
    return NULL;
}

int bibtex_scan_next(struct bibtex_scan *s, struct input *in,
                     struct cooc_err *err)
{
    const char *end, *stop;
    bool quoted = false, comment;
    size_t depth = 0;
    char open;
    int rc = find_entry(s, in, &open, err);

    if (rc <= 0)
        return rc;
    s->any = true;
    s->entry.len = 0;
    comment = ascii_is(s->type.data, s->type.len, "comment");
    for (;;) {
        end = s->rest + s->rest_len;
        stop = find_end(s->rest, end, open, &depth, &quoted);
        if (!stop)
            stop = end;
        rc = input_room_for(in, s->entry.len, (size_t)(stop - s->rest) + 1,
                            err);
        if (rc == 0)
            rc = buf_add(&s->entry, s->rest, (size_t)(stop - s->rest), err);
        if (rc == 0)
            rc = buf_byte(&s->entry, '\n', err);
        if (rc < 0)
            return rc;
        advance(s, (size_t)(stop - s->rest) + (stop < end));
        if (stop < end)
            return 1;
        rc = next_line(s, in, err);
        if (rc < 0)
            return rc;
        if (rc == 0 || (!comment && begins_entry(s->rest,
                                                 s->rest + s->rest_len)))
            return input_bad_record(in, s->line, err,
                                    "the entry is not closed; check that "
                                    "every { in it has a }");
    }
}

void bibtex_scan_begin(struct bibtex_scan *s)
{
    s->rest = "";
    s->rest_len = 0;
    s->any = false;
}

void bibtex_scan_release(struct bibtex_scan *s)
{
    buf_release(&s->type);
    buf_release(&s->entry);
}
