/* test_ciff.c - CIFF files: valid, damaged and hostile ones, in any memory. */
#include "read_help.h"
#include "tools.h"
#include "wire_text.h"

#include "base/watch.h"
#include "read/stream.h"

/* The names of three documents. */
#define DOCS "{1=0 2'a'} {1=1 2'b'} {1=2 2'c'}"
/* A header: numbers of lists and of documents. */
#define HEAD(lists, docs) "{1=1 2=" #lists " 3=" #docs "}"

static const struct cooc_index_options ciff = { .format = "ciff" };

static void put_wire(const char *name, const char *text)
{
    struct buf b = { 0 };

    wire_parse(&b, text);
    put(name, b.data ? b.data : "", b.len);
    buf_release(&b);
}

/* ---- valid files -------------------------------------------------------- */

static const struct {
    const char *text, *want;
} good[] = {
    { HEAD(2, 3) "{1'tea' 2=2 3=8 4{2=7} 4{1=2 2=1}}"
                 "{1'jam' 2=1 3=1 4{2=1}}" DOCS,
      "a=tea/jam/|b=|c=tea/|" },
    { HEAD(0, 0), "" },
    { "{1=1}", "" },
    { HEAD(0, 2) "{} {1=1}", "0=|1=|" },         /* documents without names */
    { HEAD(1, 3) "{1'tea'}" DOCS, "a=|b=|c=|" }, /* a list without postings */
    { HEAD(1, 3) "{1'tea' 2=2 4{1=0 2=0} 4{1=1 2=1}}" DOCS,
      "a=|b=tea/|c=|" }, /* a frequency of 0 */
    { HEAD(3, 1) "{1'b' 2=1 4{2=1}} {1'c' 2=1 4{2=1}} {1'a' 2=1 4{2=1}}"
                 "{2'x'}",
      "x=b/c/a/|" }, /* terms in any order */
    { HEAD(2, 1) "{1'a' 2=1 4{2=1}} {1'a b' 2=1 4{2=1}} {2'x'}", "x=a/a b/|" },
    { HEAD(1, 1) "{1'\xff' 2=1 4{2=1}} {2'\xfe'}", "\xfe=\xff/|" },
    /* fields in another order, repeated, unknown or longer than necessary */
    { "{8'long description' 7:8 9:4 3=7 3=1 2=1 1=1 6=99 99'x' 50{1=1}}"
      "{3=9 1'tea' 77:8 4{2=1 1=0 3=5 4'x'} 2=1 5'y'}"
      "{3=1 2'other' 4:4 2'x' 1=0}",
      "x=tea/|" },
    { "{1=1 x10 x81 x80 x00 3=1} {1'a' 2=1 x22 x82 x00 2=1} {}", "0=a/|" },
    { "x84 x00 1=1 3=0", "" }, /* the length of a message, too */
};

static void valid_files_yield_their_documents(void **state)
{
    static const size_t blocks[] = { 8, 9, 13, 1 << 16 };
    size_t usual = stream_block_size;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        for (size_t k = 0; k < ARRAY_LEN(blocks); k++) {
            stream_block_size = blocks[k];
            put_wire("f", good[i].text);
            check_read("f", &ciff, good[i].want);
        }
    stream_block_size = usual;
}

static void the_name_of_a_file_shows_the_format(void **state)
{
    static const char *const both[] = { "x.ciff", "dir" };
    struct cooc_err err = { 0 };
    struct buf out = { 0 };
    char data[200];
    size_t len;

    (void)state;
    put_wire("x.ciff", good[0].text);
    check_read("x.ciff", NULL, good[0].want);
    len = slurp("x.ciff", data, sizeof data);
    pack("x.CIFF.gz", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW, NULL, data, len);
    check_read("x.CIFF.gz", NULL, good[0].want);
    assert_int_equal(mkdir("dir", 0755), 0);
    put_wire("dir/1.ciff", good[6].text);
    put_wire("dir/2.ciff", good[5].text);
    CHECK_RC(read_all(both, 2, NULL, &out, NULL, &err), 0, &err);
    assert_int_equal(buf_byte(&out, '\0', NULL), 0);
    assert_string_equal(out.data,
                        "a=tea/jam/|b=|c=tea/|x=b/c/a/|a=|b=tea/|c=|");
    buf_release(&out);
}

