/* test_packed.c - which files are opened as archives, and which are text. */
#include "read_help.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "cooc_build.h"
#include "read/magic.h"
#include "read/stream.h"

static const int filters[] = {
    ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_BZIP2,
    ARCHIVE_FILTER_XZ,   ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_LZ4,
};

/* Write the entries in order; a name with '>' is a hard link. */
static void pack_links(const char *name, int filter,
                       const char *const (*entries)[2])
{
    struct archive *a = archive_write_new();
    struct archive_entry *e = archive_entry_new();

    archive_write_add_filter(a, filter);
    archive_write_set_format(a, ARCHIVE_FORMAT_TAR_GNUTAR);
    assert_int_equal(archive_write_open_filename(a, name), ARCHIVE_OK);
    for (; (*entries)[0]; entries++) {
        char path[100], *to;
        const char *text = (*entries)[1];

        strcpy(path, (*entries)[0]);
        to = strchr(path, '>');
        if (to)
            *to++ = '\0';
        archive_entry_clear(e);
        archive_entry_set_pathname(e, path);
        archive_entry_set_filetype(e, AE_IFREG);
        archive_entry_set_perm(e, 0644);
        archive_entry_set_size(e, text ? (la_int64_t)strlen(text) : 0);
        if (to)
            archive_entry_set_hardlink(e, to);
        assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
        if (text)
            archive_write_data(a, text, strlen(text));
    }
    archive_entry_free(e);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
}

/* ---- text --------------------------------------------------------------- */

#define TEN "0000000000"
/* Texts that look like the header of a cpio archive, of mtree, ar, shar, ... */
static const char *const texts[] = {
    "070701 is a number", "070707 is another", "070702",
    "070707" "000000" "000001" "100644" "000000" "000000" "000001" "000000"
    "00000000000" "000005" "00000000005" "name" "tea",
    "070701" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "0000 tea",
    "#mtree\n/set type=file\nfile size=3\n", "PK is a word", "PK", "PK00PK",
    "PK00 is the number of a passport", "PK\xc3\xa9", "BZh9 is a nice word",
    "BZh", "BZh9", "BZh91AY&SY", "BZh91AY&SY is how bzip2 begins, they say",
    "7z", "7z\xc2\xbc\xc2\xaf'", "!<arch>\ntea", "Rar!", "Rar! tea", "xar!",
    "MSCF", "-lh5- tea", "LRZI", "LZIP", "]", "begin 644 tea\n", "%PDF",
    "{\\rt", "MZ", "CD001", "ustar", "07070", "\x1f", "\x04\x22", "(", "x",
    "", " ",
};

static void text_is_never_mistaken_for_an_archive(void **state)
{
    struct cooc_index_options o = { .format = "files" };

    (void)state;
    assert_int_equal(mkdir("d", 0755), 0);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (size_t f = 0; f < ARRAY_LEN(filters); f++) {
            size_t len = strlen(texts[i]);
            char want[400], *p;

            if (len == 0 && filters[f] == ARCHIVE_FILTER_LZ4)
                continue; /* libarchive cannot write empty lz4 */
            pack("d/p", filters[f], ARCHIVE_FORMAT_RAW, NULL, texts[i], len);
            snprintf(want, sizeof want, "d/p=%s|", texts[i]);
            for (p = want; *p; p++)
                if (*p == '\n')
                    *p = '/';
            check_read("d", &o, want);
        }
}

/* "ustar" at the offset of a tar archive, but without a NUL after it. */
static void the_word_ustar_in_a_text_is_text(void **state)
{
    struct cooc_index_options o = { .format = "files" };
    char text[700], want[800];

    (void)state;
    memset(text, 'x', sizeof text);
    memcpy(text + 257, "ustar 00", 8);
    put("p", text, sizeof text);
    snprintf(want, sizeof want, "p=%.*s|", (int)sizeof text, text);
    check_read("p", &o, want);
    memcpy(text + 257, "ustar  x", 8);
    put("p", text, sizeof text);
    snprintf(want, sizeof want, "p=%.*s|", (int)sizeof text, text);
    check_read("p", &o, want);
}

/* Numbers separated by blanks could be the fields of an old tar header. */
static void a_table_of_octal_numbers_is_text(void **state)
{
    char text[512 + 1];

    (void)state;
    memset(text, ' ', 512);
    for (size_t i = 0; i < 512; i += 4)
        text[i] = '7';
    assert_int_equal(magic_detect(text, 512), MAGIC_NONE);
}

/* ---- archives ----------------------------------------------------------- */

/* Turn a tar header into one of the oldest kind, without a magic number. */
static void make_old(char *header)
{
    unsigned sum = 0;

    memset(header + 257, 0, 512 - 257);
    memset(header + 148, ' ', 8);
    for (size_t i = 0; i < 512; i++)
        sum += (unsigned char)header[i];
    snprintf(header + 148, 8, "%06o", sum);
}

