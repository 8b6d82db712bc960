/* test_html.c - the text of a page, and its character encoding. */
#include "harness.h"

#include <fcntl.h>
#include <unistd.h>

#include "../fuzz/tag_soup.h"
#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/mem.h"
#include "read/html_text.h"
#include "read/read.h"

static void read_page(const char *html, size_t len, const char *charset,
                      struct buf *out)
{
    struct cooc_err err = { 0 };
    uint64_t invalid = 0;

    CHECK_RC(html_text(html, len, &(struct html_hints){ .said = charset }, out,
                       NULL, &invalid, NULL, &err),
             0, &err);
    CHECK_RC(buf_text(out, &err), 0, &err);
}

static void check_page(const char *html, size_t len, const char *want)
{
    struct buf out = { 0 };

    read_page(html, len, NULL, &out);
    if (strcmp(out.data, want) != 0)
        fail_msg("%s: got  %s\nwant %s", html, out.data, want);
    buf_release(&out);
}

/* Pages and their paragraphs, each followed by '|'. */
static void blocks_end_paragraphs(void **state)
{
    static const struct {
        const char *html, *want;
    } pages[] = {
        { "<p>a<br>b <b>c</b></p>d<p>e", "a/b c/|d/|e/" },
        { "<table><tr><td>a<td>b</table><img>c<hr><hr>d", "a/|b/|c/|d/" },
        { "<html><body> <p></p><ul><li>a</li><LI>b</LI></ul></body>",
          " /|a/|b/" },
        { "<title>t</title><x-y>a</x-y>b<h1>c", "t/|a/b/|c/" },
        { "<p>", "" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        struct buf out = { 0 }, ends = { 0 }, got = { 0 };
        struct cooc_err err = { 0 };
        const struct text_end *at;
        const struct html_hints utf8 = { .said = "UTF-8" };
        uint64_t invalid = 0;
        size_t n, from = 0;

        CHECK_RC(html_text(pages[i].html, strlen(pages[i].html), &utf8, &out,
                           &ends, &invalid, NULL, &err),
                 0, &err);
        at = (const void *)ends.data;
        n = ends.len / sizeof *at;
        for (size_t j = 0; j <= n; j++) {
            size_t to = j < n ? at[j].at : out.len;

            assert_true(j == n || at[j].paragraph);
            CHECK_RC(buf_printf(&got, &err, "%s%.*s", j ? "|" : "",
                                (int)(to - from), out.data + from), 0, &err);
            from = to;
        }
        for (char *p = got.data; *p; p++)
            *p = *p == '\n' ? '/' : *p;
        assert_string_equal(got.data, pages[i].want);
        buf_release(&out);
        buf_release(&ends);
        buf_release(&got);
    }
}

static const struct {
    const char *html, *want;
} shown[] = {
    { "<html><body>one</body></html><p>two</p>", "one\ntwo\n" },
    { "<html>a</html> b <html>c</html>d", "a\n b \nc\nd\n" },
    { "a<html>b<head>c<body>d</body>e", "a\nb\nc\nd\ne\n" },
    { "<frameset>a<frame>b<noframes>c</noframes>d</frameset>e",
      "a\nb\nc\nd\ne\n" },
    { "<!doctype html><!doctype html>a<!doctype x [", "a\n" },
    /* single words split by tags */
    { "super<wbr>cali<wbr/>fragi", "supercalifragi\n" },
    { "a&shy;b&#173;c&#xad;d\xc2\xad" "e&shy", "abcde\n" },
    { "<dfn>co</dfn>occur<nobr>rence</nobr>", "cooccurrence\n" },
    { "x<!-- y -->z", "xz\n" },
    /* comments and look-alikes */
    { "a<!-->b<!--->c<!-- d --!>e<!-- -- >f-->g", "abceg\n" },
    { "a<!b>c<?d>e</ f>g</>h<!--", "acegh\n" },
    { "a<![CDATA[ <b> & ]]>c<![CDATA[d>e", "a <b> & cd>e\n" },
    /* elements in which '<' is text */
    { "<title>a <b> &amp; <!-- c</TITLE >d", "a <b> & <!-- c\nd\n" },
    { "<textarea></p>a</textarea\n>b", "</p>a\nb\n" },
    { "<xmp><p>&amp;</xmp>b", "<p>&amp;\nb\n" },
    { "<title>a<p>b", "a\nb\n" },
    { "<textarea>a<p>&amp;", "a<p>&\n" },
    { "a<plaintext>b<c></plaintext>", "a\nb<c></plaintext>\n" },
    { "<noscript>a<!-- b</noscript>c", "a\nc\n" },
    { "<iframe><iframe>a<script>b</iframe>c", "a\nc\n" },
    /* scripts */
    { "<script>a</scripts></SCRIPT x='>'>b", "b\n" },
    { "<script><!-- a <script>b</script>c --></script>d", "d\n" },
    { "<script><!--><script></script>a", "a\n" },
    { "<script src=x />a<style/>b", "a\nb\n" },
    { "a<style>b", "a\n" },
    { "<template>a<template>b</template>c</template>d</template>e",
      "d\ne\n" },
    /* tags */
    { "<p title='>a' b=\"<c>\" d=/>e", "e\n" },
    { "a<p title='b>c", "a\n" },
    { "a <b c", "a \n" },
    { "1 < 2 <3 <", "1 < 2 <3 <\n" },
    /* character references */
    { "&amp;&AMP&amp &lt;p&gt;", "&&& <p>\n" },
    { "ko&ccaron;ka&notit;&notin;&fjlig;", "ko\xc4\x8dka\xc2\xacit;\xe2\x88\x89"
                                           "fj\n" },
    { "&#228;&#xE4&#0;&#xd800;&#x110000;&#99999999999999999999;&#;&#x;",
      "\xc3\xa4\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd&#;&#x;"
      "\n" },
    { "&#128;&#x9f;&bogus;& &a", "\xe2\x82\xac\xc5\xb8&bogus;& &a\n" },
    { "&CounterClockwiseContourIntegral;&CounterClockwiseContourIntegrals;",
      "\xe2\x88\xb3&CounterClockwiseContourIntegrals;\n" },
};

static void the_text_is_what_a_browser_shows(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(shown); i++)
        check_page(shown[i].html, strlen(shown[i].html), shown[i].want);
    check_page("a\0b<p\0>c<\0p>", 13, "ab\nc<p>\n");
}

