/* write.c - create and commit the files of a collection together. */
#include "index/write.h"

#include "base/pool.h"

/* Committing is waiting for the disk, whatever the number of cores. */
#define COMMITS_AT_ONCE 4u

int files_writer_open(struct files_writer *w, const char *dir,
                      enum collection_file first, enum collection_file last,
                      struct cooc_err *err)
{
    const uint64_t zero = 0;
    int rc = 0;

    for (int f = first; f <= (int)last && rc == 0; f++) {
        rc = collection_create(&w->files[f], dir, f, err);
        if (rc == 0 && collection_is_off(f))
            rc = placed_file_put_u64(w->files[f], 0, &zero, 1, err);
    }
    return rc;
}

struct committing {
    struct files_writer *w;
    struct checked_file_id *ids;
};

static int commit_file(void *self, unsigned worker, uint64_t f,
                       struct cooc_err *err)
{
    const struct committing *c = self;

    (void)worker;
    return c->w->files[f] ? placed_file_commit(c->w->files[f], &c->ids[f], err)
                          : 0;
}

int files_writer_end(struct files_writer *w, int rc,
                     struct checked_file_id *ids, struct cooc_err *err)
{
    struct committing c = { .w = w, .ids = ids };

    if (rc == 0)
        rc = pool_for(COLLECTION_FILES, COMMITS_AT_ONCE, commit_file, &c, err);
    for (int f = 0; f < COLLECTION_FILES; f++)
        placed_file_free(w->files[f]);
    *w = (struct files_writer){ 0 };
    return rc;
}

int write_file(const char *dir, enum collection_file f, const void *data,
               size_t len, struct checked_file_id *ids, struct cooc_err *err)
{
    struct files_writer w = { 0 };
    int rc = files_writer_open(&w, dir, f, f, err);

    if (rc == 0)
        rc = placed_file_put(w.files[f], 0, data, len, err);
    return files_writer_end(&w, rc, ids, err);
}
