/* test_bibliography.c - Web of Science, RIS, MEDLINE and BibTeX files.
 *
 * The documents of a reader are written as name=text| with '/' for each line
 * break.
 */
#include "harness.h"

#include "read/format.h"
#include "read/tex_text.h"
#include "record_help.h"

#define WOS_HEAD "FN Clarivate\nVR 1.0\n"
#define BIB(fields) "@article{k,\n" fields "\n}\n"

static const struct record_case good[] = {
    /* Web of Science */
    { { .format = "wos" },
      WOS_HEAD "PT J\nAU Ito, A\n   Roe, B\nTI Tea and\n   milk\nAB Green tea."
               "\nUT WOS:1\nER\n\nPT J\nTI Rum\nDI 10.1/x\nER\n\n"
               "PT J\nTI No id\nER\n\nEF\n",
      "WOS:1=Tea and milk/Green tea.|10.1/x=Rum|f:17=No id|" },
    { { .format = "wos", .text_fields = "AU", .split = "none" },
      "PT J\nAU Ito, A\n   Roe, B\n   \nER\nPT B\nAU \nER\n",
      "f:1=Ito, A/Roe, B/|f:6=|" },
    { { .format = "wos", .text_fields = "AU,DE", .split = "; " },
      "PT J\nDE green tea; milk; rye\n   bread\nAU Ito, A\nUT 7\nER\n",
      "7=Ito, A/green tea/milk/rye bread/|" },
    { { .format = "wos", .text_fields = "au=AU, kw=DE", .split = ";",
        .id_field = "AU" },
      "PT J\nDE tea;milk\nAU Ito, A\n   Roe\nER\n",
      "Ito, A=au:Ito, A/au:Roe/kw:tea/kw:milk/|" },
    { { .format = "wos", .text_fields = "CR,XX,TI" }, /* text, not terms */
      "PT J\nCR A, 1\n   B, 2\nTI T\nXX x\nER\n\n",
      "f:1=A, 1/B, 2/x/T|" },
    { { .format = "wos" }, "", "" },
    { { .format = "wos" }, WOS_HEAD "EF\n", "" },
    { { .format = "wos" }, /* files that were concatenated */
      "PT J\r\nTI a\r\nER\r\n\r\nEF\r\n\xef\xbb\xbf" WOS_HEAD
      "PT J\nTI b\nER\nEF\n",
      "f:1=a|f:8=b|" },
    { { .format = "wos" }, "UT 5\nTI a\nER\nER\n", "5=a|" },
    /* RIS */
    { { .format = "ris" },
      "Provider: x\n\nTY  - JOUR\nT1  - Old\nN2  - Abs\ntract\n\n more\n"
      "DO  - 10.1/z\nID  - 3\nER  - \n\nTY  - BOOK\nTI  - New\nT1  - Old\n"
      "AN  - A1\nID  - 4\nER  -\n",
      "10.1/z=Old/Abs tract more|A1=New|" },
    { { .format = "ris", .text_fields = "KW", .split = ";" },
      "TY  - JOUR\nKW  - tea\nKW  - milk; rum\nrye bread\nAB  - x\ny\nER  - \n",
      "f:1=tea/milk/rum/rye bread/|" },
    { { .format = "ris", .text_fields = "A1,AU", .split = "none",
        .id_field = "ID" },
      "TY  - A\nA1  - Ito, A\nA1  - Roe\nID  - k\nER  - \nTY  - A\nAU  - Poe\n"
      "ER  - ",
      "k=Ito, A/Roe/|f:6=Poe/|" },
    { { .format = "ris" }, "", "" },
    /* MEDLINE */
    { { .format = "medline" },
      "\nPMID- 7\nOWN - NLM\nTI  - Tea and\n      milk.\nAB  - Green.\n\n\n"
      "PMID- 8\nTI  - Rum\nPMID- 9\nTI  - Ale\n",
      "7=Tea and milk./Green.|8=Rum|9=Ale|" },
    { { .format = "medline", .text_fields = "MH,OT", .split = "none" },
      "PMID- 7\nMH  - *Tea/*history/\n      *a\nMH  - Milk*\nOT  - *green\n"
      "      tea\nOTO - NOTNLM\n\nTI  - *x\nAB  - a*\nOT  - *\n",
      "7=Tea/history/ *a/Milk*/green tea/|f:9=|" },
    { { .format = "medline" }, "PMID- 7\nTI  - *a/*b\n", "7=*a/*b|" },
    /* BibTeX */
    { { .format = "bibtex" },
      "% text @ outside, me@home (x)\n@comment{@article{no, title={x}}}\n"
      "@Article{ ito2020 ,\n Title = {Caf{\\'e} {Culture}\n   here},\n"
      "abstract=\"A \"#{\"b\"}#\" c {\"}d{\"}\", year = 2020 }\n"
      "@book(roe, title = \"A (b) c\",)@misc{x}\n",
      "ito2020=Caf\xc3\xa9 Culture here/A \"b\" c \"d\"|roe=A (b) c|x=|" },
    { { .format = "bibtex", .text_fields = "author", .split = "none" },
      BIB("author = {Ito, A. AND {Barnes and Noble} and\n Roe\nand others}"),
      "k=Ito, A./Barnes and Noble/Roe/|" },
    { { .format = "bibtex", .text_fields = "author" },
      BIB("author = {Anders and andy and  and Land}"),
      "k=Anders/andy/Land|" },
    { { .format = "bibtex", .text_fields = "KEYWORDS,Keywords-Plus",
        .split = ";", .id_field = "doi" },
      BIB("Keywords = {tea; rye\n   bread},\nKeywords-Plus={R\\&D},\n"
          "DOI = {10.1/a\\_b--c}"),
      "10.1/a_b--c=tea/rye bread/R&D/|" },
    { { .format = "bibtex", .text_fields = "cited-references",
        .split = "none" },
      BIB("Cited-References = {{A, 1, TEA.\n   B, 2, RUM.}}"),
      "k=A, 1, TEA./B, 2, RUM./|" },
    { { .format = "bibtex", .text_fields = "journal,month" },
      "@STRING{jt = \"J. of \" # {Tea}}\n@string(  x = JT # \" B\")\n"
      "@preamble{\"\\newcommand{\\x}{y}\"}\n"
      BIB("journal = X # {!}, month = 1 # \"~\" # jan"),
      "k=J. of Tea B!/1 jan|" },
    { { .format = "bibtex" }, "@article{title = {no key}}", "f:1=no key|" },
    { { .format = "bibtex" }, "@article\n\n{k\n,title = {a} } @misc", "k=a|" },
    { { .format = "bibtex" }, "\xef\xbb\xbf\n@a{k,title=1,title=b}", "k=1/b|" },
    { { .format = "bibtex" }, "@comment{\n@article{a,\n}}@article{b,}", "b=|" },
    { { .format = "bibtex" }, "", "" },
};

