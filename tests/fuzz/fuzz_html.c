/* fuzz_html.c - a page.
 *
 *     u8 charset; the page
 */
#include "fuzz.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "read/html_text.h"

void fuzz_one(const uint8_t *data, size_t size)
{
    static const char *const charsets[] = { NULL, NULL, NULL, "utf-8",
                                            "latin1", "utf-16",
                                            "shift_jis", "no-such" };
    struct bytes in = { data, size };
    const char *charset = charsets[take_byte(&in) % ARRAY_LEN(charsets)];
    struct cooc_err err = { 0 };
    struct buf out = { 0 };
    uint64_t invalid = 0;
    int rc;

    rc = html_text((const char *)in.p, in.n, charset, &out, &invalid, &err);
    MUST(rc == 0 || err.text[0]);
    MUST(rc < 0 || !out.len || utf8_is_valid(out.data, out.len));
    buf_release(&out);
}
