/* cooc_parts.h - count one store in several processes, on any machines.
 *
 * Processes that see the directory of a store can count it together, without
 * communication: each opens a counter and counts some of the units.  The units
 * [0, shards) are the row files; the remaining ones are shares of the rows
 * that are not written, of which only the pairs are counted.  A unit is a file
 * of its own; how a store is divided into units depends on the collection and
 * on options.rows and compact_df alone.  It does no harm if processes count
 * the same unit or are killed.  cooc_count() finishes: it verifies all units,
 * counts those that are missing and writes the manifest.
 *
 *     cooc_counter_open(&c, "x.cooc", &options, &err);
 *     while (next(&first, &last))
 *         cooc_counter_count(c, first, last, NULL, &err);
 *     cooc_counter_close(c);
 *
 * The file system must support locks (fcntl) and must show all processes the
 * same files.  Errors, structs and paths are as in cooc.h.
 */
#ifndef COOC_PARTS_API_H
#define COOC_PARTS_API_H

#include "cooc_build.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cooc_counter;

struct cooc_counter_info {
    size_t size;
    uint64_t shards;          /* number of row files */
    uint64_t units;           /* shards, and shares of unwritten rows */
    uint64_t increments;      /* sum of all counts */
    uint64_t omitted_df;      /* see struct cooc_info */
    const char *method;
    unsigned threads;         /* number of threads per call */
    uint64_t memory;          /* limit in bytes */
    bool in_batches;          /* memory is too small for all documents: each
                               * cooc_counter_count() reads all documents
                               * again, so count many units per call */
    double seconds_planning;  /* time taken by cooc_counter_open() */
    double seconds_bitmaps;   /* time taken by making bitmaps, so far */
};
#define COOC_COUNTER_INFO COOC_INIT(cooc_counter_info)

/* Plan the units.  This verifies the documents, and takes a shared lock on the
 * store until cooc_counter_close(): meanwhile, other counters can be open, but
 * functions that would write the manifest or replace the store return
 * COOC_EBUSY, and vice versa.  COOC_EEXISTS if the store is already counted;
 * COOC_EINVAL if options.rows or compact_df differ from those of another
 * counter since the last cooc_count(); if they are not set, the counter uses
 * those of the other.  options.recount must be false.  Strings and callbacks
 * in the options must stay valid until cooc_counter_close(). */
COOC_API int cooc_counter_open(struct cooc_counter **out, const char *store,
                               const struct cooc_count_options *options,
                               struct cooc_err *err);
COOC_API int cooc_counter_info_get(const struct cooc_counter *c,
                                   struct cooc_counter_info *out,
                                   struct cooc_err *err);

/* Return the predicted time of a unit on one thread, in units of about a tenth
 * of a nanosecond; 0 if there is no such unit. */
COOC_API uint64_t cooc_counter_cost(const struct cooc_counter *c,
                                    uint64_t unit);

/* Return whether a unit is finished: counted by this counter, or by anybody
 * when cooc_counter_look() or cooc_counter_count() last looked at it. */
COOC_API bool cooc_counter_finished(const struct cooc_counter *c,
                                    uint64_t unit);

/* Look at the units [first, last) in the store and verify those that have been
 * finished by others since the last look.  A damaged unit is not finished. */
COOC_API int cooc_counter_look(struct cooc_counter *c, uint64_t first,
                               uint64_t last, struct cooc_err *err);

/* Divide either the row files (rows) or the shares of unwritten rows (!rows)
 * into ranges of about equal predicted cost; set [*first, *last) to the units
 * of range `part`, counted from 0, of `parts`.  It may be empty. */
COOC_API int cooc_counter_range(const struct cooc_counter *c, bool rows,
                                uint64_t part, uint64_t parts,
                                uint64_t *first, uint64_t *last,
                                struct cooc_err *err);

/* Count the units [first, last) that are not finished; return when they are on
 * disk.  The report, which may be NULL, describes these units alone.  Bitmaps
 * of the documents are made by the first call that needs them and kept for
 * later calls.  Call this from one thread at a time. */
COOC_API int cooc_counter_count(struct cooc_counter *c, uint64_t first,
                                uint64_t last,
                                struct cooc_count_report *report,
                                struct cooc_err *err);

/* Free the counter and the lock.  NULL is allowed. */
COOC_API void cooc_counter_close(struct cooc_counter *c);

/* ---- how far a count is ------------------------------------------------ */

struct cooc_status;

struct cooc_status_info {
    size_t size;
    bool counted;             /* the store is counted */
    bool in_parts;            /* a cooc_counter has counted parts of it */
    enum cooc_row_set rows;   /* which rows are written */
    uint64_t omitted_df;      /* see struct cooc_info */
    uint64_t increments;      /* sum of all counts */
    uint64_t shards, shards_done; /* row files */
    uint64_t shares, shares_done; /* of rows that are not written */
    double done;              /* share of the predicted time of all units, 0 to
                               * 1 */
    double seconds_left;      /* if the running processes continue at their
                               * speed; negative if unknown */
    uint64_t processes;       /* that have counted units and are known, for
                               * cooc_status_process_get() */
    uint64_t running;         /* number of these that are running now */
};
#define COOC_STATUS_INFO COOC_INIT(cooc_status_info)