static const struct {
    const char *html, *said, *want;
} charsets[] = {
    { "\xef\xbb\xbf<meta charset=koi8-r>\xe9", NULL, "UTF-8" },
    { "\xef\xbb\xbf\xe9", "koi8-r", "UTF-8" },
    { "\xff\xfe<meta charset=koi8-r>", "koi8-r", "UTF-16LE" },
    { "<meta charset=koi8-r>", "iso-8859-5", "iso-8859-5" },
    { "<meta charset=koi8-r>", "utf8mb4", "koi8-r" },
    { "<meta charset=koi8-r>", "utf-16", "UTF-16LE" },
    { "<meta charset=utf-16>\xe9", NULL, "UTF-8" },
    { "<meta charset=gb2312>", NULL, "gb18030" },
    { "<meta charset=EUC-KR>", NULL, "windows-949" },
    { "<meta charset=latin1>", NULL, "windows-1252" },
    { "<meta charset=iso-8859-9>", NULL, "windows-1254" },
    { "<meta charset=ibm037>\xc3\xa9", NULL, "UTF-8" },
    { "<meta charset=utf-ebcdic>\xe9", NULL, "UTF-8" },
    { "<meta charset=0123456789012345678901234567890123456789>", NULL,
      "UTF-8" },
    { "<?xml encoding=koi8-r", NULL, "koi8-r" },
    { "<?xmlencoding=koi8-r?>", NULL, "UTF-8" },
    { "", NULL, "UTF-8" },
};

static void a_page_is_read_in_its_character_encoding(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(charsets); i++) {
        const struct html_hints hints = { .said = charsets[i].said };
        struct cooc_err err = { 0 };
        char name[HTML_CHARSET_MAX];
        size_t skip;
        bool guessed;

        CHECK_RC(html_charset(charsets[i].html, strlen(charsets[i].html),
                              &hints, name, &skip, &guessed, &err),
                 0, &err);
        if (strcmp(name, charsets[i].want) != 0)
            fail_msg("%s: got %s, want %s", charsets[i].html, name,
                     charsets[i].want);
    }
}

/* ---- random pages ---- */

static struct soup soup;
static uint8_t choices[400];

