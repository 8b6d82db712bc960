/* hard_links.h - hard links of an archive, until their content is read again.
 *
 * A hard link in a tar archive has no bytes, only the path of an earlier
 * entry.  Documents may be long and the entry may be anywhere before the link,
 * so contents are not kept.  Instead the archive is read again from the start:
 *
 *     first pass    hard_links_add() for every link, with the entry's number
 *     second pass   hard_links_visit() for every entry: which one does a link
 *                   mean?  A path may occur several times; the last before
 *                   the link counts, as it does in extraction.
 *     hard_links_resolve(), then, between hard_links_begin_pass() and
 *     hard_links_pass_done(),
 *     later passes  hard_links_name_at() for every entry: hand it out under
 *                   the name of a link.  One pass, or if several links mean
 *                   the same entry, one for each of these.
 *
 * Memory: the paths of links.  Cost without links: none.
 * An all-zero struct hard_links is valid.
 */
#ifndef COOC_HARD_LINKS_H
#define COOC_HARD_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;

struct hard_link {
    char *path, *target;
    uint64_t at;     /* the entry's number */
    uint64_t source; /* the number of the entry that it means */
    bool wanted;     /* a document; else it is there for links to it */
};

struct hard_links {
    struct hard_link *items; /* ascending by at; once settled, by source */
    size_t n, cap;
    struct hard_link **by_target;
    size_t next; /* settled: the next to be handed out; else, to be seen */
};

int hard_links_add(struct hard_links *l, const char *path, const char *target,
                   uint64_t at, bool wanted, struct cooc_err *err);
/* No more links: be ready for hard_links_visit(). */
int hard_links_sort(struct hard_links *l, struct cooc_err *err);
/* Numbers ascend. */
void hard_links_visit(struct hard_links *l, const char *path, uint64_t at,
                      bool is_link);
/* Every entry was seen.  Links that mean no entry are dropped; returns the
 * number of documents among them. */
uint64_t hard_links_resolve(struct hard_links *l);
/* True if no link means an entry after the one handed out last. */
bool hard_links_pass_done(const struct hard_links *l);
/* Begin at the first entry again; false: all links were handed out. */
bool hard_links_begin_pass(struct hard_links *l);
/* The name for entry number at, or NULL; numbers ascend. */
const char *hard_links_name_at(struct hard_links *l, uint64_t at);
void hard_links_release(struct hard_links *l);

#endif
