/* token_define.h - the definition of words by ICU for a whole text: the
 * reference for the tokeniser, in unit tests and fuzzing. */
#ifndef COOC_TOKEN_DEFINE_H
#define COOC_TOKEN_DEFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "cooc.h"

/* The reference itself can fail only for lack of memory. */
static inline void must(bool holds)
{
    if (!holds)
        abort();
}

static inline int32_t to_utf16(const char *text, size_t len, UChar *u)
{
    const uint8_t *p = (const uint8_t *)text, *stop = p + len;
    int32_t n = 0;

    while (p < stop) {
        int32_t c;

        p += utf8_next(p, stop, &c);
        if (c == UTF8_INVALID)
            c = UTF8_REPLACEMENT;
        U16_APPEND_UNSAFE(u, n, c);
    }
    return n;
}

static inline bool is_word(const UChar *u, int32_t n)
{
    for (int32_t i = 0; i < n;) {
        UChar32 c;

        U16_NEXT(u, i, n, c);
        if (u_isUAlphabetic(c) || u_isdigit(c))
            return true;
    }
    return false;
}

static inline void define_word(const UChar *u, int32_t n, bool keep_case,
                               struct buf *out)
{
    UErrorCode status = U_ZERO_ERROR;
    struct cooc_err err = { 0 };
    int32_t cap = n * 9 + 9, len = n;
    UChar *folded = malloc((size_t)cap * sizeof *folded);
    UChar *nfc = malloc((size_t)cap * sizeof *nfc);
    char *bytes = malloc((size_t)cap * 3);

    must(folded && nfc && bytes);
    u_memcpy(folded, u, n);
    if (!keep_case)
        len = u_strFoldCase(folded, cap, u, n, U_FOLD_CASE_DEFAULT, &status);
    len = unorm2_normalize(unorm2_getNFCInstance(&status), folded, len, nfc,
                           cap, &status);
    u_strToUTF8(bytes, cap * 3, &len, nfc, len, &status);
    must(U_SUCCESS(status));
    must(buf_add(out, bytes, (size_t)len, &err) == 0);
    must(buf_byte(out, '|', &err) == 0);
    free(folded);
    free(nfc);
    free(bytes);
}

/* The words of a whole text.  The only exception to ICU: a blank or U+FFFD that
 * WB4 and WB3c attach in front of a word is not part of it. */
static inline void define_words(UBreakIterator *it, const char *text,
                                size_t len, bool keep_case, struct buf *out)
{
    UChar *u = malloc((len + 1) * sizeof *u);
    UErrorCode status = U_ZERO_ERROR;
    struct cooc_err err = { 0 };
    int32_t n, from = 0, to;

    must(u != NULL);
    n = to_utf16(text, len, u);
    out->len = 0;
    ubrk_setText(it, u, n, &status);
    must(U_SUCCESS(status));
    while ((to = ubrk_next(it)) != UBRK_DONE) {
        for (int32_t i = from; i < to; i++)
            if (u[i] == ' ' || u[i] == UTF8_REPLACEMENT ||
                (u[i] >= '\t' && u[i] <= '\r'))
                from = i + 1;
        if (ubrk_getRuleStatus(it) >= UBRK_WORD_NONE_LIMIT &&
            is_word(u + from, to - from))
            define_word(u + from, to - from, keep_case, out);
        from = to;
    }
    must(buf_text(out, &err) == 0);
    free(u);
}

#endif
