/* test_err.c - errors name their code, the file and the option concerned. */
#include "tools.h"

#include <errno.h>

#include "base/err.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "cooc_export.h"

static char *dir, *input, *store, *plain, *none, *list;

static int setup(void **state)
{
    const char *inputs[1];
    struct cooc_err err = { 0 };

    (void)state;
    dir = fresh_dir();
    input = write_text(dir, "docs.txt", "a b c\nb c d\n");
    list = write_text(dir, "list.txt", "no tab here\n");
    store = in_dir(dir, "s.cooc");
    plain = in_dir(dir, "i.cooc");
    none = in_dir(dir, "none");
    inputs[0] = input;
    CHECK_RC(cooc_index(inputs, 1, store, NULL, NULL, &err), 0, &err);
    CHECK_RC(cooc_index(inputs, 1, plain, NULL, NULL, &err), 0, &err);
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    drop_dir(dir);
    free(input);
    free(list);
    free(store);
    free(plain);
    free(none);
    return 0;
}

/* What a message must have; path NULL: none. */
static void check(const struct cooc_err *err, int code, const char *path,
                  const char *option)
{
    if (err->code != code || strcmp(err->path, path ? path : "") != 0 ||
        strcmp(err->option, option) != 0)
        fail_msg("%d, path '%s', option '%s': %s", err->code, err->path,
                 err->option, err->text);
    if (!*err->text || strstr(err->text, "--") || strstr(err->text, "cooc_"))
        fail_msg("not a sentence of the library: %s", err->text);
    if (path && strncmp(err->text, path, strlen(path)) != 0)
        fail_msg("does not begin with its path: %s", err->text);
}

