/* fuzz_soup.c - a page with known text: see tag_soup.h.
 *
 *     u8 page or character encoding; the choices
 */
#include "fuzz.h"

#include "base/ascii_case.h"
#include "base/buf.h"
#include "read/html_text.h"
#include "tag_soup.h"

static struct soup soup;

static void page(const struct bytes *in)
{
    struct cooc_err err = { 0 };
    struct buf out = { 0 };
    const struct html_hints utf8 = { .said = "UTF-8" };
    uint64_t invalid = 0;

    soup_page(&soup, in->p, in->n);
    MUST(html_text(soup.page, soup.len, &utf8, &out, NULL, &invalid, NULL,
                   &err) == 0);
    for (unsigned i = 0; i < soup.words; i++)
        MUST(soup_has(out.data, out.len, i) == soup.shown[i]);
    buf_release(&out);
}

static void charset(const struct bytes *in)
{
    struct cooc_err err = { 0 };
    char name[HTML_CHARSET_MAX];
    const char *said, *want;
    struct html_hints hints = { .other = "windows-1252" };
    size_t skip, want_skip;
    bool guessed;

    want = soup_charset(&soup, in->p, in->n, &said, &want_skip);
    hints.said = said;
    MUST(html_charset(soup.page, soup.len, &hints, name, &skip, &guessed,
                      &err) == 0);
    MUST(skip == want_skip && ascii_casecmp(name, want) == 0);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct bytes in = { data, size };

    if (take_byte(&in) % 2)
        charset(&in);
    else
        page(&in);
}