/* ---- damaged files ------------------------------------------------------ */

static const struct {
    const char *text, *words[3];
} bad[] = {
    { "", { "f: the file is empty" } },
    { "{}", { "f: the version of CIFF is 0", "only version 1" } },
    { "{1=2}", { "version of CIFF is 2" } },
    { "{1=1 2=-1}", { "f: its number of posting lists is -1" } },
    { "{1=1 3=2147483648}", { "its number of documents is 2147483648" } },
    { "x3c x68 x74 x6d x6c", { "the file ends in the middle" } }, /* <html */
    { "x05 1=1", { "f: the file ends in the middle" } },
    { "xff xff xff xff xff xff xff xff xff xff", { "more than 64 bits" } },
    { "xff xff xff xff xff xff xff xff xff x01 1=1",
      { "the file ends in the middle" } }, /* a header of 2^64 - 1 bytes */
    { "{x08}", { "a number is truncated" } },
    { "{x0b}", { "field 1 is damaged" } }, /* a group */
    { "{x00 x01}", { "field 0 is damaged" } },
    { "{x42 xff xff xff xff x0f}", { "field 8 is damaged" } },
    { "{x39 x01}", { "field 7 is damaged" } },

    { HEAD(1, 3), { "f: posting list 1: it is missing", "there are 1" } },
    { HEAD(2, 3) "{1'a'}", { "posting list 2: it is missing" } },
    { HEAD(1, 3) "{}" DOCS, { "posting list 1: its term is missing" } },
    { HEAD(1, 3) "{1''}" DOCS, { "its term is missing or empty" } },
    { HEAD(1, 3) "{4{2=1}}" DOCS, { "its term is missing or empty" } },
    { HEAD(1, 3) "{1'a' 1'b'}" DOCS, { "it has two terms" } },
    { HEAD(1, 3) "{1'a' 2=1 4{2=1} 1'b'}" DOCS, { "it has two terms" } },
    { HEAD(1, 3) "{1'a\nb'}" DOCS, { "its term contains a line break" } },
    { HEAD(2, 3) "{1'a'} {1'a'}" DOCS,
      { "posting list 2: an earlier list has the same term 'a'" } },
    { HEAD(3, 3) "{1'b'} {1'a'} {1'b'}" DOCS,
      { "posting list 3: an earlier list has the same term 'b'" } },
    { HEAD(1, 3) "{1'a' 2=2 4{2=1}}" DOCS,
      { "its df is 2, but it has 1 postings" } },
    { HEAD(1, 3) "{1'a' 4{2=1}}" DOCS, { "its df is 0" } },
    { HEAD(1, 3) "{1'a' 2=-1}" DOCS, { "its df is -1" } },
    { HEAD(1, 3) "{1'a' 2=2 4{1=1 2=1} 4{2=1}}" DOCS,
      { "document 1 is in it twice" } },
    { HEAD(1, 3) "{1'a' 2=2 4{1=1 2=1} 4{1=-1 2=1}}" DOCS,
      { "posting list 1: its difference of documents is -1" } },
    { HEAD(1, 3) "{1'a' 2=1 4{1=3 2=1}}" DOCS,
      { "document 3 is out of range", "number of documents: 3" } },
    { HEAD(1, 3) "{1'a' 2=2 4{1=2147483647 2=1} 4{1=2147483647 2=1}}" DOCS,
      { "is out of range" } },
    { HEAD(1, 3) "{1'a' 2=1 4{1=1 2=-3}}" DOCS,
      { "its term frequency is -3" } },
    { HEAD(1, 3) "{1'a' 2=2 4{1=1} 4{1=1}}" DOCS,
      { "every term frequency is 0" } },
    { HEAD(1, 3) "{1'a' 2=1 x22 x04 1=1}" DOCS, { "field 4 is damaged" } },
    { HEAD(1, 3) "{1'a' 2=1 x22 x01 1=1}" DOCS, { "a number is truncated" } },
    { HEAD(1, 3) "{1'a' 2=1 x22 x03 1=1 x12}" DOCS,
      { "a number is truncated" } },

    { HEAD(0, 3) "{} {1=1}", { "f: document 2: it is missing", "are 3" } },
    { HEAD(0, 3) "{} {}", { "document 1: its record has the number 0" } },
    { HEAD(0, 3) "{1=2}", { "document 0: its record has the number 2" } },
    { HEAD(0, 3) "{} {1=-1}", { "document 1: its number is -1" } },
    { HEAD(0, 1) "{} {1=1}", { "f: bytes follow the last document" } },
    { HEAD(0, 1) "{} x00", { "f: bytes follow the last document" } },
};

