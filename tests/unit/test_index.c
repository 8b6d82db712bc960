/* test_index.c - from documents to a collection: ids, names, filters. */
#include "tools.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "base/dict.h"
#include "base/file.h"
#include "base/mem.h"
#include "cooc_build.h"
#include "index/ingest.h"
#include "index/order.h"
#include "index/write.h"
#include "own_dir.h"
#include "store/manifest.h"

/* Index one file of lines; report may be NULL. */
static int index_lines(const char *input, const char *store,
                       struct cooc_index_options *o,
                       struct cooc_index_report *report,
                       struct cooc_err *err)
{
    const char *const inputs[] = { input };

    o->format = "lines";
    return cooc_index(inputs, 1, store, o, report, err);
}

/* ---- filters --------------------------------------------------------- */

/* df: apple 4, banana 3, cherry 2, the 2, dates 1; 13 tokens, 12 postings. */
static const char fruit[] = "apple banana cherry\nApple BANANA\n"
                            "apple cherry the\napple the the\n"
                            "banana dates\n";

/* Names in order of id, each with its df. */
static void describe_terms(const char *store, char *out, size_t size)
{
    struct cooc_err err = { 0 };
    struct cooc_info info = COOC_INFO;
    struct cooc *db;
    size_t at = 0;

    CHECK_RC(cooc_open(&db, store, &err), 0, &err);
    CHECK_RC(cooc_info_get(db, &info, &err), 0, &err);
    *out = '\0';
    for (uint32_t t = 0; t < info.terms; t++) {
        const char *name;
        uint64_t df;
        size_t len;

        CHECK_RC(cooc_term_name(db, t, &name, &len, &err), 0, &err);
        CHECK_RC(cooc_term_df(db, t, &df, &err), 0, &err);
        at += (size_t)snprintf(out + at, size - at, "%s%.*s %d",
                               t ? ", " : "", (int)len, name, (int)df);
    }
    cooc_close(db);
}

