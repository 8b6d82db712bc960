/* office.h - text documents of word processors, and electronic books.
 *
 *     docx, odt, epub     zip archives with XML in them
 *
 * Such a file is one document.  It is presented as a single entry without a
 * path: a page of HTML in UTF-8, in which each paragraph is a <p>.
 *
 *     docx   word/document.xml, footnotes and endnotes, in the order of the
 *            archive
 *     odt    content.xml
 *     epub   its pages, in the order of the book
 *
 * Comments, deleted text and fields are not part of the text.
 *
 * Memory     docx and odt: a few blocks; epub: its pages, at most limits->max.
 */
#ifndef COOC_OFFICE_H
#define COOC_OFFICE_H

#include "read/container.h"

struct binary;
struct buf;

enum office_kind {
    OFFICE_NONE,
    OFFICE_DOCX,
    OFFICE_ODT,
    OFFICE_EPUB,
    OFFICE_XLSX, /* these are not read */
    OFFICE_PPTX,
    OFFICE_ODS,
    OFFICE_ODP
};

/* What applies to the text of a file; it must outlive the container. */
struct office_limits {
    size_t max;        /* bytes of a document */
    uint64_t *invalid; /* where invalid bytes are counted */
};

/* What an archive is, by its first bytes and, if it was read from a file, its
 * directory. */
enum office_kind office_detect(const struct container *zip, const char *head,
                               size_t len);

/* What is said about a kind that is not read; NULL for every other kind. */
const struct binary *office_binary(enum office_kind kind);

/* Replace the container of an archive by one of its text.  On failure, *zip is
 * unchanged. */
int office_new(struct container *zip, enum office_kind kind, const char *name,
               const struct office_limits *limits, struct cooc_err *err);

/* ---- for office.c -------------------------------------------------------- */

struct office_text;

/* Convert the XML of a part of a document; name is for messages. */
int office_text_new(struct office_text **out, enum office_kind kind,
                    const char *name, uint64_t *invalid, struct cooc_err *err);
/* Append the HTML of the next bytes to out. */
int office_text_feed(struct office_text *t, const char *data, size_t len,
                     bool last, struct buf *out, struct cooc_err *err);
void office_text_free(struct office_text *t);

struct epub;

/* Read a whole book from its archive; then its pages. */
int epub_new(struct epub **out, struct container *zip, const char *name,
             const struct office_limits *limits, struct cooc_err *err);
/* 1: a page, in UTF-8, which lives until the next call; 0: no more. */
int epub_page(struct epub *e, const char **data, size_t *len,
              struct cooc_err *err);
void epub_free(struct epub *e);

#endif
