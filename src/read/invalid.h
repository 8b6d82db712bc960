/* invalid.h - number of invalid bytes per file, for a note on each.
 *
 * Readers and, for plain text, the workers that split it into words find them,
 * in any order; the notes are in the order of the files.
 */
#ifndef COOC_INVALID_H
#define COOC_INVALID_H

#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct watch;

/* An all-zero list is empty. */
struct invalid_list {
    struct invalid_file *files; /* ascending by entry */
    size_t n, cap;
};

/* Add the invalid bytes of the file or archive entry `name`, which is number
 * `entry` of all inputs. */
int invalid_add(struct invalid_list *l, uint64_t entry, const char *name,
                uint64_t bytes, struct cooc_err *err);
/* Note each file.  watch may be NULL. */
void invalid_note(const struct invalid_list *l, struct watch *watch);
void invalid_release(struct invalid_list *l);

#endif
