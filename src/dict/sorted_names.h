/* sorted_names.h - a dictionary in byte order of its names, and the merge of
 * many.
 *
 * A record has an id, a number and a name.  In a dictionary of terms these
 * are the provisional id, the df and the term; in a dictionary of surface
 * forms the provisional id of a term, the number of tokens and the form
 * (forms.h).
 *
 * Records are streams of a spool (base/spool.h): struct name_head, then the
 * name, in the machine's own byte order, since they never outlive the process.
 */
#ifndef COOC_SORTED_NAMES_H
#define COOC_SORTED_NAMES_H

#include <stdbool.h>

#include "base/spool.h"

struct dict;

struct sorted_names {
    struct spool records;
    uint32_t n_ids; /* ids are below this */
    uint32_t owner; /* forms: the number of the dictionary of terms with
                     * these ids */
};

struct name_record {
    uint32_t id;
    uint64_t number;
    const char *name;
    size_t len;
};

/* Append a record to a stream of records, which must come in byte order. */
int names_write(struct spool_writer *w, const struct name_record *r,
                struct cooc_err *err);

/* Make s of the names of d.  fill() sets id, which is that of d at first,
 * and number of a record.  It returns 1, 0 to leave the record out, or a
 * negative COOC_E*. */
typedef int (*name_fill_fn)(void *self, struct name_record *r,
                            struct cooc_err *err);
int names_write_dict(struct sorted_names *s, struct spool_file *file,
                     const struct dict *d, name_fill_fn fill, void *self,
                     struct cooc_err *err);

/* Reads a dictionary from its beginning. */
struct names_cursor {
    struct name_record now; /* valid until the next record */
    const struct sorted_names *names;
    struct spool_reader in;
    uint8_t *window;
    struct buf name;
};

int names_cursor_init(struct names_cursor *c, const struct sorted_names *names,
                      const struct spool_file *file, uint64_t window,
                      struct cooc_err *err);
/* 1: now is the next record; 0: no more; < 0: failed. */
int names_cursor_next(struct names_cursor *c, struct cooc_err *err);
void names_cursor_release(struct names_cursor *c);

/* Several dictionaries as one. */
struct names_merge {
    struct names_cursor *cursors; /* one per dictionary */
    size_t n_cursors;
    void **heap; /* the cursors that have a record left; the first has the
                  * least name */
    size_t n;    /* of heap */
    struct buf last; /* the name before the least one */
    bool is_new;     /* the least name is another one, or the first */
};

/* memory: bytes of which a quarter is for windows. */
int names_merge_open(struct names_merge *m, const struct sorted_names *names,
                     size_t n, const struct spool_file *file, uint64_t memory,
                     struct cooc_err *err);
/* The cursor with the least name, if m->n is not 0. */
static inline const struct names_cursor *
names_merge_least(const struct names_merge *m)
{
    return m->heap[0];
}

/* The least record is used up.  m->n is 0 after the last one. */
int names_merge_next(struct names_merge *m, struct cooc_err *err);
void names_merge_close(struct names_merge *m);

#endif
