/* feed.h - documents passed in by a program, as a source for a reader.
 *
 *     threads of the program          the thread that reads
 *     feed_add() ... feed_end()       feed_kind(), feed_next() ...
 *
 * Documents are copied into a block.  A full block waits for the reader while
 * the next one is filled, so at most three blocks are in memory.  feed_add()
 * waits when the next block is full as well.
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

/* Make a feed with blocks of about block bytes and documents of at most max
 * bytes. */
int feed_new(struct feed **out, size_t block, size_t max,
             struct cooc_err *err);
void feed_free(struct feed *f);

/* Copy a document: running text, or terms separated by '\n'.  All documents
 * must be of the same kind.  name NULL: the document is named by its number. */
int feed_add(struct feed *f, enum feed_kind kind, const char *name,
             size_t name_len, const char *text, size_t len,
             struct cooc_err *err);
void feed_end(struct feed *f); /* no more documents */
/* Reject all further documents with this error, unless there is an earlier
 * error.  Returns the first error, and stores it in *first, which may be
 * NULL. */
int feed_fail(struct feed *f, int code, const struct cooc_err *why,
              struct cooc_err *first);

/* Return the error of feed_fail(), or 0. */
int feed_error(struct feed *f, struct cooc_err *err);

/* Wait for the first document and return its kind, or FEED_NOTHING if there are
 * no documents. */
enum feed_kind feed_kind(struct feed *f);
/* 1: a document, valid until the next call; 0: no more documents; < 0:
 * failed. */
int feed_next(struct feed *f, struct document *doc, struct cooc_err *err);

#endif
