/* test_encoding.c - the encoding of a text, and files that are not text. */
#include "harness.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/watch.h"
#include "cooc_build.h"
#include "read/binary.h"
#include "read/encoding.h"
#include "read/format.h"
#include "read/read.h"
#include "read/stream.h"
#include "read_help.h"

#define MIB ((size_t)1 << 20)

/* ---- UTF-8 --------------------------------------------------------------- */

static void the_beginning_of_a_character_is_recognised(void **state)
{
    static const struct {
        const char *text;
        size_t cut;
    } cases[] = {
        { "", 0 },            { "a", 0 },
        { "\xc3", 1 },        { "a\xc3", 1 },
        { "\xc3\xa9", 0 },    { "\xe2", 1 },
        { "\xe2\x82", 2 },    { "\xe2\x82\xac", 0 },
        { "\xf0\x9f\x98", 3 }, { "\xf0\x9f", 2 },
        { "\xf0", 1 },        { "\xf0\x9f\x98\x80", 0 },
        { "\xe0\x80", 0 },    { "\xed\xa0", 0 }, /* overlong, surrogate */
        { "\xf4\x90", 0 },    { "\xf0\x80", 0 },
        { "\xc0", 0 },        { "\xff", 0 },
        { "\x82\xac", 0 },    { "\xf4\x8f\xbf", 3 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (utf8_cut(cases[i].text, strlen(cases[i].text)) != cases[i].cut)
            fail_msg("case %zu: %zu", i,
                     utf8_cut(cases[i].text, strlen(cases[i].text)));
}

static void characters_and_invalid_bytes_are_counted(void **state)
{
    static const char text[] = "abcdefgh\xc3\xa9 \xff\xe2\x82\xac \xe2\x82 z";
    struct utf8_tally t = utf8_count(text, sizeof text - 1);

    (void)state;
    assert_int_equal(t.wide, 2);
    assert_int_equal(t.invalid, 3);
    t = utf8_count("", 0);
    assert_int_equal(t.wide + t.invalid, 0);
}

/* ---- the rule ------------------------------------------------------------ */

/* "All people are born free ...", in several languages, as Unicode. */
#define FRENCH                                                              \
    "Un caf\u00e9 cr\u00e8me \u00e0 c\u00f4t\u00e9 de la for\u00eat, o\u00f9 " \
    "les \u00e9l\u00e8ves \u00e9taient d\u00e9j\u00e0 r\u00e9unis."
#define RUSSIAN                                                             \
    "\u0412\u0441\u0435 \u043b\u044e\u0434\u0438 "                          \
    "\u0440\u043e\u0436\u0434\u0430\u044e\u0442\u0441\u044f "               \
    "\u0441\u0432\u043e\u0431\u043e\u0434\u043d\u044b\u043c\u0438 "         \
    "\u0438 \u0440\u0430\u0432\u043d\u044b\u043c\u0438 \u0432 "             \
    "\u0441\u0432\u043e\u0435\u043c "                                       \
    "\u0434\u043e\u0441\u0442\u043e\u0438\u043d\u0441\u0442\u0432\u0435 "   \
    "\u0438 \u043f\u0440\u0430\u0432\u0430\u0445. "                         \
    "\u041e\u043d\u0438 "                                                   \
    "\u043d\u0430\u0434\u0435\u043b\u0435\u043d\u044b "                     \
    "\u0440\u0430\u0437\u0443\u043c\u043e\u043c \u0438 "                    \
    "\u0441\u043e\u0432\u0435\u0441\u0442\u044c\u044e."

static const struct {
    const char *option, *data;
    size_t len;
    const char *want;
    enum encoding_source source;
} cases[] = {
    { NULL, TEXT(""), "UTF-8", ENCODING_UTF8 },
    { NULL, TEXT("plain"), "UTF-8", ENCODING_UTF8 },
    { NULL, TEXT("caf\xc3\xa9"), "UTF-8", ENCODING_UTF8 },
    { NULL, TEXT("a\0b"), "UTF-8", ENCODING_UTF8 }, /* binary, but valid */
    { NULL, TEXT("caf\xe9 au lait\n"), "windows-1252", ENCODING_GUESSED },
    { NULL, TEXT("caf\xc3"), "windows-1252", ENCODING_GUESSED },
    { NULL, TEXT("\x93quoted\x94 for \x80 5, \x96 no"), "windows-1252",
      ENCODING_GUESSED },
    { NULL, TEXT("a\xff"), "windows-1252", ENCODING_GUESSED },

    /* what the user says */
    { "auto", TEXT("caf\xe9"), "windows-1252", ENCODING_GUESSED },
    { "AUTO", TEXT("caf\xc3\xa9"), "UTF-8", ENCODING_UTF8 },
    { "auto,koi8-r", TEXT("\xd4\xc1"), "koi8-r", ENCODING_GUESSED },
    { "auto, koi8-r", TEXT("\xd4\xc1"), "koi8-r", ENCODING_GUESSED },
    { "auto,utf-8", TEXT("caf\xe9"), "utf-8", ENCODING_GUESSED },
    { "auto,koi8-r", TEXT("x"), "UTF-8", ENCODING_UTF8 },
    { "latin1", TEXT("caf\xc3\xa9"), "latin1", ENCODING_NAMED },
    { "utf-8", TEXT("caf\xe9"), "utf-8", ENCODING_NAMED },
    { "iso-2022-jp", TEXT("x"), "iso-2022-jp", ENCODING_NAMED },

    /* marks come first */
    { NULL, TEXT("\xef\xbb\xbf\xe9"), "UTF-8", ENCODING_MARKED },
    { "latin1", TEXT("\xef\xbb\xbfx"), "UTF-8", ENCODING_MARKED },
    { "latin1", TEXT("\xff\xfex\0"), "UTF-16LE", ENCODING_MARKED },
    { NULL, TEXT("\xfe\xff\0x"), "UTF-16BE", ENCODING_MARKED },
    { NULL, TEXT("\xff\xfe\0\0x\0\0\0"), "UTF-32LE", ENCODING_MARKED },

    /* UTF-16 without a mark */
    { NULL, TEXT("t\0e\0a\0\n\0"), "UTF-16LE", ENCODING_GUESSED },
    { NULL, TEXT("\0t\0e\0a\0\n"), "UTF-16BE", ENCODING_GUESSED },
    { NULL, TEXT("\x12\4\x41\4\x35\4 \0x\4"), "UTF-16LE", ENCODING_GUESSED },
    { NULL, TEXT("\4\x12\4\x41\4\x35\0 \4x"), "UTF-16BE", ENCODING_GUESSED },
    { NULL, TEXT("=\xd8\0\xde" "a\0b\0"), "UTF-16LE", ENCODING_GUESSED },
    { NULL, TEXT("t\0e\0a\0"), "UTF-8", ENCODING_UTF8 },    /* too short */
    { NULL, TEXT("t\0e\0a\0\n\0x"), "UTF-8", ENCODING_UTF8 }, /* odd */
    { NULL, TEXT("t\0e\0\0\0a\0"), "UTF-8", ENCODING_UTF8 },  /* U+0000 */
    { NULL, TEXT("t\0e\0\1\0a\0"), "UTF-8", ENCODING_UTF8 },  /* control */
    { NULL, TEXT("t\0e\0\0\xd8" "a\0"), "windows-1252",
      ENCODING_GUESSED },                                      /* surrogate */
    { NULL, TEXT("t\0\0\0e\0\0\0a\0\0\0"), "UTF-8", ENCODING_UTF8 },

    /* damaged UTF-8 is UTF-8, unless much is invalid */
    { NULL, TEXT("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xe9"), "UTF-8",
      ENCODING_UTF8 },
    { NULL, TEXT("caf\xc3\xa9 caf\xe9"), "windows-1252", ENCODING_GUESSED },

    /* never recognised, only named */
    { NULL, TEXT("\x1b$B$3$l\x1b(B"), "UTF-8", ENCODING_UTF8 },
    { NULL, TEXT("caf+AOk-"), "UTF-8", ENCODING_UTF8 },
};

static void find(struct encoding *e, const char *option, const char *data,
                 size_t len)
{
    struct encoding_choice choice;
    struct cooc_err err = { 0 };

    CHECK_RC(encoding_choose(&choice, option, &err), 0, &err);
    CHECK_RC(encoding_find(e, &choice, data, len, &err), 0, &err);
}

static void each_text_has_the_expected_encoding(void **state)
{
    struct encoding e;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        find(&e, cases[i].option, cases[i].data, cases[i].len);
        if (strcmp(e.name, cases[i].want) || e.source != cases[i].source)
            fail_msg("case %zu: %s, %d", i, e.name, (int)e.source);
    }
}

static void unknown_encodings_are_refused(void **state)
{
    static const char *const wrong[] = { "klingon", "", "auto,", "auto,klingon",
                                         "auto,auto", "latin1,auto",
                                         "koi8-r,AUTO" };
    struct encoding_choice choice;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct cooc_err err = { 0 };

        CHECK_RC(encoding_choose(&choice, wrong[i], &err), COOC_EINVAL, &err);
        assert_string_equal(err.option, "encoding");
    }
}

