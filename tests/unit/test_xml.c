/* test_xml.c - records of XML files: fields, ids, encodings, hostile files. */
#include "harness.h"

#include "base/buf.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "read/read.h"
#include "read/stream.h"
#include "read_help.h"

#define LONG "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const struct {
    struct cooc_index_options o;
    const char *data, *want;
} good[] = {
    { { .record = "r" }, "<a>x<r>1</r>y<r>2<b>3</b></r></a>", "f:1=1|f:1=23|" },
    { { .record = "r", .id_field = "i" },
      "<?xml version='1.0'?>\n<!-- <r>0</r> --><a>\n<r><i> k </i><i>l</i></r>\n"
      "<r/><r><i/>m</r></a>",
      "k= k /l|f:4=|f:4=m|" },
    { { .record = "r", .id_field = "@n", .text_fields = "t" },
      "<a><r n='7'><t>x</t><u>y</u><t>z</t></r><r m='1' n='8'><u/></r></a>",
      "7=x/z|8=|" },
    { { .record = "r", .text_fields = "t,r/b,c/d,e/@x" },
      "<a><r><t>1<t>2</t></t><b>3</b><x><b>no</b></x><c><d>4</d></c><d>no</d>"
      "<e x='5' y='no'/></r></a>",
      "f:1=12/3/4/5|" },
    { { .record = "r", .text_fields = "p,hi" }, /* a field in another one */
      "<r><p>a <hi>b</hi>c</p><hi>d</hi></r>",
      "f=a bc/d|" },
    { { .record = "r", .text_fields = "au=name,last=n", .split = "none" },
      "<r><name><n>Li</n><n>Bo</n></name>\n<name> Ng\nA </name></r>",
      "f=au:Li Bo/last:Li/last:Bo/au:Ng A/|" },
    { { .record = "r", .text_fields = "k", .split = ";" },
      "<r><k>a; b</k><k>c</k></r>",
      "f=a/b/c/|" },
    { { .record = "r", .text_fields = "t" }, /* markup inside a text */
      "<r><t>H<s>2</s><s>3</s>O &amp;&lt;&#233;&eacute;&nbsp;<![CDATA[<x>&]]>"
      "<!-- no --><?no?></t></r>",
      "f=H23O &<\xc3\xa9\xc3\xa9\xc2\xa0<x>&|" },
    { { .record = "r" }, /* words of different elements stay apart */
      "<r><p>a</p><p><b>b</b><c>c</c></p>d<e/><f>g</f></r>",
      "f=a/b/cdg|" },
    { { .record = "x:r", .text_fields = "dc:t", .id_field = "xml:id" },
      "<a xmlns:z='u' xmlns:dc='v'><z:r><dc:t>1</dc:t><id>i</id></z:r></a>",
      "i=1|" },
    { { .record = "b/r" },
      "<a><r>1</r><b><r>2<b><r>in</r></b></r></b></a>",
      "f:1=2in|" },
    { { .record = "r" },
      "<!DOCTYPE a SYSTEM 'none.dtd' [<!ENTITY w 'word&#33;'>"
      "<!ENTITY % p SYSTEM 'x'> %p; <!ATTLIST r d CDATA 'v'>]><r>&w; "
      "&Omega;</r>",
      "f=word! \xce\xa9|" },
    { { .record = "r" },
      "<?xml version='1.0' encoding='iso-8859-2'?><r>\xb1</r>",
      "f=\xc4\x85|" },
    { { .record = "r" },
      "<?xml version='1.0' encoding='utf-16'?><r>\xc4\x85</r>",
      "f=\xc4\x85|" },
    { { .record = "r", .encoding = "latin1" },
      "<?xml version='1.0' encoding='utf-8'?><r>\xe9</r>",
      "f=\xc3\xa9|" },
    { { .record = "r" }, "<r>\xe9 \xc3</r>", "f=\xef\xbf\xbd \xef\xbf\xbd|" },
    { { .record = "r" }, "\xef\xbb\xbf<r>\xc3\xa9</r>", "f=\xc3\xa9|" },
    { { .record = "r" }, "<r>a\r\nb\rc</r>\n \n", "f=a/b/c|" },
    { { .record = "r" }, "", "" },
    { { 0 }, "", "" },
};

