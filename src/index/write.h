/* write.h - write the files of a collection. */
#ifndef COOC_WRITE_H
#define COOC_WRITE_H

#include "base/placed_file.h"
#include "index/collection.h"

struct ingested;
struct index_job;
struct ordering;

/* Writers of several files, by enum collection_file; NULL for files that are
 * not being written.  Initially all NULL.  The stages of indexing share one, so
 * that all files are synced at the end, together. */
struct files_writer {
    struct placed_file *files[COLLECTION_FILES];
};

/* Create files first to last in dir.  Each .off file starts with its
 * first offset, 0. */
int files_writer_open(struct files_writer *w, const char *dir,
                      enum collection_file first, enum collection_file last,
                      struct cooc_err *err);
/* Unless rc is negative, commit all files, on several threads, and describe
 * them in ids.  Release w in any case.  Returns rc, or the error of the
 * commit. */
int files_writer_end(struct files_writer *w, int rc,
                     struct checked_file_id *ids, struct cooc_err *err);

/* Write a complete file f. */
int write_file(const char *dir, enum collection_file f, const void *data,
               size_t len, struct checked_file_id *ids, struct cooc_err *err);

/* Translate the chunks to final ids, write the forward and docs files to w, and
 * free each chunk as soon as it is written. */
int write_forward(struct ingested *g, const struct ordering *o,
                  const struct index_job *job, struct files_writer *w,
                  struct cooc_err *err);

/* Write the inverted files to w, which contains the complete forward files.
 * job->report has the numbers of documents, terms and postings. */
int write_inverted(const struct ordering *o, const struct index_job *job,
                   struct files_writer *w, struct cooc_err *err);

#endif
