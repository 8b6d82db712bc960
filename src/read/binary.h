/* binary.h - recognise files that are not text, and say how to convert them.
 *
 * A file of this kind is refused if the user named it, and skipped in a folder
 * or an archive.
 *
 * Threads    Any.
 */
#ifndef COOC_BINARY_H
#define COOC_BINARY_H

#include <stdbool.h>
#include <stddef.h>

struct cooc_err;
struct sample;

struct binary {
    const char *what;   /* with its article, as in "a PDF document" */
    const char *remedy; /* a command on FILE.x; NULL: there is none */
    const char *suffix; /* file names in the command end in it */
};

/* The kind of a file that begins with data[0..len), as it is on disk; NULL: it
 * may be text.  The name decides between kinds that begin alike. */
const struct binary *binary_detect(const char *name, const char *data,
                                   size_t len);

/* A spreadsheet or a presentation: a zip archive that is not opened. */
extern const struct binary binary_xlsx, binary_pptx, binary_ods, binary_odp;

/* Whether a file in no known format is not text: it has NUL bytes, and no sign
 * of an HTML page, which browsers read in spite of them. */
bool binary_is_unknown(const struct sample *s);

/* COOC_EFORMAT, with the command that converts the file.  b NULL: the format is
 * not known. */
int binary_refuse(const struct binary *b, const char *path,
                  struct cooc_err *err);

#define BINARY_TEXT_MAX 320

/* What the file is and the command that converts it, or "" if b is NULL. */
void binary_describe(const struct binary *b, char text[BINARY_TEXT_MAX]);

#endif