static void filters_drop_the_right_terms_and_report_it(void **state)
{
    char *input = write_text(dir, "fruit", fruit), *store = in_dir(dir, "f");
    char *stop = write_text(dir, "stop", "# articles\nthe\n");
    char *list = write_text(dir, "list", "Cherry\ndates\nzebra\n");
    char *thesaurus = write_text(dir, "thes", "dates\tbanana\n");
    const struct {
        const char *label;
        struct cooc_index_options o;
        const char *terms;
        struct cooc_index_report want; /* except documents and tokens */
    } cases[] = {
        { "no filter", { 0 },
          "apple 4, banana 3, cherry 2, the 2, dates 1", { .postings = 12 } },
        { "min_df", { .min_df = 2 },
          "apple 4, banana 3, cherry 2, the 2",
          { .postings = 11, .dropped_terms_min_df = 1,
            .dropped_postings = 1 } },
        { "min_df of everything", { .min_df = 6 }, "",
          { .dropped_terms_min_df = 5, .dropped_postings = 12 } },
        { "max_df", { .max_df = 3 },
          "banana 3, cherry 2, the 2, dates 1",
          { .postings = 8, .dropped_terms_max_df = 1,
            .dropped_postings = 4 } },
        { "max_df_share", { .max_df_share = 0.4 },
          "cherry 2, the 2, dates 1",
          { .postings = 5, .dropped_terms_max_df = 2,
            .dropped_postings = 7 } },
        { "max_df_share of a limit met exactly", { .max_df_share = 0.6 },
          "banana 3, cherry 2, the 2, dates 1",
          { .postings = 8, .dropped_terms_max_df = 1,
            .dropped_postings = 4 } },
        { "max_df_share of all", { .max_df_share = 1 },
          "apple 4, banana 3, cherry 2, the 2, dates 1", { .postings = 12 } },
        { "top_terms", { .top_terms = 2 }, "apple 4, banana 3",
          { .postings = 7, .dropped_terms_top = 3, .dropped_postings = 5 } },
        { "top_terms and a tie", { .top_terms = 3 },
          "apple 4, banana 3, cherry 2",
          { .postings = 9, .dropped_terms_top = 2, .dropped_postings = 3 } },
        { "terms_file", { .terms_file = list }, "cherry 2, dates 1",
          { .postings = 3, .dropped_terms_list = 3,
            .dropped_postings = 9 } },
        { "several at once",
          { .terms_file = list, .min_df = 2, .top_terms = 1 }, "cherry 2",
          { .postings = 2, .dropped_terms_list = 3,
            .dropped_terms_min_df = 1, .dropped_postings = 10 } },
        { "stop_file", { .stop_file = stop },
          "apple 4, banana 3, cherry 2, dates 1",
          { .postings = 10, .dropped_stop = 3 } },
        { "stem", { .stem = "english" },
          "apple 4, banana 3, cherry 2, the 2, dates 1", { .postings = 12 } },
        { "thesaurus", { .thesaurus_file = thesaurus },
          "apple 4, banana 3, cherry 2, the 2",
          { .postings = 11, .merged_thesaurus = 1 } },
        { "max_doc_terms", { .max_doc_terms = 2 },
          "apple 4, banana 3, cherry 1, dates 1, the 1",
          { .postings = 10, .capped_documents = 2, .capped_tokens = 2 } },
        { "min_length", { .min_length = 4 },
          "apple 4, banana 3, cherry 2, dates 1",
          { .postings = 10, .dropped_short = 3 } },
        { "max_length", { .max_length = 5 }, "apple 4, the 2, dates 1",
          { .postings = 7, .dropped_long = 5 } },
        { "keep_case", { .keep_case = true },
          "apple 3, banana 2, cherry 2, the 2, Apple 1, BANANA 1, dates 1",
          { .postings = 12 } },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct cooc_index_report got = COOC_INDEX_REPORT;
            struct cooc_index_report want = cases[i].want;
            struct cooc_index_options o = cases[i].o;
            struct cooc_err err = { 0 };
            char terms[300];

            o.size = sizeof o;
            want.size = sizeof want;
            o.threads = threads;
            o.replace = true;
            CHECK_RC(index_lines(input, store, &o, &got, &err), 0, &err);
            describe_terms(store, terms, sizeof terms);
            if (strcmp(terms, cases[i].terms) != 0)
                fail_msg("%s: the terms are %s", cases[i].label, terms);
            want.documents = 5;
            want.tokens = 13;
            want.input_bytes = got.input_bytes;
            want.terms = got.terms;
            strcpy(want.format, "lines");
            want.threads = threads;
            want.memory = got.memory;
            want.seconds_read = got.seconds_read;
            want.seconds_order = got.seconds_order;
            want.seconds_write = got.seconds_write;
            assert_true(got.written != 0);
            want.written = got.written;
            if (memcmp(&got, &want, sizeof got) != 0)
                fail_msg("%s: the report differs (postings %d, dropped %d)",
                         cases[i].label, (int)got.postings,
                         (int)got.dropped_postings);
            CHECK_RC(cooc_count(store, NULL, NULL, &err), 0, &err);
            CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
        }
    free(input);
    free(store);
    free(stop);
    free(list);
    free(thesaurus);
    assert_int_equal(mem_live(), 0);
}

