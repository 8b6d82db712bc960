/* test_store_hostile.c - malicious stores: every checksum is right, but the
 * contents are invalid.  They are refused and never cause a crash. */
#include "answers.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "base/placed_file.h"
#include "cooc_build.h"
#include "index/build.h"
#include "index/collection.h"
#include "own_dir.h"
#include "rows/row_code.h"
#include "store/manifest.h"
#include "store/seal.h"
#include "store/settings.h"

/* d0 = {a b c}  d1 = {a b d}  d2 = {a c}
 *
 *     row 1:  a->2         6 bytes
 *     row 2:  a->2 b->1    7 bytes
 *     row 3:  is a prefix of d1, so it is left out
 */
struct forged {
    uint64_t fwd_off[4], inv_off[5], terms_off[5], docs_off[4];
    uint32_t fwd[8], inv[8], sort[4];
    uint32_t n_lists; /* number of items of fwd and inv */
    char terms[4], docs[3];
    uint8_t code[24];
    uint64_t false_seal; /* 0: the right seal */
    uint64_t row_off[5];
    size_t n_row_off;
    struct shard_info shard;
    struct manifest m;
};

static const struct forged honest = {
    .fwd_off = { 0, 3, 6, 8 },
    .fwd = { 0, 1, 2, 0, 1, 3, 0, 2 },
    .inv_off = { 0, 3, 5, 7, 8 },
    .inv = { 0, 1, 2, 0, 1, 0, 2, 1 },
    .n_lists = 8,
    .terms = { 'a', 'b', 'c', 'd' },
    .terms_off = { 0, 1, 2, 3, 4 },
    .sort = { 0, 1, 2, 3 },
    .docs = { 'x', 'y', 'z' },
    .docs_off = { 0, 1, 2, 3 },
    .code = { 1, 2, 0, 0, 0, 0, 1, 0, 2, 2, 0, 0, 0, 0, 0, 1, 0 },
    .row_off = { 0, 0, 8, 17, 24 },
    .n_row_off = 4,
    .shard = { .last = 3, .pairs = 3, .row_bytes = 24 },
    .m = { .documents = 3, .terms = 4, .postings = 8, .tokens = 8,
           .increments = 7, .counted = true, .pairs = 5, .n_shards = 1,
           .omitted = { .df = 1, .rows = 1, .pairs = 2 } },
};

static void commit(struct checked_file_writer *w, struct checked_file_id *id)
{
    struct cooc_err err = { 0 };

    CHECK_RC(checked_file_commit(w, id, &err), 0, &err);
    checked_file_writer_free(w);
}

/* Write numbers of a width in bytes, little-endian on every machine. */
static void put(const char *store, enum collection_file f, const void *data,
                size_t n, size_t width, struct checked_file_id *ids)
{
    struct cooc_err err = { 0 };
    struct placed_file *w;
    int rc;

    CHECK_RC(collection_create(&w, store, f, &err), 0, &err);
    rc = width == 8   ? placed_file_put_u64(w, 0, data, n, &err)
         : width == 4 ? placed_file_put_u32(w, 0, data, n, &err)
                      : placed_file_put(w, 0, data, n, &err);
    CHECK_RC(rc, 0, &err);
    CHECK_RC(placed_file_commit(w, &ids[f], &err), 0, &err);
    placed_file_free(w);
}

