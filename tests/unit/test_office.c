/* test_office.c - docx, odt and epub files, whole and damaged. */
#include "harness.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "read/read.h"
#include "read/stream.h"
#include "read_help.h"

struct part {
    const char *path, *text;
};

/* Write a zip file; the first entry is not compressed. */
static void put_zip(const char *name, const struct part *parts, size_t n)
{
    struct archive *a = archive_write_new();
    struct archive_entry *e = archive_entry_new();

    assert_int_equal(archive_write_set_format_zip(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, name), ARCHIVE_OK);
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(parts[i].text);

        if (i == 0)
            archive_write_zip_set_compression_store(a);
        else
            archive_write_zip_set_compression_deflate(a);
        archive_entry_clear(e);
        archive_entry_set_pathname(e, parts[i].path);
        archive_entry_set_size(e, (la_int64_t)len);
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_perm(e, 0644);
        assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
        assert_int_equal(archive_write_data(a, parts[i].text, len), len);
    }
    archive_entry_free(e);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
}

#define PUT(name, parts) put_zip(name, parts, ARRAY_LEN(parts))

static const struct part word[] = {
    { "[Content_Types].xml", "<Types/>" },
    { "word/document.xml",
      "<w:document xmlns:w='w' xmlns:m='m'><w:body><w:p><w:pPr/><w:r><w:t>Tea "
      "&amp; &lt;mi</w:t></w:r><w:r><w:t>lk</w:t><w:tab/><w:t>x</w:t><w:br/>"
      "<w:t>\xc3\xa9</w:t><w:delText>no</w:delText><w:instrText>no"
      "</w:instrText></w:r></w:p><w:p><w:r><w:t>two</w:t></w:r></w:p>"
      "<m:Choice><w:p><w:t>box</w:t></w:p></m:Choice><m:Fallback><w:p><w:t>no"
      "</w:t></w:p></m:Fallback></w:body></w:document>" },
    { "word/styles.xml", "<no" },
    { "word/footnotes.xml",
      "<w:f xmlns:w='w'><w:p><w:t>foot</w:t></w:p></w:f>" },
};
#define WORD_TEXT "/Tea & <milk x/\xc3\xa9/two/box/foot/|"

static const struct part writer[] = {
    { "mimetype", "application/vnd.oasis.opendocument.text" },
    { "styles.xml", "<no" },
    { "content.xml",
      "<o><t:tracked-changes xmlns:t='t'><t:p>no</t:p></t:tracked-changes>no"
      "<h>Head</h><p>a<s/>b<tab/>c<span>d</span><note><note-citation>1"
      "</note-citation><note-body><p>foot</p></note-body></note>e<line-break/>"
      "f<annotation><p>no</p></annotation></p></o>" },
};
#define WRITER_TEXT "/Head/a b cd/foot/e/f/|"

#define PACKAGE                                                         \
    "<package><manifest><item id='b' href='two.xhtml#x'/><item id='a' " \
    "href='../p/on%65.html'/><item id='s' href='s.svg'/><item id='n'/>" \
    "</manifest><spine><itemref idref='s'/><itemref idref='a'/>"        \
    "<itemref idref='b'/></spine></package>"
#define BOOK(package)                                                       \
    { "mimetype", "application/epub+zip" },                                 \
        { "x/two.xhtml", "<title>Two</title><p>second <b>pa</b>ge" },       \
        { "p/one.html", "<?xml version='1.0' encoding='koi8-r'?>"          \
                        "<meta charset=koi8-r><p>\xd4" },                    \
        { "p/no.html", "no" }, { "x/s.svg", "no" }, { "x/p.opf", package }, \
    {                                                                       \
        "META-INF/container.xml", "<c><rootfile full-path='x/p.opf'/></c>"  \
    }

static const struct part book[] = { BOOK(PACKAGE) };
#define BOOK_TEXT "/ /\xd1\x82/Two/second page/|"