/* Convert UTF-8 to another encoding, all of whose characters are in its
 * alphabet: 0x80.. in this order. */
static size_t encode(const char *text, const char *const *high, size_t n,
                     char *out)
{
    char *to = out;

    while (*text) {
        size_t i = 0;

        while (i < n && (!high[i] || strncmp(text, high[i], strlen(high[i]))))
            i++;
        if (i < n) {
            *to++ = (char)(0x80 + i);
            text += strlen(high[i]);
        } else {
            *to++ = *text++;
        }
    }
    return (size_t)(to - out);
}

/* Bytes 0x80..0xff of windows-1251, as far as the text needs them. */
static size_t russian(char *out)
{
    static char alphabet[128][3];
    const char *high[128] = { NULL };

    for (unsigned i = 0x40; i < 128; i++) {
        unsigned c = 0x410 + i - 0x40;

        alphabet[i][0] = (char)(0xc0 | c >> 6);
        alphabet[i][1] = (char)(0x80 | (c & 0x3f));
        high[i] = alphabet[i];
    }
    return encode(RUSSIAN, high, 128, out);
}

static size_t french(char *out)
{
    static char alphabet[128][3];
    const char *high[128] = { NULL };

    for (unsigned i = 0x20; i < 128; i++) {
        alphabet[i][0] = (char)(0xc0 | (0x80 + i) >> 6);
        alphabet[i][1] = (char)(0x80 | ((0x80 + i) & 0x3f));
        high[i] = alphabet[i];
    }
    return encode(FRENCH, high, 128, out);
}

