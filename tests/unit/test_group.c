/* test_group.c - rows with the same name become one document. */
#include "read_help.h"
#include "tools.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/watch.h"
#include "read/group.h"
#include "read/group_runs.h"
#include "read/read.h"

enum { MAX_ROWS = 6000, LINES = 1, MARKS = 2 };

struct table {
    uint64_t seed;
    unsigned rows, names; /* numbers of rows and of names */
    unsigned row;         /* the next one */
    unsigned how;         /* LINES, MARKS */
    char name[40], text[80];
    struct text_end end;
};

static unsigned name_of(const struct table *t, unsigned row)
{
    uint64_t seed = t->seed * 77777 + row;

    return random_below(&seed, t->names);
}

/* Make a row; its text is empty, short or longer, with a sentence end if the
 * rows have marks. */
static void make_row(struct table *t, unsigned row, struct document *d)
{
    uint64_t seed = t->seed * 99999 + row;
    unsigned n = random_below(&seed, 4);
    int len = 0;

    *d = (struct document){ .name = t->name, .text = t->text };
    d->name_len = (size_t)sprintf(t->name, "name %u%s", name_of(t, row),
                                  name_of(t, row) % 3 ? "" : " with more");
    for (unsigned i = 0; i < n; i++)
        len += sprintf(t->text + len, "w%u%c", row + i,
                       t->how & LINES ? '\n' : '.');
    d->text_len = (size_t)len;
    if (t->how & MARKS && n > 1) {
        t->end =
            (struct text_end){ .at = (strcspn(t->text, ".") + 1) & INT64_MAX };
        d->ends = &t->end;
        d->n_ends = 1;
    }
}

static int next(void *self, struct document *row, struct cooc_err *err)
{
    struct table *t = self;

    (void)err;
    if (t->row == t->rows)
        return 0;
    make_row(t, t->row++, row);
    return 1;
}

/* Make the document of a name the slow way. */
static void make_document(struct table *t, unsigned name, struct buf *text,
                          struct buf *ends)
{
    struct text_end end;
    struct document row;
    bool any = false;

    text->len = ends->len = 0;
    for (unsigned i = 0; i < t->rows; i++) {
        if (name_of(t, i) != name)
            continue;
        if (any && !(t->how & LINES)) {
            assert_int_equal(buf_byte(text, '\n', NULL), 0);
            end = (struct text_end){ .at = text->len & INT64_MAX,
                                     .paragraph = 1 };
            if (t->how & MARKS)
                assert_int_equal(buf_add(ends, &end, sizeof end, NULL), 0);
        }
        any = true;
        make_row(t, i, &row);
        if (row.n_ends) {
            end = *row.ends;
            end.at = (end.at + text->len) & INT64_MAX;
            assert_int_equal(buf_add(ends, &end, sizeof end, NULL), 0);
        }
        assert_int_equal(buf_add(text, row.text, row.text_len, NULL), 0);
    }
}

static bool same(const struct buf *want, const void *got, size_t len)
{
    return want->len == len && (!len || !memcmp(want->data, got, len));
}

/* Check all documents, in order of first appearance. */
static void check_documents(struct table *t, struct grouper *g)
{
    static bool known[MAX_ROWS];
    struct buf text = { 0 }, ends = { 0 };
    struct cooc_err err = { 0 };
    struct document d;

    memset(known, 0, sizeof known);
    for (unsigned i = 0; i < t->rows; i++) {
        struct document row;
        unsigned name = name_of(t, i);

        if (known[name])
            continue;
        known[name] = true;
        CHECK_RC(grouper_next(g, &d, &err), 1, &err);
        make_document(t, name, &text, &ends);
        make_row(t, i, &row);
        if (d.name_len != row.name_len ||
            memcmp(d.name, row.name, row.name_len) != 0)
            fail_msg("row %u: got document '%.*s', expected '%s'", i,
                     (int)d.name_len, d.name, row.name);
        if (!same(&text, d.text, d.text_len))
            fail_msg("document '%.*s': got text '%.*s', expected '%.*s'",
                     (int)d.name_len, d.name, (int)d.text_len, d.text,
                     (int)text.len, text.data);
        if (!same(&ends, d.ends, d.n_ends * sizeof *d.ends))
            fail_msg("document '%.*s': got other ends", (int)d.name_len,
                     d.name);
    }
    CHECK_RC(grouper_next(g, &d, &err), 0, &err);
    buf_release(&text);
    buf_release(&ends);
}

