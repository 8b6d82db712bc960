/* fuzz_parts.c - counting.parts, on which the parts of a count agree.  Whatever
 * it says, it is read within its bounds, or refused with a message; a counter
 * uses it only if it is the plan of the store.
 *
 *     u8      bit 0: insert the hash of the collection
 *     the payload
 */
#include "fuzz.h"

#include "base/bytes.h"
#include "base/checked_file.h"
#include "cooc_parts.h"
#include "store/manifest.h"
#include "store/parts_file.h"
#include "store/seal.h"

static char *store, *path;
static uint64_t collection;
static struct parts_file plan; /* of the store */

/* Return what opening a counter returns. */
static int open_counter(void)
{
    struct cooc_count_options o = COOC_COUNT_OPTIONS;
    struct cooc_err err = { 0 };
    struct cooc_counter *c;
    int rc;

    o.threads = 1;
    rc = cooc_counter_open(&c, store, &o, &err);
    MUST(rc == 0 || (!c && err.text[0]));
    cooc_counter_close(c);
    return rc;
}

static void prepare(void)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    static const char text[] = "a b c d\na b c\na b d\nc d e\na e f\nb f\n";
    char *lines = fuzz_path("lines.txt");
    const char *const inputs[] = { lines };
    struct manifest m;

    store = fuzz_path("s");
    path = fuzz_path("s/counting.parts");
    fuzz_put(lines, text, strlen(text));
    o.format = "lines";
    MUST(cooc_index(inputs, 1, store, &o, NULL, NULL) == 0);
    MUST(manifest_read(&m, store, NULL) == 0);
    collection = seal_collection(m.files);
    manifest_release(&m);
    MUST(open_counter() == 0);
    MUST(parts_file_read(&plan, store, NULL) == 1);
    fuzz_keeps = true;
    free(lines);
}

static void ask_status(void)
{
    struct cooc_status_info info = COOC_STATUS_INFO;
    struct cooc_err err = { 0 };
    struct cooc_status *s;

    if (cooc_status_open(&s, store, NULL, &err) < 0) {
        MUST(!s && err.text[0]);
        return;
    }
    MUST(cooc_status_info_get(s, &info, NULL) == 0);
    MUST(info.done >= 0 && info.done <= 1);
    for (uint64_t i = 0; i < info.shards + info.shares; i++) {
        struct cooc_status_unit u = COOC_STATUS_UNIT;

        MUST(cooc_status_unit_get(s, i, &u, NULL) == 0);
        MUST(u.first < u.last);
    }
    cooc_status_close(s);
}

/* Write a file with valid checksums. */
static void put_payload(const uint8_t *data, size_t size)
{
    struct checked_file_writer *w;
    struct checked_file_id id;

    MUST(checked_file_create(&w, path, "parts", NULL) == 0);
    MUST(checked_file_write(w, data, size, NULL) == 0);
    MUST(checked_file_commit(w, &id, NULL) == 0);
    checked_file_writer_free(w);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct cooc_err err = { 0 };
    struct parts_file p;
    uint8_t *own;
    int rc;

    if (!store)
        prepare();
    if (!size)
        return;
    own = malloc(size);
    MUST(own);
    memcpy(own, data, size);
    if (*data & 1 && size >= 17)
        put_le64(own + 9, collection);
    put_payload(own + 1, size - 1);
    free(own);
    rc = parts_file_read(&p, store, &err);
    MUST(rc == 1 || (rc < 0 && err.text[0]));
    if (open_counter() == 0) /* other rows may be written */
        MUST(rc == 1 && p.collection == collection && p.terms == plan.terms &&
             p.increments == plan.increments);
    if (rc == 1) {
        MUST(p.cuts[p.n_shards + p.n_shares] == p.terms);
        MUST(!parts_file_equal(&p, &plan) || open_counter() == 0);
    }
    parts_file_release(&p);
    ask_status();
}