static void other_encodings_are_recognised(void **state)
{
    struct encoding e;
    char text[1000];

    (void)state;
    find(&e, NULL, text, russian(text));
    assert_string_equal(e.name, "windows-1251");
    find(&e, "auto,koi8-r", text, french(text));
    assert_string_equal(e.name, "windows-1252");
}

/* Put the same after a megabyte of ASCII, or near its end. */
static void only_the_first_mebibyte_counts(void **state)
{
    char *text = malloc(2 * MIB), word[4000];
    size_t n = russian(word);
    struct encoding e;

    (void)state;
    assert_non_null(text);
    for (int i = 0; i < 3; i++, n *= 2)
        memcpy(word + n, word, n);
    for (size_t i = 0; i < 2 * MIB; i++)
        text[i] = i % 50 == 49 ? '\n' : i % 7 == 6 ? ' ' : 'a';
    find(&e, NULL, text, 2 * MIB);
    assert_int_equal(e.source, ENCODING_UTF8);
    memcpy(text + MIB, word, n);
    find(&e, NULL, text, 2 * MIB);
    assert_int_equal(e.source, ENCODING_UTF8);
    memcpy(text + MIB - n - 50, word, n); /* ICU sees it, too */
    find(&e, NULL, text, 2 * MIB);
    assert_string_equal(e.name, "windows-1251");
    memset(text, 'a', 2 * MIB);
    for (size_t cut = 1; cut < 4; cut++) {
        memset(text + MIB - 4, 'a', 8);
        memcpy(text + MIB - cut, "\xf0\x9f\x98\x80", 4);
        find(&e, NULL, text, 2 * MIB);
        assert_int_equal(e.source, ENCODING_UTF8);
        find(&e, NULL, text, MIB);
        assert_int_equal(e.source, ENCODING_UTF8);
        find(&e, NULL, text + 1, MIB - 1); /* the end of the text */
        assert_string_equal(e.name, "windows-1252");
    }
    memset(text, 0, 2 * MIB);
    for (size_t i = 0; i < 2 * MIB; i += 2)
        text[i] = 'a';
    memcpy(text + MIB - 2, "=\xd8\0\xde", 4); /* a pair of surrogates */
    find(&e, NULL, text, 2 * MIB);
    assert_string_equal(e.name, "UTF-16LE");
    free(text);
}