static struct group_options options(const struct table *t, uint64_t memory)
{
    return (struct group_options){ .dir = ".",
                                   .memory = memory,
                                   .max = 1 << 20,
                                   .lines = t->how & LINES,
                                   .marks = t->how & MARKS };
}

static void rows_are_grouped_whatever_the_memory(void **state)
{
    static const uint64_t memory[] = { 0, 8 << 20, 12 << 20, 1u << 30 };
    static const struct {
        unsigned rows, names;
    } sizes[] = { { 0, 1 },       { 1, 1 },     { 65, 65 },        { 300, 1 },
                  { 1000, 1000 }, { 5000, 37 }, { MAX_ROWS, 4000 } };

    (void)state;
    for (unsigned m = 0; m < ARRAY_LEN(memory); m++)
        for (unsigned s = 0; s < ARRAY_LEN(sizes); s++) {
            struct table t = { .seed = s * 10 + m,
                               .rows = sizes[s].rows,
                               .names = sizes[s].names,
                               .how = (s + m) % 3 };
            struct group_options o = options(&t, memory[m]);
            struct reader_stats stats = { 0 };
            struct cooc_err err = { 0 };
            struct grouper *g = NULL;

            CHECK_RC(grouper_new(&g, &o, &err), 0, &err);
            CHECK_RC(grouper_read(g, next, &t, &stats, &err), 0, &err);
            assert_int_equal(stats.spilled > 0, sizes[s].rows && !memory[m]);
            check_documents(&t, g);
            grouper_free(g);
            assert_int_equal(mem_live(), 0);
        }
}

/* Rows that are grouped, in two files. */
static const struct {
    struct cooc_index_options o;
    const char *data, *more, *want;
} grouped[] = {
    { { .format = "triples", .group_by = "1" },
      "u2\ttea\nu1\tmilk\nu2\tjam\n",
      "u3\ttea\t0\nu1\tjam\t2\nu2\ttea\n",
      "u2=tea/jam/tea/|u1=milk/jam/|u3=|" },
    { { .format = "triples", .group_by = "1", .fold = "case" },
      "b\tA\n\na\tB\n",
      "b\tC",
      "b=A/C/|a=B/|" },
    { { .format = "jsonl", .group_by = "u.id" },
      "{\"u\":{\"id\":7},\"text\":\"a\"}\n"
      "{\"u\":{\"id\":\"x\"},\"text\":\"b\"}\n",
      "{\"u\":{\"id\":\"7\"},\"text\":[\"c\",\"d\"]}\n"
      "{\"u\":{\"id\":7}}\n",
      "7=a/c/d/|x=b|" },
    { { .format = "jsonl", .group_by = "u", .split = ";" },
      "{\"u\":1,\"text\":\"a;b\"}\n{\"u\":2,\"text\":\"c\"}\n",
      "{\"u\":1,\"text\":\"b;c\"}\n",
      "1=a/b/b/c/|2=c/|" },
    { { .format = "triples", .group_by = "1" }, "", "", "" },
};

static void formats_with_columns_can_be_grouped(void **state)
{
    static const char *const inputs[] = { "f", "g" };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(grouped); i++) {
        struct cooc_err err = { 0 };
        struct buf out = { 0 };

        put_text("f", grouped[i].data);
        put_text("g", grouped[i].more);
        CHECK_RC(read_all(inputs, 2, &grouped[i].o, &out, NULL, &err), 0, &err);
        if (out.len != strlen(grouped[i].want) ||
            (out.len && memcmp(out.data, grouped[i].want, out.len) != 0))
            fail_msg("case %zu: got  %.*s\nwant %s", i, (int)out.len,
                     out.len ? out.data : "", grouped[i].want);
        buf_release(&out);
    }
}

