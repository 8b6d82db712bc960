/* tex_text.h - the plain text of TeX, as it occurs in bibliographies. */
#ifndef COOC_TEX_TEXT_H
#define COOC_TEX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct cooc_err;

/* Append the text of tex[0..len) to out, without white space around it and with
 * each run of white space as one blank.  Braces and commands are removed,
 * accents and symbols become characters.  verbatim: for addresses and the like,
 * in which "--" and "~" are ordinary characters. */
int tex_text(const char *tex, size_t len, bool verbatim, struct buf *out,
             struct cooc_err *err);

#endif