static void put_store(struct forged *f, const char *store)
{
    const struct cooc_index_options o = COOC_INDEX_OPTIONS;
    const struct index_rules how = { .mode = TOKENS_WORDS };
    struct cooc_err err = { 0 };
    struct checked_file_id *ids = f->m.files;
    struct checked_file_writer *w;
    uint8_t seal[SEAL_BYTES];
    char *rows = in_dir(store, "rows-0000.bin");
    size_t n_off = f->m.documents < 3 ? f->m.documents + 1 : 4;

    put(store, FILE_TERMS, f->terms, sizeof f->terms, 1, ids);
    put(store, FILE_TERMS_OFF, f->terms_off, 5, 8, ids);
    put(store, FILE_TERMS_SORT, f->sort, 4, 4, ids);
    put(store, FILE_DOCS, f->docs, sizeof f->docs, 1, ids);
    put(store, FILE_DOCS_OFF, f->docs_off, n_off, 8, ids);
    put(store, FILE_FORWARD, f->fwd, f->n_lists, 4, ids);
    put(store, FILE_FORWARD_OFF, f->fwd_off, n_off, 8, ids);
    put(store, FILE_INVERTED, f->inv, f->n_lists, 4, ids);
    put(store, FILE_INVERTED_OFF, f->inv_off, 5, 8, ids);
    put(store, FILE_STOP, NULL, 0, 1, ids);
    put(store, FILE_THESAURUS, NULL, 0, 1, ids);
    CHECK_RC(checked_file_create(&w, rows, "rows", &err), 0, &err);
    CHECK_RC(checked_file_write(w, f->code, sizeof f->code, &err), 0, &err);
    CHECK_RC(checked_file_write_u64(w, f->row_off, f->n_row_off, &err), 0,
             &err);
    seal_make(seal, &f->shard,
              &(struct row_source){ seal_collection(ids) + f->false_seal,
                                    f->m.omitted.df });
    CHECK_RC(checked_file_write(w, seal, sizeof seal, &err), 0, &err);
    commit(w, &f->shard.id);
    f->m.shards = &f->shard;
    CHECK_RC(settings_write(&f->m, &o, &how, &err), 0, &err);
    CHECK_RC(manifest_write(&f->m, store, &err), 0, &err);
    json_decref(f->m.settings);
    free(rows);
}

/* ---- invalid contents ----------------------------------------------- */

#define CRIME(name, change)                                                  \
    static void name(struct forged *f)                                       \
    {                                                                        \
        change;                                                              \
    }

CRIME(forward_offsets_fall, f->fwd_off[1] = 6; f->fwd_off[2] = 3)
CRIME(forward_offset_is_past_the_end, f->fwd_off[3] = 9)
CRIME(forward_offset_is_enormous, f->fwd_off[2] = UINT64_MAX / 4)
CRIME(forward_offsets_do_not_begin_at_0, f->fwd_off[0] = 1)
CRIME(forward_offsets_end_too_early, f->fwd_off[3] = 7)
CRIME(document_has_a_term_that_is_not, f->fwd[7] = 4)
CRIME(document_has_an_enormous_term, f->fwd[7] = UINT32_MAX)
CRIME(document_is_unsorted, f->fwd[0] = 1; f->fwd[1] = 0)
CRIME(document_has_a_term_twice, f->fwd[1] = 0)
CRIME(inverted_offsets_fall, f->inv_off[1] = 5; f->inv_off[2] = 3)
CRIME(inverted_offset_is_enormous, f->inv_off[4] = UINT64_MAX)
CRIME(term_has_a_document_that_is_not, f->inv[2] = 3)
CRIME(term_is_unsorted, f->inv[0] = 1; f->inv[1] = 0)
CRIME(views_differ, f->inv[7] = 2)
CRIME(views_differ_in_length,
      f->inv_off[3] = 6; f->inv[6] = 0; f->inv[7] = 1)
CRIME(term_has_no_documents,
      f->inv_off[3] = 8; f->inv[6] = 1; f->inv[7] = 2; f->fwd[5] = 2)
CRIME(term_names_fall, f->terms_off[1] = 3)
CRIME(term_name_is_enormous, f->terms_off[4] = UINT64_MAX)
CRIME(two_terms_have_one_name, f->terms[1] = 'c')
CRIME(sorted_names_are_not, f->sort[0] = 1; f->sort[1] = 0)
CRIME(sorted_name_is_no_term, f->sort[3] = 4)
CRIME(sorted_name_is_enormous, f->sort[0] = UINT32_MAX)
CRIME(sorted_name_comes_twice, f->sort[1] = 0)
CRIME(ties_are_not_in_byte_order,
      f->terms[1] = 'c'; f->terms[2] = 'b'; f->sort[1] = 2; f->sort[2] = 1)
CRIME(ids_are_not_by_frequency, /* b and d are exchanged */
      const struct forged g = honest; memcpy(f->inv, g.inv, sizeof f->inv);
      f->inv_off[2] = 4; f->inv_off[3] = 6; f->inv[3] = 1; f->inv[4] = 0;
      f->inv[5] = 2; f->inv[6] = 0; f->inv[7] = 1; f->fwd[1] = 2;
      f->fwd[2] = 3; f->terms[1] = 'd'; f->terms[3] = 'b'; f->sort[1] = 3;
      f->sort[3] = 1)
