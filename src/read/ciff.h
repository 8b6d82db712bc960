/* ciff.h - the fields of the Common Index File Format.
 *
 * A CIFF file is an inverted index as a sequence of messages of Protocol
 * Buffers, each after its length:
 *
 *     Header         numbers of posting lists and of documents
 *     PostingsList   a term and its postings; one message per term
 *     DocRecord      the name of a document; one message per document
 *
 * Documents are numbered from 0.  A posting has the difference between its
 * document and that of the posting before it; the first posting of a list has
 * the number itself.  Fields that are 0 or empty are left out.
 *
 * The format is defined in github.com/osirrc/ciff.
 */
#ifndef COOC_CIFF_H
#define COOC_CIFF_H

#include <stdint.h>

#define CIFF_VERSION_READ 1
#define CIFF_MAX INT32_MAX /* of numbers of lists and documents */

/* A tag is the number of a field and how its value is encoded. */
#define TAG_VARINT(n) ((n) << 3)
#define TAG_FIXED64(n) ((n) << 3 | 1)
#define TAG_BYTES(n) ((n) << 3 | 2) /* a length, then a string or a message */

enum {
    /* Header */
    CIFF_VERSION = TAG_VARINT(1),
    CIFF_LISTS = TAG_VARINT(2),           /* in the file */
    CIFF_DOCS = TAG_VARINT(3),            /* in the file */
    CIFF_TOTAL_LISTS = TAG_VARINT(4),     /* in the collection */
    CIFF_TOTAL_DOCS = TAG_VARINT(5),      /* in the collection */
    CIFF_TOTAL_TERMS = TAG_VARINT(6),     /* the sum of all lengths */
    CIFF_AVERAGE_LENGTH = TAG_FIXED64(7), /* a double */
    CIFF_DESCRIPTION = TAG_BYTES(8),
    /* PostingsList */
    CIFF_TERM = TAG_BYTES(1),
    CIFF_DF = TAG_VARINT(2),
    CIFF_CF = TAG_VARINT(3),
    CIFF_POSTING = TAG_BYTES(4),
    /* Posting */
    CIFF_GAP = TAG_VARINT(1),
    CIFF_TF = TAG_VARINT(2),
    /* DocRecord */
    CIFF_DOC = TAG_VARINT(1),
    CIFF_DOC_NAME = TAG_BYTES(2),
    CIFF_DOC_LENGTH = TAG_VARINT(3),
};

#endif
