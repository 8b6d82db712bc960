/* encoding.c - find the encoding of a text from its bytes.
 *
 * UTF-8 is recognised beyond doubt: text in another encoding is hardly ever
 * valid UTF-8 by chance.  Nearly valid UTF-8 is UTF-8, too, because a damaged
 * file should lose single characters, not all of its accents.
 *
 * ICU compares a text with the frequent letters of some languages.  It looks at
 * the first 8 KiB only, which takes 3 ms, and is hardly better with 8 KiB than
 * with 512 bytes.  So it is given an extract of 512 bytes, from the pieces
 * that are not ASCII: many texts begin with ASCII.
 */
#include "read/encoding.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/ucsdet.h>
#include <unicode/utf16.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/utf8.h"
#include "read/recode.h"

#define FALLBACK "windows-1252"
#define CONFIDENCE_MIN 50
#define BYTES_MIN 4   /* that are not ASCII; of fewer, ICU knows nothing */
#define PIECE 64      /* bytes of a piece, up to the next blank */
#define PIECE_MAX 256 /* where text has no blanks */
#define EXTRACT 512

/* ---- what the user asked for --------------------------------------------- */

int encoding_choose(struct encoding_choice *out, const char *option,
                    struct cooc_err *err)
{
    const char *name = option, *comma = option ? strchr(option, ',') : NULL;

    *out = (struct encoding_choice){ .fallback = FALLBACK };
    if (!option || ascii_casecmp(option, "auto") == 0)
        return 0;
    if (comma && ascii_casecmp(comma + 1, "auto") == 0)
        return err_option(err, COOC_EINVAL, "encoding",
                          "auto must come first, as in 'auto,%.*s'",
                          (int)(comma - option), option);
    if (ascii_ncasecmp(option, "auto,", 5) == 0) {
        name = comma + 1;
        name += strspn(name, " ");
        out->fallback = name;
    } else {
        out->named = name;
    }
    return encoding_check(name, err);
}

/* ---- UTF-16 without a byte order mark ------------------------------------ */

/* Whether text has this character: not a control character other than a blank
 * or a line end, and assigned by Unicode. */
static bool is_character(UChar32 c)
{
    int8_t type = u_charType(c);

    if (c < ' ')
        return c >= '\t' && c <= '\r';
    return type != U_CONTROL_CHAR && type != U_UNASSIGNED &&
           type != U_PRIVATE_USE_CHAR && type != U_SURROGATE;
}

static UChar32 unit_at(const uint8_t *p, bool big)
{
    return big ? p[0] << 8 | p[1] : p[1] << 8 | p[0];
}

/* Whether all units are characters.  cut: more text follows. */
static bool is_utf16_in(const char *data, size_t len, bool cut, bool big)
{
    const uint8_t *p = (const uint8_t *)data, *end = p + len / 2 * 2;

    for (; p < end; p += 2) {
        UChar32 c = unit_at(p, big);

        if (U16_IS_LEAD(c)) {
            UChar32 trail = end - p > 2 ? unit_at(p + 2, big) : 0;

            if (end - p <= 2 && cut)
                break;
            if (!U16_IS_TRAIL(trail))
                return false;
            c = U16_GET_SUPPLEMENTARY(c, trail);
            p += 2;
        }
        if (!is_character(c))
            return false;
    }
    return true;
}

/* The name of the encoding if a text with NUL bytes is UTF-16, otherwise NULL.
 * In which place the NUL bytes are, those of the characters below U+0100, shows
 * the byte order. */
static const char *is_utf16(const char *data, size_t len, bool cut)
{
    size_t zeros[2] = { 0, 0 };
    bool big;

    if (len < 8 || (len % 2 && !cut))
        return NULL;
    for (size_t i = 0; i < len; i++)
        zeros[i % 2] += data[i] == 0;
    big = zeros[0] > zeros[1];
    if (zeros[0] == zeros[1] || !is_utf16_in(data, len, cut, big))
        return NULL;
    return big ? "UTF-16BE" : "UTF-16LE";
}

/* ---- UTF-8 --------------------------------------------------------------- */

/* Whether the text is UTF-8, or was UTF-8 before it was damaged: it has more
 * than four characters of several bytes for each invalid byte. */
static bool is_utf8(const char *data, size_t len, bool cut)
{
    struct utf8_tally t;

    if (cut)
        len -= utf8_cut(data, len);
    if (utf8_is_valid(data, len))
        return true;
    t = utf8_count(data, len);
    return t.wide > 4 * t.invalid;
}

/* ---- ICU ----------------------------------------------------------------- */

/* The end of the piece of text that begins at p: a blank or a control
 * character, which no encoding uses as a part of another character. */
static const char *piece_end(const char *p, const char *end)
{
    const char *limit = end - p > PIECE_MAX ? p + PIECE_MAX : end;

    for (p = limit - p > PIECE ? p + PIECE : limit; p < limit; p++)
        if ((unsigned char)*p <= ' ')
            return p + 1;
    return limit;
}

