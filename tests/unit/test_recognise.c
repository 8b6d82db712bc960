/* test_recognise.c - stores are recognised by their contents alone. */
#include "own_dir.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/recognise.h"
#include "index/collection.h"
#include "jobs/input_fingerprint.h"
#include "read/read.h"
#include "read/walk.h"
#include "store/manifest.h"

static const char lines[] = "a b c\na b\n";

static void every_file_of_a_store_has_a_recognised_name(void **state)
{
    static const struct {
        const char *name;
        enum store_name is;
    } cases[] = {
        { MANIFEST_NAME, NAME_FILE },
        { INPUT_FINGERPRINT_NAME, NAME_FILE },
        { "rows-0000.bin", NAME_FILE },
        { "rows-12345.bin", NAME_FILE },
        { "omitted-0000.bin", NAME_FILE },
        { "omitted-16384.bin", NAME_FILE },
        { "counting.parts", NAME_FILE },
        { "." MANIFEST_NAME ".tmp", NAME_HIDDEN },
        { "." INPUT_FINGERPRINT_NAME ".tmp", NAME_HIDDEN },
        { ".rows-0001.bin.tmp", NAME_HIDDEN },
        { ".rows-0001.bin.tmp-00ff00ff00ff00ff", NAME_HIDDEN },
        { ".omitted-0001.bin.tmp-00ff00ff00ff00ff", NAME_HIDDEN },
        { ".counting.parts.tmp-00ff00ff00ff00ff", NAME_HIDDEN },
        { ".tmp-part-host-12-00ff00ff00ff00ff", NAME_HIDDEN },
        { ".tmp-count-host-12-00ff00ff00ff00ff", NAME_HIDDEN },
        { ".tmp-thesaurus.txt", NAME_HIDDEN },
        { ".tmp-thesaurus.txt.tmp", NAME_HIDDEN },
        { "rows-0001.bin.tmp", NAME_LEFTOVER },
        { "tmp-a1B2c3", NAME_LEFTOVER },
        { "rows-.bin", NAME_FOREIGN },
        { "omitted-.bin", NAME_FOREIGN },
        { "omitted-1", NAME_FOREIGN },
        { "omitted-words.bin", NAME_FOREIGN },
        { "rows-0001.bin.tmp-00ff00ff00ff00ff", NAME_FOREIGN },
        { ".rows-x.bin.tmp-00ff00ff00ff00ff", NAME_FOREIGN },
        { ".diary.tmp-00ff00ff00ff00ff", NAME_FOREIGN },
        { "counting.part", NAME_FOREIGN },
        { ".counting.parts", NAME_FOREIGN },
        { "rows-1.binary", NAME_FOREIGN },
        { "rows-by-hand.bin", NAME_FOREIGN },
        { ".terms.bin", NAME_FOREIGN },
        { "terms.bin.tmp.tmp", NAME_FOREIGN },
        { ".tmp", NAME_FOREIGN },
        { "", NAME_FOREIGN },
        { ".", NAME_FOREIGN },
        { "..", NAME_FOREIGN },
        { "diary.txt", NAME_FOREIGN },
    };
    char own[64];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (recognise_name(cases[i].name) != cases[i].is)
            fail_msg("'%s'", cases[i].name);
    for (int f = 0; f < COLLECTION_FILES; f++) {
        assert_int_equal(recognise_name(collection_file_name(f)), NAME_FILE);
        snprintf(own, sizeof own, ".%s.tmp", collection_file_name(f));
        assert_int_equal(recognise_name(own), NAME_HIDDEN);
        assert_int_equal(recognise_name(own + 1), NAME_LEFTOVER);
    }
}