static void every_inconsistency_is_an_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        put_wire("f", bad[i].text);
        check_fails("f", &ciff, COOC_EFORMAT, bad[i].words);
    }
}

static void another_encoding_is_refused(void **state)
{
    static const char *const words[3] = { "always in UTF-8" };
    struct cooc_index_options o = { .format = "ciff", .encoding = "latin1" };

    (void)state;
    put_wire("f", good[0].text);
    check_fails("f", &o, COOC_EINVAL, words);
    o.encoding = "utf-8";
    check_read("f", &o, good[0].want);
}

static void a_truncated_file_is_an_error(void **state)
{
    static const char *const none[3] = { NULL };
    char data[200];
    size_t len;

    (void)state;
    put_wire("f", good[0].text);
    len = slurp("f", data, sizeof data);
    for (size_t n = 0; n < len; n++) {
        put("f", data, n);
        check_fails("f", &ciff, COOC_EFORMAT, none);
    }
}

static void a_bad_file_can_be_left_out(void **state)
{
    static const char *const inputs[] = { "1.ciff", "2.ciff", "3.ciff" };
    struct cooc_index_options o = { .skip_bad = true };
    struct reader_stats stats;
    struct cooc_err err = { 0 };
    struct buf out = { 0 };

    (void)state;
    put_wire("1.ciff", HEAD(2, 1) "{1'x' 2=1 4{2=1}} {1'y' 2=2} {}");
    put_wire("2.ciff", HEAD(1, 2) "{1'z' 2=1 4{2=1}} {2'n'} {1=9}");
    put_wire("3.ciff", good[0].text);
    CHECK_RC(read_all(inputs, 3, &o, &out, &stats, &err), 0, &err);
    assert_int_equal(stats.bad_files, 2);
    assert_int_equal(buf_byte(&out, '\0', NULL), 0);
    assert_string_equal(out.data, "n=z/|a=tea/jam/|b=|c=tea/|");
    buf_release(&out);
}

/* However a file is changed, it is read or refused. */
static void files_that_were_tampered_with_do_no_harm(void **state)
{
    uint64_t seed = 31;
    char data[200];
    size_t len;

    (void)state;
    put_wire("f", good[9].text);
    len = slurp("f", data, sizeof data);
    for (int i = 0; i < 3000; i++) {
        static const char *const f = "f";
        struct cooc_err err = { 0 };
        struct buf out = { 0 };
        char copy[200];

        memcpy(copy, data, len);
        for (int k = 0; k <= i % 4; k++)
            copy[random_below(&seed, (uint32_t)len)] =
                (char)random_below(&seed, 256);
        put("f", copy, len);
        if (read_all(&f, 1, &ciff, &out, NULL, &err) < 0 && !*err.text)
            fail_msg("an error without a message");
        buf_release(&out);
        assert_int_equal(mem_live(), 0);
    }
}

/* ---- memory ------------------------------------------------------------- */

enum { TERMS = 120, DOCUMENTS = 300 };

struct matrix {
    bool has[TERMS][DOCUMENTS];
};

static void fill_matrix(struct matrix *m, uint64_t seed)
{
    for (int t = 0; t < TERMS; t++)
        for (int d = 0; d < DOCUMENTS; d++)
            m->has[t][d] = random_below(&seed, 8) == 0;
}