static void invalid_options_are_refused(void **state)
{
    char *input = write_text(dir, "fruit", fruit), *store = in_dir(dir, "no");
    char *none = in_dir(dir, "none");
    const struct {
        struct cooc_index_options o;
        int code;
        const char *word;
    } cases[] = {
        { { .memory = 1 << 20 }, COOC_EINVAL, "16 MiB" },
        { { .threads = 5000 }, COOC_EINVAL, "1024" },
        { { .min_length = 5, .max_length = 4 }, COOC_EINVAL, "minimum" },
        { { .max_df_share = 1.5 }, COOC_EINVAL, "share" },
        { { .max_df_share = -1 }, COOC_EINVAL, "share" },
        { { .max_df_share = -1e-300 }, COOC_EINVAL, "share" },
        { { .max_df_share = 1 + 1e-15 }, COOC_EINVAL, "share" },
        { { .max_df_share = NAN }, COOC_EINVAL, "share" },
        { { .max_df_share = INFINITY }, COOC_EINVAL, "share" },
        { { .max_df_share = -INFINITY }, COOC_EINVAL, "share" },
        { { .tokens = "letters" }, COOC_EINVAL, "letters" },
        { { .stem = "klingon" }, COOC_EINVAL, "klingon" },
        { { .stop_file = none }, COOC_ENOTFOUND, none },
        { { .terms_file = none }, COOC_ENOTFOUND, none },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct cooc_index_options o = cases[i].o;
        struct cooc_err err = { 0 };

        o.size = sizeof o;
        CHECK_RC(index_lines(input, store, &o, NULL, &err), cases[i].code,
                 &err);
        if (!strstr(err.text, cases[i].word))
            fail_msg("'%s' does not name %s", err.text, cases[i].word);
        assert_int_equal(count_files(store), -1);
    }
    const char *const missing[] = { none };
    struct cooc_err err = { 0 };

    CHECK_RC(cooc_index(NULL, 0, store, NULL, NULL, &err), COOC_EINVAL, &err);
    CHECK_RC(cooc_index(missing, 1, store, NULL, NULL, &err), COOC_ENOTFOUND,
             &err);
    assert_non_null(strstr(err.text, none));
    assert_int_equal(count_files(store), -1);
    assert_int_equal(mem_live(), 0);
    free(input);
    free(store);
    free(none);
}

static void the_manifest_has_the_hash_of_the_list_of_terms(void **state)
{
    char *input = write_text(dir, "fruit", fruit);
    char *list = write_text(dir, "hashed", "# Dates\nthe\nCHERRY\nThe\n");
    char *store = in_dir(dir, "hashed.cooc"), want[60];
    struct cooc_err err = { 0 };
    struct manifest m;

    (void)state;
    for (int listed = 0; listed < 2; listed++) {
        struct cooc_index_options o = {
            .size = sizeof o, .terms_file = listed ? list : NULL,
            .replace = true
        };

        want[0] = '\0';
        if (listed)
            snprintf(want, sizeof want, "%016llx",
                     (unsigned long long)XXH3_64bits("cherry\nthe\n", 11));
        CHECK_RC(index_lines(input, store, &o, NULL, &err), 0, &err);
        CHECK_RC(manifest_read(&m, store, &err), 0, &err);
        assert_string_equal(
            json_string_value(json_object_get(m.settings, "terms_list")),
            want);
        manifest_release(&m);
    }
    free(input);
    free(list);
    free(store);
}

/* ---- the name of a store --------------------------------------------- */