/* A process that counts or has counted units.  Times are in seconds since
 * 1970. */
struct cooc_status_process {
    size_t size;
    const char *host, *label; /* label: what it does, as in "part 3/64" */
    uint64_t pid;
    uint64_t started, last;   /* last: when it finished its last unit, or
                               * started if there is none */
    uint64_t units;           /* number of units it finished */
    double done;              /* share of the predicted time of all units */
    bool running;
    uint64_t ended;           /* when it had done all of its work; 0: it is
                               * running, or it was stopped before that */
};
#define COOC_STATUS_PROCESS COOC_INIT(cooc_status_process)

struct cooc_status_unit {
    size_t size;
    bool is_shard;            /* a row file; else only pairs are counted */
    uint32_t first, last;     /* the rows [first, last) */
    bool done;
    double cost;              /* share of the predicted time of all units */
    uint64_t pairs;           /* if done */
    int64_t process;          /* who finished it, or -1 if that is not known */
    uint64_t finished;        /* when, or 0 if that is not known */
};
#define COOC_STATUS_UNIT COOC_INIT(cooc_status_unit)

/* Look at a store that is counted, is being counted or is not counted.  Takes
 * no lock and disturbs nobody.  Of finished units, only seals are verified.
 * Units of a store without parts are planned, with the rows that the options
 * say, which takes a pass over the documents; options may be NULL. */
COOC_API int cooc_status_open(struct cooc_status **out, const char *store,
                              const struct cooc_count_options *options,
                              struct cooc_err *err);
COOC_API int cooc_status_info_get(const struct cooc_status *s,
                                  struct cooc_status_info *out,
                                  struct cooc_err *err);
/* Get process or unit i; COOC_EINVAL if there is none.  Strings are valid until
 * cooc_status_close(). */
COOC_API int cooc_status_process_get(const struct cooc_status *s, uint64_t i,
                                     struct cooc_status_process *out,
                                     struct cooc_err *err);
COOC_API int cooc_status_unit_get(const struct cooc_status *s, uint64_t i,
                                  struct cooc_status_unit *out,
                                  struct cooc_err *err);
COOC_API void cooc_status_close(struct cooc_status *s);

/* ---- what a store was made from ------------------------------------------ */

/* What identifies inputs and the options of cooc_index(): a program that makes
 * a store in several steps can note it in the store, as cooc_index() does with
 * count_follows, and later find out whether repeating the steps would make the
 * same store.  threads, memory, part and similar options make no difference. */
struct cooc_inputs {
    size_t size;
    char text[512];           /* for the two functions below; empty if inputs
                               * cannot be identified, as standard input */
};
#define COOC_INPUTS COOC_INIT(cooc_inputs)

/* Identify inputs before they are read, so that later changes are detected. */
COOC_API int cooc_inputs_identify(const char *const *inputs, size_t n_inputs,
                                  const struct cooc_index_options *options,
                                  struct cooc_inputs *out,
                                  struct cooc_err *err);

/* Write the note into a store that is not counted; nothing if it is empty. */
COOC_API int cooc_inputs_note(const char *store,
                              const struct cooc_inputs *inputs,
                              struct cooc_err *err);

/* Set *same to whether there is a store that has this note and is not counted.
 * An empty note is in no store. */
COOC_API int cooc_inputs_noted(const char *store,
                               const struct cooc_inputs *inputs, bool *same,
                               struct cooc_err *err);

/* One file that cooc_index() reads. */
struct cooc_input_file {
    size_t size;
    const char *path;         /* as it was given, or found in a directory */
    bool found;               /* false: does not exist, or is not a regular
                               * file; then the numbers are 0 */
    uint64_t bytes;
    int64_t modified;         /* seconds since 1970 */
};
#define COOC_INPUT_FILE COOC_INIT(cooc_input_file)

/* Called for each file; it and its path are valid during the call.  Return 0,
 * or a negative COOC_E* with a message to end the listing with this error. */
typedef int (*cooc_input_fn)(void *self, const struct cooc_input_file *f,
                             struct cooc_err *err);

/* Call file() for each file of the inputs, in the order in which they are read,
 * then for each word list of the options.  Processes that get the same list
 * read the same files. */
COOC_API int cooc_inputs_list(const char *const *inputs, size_t n_inputs,
                              const struct cooc_index_options *options,
                              cooc_input_fn file, void *self,
                              struct cooc_err *err);

#ifdef __cplusplus
}
#endif
#endif
