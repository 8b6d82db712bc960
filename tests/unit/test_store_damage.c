/* test_store_damage.c - any changed or missing byte of a store is detected, and
 * no query result is ever wrong.  Each run tries a different sample of all bits
 * and lengths; tests/abuse/damage.t tries every one. */
#include "answers.h"

#include <fcntl.h>
#include <time.h>

#include "base/mem.h"
#include "cooc_build.h"
#include "store/manifest.h"

#define EVERY_BIT 97u
#define EVERY_LENGTH 13u

static char *dir, *store, *truth;
static size_t offset; /* the first bit and length to try */

/* A counted store of 9 terms and 9 documents in which no file is empty. */
static void make_full_store(void)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct cooc_err err = { 0 };
    char *input = write_text(dir, "in", "a b c d e f\na b c d e\na b c d\n"
                                        "a b c\na b\na g\ndogs the dog\nf e a\n"
                                        "vehicle a\n");
    char *stop = write_text(dir, "stop", "the\n");
    char *thesaurus = write_text(dir, "thesaurus", "vehicle\tcar\n");
    char *phrases = write_text(dir, "phrases", "d e\nno phrase\n");
    const char *const inputs[] = { input };

    o.format = "lines";
    o.stem = "english";
    o.stop_file = stop;
    o.thesaurus_file = thesaurus;
    o.phrases_file = phrases;
    store = in_dir(dir, "store");
    CHECK_RC(cooc_index(inputs, 1, store, &o, NULL, &err), 0, &err);
    CHECK_RC(cooc_count(store, &full_rows, NULL, &err), 0, &err);
    CHECK_RC(cooc_check(store, 2, NULL, NULL, &err), 0, &err);
    truth = ask_everything(store, true);
    free(input);
    free(stop);
    free(thesaurus);
    free(phrases);
}

/* Check that cooc_check() fails and each query fails or is right. */
static void notice(const char *name, const char *what, size_t at)
{
    struct cooc_err err = { 0 };
    int rc = cooc_check(store, 1, NULL, NULL, &err);
    char *got;

    if (rc != COOC_EFORMAT && rc != COOC_EVERSION)
        fail_msg("%s, %s %zu: check returned %d, %s", name, what, at, rc,
                 err.text);
    if (!strstr(err.text, name))
        fail_msg("%s, %s %zu: check says %s", name, what, at, err.text);
    got = ask_everything(store, strchr("tsflp", *name) != NULL);
    if (!answers_right(got, truth))
        fail_msg("%s, %s %zu: wrong query result", name, what, at);
    free(got);
}

static void flip_bits(const char *name)
{
    char *path = in_dir(store, name);
    size_t len;
    char *bytes = read_bytes(path, &len);
    int fd = open(path, O_RDWR);

    assert_true(fd >= 0);
    for (size_t bit = offset % EVERY_BIT; bit < len * 8; bit += EVERY_BIT) {
        char flipped = (char)(bytes[bit / 8] ^ (1 << bit % 8));

        assert_int_equal(pwrite(fd, &flipped, 1, (off_t)(bit / 8)), 1);
        notice(name, "bit", bit);
        assert_int_equal(pwrite(fd, bytes + bit / 8, 1, (off_t)(bit / 8)), 1);
    }
    close(fd);
    free(bytes);
    free(path);
}

static void cut_short(const char *name)
{
    char *path = in_dir(store, name);
    size_t len;
    char *bytes = read_bytes(path, &len);

    for (size_t n = offset % EVERY_LENGTH; n < len; n += EVERY_LENGTH) {
        write_bytes(path, bytes, n);
        notice(name, "cut to", n);
    }
    bytes[len] = '\n';
    write_bytes(path, bytes, len + 1);
    notice(name, "grown to", len + 1);
    write_bytes(path, bytes, len);
    free(bytes);
    free(path);
}

static void for_every_file(void (*damage)(const char *name))
{
    struct cooc_err err = { 0 };
    char *got;

    for (int f = 0; f < COLLECTION_FILES; f++)
        damage(collection_file_name(f));
    damage("rows-0000.bin");
    damage("manifest.json");
    CHECK_RC(cooc_check(store, 2, NULL, NULL, &err), 0, &err);
    got = ask_everything(store, true);
    assert_string_equal(got, truth);
    free(got);
    assert_int_equal(mem_live(), 0);
}

static void a_flipped_bit_is_detected(void **state)
{
    (void)state;
    for_every_file(flip_bits);
}

static void a_truncated_file_is_detected(void **state)
{
    (void)state;
    for_every_file(cut_short);
}

/* Exchange two intact files of the same kind and size. */
static void swapped_files_are_detected(void **state)
{
    char *a = in_dir(store, "terms.off"), *b = in_dir(store, "docs.off");
    char *c = in_dir(dir, "aside");

    (void)state;
    assert_int_equal(rename(a, c) | rename(b, a) | rename(c, b), 0);
    notice("terms.off", "swapped", 0);
    assert_int_equal(rename(a, c) | rename(b, a) | rename(c, b), 0);
    free(a);
    free(b);
    free(c);
}

static int make_dir(void **state)
{
    (void)state;
    choose_tmpdir();
    dir = fresh_dir();
    offset = (size_t)time(NULL);
    make_full_store();
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    drop_dir(dir);
    free(store);
    free(truth);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_truncated_file_is_detected),
        cmocka_unit_test(a_flipped_bit_is_detected),
        cmocka_unit_test(swapped_files_are_detected),
    };

    return cmocka_run_group_tests_name("store_damage", tests, make_dir,
                                       remove_dir);
}