static void only_a_store_is_replaced_and_only_on_request(void **state)
{
    char *input = write_text(dir, "fruit", fruit);
    char *store = make_store(dir, "here", "a b\n", true);
    char *copy = make_store(dir, "copy", "a b\n", true);
    char *file = write_text(dir, "plain", "hello"), *empty, *foreign, *web;
    char *link = in_dir(dir, "link");
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(index_lines(input, store, &o, NULL, &err), COOC_EEXISTS, &err);
    check_same_store(store, copy);
    mkdir(empty = in_dir(dir, "empty"), 0777);
    mkdir(foreign = in_dir(dir, "foreign"), 0777);
    mkdir(web = in_dir(dir, "web"), 0777);
    free(write_text(foreign, "letter.txt", "Dear Sir"));
    free(write_text(web, "manifest.json", "{\"name\": \"my app\"}\n"));
    free(write_text(copy, "notes.txt", "my own words about this store"));
    const char *const never[] = { file, empty, foreign, web, copy };

    o.replace = true;
    for (size_t i = 0; i < ARRAY_LEN(never); i++) {
        int before = count_files(never[i]);

        CHECK_RC(index_lines(input, never[i], &o, NULL, &err), COOC_EEXISTS,
                 &err);
        assert_non_null(strstr(err.text, never[i]));
        assert_int_equal(count_files(never[i]), before);
    }
    CHECK_RC(index_lines(input, store, &o, NULL, &err), 0, &err);
    assert_int_equal(cooc_check(store, 1, NULL, NULL, &err), 0);
    assert_int_equal(symlink(store, link), 0); /* the target is replaced */
    CHECK_RC(index_lines(input, link, &o, NULL, &err), 0, &err);
    assert_int_equal(unlink(link), 0); /* still a link */
    char *lost = in_dir(store, "forward.off");

    assert_int_equal(unlink(lost), 0); /* a broken store is replaced */
    CHECK_RC(index_lines(input, store, &o, NULL, &err), 0, &err);
    free(write_text(store, "manifest.json", "{"));
    CHECK_RC(index_lines(input, store, &o, NULL, &err), 0, &err);
    assert_int_equal(cooc_check(store, 1, NULL, NULL, &err), 0);
    char *all[] = { input, store, copy, file, empty, foreign, web, link,
                    lost };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        free(all[i]);
}

static void leftovers_of_an_interrupted_run_are_removed(void **state)
{
    char *input = write_text(dir, "fruit", fruit);
    char *store = in_dir(dir, "again"), *part = in_dir(dir, "again.part");
    char *slashed = in_dir(dir, "again///");
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    int lock;

    (void)state;
    mkdir(part, 0777);
    free(write_text(part, "terms.bin.tmp", "half"));
    CHECK_RC(dir_lock(&lock, part, part, &err), 0, &err);
    CHECK_RC(index_lines(input, store, &o, NULL, &err), COOC_EBUSY, &err);
    assert_int_equal(count_files(part), 1); /* locked by another process */
    close(lock);
    CHECK_RC(index_lines(input, slashed, &o, NULL, &err), 0, &err);
    assert_int_equal(count_files(part), -1);
    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
    free(input);
    free(store);
    free(slashed);
    free(part);
}

/* ---- the same documents give the same bytes -------------------------- */

/* Write docs lines with words random words each; frequencies are skewed. */
static char *write_random(const char *name, uint32_t docs, uint32_t words,
                          uint32_t vocabulary, uint64_t seed)
{
    char *path = in_dir(dir, name);
    FILE *f = fopen(path, "w");

    for (uint32_t d = 0; d < docs; d++) {
        for (uint32_t i = 0; i < words; i++) {
            uint32_t w = random_below(&seed, vocabulary);

            if (random_below(&seed, 2))
                w = random_below(&seed, w + 1);
            fprintf(f, "w%xx%x ", w * 2654435761u, w);
        }
        fputc('\n', f);
    }
    assert_int_equal(fclose(f), 0);
    return path;
}

static void threads_and_memory_do_not_change_a_byte(void **state)
{
    static const struct { unsigned threads; uint64_t memory; } how[] = {
        { 1, 0 }, { 2, 0 }, { 5, 0 }, { 1, 16 << 20 }, { 2, 16 << 20 },
        { 5, 16 << 20 },
    };
    char *input = write_random("random", 30000, 40, 60000, 4);
    char *first = in_dir(dir, "first");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(how); i++) {
        char *store = i ? in_dir(dir, "next") : first;
        struct cooc_index_options o = { .size = sizeof o,
                                        .threads = how[i].threads,
                                        .memory = how[i].memory,
                                        .replace = true };
        struct cooc_index_report rep = COOC_INDEX_REPORT;
        struct cooc_err err = { 0 };

        CHECK_RC(index_lines(input, store, &o, &rep, &err), 0, &err);
        assert_int_equal(rep.documents, 30000);
        assert_int_equal(rep.tokens, 30000 * 40);
        if (how[i].memory)
            assert_true(rep.spilled_bytes > 1 << 20);
        else
            assert_int_equal(rep.spilled_bytes, 0);
        if (i == 0) {
            CHECK_RC(cooc_check(store, 2, NULL, NULL, &err), 0, &err);
            continue;
        }
        check_same_store(store, first);
        free(store);
    }
    free(first);
    free(input);
    assert_int_equal(mem_live(), 0);
}