static void a_damaged_header_is_an_error_instead_of_text(void **state)
{
    static const char *const entries[] = { "tea.txt", NULL };
    static const char *const words[3] = { "p", "header", "damaged" };
    static const int kinds[] = { ARCHIVE_FORMAT_TAR_USTAR,
                                 ARCHIVE_FORMAT_TAR_GNUTAR,
                                 ARCHIVE_FORMAT_TAR_USTAR /* old tar */ };
    static char bytes[20000];
    size_t n;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        pack("p", ARCHIVE_FILTER_NONE, kinds[i], entries, TEXT("milk"));
        n = slurp("p", bytes, sizeof bytes);
        if (i == 2)
            make_old(bytes);
        put("p", bytes, n);
        check_read("p", NULL, "p/tea.txt=milk|");
        bytes[0] ^= 1; /* the checksum is wrong now */
        put("p", bytes, n);
        check_fails("p", NULL, COOC_EFORMAT, words);
        for (size_t f = 1; f < ARRAY_LEN(filters); f++) {
            pack("p", filters[f], ARCHIVE_FORMAT_RAW, NULL, bytes, n);
            check_fails("p", NULL, COOC_EFORMAT, words);
        }
    }
}

static void damage_to_any_byte_of_a_header_is_safe(void **state)
{
    static const char *const none[3] = { 0 };
    static char bytes[1000];
    size_t n;

    (void)state;
    for (size_t f = 1; f < ARRAY_LEN(filters); f++) {
        pack("p", filters[f], ARCHIVE_FORMAT_RAW, NULL,
             TEXT("milk and tea and milk"));
        n = slurp("p", bytes, sizeof bytes);
        for (size_t i = 0; i < n; i++) {
            enum magic before = magic_detect(bytes, n);

            bytes[i] ^= 0x55;
            put("p", bytes, n);
            if (magic_detect(bytes, n) == before) {
                struct cooc_err err = { 0 };
                struct buf out = { 0 };
                const char *input = "p";
                int rc = read_all(&input, 1, NULL, &out, NULL, &err);

                /* libarchive writes zst without a checksum */
                if (filters[f] != ARCHIVE_FILTER_ZSTD && rc == 0 &&
                    (out.len != strlen("p:1=milk and tea and milk|")
                                || !strstr(out.data, "milk and tea and milk")))
                    fail_msg("filter %zu, byte %zu: the text differs", f, i);
                buf_release(&out);
            }
            bytes[i] ^= 0x55;
        }
    }
    put("p", TEXT("\x04\x22\x4d\x18 tea"));
    check_fails("p", NULL, COOC_EFORMAT, none);
    put("p", TEXT("PK\3\4 tea"));
    check_fails("p", NULL, COOC_EFORMAT, none);
}

static void a_file_compressed_twice_is_decompressed_twice(void **state)
{
    static const char *const too_deep[3] = { "p", "4 layers of compression" };
    static char bytes[2000];
    struct cooc_index_options o = { .format = "files" };
    size_t n;

    (void)state;
    for (size_t f = 1; f < ARRAY_LEN(filters); f++)
        for (size_t g = 1; g < ARRAY_LEN(filters); g++) {
            pack("p", filters[f], ARCHIVE_FORMAT_RAW, NULL, TEXT("tea"));
            n = slurp("p", bytes, sizeof bytes);
            pack("p", filters[g], ARCHIVE_FORMAT_RAW, NULL, bytes, n);
            check_read("p", &o, "p=tea|");
        }
    for (int i = 0; i < 5; i++) {
        n = slurp("p", bytes, sizeof bytes);
        pack("p", ARCHIVE_FILTER_GZIP, ARCHIVE_FORMAT_RAW, NULL, bytes, n);
    }
    check_fails("p", &o, COOC_ELIMIT, too_deep);
}

static void concatenated_archives_are_all_read(void **state)
{
    static const char *const a[] = { "a", NULL }, *const b[] = { "b", NULL };
    static char bytes[40000];
    size_t n, m;

    (void)state;
    pack("p", ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_TAR_USTAR, a, TEXT("tea"));
    n = slurp("p", bytes, sizeof bytes);
    pack("p", ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_TAR_USTAR, b, TEXT("milk"));
    m = slurp("p", bytes + n, sizeof bytes - n);
    put("p", bytes, n + m);
    check_read("p", NULL, "p/a=tea|p/b=milk|");
}

static void an_empty_archive_has_no_documents(void **state)
{
    static const char *const none[] = { NULL };
    static const char *const lost[3] = { "p", "NUL bytes" };
    static char zeros[10240];

    (void)state;
    put("p", zeros, sizeof zeros);
    check_read("p", NULL, "");
    pack("p", ARCHIVE_FILTER_NONE, ARCHIVE_FORMAT_ZIP, none, TEXT(""));
    check_read("p", NULL, "");
    zeros[9000] = 'x';
    put("p", zeros, sizeof zeros);
    check_fails("p", NULL, COOC_EFORMAT, lost);
    zeros[9000] = 0;
}