/* ---- readers ------------------------------------------------------------- */

/* Notes are collected as "kind path text count|". */
static void take_note(void *self, const struct cooc_note *n)
{
    assert_int_equal(buf_printf(self, NULL, "%c %s %.12s %d|",
                                "EIBXYHL"[n->kind], n->path, n->text,
                                (int)n->count),
                     0);
}

/* Read an input; compare the documents, written as in read_help.h, and the
 * notes except L. */
static void check(const char *input, const char *encoding, const char *want,
                  const char *noted)
{
    struct cooc_index_options o = { .encoding = encoding };
    struct buf out = { 0 }, notes = { 0 };
    struct cooc_watch hook = COOC_WATCH;
    struct cooc_err err = { 0 };
    struct reader *r;
    struct document d;
    struct watch w;
    int rc;

    hook.self = &notes;
    hook.note = take_note;
    CHECK_RC(watch_init(&w, &hook, &err), 0, &err);
    CHECK_RC(reader_open(&r, &input, 1, &o, &w, &err), 0, &err);
    while ((rc = reader_next(r, &d, &err)) > 0) {
        assert_int_equal(buf_printf(&out, NULL, "%.*s|", (int)d.text_len,
                                    d.text),
                         0);
        assert_non_null(d.file);
    }
    CHECK_RC(rc, 0, &err);
    reader_note_invalid(r);
    CHECK_RC(buf_text(&out, &err), 0, &err);
    CHECK_RC(buf_text(&notes, &err), 0, &err);
    if (strcmp(out.data, want) != 0 || strcmp(notes.data, noted) != 0)
        fail_msg("%s: got  %s %s\nwant %s %s", input, out.data, notes.data, want,
                 noted);
    reader_close(r);
    watch_release(&w);
    buf_release(&out);
    buf_release(&notes);
}

#define CAFE "caf\xc3\xa9"

static void files_are_read_in_their_encoding(void **state)
{
    static const size_t blocks[] = { 8, 9, 64, STREAM_BLOCK };

    (void)state;
    put("a.tsv", TEXT("id\tcaf\xe9\n"));
    put("m", TEXT("\xff\xfe" "c\0a\0f\0\xe9\0"));
    put("h.html", TEXT("<p>caf\xe9</p>"));
    put("d.html", TEXT("<meta charset=koi8-r><p>\xd4</p>"));
    put("w.html", TEXT("<\0p\0>\0c\0a\0f\0\xe9\0"));
    put("t.trec", TEXT("<DOC>caf\xe9</DOC>\n<DOC>caf\xc3\xa9</DOC>"
                       "<DOC>x<DOCHDR></DOCHDR><meta charset=koi8-r>\xd4</DOC>"));
    put("t2.trec", TEXT("<DOC>caf\xe9</DOC>\n<DOC>caf\xc3\xa9</DOC>\n"
                        "<DOC>caf\xe9</DOC>\n"));
    put("e.txt", TEXT(""));
    put("b.txt", TEXT("\xef\xbb\xbf"));
    put("i.txt", TEXT("\xe9\xe9 " CAFE CAFE CAFE CAFE CAFE CAFE CAFE CAFE CAFE));
    for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
        stream_block_size = blocks[i];
        check("a.tsv", NULL, CAFE "|", "E a.tsv windows-1252 0|");
        check("a.tsv", "auto,koi8-r", "caf\xd0\x98|", "E a.tsv koi8-r 0|");
        check("a.tsv", "latin1", CAFE "|", "");
        check("a.tsv", "utf-8", "caf\xe9|", "");
        check("m", NULL, CAFE "|", "L m  0|E m UTF-16LE 0|");
        check("m", "latin1", CAFE "|", "L m  0|E m UTF-16LE 0|");
        check("h.html", NULL, CAFE "\n|", "E h.html windows-1252 0|");
        check("d.html", NULL, "\xd1\x82\n|", "");
        check("w.html", NULL, CAFE "\n|", "E w.html UTF-16LE 0|");
        check("t2.trec", NULL, CAFE "\n\n|" CAFE "\n\n|" CAFE "\n\n|",
              "E t2.trec windows-1252 0|");
        check("t.trec", NULL, CAFE "\n\n|" CAFE "\n\n|x\n\xd1\x82\n\n|",
              "E t.trec windows-1252 0|");
        check("i.txt", NULL, "\xe9\xe9 " CAFE CAFE CAFE CAFE CAFE CAFE CAFE CAFE
              CAFE "|", "L i.txt  0|");
        check("e.txt", NULL, "", "L e.txt  0|Y e.txt  0|");
        check("b.txt", NULL, "", "L b.txt  0|Y b.txt  0|");
    }
    stream_block_size = STREAM_BLOCK;
}