/* The number of bytes that are not ASCII, but at most max. */
static size_t not_ascii(const char *p, const char *end, size_t max)
{
    size_t n = 0;

    for (; p < end && n < max; p++)
        n += (unsigned char)*p >= 0x80;
    return n;
}

/* Collect pieces that are not ASCII, up to EXTRACT bytes. */
static size_t extract(const char *data, size_t len, char out[EXTRACT])
{
    const char *p = data, *end = data + len, *next;
    size_t n = 0;

    for (; p < end && n < EXTRACT; p = next) {
        size_t size;

        next = piece_end(p, end);
        if (!not_ascii(p, next, 1))
            continue;
        size = (size_t)(next - p);
        size = size < EXTRACT - n ? size : EXTRACT - n;
        memcpy(out + n, p, size);
        n += size;
    }
    return n;
}

/* Whether ICU may choose this encoding.  ISO-2022 is ASCII with escape
 * sequences, EBCDIC is not used for text files; the other ones have been
 * excluded by rules of our own. */
static bool is_plausible(const char *name)
{
    static const char *const never[] = { "ISO-2022", "UTF-", "IBM42" };

    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        if (ascii_ncasecmp(name, never[i], strlen(never[i])) == 0)
            return false;
    return true;
}

/* ISO encodings have control characters where the corresponding Windows
 * encodings have quotation marks and letters.  Return the Windows encoding if
 * it differs in nothing else, or if the text has such bytes. */
static const char *widen(const char *name, const char *data, size_t len)
{
    static const struct {
        const char *name, *wider;
        bool always;
    } pairs[] = {
        { "ISO-8859-1", "windows-1252", true },
        { "ISO-8859-9", "windows-1254", true },
        { "EUC-KR", "windows-949", true },
        { "ISO-8859-2", "windows-1250", false },
        { "ISO-8859-7", "windows-1253", false },
        { "ISO-8859-8", "windows-1255", false },
        { "ISO-8859-8-I", "windows-1255", false },
    };
    bool control = false;

    for (size_t i = 0; i < len && !control; i++)
        control =
            (unsigned char)data[i] >= 0x80 && (unsigned char)data[i] < 0xa0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (strcmp(name, pairs[i].name) == 0 && (control || pairs[i].always))
            return pairs[i].wider;
    return name;
}

/* Set name to what ICU detects; unchanged if it is not confident. */
static int detect(const char *data, size_t len, char name[ENCODING_NAME_MAX],
                  struct cooc_err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    UCharsetDetector *d = ucsdet_open(&status);
    const UCharsetMatch **found = NULL;
    char text[EXTRACT];
    int32_t n = 0, confidence = 0;
    const char *best = NULL;
    int rc = 0;

    ucsdet_setText(d, text, (int32_t)extract(data, len, text), &status);
    if (U_SUCCESS(status))
        ucsdet_enableInputFilter(d, true); /* leave out tags */
    found = ucsdet_detectAll(d, &n, &status);
    for (int32_t i = 0; U_SUCCESS(status) && i < n && !best; i++) {
        best = ucsdet_getName(found[i], &status);
        confidence = ucsdet_getConfidence(found[i], &status);
        if (U_FAILURE(status) || !is_plausible(best))
            best = NULL;
    }
    if (best && confidence >= CONFIDENCE_MIN) {
        best = widen(best, data, len);
        rc = encoding_check(best, NULL);
        if (rc == 0)
            snprintf(name, ENCODING_NAME_MAX, "%s", best);
    }
    ucsdet_close(d);
    return status == U_MEMORY_ALLOCATION_ERROR || rc == COOC_ENOMEM
               ? err_nomem(err)
               : 0;
}

/* ---- all rules ----------------------------------------------------------- */

static int set(struct encoding *e, enum encoding_source source,
               const char *name)
{
    snprintf(e->name, sizeof e->name, "%s", name);
    e->source = source;
    return 0;
}

int encoding_find(struct encoding *out, const struct encoding_choice *choice,
                  const char *data, size_t len, struct cooc_err *err)
{
    const char *name;
    bool cut = len >= ENCODING_SAMPLE;

    *out = (struct encoding){ 0 };
    len = cut ? ENCODING_SAMPLE : len;
    name = encoding_mark(data, len, &out->mark);
    if (name)
        return set(out, ENCODING_MARKED, name);
    if (choice->named)
        return set(out, ENCODING_NAMED, choice->named);
    if (len && memchr(data, 0, len) &&
        (name = is_utf16(data, len, cut)) != NULL)
        return set(out, ENCODING_GUESSED, name);
    if (is_utf8(data, len, cut))
        return set(out, ENCODING_UTF8, "UTF-8");
    set(out, ENCODING_GUESSED, choice->fallback);
    return not_ascii(data, data + len, BYTES_MIN) < BYTES_MIN
               ? 0
               : detect(data, len, out->name, err);
}

bool encoding_converts(const struct encoding *e)
{
    return e->name[0] && !encoding_is_utf8(e->name);
}
