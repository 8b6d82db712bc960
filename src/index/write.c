/* write.c - create and commit the files of a collection together. */
#include "index/write.h"

int files_writer_open(struct files_writer *w, const char *dir,
                      enum collection_file first, enum collection_file last,
                      struct cooc_err *err)
{
    const uint64_t zero = 0;
    int rc = 0;

    *w = (struct files_writer){ 0 };
    for (int f = first; f <= (int)last && rc == 0; f++) {
        rc = collection_create(&w->files[f], dir, f, err);
        if (rc == 0 && collection_is_off(f))
            rc = checked_file_write_u64(w->files[f], &zero, 1, err);
    }
    return rc;
}

int files_writer_name(struct files_writer *w, enum collection_file f,
                      const char *name, size_t len, struct cooc_err *err)
{
    int rc = checked_file_write(w->files[f], name, len, err);
    uint64_t end = checked_file_written(w->files[f]);

    return rc < 0 ? rc : checked_file_write_u64(w->files[f + 1], &end, 1, err);
}

int files_writer_end(struct files_writer *w, int rc,
                     struct checked_file_id *ids, struct cooc_err *err)
{
    for (int f = 0; f < COLLECTION_FILES; f++) {
        if (rc == 0 && w->files[f])
            rc = checked_file_commit(w->files[f], &ids[f], err);
        checked_file_writer_free(w->files[f]);
    }
    return rc;
}

int write_file(const char *dir, enum collection_file f, const void *data,
               size_t len, struct checked_file_id *ids, struct cooc_err *err)
{
    struct files_writer w;
    int rc = files_writer_open(&w, dir, f, f, err);

    if (rc == 0)
        rc = checked_file_write(w.files[f], data, len, err);
    return files_writer_end(&w, rc, ids, err);
}
