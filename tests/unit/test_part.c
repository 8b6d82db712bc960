/* test_part.c - the parts of an index: every share of random files, and failed
 * allocations. */
#include "tools.h"

#include "base/mem.h"
#include "cooc_build.h"
#include "random_lines.h"

static char *dir;

static const struct part_input {
    const char *name, *format, *text;
} part_inputs[] = {
    { "lines.txt", "lines", "a b c d\na b c\n\nb d e\nc c a\ne e" },
    { "records.jsonl", "jsonl",
      "{\"text\": \"a b\"}\n{\"id\": 1, \"text\": \"b c\"}\n"
      "{\"title\": \"a d\"}\n" },
    { "x.triples", "triples", "1\ta\n1\tb\n2\tb\n2\tc\n3\ta\n3\tc\n4\tb\n" },
};

/* Index share i of n. */
static int index_share(const char *input, const char *format, uint32_t i,
                       uint32_t n, const char *store, struct cooc_err *err)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    o.format = format;
    o.text_fields = strcmp(format, "jsonl") ? NULL : "text,title";
    o.part = i;
    o.parts = n;
    o.threads = 1;
    o.replace = true;
    return cooc_index(&input, 1, store, &o, NULL, err);
}

/* Repeat a step with the 1st allocation failing, then the 2nd, ... until it
 * needs no more. */
#define WITHOUT_MEMORY(call)                             \
    for (long at = 1, failed = 1; failed; at++) {        \
        struct cooc_err err = { 0 };                     \
        int rc;                                          \
                                                         \
        mem_fail_at(at);                                 \
        rc = (call);                                     \
        failed = mem_failed();                           \
        mem_fail_at(0);                                  \
        CHECK_RC(rc, rc < 0 ? COOC_ENOMEM : 0, &err);    \
        assert_int_equal(mem_live(), 0);                 \
    }

static void parts_out_of_memory_fail_cleanly(void **state)
{
    char *out = in_dir(dir, "united"), *want = in_dir(dir, "at-once");
    char *terms = write_text(dir, "terms.txt", "a\nb\nc\n");

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(part_inputs); k++) {
        const struct part_input *p = &part_inputs[k];
        struct cooc_index_options all = COOC_INDEX_OPTIONS;
        struct cooc_merge_options o = COOC_MERGE_OPTIONS;
        char *input = write_text(dir, p->name, p->text);
        char *stores[3] = { in_dir(dir, "s1"), in_dir(dir, "s2"),
                            in_dir(dir, "s3") };
        const char *shuffled[] = { stores[1], stores[2], stores[0] };
        struct cooc_err why = { 0 };

        for (uint32_t i = 0; i < 3; i++)
            WITHOUT_MEMORY(index_share(input, p->format, i + 1, 3, stores[i],
                                       &err));
        o.replace = all.replace = true;
        o.min_df = all.min_df = 2;
        o.terms_file = all.terms_file = terms;
        all.format = p->format;
        all.text_fields = strcmp(p->format, "jsonl") ? NULL : "text,title";
        WITHOUT_MEMORY(cooc_merge(shuffled, 3, out, &o, NULL, &err));
        CHECK_RC(cooc_index((const char *const *)&input, 1, want, &all, NULL,
                            &why), 0, &why);
        check_same_store(out, want);
        for (size_t i = 0; i < 3; i++)
            free(stores[i]);
        free(input);
    }
    free(out);
    free(want);
    free(terms);
}

/* Every file with every number of parts. */
static void shares_of_random_files_are_the_whole(void **state)
{
    uint64_t seed = 77;
    char *out = in_dir(dir, "united"), *want = in_dir(dir, "at-once");

    (void)state;
    for (int round = 0; round < 30; round++) {
        uint32_t words = 1 + random_below(&seed, 60);
        uint32_t n = 1 + random_below(&seed, 9);
        char *inputs[3], *stores[9], name[16];
        struct cooc_index_options o = COOC_INDEX_OPTIONS;
        struct cooc_merge_options m = COOC_MERGE_OPTIONS;
        struct cooc_err err = { 0 };

        for (uint32_t i = 0; i < 3; i++) {
            char *text = random_lines(&seed, random_below(&seed, 40), words);

            snprintf(name, sizeof name, "r%u.txt", i);
            inputs[i] = write_text(dir, name, text);
            free(text);
        }
        o.format = "lines";
        o.replace = m.replace = true;
        CHECK_RC(cooc_index((const char *const *)inputs, 3, want, &o, NULL,
                            &err), 0, &err);
        o.parts = n;
        for (o.part = 1; o.part <= n; o.part++) {
            snprintf(name, sizeof name, "t%u", o.part);
            stores[n - o.part] = in_dir(dir, name);
            CHECK_RC(cooc_index((const char *const *)inputs, 3,
                                stores[n - o.part], &o, NULL, &err), 0, &err);
        }
        CHECK_RC(cooc_merge((const char *const *)stores, n, out, &m, NULL,
                            &err), 0, &err);
        check_same_store(out, want);
        for (uint32_t i = 0; i < n; i++)
            free(stores[i]);
        for (uint32_t i = 0; i < 3; i++)
            free(inputs[i]);
    }
    free(out);
    free(want);
}

static int set_up(void **state)
{
    (void)state;
    if (access("/dev/shm", W_OK | X_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 1); /* takes minutes on a disk */
    dir = fresh_dir();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    drop_dir(dir);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_out_of_memory_fail_cleanly),
        cmocka_unit_test(shares_of_random_files_are_the_whole),
    };

    return cmocka_run_group_tests_name("part", tests, set_up, tear_down);
}