static void office_files_are_documents(void **state)
{
    struct cooc_index_options lines = { .format = "lines",
                                        .encoding = "latin1" };
    struct cooc_index_options files = { .format = "files" };

    (void)state;
    PUT("a.docx", word);
    PUT("b", writer);
    PUT("c.zip", book);
    for (size_t block = 8; block < 700; block += 57) {
        stream_block_size = block;
        check_read("a.docx", NULL, "a.docx=" WORD_TEXT);
        check_read("b", &files, "b=" WRITER_TEXT);
        check_read("c.zip", &lines, "c.zip=" BOOK_TEXT);
    }
    stream_block_size = STREAM_BLOCK;
}

static void office_files_may_be_among_others(void **state)
{
    struct cooc_index_options lines = { .format = "lines" };

    (void)state;
    assert_int_equal(mkdir("d", 0755), 0);
    PUT("d/a.docx", word);
    put_text("d/b.txt", "x\ny");
    PUT("d/c.odt", writer);
    put_text("d/d.html", "<p>z");
    check_read("d", NULL,
               "d/a.docx=" WORD_TEXT "d/b.txt=x/y|d/c.odt=" WRITER_TEXT
               "d/d.html=z/|");
    check_read("d", &lines,
               "d/a.docx=" WORD_TEXT "d/b.txt:1=x|d/b.txt:2=y|"
               "d/c.odt=" WRITER_TEXT "d/d.html:1=<p>z|");
}

static void office_files_may_come_from_a_pipe(void **state)
{
    static const char *const names[] = { "a", "b", "c" };
    static const char *const texts[] = { "-=" WORD_TEXT, "-=" WRITER_TEXT,
                                         "-=" BOOK_TEXT };
    int saved = dup(STDIN_FILENO);
    char data[8000];

    (void)state;
    PUT("a", word);
    PUT("b", writer);
    PUT("c", book);
    for (size_t i = 0; i < 3; i++) {
        size_t n = slurp(names[i], data, sizeof data);
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], data, n), n);
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        check_read("-", NULL, texts[i]);
    }
    dup2(saved, STDIN_FILENO);
    close(saved);
}

static void characters_may_be_elements(void **state)
{
    static const struct part parts[] = {
        { "[Content_Types].xml", "<Types/>" },
        { "word/document.xml",
          "<d xmlns:w='w'><w:p><w:t>co</w:t><w:noBreakHyphen/><w:t>op a</w:t>"
          "<w:softHyphen/><w:t>b</w:t><w:ptab/><w:t>c</w:t><w:sym w:font='F' "
          "w:char='03B1'/><w:t>d</w:t><w:sym w:font='Symbol' w:char='F061'/>"
          "<w:t>e</w:t><w:sym/><w:t>f</w:t></w:p></d>" },
    };

    (void)state;
    PUT("f.docx", parts);
    check_read("f.docx", NULL,
               "f.docx=/co\xe2\x80\x91op ab c\xce\xb1" "d e f/|");
}

static void damaged_office_files_are_errors(void **state)
{
    static const struct part broken[] = {
        { "[Content_Types].xml", "" },
        { "word/document.xml", "<w:p><w:t>x" },
    };
    static const struct part no_package[] = {
        { "mimetype", "application/epub+zip" },
        { "a.html", "x" },
    };
    static const struct part no_page[] = { BOOK(
        "<package><item id='a' href='none.html'/><itemref "
        "idref='a'/></package>") };
    static const struct part no_item[] = { BOOK(
        "<package><itemref idref='a'/></package>") };
    static const char *const words[][3] = {
        { "f/word/document.xml", "truncated" },
        { "f: the book", "contents" },
        { "f: the book", "page is missing" },
        { "f: the book", "list of files" },
        { "f: ", "damaged" },
    };
    char data[8000];

    (void)state;
    PUT("f", broken);
    check_fails("f", NULL, COOC_EFORMAT, words[0]);
    PUT("f", no_package);
    check_fails("f", NULL, COOC_EFORMAT, words[1]);
    PUT("f", no_page);
    check_fails("f", NULL, COOC_EFORMAT, words[2]);
    PUT("f", no_item);
    check_fails("f", NULL, COOC_EFORMAT, words[3]);
    PUT("f", word);
    size_t n = slurp("f", data, sizeof data);
    data[300] ^= 0x55;
    put("f", data, n);
    check_fails("f", NULL, COOC_EFORMAT, words[4]);
}

