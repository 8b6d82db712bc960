/* tex_text.c - the plain text of TeX, as it occurs in bibliographies.
 *
 *     {\'E}tude \& caf{\'e} $\alpha$  ->  \u00c9tude & caf\u00e9 \u03b1
 *     \c{c}, \ss, \aa                   ->  \u00e7, \u00df, \u00e5
 *     1--9, Dr.~Roe, \emph{tea}         ->  1\u20139, Dr. Roe, tea
 *
 * An accent applies to the next letter, with or without braces; accents may be
 * stacked.  A command that is not in the table is removed and its arguments
 * stay.  As in TeX, blanks after a command that is a word belong to it.
 */
#include "read/tex_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/unorm2.h>
#include <unicode/utf8.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/utf8.h"

#define ACCENTS_MAX 4 /* on one letter */

struct tex {
    const char *at, *end;
    struct buf *out;
    size_t start;  /* length of out before the text */
    bool blank;    /* a blank comes before the next character */
    bool math;     /* between $ and $ */
    bool verbatim;
    const UNormalizer2 *nfc;
};

/* ---- output ------------------------------------------------------------- */

static int emit(struct tex *t, const char *text, size_t len,
                struct cooc_err *err)
{
    int rc = 0;

    if (t->blank && t->out->len > t->start)
        rc = buf_byte(t->out, ' ', err);
    t->blank = false;
    return rc < 0 ? rc : buf_add(t->out, text, len, err);
}

static int emit_char(struct tex *t, int32_t c, struct cooc_err *err)
{
    char text[4];
    size_t len = 0;

    U8_APPEND_UNSAFE(text, len, c);
    return emit(t, text, len, err);
}

/* ---- commands ----------------------------------------------------------- */

/* In byte order.  The text " " is white space. */
static const struct symbol {
    const char *name, *text;
} symbols[] = {
    { "AA", "\u00c5" },         { "AE", "\u00c6" },
    { "DH", "\u00d0" },         { "DJ", "\u0110" },
    { "Delta", "\u0394" },      { "Gamma", "\u0393" },
    { "L", "\u0141" },          { "LaTeX", "LaTeX" },
    { "Lambda", "\u039b" },     { "NG", "\u014a" },
    { "O", "\u00d8" },          { "OE", "\u0152" },
    { "Omega", "\u03a9" },      { "P", "\u00b6" },
    { "Phi", "\u03a6" },        { "Pi", "\u03a0" },
    { "Psi", "\u03a8" },        { "S", "\u00a7" },
    { "SS", "SS" },             { "Sigma", "\u03a3" },
    { "TH", "\u00de" },         { "TeX", "TeX" },
    { "Theta", "\u0398" },      { "Upsilon", "\u03a5" },
    { "Xi", "\u039e" },         { "aa", "\u00e5" },
    { "ae", "\u00e6" },         { "alpha", "\u03b1" },
    { "approx", "\u2248" },     { "beta", "\u03b2" },
    { "cdot", "\u00b7" },       { "chi", "\u03c7" },
    { "circ", "\u00b0" },       { "copyright", "\u00a9" },
    { "dag", "\u2020" },        { "degree", "\u00b0" },
    { "delta", "\u03b4" },      { "dh", "\u00f0" },
    { "dj", "\u0111" },         { "dots", "\u2026" },
    { "epsilon", "\u03b5" },    { "eta", "\u03b7" },
    { "euro", "\u20ac" },       { "gamma", "\u03b3" },
    { "geq", "\u2265" },        { "i", "\u0131" },
    { "infty", "\u221e" },      { "iota", "\u03b9" },
    { "j", "\u0237" },          { "kappa", "\u03ba" },
    { "l", "\u0142" },          { "lambda", "\u03bb" },
    { "ldots", "\u2026" },      { "leq", "\u2264" },
    { "linebreak", " " },       { "mu", "\u03bc" },
    { "newline", " " },         { "ng", "\u014b" },
    { "nu", "\u03bd" },         { "o", "\u00f8" },
    { "oe", "\u0153" },         { "omega", "\u03c9" },
    { "par", " " },             { "phi", "\u03c6" },
    { "pi", "\u03c0" },         { "pm", "\u00b1" },
    { "pounds", "\u00a3" },     { "psi", "\u03c8" },
    { "qquad", " " },           { "quad", " " },
    { "rho", "\u03c1" },        { "rightarrow", "\u2192" },
    { "sigma", "\u03c3" },      { "sim", "~" },
    { "space", " " },           { "ss", "\u00df" },
    { "tau", "\u03c4" },        { "textasciicircum", "^" },
    { "textasciitilde", "~" },  { "textbackslash", "\\" },
    { "textdegree", "\u00b0" }, { "textemdash", "\u2014" },
    { "textendash", "\u2013" }, { "texteuro", "\u20ac" },
    { "textgreater", ">" },     { "textless", "<" },
    { "textmu", "\u00b5" },     { "textquoteright", "\u2019" },
    { "textregistered", "\u00ae" }, { "texttrademark", "\u2122" },
    { "textunderscore", "_" },  { "th", "\u00fe" },
    { "theta", "\u03b8" },      { "times", "\u00d7" },
    { "upsilon", "\u03c5" },    { "varepsilon", "\u03b5" },
    { "varphi", "\u03c6" },     { "xi", "\u03be" },
    { "zeta", "\u03b6" },
};

