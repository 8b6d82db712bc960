/* odd_words.c - words that cannot be looked up as they are. */
#include "query/odd_words.h"

#include <string.h>
#include <unicode/uchar.h>

#include "base/err.h"
#include "base/unlisted.h"
#include "base/utf8.h"
#include "query/db.h"

#define QUOTED_MAX 100

int odd_words_quoted(size_t len)
{
    return len > QUOTED_MAX ? QUOTED_MAX : (int)len;
}

bool odd_words_pattern(const char *word, size_t len)
{
    const char *open = memchr(word, '[', len);

    if (memchr(word, '*', len) || memchr(word, '?', len))
        return true;
    if (!open || !memchr(open, ']', len - (size_t)(open - word)))
        return false;
    return word[0] != '[' || word[len - 1] != ']';
}

/* Whether a character is neither part of words nor punctuation around them.  A
 * hash mark before a word ("#metoo") is punctuation, but in "C#" it is part of
 * the name. */
static bool is_significant(int32_t c, bool first)
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

size_t odd_words_dropped(const char *word, size_t len, const char **at)
{
    const uint8_t *p = (const uint8_t *)word, *end = p + len;
    bool first = true;

    for (; p < end; first = false) {
        int32_t c;
        size_t n = utf8_next(p, end, &c);

        if (is_significant(c, first)) {
            *at = (const char *)p;
            return n;
        }
        p += n;
    }
    return 0;
}

int odd_words_refuse_pattern(const char *word, size_t len,
                             struct cooc_err *err)
{
    return err_option(err, COOC_EINVAL, "like",
                      "'%.*s' is a pattern, not a word; give a word, or list "
                      "the terms that match the pattern", odd_words_quoted(len),
                      word);
}

int odd_words_refuse_dropped(const char *word, size_t len, const char *term,
                          size_t term_len, struct cooc_err *err)
{
    const char *at = word;
    size_t n = odd_words_dropped(word, len, &at);

    if (!utf8_is_valid(word, len))
        return err_set(err, COOC_EINVAL,
                       "'%.*s' is not valid UTF-8; give it in UTF-8",
                       odd_words_quoted(len), word);
    return err_option(err, COOC_EINVAL, "tokens",
                      "'%.*s' is not a word in this store: '%.*s' is not part "
                      "of words, which leaves '%.*s'; search for that, or "
                      "index with tokens 'whitespace'", odd_words_quoted(len),
                      word, (int)n, at, odd_words_quoted(term_len), term);
}

int odd_words_refuse_several(const struct cooc *db, const char *word,
                             size_t len, struct cooc_err *err)
{
    struct unlisted u = { 0 };

    if (db->store.manifest.rules.mode == TOKENS_LINES)
        return err_set(err, COOC_EINVAL,
                       "'%.*s' is several words; give one at a time",
                       odd_words_quoted(len), word);
    unlisted_add(&u, word, len);
    return unlisted_error(&u, NULL, err);
}