/* Write the matrix as a file, and what reading it has to give. */
static void put_matrix(const struct matrix *m, struct buf *want)
{
    struct buf text = { 0 }, part = { 0 };

    assert_int_equal(
        buf_printf(&text, NULL, "{1=1 2=%d 3=%d}", TERMS, DOCUMENTS), 0);
    for (int t = 0; t < TERMS; t++) {
        int df = 0, last = 0;

        part.len = 0;
        for (int d = 0; d < DOCUMENTS; d++)
            if (m->has[t][d]) {
                assert_int_equal(
                    buf_printf(&part, NULL, "4{1=%d 2=1}", d - last), 0);
                last = d;
                df++;
            }
        assert_int_equal(buf_printf(&text, NULL, "{1't%03d' 2=%d %.*s}", t, df,
                                    (int)part.len, part.data),
                         0);
    }
    want->len = 0;
    for (int d = 0; d < DOCUMENTS; d++) {
        assert_int_equal(buf_printf(&text, NULL, "{1=%d 2'd%d'}", d, d), 0);
        assert_int_equal(buf_printf(want, NULL, "d%d=", d), 0);
        for (int t = 0; t < TERMS; t++)
            if (m->has[t][d])
                assert_int_equal(buf_printf(want, NULL, "t%03d/", t), 0);
        assert_int_equal(buf_byte(want, '|', NULL), 0);
    }
    assert_int_equal(buf_byte(want, '\0', NULL), 0);
    put_wire("f", text.data);
    buf_release(&text);
    buf_release(&part);
}

static void documents_are_the_same_in_any_memory(void **state)
{
    static const uint64_t memory[] = { 2400, 6000, 50000, 1 << 20, 1 << 30 };
    static struct matrix m;
    struct buf want = { 0 };
    uint64_t before = UINT64_MAX;

    (void)state;
    fill_matrix(&m, 7);
    put_matrix(&m, &want);
    for (size_t i = 0; i < ARRAY_LEN(memory); i++) {
        static const char *const f = "f";
        struct cooc_index_options o = ciff;
        struct reader_stats stats;
        struct cooc_err err = { 0 };
        struct buf out = { 0 };

        o.memory = memory[i];
        o.threads = 1;
        CHECK_RC(read_all(&f, 1, &o, &out, &stats, &err), 0, &err);
        assert_int_equal(out.len, want.len - 1);
        assert_memory_equal(out.data, want.data, out.len);
        assert_true(stats.spilled <= before);
        before = stats.spilled;
        buf_release(&out);
    }
    assert_int_equal(before, 0); /* with enough memory, nothing is spilled */
    buf_release(&want);
}

static void a_large_document_is_an_error_with_its_number(void **state)
{
    static const uint64_t memory[] = { 1200, 20000 };
    static const char *const words[3] = { "f: document 1 is larger than" };
    struct buf text = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(memory); i++) {
        struct cooc_index_options o = ciff;
        int lists = (int)memory[i] / 20;

        text.len = 0;
        assert_int_equal(buf_printf(&text, NULL, "{1=1 2=%d 3=2}", lists), 0);
        for (int t = 0; t < lists; t++)
            assert_int_equal(
                buf_printf(&text, NULL, "{1't%08d' 2=1 4{1=1 2=1}}", t), 0);
        assert_int_equal(buf_printf(&text, NULL, "{} {1=1}"), 0);
        put_wire("f", text.data);
        o.memory = memory[i];
        o.threads = 1;
        check_fails("f", &o, COOC_ELIMIT, words);
    }
    buf_release(&text);
}

/* Lists of distinct terms, then another one. */
static void put_terms(bool descending, int n, const char *another)
{
    struct buf text = { 0 };

    assert_int_equal(buf_printf(&text, NULL, "{1=1 2=%d 3=1}", n + 1), 0);
    for (int t = 0; t < n; t++)
        assert_int_equal(buf_printf(&text, NULL, "{1't%06d' 2=1 4{2=1}}",
                                    descending ? n - t : t),
                         0);
    assert_int_equal(buf_printf(&text, NULL, "{1'%s' 2=1 4{2=1}} {}", another),
                     0);
    put_wire("f", text.data);
    buf_release(&text);
}

