/* test_read.c - every input format, compressed and plain, valid and invalid.
 *
 * Each test runs in a fresh directory, so document names are short.  The
 * documents of a reader are written as name=text| with '/' for each line break.
 */
#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "read/format.h"
#include "read/html_text.h"
#include "read/read.h"
#include "read_cases.h"

/* ---- formats ---- */

static void every_format_yields_the_expected_documents(void **state)
{
    (void)state;
    put_text("v3", "w1\nw2\nw3\n");
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        put_text("f", good[i].data);
        check_read("f", &good[i].o, good[i].want);
    }
}

static void every_error_names_its_place(void **state)
{
    static const char *const none[3] = { "no/such/file" };

    (void)state;
    put_text("v3", "w1\nw2\nw3\n");
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        put_text("f", bad[i].data);
        check_fails("f", &bad[i].o, bad[i].code, bad[i].words);
    }
    check_fails("no/such/file", NULL, COOC_ENOTFOUND, none);
}

static void add_record(struct buf *b, const char *header, const char *body)
{
    CHECK_RC(buf_printf(b, NULL,
                        "WARC/1.0\r\n%s\r\nContent-Length: %zu\r\n\r\n%s"
                        "\r\n\r\n",
                        header, strlen(body), body),
             0, &(struct cooc_err){ 0 });
}

static void a_warc_file_yields_its_pages(void **state)
{
    static const char want[] = "http://a/=caf\xc3\xa9/xx/|http://b/=abc|"
                               "<urn:1>=plain|";
    const char *input = "w.gz";
    struct reader_stats stats;
    struct cooc_err err = { 0 };
    struct buf warc = { 0 }, out = { 0 };

    (void)state;
    add_record(&warc, "WARC-Type: warcinfo", "a: b");
    add_record(&warc, "WARC-Type: response\r\nWARC-Target-URI: http://a/",
               "HTTP/1.1 200 OK\r\nContent-Type: text/html; "
               "charset=iso-8859-1\r\n\r\n<p>caf\xe9</p>xx");
    add_record(&warc, "WARC-Type: response\r\nWARC-Target-URI: <http://b/>",
               "HTTP/1.1 200 OK\r\nContent-type:text/plain\r\nTransfer-"
               "Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n");
    add_record(&warc, "WARC-Type: response\nWARC-Target-URI: http://c/",
               "HTTP/1.1 200 OK\nContent-Type: text/html\n"
               "Content-Encoding: gzip\n\nxy");
    add_record(&warc, "WARC-Type: resource\nContent-Type: image/png", "PN");
    add_record(&warc,
               "WARC-Type: conversion\nWARC-Record-ID: <urn:1>\n"
               "Content-Type: text/plain",
               "plain");
    pack(input, ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW, NULL, warc.data,
         warc.len);
    CHECK_RC(read_all(&input, 1, NULL, &out, &stats, &err), 0, &err);
    CHECK_RC(buf_text(&out, &err), 0, &err);
    assert_string_equal(out.data, want);
    assert_int_equal(stats.skipped, 2);
    assert_int_equal(stats.bytes, warc.len);
    buf_release(&warc);
    buf_release(&out);
}