/* Different choices for each seed, the same in each run. */
static size_t choose(uint32_t seed)
{
    uint32_t x = seed * 2654435761u + 1;
    size_t n = seed % sizeof choices;

    for (size_t i = 0; i < n; i++)
        choices[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
    return n;
}

static void no_word_is_lost_in_tag_soup(void **state)
{
    size_t all = 0, hidden = 0;

    (void)state;
    for (uint32_t seed = 1; seed <= 4000; seed++) {
        struct buf out = { 0 };

        soup_page(&soup, choices, choose(seed));
        read_page(soup.page, soup.len, "UTF-8", &out);
        for (unsigned i = 0; i < soup.words; i++) {
            all++;
            hidden += !soup.shown[i];
            if (soup_has(out.data, out.len, i) != soup.shown[i])
                fail_msg("seed %u: w%ua is %s in\n%.*s\n-- read as\n"
                         "%s", seed, i, soup.shown[i] ? "not" : "text",
                         (int)soup.len, soup.page, out.data);
        }
        buf_release(&out);
    }
    assert_in_range(hidden, 10000, all / 2);
}

static void only_valid_declarations_set_the_encoding(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 4000; seed++) {
        struct cooc_err err = { 0 };
        char name[HTML_CHARSET_MAX];
        const char *said, *want;
        struct html_hints hints = { .other = "windows-1252" };
        size_t skip, want_skip;
        bool guessed;

        want = soup_charset(&soup, choices, choose(seed), &said, &want_skip);
        hints.said = said;
        CHECK_RC(html_charset(soup.page, soup.len, &hints, name, &skip, &guessed,
                              &err),
                 0, &err);
        if (skip != want_skip || ascii_casecmp(name, want) != 0)
            fail_msg("seed %u: got %s, want %s, said %s\n%.*s", seed, name,
                     want, said ? said : "nothing", (int)soup.len, soup.page);
    }
}

/* ---- hostile pages ---- */

static const char *const repeated[] = {
    "<title>",  "<textarea>",    "<noscript>", "<noscript><title>", "<xmp>",
    "<iframe>", "<![CDATA[",     "<!--",       "<!-",               "--",
    "<div>",    "<div></p>",     "<script>",   "<script><!--",      "</",
    "&",        "&#",            "&amp",       "<a b='",            "<p ",
    "<x",       "<template>",    "<meta ",     "<meta charset=x>",  "<",
    "<b><i>",   "<svg><![CDATA", "<a =\"'>",   "]]>",               "\xff\xfe",
    "<noframes></noframes><title>",
};

/* Quadratic time would not finish.  The library must not print anything. */
static void hostile_pages_are_read_fast_and_without_output(void **state)
{
    size_t size = (size_t)2 << 20;
    char *page = malloc(size);
    int saved = dup(2), fd = open(".", O_TMPFILE | O_RDWR, 0600);

    (void)state;
    if (fd < 0)
        fd = fileno(tmpfile());
    assert_true(page && saved >= 0 && fd >= 0);
    dup2(fd, 2);
    for (size_t i = 0; i < ARRAY_LEN(repeated); i++) {
        struct buf out = { 0 };
        size_t n = strlen(repeated[i]);

        for (size_t at = 0; at < size; at++)
            page[at] = repeated[i][at % n];
        read_page(page, size, NULL, &out);
        buf_release(&out);
    }
    for (uint32_t seed = 1; seed <= 500; seed++) {
        static const char *const said[] = { NULL, "utf-16", "utf-7", "no-such",
                                            "iso-2022-jp" };
        struct buf out = { 0 };

        soup_page(&soup, choices, choose(seed));
        read_page(soup.page, soup.len, said[seed % ARRAY_LEN(said)], &out);
        buf_release(&out);
    }
    dup2(saved, 2);
    assert_int_equal(lseek(fd, 0, SEEK_END), 0);
    close(saved);
    close(fd);
    free(page);
    assert_int_equal(mem_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_end_paragraphs),
        cmocka_unit_test(the_text_is_what_a_browser_shows),
        cmocka_unit_test(a_page_is_read_in_its_character_encoding),
        cmocka_unit_test(no_word_is_lost_in_tag_soup),
        cmocka_unit_test(only_valid_declarations_set_the_encoding),
        cmocka_unit_test(hostile_pages_are_read_fast_and_without_output),
    };

    return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
