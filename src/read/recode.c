/* recode.c - a thin layer over ICU's converters.
 *
 * ICU converts between encodings by way of UTF-16, in pieces of any size;
 * ucnv_convertEx() keeps the state between pieces in the converters and in a
 * small pivot buffer.  A callback is called for every invalid sequence.
 */
#include "read/recode.h"

#include <string.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/utf8.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#define PIVOT 1024 /* UTF-16 units */

struct recoder {
    UConverter *from, *to;
    uint64_t *invalid;
    UChar pivot[PIVOT];
    UChar *pivot_source, *pivot_target;
    bool begun;
};

static void on_invalid(const void *context, UConverterToUnicodeArgs *args,
                       const char *bytes, int32_t len,
                       UConverterCallbackReason reason, UErrorCode *status)
{
    uint64_t *const *invalid = context;
    static const UChar replacement = 0xfffd;

    (void)bytes;
    if (reason > UCNV_IRREGULAR) /* reset, close, clone */
        return;
    **invalid += (uint64_t)len;
    *status = U_ZERO_ERROR;
    ucnv_cbToUWriteUChars(args, &replacement, 1, 0, status);
}

static int icu_failed(UErrorCode status, struct cooc_err *err)
{
    if (status == U_MEMORY_ALLOCATION_ERROR)
        return err_nomem(err);
    return err_set(err, COOC_EIO, "cannot convert to UTF-8: %s",
                   u_errorName(status));
}

int encoding_check(const char *encoding, struct cooc_err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    UConverter *c = NULL;

    if (*encoding && strlen(encoding) < UCNV_MAX_CONVERTER_NAME_LENGTH)
        c = ucnv_open(encoding, &status);
    ucnv_close(c);
    if (status == U_MEMORY_ALLOCATION_ERROR)
        return err_nomem(err);
    if (!c || U_FAILURE(status))
        return err_option(err, COOC_EINVAL, "encoding",
                          "unknown encoding '%.60s'; examples are latin1, "
                          "windows-1252, koi8-r, shift_jis, gb18030, utf-16",
                          encoding);
    return 0;
}

bool encoding_is_utf8(const char *encoding)
{
    return ucnv_compareNames(encoding, "UTF-8") == 0;
}

int recoder_new(struct recoder **out, const char *encoding, uint64_t *invalid,
                struct cooc_err *err)
{
    UErrorCode status = U_ZERO_ERROR;
    struct recoder *r;
    int rc;

    *out = NULL;
    rc = encoding_check(encoding, err);
    if (rc < 0)
        return rc;
    r = mem_zarray(1, sizeof *r);
    if (!r)
        return err_nomem(err);
    r->invalid = invalid;
    r->pivot_source = r->pivot_target = r->pivot;
    r->from = ucnv_open(encoding, &status);
    r->to = ucnv_open("UTF-8", &status);
    ucnv_setToUCallBack(r->from, on_invalid, &r->invalid, NULL, NULL, &status);
    if (U_FAILURE(status)) {
        recoder_free(r);
        return icu_failed(status, err);
    }
    *out = r;
    return 0;
}

void recoder_free(struct recoder *r)
{
    if (!r)
        return;
    ucnv_close(r->from);
    ucnv_close(r->to);
    mem_free(r);
}

int recoder_feed(struct recoder *r, const char *in, size_t len, bool last,
                 struct buf *out, struct cooc_err *err)
{
    const char *end;

    if (!len)
        in = ""; /* ICU rejects NULL even for an empty input */
    end = in + len;
    for (;;) {
        UErrorCode status = U_ZERO_ERROR;
        char *at;
        int rc = buf_reserve(out, (size_t)(end - in) + 64, err);

        if (rc < 0)
            return rc;
        at = out->data + out->len;
        ucnv_convertEx(r->to, r->from, &at, out->data + out->cap, &in, end,
                       r->pivot, &r->pivot_source, &r->pivot_target,
                       r->pivot + PIVOT, !r->begun, last, &status);
        r->begun = true;
        out->len = (size_t)(at - out->data);
        if (status == U_BUFFER_OVERFLOW_ERROR)
            continue;
        return U_FAILURE(status) ? icu_failed(status, err) : 0;
    }
}

int recode(const char *encoding, const char *in, size_t len, bool last,
           struct buf *out, uint64_t *invalid, struct cooc_err *err)
{
    struct recoder *r;
    int rc = recoder_new(&r, encoding, invalid, err);

    if (rc == 0)
        rc = recoder_feed(r, in, len, last, out, err);
    recoder_free(r);
    return rc;
}

const char *encoding_mark(const char *text, size_t n, size_t *len)
{
    static const struct {
        const char *mark, *name;
        size_t len;
    } marks[] = {
        { "\xef\xbb\xbf", "UTF-8", 3 },
        { "\xff\xfe\0\0", "UTF-32LE", 4 }, /* must precede UTF-16LE */
        { "\0\0\xfe\xff", "UTF-32BE", 4 },
        { "\xff\xfe", "UTF-16LE", 2 },
        { "\xfe\xff", "UTF-16BE", 2 },
    };

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (n >= marks[i].len &&
            memcmp(text, marks[i].mark, marks[i].len) == 0) {
            *len = marks[i].len;
            return marks[i].name;
        }
    *len = 0;
    return NULL;
}