/* base/json.c searches a string block by block. */
static void long_and_short_json_strings_are_read_alike(void **state)
{
    static const char *const tails[] = {
        "x",       "\\n\\\"\\/", "\\u00e9\\ud83d\\ude00", "\\u0000",
        "\\u0001", "\\u00010",   "\xc3\xa9\\\\",          "\\ud83d",
    };
    static const char *const wrong[] = { "\\x", "\t", "\\u12g4", "\\" };
    static const char *const words[3] = { "f.jsonl:1:", "malformed" };
    struct cooc_err err = { 0 };
    const char *input = "f.jsonl";
    char line[200];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
        struct buf shorter = { 0 }, longer = { 0 };

        snprintf(line, sizeof line, "{\"id\":1,\"text\":\"%s\"}", tails[i]);
        put_text(input, line);
        CHECK_RC(read_all(&input, 1, NULL, &shorter, NULL, &err), 0, &err);
        snprintf(line, sizeof line, "{\"id\":1,\"text\":\"%070d%s\"}", 0,
                 tails[i]);
        put_text(input, line);
        CHECK_RC(read_all(&input, 1, NULL, &longer, NULL, &err), 0, &err);
        assert_int_equal(longer.len, shorter.len + 70);
        assert_memory_equal(longer.data + 72, shorter.data + 2,
                            shorter.len - 2);
        buf_release(&shorter);
        buf_release(&longer);
    }
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        snprintf(line, sizeof line, "{\"text\":\"%070d%s\"}", 0, wrong[i]);
        put_text(input, line);
        check_fails(input, NULL, COOC_EFORMAT, words);
    }
}

static void html_is_reduced_to_its_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
        struct buf out = { 0 };
        struct cooc_err err = { 0 };
        uint64_t invalid = 0;

        CHECK_RC(html_text(pages[i].html, strlen(pages[i].html), NULL, &out, NULL,
                           &invalid, NULL, &err),
                 0, &err);
        CHECK_RC(buf_text(&out, &err), 0, &err);
        assert_string_equal(out.data, pages[i].want);
        buf_release(&out);
    }
}

/* ---- compression, encodings, directories ---- */

static const int filters[] = {
    ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2,
    ARCHIVE_FILTER_XZ,   ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_LZ4,
};

static void compressed_files_are_read_like_plain_files(void **state)
{
    struct cooc_index_options o = { .format = "lines" };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
        pack("p", filters[i], ARCHIVE_FORMAT_RAW, NULL, TEXT("one\ntwo\n"));
        check_read("p", &o, "p:1=one|p:2=two|");
    }
}

/* Random bytes do not compress, so every truncation removes something. */
static void a_truncated_or_damaged_file_is_an_error(void **state)
{
    static const char *const name[3] = { "p" };
    struct cooc_index_options o = { .format = "files" };
    static char noise[30000], packed[60000];
    uint32_t x = 1;

    (void)state;
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)((x = x * 1664525 + 1013904223) >> 24);
    for (size_t i = 1; i < ARRAY_LEN(filters); i++) {
        size_t n;

        pack("p", filters[i], ARCHIVE_FORMAT_RAW, NULL, noise, sizeof noise);
        n = slurp("p", packed, sizeof packed);
        put("p", packed, n / 2);
        check_fails("p", &o, COOC_EFORMAT, name);
        put("p", packed, n - 3);
        check_fails("p", &o, COOC_EFORMAT, name);
        memcpy(packed + n, "more bytes behind", 17);
        put("p", packed, n + 17);
        check_fails("p", &o, COOC_EFORMAT, name);
    }
    pack("p", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW, NULL, TEXT("abc"));
    size_t n = slurp("p", packed, sizeof packed);
    packed[n - 8] ^= 1; /* the checksum */
    put("p", packed, n);
    check_fails("p", &o, COOC_EFORMAT, name);
    packed[n - 8] ^= 1;
    memcpy(packed + n, packed, n); /* two members, then zeros */
    memset(packed + 2 * n, 0, 512);
    put("p", packed, 2 * n + 512);
    check_read("p", &o, "p=abcabc|");
}