static void index_errors_name_path_and_option(void **state)
{
    const struct {
        const char *input;
        struct cooc_index_options o;
        int code;
        const char *path, *option;
    } cases[] = {
        { input, { 0 }, COOC_EEXISTS, store, "replace" },
        { none, { .replace = true }, COOC_ENOTFOUND, none, "" },
        { plain, { .replace = true }, COOC_EINVAL, plain, "" },
        { input, { .memory = 1 }, COOC_EINVAL, NULL, "memory" },
        { input, { .threads = 5000 }, COOC_EINVAL, NULL, "threads" },
        { input, { .min_length = 5, .max_length = 4 }, COOC_EINVAL, NULL,
          "min_length" },
        { input, { .max_df_share = 2 }, COOC_EINVAL, NULL, "max_df_share" },
        { input, { .tokens = "x" }, COOC_EINVAL, NULL, "tokens" },
        { input, { .stem = "x" }, COOC_EINVAL, NULL, "stem" },
        { input, { .format = "x" }, COOC_EINVAL, NULL, "format" },
        { input, { .encoding = "x", .replace = true }, COOC_EINVAL, NULL,
          "encoding" },
        { input, { .stop_file = none, .replace = true }, COOC_ENOTFOUND, none,
          "" },
        { input, { .thesaurus_file = list, .replace = true }, COOC_EINVAL,
          list, "" },
        { input, { .format = "jsonl", .replace = true }, COOC_EFORMAT, input,
          "skip_bad" },
        { input, { .format = "jsonl", .text_fields = ",", .replace = true },
          COOC_EINVAL, NULL, "text_fields" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *const inputs[] = { cases[i].input };
        struct cooc_index_options o = cases[i].o;
        struct cooc_err err = { 0 };

        o.size = sizeof o;
        assert_int_equal(cooc_index(inputs, 1, store, &o, NULL, &err),
                         cases[i].code);
        check(&err, cases[i].code, cases[i].path, cases[i].option);
    }
}

static void count_errors_name_path_and_option(void **state)
{
    const struct {
        const char *store;
        struct cooc_count_options o;
        int code;
        const char *path, *option;
    } cases[] = {
        { store, { 0 }, COOC_EEXISTS, store, "recount" },
        { none, { 0 }, COOC_ENOTFOUND, none, "" },
        { input, { 0 }, COOC_EFORMAT, input, "" },
        { dir, { 0 }, COOC_EFORMAT, dir, "" },
        { plain, { .memory = 1 }, COOC_EINVAL, NULL, "memory" },
        { plain, { .method = "x" }, COOC_EINVAL, NULL, "method" },
        { plain, { .rows = COOC_ROWS_FULL, .compact_df = 2 }, COOC_EINVAL,
          NULL, "compact_df" },
        { plain, { .rows = 9 }, COOC_EINVAL, NULL, "rows" },
        { plain, { .tmpdir = none }, COOC_ENOTFOUND, none, "tmpdir" },
        { plain, { .tmpdir = store }, COOC_EINVAL, store, "tmpdir" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_count_options o = cases[i].o;
        struct cooc_err err = { 0 };

        o.size = sizeof o;
        assert_int_equal(cooc_count(cases[i].store, &o, NULL, &err),
                         cases[i].code);
        check(&err, cases[i].code, cases[i].path, cases[i].option);
    }
}

static void merge_and_export_errors_name_path_and_option(void **state)
{
    const char *const twice[] = { store, store }, *const one[] = { store };
    const char *const mixed[] = { store, plain };
    struct cooc_merge_options rows = COOC_MERGE_OPTIONS;
    struct cooc_export_options wrong = COOC_EXPORT_OPTIONS;
    struct cooc_err err = { 0 };
    struct cooc *db;

    (void)state;
    cooc_merge(one, 1, plain, NULL, NULL, &err);
    check(&err, COOC_EEXISTS, plain, "replace");
    cooc_merge(one, 1, store, NULL, NULL, &err);
    check(&err, COOC_EINVAL, store, "");
    cooc_merge(twice, 2, none, NULL, NULL, &err);
    check(&err, COOC_EINVAL, store, "");
    rows.from = COOC_MERGE_ROWS;
    cooc_merge(mixed, 2, none, &rows, NULL, &err);
    check(&err, COOC_EINVAL, plain, "from");
    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    wrong.format = "x";
    cooc_export(db, none, &wrong, NULL, &err);
    check(&err, COOC_EINVAL, NULL, "format");
    wrong.format = NULL;
    wrong.memory = 1;
    cooc_export(db, none, &wrong, NULL, &err);
    check(&err, COOC_EINVAL, NULL, "memory");
    cooc_export(db, store, NULL, NULL, &err);
    check(&err, COOC_EEXISTS, store, "");
    cooc_close(db);
    cooc_dump(store, NULL, NULL, NULL, NULL, &err);
    check(&err, COOC_EFORMAT, store, "");
}

static void a_text_shows_the_end_of_a_long_path(void **state)
{
    struct cooc_err err = { 0 };
    char path[400];

    (void)state;
    memset(path, 'x', sizeof path - 1);
    memcpy(path, "begin", 5);
    memcpy(path + sizeof path - 4, "end", 4);
    assert_int_equal(err_line(&err, COOC_EIO, path, 7, "is %s", "wrong"),
                     COOC_EIO);
    assert_string_equal(err.path, path);
    assert_non_null(strstr(err.text, "end:7: is wrong"));
    assert_null(strstr(err.text, "begin"));
    errno = ENOSPC;
    assert_int_equal(err_sys(&err, "cannot write", "a"), COOC_EFULL);
    check(&err, COOC_EFULL, "a", "");
    assert_int_equal(err.sys_errno, ENOSPC);
    assert_int_equal(err_path_option(NULL, COOC_EIO, "a", "b", "c"),
                     COOC_EIO); /* without anyone to read it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_errors_name_path_and_option),
        cmocka_unit_test(count_errors_name_path_and_option),
        cmocka_unit_test(merge_and_export_errors_name_path_and_option),
        cmocka_unit_test(a_text_shows_the_end_of_a_long_path),
    };

    return cmocka_run_group_tests_name("err", tests, setup, teardown);
}