CRIME(document_names_fall, f->docs_off[1] = 3)
CRIME(document_name_is_enormous, f->docs_off[3] = UINT64_MAX - 5)
CRIME(increments_are_wrong, f->m.increments = 8)
CRIME(there_are_more_documents, f->m.documents = 4)
CRIME(there_are_fewer_terms, f->m.terms = 3; f->m.omitted.rows = 0)
CRIME(there_are_no_documents,
      f->m.documents = 0; f->m.postings = 0; f->n_lists = 0;
      memset(f->inv_off, 0, sizeof f->inv_off))
CRIME(postings_overflow, /* 2^62 times 4 is 0 */
      f->m.postings = (uint64_t)1 << 62; f->n_lists = 0;
      for (int i = 1; i < 5; i++)
          f->inv_off[i] = f->fwd_off[i % 4] = i % 4 ? f->m.postings : 0;
      f->inv_off[4] = f->m.postings)
CRIME(row_offsets_fall, f->row_off[2] = 18)
CRIME(row_offset_is_enormous, f->row_off[3] = UINT64_MAX - 1)
CRIME(row_begins_at_the_wrong_byte, f->row_off[1] = 1)
CRIME(row_is_that_of_another, f->row_off[2] = 17; f->row_off[1] = 8)
CRIME(row_is_missing, f->row_off[3] = 8)
CRIME(row_has_the_wrong_sum, f->code[7] = 1)
CRIME(row_has_no_count_bits, f->code[1] = 0)
CRIME(row_is_longer_than_its_code, f->code[0] = 200)
CRIME(row_of_one_document_is_written,
      f->n_row_off = 5; f->code[17] = 1; f->code[18] = 1; f->shard.last = 4;
      f->m.omitted.rows = 0)
CRIME(row_of_one_document_is_written_as_empty,
      f->n_row_off = 5; f->row_off[4] = 17; f->shard.last = 4;
      f->m.omitted.rows = 0)
CRIME(shard_has_fewer_pairs, f->shard.pairs = 2; f->m.pairs = 4)
CRIME(rows_omitted_have_fewer_pairs,
      f->m.omitted.pairs = 1; f->m.pairs = 4)
CRIME(rows_omitted_have_more_pairs_than_fit,
      f->m.omitted.pairs = INT64_MAX; f->m.pairs = INT64_MAX)
CRIME(more_rows_are_left_out_than_may_be,
      f->n_row_off = 3; f->row_off[2] = 8; f->shard.last = 2;
      f->shard.pairs = 1; f->m.omitted.rows = 2; f->m.omitted.pairs = 4)
CRIME(fewer_rows_are_left_out_than_said, f->m.omitted.df = 2)
CRIME(rows_omitted_begin_too_late, f->m.omitted.rows = 0)
CRIME(rows_omitted_begin_too_early, f->m.omitted.rows = 2)
CRIME(more_rows_are_left_out_than_there_are, f->m.omitted.rows = 5)
CRIME(enormously_many_rows_are_left_out, f->m.omitted.rows = UINT32_MAX - 1)
CRIME(rows_omitted_have_too_high_a_df, f->m.omitted.df = 256)
CRIME(rows_omitted_have_an_enormous_df, f->m.omitted.df = UINT32_MAX)
CRIME(no_row_is_in_a_shard, /* a, b and c are in more than one document */
      f->m.n_shards = 0; f->m.omitted.rows = 4; f->m.omitted.pairs = 5)
CRIME(rows_end_past_the_file, f->shard.row_bytes = 32)
CRIME(the_seal_is_of_another_collection, f->false_seal = 1)
CRIME(rows_end_at_an_odd_byte, f->shard.row_bytes = 23)
CRIME(rows_are_enormous, f->shard.row_bytes = INT64_MAX - 7)
CRIME(row_offsets_are_too_few, f->n_row_off = 3)
CRIME(shard_ends_too_early, f->shard.last = 2)
CRIME(shard_ends_too_late, f->shard.last = 4)
CRIME(shard_begins_too_late, f->shard.first = 1)
CRIME(shard_is_empty, f->shard.first = 3)
CRIME(pairs_do_not_add_up, f->m.pairs = 6)

