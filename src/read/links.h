/* links.h - hard links of an archive, until their content is read again.
 *
 * A hard link in a tar archive has no bytes, only the path of an earlier
 * entry.  Documents may be long and the entry may be anywhere before the link,
 * so contents are not kept.  Instead the archive is read again from the start:
 *
 *     first pass    links_add() for every link, with the entry's number
 *     second pass   links_see() for every entry: which one does a link mean?
 *                   A path may occur several times; the last before the link
 *                   counts, as it does in extraction.
 *     links_settle(), then, between links_begin_pass() and links_pass_over(),
 *     later passes  links_at() for every entry: hand it out under the name of
 *                   a link.  One pass, or if several links mean the same
 *                   entry, one for each of these.
 *
 * Memory: the paths of links.  Cost without links: none.
 * An all-zero struct links is valid.
 */
#ifndef COOC_LINKS_H
#define COOC_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;

struct link {
    char *path, *target;
    uint64_t at;     /* the entry's number */
    uint64_t source; /* the number of the entry that it means */
    bool wanted;     /* a document; else it is there for links to it */
};

struct links {
    struct link *items; /* ascending by at; once settled, by source */
    size_t n, cap;
    struct link **by_target;
    size_t next; /* settled: the next to be handed out; else, to be seen */
};

int links_add(struct links *l, const char *path, const char *target,
              uint64_t at, bool wanted, struct cooc_err *err);
/* No more links: be ready for links_see(). */
int links_sort(struct links *l, struct cooc_err *err);
/* Numbers ascend. */
void links_see(struct links *l, const char *path, uint64_t at, bool is_link);
/* Every entry was seen.  Links that mean no entry are dropped; returns the
 * number of documents among them. */
uint64_t links_settle(struct links *l);
/* True if no link means an entry after the one handed out last. */
bool links_pass_over(const struct links *l);
/* Begin at the first entry again; false: all links were handed out. */
bool links_begin_pass(struct links *l);
/* The name for entry number at, or NULL; numbers ascend. */
const char *links_at(struct links *l, uint64_t at);
void links_release(struct links *l);

#endif
