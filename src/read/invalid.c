/* invalid.c - a sorted list of files that have invalid bytes. */
#include "read/invalid.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/watch.h"
#include "cooc_build.h"

struct invalid_file {
    uint64_t entry, bytes;
    char *name;
};

int invalid_add(struct invalid_list *l, uint64_t entry, const char *name,
                uint64_t bytes, struct cooc_err *err)
{
    size_t lo = 0, hi = l->n;
    char *copy;
    int rc;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (l->files[mid].entry < entry)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo < l->n && l->files[lo].entry == entry) {
        l->files[lo].bytes += bytes;
        return 0;
    }
    rc = array_grow(&l->files, &l->cap, l->n + 1, sizeof *l->files, err);
    if (rc < 0)
        return rc;
    copy = mem_dup(name, strlen(name));
    if (!copy)
        return err_nomem(err);
    memmove(l->files + lo + 1, l->files + lo, (l->n - lo) * sizeof *l->files);
    l->files[lo] = (struct invalid_file){ entry, bytes, copy };
    l->n++;
    return 0;
}

void invalid_note(const struct invalid_list *l, struct watch *watch)
{
    for (size_t i = 0; i < l->n; i++)
        watch_note(watch, (struct cooc_note){ .kind = COOC_NOTE_INVALID,
                                              .path = l->files[i].name,
                                              .count = l->files[i].bytes,
                                              .text = "" });
}

void invalid_release(struct invalid_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        mem_free(l->files[i].name);
    mem_free(l->files);
    *l = (struct invalid_list){ 0 };
}