/* ---- hard links --------------------------------------------------------- */

static void a_hard_link_is_a_document_with_its_target_as_content(void **state)
{
    static const char *const plain[][2] = {
        { "d/a", "tea" }, { "d/b", "milk" }, { "d/c>d/a", NULL },
        { "d/d>d/b", NULL }, { "d/e>d/a", NULL }, { "d/f", "rum" }, { 0 },
    };
    static const char *const odd[][2] = {
        { "a", "old" }, { "l>a", NULL }, { "a", "new" }, { "m>a", NULL },
        { "chain>l", NULL }, { ".hidden>a", NULL }, { "seen>.hidden", NULL },
        { "early>late", NULL }, { "late", "x" }, { "self>self", NULL },
        { "gone>nowhere", NULL }, { 0 },
    };
    struct cooc_err err = { 0 };
    struct reader_stats stats;
    struct buf out = { 0 };
    const char *input = "p";

    (void)state;
    for (size_t f = 0; f < ARRAY_LEN(filters); f++) {
        pack_links("p", filters[f], plain);
        check_read("p", NULL, "p/d/a=tea|p/d/b=milk|p/d/f=rum|p/d/c=tea|"
                              "p/d/d=milk|p/d/e=tea|");
    }
    pack_links("p", ARCHIVE_FILTER_GZIP, odd);
    CHECK_RC(read_all(&input, 1, NULL, &out, &stats, &err), 0, &err);
    CHECK_RC(buf_text(&out, &err), 0, &err);
    assert_string_equal(out.data, "p/a=old|p/a=new|p/late=x|p/l=old|"
                                  "p/m=new|p/chain=old|p/seen=new|");
    /* .hidden, and three links to entries that do not precede them */
    assert_int_equal(stats.skipped, 4);
    buf_release(&out);
}

static void hard_links_out_of_memory_fail_cleanly(void **state)
{
    static const char *const entries[][2] = {
        { "a", "tea" }, { "b>a", NULL }, { "c>a", NULL }, { 0 },
    };
    const char *input = "p";
    bool failed = true;

    (void)state;
    pack_links("p", ARCHIVE_FILTER_BZIP2, entries);
    for (long n = 1; failed; n++) {
        struct cooc_err err = { 0 };
        struct buf out = { 0 };
        int rc;

        mem_fail_at(n);
        rc = read_all(&input, 1, NULL, &out, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        buf_release(&out);
        assert_int_equal(mem_live(), 0);
    }
}

/* ---- no output on standard error --------------------------------------- */

static void damaged_archives_print_nothing(void **state)
{
    static const char *const entries[] = { "a", "b/c", "b/", NULL };
    static const int kinds[] = { ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE,
                                 ARCHIVE_FORMAT_TAR_GNUTAR,
                                 ARCHIVE_FORMAT_ZIP };
    static char good[60000], bad[60000];
    int kept = dup(STDERR_FILENO);
    int said = open("said", O_CREAT | O_RDWR, 0600);
    const char *input = "p";
    struct stat st;
    uint32_t x = 1;

    (void)state;
    assert_true(kept >= 0 && said >= 0 && dup2(said, STDERR_FILENO) >= 0);
    for (size_t i = 0; i < ARRAY_LEN(kinds) * ARRAY_LEN(filters); i++) {
        size_t n;

        pack("p", filters[i % ARRAY_LEN(filters)],
             kinds[i / ARRAY_LEN(filters)], entries, TEXT("tea and milk"));
        n = slurp("p", good, sizeof good);
        for (int round = 0; round < 60; round++) {
            struct cooc_err err = { 0 };
            struct buf out = { 0 };

            memcpy(bad, good, n);
            for (int k = 0; k < 1 + round % 4; k++) {
                x = x * 1664525 + 1013904223;
                bad[(x >> 8) % (round < 30 && n > 512 ? 512 : n)] = (char)x;
            }
            put("p", bad, round % 5 ? n : n / 2);
            read_all(&input, 1, NULL, &out, NULL, &err);
            buf_release(&out);
        }
    }
    dup2(kept, STDERR_FILENO);
    assert_int_equal(fstat(said, &st), 0);
    assert_int_equal(st.st_size, 0);
    close(kept);
    close(said);
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(text_is_never_mistaken_for_an_archive),
        RUN(the_word_ustar_in_a_text_is_text),
        RUN(a_table_of_octal_numbers_is_text),
        RUN(a_damaged_header_is_an_error_instead_of_text),
        RUN(damage_to_any_byte_of_a_header_is_safe),
        RUN(a_file_compressed_twice_is_decompressed_twice),
        RUN(concatenated_archives_are_all_read),
        RUN(an_empty_archive_has_no_documents),
        RUN(a_hard_link_is_a_document_with_its_target_as_content),
        RUN(hard_links_out_of_memory_fail_cleanly),
        RUN(damaged_archives_print_nothing),
    };

    return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}
