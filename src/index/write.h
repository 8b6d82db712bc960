/* write.h - the files of a collection on their way to the disk. */
#ifndef COOC_WRITE_H
#define COOC_WRITE_H

#include "index/collection.h"

struct ingested;
struct index_job;
struct ordering;

/* Writers of several files, by enum collection_file; NULL for the others. */
struct files_writer {
    struct checked_file_writer *files[COLLECTION_FILES];
};

/* Create the files first to last in dir.  An .off file begins with its 0. */
int files_writer_open(struct files_writer *w, const char *dir,
                      enum collection_file first, enum collection_file last,
                      struct cooc_err *err);
/* Append a name to file f, and where it ends to the .off file after f. */
int files_writer_name(struct files_writer *w, enum collection_file f,
                      const char *name, size_t len, struct cooc_err *err);
/* Commit all files and describe them in ids, unless rc says that something
 * has failed; release w.  Returns rc or the error of committing. */
int files_writer_end(struct files_writer *w, int rc,
                     struct checked_file_id *ids, struct cooc_err *err);

/* Write file f whole. */
int write_file(const char *dir, enum collection_file f, const void *data,
               size_t len, struct checked_file_id *ids, struct cooc_err *err);

/* Translate the chunks to final ids: forward and docs files. */
int write_forward(const struct ingested *g, const struct ordering *o,
                  const struct index_job *job, struct cooc_err *err);

/* The inverted files, from the forward file just written, which has the
 * documents and terms of job->report. */
int write_inverted(const struct index_job *job, struct cooc_err *err);

#endif
