/* hard_links.h - the hard links of an archive, kept until a later pass.
 *
 * A hard link in a tar archive has no bytes, only the path of an earlier entry.
 * Documents may be long and the entry may be anywhere before the link, so
 * contents are not kept.  Instead the archive is read again from the start:
 *
 *     first pass    hard_links_add() for every link, with its entry number
 *     second pass   hard_links_visit() for every entry, to find the target of
 *                   each link.  If a path occurs several times, the last entry
 *                   before the link counts, as in extraction.
 *     hard_links_resolve(), then, between hard_links_begin_pass() and
 *     hard_links_pass_done(),
 *     later passes  hard_links_name_at() for every entry, to return it under
 *                   the name of a link.  One pass is enough, unless several
 *                   links have the same target: then one pass for each of them.
 *
 * Memory: the paths of links.  An archive without links costs nothing.
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
    uint64_t at;     /* entry number of the link itself */
    uint64_t source; /* entry number of its target */
    bool wanted;     /* still to be returned as a document; false: returned, or
                      * only a target of other links */
};

struct hard_links {
    struct hard_link *items; /* sorted by at; after hard_links_resolve(), by
                              * source */
    size_t n, cap;
    struct hard_link **by_target;
    size_t next; /* index in items of the next link to return, or before
                  * hard_links_resolve(), to visit */
};

int hard_links_add(struct hard_links *l, const char *path, const char *target,
                   uint64_t at, bool wanted, struct cooc_err *err);
/* Call after the last hard_links_add(), before the first hard_links_visit(). */
int hard_links_sort(struct hard_links *l, struct cooc_err *err);
/* Visit an entry of the archive, in ascending order of entry numbers. */
void hard_links_visit(struct hard_links *l, const char *path, uint64_t at,
                      bool is_link);
/* Call after the last hard_links_visit().  Links without a target are dropped;
 * returns the number of documents lost with them. */
uint64_t hard_links_resolve(struct hard_links *l);
/* True if no link refers to an entry after the one returned last. */
bool hard_links_pass_done(const struct hard_links *l);
/* Start over at the first entry; false if all links have been returned. */
bool hard_links_begin_pass(struct hard_links *l);
/* The name under which to return entry number at, or NULL.  Call it in
 * ascending order of entry numbers. */
const char *hard_links_name_at(struct hard_links *l, uint64_t at);
void hard_links_release(struct hard_links *l);

#endif
