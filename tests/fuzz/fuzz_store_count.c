/* fuzz_store_count.c - count a store with forged files, and with rows that an
 * earlier count seems to have left.  If the count succeeds and keeps no such
 * rows, the store must be good if its names are.
 *
 *     u8 method; sections as in forge.h
 */
#include "fuzz.h"

#include <unistd.h>

#include "cooc_build.h"
#include "forge.h"
#include "store_asks.h"

static const char lines[] = "a b c d\na b c\na b d\nc d e\na e f\nb f\n";

void fuzz_one(const uint8_t *data, size_t size)
{
    static const uint8_t parts[] = { FILE_TERMS, FILE_TERMS_OFF,
                                     FILE_TERMS_SORT, FILE_FORWARD,
                                     FILE_FORWARD_OFF, FILE_INVERTED,
                                     FILE_INVERTED_OFF, PART_ROWS,
                                     PART_ROW_OFFSETS, PART_SEAL,
                                     PART_NUMBERS };
    static struct forge *forge;
    static char *store, *rows;
    struct bytes in = { data, size };
    uint8_t how = take_byte(&in);
    struct cooc_tuning tuning = COOC_TUNING;
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_count_report r = COOC_COUNT_REPORT;
    struct cooc_err err = { 0 };
    int rc;

    if (!forge) {
        store = fuzz_path("s");
        rows = fuzz_path("s/rows-0000.bin");
        forge = forge_new(store, lines);
    }
    forge_write(forge, in, parts, sizeof parts, how & 64);
    if (how & 32)
        unlink(rows);
    o.method = cooc_method_get(how % 6) ? cooc_method_get(how % 6)->name : NULL;
    o.threads = 1;
    o.memory = COOC_COUNT_MEMORY_MIN;
    o.tuning = &tuning;
    tuning.batch_postings = how & 16 ? 5 : 0;
    o.recount = true;
    rc = cooc_count(store, &o, &r, &err);
    MUST(rc == 0 || err.text[0]);
    if (rc == 0)
        ask_store(store, how | 1, cooc_check(store, 1, NULL, NULL, NULL) == 0);
}