#define ROWS true /* the documents are valid, so counting may succeed */
#define DOCS false

static const struct {
    const char *label;
    void (*commit)(struct forged *f);
    bool rows;
} crimes[] = {
#define DO(name, rows) { #name, name, rows }
    DO(forward_offsets_fall, DOCS),
    DO(forward_offset_is_past_the_end, DOCS),
    DO(forward_offset_is_enormous, DOCS),
    DO(forward_offsets_do_not_begin_at_0, DOCS),
    DO(forward_offsets_end_too_early, DOCS),
    DO(document_has_a_term_that_is_not, DOCS),
    DO(document_has_an_enormous_term, DOCS),
    DO(document_is_unsorted, DOCS),
    DO(document_has_a_term_twice, DOCS),
    DO(inverted_offsets_fall, DOCS),
    DO(inverted_offset_is_enormous, DOCS),
    DO(term_has_a_document_that_is_not, DOCS),
    DO(term_is_unsorted, DOCS),
    DO(views_differ, DOCS),
    DO(views_differ_in_length, DOCS),
    DO(term_has_no_documents, ROWS),
    DO(term_names_fall, ROWS),
    DO(term_name_is_enormous, ROWS),
    DO(two_terms_have_one_name, ROWS),
    DO(sorted_names_are_not, ROWS),
    DO(sorted_name_is_no_term, ROWS),
    DO(sorted_name_is_enormous, ROWS),
    DO(sorted_name_comes_twice, ROWS),
    DO(ties_are_not_in_byte_order, ROWS),
    DO(ids_are_not_by_frequency, ROWS),
    DO(document_names_fall, ROWS),
    DO(document_name_is_enormous, ROWS),
    DO(increments_are_wrong, DOCS),
    DO(there_are_more_documents, DOCS),
    DO(there_are_fewer_terms, DOCS),
    DO(there_are_no_documents, DOCS),
    DO(postings_overflow, DOCS),
    DO(row_offsets_fall, ROWS),
    DO(row_offset_is_enormous, ROWS),
    DO(row_begins_at_the_wrong_byte, ROWS),
    DO(row_is_that_of_another, ROWS),
    DO(row_is_missing, ROWS),
    DO(row_has_the_wrong_sum, ROWS),
    DO(row_has_no_count_bits, ROWS),
    DO(row_is_longer_than_its_code, ROWS),
    DO(row_of_one_document_is_written, ROWS),
    DO(row_of_one_document_is_written_as_empty, ROWS),
    DO(shard_has_fewer_pairs, ROWS),
    DO(rows_omitted_have_fewer_pairs, ROWS),
    DO(rows_omitted_have_more_pairs_than_fit, ROWS),
    DO(more_rows_are_left_out_than_may_be, ROWS),
    DO(fewer_rows_are_left_out_than_said, ROWS),
    DO(rows_omitted_begin_too_late, ROWS),
    DO(rows_omitted_begin_too_early, ROWS),
    DO(more_rows_are_left_out_than_there_are, ROWS),
    DO(enormously_many_rows_are_left_out, ROWS),
    DO(rows_omitted_have_too_high_a_df, ROWS),
    DO(rows_omitted_have_an_enormous_df, ROWS),
    DO(no_row_is_in_a_shard, ROWS),
    DO(rows_end_past_the_file, ROWS),
    DO(the_seal_is_of_another_collection, ROWS),
    DO(rows_end_at_an_odd_byte, ROWS),
    DO(rows_are_enormous, ROWS),
    DO(row_offsets_are_too_few, ROWS),
    DO(shard_ends_too_early, ROWS),
    DO(shard_ends_too_late, ROWS),
    DO(shard_begins_too_late, ROWS),
    DO(shard_is_empty, ROWS),
    DO(pairs_do_not_add_up, ROWS),
#undef DO
};

/* ---- the tests ------------------------------------------------------- */

