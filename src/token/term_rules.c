/* term_rules.c - what becomes of a word: dropped, renamed or kept. */
#include <libstemmer.h>
#include <string.h>
#include <unicode/uchar.h>

#include "base/dict.h"
#include "base/err.h"
#include "base/utf8.h"
#include "token/icu_words.h"
#include "token/tokeniser.h"

static uint32_t count_characters(const char *word, size_t len)
{
    uint32_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += ((uint8_t)word[i] & 0xc0) != 0x80;
    return n;
}

/* Does c join two digits into one number?  UAX #29 keeps 3.14, 1,000 and 1_000
 * in one piece but splits 10:30 into two numbers; with --tokens whitespace,
 * 10:30 is one number. */
static bool joins_digits(int32_t c)
{
    switch (u_getIntPropertyValue(c, UCHAR_WORD_BREAK)) {
    case U_WB_MIDNUM:
    case U_WB_MIDNUMLET:
    case U_WB_SINGLE_QUOTE:
    case U_WB_EXTENDNUMLET:
    case U_WB_NUMERIC: /* the Arabic decimal separator */
        return true;
    default:
        return c == ':';
    }
}

/* Is the word a number: decimal digits of any script (General_Category Nd),
 * optionally after a sign, with at most one joining character between two
 * digits? */
static bool is_number(const char *word, size_t len)
{
    const uint8_t *p = (const uint8_t *)word, *end = p + len;
    bool sign = true, digit = false;

    while (p < end) {
        int32_t c;

        p += utf8_next(p, end, &c);
        if (u_isdigit(c))
            digit = true;
        else if (digit && joins_digits(c))
            digit = false;
        else if (!sign || (c != '+' && c != '-' && c != 0x2212))
            return false;
        sign = false;
    }
    return digit;
}

/* The reason why the word is dropped, or TOKEN_KEPT. */
static enum token_verdict judge(const struct rules *r, const char *word,
                                size_t len)
{
    bool limited = r->drop_numbers || r->min_length || r->max_length;

    if (len > TERM_MAX)
        return TOKEN_LONG;
    if (limited && phrases_named(r->phrases, word, len) != PHRASE_NONE)
        limited = false;
    if (limited && r->drop_numbers && is_number(word, len))
        return TOKEN_NUMBER;
    if (limited && (r->min_length || r->max_length)) {
        uint32_t n = count_characters(word, len);

        if (n < r->min_length)
            return TOKEN_SHORT;
        if (r->max_length && n > r->max_length)
            return TOKEN_LONG;
    }
    if (r->stop && dict_find(r->stop, word, len) != DICT_NONE)
        return TOKEN_STOP;
    return TOKEN_KEPT;
}

int tokeniser_add_stem(struct tokeniser *t, const char *word, size_t len,
                       struct buf *out, struct cooc_err *err)
{
    const sb_symbol *stem =
        sb_stemmer_stem(t->stemmer, (const sb_symbol *)word, (int)len);
    int n = stem ? sb_stemmer_length(t->stemmer) : 0;

    if (!stem)
        return err_nomem(err);
    return n > 0 ? buf_add(out, stem, (size_t)n, err)
                 : buf_add(out, word, len, err);
}

/* Stem each word of form into t->stem, joined by blanks.  Items, preferred
 * forms and phrases may contain blanks; elsewhere in a document, a blank ends a
 * word.  With TOKENS_LINES, each line is one term and is stemmed as a whole. */
static int stem_form(struct tokeniser *t, const char *form, size_t len,
                     struct cooc_err *err)
{
    const char *p = form, *end = form + len;
    uint32_t phrase = phrases_named(t->rules->phrases, form, len);
    int rc = 0;

    t->stem.len = 0;
    if (phrase != PHRASE_NONE) {
        size_t n;
        const char *stems = phrases_stems(t->rules->phrases, phrase, &n);

        return buf_add(&t->stem, stems, n, err);
    }
    if (t->rules->mode == TOKENS_LINES)
        return tokeniser_add_stem(t, form, len, &t->stem, err);
    while (rc == 0 && p < end) {
        const char *blank = memchr(p, ' ', (size_t)(end - p));
        const char *to = blank ? blank : end;

        if (to > p && t->stem.len)
            rc = buf_byte(&t->stem, ' ', err);
        if (rc == 0 && to > p)
            rc = tokeniser_add_stem(t, p, (size_t)(to - p), &t->stem, err);
        p = blank ? blank + 1 : end;
    }
    return rc;
}

void tokeniser_form(const struct tokeniser *t, const char *word, size_t len,
                    const char **form, size_t *form_len)
{
    if (!thesaurus_find(&t->rules->thesaurus, word, len, form, form_len)) {
        *form = word;
        *form_len = len;
    }
}

static bool same(const char *a, size_t n, const char *b, size_t m)
{
    return n == m && memcmp(a, b, n) == 0;
}

int tokeniser_term(struct tokeniser *t, const char *word, size_t len,
                   enum token_verdict *verdict, const char **term,
                   size_t *term_len, struct cooc_err *err)
{
    int rc;

    *term = word;
    *term_len = len;
    *verdict = judge(t->rules, word, len);
    if (*verdict != TOKEN_KEPT)
        return 0;
    tokeniser_form(t, word, len, term, term_len);
    if (!*term_len && len)
        *verdict = TOKEN_UNWANTED;
    else if (!same(*term, *term_len, word, len))
        *verdict = TOKEN_MERGED;
    if (!t->stemmer || *verdict == TOKEN_UNWANTED)
        return 0;
    rc = stem_form(t, *term, *term_len, err);
    if (rc < 0)
        return rc;
    *term = t->stem.data;
    *term_len = t->stem.len;
    if (*verdict == TOKEN_KEPT && !same(*term, *term_len, word, len))
        *verdict = TOKEN_RENAMED;
    return 0;
}

int tokeniser_preferred(struct tokeniser *t, const char *text, size_t len,
                        const char **term, size_t *term_len,
                        struct cooc_err *err)
{
    int rc = 0;

    if (!t->rules->thesaurus.n || !len)
        return 0;
    t->chunk.len = 0;
    rc = icu_words_fold(t->icu, text, len, &t->chunk, err);
    if (rc < 0 || !thesaurus_prefers(&t->rules->thesaurus, t->chunk.data,
                                     t->chunk.len))
        return rc;
    if (t->stemmer)
        rc = stem_form(t, t->chunk.data, t->chunk.len, err);
    *term = t->stemmer ? t->stem.data : t->chunk.data;
    *term_len = t->stemmer ? t->stem.len : t->chunk.len;
    return rc < 0 ? rc : 1;
}

int tokeniser_fold(struct tokeniser *t, const char *text, size_t len,
                   struct buf *out, struct cooc_err *err)
{
    return icu_words_fold(t->icu, text, len, out, err);
}
