/* typed.c - words as users type them that cannot be looked up as they are. */
#include "query/typed.h"

#include <string.h>
#include <unicode/uchar.h>

#include "base/err.h"
#include "base/utf8.h"

enum { SHOWN = 100 }; /* bytes of a word that are quoted */

int typed_shown(size_t len)
{
    return len > SHOWN ? SHOWN : (int)len;
}

bool typed_pattern(const char *word, size_t len)
{
    const char *open = memchr(word, '[', len);

    if (memchr(word, '*', len) || memchr(word, '?', len))
        return true;
    if (!open || !memchr(open, ']', len - (size_t)(open - word)))
        return false;
    return word[0] != '[' || word[len - 1] != ']';
}

/* In no word, and not what people put around words.  A hash mark begins a
 * word ("#metoo"), but is part of the name in "C#". */
static bool matters(int32_t c, bool first)
{
    int kind;

    if (c == '#')
        return !first;
    if (c == UTF8_INVALID)
        return true;
    if (c == '`' || c == 0xb4) /* used as quotation marks */
        return false;
    kind = u_getIntPropertyValue(c, UCHAR_WORD_BREAK);
    if (kind != U_WB_OTHER && kind != U_WB_REGIONAL_INDICATOR)
        return false;
    return U_GET_GC_MASK(c) & U_GC_S_MASK;
}

size_t typed_dropped(const char *word, size_t len, const char **at)
{
    const uint8_t *p = (const uint8_t *)word, *end = p + len;
    bool first = true;

    for (; p < end; first = false) {
        int32_t c;
        size_t n = utf8_next(p, end, &c);

        if (matters(c, first)) {
            *at = (const char *)p;
            return n;
        }
        p += n;
    }
    return 0;
}

int typed_refuse_pattern(const char *word, size_t len, struct cooc_err *err)
{
    bool quotable = len <= SHOWN && !memchr(word, '\'', len);

    return err_set(err, COOC_EINVAL,
                   "'%.*s' is a pattern, not a word; to list the terms that "
                   "match it, type: cooc terms NAME.cooc --like '%.*s'",
                   typed_shown(len), word, quotable ? (int)len : 7,
                   quotable ? word : "PATTERN");
}

int typed_refuse_dropped(const char *word, size_t len, const char *term,
                         size_t term_len, struct cooc_err *err)
{
    const char *at = word;
    size_t n = typed_dropped(word, len, &at);

    if (!utf8_is_valid(word, len))
        return err_set(err, COOC_EINVAL,
                       "'%.*s' is not valid UTF-8; type it in UTF-8",
                       typed_shown(len), word);
    return err_set(err, COOC_EINVAL,
                   "'%.*s' is not a word in this store: '%.*s' is not part of "
                   "words, which leaves '%.*s'; search for that, or index "
                   "with --tokens whitespace", typed_shown(len), word, (int)n,
                   at, typed_shown(term_len), term);
}