static const struct {
    struct cooc_index_options o;
    const char *data;
    int code;
    const char *words[3];
} bad[] = {
    { { 0 },
      "<list><b/><a><c/></a><b><d><e/></d></b></list>",
      COOC_EINVAL,
      { "root is list", "below it: a, b", "below these: c, d" } },
    { { .record = "item" },
      "<list><a><c/></a></list>",
      COOC_EFORMAT,
      { "no element 'item'", "below it: a", "c" } },
    { { .record = "r", .text_fields = "t" },
      "<a><r><u><v>1</v></u></r></a>",
      COOC_EINVAL,
      { "\"t\"", "u, v" } },
    { { .record = "@r" }, "<r/>", COOC_EINVAL, { "'@r'", "attribute" } },
    { { .record = "/" }, "<r/>", COOC_EINVAL, { "'/'", "path" } },
    { { .record = "a/b/c/d/e/f/g/h/i" }, "<r/>", COOC_EINVAL, { "path" } },
    { { .record = "r", .text_fields = "@a/b" },
      "<r/>",
      COOC_EINVAL,
      { "'@a/b'", "path" } },
    { { .record = "r" }, "x", COOC_EFORMAT, { "f:1:", "malformed" } },
    { { .record = "r" },
      "<a>\n<r>1</r>\n<r></b></a>",
      COOC_EFORMAT,
      { "f:3:", "mismatch" } },
    { { .record = "r" }, "<a>\n<r>1", COOC_EFORMAT, { "truncated", "'r'" } },
    { { .record = "r" }, "<a><r x='1", COOC_EFORMAT, { "f" } },
    { { .record = "r" }, "<r>1</r>2", COOC_EFORMAT, { "f:1:", "Extra" } },
    { { .record = "r" }, "<r>\n&none;</r>", COOC_EFORMAT, { "f:2:", "none" } },
    { { .record = "r" },
      "<!DOCTYPE r SYSTEM 'none.dtd'><r>\n&none;</r>",
      COOC_EFORMAT,
      { "f:2:", "'&none;'", "not declared" } },
    { { .record = "r" },
      "<!DOCTYPE r [<!ENTITY e SYSTEM 'f'>]><r>&e;</r>",
      COOC_EFORMAT,
      { "f:1:", "'e'" } },
    { { .record = "r" },
      "<!DOCTYPE r [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><r>&b;</r>",
      COOC_EFORMAT,
      { "f:1:", "other entities" } },
    { { .record = "r" },
      "<!DOCTYPE r [<!ENTITY a '&a;'>]><r>&a;</r>",
      COOC_EFORMAT,
      { "f:1:" } },
    { { .record = "r" },
      "<?xml version='1.0' encoding='klingon'?><r/>",
      COOC_EFORMAT,
      { "klingon", "encoding" } },
};

static void records_are_documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        struct cooc_index_options o = good[i].o;

        o.format = "xml";
        put_text("f", good[i].data);
        for (size_t block = 8; block < 80; block += 7) {
            stream_block_size = block;
            check_read("f", &o, good[i].want);
        }
        stream_block_size = STREAM_BLOCK;
    }
}

static void every_error_names_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct cooc_index_options o = bad[i].o;

        o.format = "xml";
        put_text("f", bad[i].data);
        check_fails("f", &o, bad[i].code, bad[i].words);
    }
}

static void utf_16_is_recognised(void **state)
{
    struct cooc_index_options o = { .record = "r" };

    (void)state;
    put("f.xml", TEXT("\xff\xfe<\0r\0>\0\xe9\0<\0/\0r\0>\0"));
    check_read("f.xml", &o, "f.xml=\xc3\xa9|");
    put("f.xml", TEXT("<\0r\0>\0\xe9\0<\0/\0r\0>\0"));
    check_read("f.xml", &o, "f.xml=\xc3\xa9|");
    put("f.xml", TEXT("\0<\0r\0>\0\xe9\0<\0/\0r\0>"));
    check_read("f.xml", &o, "f.xml=\xc3\xa9|");
}

/* Many records, so that some span the pieces that are parsed at a time. */
static void many_records_are_read_in_pieces(void **state)
{
    struct cooc_index_options o = {
        .format = "xml", .record = "r", .text_fields = "t,@a", .id_field = "i"
    };
    struct buf xml = { 0 }, want = { 0 };
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(buf_printf(&xml, &err, "<l>"), 0, &err);
    for (int i = 0; i < 3000; i++) {
        CHECK_RC(buf_printf(&xml, &err,
                            "<r a='a%d'><x>" LONG "</x><t>%d\xe2"
                            "\x82\xac</t><i>%d</i><t>u</t></r>\n",
                            i, i, i),
                 0, &err);
        CHECK_RC(buf_printf(&want, &err, "%d=a%d/%d\xe2\x82\xac/u|", i, i, i),
                 0, &err);
    }
    CHECK_RC(buf_printf(&xml, &err, "</l>"), 0, &err);
    put("f", xml.data, xml.len);
    check_read("f", &o, want.data);
    put("f", xml.data, xml.len - 4); /* the records before an error */
    const char *input = "f";
    struct buf out = { 0 };
    CHECK_RC(read_all(&input, 1, &o, &out, NULL, &err), COOC_EFORMAT, &err);
    assert_int_equal(out.len, want.len);
    buf_release(&out);
    buf_release(&xml);
    buf_release(&want);
}

