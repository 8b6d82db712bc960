/* fuzz_store.c - forged files of a store, with valid checksums: open it, check
 * it, run every query.  A store that passes the check must answer every query,
 * and every count must be that of its documents.
 *
 *     sections as in forge.h, for the parts in FUZZ_PARTS
 */
#include "fuzz.h"

#include "cooc_build.h"
#include "forge.h"
#include "store_asks.h"

static const char lines[] =
    "a b c d e f\na b c\na b d g\na c\nb c d h\na e i\nb f\nc d e f g h i\n"
    "a b c d\nj a\nk dogs dog a b\n";

void fuzz_one(const uint8_t *data, size_t size)
{
    static const uint8_t parts[] = { FUZZ_PARTS };
    static struct forge *forge;
    static char *store;
    struct bytes in = { data, size };
    uint8_t how = (uint8_t)(size ? data[size / 2] + size : 0);

    if (!forge) {
        store = fuzz_path("s");
        forge = forge_new(store, lines);
    }
    forge_write(forge, in, parts, sizeof parts, false);
    ask_store(store, how, cooc_check(store, 1, NULL, NULL, NULL) == 0);
}
