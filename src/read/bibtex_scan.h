/* bibtex_scan.h - find the entries of a BibTeX file. */
#ifndef COOC_BIBTEX_SCAN_H
#define COOC_BIBTEX_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cooc_err;
struct input;

struct bibtex_scan {
    uint64_t line;    /* where the current entry begins */
    bool any;         /* the file has an entry of some kind */
    struct buf type;  /* article, comment, ... */
    struct buf entry; /* what is between its outer braces, and a '\n' */
    const char *rest; /* rest of the current line */
    size_t rest_len;
};

void bibtex_scan_begin(struct bibtex_scan *s);

/* 1: the next entry; 0: no more entries; < 0: failed.  An entry that is not
 * closed is COOC_EFORMAT and can be skipped: the next call continues after it.
 */
int bibtex_scan_next(struct bibtex_scan *s, struct input *in,
                     struct cooc_err *err);
void bibtex_scan_release(struct bibtex_scan *s);

#endif
