/* fuzz_html.c - a page.
 *
 *     u8 charset; the page
 */
#include "fuzz.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "read/html_text.h"
#include "read/read.h"

void fuzz_one(const uint8_t *data, size_t size)
{
    static const char *const charsets[] = { NULL, NULL, NULL, "utf-8",
                                            "latin1", "utf-16",
                                            "shift_jis", "no-such" };
    struct bytes in = { data, size };
    const char *charset = charsets[take_byte(&in) % ARRAY_LEN(charsets)];
    struct cooc_err err = { 0 };
    struct buf out = { 0 }, ends = { 0 };
    const struct text_end *at;
    char guessed[HTML_CHARSET_MAX];
    struct html_hints hints = { 0 };
    uint64_t invalid = 0, last = 0;
    int rc;

    hints.said = charset;
    rc = html_text((const char *)in.p, in.n, &hints, &out, &ends, &invalid,
                   guessed, &err);
    at = (const void *)ends.data;
    for (size_t i = 0; i < ends.len / sizeof *at; i++) {
        MUST(rc < 0 || (at[i].at > last && at[i].at < out.len));
        last = at[i].at;
    }
    buf_release(&ends);
    MUST(rc == 0 || err.text[0]);
    MUST(rc < 0 || !out.len || utf8_is_valid(out.data, out.len));
    buf_release(&out);
}