#define ENCRYPTION(path)                                                     \
    {                                                                        \
        "META-INF/encryption.xml",                                           \
            "<encryption xmlns:e='e'><e:EncryptedData><e:CipherData>"        \
            "<e:CipherReference URI='" path "'/></e:CipherData>"             \
            "</e:EncryptedData></encryption>"                                \
    }
#define MANIFEST                                                             \
    {                                                                        \
        "META-INF/manifest.xml",                                             \
            "<m:manifest xmlns:m='m'><m:file-entry m:full-path="             \
            "'content.xml'><m:encryption-data/></m:file-entry></m:manifest>" \
    }

static void encrypted_office_files_are_errors(void **state)
{
    static const struct part page[] = { BOOK(PACKAGE),
                                        ENCRYPTION("p/on%65.html") };
    static const struct part font[] = { BOOK(PACKAGE),
                                        ENCRYPTION("p/a.otf") };
    static const struct part late[] = {
        { "mimetype", "application/vnd.oasis.opendocument.text" },
        { "content.xml", "\x8f\x1e\xfc\x02" },
        MANIFEST,
    };
    static const struct part early[] = {
        { "mimetype", "application/vnd.oasis.opendocument.text" },
        MANIFEST,
        { "content.xml", "\x8f\x1e\xfc\x02" },
    };
    static const struct part whole[] = {
        { "mimetype", "application/vnd.oasis.opendocument.text" },
        { "encrypted-package", "\x8f\x1e\xfc\x02" },
        MANIFEST,
    };
    static const char *const words[3] = { "f: ", "is encrypted", "save it" };
    static const char *const old[3] = { "f.docx: ", "encrypted or old Office",
                                        "--convert-to txt:Text f.docx" };

    (void)state;
    PUT("f", page);
    check_fails("f", NULL, COOC_EFORMAT, words);
    PUT("f", font);
    check_read("f", NULL, "f=" BOOK_TEXT);
    PUT("f", late);
    check_fails("f", NULL, COOC_EFORMAT, words);
    PUT("f", early);
    check_fails("f", NULL, COOC_EFORMAT, words);
    PUT("f", whole);
    check_fails("f", NULL, COOC_EFORMAT, words);
    put("f.docx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0", 11);
    check_fails("f.docx", NULL, COOC_EFORMAT, old);
}

/* A small file with a very long text. */
static void bombs_are_errors(void **state)
{
    static const char *const words[3] = { "f", "larger than", "MiB" };
    struct cooc_index_options o = { .memory = 16 << 20, .threads = 2 };
    char *text = malloc((size_t)6 << 20);
    struct part parts[] = { { "mimetype", "application/epub+zip" },
                            { "a.html", text } };

    (void)state;
    assert_non_null(text);
    memset(text, 'x', ((size_t)6 << 20) - 1);
    text[((size_t)6 << 20) - 1] = '\0';
    PUT("f", parts);
    check_fails("f", &o, COOC_ELIMIT, words);
    memcpy(text, "<p>", 3);
    parts[0].text = writer[0].text;
    parts[1].path = "content.xml";
    PUT("f", parts);
    check_fails("f", &o, COOC_ELIMIT, words);
    free(text);
}

static void running_out_of_memory_is_clean(void **state)
{
    static const char *const inputs[] = { "a", "b", "c" };

    (void)state;
    PUT("a", word);
    PUT("b", writer);
    PUT("c", book);
    fail_each_allocation(inputs, 3, NULL, false);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(office_files_are_documents),
        RUN(office_files_may_be_among_others),
        RUN(office_files_may_come_from_a_pipe),
        RUN(characters_may_be_elements),
        RUN(damaged_office_files_are_errors),
        RUN(encrypted_office_files_are_errors),
        RUN(bombs_are_errors),
        RUN(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("office", tests, NULL, NULL);
}
