/* fuzz_manifest.c - manifest.json with a valid checksum.  If the store can be
 * opened, it must answer queries.
 *
 *     the text up to the checksum
 */
#include "fuzz.h"

#include <inttypes.h>
#include <xxhash.h>

#include "base/buf.h"
#include "cooc_build.h"
#include "cooc_bulk.h"
#include "store/manifest.h"

static char *store, *path;

static void prepare(void)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    store = fuzz_path("s");
    path = fuzz_path("s/" MANIFEST_NAME);
    fuzz_make_store(store, "a b c\na b\nb c d\na e\n", &o);
}

static void ask(struct cooc *db)
{
    struct cooc_hit *hits = NULL;
    struct cooc_info info = COOC_INFO;
    uint32_t id, zero = 0;
    size_t n;

    cooc_info_get(db, &info, NULL);
    MUST(strlen(cooc_manifest(db)) > 0);
    cooc_term_find(db, "a", 1, &id, NULL);
    cooc_top(db, &zero, 1, COOC_MATCH_ALL, NULL, &hits, &n, NULL);
    cooc_free(hits);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct buf text = { 0 };
    struct cooc_err err = { 0 };
    struct manifest m;
    struct cooc *db;
    int rc;

    if (!store)
        prepare();
    MUST(buf_add(&text, data, size, NULL) == 0);
    MUST(buf_printf(&text, NULL, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n",
                    (uint64_t)XXH3_64bits(data, size)) == 0);
    fuzz_put(path, text.data, text.len);
    rc = manifest_read(&m, store, &err);
    MUST(rc == 0 || err.text[0]);
    if (rc == 0)
        MUST(m.text.len == text.len);
    manifest_release(&m);
    if (rc == 0 && cooc_open(&db, store, &err) == 0) {
        ask(db);
        cooc_close(db);
        cooc_check(store, 1, NULL, NULL, &err);
    }
    buf_release(&text);
}