/* Many new words, then few: the dictionary is written out when it is full, but
 * not repeatedly after that. */
static void a_full_dictionary_is_written_once(void **state)
{
    char *input = write_random("random", 4000, 50, 200000, 6);
    FILE *f = fopen(input, "a");
    struct cooc_index_options o = {
        .size = sizeof o, .threads = 1, .memory = 16 << 20, .replace = true,
        .max_doc_terms = 1, /* only dictionaries are written out */
    };
    struct cooc_index_report few = COOC_INDEX_REPORT;
    struct cooc_index_report many = COOC_INDEX_REPORT;
    struct cooc_err err = { 0 };
    char *store = in_dir(dir, "full");

    (void)state;
    CHECK_RC(index_lines(input, store, &o, &few, &err), 0, &err);
    for (int i = 0; i < 16000; i++) { /* 9 MB of 4,000 distinct words */
        for (int k = 0; k < 80; k++)
            fprintf(f, "v%d ", (i * 80 + k) % 4000);
        fputc('\n', f);
    }
    fclose(f);
    CHECK_RC(index_lines(input, store, &o, &many, &err), 0, &err);
    print_message("%d and %d bytes written\n", (int)few.spilled_bytes,
                  (int)many.spilled_bytes);
    assert_true(many.spilled_bytes < few.spilled_bytes + (100 << 10));
    free(store);
    free(input);
}

/* ---- temporary files ------------------------------------------------- */

/* Write out a dictionary of three terms and a document with two of them. */
static void spill(struct ingested *g, const struct index_job *job,
                  struct cooc_err *err)
{
    static const struct name_record terms[] = {
        { 1, 2, "ale", 3 }, { 2, 1, "milk", 4 }, { 0, 1, "tea", 3 }
    };
    const uint32_t ids[] = { 0, 2 }, len = 2, name_len = 4;
    struct sorted_names names = { .n_ids = 3 };
    struct names_writer w = NAMES_WRITER(&names, &g->names_file);
    struct chunk_docs docs = { 0 };
    int rc = 0;

    CHECK_RC(ingested_open(g, job, err), 0, err);
    g->names_file.room = g->chunk_file.room = 0;
    for (size_t i = 0; i < ARRAY_LEN(terms) && rc == 0; i++)
        rc = names_write(&w, &terms[i], err);
    CHECK_RC(names_writer_end(&w, rc, err), 0, err);
    CHECK_RC(ingested_add_names(g, &g->terms, &names, NULL, err), 0, err);
    buf_add(&docs.lens, &len, sizeof len, err);
    buf_add(&docs.name_lens, &name_len, sizeof name_len, err);
    buf_add(&docs.ids, ids, sizeof ids, err);
    buf_add(&docs.names, "name", 4, err);
    CHECK_RC(ingested_add_chunk(g, (struct chunk){ 0 }, &docs, err), 0, err);
    chunk_docs_release(&docs);
}

/* Number the terms and write the document. */
static int use(struct ingested *g, const struct index_job *job,
               struct cooc_err *err)
{
    const struct term_filter all = { 0 };
    struct files_writer w = { 0 };
    struct ordering o;
    int rc = order_terms(&o, g, &all, job, &w, err);

    if (rc == 0)
        rc = write_forward(g, &o, job, &w, err);
    ordering_release(&o);
    return files_writer_end(&w, rc, job->ids, err);
}

