/* test_annotated.c - CoNLL-U and vertical files.
 *
 * The documents of a reader are written as name=text| with '/' for each line
 * break.
 */
#include "harness.h"

#include "base/fold_text.h"
#include "read/format.h"
#include "record_help.h"

/* A line of CoNLL-U: number, form, lemma, upos. */
#define W(id, form, lemma, upos)                                             \
    id "\t" form "\t" lemma "\t" upos "\tX\t_\t0\tdep\t_\t_\n"
#define DOGS W("1", "Dogs", "Dog", "NOUN") W("2", "ran", "run", "VERB")
#define DONT W("1-2", "Don't", "_", "_") W("1", "Do", "do", "AUX")           \
    W("2", "n't", "not", "PART")
#define STOP W("3", ".", ".", "PUNCT")

static const struct record_case good[] = {
    { { .format = "conllu" },
      "# newdoc id = a b\n# newpar\n# text = x\n" DOGS STOP "\n" DONT "\n"
      "#newdoc\n\n# newdoc id=c \n" W("8.1", "no", "no", "X")
      W("1", "_", "x", "X") W("2", "\u00e9t\u00e9", "_", "X"),
      "a b=Dogs/ran/Do/n't/|f:12=|c=\u00e9t\u00e9/|" },
    { { .format = "conllu" }, DOGS "\n" DONT, "f=Dogs/ran/Do/n't/|" },
    { { .format = "conllu" }, STOP "\r\n", "f=|" },
    { { .format = "conllu" }, "\n" DOGS "\n# newdoc id = a\n" DONT,
      "f:2=Dogs/ran/|a=Do/n't/|" },
    { { .format = "conllu" }, "# newdocs\n#\n", "" },
    { { .format = "conllu", .column = "surface" },
      DONT STOP "\n" DOGS, "f=Don't/Dogs/ran/|" },
    { { .format = "conllu", .column = "Surface", .pos = "PART,NOUN" },
      DONT STOP "\n" DOGS, "f=Don't/Dogs/|" },
    { { .format = "conllu", .column = "surface", .pos = "VERB" },
      DONT STOP "\n" DOGS, "f=ran/|" },
    { { .format = "conllu", .column = "lemma" },
      DONT DOGS W("3", "x", "_", "X"), "f=do/not/Dog/run/|" },
    { { .format = "conllu", .column = "3", .pos = " VERB , AUX" },
      DONT "\n" DOGS, "f=do/run/|" },
    { { .format = "conllu", .column = "lemma+upos" },
      DONT STOP DOGS W("3", "x", "x", "_"),
      "f=do_AUX/not_PART/dog_NOUN/run_VERB/|" },
    { { .format = "conllu", .column = "lemma+upos", .keep_case = true },
      DOGS, "f=Dog_NOUN/run_VERB/|" },
    { { .format = "conllu", .column = "form + deprel+5",
        .encoding = "utf-8" },
      W("1", "A \u00c9\u00a0 E\u0301\xff", "_", "X"),
      "f=a \u00e9 \u00e9\xef\xbf\xbd_dep_X/|" },
    { { .format = "conllu", .pos = "xpos=X", .column = "upos" },
      DOGS, "f=NOUN/VERB/|" },
    { { .format = "conllu" }, "", "" },
    { { .format = "vertical" },
      "<?xml version=\"1.0\"?>\n<corpus>\n<doc id=\"a&amp;b\" n='2'>\n<p>\n<s>\n"
      "Dogs\tNNS\tDog\n<g/>\n.\tSENT\t.\n</s>\n</p>\n</doc>\n"
      "<doc n='2' title='3'>\nR&amp;D\tNN\tR&amp;D\n<\tSYM\t<\n<3\tX\t<3\n</doc>\n"
      "<DOC>\n</doc>\n<doc name=x n=y>\n</corpus>\n",
      "a&b=Dogs/|2=R&D/<3/|f:17=|f:19=|" },
    { { .format = "vertical", .column = "3" },
      "<s>\nDogs\tNNS\tDog\nran\tVVD\n</s>\n", "f=Dog/|" },
    { { .format = "vertical", .column = "3+2", .pos = "2=NNS,VVD" },
      "<text id='t'>\nDogs\tNNS\tDog&lt;\nran\tVVD\tRUN\nx\tX\tx\n</text>\n",
      "t=dog<_NNS/run_VVD/|" },
    { { .format = "vertical" },
      "a\n\n<doc id='d'>\nb\n<text id='t'>\nc\n</text>\n</doc>\nd\n",
      "f:1=a/|d=b/c/|f:9=d/|" },
    { { .format = "vertical", .record = "text", .id_field = "title" },
      "<doc id='d'>\n<text id='t' title=\"One > 'two'\">\nb\n</text>\n"
      "<text title=''>\nc\n</text>\n</doc>\n",
      "One > 'two'=b/|f:5=c/|" },
    { { .format = "vertical" }, "<doc id='\n</doc>\n", "f:1=<doc id='/|" },
    { { .format = "vertical" }, "<doc id='>\n<doc id>\n<doc id=>\n<doc =id=\"a\">",
      "f:1=|f:2=|f:3=|a=|" },
    { { .format = "vertical" }, "", "" },
};

