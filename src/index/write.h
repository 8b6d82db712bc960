/* write.h - write the files of a collection. */
#ifndef COOC_WRITE_H
#define COOC_WRITE_H

#include "index/collection.h"

struct ingested;
struct index_job;
struct ordering;

/* Writers of several files, by enum collection_file; NULL for files that are
 * not being written. */
struct files_writer {
    struct checked_file_writer *files[COLLECTION_FILES];
};

/* Create files first to last in dir.  Each .off file starts with its
 * first offset, 0. */
int files_writer_open(struct files_writer *w, const char *dir,
                      enum collection_file first, enum collection_file last,
                      struct cooc_err *err);
/* Append a name to file f, and its end to the .off file that follows f. */
int files_writer_name(struct files_writer *w, enum collection_file f,
                      const char *name, size_t len, struct cooc_err *err);
/* Unless rc is negative, commit all files and describe them in ids.  Release w
 * in any case.  Returns rc, or the error of the commit. */
int files_writer_end(struct files_writer *w, int rc,
                     struct checked_file_id *ids, struct cooc_err *err);

/* Write a complete file f. */
int write_file(const char *dir, enum collection_file f, const void *data,
               size_t len, struct checked_file_id *ids, struct cooc_err *err);

/* Translate the chunks to final ids and write the forward and docs files. */
int write_forward(const struct ingested *g, const struct ordering *o,
                  const struct index_job *job, struct cooc_err *err);

/* Write the inverted files, from the forward files just written.  job->report
 * has the numbers of documents and terms. */
int write_inverted(const struct index_job *job, struct cooc_err *err);

#endif