static void flip(int fd, uint64_t bit)
{
    uint8_t byte;

    assert_int_equal(pread(fd, &byte, 1, (off_t)(bit / 8)), 1);
    byte ^= (uint8_t)(1 << bit % 8);
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)(bit / 8)), 1);
}

/* Flip a bit of the names or of the chunks, unless it is NO_BIT, and use them.
 * Returns what use() returns. */
#define NO_BIT UINT64_MAX
static int use_damaged(const struct index_job *job, bool chunks, uint64_t bit,
                       struct cooc_err *err)
{
    struct ingested g = INGESTED_NONE;
    int rc;

    spill(&g, job, err);
    assert_int_equal(g.names_file.end, 3 * 16 + 10); /* the whole file */
    assert_int_equal(g.chunk_file.end, 4 * 4 + 4);
    if (bit != NO_BIT)
        flip(chunks ? g.chunk_file.fd : g.names_file.fd, bit);
    rc = use(&g, job, err);
    ingested_release(&g);
    return rc;
}

static void a_damaged_temporary_file_is_an_error(void **state)
{
    struct checked_file_id ids[COLLECTION_FILES];
    struct cooc_index_report report = { .documents = 1 };
    const struct index_job job = { .dir = dir, .tmpdir = dir, .threads = 1,
                                   .memory = 16 << 20, .ids = ids,
                                   .report = &report };
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(use_damaged(&job, false, NO_BIT, &err), 0, &err);
    for (int i = 0; i < 2; i++) {
        uint64_t bits = 8 * (i ? 4 * 4 + 4 : 3 * 16 + 10);

        for (uint64_t bit = 0; bit < bits; bit++) {
            CHECK_RC(use_damaged(&job, i, bit, &err), COOC_EIO, &err);
            assert_non_null(strstr(err.text, "in this directory is damaged"));
        }
    }
    assert_int_equal(mem_live(), 0);
}

/* Flip the lowest bit of the first posting of the inverted index. */
static void flip_posting(const char *store)
{
    char *path = in_dir(store, "inverted.bin");
    int fd = open(path, O_RDWR);

    flip(fd, 0);
    close(fd);
    free(path);
}

static void only_an_index_just_written_is_not_verified(void **state)
{
    char *input = write_text(dir, "fruit2", fruit), *store = in_dir(dir, "t");
    struct cooc_index_report report = COOC_INDEX_REPORT;
    struct cooc_index_options reading = COOC_INDEX_OPTIONS;
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_err err = { 0 };

    (void)state;
    CHECK_RC(index_lines(input, store, &reading, &report, &err), 0, &err);
    flip_posting(store);
    CHECK_RC(cooc_count(store, &o, NULL, &err), COOC_EFORMAT, &err);
    o.written = report.written + 1; /* of another index */
    CHECK_RC(cooc_count(store, &o, NULL, &err), COOC_EFORMAT, &err);
    assert_non_null(strstr(err.path, "inverted.bin"));
    flip_posting(store);
    o.written = report.written;
    CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
    CHECK_RC(cooc_check(store, 1, NULL, NULL, &err), 0, &err);
    free(store);
    free(input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_drop_the_right_terms_and_report_it),
        cmocka_unit_test(the_manifest_has_the_hash_of_the_list_of_terms),
        cmocka_unit_test(invalid_options_are_refused),
        cmocka_unit_test(only_a_store_is_replaced_and_only_on_request),
        cmocka_unit_test(leftovers_of_an_interrupted_run_are_removed),
        cmocka_unit_test(threads_and_memory_do_not_change_a_byte),
        cmocka_unit_test(a_full_dictionary_is_written_once),
        cmocka_unit_test(a_damaged_temporary_file_is_an_error),
        cmocka_unit_test(only_an_index_just_written_is_not_verified),
    };

    return cmocka_run_group_tests_name("index", tests, make_dir, remove_dir);
}