static const struct record_error bad[] = {
    { { .format = "conllu" }, DOGS "a\tb\n", COOC_EFORMAT, { "f:3:", "10",
                                                            "found 2" } },
    { { .format = "conllu" },
      DOGS W("x", "a", "b", "c"),
      COOC_EFORMAT,
      { "f:3:", "1-2", "'x'" } },
    { { .format = "conllu" }, W("1-", "a", "b", "c"), COOC_EFORMAT, { "f:1" } },
    { { .format = "conllu" }, W("1.", "a", "b", "c"), COOC_EFORMAT, { "f:1" } },
    { { .format = "conllu" }, W("1a", "a", "b", "c"), COOC_EFORMAT, { "f:1" } },
    { { .format = "conllu", .column = "word" },
      DOGS, COOC_EINVAL, { "'word'", "lemma, upos" } },
    { { .format = "conllu", .column = "0" }, "", COOC_EINVAL, { "'0'" } },
    { { .format = "conllu", .column = "11" }, "", COOC_EINVAL, { "1 to 10" } },
    { { .format = "conllu", .column = "1+" }, "", COOC_EINVAL, { "''" } },
    { { .format = "conllu", .column = "1+2+3+4+5" },
      "", COOC_EINVAL, { "at most 4" } },
    { { .format = "conllu", .pos = "x=N" }, "", COOC_EINVAL, { "'x'" } },
    { { .format = "conllu", .pos = "upos= ," }, "", COOC_EINVAL, { "NOUN" } },
    { { .format = "vertical", .pos = "N" }, "", COOC_EINVAL, { "2=N" } },
    { { .format = "vertical", .column = "lemma" },
      "", COOC_EINVAL, { "'lemma'", "form, or a number" } },
    { { .format = "vertical", .column = "surface" }, "", COOC_EINVAL, { "" } },
    { { .format = "vertical", .column = "3" },
      "<s>\na\tb\n</s>\n", COOC_EINVAL, { "f:", "no line", "column 3" } },
};

static const struct record_case continued[] = {
    { { .format = "conllu" },
      DOGS "x\n" DOGS "\n# newdoc id = a\n" DONT "bad\n# newdoc id = b\n" DOGS,
      "!3|!11|b=Dogs/ran/|" },
    { { .format = "conllu" }, DOGS "x\n" DOGS, "!3|" },
};

static const struct named_case named[] = {
    { "x.conllu", "", "conllu", "conllu" },
    { "x.conll.xz", "", "conllu", "conllu" },
    { "-", "# newdoc\n# text = a\n" DOGS "\n", "conllu", "conllu" },
    { "-", DOGS DONT W("8.1", "a", "a", "a"), "conllu", "conllu" },
    { "-", "# a\n1\ta\tb\n", "lines", "files" },
    { "-", "# newdoc\n", "lines", "files" },
    { "x.vert", "", "vertical", "vertical" },
    { "x.vrt.gz", "", "vertical", "vertical" },
    { "-", "<doc id='x'>\n<s>\na\tb\n<g/>\n.\t.\n</s>\n", "vertical",
      "vertical" },
    { "-", "<corpus>\n<s>\r\na\tb\r\n", "vertical", "vertical" },
    { "-", "<DOC>\n<DOCNO>a\tb</DOCNO>\n", "trec", "trec" },
    { "-", "<DOC>\n\t<DOCNO>a</DOCNO>\n", "trec", "trec" },
    { "-", "<DOC>\n<TEXT>\nwords\n", "trec", "trec" },
    { "-", "<b>\na\tb\n", "lines", "files" },
};

static void every_format_yields_the_expected_documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        put_text("f", good[i].data);
        check_read("f", &good[i].o, good[i].want);
    }
}

static void every_error_names_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        put_text("f", bad[i].data);
        check_fails("f", &bad[i].o, bad[i].code, bad[i].words);
    }
}

static void reading_continues_after_a_bad_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(continued); i++) {
        put_text("f", continued[i].data);
        check_continues("f", &continued[i].o, continued[i].want);
    }
}

static void formats_are_detected_by_name_and_content(void **state)
{
    (void)state;
    check_named(named, ARRAY_LEN(named));
}

/* Terms of one column are folded by the tokeniser, joined ones by the reader.
 */
