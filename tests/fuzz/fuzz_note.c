/* fuzz_note.c - the note of a count that did not come to its end.  It is only
 * compared: no other than the true one may fit. */
#include "fuzz.h"

#include "base/watch.h"
#include "cooc_build.h"
#include "jobs/count_note.h"

static char *store, *note_path;
static struct buf note;

/* An indexed store, and its note. */
static void prepare(void)
{
    char *input = fuzz_path("documents.txt");
    const char *const inputs[] = { input };
    struct cooc_index_options o = COOC_INDEX_OPTIONS;
    struct watch w;

    store = fuzz_path("s");
    note_path = fuzz_path("s/" COUNT_NOTE_NAME);
    fuzz_put(input, "tea milk\ntea\n", 13);
    MUST(watch_init(&w, NULL, NULL) == 0);
    MUST(cooc_index(inputs, 1, store, &o, NULL, NULL) == 0);
    MUST(count_note_make(&note, inputs, 1, &o, &w, NULL) == 0 && note.len);
    watch_release(&w);
    free(input);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    const char *differs;
    bool fits;

    if (!store)
        prepare();
    if (size == 1) /* the true one cannot be a seed: it holds an inode */
        fuzz_put(note_path, note.data, note.len);
    else
        fuzz_put(note_path, data, size);
    MUST(count_note_fits(&note, store, &fits, &differs, NULL) == 0);
    MUST(fits == (size == 1 || (size == note.len &&
                                !memcmp(data, note.data, size))));
    MUST(!fits || !differs);
}