static const struct record_error bad[] = {
    { { .format = "wos", .text_fields = "TT" },
      "PT J\nTI a\nAU b\nER\n", COOC_EINVAL, { "\"TT\"", "AU, PT, TI" } },
    { { .format = "wos" },
      WOS_HEAD "PT J\nTI a\n\nPT J\nTI b\nER\n",
      COOC_EFORMAT,
      { "f:3:", "not ended", "ER" } },
    { { .format = "wos" }, "PT J\nTI a\nEF\n", COOC_EFORMAT, { "f:1:", "ER" } },
    { { .format = "wos" }, "PT J\nTI a", COOC_EFORMAT, { "f:1:", "ER" } },
    { { .format = "wos" },
      "PT J\nTi a\n",
      COOC_EFORMAT,
      { "f:2:", "'Ti a'", "Web of Science" } },
    { { .format = "ris" }, "TI  - a\n", COOC_EFORMAT, { "f:1:", "TI", "TY" } },
    { { .format = "ris" }, "nothing\n", COOC_EFORMAT, { "f:", "RIS", "TY" } },
    { { .format = "ris" }, "TY  - A\nTI  - a\n", COOC_EFORMAT, { "f:1:" } },
    { { .format = "medline" },
      "PMID- 7\nTI a\n",
      COOC_EFORMAT,
      { "f:2:", "'TI a'", "MEDLINE" } },
    { { .format = "bibtex" },
      "\n@a{k,\ntitle = {a\n}\n",
      COOC_EFORMAT,
      { "f:2:", "not closed" } },
    { { .format = "bibtex" },
      "@a{k,\n\ntitle {a}}\n",
      COOC_EFORMAT,
      { "f:3:", "= after", "'{a}'" } },
    { { .format = "bibtex" },
      "@a{k,\na = {b}\nc = {d}}\n",
      COOC_EFORMAT,
      { "f:3:", "comma", "'c = {d}'" } },
    { { .format = "bibtex" },
      "@a{k,\na = \"b}",
      COOC_EFORMAT,
      { "f:2:", "closed", "'\"b'" } },
    { { .format = "bibtex" }, "@a{k, a = ,}", COOC_EFORMAT, { "a value" } },
    { { .format = "bibtex" }, "@a{k, #}", COOC_EFORMAT, { "name", "'#'" } },
    { { .format = "bibtex" }, "@string{ = {a}}", COOC_EFORMAT, { "name" } },
    { { .format = "bibtex" }, "words\n", COOC_EFORMAT, { "f:", "BibTeX" } },
    { { .format = "bibtex", .text_fields = "titel" },
      BIB("Title = {a}"),
      COOC_EINVAL,
      { "\"titel\"", "Title" } },
};