static void a_large_document_is_an_error_with_its_name(void **state)
{
    static const uint64_t memory[] = { 0, 1 << 24 };

    (void)state;
    for (unsigned how = 0; how <= LINES; how++)
        for (unsigned m = 0; m < ARRAY_LEN(memory); m++) {
            struct table t = {
                .seed = 3, .rows = 3000, .names = 2, .how = how
            };
            struct group_options o = options(&t, memory[m]);
            struct reader_stats stats = { 0 };
            struct cooc_err err = { 0 };
            struct grouper *g = NULL;

            o.max = 2000;
            CHECK_RC(grouper_new(&g, &o, &err), 0, &err);
            CHECK_RC(grouper_read(g, next, &t, &stats, &err), COOC_ELIMIT,
                     &err);
            assert_non_null(strstr(err.text, "'name "));
            assert_string_equal(err.option, "memory");
            grouper_free(g);
            assert_int_equal(mem_live(), 0);
        }
}

static void a_missing_directory_is_an_error(void **state)
{
    struct table t = { 0 };
    struct group_options o = options(&t, 0);
    struct cooc_err err = { 0 };
    struct grouper *g = NULL;

    (void)state;
    o.dir = "missing/folder";
    assert_true(grouper_new(&g, &o, &err) < 0);
    assert_null(g);
    assert_non_null(strstr(err.text, "missing/folder"));
    assert_int_equal(mem_live(), 0);
}

static int refuse(void *self, const struct cooc_progress *p)
{
    (void)p;
    return ++*(int *)self;
}

static void grouping_can_be_cancelled(void **state)
{
    struct table t = { .seed = 1, .rows = MAX_ROWS, .names = MAX_ROWS };
    int asked = 0;
    const struct cooc_watch hook = { .size = sizeof hook,
                                     .self = &asked,
                                     .progress = refuse };
    struct group_options o = options(&t, 0);
    struct reader_stats stats = { .bytes = 0 };
    struct cooc_err err = { 0 };
    struct grouper *g = NULL;
    struct watch w;

    (void)state;
    CHECK_RC(watch_init(&w, &hook, &err), 0, &err);
    watch_phase(&w, "reading", "bytes", 0); /* asks at once */
    o.watch = &w;
    CHECK_RC(grouper_new(&g, &o, &err), 0, &err);
    CHECK_RC(grouper_read(g, next, &t, &stats, &err), COOC_ECANCELLED, &err);
    assert_int_equal(asked, 1);
    grouper_free(g);
    watch_release(&w);
    assert_int_equal(mem_live(), 0);
}

static void running_out_of_memory_is_clean(void **state)
{
    bool failed = true;

    (void)state;
    for (long at = 1; failed; at += 1 + at / 32) {
        struct table t = { .seed = 5, .rows = 150, .names = 40, .how = MARKS };
        struct group_options o = options(&t, 0);
        struct reader_stats stats = { 0 };
        struct cooc_err err = { 0 };
        struct grouper *g = NULL;
        struct document d;
        int rc;

        mem_fail_at(at);
        rc = grouper_new(&g, &o, &err);
        if (rc == 0)
            rc = grouper_read(g, next, &t, &stats, &err);
        while (rc == 0 && (rc = grouper_next(g, &d, &err)) > 0)
            rc = 0;
        failed = mem_failed();
        mem_fail_at(0);
        /* dict_clear() can do without the memory that it asks for. */
        if (rc != 0 && !(failed && rc == COOC_ENOMEM))
            fail_msg("allocation %ld: returned %d, %s", at, rc, err.text);
        grouper_free(g);
        assert_int_equal(mem_live(), 0);
    }
}

int main(void)
{
#define RUN(f) cmocka_unit_test_setup_teardown(f, enter, leave)
    const struct CMUnitTest tests[] = {
        RUN(rows_are_grouped_whatever_the_memory),
        RUN(formats_with_columns_can_be_grouped),
        RUN(a_large_document_is_an_error_with_its_name),
        RUN(a_missing_directory_is_an_error),
        RUN(grouping_can_be_cancelled),
        RUN(running_out_of_memory_is_clean),
    };

    choose_tmpdir();
    return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
