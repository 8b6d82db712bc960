/* detect_tagged.c - recognise records of tagged lines and annotated text.
 *
 *     FN Clarivate ... / VR 1.0, or PT J / AU ...     wos
 *     TY  - JOUR                                      ris
 *     PMID- 7                                         medline
 *     @article{key,                                   bibtex
 *     # text = ... / 1 TAB ... (10 columns)           conllu
 *     <doc ...> / <s> / Dogs TAB NNS TAB dog          vertical
 *
 * The first one or two lines decide about records; all lines of the sample
 * must have the shape of annotated text.
 */
#include <string.h>

#include "base/ascii_case.h"
#include "read/format.h"
#include "read/scan.h"

/* The next line of the sample without its line end; false: there is none.  The
 * last line of a sample that is cut does not count. */
static bool next_line(const struct sample *s, struct scan *rest,
                      struct scan *line)
{
    const char *nl;

    if (!scan_left(rest))
        return false;
    nl = memchr(rest->at, '\n', scan_left(rest));
    if (!nl && s->cut)
        return false;
    *line = (struct scan){ rest->at, nl ? nl : rest->end };
    rest->at = nl ? nl + 1 : rest->end;
    if (scan_left(line) && line->end[-1] == '\r')
        line->end--;
    return true;
}

static bool begins(const struct scan *line, const char *text)
{
    return scan_left(line) >= strlen(text) &&
           !memcmp(line->at, text, strlen(text));
}

static bool is_wos(const struct scan *first, const struct scan *second)
{
    if (begins(first, "FN "))
        return begins(second, "VR ");
    return begins(first, "PT ") && scan_left(first) == 4 &&
           (begins(second, "AU ") || begins(second, "BE ") ||
            begins(second, "TI "));
}

/* "@article{key,", or the beginning of "@string{name =" and the like */
static bool is_bibtex(const struct scan *first)
{
    static const char *const others[] = { "string", "comment", "preamble" };
    struct scan s = *first;
    const char *word;
    size_t n;

    if (!scan_char(&s, '@'))
        return false;
    word = s.at;
    while (s.at < s.end && ascii_is_letter(*s.at))
        s.at++;
    n = (size_t)(s.at - word);
    scan_blanks(&s);
    if (!n || !(scan_char(&s, '{') || scan_char(&s, '(')))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ascii_is(word, n, others[i]))
            return true;
    scan_blanks(&s);
    while (s.at < s.end && !is_blank(*s.at) && *s.at != ',')
        s.at++;
    scan_blanks(&s);
    return scan_char(&s, ',');
}

static const struct format *detect_records(const struct sample *s)
{
    struct scan rest = scan_of(s->data, s->len), first = { 0 };
    struct scan second = { "", "" }, blank;

    do {
        if (!next_line(s, &rest, &first))
            return NULL;
        blank = first;
        scan_blanks(&blank);
        /* JabRef begins with a comment about the encoding. */
    } while (!scan_left(&blank) || *blank.at == '%');
    next_line(s, &rest, &second);
    if (is_wos(&first, &second))
        return &format_wos;
    if (begins(&first, "TY  - "))
        return &format_ris;
    if (begins(&first, "PMID- ") && scan_left(&first) > 6 &&
        ascii_is_digit(first.at[6]))
        return &format_medline;
    return is_bibtex(&first) ? &format_bibtex : NULL;
}

static bool is_conllu(const struct sample *s)
{
    struct scan rest = scan_of(s->data, s->len), line;
    bool any = false;

    while (next_line(s, &rest, &line)) {
        struct scan field = line;
        uint64_t number;
        size_t tabs = 0;

        scan_blanks(&field);
        if (!scan_left(&field) || *line.at == '#')
            continue;
        field = scan_before(&line, '\t');
        if (!scan_u64(&field, &number) ||
            (scan_left(&field) && *field.at != '-' && *field.at != '.'))
            return false;
        for (; scan_char(&line, '\t'); tabs++)
            scan_before(&line, '\t');
        if (tabs != 9)
            return false;
        any = true;
    }
    return any;
}

/* <doc id="x"> or <s> or <p>, alone in its line */
static bool is_structure(const struct scan *line, bool *known)
{
    static const char *const names[] = { "doc", "text", "p", "s" };
    const char *p = line->at;
    size_t len = scan_left(line), n = 1;

    if (len < 3 || *p != '<' || p[len - 1] != '>' ||
        memchr(p + 1, '<', len - 1) ||
        !(ascii_is_letter(p[1]) || memchr("/!?", p[1], 3)))
        return false;
    while (ascii_is_alnum(p[n]))
        n++;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ascii_is(p + 1, n - 1, names[i]))
            *known = true;
    return true;
}

/* Columns, and not an element with text as in SGML */
static bool is_token(const struct scan *line)
{
    const char *p = line->at;
    const char *tab = memchr(p, '\t', scan_left(line));

    return tab && tab > p && *p != ' ' &&
           !(*p == '<' && (ascii_is_letter(p[1]) || p[1] == '/'));
}

static bool is_vertical(const struct sample *s)
{
    struct scan rest = scan_of(s->data, s->len), line;
    bool known = false, tokens = false;

    while (next_line(s, &rest, &line)) {
        struct scan text = line;

        scan_blanks(&text);
        if (!scan_left(&text))
            continue;
        if (is_structure(&line, &known))
            continue;
        if (!known || !is_token(&line))
            return false;
        tokens = true;
    }
    return tokens;
}

const struct format *detect_tagged(const struct sample *s, bool records)
{
    const struct format *f = detect_records(s);

    if (f || records)
        return f;
    if (is_conllu(s))
        return &format_conllu;
    return is_vertical(s) ? &format_vertical : NULL;
}
