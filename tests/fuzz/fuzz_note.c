/* fuzz_note.c - the note of an unfinished count.  It is only compared: no note
 * except the original may match. */
#include "fuzz.h"

#include "base/watch.h"
#include "cooc_build.h"
#include "jobs/input_fingerprint.h"

static char *store, *note_path;
static struct buf fingerprint;

/* An indexed store, and its note. */
static void prepare(void)
{
    char *input = fuzz_path("documents.txt");
    const char *const inputs[] = { input };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct watch w;

    store = fuzz_path("s");
    note_path = fuzz_path("s/" INPUT_FINGERPRINT_NAME);
    fuzz_put(input, "tea milk\ntea\n", 13);
    MUST(watch_init(&w, NULL, NULL) == 0);
    MUST(cooc_index(inputs, 1, store, &o, NULL, NULL) == 0);
    MUST(input_fingerprint_make(&fingerprint, inputs, 1, &o, &w, NULL) == 0 &&
         fingerprint.len);
    watch_release(&w);
    free(input);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    const char *differs;
    bool matches;

    if (!store)
        prepare();
    if (size == 1) /* stands for the original, which contains an inode */
        fuzz_put(note_path, fingerprint.data, fingerprint.len);
    else
        fuzz_put(note_path, data, size);
    MUST(input_fingerprint_matches(&fingerprint, store, &matches, &differs,
                                   NULL) == 0);
    MUST(matches == (size == 1 || (size == fingerprint.len &&
                                   !memcmp(data, fingerprint.data, size))));
    MUST(!matches || !differs);
}