struct word {
    const char *at;
    size_t len;
};

static int by_name(const void *key, const void *item)
{
    const struct word *word = key;
    const char *name = ((const struct symbol *)item)->name;
    int order = strncmp(word->at, name, word->len);

    return order ? order : name[word->len] ? -1 : 0;
}

/* The text of the command name[0..len), or NULL. */
static const char *find_symbol(const char *name, size_t len)
{
    struct word word = { name, len };
    const struct symbol *s = bsearch(&word, symbols,
                                     sizeof symbols / sizeof *symbols,
                                     sizeof *symbols, by_name);

    return s ? s->text : NULL;
}

/* The combining character of an accent, or 0. */
static int32_t find_accent(const char *name, size_t len)
{
    static const char names[] = "`'^~=u.\"rHvdckbhG";
    static const uint16_t marks[] = { 0x300, 0x301, 0x302, 0x303, 0x304, 0x306,
                                      0x307, 0x308, 0x30a, 0x30b, 0x30c, 0x323,
                                      0x327, 0x328, 0x331, 0x309, 0x30f };
    const char *p = len == 1 ? memchr(names, *name, sizeof names - 1) : NULL;

    return p ? marks[p - names] : 0;
}

static void skip_blanks(struct tex *t)
{
    while (t->at < t->end && ascii_space(*t->at))
        t->at++;
}

/* Read the name of the command after '\': letters, or one other character. */
static struct word read_name(struct tex *t)
{
    struct word name = { t->at, 0 };

    while (t->at < t->end && ascii_is_letter(*t->at))
        t->at++;
    name.len = (size_t)(t->at - name.at);
    if (name.len)
        skip_blanks(t);
    else if (t->at < t->end) {
        t->at++;
        name.len = 1;
    }
    return name;
}

/* Read the letter of an accent, which may have further accents; 0: there is no
 * letter.  Its closing brace, if any, is left. */
static int32_t read_letter(struct tex *t, int32_t *marks, size_t *n)
{
    int32_t c = 0;

    for (;;) {
        const char *from = t->at, *text;
        struct word name;
        int32_t mark;

        while (t->at < t->end && (ascii_space(*t->at) || *t->at == '{'))
            t->at++;
        if (t->at == t->end || *t->at == '}' || *t->at == '$') {
            if (t->at == t->end || *t->at == '$')
                t->at = from;
            return 0;
        }
        if (*t->at != '\\') {
            t->at += utf8_next((const uint8_t *)t->at,
                               (const uint8_t *)t->end, &c);
            return c == UTF8_INVALID ? UTF8_REPLACEMENT : c;
        }
        t->at++;
        name = read_name(t);
        mark = find_accent(name.at, name.len);
        if (mark && *n < ACCENTS_MAX) {
            marks[(*n)++] = mark;
            continue;
        }
        text = name.len ? find_symbol(name.at, name.len) : NULL;
        if (!text || *text == ' ') {
            t->at = from;
            return 0;
        }
        utf8_next((const uint8_t *)text, (const uint8_t *)text + strlen(text),
                  &c);
        return c == 0x131 ? 'i' : c == 0x237 ? 'j' : c; /* a dot is replaced */
    }
}