static void archives_are_read_like_directories(void **state)
{
    static const char *const entries[] = { "d/", "./d/b.txt", "d/.x",
                                           "a\xc3\xa9.txt", NULL };
    static const int formats_[] = { ARCHIVE_FORMAT_TAR_USTAR,
                                    ARCHIVE_FORMAT_TAR_PAX_RESTRICTED,
                                    ARCHIVE_FORMAT_TAR_GNUTAR,
                                    ARCHIVE_FORMAT_ZIP };
    struct cooc_index_options lines = { .format = "lines" };
    static char inner[200];
    size_t n;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(formats_); i++) {
        pack("p", ARCHIVE_FILTER_NONE, formats_[i], entries, TEXT("x\ny"));
        check_read("p", NULL, "p/d/b.txt=x/y|p/a\xc3\xa9.txt=x/y|");
    }
    pack("p", ARCHIVE_FILTER_ZSTD, ARCHIVE_FORMAT_TAR_USTAR, entries,
         TEXT("x\ny"));
    check_read("p", &lines,
               "p/d/b.txt:1=x|p/d/b.txt:2=y|"
               "p/a\xc3\xa9.txt:1=x|p/a\xc3\xa9.txt:2=y|");
    for (size_t i = 1; i < ARRAY_LEN(filters); i++) {
        pack("in", filters[i], ARCHIVE_FORMAT_RAW, NULL, TEXT("deep"));
        n = slurp("in", inner, sizeof inner);
        pack("p", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_TAR_USTAR, entries, inner,
             n);
        check_read("p", NULL, "p/d/b.txt=deep|p/a\xc3\xa9.txt=deep|");
    }
}

static void encodings_are_recognised_and_converted(void **state)
{
    struct cooc_index_options sjis = { .encoding = "shift_jis" };
    struct cooc_err err = { 0 };
    struct reader_stats stats;
    struct buf out = { 0 };
    const char *input = "f";

    (void)state;
    put("f", TEXT("\xff\xfe\xe9\0\n\0x\0\n\0"));
    check_read("f", NULL, "f:1=\xc3\xa9|f:2=x|");
    put("f", TEXT("\xfe\xff\0i\0d\0\t\0\xe9\0\n"));
    check_read("f", NULL, "id=\xc3\xa9|");
    put("f", TEXT("\xff\xfe\0\0\xe9\0\0\0"));
    check_read("f", NULL, "f:1=\xc3\xa9|");
    put("f", TEXT("a\xff\xff"
                  "b\x93")); /* truncated at the end */
    CHECK_RC(read_all(&input, 1, &sjis, &out, &stats, &err), 0, &err);
    assert_int_equal(stats.invalid_bytes, 3);
    assert_memory_equal(out.data,
                        "f:1=a\xef\xbf\xbd\xef\xbf\xbd"
                        "b"
                        "\xef\xbf\xbd|",
                        out.len);
    buf_release(&out);
}

static void a_directory_is_read_in_byte_order(void **state)
{
    const char *input = "d";
    struct cooc_err err = { 0 };
    struct reader_stats stats;
    struct buf out = { 0 };

    (void)state;
    assert_int_equal(mkdir("d", 0755) | mkdir("d/b", 0755) |
                         mkdir("d/.git", 0755) | mkdir("d/empty", 0755),
                     0);
    put_text("d/a.txt", "1");
    put_text("d/b/z", "3");
    put_text("d/b.txt", "2");
    put_text("d/B", "0");
    put_text("d/.hidden", "h");
    put("d/c.png", TEXT("P\0N"));
    put_text("d/\xc3\xa9", "4");
    assert_int_equal(symlink("..", "d/b/loop") | symlink("x", "d/b/gone"), 0);
    CHECK_RC(read_all(&input, 1, NULL, &out, &stats, &err), 0, &err);
    CHECK_RC(buf_text(&out, &err), 0, &err);
    assert_string_equal(out.data, "d/B=0|d/a.txt=1|d/b/z=3|d/b.txt=2|"
                                  "d/\xc3\xa9=4|");
    assert_int_equal(stats.skipped, 5);
    buf_release(&out);
    check_read("d/empty", NULL, "");
}