static void a_manifest_is_recognised_by_its_first_member(void **state)
{
    static const struct {
        const char *text;
        bool is;
    } cases[] = {
        { "{\n  \"format\": \"" STORE_FORMAT "\",", true },
        { "{\"format\":\"cooc store\"}", true },
        { "{ \"format\" : \"cooc store\"", true },
        { "{\"format\": \"cooc stores\"}", false },
        { "{\"format\": \"cooc store", false },
        { "{\"name\": \"app\", \"format\": \"cooc store\"}", false },
        { "{\"format\"", false },
        { "{", false },
        { "", false },
        { "\"format\": \"cooc store\"", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (size_t len = 0; len <= strlen(cases[i].text); len++) {
            bool is = recognise_manifest(cases[i].text, len);

            if (is && !cases[i].is)
                fail_msg("'%.*s'", (int)len, cases[i].text);
            if (len == strlen(cases[i].text) && is != cases[i].is)
                fail_msg("'%s'", cases[i].text);
        }
}

/* A new directory with a copy of one file of the store. */
static char *with_file(const char *store, const char *file, const char *name)
{
    char *to = in_dir(dir, name), *from = in_dir(store, file), *path;
    size_t len;
    char *data = read_bytes(from, &len);

    mkdir(to, 0777);
    path = in_dir(to, file);
    write_bytes(path, data, len);
    free(data);
    free(path);
    free(from);
    return to;
}

static void one_finished_file_identifies_an_unfinished_store(void **state)
{
    char *store = make_store(dir, "s", lines, true), *rows;

    (void)state;
    assert_true(recognise_store(store));
    for (int f = 0; f < FILE_FORMS; f++) {
        char name[16], *one, *path;

        snprintf(name, sizeof name, "one%d", f);
        one = with_file(store, collection_file_name(f), name);
        path = in_dir(one, collection_file_name(f));
        assert_true(recognise_store(one));
        assert_true(recognise_file(path));
        free(write_text(one, ".hidden", "x"));
        assert_true(recognise_store(one));
        free(write_text(one, "diary.txt", "x"));
        assert_false(recognise_store(one));
        free(path);
        free(one);
    }
    rows = in_dir(dir, "note");
    mkdir(rows, 0777);
    free(write_text(rows, INPUT_FINGERPRINT_NAME,
                    "{\n  \"counting\": \"cooc 0.1"));
    assert_true(recognise_store(rows));
    free(rows);
    rows = with_file(store, "rows-0000.bin", "rows");
    assert_true(recognise_store(rows));
    free(rows);
    free(store);
}

static void any_folder_with_a_manifest_is_a_store(void **state)
{
    char *store = make_store(dir, "s", lines, false);
    char *one = with_file(store, MANIFEST_NAME, "only");

    (void)state;
    free(write_text(one, "diary.txt", "x"));
    assert_true(recognise_store(one));
    free(write_text(one, MANIFEST_NAME, "{\"name\": \"app\"}"));
    assert_false(recognise_store(one));
    free(one);
    free(store);
}

static void temporary_names_are_recognised(void **state)
{
    static const char *const files[] = { MANIFEST_NAME, INPUT_FINGERPRINT_NAME,
                                         "rows-0000.bin", "terms.bin",
                                         ".tmp-stop.txt" };
    struct cooc_err err = { 0 };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct buf tmp = { 0 };

        CHECK_RC(path_temporary(&tmp, files[i], &err), 0, &err);
        assert_int_equal(recognise_name(tmp.data), NAME_HIDDEN);
        buf_release(&tmp);
    }
}

/* A new directory with one file. */
static char *with_text(const char *name, const char *file, const char *text)
{
    char *to = in_dir(dir, name);

    assert_int_equal(mkdir(to, 0777), 0);
    free(write_text(to, file, text));
    return to;
}

static void only_temporary_files_are_recognised_by_name_alone(void **state)
{
    static const struct {
        const char *dir, *file;
        bool is;
    } cases[] = {
        { "a", "stop.txt", false },
        { "b.part", "stop.txt", false },
        { "c", "terms.bin.tmp", false },
        { "d.part", "terms.bin.tmp", true },
        { "e.part", "tmp-stop.txt", true },
        { "f", ".terms.bin.tmp", true },
        { "g.cooc", "diary.txt", false },
        { "h.cooc.part", "diary.txt", false },
        { "i", ".profile", false },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char *one = with_text(cases[i].dir, cases[i].file, "text"), *slash;

        if (recognise_store(one) != cases[i].is)
            fail_msg("%s/%s", cases[i].dir, cases[i].file);
        slash = in_dir(one, "/");
        assert_int_equal(recognise_store(slash), cases[i].is);
        free(slash);
        free(one);
    }
    assert_false(recognise_store("/nowhere"));
    assert_false(recognise_file("/nowhere/terms.bin"));
}

static void pipes_and_links_are_neither_read_nor_followed(void **state)
{
    char *store = make_store(dir, "s", lines, false);
    char *one = in_dir(dir, "special"), *from, *to;

    (void)state;
    mkdir(one, 0777);
    to = in_dir(one, MANIFEST_NAME);
    assert_int_equal(mkfifo(to, 0666), 0);
    assert_false(recognise_store(one));
    assert_false(recognise_file(to));
    assert_int_equal(unlink(to), 0);
    from = in_dir(store, MANIFEST_NAME);
    assert_int_equal(symlink(from, to), 0);
    assert_false(recognise_store(one));
    assert_int_equal(unlink(to), 0);
    assert_int_equal(mkdir(to, 0777), 0);
    assert_false(recognise_store(one));
    free(from);
    free(to);
    to = in_dir(dir, "way in");
    assert_int_equal(symlink(store, to), 0);
    assert_true(recognise_store(to)); /* a link to a store is a store */
    free(to);
    free(one);
    free(store);
}

static void a_walk_skips_stores_and_counts_them(void **state)
{
    char *top = in_dir(dir, "top"), *store, *doc, *part;
    struct reader_stats stats = { 0 };
    struct cooc_err err = { 0 };
    const char *path;
    struct walk *w;

    (void)state;
    mkdir(top, 0777);
    doc = write_text(top, "m.txt", "a");
    store = make_store(top, "a store", lines, true);
    free(write_text(store, ".rows-0001.bin.tmp", "half"));
    part = in_dir(top, "z.part");
    mkdir(part, 0777);
    free(write_text(part, ".terms.bin.tmp", "half"));
    CHECK_RC(walk_open(&w, top, &stats, NULL, &err), 0, &err);
    CHECK_RC(walk_next(w, &path, &err), 1, &err);
    assert_string_equal(path, doc);
    CHECK_RC(walk_next(w, &path, &err), 0, &err);
    walk_close(w);
    assert_int_equal(stats.stores, 1);
    assert_int_equal(stats.skipped, 1); /* in the .part directory */
    free(part);
    free(store);
    free(doc);
    free(top);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_of_a_store_has_a_recognised_name),
        cmocka_unit_test(a_manifest_is_recognised_by_its_first_member),
        cmocka_unit_test(one_finished_file_identifies_an_unfinished_store),
        cmocka_unit_test(any_folder_with_a_manifest_is_a_store),
        cmocka_unit_test(temporary_names_are_recognised),
        cmocka_unit_test(only_temporary_files_are_recognised_by_name_alone),
        cmocka_unit_test(pipes_and_links_are_neither_read_nor_followed),
        cmocka_unit_test(a_walk_skips_stores_and_counts_them),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