static int add_accent(struct tex *t, const struct word *name, int32_t mark,
                      struct cooc_err *err)
{
    int32_t marks[ACCENTS_MAX] = { mark }, c;
    size_t n = 1;
    int rc;

    c = read_letter(t, marks, &n);
    if (!c) /* \~{} is a tilde */
        return ascii_is_letter(*name->at) ? 0 : emit(t, name->at, 1, err);
    while (n > 0) {
        int32_t both = unorm2_composePair(t->nfc, c, marks[n - 1]);

        if (both < 0)
            break;
        c = both;
        n--;
    }
    rc = emit_char(t, c, err);
    while (rc == 0 && n > 0)
        rc = emit_char(t, marks[--n], err);
    return rc;
}

static int add_command(struct tex *t, struct cooc_err *err)
{
    struct word name;
    const char *text;
    int32_t mark;

    t->at++;
    name = read_name(t);
    if (!name.len)
        return 0;
    mark = find_accent(name.at, name.len);
    if (mark)
        return add_accent(t, &name, mark, err);
    if (ascii_is_letter(*name.at)) {
        text = find_symbol(name.at, name.len);
        if (!text)
            return 0;
    } else if (memchr("-/!@*()[]", *name.at, 9)) {
        return 0; /* hyphenation, corrections of space, limits of formulas */
    } else if (memchr(" \t\n\r\f\v\\,:;", *name.at, 10)) {
        text = " ";
    } else {
        return emit(t, name.at, 1, err);
    }
    t->blank |= *text == ' ';
    return *text == ' ' ? 0 : emit(t, text, strlen(text), err);
}

/* ---- text --------------------------------------------------------------- */

static size_t run_of(const struct tex *t, char c)
{
    size_t n = 0;

    while (n < 3 && t->at + n < t->end && t->at[n] == c)
        n++;
    return n;
}

/* Add dashes and quotation marks. */
static int add_ligature(struct tex *t, struct cooc_err *err)
{
    char c = *t->at;
    size_t n = run_of(t, c);

    t->at += n;
    if (n == 1 || t->verbatim || (c == '-' && n > 3))
        return emit(t, t->at - n, n, err);
    if (c == '-')
        return emit_char(t, n == 2 ? 0x2013 : 0x2014, err);
    t->at -= n - 2;
    return emit_char(t, c == '`' ? 0x201c : 0x201d, err);
}

static int add_special(struct tex *t, struct cooc_err *err)
{
    char c = *t->at;

    if (c == '\\')
        return add_command(t, err);
    if (c == '-' || c == '`' || c == '\'')
        return add_ligature(t, err);
    t->at++;
    if (c == '{' || c == '}')
        return 0;
    if (ascii_space(c) || (c == '~' && !t->verbatim)) {
        t->blank = true;
        return 0;
    }
    if (c == '$' && !t->verbatim) {
        t->math = !t->math;
        return 0;
    }
    if ((c == '_' || c == '^') && t->math)
        return 0;
    return emit(t, &c, 1, err);
}

int tex_text(const char *tex, size_t len, bool verbatim, struct buf *out,
             struct cooc_err *err)
{
    static const char special[] = "\\{}$_^~-`' \t\n\v\f\r";
    UErrorCode status = U_ZERO_ERROR;
    struct tex t = { .at = tex, .end = tex + len, .out = out,
                     .start = out->len, .verbatim = verbatim,
                     .nfc = unorm2_getNFCInstance(&status) };
    int rc = 0;

    if (U_FAILURE(status))
        return status == U_MEMORY_ALLOCATION_ERROR
                   ? err_nomem(err)
                   : err_set(err, COOC_EINVAL,
                             "the ICU library failed: %s; check that its "
                             "data is installed", u_errorName(status));
    while (rc == 0 && t.at < t.end) {
        const char *from = t.at;

        while (t.at < t.end && !memchr(special, *t.at, sizeof special - 1))
            t.at++;
        if (t.at > from)
            rc = emit(&t, from, (size_t)(t.at - from), err);
        if (rc == 0 && t.at < t.end)
            rc = add_special(&t, err);
    }
    return rc;
}