static void a_directory_may_contain_both_html_and_plain_text(void **state)
{
    static const char *const text_first[] = { "a.txt", "b.html.gz", NULL };
    static const char *const page_first[] = { "b.htm", "a", NULL };
    struct cooc_index_options o = { .format = "files" };

    (void)state;
    assert_int_equal(mkdir("d", 0755) | mkdir("e", 0755), 0);
    put_text("d/a.txt", "a <b> c");
    put_text("d/b.html", "<p>x");
    put_text("d/c", "\n<html><p>y");
    put("d/d", TEXT("\xff\xfe<\0h\0t\0m\0l\0>\0z\0"));
    put_text("d/e.jsonl", "{\"text\":\"j\"}");
    put("d/f.html", TEXT("<p>f\0g"));
    check_read("d", NULL, "d/a.txt=a <b> c|d/b.html=x/|d/c=/y/|d/d=z/|"
                          "d/e.jsonl:1=j|d/f.html=fg/|");
    check_read("d/c", &o, "d/c=/<html><p>y|");
    put_text("e/a.XHTML", "<p>x");
    put_text("e/b.txt", "a <b> c");
    check_read("e", NULL, "e/a.XHTML=x/|e/b.txt=a <b> c|");
    pack("p", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_TAR_USTAR, text_first,
         TEXT("<p>x"));
    check_read("p", NULL, "p/a.txt=<p>x|p/b.html.gz=x/|");
    pack("p", ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_ZIP, page_first,
         TEXT("<p>x"));
    check_read("p", NULL, "p/b.htm=x/|p/a=<p>x|");
}

static void a_line_longer_than_a_block_arrives_whole(void **state)
{
    size_t len = DOCUMENT_MAX + 1;
    char *line = malloc(len + 2);
    struct cooc_index_options o = { .format = "lines" };
    const char *input = "f";
    struct cooc_err err = { 0 };
    static const char *const words[3] = { "f:2:", "16 MiB" };
    static const char *const large[3] = { "f:", "larger", "16 MiB" };
    static const char *const little[3] = { "f:", " 2 MiB", "more memory" };
    struct buf out = { 0 };

    (void)state;
    assert_non_null(line);
    memset(line, 'x', len + 2);
    line[len - 1] = '\n'; /* exactly DOCUMENT_MAX bytes before it */
    put("f", line, len);
    CHECK_RC(read_all(&input, 1, &o, &out, NULL, &err), 0, &err);
    assert_int_equal(out.len, DOCUMENT_MAX + 5);
    memcpy(line, "a\n", 2);
    line[len - 1] = 'x';
    put("f", line, len + 2);
    check_fails("f", &o, COOC_ELIMIT, words);
    o.format = "files";
    check_fails("f", &o, COOC_ELIMIT, large);
    o.memory = 16 << 20; /* a document gets a fraction of it */
    o.threads = 2;
    check_fails("f", &o, COOC_ELIMIT, little);
    o.format = "lines";
    check_fails("f", &o, COOC_ELIMIT, little);
    buf_release(&out);
    free(line);
}

/* ---- which format ---- */

static void formats_are_detected_by_name_and_content(void **state)
{
    (void)state;
    check_named(named, ARRAY_LEN(named));
}

static void a_vocabulary_next_to_the_file_is_found(void **state)
{
    (void)state;
    put_text("vocab.x.txt", "p\nq\n");
    pack("docword.x.txt.gz", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW, NULL,
         TEXT("1\n2\n1\n1 2 1\n"));
    check_read("docword.x.txt.gz", NULL, "1=q/|");
    put_text("g.vocab", "p\nq\n");
    put_text("g", "1\n2\n1\n1 1 1\n");
    check_read("g", NULL, "1=p/|");
}

