/* fold_text.c - fold the case of one term, as the tokeniser does. */
#include "base/fold_text.h"

#include <stdint.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/utf8.h"

/* Folding and composing cannot make a term of something longer. */
#define LONGEST ((size_t)1 << 20)

/* Folding makes at most 3 units of one, and so does composing. */
#define GROWTH 3

bool has_letter_or_digit(const char *text, size_t len)
{
    const uint8_t *p = (const uint8_t *)text, *end = p + len;

    while (p < end) {
        int32_t c;

        p += utf8_next(p, end, &c);
        if (c < 0x80 ? ascii_is_alnum((char)c)
                     : u_isUAlphabetic(c) || u_isdigit(c))
            return true;
    }
    return false;
}

/* Append ASCII text; false if it has other characters. */
static bool fold_ascii(const char *text, size_t len, bool keep_case,
                       struct buf *out)
{
    size_t start = out->len, to = start;

    for (size_t i = 0; i < len; i++) {
        char c = text[i];

        if ((unsigned char)c >= 0x80)
            return false;
        if (!ascii_space(c))
            out->data[to++] = (char)(keep_case ? c : ascii_lower(c));
        else if (to > start && out->data[to - 1] != ' ')
            out->data[to++] = ' ';
    }
    out->len = to > start && out->data[to - 1] == ' ' ? to - 1 : to;
    return true;
}

/* Decode the text to u, which has room for len units.  Returns their number. */
static int32_t decode(const char *text, size_t len, UChar *u)
{
    const uint8_t *p = (const uint8_t *)text, *end = p + len;
    int32_t n = 0;

    while (p < end) {
        int32_t c;

        p += utf8_next(p, end, &c);
        if (c == UTF8_INVALID)
            c = UTF8_REPLACEMENT;
        if (!u_isUWhiteSpace(c))
            U16_APPEND_UNSAFE(u, n, c);
        else if (n && u[n - 1] != ' ')
            u[n++] = ' ';
    }
    return n && u[n - 1] == ' ' ? n - 1 : n;
}

static int encode(const UChar *u, int32_t n, struct buf *out,
                  struct cooc_err *err)
{
    int rc = buf_reserve(out, 3 * (size_t)n + 1, err);

    for (int32_t i = 0; rc == 0 && i < n;) {
        int32_t c;

        U16_NEXT(u, i, n, c);
        U8_APPEND_UNSAFE(out->data, out->len, c);
    }
    return rc;
}

int fold_text(const char *text, size_t len, bool keep_case, struct buf *out,
              struct cooc_err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *nfc;
    UChar *u, *folded, *composed;
    size_t room = GROWTH * len;
    int32_t n;
    int rc = buf_reserve(out, len + 1, err);

    if (rc < 0 || !len || fold_ascii(text, len, keep_case, out))
        return rc;
    if (len > LONGEST)
        return buf_add(out, text, len, err);
    u = mem_array(len + room + GROWTH * room, sizeof *u);
    if (!u)
        return err_nomem(err);
    folded = u + len;
    composed = folded + room;
    nfc = unorm2_getNFCInstance(&status);
    n = decode(text, len, u);
    if (keep_case)
        folded = u;
    else
        n = u_strFoldCase(folded, (int32_t)room, u, n, U_FOLD_CASE_DEFAULT,
                          &status);
    n = unorm2_normalize(nfc, folded, n, composed, (int32_t)(GROWTH * room),
                         &status);
    if (U_SUCCESS(status))
        rc = encode(composed, n, out, err);
    else
        rc = status == U_MEMORY_ALLOCATION_ERROR
                 ? err_nomem(err)
                 : err_set(err, COOC_EINVAL,
                           "the ICU library failed: %s; check that its data "
                           "is installed", u_errorName(status));
    mem_free(u);
    return rc;
}