/* After an error, reading continues with the next record. */
static const struct record_case continued[] = {
    { { .format = "wos" },
      "PT J\nTI a\nPT J\nTI b\nER\nrubbish\nTI c\nER\nPT J\nTI d\nrubbish\n"
      "TI e\nER\nPT J\nTI f\nER\nPT J\n",
      "!1|f:3=b|!6|!11|f:14=f|!17|" },
    { { .format = "ris" },
      "TY  - A\nTI  - a\nTY  - A\nTI  - b\nER  - \nTI  - c\nTI  - d\nER  - \n"
      "TY  - A\nTI  - e\nER  - \nTI  - f\nTY  - A\nTI  - g\nER  - \n",
      "!1|f:3=b|!6|f:9=e|!12|f:13=g|" },
    { { .format = "medline" },
      "PMID- 1\nrubbish\nTI  - a\n\nPMID- 2\nTI  - b\n\nrubbish\nPMID- 3\n",
      "!2|2=b|!8|3=|" },
    { { .format = "bibtex" },
      "@a{a, title = {x}\n\n@a{b, title = {y}}\n@a{c, =}@a{d,title=1}\n"
      "@string{x}@a{e,title=\"",
      "!1|b=y|!4|d=1|!5|!5|" },
};

static const struct {
    const char *tex, *want;
    bool verbatim;
} texts[] = {
    { "  a\n\t b  ", "a b", false },
    { "{\\'E}tude of caf{\\'e}s, \\'{e} \\' e", "\u00c9tude of caf\u00e9s, "
      "\u00e9 \u00e9", false },
    { "\\\"o{\\\"o}\\\"{o}", "\u00f6\u00f6\u00f6", false },
    { "\\c{c}\\c c\\v{s}\\v s\\H{o}\\k{a}\\r{a}\\u{g}\\=a\\.z\\d{s}",
      "\u00e7\u00e7\u0161\u0161\u0151\u0105\u00e5\u011f\u0101\u017c\u1e63",
      false },
    { "\\ss\\o \\aa x \\AE{} \\L\\'od\\'z", "\u00df\u00f8\u00e5x \u00c6 "
      "\u0141\u00f3d\u017a", false },
    { "na{\\\"\\i}ve na\\\"{\\i}ve \\'{\\j}", "na\u00efve na\u00efve j\u0301",
      false },
    { "\\~n\\'{\\^e}\\'\\^a", "\u00f1\u1ebf\u1ea5", false },
    { "\\'q \\'{\\~{}}", "q\u0301 '", false },
    { "R\\&D 5\\% \\#1 \\$3 a\\_b \\{x\\}", "R&D 5% #1 $3 a_b {x}", false },
    { "1--9 a---b c-d ----", "1\u20139 a\u2014b c-d \u2014-", false },
    { "``a'' `b' c'''", "\u201ca\u201d `b' c\u201d'", false },
    { "Dr.~Roe\\ x\\,y\\\\z", "Dr. Roe x y z", false },
    { "\\emph{tea} {\\it milk} \\LaTeX\\ x", "tea milk LaTeX x", false },
    { "CO$_2$ $\\alpha$-ray x^2 a_b", "CO2 \u03b1-ray x^2 a_b", false },
    { "Sa\\~{}o \\~", "Sa~o ~", false },
    { "hy\\-phen {[}001]", "hyphen [001]", false },
    { "http://a.b/~c--d\\_e\\~{}f", "http://a.b/~c--d_e~f", true },
    { "\\'\xff \\v", "\xef\xbf\xbd\xcc\x81", false },
    { "a\\", "a", false },
    { "", "", false },
};

