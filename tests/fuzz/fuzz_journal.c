/* fuzz_journal.c - the journal of a process that counts in a store.  Whatever
 * it says, it is reported or skipped, and counting is not disturbed.
 *
 *     u8      bit 0: of a part
 *     the text
 */
#include "fuzz.h"

#include "base/file.h"
#include "cooc_parts.h"
#include "store/journal.h"

static char *store, *part, *count;

static void prepare(void)
{
    struct cooc_index_options o = COOC_INDEX_OPTIONS;

    store = fuzz_path("s");
    part = fuzz_path("s/.tmp-part-host-1-0");
    count = fuzz_path("s/.tmp-count-host-1-0");
    fuzz_make_store(store, "a b c\na b\nb c d\na e\n", &o);
}

static bool is_printable(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct journal_list list;
    struct cooc_status *s;
    struct cooc_err err = { 0 };
    int lock;

    if (!store)
        prepare();
    if (!size)
        return;
    fuzz_put(*data & 1 ? part : count, data + 1, size - 1);
    MUST(journal_list_read(&list, store, &err) == 0);
    MUST(list.n <= 1);
    for (size_t i = 0; i < list.n; i++) {
        const struct journal_entry *e = &list.entries[i];

        MUST(!e->running && e->shared == (*data & 1));
        MUST(is_printable(e->host) && is_printable(e->label));
        MUST(e->n_units * 4 <= size && e->last >= e->start);
    }
    journal_list_release(&list);
    MUST(cooc_status_open(&s, store, NULL, &err) == 0);
    cooc_status_close(s);
    MUST(journal_lock(&lock, store, false, &err) == 0); /* nobody runs */
    dir_unlock(lock);
    remove(*data & 1 ? part : count);
}
