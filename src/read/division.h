/* division.h - divide the inputs of an index into shares that can be read
 * independently.
 *
 * Every process that computes share i of n from the same inputs gets the same
 * share, and all shares in order are the sequence of documents that one reader
 * would return.  A share is a contiguous range of this sequence:
 *
 *     files      |   a.jsonl   |  b.jsonl.gz  |       c.jsonl       |
 *     3 shares   |    share 1     |      share 2     |   share 3    |
 *     become     |   share 1   |    share 2   | share 2  | share 3  |
 *
 * All files count by their size on disk.  A boundary in a file of lines moves
 * to the next line (triples: to the next document); a boundary in any other
 * file moves to the nearer end of the file.
 *
 * A document is named after its line in the file, so the reader counts the
 * lines before the share, but only if a name or a message needs the number.
 */
#ifndef COOC_DIVISION_H
#define COOC_DIVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct cooc_index_options;
struct part_info;
struct format;
struct watch;

/* A file of the inputs, or bytes [from, to) of it. */
struct share_file {
    char *path;
    uint64_t size;
    uint64_t from, to;           /* 0, UINT64_MAX: the whole file */
    const struct format *format; /* NULL: unknown */
    bool begins;                 /* the first file of an input */
    bool found;                  /* in a directory, not named by the user */
};

/* Where a share begins or ends. */
struct share_place {
    uint64_t file; /* among the files of all inputs */
    uint64_t byte;
};

struct division {
    struct share_file *files; /* of all inputs, in reading order */
    size_t n, cap;
    const struct format *kind; /* decides whether documents are text or terms;
                                * NULL: no input has documents */
    const char *kind_input;    /* the first input that has documents */
    bool distinct;             /* the names of documents must be distinct */
    uint64_t inputs;           /* hash of the inputs and how they are read */
    struct share_place begin, end; /* of this share */
    uint64_t skipped, stores;  /* files and stores skipped in directories */
};

/* Divide the inputs into o->parts shares and set begin and end to those of
 * share o->part.  The range of the first and of the last file of the share is
 * restricted accordingly.  COOC_EINVAL if an input is not a regular file or a
 * directory.  Release *d even after a failure. */
int division_make(struct division *d, const char *const *inputs, size_t n,
                  const struct cooc_index_options *o, struct watch *watch,
                  struct cooc_err *err);
void division_release(struct division *d);

/* Set the members of *p that tell which share of the inputs it is. */
void division_describe(const struct division *d,
                       const struct cooc_index_options *o,
                       struct part_info *p);

#endif
