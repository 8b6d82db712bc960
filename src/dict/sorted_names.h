/* sorted_names.h - dictionaries sorted by name, and the merge of several.
 *
 * Names are in byte order.  Each record has an id, a number and a name:
 *
 *                      id                  number             name
 *     terms            provisional id      df                 the term
 *     surface forms    of the term         number of tokens   the form
 *
 * Records are written to a spool (base/spool.h) as a struct name_head followed
 * by the name.  Integers are in host byte order, because a spool never outlives
 * the process.  index/forms.h describes surface forms.
 *
 * A dictionary remembers the first record of every piece of its spool, so that
 * several threads can merge dictionaries, each a range of names.
 */
#ifndef COOC_SORTED_NAMES_H
#define COOC_SORTED_NAMES_H

#include <endian.h>
#include <stdbool.h>
#include <string.h>

#include "base/spool.h"

struct dict;

/* The first record that begins in a piece of the spool. */
struct name_mark {
    uint64_t off; /* of the record in the stream */
    char *name;
    size_t len;
};

struct sorted_names {
    struct spool records;
    uint32_t n_ids; /* every id is below n_ids */
    uint32_t owner; /* for surface forms: index of the dictionary of terms that
                     * assigned these ids */
    struct name_mark *marks;
    size_t n_marks, marks_cap;
};

/* Free the records and the marks; file may already be closed. */
void sorted_names_release(struct sorted_names *s, struct spool_file *file);

struct name_record {
    uint32_t id;
    uint64_t number;
    const char *name;
    size_t len;
};

/* The first 8 bytes of a name as a number that compares like them; a shorter
 * name is followed by zeros. */
static inline uint64_t name_key(const void *name, size_t len)
{
    uint64_t key = 0;

    memcpy(&key, name, len < sizeof key ? len : sizeof key);
    return be64toh(key);
}

/* Writes a dictionary.  Initialise with NAMES_WRITER(). */
struct names_writer {
    struct sorted_names *to;
    struct spool_writer out;
};

#define NAMES_WRITER(names, spool_file)                                  \
    (struct names_writer)                                                \
    {                                                                    \
        .to = (names), .out = { .to = &(names)->records,                 \
                                .file = (spool_file) }                   \
    }

/* Append a record.  Records must be written in byte order of their names. */
int names_write(struct names_writer *w, const struct name_record *r,
                struct cooc_err *err);
/* Release the writer.  rc is the status so far: if it is negative, or if this
 * fails, the dictionary is released.  Returns rc or the new error. */
int names_writer_end(struct names_writer *w, int rc, struct cooc_err *err);

/* Write the names of d to s, sorted.  For each name, fill() gets a record with
 * the id from d, may change that id, and sets the number.  It returns 1 to
 * write the record, 0 to leave it out, or a negative COOC_E*. */
typedef int (*name_fill_fn)(void *self, struct name_record *r,
                            struct cooc_err *err);
int names_write_dict(struct sorted_names *s, struct spool_file *file,
                     const struct dict *d, name_fill_fn fill, void *self,
                     struct cooc_err *err);

/* Names from `from`, included, to `to`, excluded; NULL: without limit. */
struct names_range {
    const struct name_mark *from, *to;
};

/* Cut the names of n dictionaries into ranges of similar size, at least 1 MiB
 * of records each, in a new array of *n_ranges elements that the caller frees
 * with mem_free().  It is valid as long as the dictionaries. */
int names_split(struct names_range **ranges, size_t *n_ranges,
                const struct sorted_names *names, size_t n,
                struct cooc_err *err);

/* Reads the records of one dictionary from the beginning. */
struct names_cursor {
    struct name_record now; /* the current record, valid until
                             * names_cursor_next() */
    uint64_t key; /* its first 8 bytes, which are compared first */
    const struct sorted_names *names;
    struct spool_reader in;
    uint8_t *window;
    struct buf name; /* the current name, if it is not contiguous in memory */
};

int names_cursor_init(struct names_cursor *c, const struct sorted_names *names,
                      const struct spool_file *file, uint64_t window,
                      struct cooc_err *err);
/* 1: c->now is the next record; 0: no more records; < 0: failed. */
int names_cursor_next(struct names_cursor *c, struct cooc_err *err);
void names_cursor_release(struct names_cursor *c);

/* Reads several dictionaries as one, in byte order of names. */
struct names_merge {
    struct names_cursor *cursors; /* one per dictionary */
    size_t n_cursors;
    void **heap; /* min-heap by name of the cursors that have a record left */
    size_t n;    /* number of cursors in heap; 0 at the end of the range */
    const struct name_mark *to; /* end of the range, or NULL */
    uint64_t to_key;
    struct buf last; /* name of the record consumed last */
    uint64_t last_key;
    bool is_new;     /* the least name differs from last, or nothing was
                      * consumed yet */
};

/* Open a merge of a range of n dictionaries.  About a quarter of memory, in
 * bytes, is used for read windows, and at most 1 MiB per dictionary. */
int names_merge_open(struct names_merge *m, const struct sorted_names *names,
                     size_t n, const struct spool_file *file,
                     struct names_range range, uint64_t memory,
                     struct cooc_err *err);
/* The cursor with the least name.  m->n must not be 0. */
static inline const struct names_cursor *
names_merge_least(const struct names_merge *m)
{
    return m->heap[0];
}

/* Consume the record with the least name.  m->n is 0 after the last record. */
int names_merge_next(struct names_merge *m, struct cooc_err *err);
void names_merge_close(struct names_merge *m);

#endif