/* Damage after the beginning of a file does not prevent reading what precedes
 * it. */
static void damage_is_found_when_it_is_reached(void **state)
{
    struct cooc_index_options skip = { .format = "lines", .skip_bad = true };
    static char noise[700000], packed[1400000];
    struct reader_stats stats = { 0 };
    struct cooc_err err = { 0 };
    const char *input = "p.gz";
    struct buf out = { 0 };
    uint32_t x = 1;
    size_t n;

    (void)state;
    for (size_t i = 0; i < sizeof noise; i++) {
        x = x * 1664525 + 1013904223;
        noise[i] = i % 100 == 99 ? '\n' : (char)(' ' + (x >> 26));
    }
    pack("p.gz", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW, NULL, noise,
         sizeof noise);
    n = slurp("p.gz", packed, sizeof packed);
    put("p.gz", packed, n * 3 / 4);
    CHECK_RC(read_all(&input, 1, &skip, &out, &stats, &err), 0, &err);
    assert_true(out.len > sizeof noise / 2);
    assert_int_equal(stats.bad_files, 1);
    skip.skip_bad = false;
    CHECK_RC(read_all(&input, 1, &skip, &out, &stats, &err), COOC_EFORMAT,
             &err);
    buf_release(&out);
}

/* ---- files that are not text --------------------------------------------- */