static const struct named_case named[] = {
    { "savedrecs.txt", "FN X\r\nVR 1.0\r\n", "wos", "wos" },
    { "-", "\nPT J\nAU Ito, A\n", "wos", "wos" },
    { "x.ciw", "", "wos", "wos" },
    { "-", "FN 5\nmore\n", "lines", "files" },
    { "-", "PT boat\nAU x\n", "lines", "files" },
    { "x.ris", "", "ris", "ris" },
    { "x.txt", "\nTY  - JOUR\n", "ris", "ris" },
    { "x.txt", "TY - JOUR\n", "lines", "files" },
    { "x.nbib.gz", "", "medline", "medline" },
    { "pubmed-tea.txt", "\nPMID- 77\n", "medline", "medline" },
    { "x.txt", "PMID- x\n", "lines", "files" },
    { "x.bib", "", "bibtex", "bibtex" },
    { "-", "\n@article{ x:y/1,\n", "bibtex", "bibtex" },
    { "-", "% Encoding: UTF-8\n\n@Comment{jabref", "bibtex", "bibtex" },
    { "-", "@string{a = 1}\n", "bibtex", "bibtex" },
    { "-", "@home (is it)\n", "lines", "files" },
    { "-", "@ {x,\n", "lines", "files" },
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

static void reading_continues_after_a_bad_record(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(continued); i++) {
        put_text("f", continued[i].data);
        check_continues("f", &continued[i].o, continued[i].want);
    }
}

static void tex_becomes_plain_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct cooc_err err = { 0 };
        struct buf out = { 0 };

        CHECK_RC(tex_text(texts[i].tex, strlen(texts[i].tex),
                          texts[i].verbatim, &out, &err), 0, &err);
        CHECK_RC(buf_text(&out, &err), 0, &err);
        assert_string_equal(out.data, texts[i].want);
        buf_release(&out);
    }
}

static void formats_are_detected_by_name_and_content(void **state)
{
    (void)state;
    check_named(named, ARRAY_LEN(named));
}

/* Strings of strings cannot make a short file long. */
static void a_string_is_at_most_64_kib_long(void **state)
{
    struct cooc_index_options o = { .format = "bibtex" };
    struct cooc_err err = { 0 };
    struct buf file = { 0 }, out = { 0 };
    const char *input = "f";

    (void)state;
    CHECK_RC(buf_printf(&file, &err, "@string{a0 = {x}}\n"), 0, &err);
    for (int i = 1; i < 40; i++)
        CHECK_RC(buf_printf(&file, &err, "@string{a%d = a%d # a%d}\n", i,
                            i - 1, i - 1), 0, &err);
    CHECK_RC(buf_printf(&file, &err, "@misc{k, title = a39}"), 0, &err);
    put("f", file.data, file.len);
    CHECK_RC(read_all(&input, 1, &o, &out, NULL, &err), 0, &err);
    assert_int_equal(out.len, 65536 + strlen("k=|"));
    buf_release(&file);
    buf_release(&out);
}

static void a_record_larger_than_the_limit_is_an_error(void **state)
{
    static const char *const words[3] = { "f:", "larger", "16 MiB" };
    static const struct {
        const char *format, *head, *line;
    } cases[] = {
        { "wos", "PT J\nTI x\n", "   0123456789012345678901234567890123456\n" },
        { "ris", "TY  - A\n", "AB  - 012345678901234567890123456789012345\n" },
        { "medline", "PMID- 1\nAB  - x\n", "      0123456789012345678901\n" },
        { "bibtex", "@a{k, title={", "0123456789012345678901234567890123456\n" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_index_options o = { .format = cases[i].format };
        struct buf file = { 0 };

        assert_int_equal(buf_add(&file, cases[i].head, strlen(cases[i].head),
                                 NULL), 0);
        while (file.len < DOCUMENT_MAX * 2)
            assert_int_equal(buf_add(&file, cases[i].line,
                                     strlen(cases[i].line), NULL), 0);
        put("f", file.data, file.len);
        buf_release(&file);
        check_fails("f", &o, COOC_ELIMIT, words);
    }
}

static void running_out_of_memory_is_clean(void **state)
{
    static const char bibtex[] =
        "@string{s = {S}}\n@string{t = s # s}\n@a{k, title = {Caf\\'{e}} # t,\n"
        "author = {Ito and Roe}, x = 1}\n@a{k2, title = {a}";

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        put_text("f", good[i].data);
        fail_each_allocation(&(const char *){ "f" }, 1, &good[i].o, true);
    }
    put_text("f", bibtex);
    fail_each_allocation(&(const char *){ "f" }, 1,
                         &(struct cooc_index_options){
                             .format = "bibtex",
                             .text_fields = "title,author" },
                         true);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_format_yields_the_expected_documents),
        RUN(every_error_names_its_place),
        RUN(reading_continues_after_a_bad_record),
        RUN(tex_becomes_plain_text),
        RUN(formats_are_detected_by_name_and_content),
        RUN(a_string_is_at_most_64_kib_long),
        RUN(a_record_larger_than_the_limit_is_an_error),
        RUN(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("bibliography", tests, NULL, NULL);
}