/* ---- hostile files ---- */

/* Write head, then n times middle, then tail to f. */
static void put_many(const char *head, const char *middle, size_t n,
                     const char *tail)
{
    FILE *f = fopen("f", "wb");

    assert_non_null(f);
    fputs(head, f);
    for (size_t i = 0; i < n; i++)
        fprintf(f, middle, (int)i, (int)i);
    fputs(tail, f);
    assert_int_equal(fclose(f), 0);
}

static void hostile_files_fail_quickly(void **state)
{
    static const struct {
        const char *head, *middle;
        size_t n;
        const char *tail, *words[3];
    } files[] = {
        { "<r>", "<a>", 300, "", { "f:1:", "nested too deeply" } },
        { "<r>", "<a>", 5000000, "", { "f:1:", "nested too deeply" } },
        { "<r ", "a%d='' ", 5000000, "/>", { "f:1:", "a tag" } },
        { "<r>", "<!-- ", 4000000, "", { "f:1:", "comment" } },
        { "<r><", "a", 2000000, "/></r>", { "f" } },
        { "<!DOCTYPE r [<!ENTITY e '",
          "x",
          5000,
          "'>]><r>&e;</r>",
          { "f:1:", "entity is too long" } },
        { "<!DOCTYPE r [",
          "<!ENTITY e%d 'x'>",
          100000,
          "]><r>&e1;</r>",
          { "f:1:", "DTD is too long" } },
        { "<!DOCTYPE r [",
          "<!ATTLIST r a%d CDATA 'x'>",
          2000,
          "]><r/>",
          { "f:1:", "default values" } },
        { "<r ", "xmlns:a%d='u' ", 1000, "/>", { "f:1:", "namespaces" } },
        { "<r>",
          LONG,
          DOCUMENT_MAX / 60,
          "</r>",
          { "f:", "larger", "16 MiB" } },
        { "<r><t", " a='" LONG LONG "'", 1000, "/></r>", { "f" } },
    };
    struct cooc_index_options o = { .format = "xml", .record = "r" };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct cooc_err err = { 0 };
        struct buf out = { 0 };
        const char *input = "f";
        int rc;

        put_many(files[i].head, files[i].middle, files[i].n, files[i].tail);
        rc = read_all(&input, 1, &o, &out, NULL, &err);
        if (rc != COOC_ELIMIT && rc != COOC_EFORMAT)
            fail_msg("file %zu: returned %d, %s", i, rc, err.text);
        for (size_t w = 0; w < 3 && files[i].words[w]; w++)
            if (!strstr(err.text, files[i].words[w]))
                fail_msg("file %zu: %s", i, err.text);
        buf_release(&out);
    }
}

static void long_files_are_read(void **state)
{
    struct cooc_index_options o = { .format = "xml",
                                    .record = "r",
                                    .text_fields = "t" };

    (void)state;
    put_many("<a><r><x>", LONG, DOCUMENT_MAX / 50, "</x><t>1</t></r></a>");
    check_read("f", &o, "f:1=1|");
    put_many("<a><!--", LONG, 100000, "--><r><t>1</t></r></a>");
    check_read("f", &o, "f:1=1|");
    put_many("<a>", "<n%d:a%d xmlns:n0='u'/>", 100000, "<r><t>1</t></r></a>");
    check_read("f", &o, "f:1=1|");
}

static void a_missing_record_is_an_error_for_a_long_file_too(void **state)
{
    static const char *const words[3] = { "root is a", "below it: r", "x" };

    (void)state;
    put_many("<a>", "<r><x>" LONG "</x></r>", 100000, "");
    assert_int_equal(rename("f", "f.xml"), 0);
    check_fails("f.xml", NULL, COOC_EINVAL, words);
}

/* ---- memory ---- */

static void running_out_of_memory_is_clean(void **state)
{
    struct cooc_index_options o = { .record = "r",
                                    .text_fields = "t,@a",
                                    .id_field = "i" };
    const char *input = "f.xml";

    (void)state;
    put_text("f.xml",
             "<a><r a='1'><i>k</i><t>x\xe9</t></r><r><t>y</t></r></a>");
    fail_each_allocation(&input, 1, &o, false);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(records_are_documents),
        RUN(every_error_names_its_place),
        RUN(utf_16_is_recognised),
        RUN(many_records_are_read_in_pieces),
        RUN(hostile_files_fail_quickly),
        RUN(long_files_are_read),
        RUN(a_missing_record_is_an_error_for_a_long_file_too),
        RUN(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("xml", tests, NULL, NULL);
}