static void binary_files_are_recognised(void **state)
{
    static const struct {
        const char *name, *data;
        size_t len;
        const char *what, *remedy;
    } files[] = {
        { "f", TEXT("%PDF-1.4\n"), "PDF", "pdftotext" },
        { "f", TEXT("{\\rtf1 x}"), "RTF", "libreoffice" },
        { "f.XLS", TEXT("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "xls", "csv" },
        { "f", TEXT("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "doc", "txt" },
        { "f", TEXT("PAR1\x15"), "Parquet", "duckdb" },
        { "f", TEXT("PAR1 is a gene"), NULL, NULL },
        { "f", TEXT("ARROW1\0\0"), "Arrow", "pyarrow" },
        { "f", TEXT("ORCA is a whale"), NULL, NULL },
        { "f", TEXT("SQLite format 3\0"), "SQLite", "sqlite3" },
        { "f", TEXT("SQLite format 3 is"), NULL, NULL },
        { "f", TEXT("\x89PNG\r\n\x1a\n"), "PNG", NULL },
        { "f", TEXT("X\n\0\0\0"), "R object", "readRDS" },
        { "f.dta", TEXT("s\1\1\0"), "Stata", "read_stata" },
        { "f", TEXT("s\1\1\0"), NULL, NULL },
        { "f", TEXT("GIF89a is a format"), NULL, NULL },
        { "f", TEXT(""), NULL, NULL },
    };
    char text[BINARY_TEXT_MAX];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        const struct binary *b = binary_detect(files[i].name, files[i].data,
                                               files[i].len);

        if (!b != !files[i].what)
            fail_msg("case %zu", i);
        binary_describe(b, text);
        if (b && (!strstr(text, files[i].what) ||
                  (files[i].remedy && !strstr(text, files[i].remedy))))
            fail_msg("case %zu: %s", i, text);
        assert_true(b || !*text);
    }
}

static void the_command_names_the_file(void **state)
{
    static const struct {
        const char *path, *want;
    } cases_[] = {
        { "a/b-1.pdf", ": pdftotext a/b-1.pdf a/b-1.txt" },
        { "a b.pdf", ": pdftotext FILE.pdf FILE.txt" },
        { "-a.pdf", ": pdftotext FILE.pdf FILE.txt" },
        { "a", ": pdftotext FILE.pdf FILE.txt" },
        { ".pdf", ": pdftotext FILE.pdf FILE.txt" },
        { "a$b.pdf", ": pdftotext FILE.pdf FILE.txt" },
    };
    const struct binary *pdf = binary_detect("x", TEXT("%PDF-"));

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases_); i++) {
        struct cooc_err err = { 0 };

        assert_int_equal(binary_refuse(pdf, cases_[i].path, &err),
                         COOC_EFORMAT);
        if (!strstr(err.text, cases_[i].want))
            fail_msg("%s", err.text);
    }
}

static void binary_files_are_refused_or_skipped(void **state)
{
    static const char *const known[3] = { "f.pdf:", "pdftotext f.pdf f.txt" };
    static const char *const unknown[3] = { "g:", "NUL", "format" };
    static const char *const dat[3] = { "x.dat:", "NUL" };
    struct cooc_index_options lines = { .format = "lines" };

    (void)state;
    put("f.pdf", TEXT("%PDF-1.4\nx"));
    put("g", TEXT("a\0b"));
    put("x.dat", TEXT("1 2\n\0\n"));
    check_fails("f.pdf", NULL, COOC_EFORMAT, known);
    check_fails("g", NULL, COOC_EFORMAT, unknown);
    check_fails("x.dat", NULL, COOC_EFORMAT, dat);
    check_read("f.pdf", &lines, "f.pdf:1=%PDF-1.4|f.pdf:2=x|");
    assert_int_equal(mkdir("d", 0755), 0);
    put("d/a.pdf", TEXT("%PDF-1.4\nx"));
    put("d/b", TEXT("a\0b"));
    put("d/c.txt", TEXT("tea"));
    put("d/e.txt", TEXT(""));
    put("d/.h", TEXT("x"));
    check("d", NULL, "tea||", "H d/.h  0|X d/a.pdf PDF document 0|X d/b  0|"
                              "Y d/e.txt  0|");
}

/* ---- memory -------------------------------------------------------------- */

static void running_out_of_memory_is_clean(void **state)
{
    static const char *const inputs[] = { "a.txt", "d", "p.gz", "u.txt" };
    static char noise[400000], packed[800000];
    const struct cooc_index_options o = { .skip_bad = true };
    uint32_t x = 1;
    size_t n;

    (void)state;
    put("a.txt", TEXT("caf\xe9 caf\xe9 caf\xe9 caf\xe9 caf\xe9"));
    put("u.txt", TEXT("t\0e\0a\0\n\0"));
    assert_int_equal(mkdir("d", 0755), 0);
    put("d/.h", TEXT("x"));
    put("d/a.pdf", TEXT("%PDF-1.4\nx"));
    put("d/h.html", TEXT("caf\xe9"));
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char)(' ' + ((x = x * 1664525 + 1013904223) >> 26));
    pack("p.gz", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW, NULL, noise,
         sizeof noise);
    n = slurp("p.gz", packed, sizeof packed);
    put("p.gz", packed, n - 4);
    fail_each_allocation(inputs, ARRAY_LEN(inputs), &o, false);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_beginning_of_a_character_is_recognised),
        cmocka_unit_test(characters_and_invalid_bytes_are_counted),
        cmocka_unit_test(each_text_has_the_expected_encoding),
        cmocka_unit_test(unknown_encodings_are_refused),
        cmocka_unit_test(other_encodings_are_recognised),
        cmocka_unit_test(only_the_first_mebibyte_counts),
        RUN(files_are_read_in_their_encoding),
        RUN(damage_is_found_when_it_is_reached),
        cmocka_unit_test(binary_files_are_recognised),
        cmocka_unit_test(the_command_names_the_file),
        RUN(binary_files_are_refused_or_skipped),
        RUN(running_out_of_memory_is_clean),
    };

    return cmocka_run_group_tests_name("encoding", tests, NULL, NULL);
}
