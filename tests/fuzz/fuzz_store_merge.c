/* fuzz_store_merge.c - merge a forged store with a good one.  The result is
 * good, or there is none.
 *
 *     u8 how; sections as in forge.h
 */
#include "fuzz.h"

#include "cooc_build.h"
#include "forge.h"

void fuzz_one(const uint8_t *data, size_t size)
{
    static struct forge *forge;
    static char *store, *good, *out;
    const char *both[2];
    struct bytes in = { data, size };
    uint8_t how = take_byte(&in);
    struct cooc_merge_options o = COOC_MERGE_OPTIONS;
    struct cooc_count_options count = COOC_COUNT_OPTIONS;
    struct cooc_err err = { 0 };
    int rc;

    if (!forge) {
        struct cooc_index_options io = COOC_INDEX_OPTIONS;

        io.stem = "english";
        store = fuzz_path("s");
        good = fuzz_path("good");
        out = fuzz_path("out");
        fuzz_make_store(good, "a b c\nb d\nx y\n", &io);
        forge = forge_new(store, "a b c d\na b c\na b d\nc d e\na e\n");
    }
    forge_write(forge, in, NULL, 0, how & 32);
    both[0] = how & 16 ? good : store;
    both[1] = how & 16 ? store : good;
    o.from = how % 3;
    o.batch_pairs = how >> 2 & 3;
    o.replace = true;
    o.count = &count;
    count.threads = 1;
    count.memory = COOC_COUNT_MEMORY_MIN;
    rc = cooc_merge(both, 2, out, &o, NULL, &err);
    MUST(rc == 0 || err.text[0]);
    if (rc < 0)
        return;
    rc = cooc_check(out, 1, NULL, NULL, &err);
    if (rc < 0)
        fprintf(stderr, "the merged store is damaged: %s\n", err.text);
    MUST(rc == 0);
}
