/* names.h - what the files of an export are called. */
#ifndef COOC_NAMES_H
#define COOC_NAMES_H

struct cooc_err;
struct exporter;

/* The files for a path as the user gave it, for mem_free(): a directory gets
 * files with the format's own names; else path is the file itself, and the
 * second one, if the format has two, is called after it.  *main is NULL for
 * standard output, *side if there is no second file.  *dir is where they are.
 */
int names_make(const struct exporter *e, const char *path, char **main,
               char **side, char **dir, struct cooc_err *err);

#endif
