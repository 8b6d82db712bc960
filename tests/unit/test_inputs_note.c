/* test_inputs_note.c - cooc_inputs_*(): the note of what a store was made
 * from. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cooc_parts.h"
#include "harness.h"

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static struct cooc_inputs identify(const char *path,
                                   const struct cooc_index_options *o)
{
    struct cooc_inputs id = COOC_INPUTS;
    struct cooc_err err = { 0 };

    CHECK_RC(cooc_inputs_identify(&path, 1, o, &id, &err), 0, &err);
    return id;
}

static bool noted(const char *store, const struct cooc_inputs *id)
{
    struct cooc_err err = { 0 };
    bool same = true;

    CHECK_RC(cooc_inputs_noted(store, id, &same, &err), 0, &err);
    return same;
}

static void a_store_has_the_note_of_its_inputs(void **state)
{
    char *dir = fresh_dir(), docs[300], store[300];
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_inputs before, after, other, none = COOC_INPUTS;
    struct cooc_err err = { 0 };
    const char *inputs[] = { docs };

    (void)state;
    snprintf(docs, sizeof docs, "%s/d.txt", dir);
    snprintf(store, sizeof store, "%s/d.cooc", dir);
    write_text(docs, "a b\nb c\n");
    before = identify(docs, NULL);
    assert_true(*before.text);
    assert_false(noted(store, &before)); /* there is no store */
    CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), 0, &err);
    assert_false(noted(store, &before));
    CHECK_RC(cooc_inputs_note(store, &none, &err), 0, &err);
    assert_false(noted(store, &none)); /* an empty note is in no store */
    CHECK_RC(cooc_inputs_note(store, &before, &err), 0, &err);
    assert_true(noted(store, &before));

    o.min_df = 2;
    other = identify(docs, &o);
    assert_string_not_equal(other.text, before.text);
    assert_false(noted(store, &other));
    o = (struct cooc_index_options)COOC_INDEX_OPTIONS;
    o.threads = 3;
    o.memory = 1 << 30;
    o.parts = 4;
    o.part = 2;
    other = identify(docs, &o);
    assert_string_equal(other.text, before.text);
    o = (struct cooc_index_options)COOC_INDEX_OPTIONS;
    o.count_follows = true; /* cooc_index() recognises the same note */
    {
        struct cooc_index_report r = COOC_INDEX_REPORT;

        CHECK_RC(cooc_index(inputs, 1, store, &o, &r, &err), 0, &err);
        assert_true(r.resumed);
    }
    write_text(docs, "a b\nb c d\n");
    after = identify(docs, NULL);
    assert_false(noted(store, &after));
    CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
    assert_false(noted(store, &before)); /* counted */
    assert_string_equal(identify("-", NULL).text, "");
    drop_dir(dir);
}

static void running_out_of_memory_is_clean(void **state)
{
    char *dir = fresh_dir(), docs[300], store[300];
    const char *inputs[] = { docs };
    struct cooc_err err = { 0 };
    bool failed = true;

    (void)state;
    snprintf(docs, sizeof docs, "%s/d.txt", dir);
    snprintf(store, sizeof store, "%s/d.cooc", dir);
    write_text(docs, "a b\nb c\n");
    CHECK_RC(cooc_index(inputs, 1, store, NULL, NULL, &err), 0, &err);
    for (long n = 1; failed; n++) {
        struct cooc_inputs id = COOC_INPUTS;
        long live = mem_live();
        bool same = false;
        int rc;

        mem_fail_at(n);
        rc = cooc_inputs_identify(inputs, 1, NULL, &id, &err);
        if (rc == 0)
            rc = cooc_inputs_note(store, &id, &err);
        if (rc == 0)
            rc = cooc_inputs_noted(store, &id, &same, &err);
        failed = mem_failed();
        mem_fail_at(0);
        if (rc != (failed ? COOC_ENOMEM : 0) && !(failed && rc == 0))
            fail_msg("allocation %ld: %d: %s", n, rc, err.text);
        assert_int_equal(mem_live(), live);
        assert_true(failed || same);
    }
    drop_dir(dir);
}

/* ---- the list of files --------------------------------------------------- */

struct seen {
    char text[2000];
    int stop; /* returned for each file */
};

static int see(void *self, const struct cooc_input_file *f,
               struct cooc_err *err)
{
    struct seen *s = self;
    size_t n = strlen(s->text);
    const char *name = strrchr(f->path, '/');

    snprintf(s->text + n, sizeof s->text - n, "%s %d %llu %lld|",
             name ? name + 1 : f->path, f->found, (unsigned long long)f->bytes,
             (long long)f->modified);
    if (s->stop)
        snprintf(err->text, sizeof err->text, "stopped");
    return s->stop;
}

static void set_time(const char *path, time_t seconds)
{
    const struct timespec times[] = { { .tv_sec = seconds },
                                      { .tv_sec = seconds } };

    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void files_are_listed_in_the_order_of_reading(void **state)
{
    char *dir = fresh_dir(), a[300], b[300], stop[300], none[300];
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    struct seen seen = { .stop = 0 };
    const char *inputs[] = { none, dir, b };
    bool failed = true;

    (void)state;
    snprintf(a, sizeof a, "%s/a.txt", dir);
    snprintf(b, sizeof b, "%s/b.txt", dir);
    snprintf(stop, sizeof stop, "%s/.stop", dir);
    snprintf(none, sizeof none, "%s/none", dir);
    write_text(b, "b");
    write_text(a, "a a a\n");
    write_text(stop, "the\n");
    set_time(a, 1000000000);
    set_time(b, 7);
    set_time(stop, 8);
    o.stop_file = stop;
    CHECK_RC(cooc_inputs_list(inputs, 3, &o, see, &seen, &err), 0, &err);
    assert_string_equal(seen.text, "none 0 0 0|a.txt 1 6 1000000000|"
                                   "b.txt 1 1 7|b.txt 1 1 7|.stop 1 4 8|");
    seen = (struct seen){ .stop = COOC_EINVAL };
    assert_int_equal(cooc_inputs_list(inputs, 3, &o, see, &seen, &err),
                     COOC_EINVAL);
    assert_string_equal(seen.text, "none 0 0 0|");
    assert_string_equal(err.text, "stopped");
    for (long n = 1; failed; n++) {
        long live = mem_live();
        int rc;

        seen = (struct seen){ .stop = 0 };
        mem_fail_at(n);
        rc = cooc_inputs_list(inputs, 3, &o, see, &seen, &err);
        failed = mem_failed();
        mem_fail_at(0);
        assert_int_equal(rc, failed ? COOC_ENOMEM : 0);
        assert_int_equal(mem_live(), live);
    }
    drop_dir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_has_the_note_of_its_inputs),
        cmocka_unit_test(running_out_of_memory_is_clean),
        cmocka_unit_test(files_are_listed_in_the_order_of_reading),
    };

    return cmocka_run_group_tests_name("inputs_note", tests, NULL, NULL);
}