static char *empty_store(void)
{
    char *store = in_dir(dir, "s"), cmd[4200];

    snprintf(cmd, sizeof cmd, "rm -rf '%s' && mkdir '%s'", store, store);
    assert_int_equal(system(cmd), 0);
    return store;
}

static void the_unmodified_store_equals_a_counted_store(void **state)
{
    char *store = empty_store();
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_check_report rep = COOC_CHECK_REPORT;
    struct cooc_err err = { 0 };
    struct forged f = honest;
    char *rows = in_dir(store, "rows-0000.bin"), *a, *b;
    size_t n, m;

    (void)state;
    put_store(&f, store);
    CHECK_RC(cooc_check(store, 1, NULL, &rep, &err), 0, &err);
    assert_int_equal(rep.pairs, 5);
    assert_int_equal(rep.increments, 7);
    a = read_bytes(rows, &n);
    o.recount = true;
    CHECK_RC(cooc_count(store, &o, NULL, &err), 0, &err);
    b = read_bytes(rows, &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
    free(rows);
    free(store);
}

static void every_hostile_store_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(crimes); i++) {
        char *store = empty_store();
        struct cooc_count_options o = COOC_COUNT_OPTIONS;
        struct cooc_err err = { 0 };
        struct forged f = honest;
        int rc;

        crimes[i].commit(&f);
        put_store(&f, store);
        free(ask_everything(store, true)); /* must not crash */
        rc = cooc_check(store, 1 + i % 2, NULL, NULL, &err);
        if (rc != COOC_EFORMAT)
            fail_msg("%s: check returned %d", crimes[i].label, rc);
        o.recount = true;
        o.method = cooc_method_get((unsigned)(i % 5))->name;
        rc = cooc_count(store, &o, NULL, &err);
        if (rc != COOC_EFORMAT && !(rc == 0 && crimes[i].rows))
            fail_msg("%s: count returned %d", crimes[i].label, rc);
        free(ask_everything(store, false));
        free(store);
    }
    assert_int_equal(mem_live(), 0);
}

/* A merge reads, checks and renumbers its inputs: the result is valid, or there
 * is none. */
static void merging_a_hostile_store_gives_a_valid_store_or_none(void **state)
{
    char *good = in_dir(dir, "good"), *out = in_dir(dir, "out");
    struct forged h = honest;
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    size_t refused = 0;

    (void)state;
    assert_int_equal(mkdir(good, 0777), 0);
    put_store(&h, good);
    o.replace = true;
    for (size_t i = 0; i < 2 * ARRAY_LEN(crimes); i++) {
        const char *label = crimes[i / 2].label;
        char *store = empty_store();
        const char *const both[] = { good, store };
        struct cooc_err err = { 0 };
        struct forged f = honest;
        int rc;

        crimes[i / 2].commit(&f);
        put_store(&f, store);
        o.from = i % 2 ? COOC_MERGE_ROWS : COOC_MERGE_DOCUMENTS;
        o.batch_pairs = i % 3;
        rc = cooc_merge(both, 2, out, &o, NULL, &err);
        if (rc == 0 && cooc_check(out, 1, NULL, NULL, &err) < 0)
            fail_msg("%s: invalid store: %s", label, err.text);
        if (rc != 0 && rc != COOC_EFORMAT)
            fail_msg("%s: merge returned %d: %s", label, rc, err.text);
        refused += rc != 0;
        free(store);
    }
    assert_true(refused > ARRAY_LEN(crimes));
    assert_int_equal(mem_live(), 0);
    free(good);
    free(out);
}

static void postings_that_overflow_are_refused_at_once(void **state)
{
    char *store = empty_store();
    struct cooc_err err = { 0 };
    struct forged f = honest;
    struct cooc *db;

    (void)state;
    postings_overflow(&f);
    put_store(&f, store);
    CHECK_RC(cooc_open(&db, store, &err), COOC_EFORMAT, &err);
    free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unmodified_store_equals_a_counted_store),
        cmocka_unit_test(every_hostile_store_is_refused),
        cmocka_unit_test(merging_a_hostile_store_gives_a_valid_store_or_none),
        cmocka_unit_test(postings_that_overflow_are_refused_at_once),
    };

    return cmocka_run_group_tests_name("store_hostile", tests, make_dir,
                                       remove_dir);
}
