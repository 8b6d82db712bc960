/* feed.h - documents that a program hands over, as a source for a reader.
 *
 *     threads of the program          the thread that reads
 *     feed_add() ... feed_end()       feed_kind(), feed_next() ...
 *
 * Documents are copied into a block; a full block waits for the reader while
 * the next is filled, so at most three blocks are in memory.  feed_add() waits
 * while a full block waits.
 *
 * Threads    Any number may add; one at a time reads.
 * Errors     After feed_fail(), every call returns that error.
 */
#ifndef COOC_FEED_H
#define COOC_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cooc_err;
struct document;
struct feed;

enum feed_kind { FEED_NOTHING, FEED_TEXT, FEED_TERMS };

/* Blocks have about block bytes; a document has at most max. */
int feed_new(struct feed **out, size_t block, size_t max,
             struct cooc_err *err);
void feed_free(struct feed *f);

/* Copy a document: running text, or terms that '\n' separates; all must be of
 * one kind.  name NULL: its number. */
int feed_add(struct feed *f, enum feed_kind kind, const char *name,
             size_t name_len, const char *text, size_t len,
             struct cooc_err *err);
void feed_end(struct feed *f); /* no more documents */
/* Refuse all further documents with this error, unless there is an earlier
 * one.  Returns the first error, and stores it in *first, which may be NULL. */
int feed_fail(struct feed *f, int code, const struct cooc_err *why,
              struct cooc_err *first);

/* Wait for the first document: of which kind is it?  FEED_NOTHING if there is
 * none. */
enum feed_kind feed_kind(struct feed *f);
/* 1: a document, valid until the next call; 0: no more; < 0. */
int feed_next(struct feed *f, struct document *doc, struct cooc_err *err);

#endif