static void terms_in_byte_order_need_no_memory(void **state)
{
    static const char *const again[3] = { "the same term 't003999'" };
    static const char *const many[3] = { "not in byte order", "more memory" };
    static const char *const found[3] = { "the same term 't000007'" };
    struct cooc_index_options o = ciff;
    struct cooc_err err = { 0 };
    struct buf out = { 0 };
    static const char *const f = "f";

    (void)state;
    o.memory = 1 << 20;
    o.threads = 1;
    put_terms(false, 4000, "u");
    CHECK_RC(read_all(&f, 1, &o, &out, NULL, &err), 0, &err);
    put_terms(false, 4000, "t003999");
    check_fails("f", &o, COOC_EFORMAT, again);
    put_terms(false, 4000, "a");
    check_fails("f", &o, COOC_EFORMAT, many);
    put_terms(true, 4000, "a");
    check_fails("f", &o, COOC_EFORMAT, many);
    o.memory = 64 << 20;
    CHECK_RC(read_all(&f, 1, &o, &out, NULL, &err), 0, &err);
    put_terms(true, 4000, "t000007");
    check_fails("f", &o, COOC_EFORMAT, found);
    buf_release(&out);
}

static int refuse(void *self, const struct cooc_progress *p)
{
    (void)self;
    return p->done > 0;
}

static void reading_can_be_cancelled(void **state)
{
    static const char *const f = "f";
    const struct cooc_watch hook = { .size = sizeof hook, .progress = refuse };
    struct cooc_err err = { 0 };
    struct document d;
    struct reader *r;
    struct watch w;

    (void)state;
    put_terms(false, 30000, "u");
    CHECK_RC(watch_init(&w, &hook, &err), 0, &err);
    watch_phase(&w, "reading", "bytes", 0);
    w.last = -1; /* ask at once */
    CHECK_RC(reader_open(&r, &f, 1, &ciff, &w, &err), 0, &err);
    CHECK_RC(reader_next(r, &d, &err), COOC_ECANCELLED, &err);
    reader_close(r);
    watch_release(&w);
}

static void running_out_of_memory_is_clean(void **state)
{
    static const uint64_t memory[] = { 2000, 1 << 24 };
    static const char *const f = "f";
    bool failed = true;

    (void)state;
    put_terms(true, 20, "a");
    for (size_t i = 0; i < ARRAY_LEN(memory); i++, failed = true)
        for (long at = 1; failed; at++) {
            struct cooc_index_options o = ciff;
            struct cooc_err err = { 0 };
            struct buf out = { 0 };
            int rc;

            o.memory = memory[i];
            o.threads = 1;
            mem_fail_at(at);
            rc = read_all(&f, 1, &o, &out, NULL, &err);
            failed = mem_failed();
            mem_fail_at(0);
            if (rc != (failed ? COOC_ENOMEM : i ? 0 : COOC_EFORMAT))
                fail_msg("allocation %ld: returned %d, %s", at, rc, err.text);
            buf_release(&out);
            assert_int_equal(mem_live(), 0);
        }
}

int main(void)
{
#define RUN(f) cmocka_unit_test_setup_teardown(f, enter, leave)
    const struct CMUnitTest tests[] = {
        RUN(valid_files_yield_their_documents),
        RUN(the_name_of_a_file_shows_the_format),
        RUN(every_inconsistency_is_an_error),
        RUN(another_encoding_is_refused),
        RUN(a_truncated_file_is_an_error),
        RUN(a_bad_file_can_be_left_out),
        RUN(files_that_were_tampered_with_do_no_harm),
        RUN(documents_are_the_same_in_any_memory),
        RUN(a_large_document_is_an_error_with_its_number),
        RUN(terms_in_byte_order_need_no_memory),
        RUN(reading_can_be_cancelled),
        RUN(running_out_of_memory_is_clean),
    };

    choose_tmpdir();
    return cmocka_run_group_tests_name("ciff", tests, NULL, NULL);
}
