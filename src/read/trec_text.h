/* trec_text.h - the text of a document in loose SGML (fmt_trec.c). */
#ifndef COOC_TREC_TEXT_H
#define COOC_TREC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct cooc_err;
struct input;

/* State, whose memory is used again for each document; zero it before first
 * use.  split: split the text into terms. */
struct trec_text {
    bool split;
    struct buf parts;  /* what is text in the document, with its markup */
    struct buf values; /* if split: struct trec_value */
    size_t field;      /* if split: of the value that is added next */
    struct buf line;   /* the text of a value */
    struct {
        const char *from; /* NULL: the element is not open */
        size_t depth;
    } *open_fields;
    size_t open_cap;
};

/* Set the document's text to that of the SGML in [p, end): the fields that the
 * options name, or everything.  If it is split, its terms are added to
 * in->body, which [p, end) must not be part of. */
int trec_text(struct trec_text *s, struct input *in, const char *p,
              const char *end, struct cooc_err *err);
void trec_text_release(struct trec_text *s);

/* Find name, for example "<doc" or "</doc", followed by a character that ends
 * the name of a tag; NULL if it is not in [p, end). */
const char *trec_tag(const char *p, const char *end, const char *name);

/* The position after the '>' of the tag at p. */
const char *trec_tag_end(const char *p, const char *end);

#endif