static void text_inputs_mix_but_text_and_terms_do_not(void **state)
{
    static const char *const text[] = { "a.txt", "b.tsv" };
    static const char *const mixed[] = { "a.txt", "c.dat" };
    static const char *const twice[] = { "-", "-" };
    static const struct cooc_index_options none;
    struct cooc_err err = { 0 };
    struct document d;
    struct reader *r;

    (void)state;
    put_text("a.txt", "x\n");
    put_text("b.tsv", "i\ty\n");
    put_text("c.dat", "1 2\n");
    CHECK_RC(reader_open(&r, text, 2, &none, NULL, &err), 0, &err);
    assert_string_equal(reader_format(r), "lines");
    assert_int_equal(reader_kind(r), KIND_TEXT);
    CHECK_RC(reader_next(r, &d, &err), 1, &err);
    CHECK_RC(reader_next(r, &d, &err), 1, &err);
    CHECK_RC(reader_next(r, &d, &err), 0, &err);
    assert_string_equal(reader_format(r), "lines, tsv");
    reader_close(r);
    CHECK_RC(reader_open(&r, mixed, 2, &none, NULL, &err), 0, &err);
    CHECK_RC(reader_next(r, &d, &err), 1, &err);
    CHECK_RC(reader_next(r, &d, &err), COOC_EINVAL, &err);
    assert_non_null(strstr(err.text, "a.txt is lines (text)"));
    assert_non_null(strstr(err.text, "c.dat: is transactions (terms)"));
    reader_close(r);
    CHECK_RC(reader_open(&r, twice, 2, &none, NULL, &err), COOC_EINVAL, &err);
    CHECK_RC(reader_open(&r, NULL, 0, &none, NULL, &err), COOC_EINVAL, &err);
    assert_null(r);
}

/* ---- memory ---- */

static void running_out_of_memory_is_clean(void **state)
{
    static const char *const text[] = { "a.txt",  "d",      "j.jsonl", "t.trec",
                                        "h.html", "w.warc", "p.tar",   "u" };
    static const char *const terms[] = { "y.tsv", "docword.x.txt", "m.ldac",
                                         "m.svm", "m.dat" };
    static const char *const entries[] = { "b.txt", NULL };
    const struct cooc_index_options o = { .vocab_file = "v3" };

    (void)state;
    put_text("a.txt", "x\ny");
    assert_int_equal(mkdir("d", 0755) | mkdir("d/e", 0755), 0);
    put_text("d/e/f", "x");
    put_text("j.jsonl", "{\"text\":\"a\xff\"}\n{\"id\":\"\\ud800\"}");
    put_text("t.trec", "<DOC><TEXT>x</TEXT></DOC><DOC>caf\xe9</DOC>");
    put_text("h.html", "<meta charset=koi8-r><p>x");
    put_text("w.warc", "WARC/1.0\nWARC-Type: resource\nContent-Type: "
                       "text/html\nWARC-Record-ID: x\nContent-Length: 1\n\nx");
    pack("in", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW, NULL, TEXT("x"));
    char inner[100];
    size_t n = slurp("in", inner, sizeof inner);
    pack("p.tar", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_TAR_USTAR, entries, inner,
         n);
    put("u", TEXT("\xff\xfex\0"));
    fail_each_allocation(text, ARRAY_LEN(text), NULL, false);
    put_text("v3", "w1\nw2\nw3\n");
    put_text("y.tsv", "d\tx\nd\ty\ne\tx\n");
    put_text("docword.x.txt", "1\n3\n1\n1 2 1\n");
    put_text("m.ldac", "1 2:1\n");
    put_text("m.svm", "1 2:1\n");
    put_text("m.dat", "a b\n");
    fail_each_allocation(terms, ARRAY_LEN(terms), &o, false);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_format_yields_the_expected_documents),
        RUN(every_error_names_its_place),
        RUN(a_warc_file_yields_its_pages),
        RUN(long_and_short_json_strings_are_read_alike),
        RUN(html_is_reduced_to_its_words),
        RUN(compressed_files_are_read_like_plain_files),
        RUN(a_truncated_or_damaged_file_is_an_error),
        RUN(archives_are_read_like_directories),
        RUN(encodings_are_recognised_and_converted),
        RUN(a_directory_is_read_in_byte_order),
        RUN(a_directory_may_contain_both_html_and_plain_text),
        RUN(a_line_longer_than_a_block_arrives_whole),
        RUN(formats_are_detected_by_name_and_content),
        RUN(a_vocabulary_next_to_the_file_is_found),
        RUN(text_inputs_mix_but_text_and_terms_do_not),
        RUN(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