static void joined_columns_are_terms_others_items(void **state)
{
    struct cooc_index_options o = { .column = "lemma" };

    (void)state;
    assert_int_equal(format_kind(&format_conllu, &o), KIND_ITEMS);
    o.column = "lemma+upos";
    assert_int_equal(format_kind(&format_conllu, &o), KIND_TERMS);
    assert_int_equal(format_kind(&format_lines, &o), KIND_TEXT);
}

/* The ends of sentences (.) and paragraphs (;) after each term. */
static void check_ends(const char *format, const char *data, const char *want)
{
    struct cooc_index_options o = { .format = format };
    struct cooc_err err = { 0 };
    struct buf out = { 0 };
    const char *input = "f";
    struct document d;
    struct reader *r;
    int rc;

    put_text("f", data);
    CHECK_RC(reader_open(&r, &input, 1, &o, NULL, &err), 0, &err);
    reader_want_ends(r);
    while ((rc = reader_next(r, &d, &err)) > 0) {
        size_t e = 0;

        for (size_t i = 0; i < d.text_len; i++) {
            if (e < d.n_ends && d.ends[e].at == i)
                buf_byte(&out, d.ends[e++].paragraph ? ';' : '.', NULL);
            buf_byte(&out, d.text[i] == '\n' ? ' ' : d.text[i], NULL);
        }
        assert_int_equal(e, d.n_ends);
        buf_byte(&out, '|', NULL);
    }
    CHECK_RC(rc, 0, &err);
    reader_close(r);
    assert_int_equal(buf_text(&out, NULL), 0);
    assert_string_equal(out.data, want);
    buf_release(&out);
}

static void sentences_and_paragraphs_end_at_their_marks(void **state)
{
    (void)state;
    check_ends("conllu", "# newdoc\n# newpar\n" DOGS STOP "\n\n" DOGS "\n"
               "# newpar\n" STOP "\n" DOGS STOP "\n" STOP "\n"
               "# newdoc\n" DOGS,
               "Dogs ran .Dogs ran ;Dogs ran |Dogs ran |");
    check_ends("vertical", "<doc>\n<p>\n<s>\na\n</s>\n<s>\nb\n</s>\n</p>\n<p>\n"
               "<s>\nc\n\nd\n</s>\n</p></doc>\n</doc>\n",
               "a .b ;c .d |");
}

static void text_is_folded_like_a_token(void **state)
{
    static const struct {
        const char *text, *folded, *kept;
    } cases[] = {
        { "Tea", "tea", "Tea" },
        { " \tA  b\n", "a b", "A b" },
        { "\u00c4 \u2003x\u00a0", "\u00e4 x", "\u00c4 x" },
        { "STRA\u1e9eE", "strasse", "STRA\u1e9eE" },
        { "e\u0301", "\u00e9", "\u00e9" },
        { "\u0390", "\u0390", "\u0390" }, /* folds to three characters */
        { "\U00010400", "\U00010428", "\U00010400" },
        { "", "", "" },
        { "\u3000", "", "" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = { 0 };

        assert_int_equal(fold_text(cases[i].text, strlen(cases[i].text), false,
                                   &out, NULL), 0);
        assert_int_equal(buf_byte(&out, '|', NULL), 0);
        assert_int_equal(fold_text(cases[i].text, strlen(cases[i].text), true,
                                   &out, NULL), 0);
        assert_int_equal(buf_text(&out, NULL), 0);
        assert_int_equal(strcspn(out.data, "|"), strlen(cases[i].folded));
        assert_memory_equal(out.data, cases[i].folded,
                            strlen(cases[i].folded));
        assert_string_equal(strchr(out.data, '|') + 1, cases[i].kept);
        buf_release(&out);
    }
}

static void a_document_larger_than_the_limit_is_an_error(void **state)
{
    static const char *const words[3] = { "f:", "larger than 16 MiB",
                                          "split it" };
    struct cooc_index_options o = { .format = "conllu" };
    const char *line = W("1", "0123456789012345678901234567890", "_", "_");
    struct buf file = { 0 };

    (void)state;
    while (file.len < 2 * DOCUMENT_MAX)
        assert_int_equal(buf_add(&file, line, strlen(line), NULL), 0);
    put("f", file.data, file.len);
    buf_release(&file);
    check_fails("f", &o, COOC_ELIMIT, words);
}

static void running_out_of_memory_is_clean(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        put_text("f", good[i].data);
        fail_each_allocation(&(const char *){ "f" }, 1, &good[i].o, true);
    }
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_format_yields_the_expected_documents),
        RUN(every_error_names_its_place),
        RUN(reading_continues_after_a_bad_line),
        RUN(formats_are_detected_by_name_and_content),
        RUN(joined_columns_are_terms_others_items),
        RUN(sentences_and_paragraphs_end_at_their_marks),
        RUN(text_is_folded_like_a_token),
        RUN(a_document_larger_than_the_limit_is_an_error),
        RUN(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("annotated", tests, NULL, NULL);
}
