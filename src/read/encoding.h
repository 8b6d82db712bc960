/* encoding.h - find out which encoding a text is in.
 *
 *     encoding_choose   what the user wants: "latin1", "auto", "auto,latin1"
 *     encoding_find     the encoding of a text, by that and by its beginning
 *
 * The first rule that applies decides:
 *
 *     a byte order mark;
 *     the encoding that the user named;
 *     UTF-16 without a mark (is_utf16() in encoding.c);
 *     UTF-8, if all bytes are valid or only a few are not;
 *     what ICU detects with a confidence of at least 50, if at least 4 bytes
 *     are not ASCII;
 *     the fallback.
 *
 * Only the first ENCODING_SAMPLE bytes are examined, so the result depends on
 * the bytes of the text alone.
 *
 * Threads    Any.
 * Cost       Bytes of ASCII are examined 8 at a time.  Text that is not UTF-8
 *            takes another 0.2 ms.
 */
#ifndef COOC_ENCODING_H
#define COOC_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

struct cooc_err;

#define ENCODING_SAMPLE ((size_t)1 << 20)
#define ENCODING_NAME_MAX 60 /* with the NUL; ICU's longest name */

/* What the user asked for.  The strings are part of the option or static. */
struct encoding_choice {
    const char *named;    /* NULL: find out */
    const char *fallback; /* if it cannot be found out; never NULL */
};

/* Read the value of an option, which may be NULL: "auto".  COOC_EINVAL if ICU
 * does not know an encoding. */
int encoding_choose(struct encoding_choice *out, const char *option,
                    struct cooc_err *err);

/* How an encoding was found. */
enum encoding_source {
    ENCODING_UTF8,   /* the bytes are UTF-8 */
    ENCODING_MARKED, /* a byte order mark */
    ENCODING_NAMED,  /* the user */
    ENCODING_GUESSED /* other bytes; or the fallback */
};

struct encoding {
    char name[ENCODING_NAME_MAX]; /* as ICU or the user spells it */
    enum encoding_source source;
    size_t mark; /* length of the byte order mark */
};

/* Find the encoding of a text that begins with data[0..len): all of it, or at
 * least ENCODING_SAMPLE bytes.  COOC_ENOMEM only. */
int encoding_find(struct encoding *out, const struct encoding_choice *choice,
                  const char *data, size_t len, struct cooc_err *err);

/* Whether text in this encoding has to be converted. */
bool encoding_converts(const struct encoding *e);

#endif
