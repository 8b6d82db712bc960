/* dump.h - the internals of cooc_dump(): one file per format. */
#ifndef COOC_DUMP_H
#define COOC_DUMP_H

#include "cooc_export.h"
#include "read/read.h"
#include "read/stream.h"

/* A buffered reader for the bytes of an archive entry. */
struct byte_reader {
    struct stream *stream;
    struct reader_stats stats;
    const char *at;
    size_t left;
};

int byte_reader_open(struct byte_reader *b, const char *path,
                     struct cooc_err *err);
void byte_reader_close(struct byte_reader *b);

/* Read n bytes.  Returns 1, 0 at the end of the entry, or COOC_EFORMAT if the
 * entry ends within them. */
int byte_reader_take(struct byte_reader *b, void *out, size_t n,
                     struct cooc_err *err);

/* Read a line, without its newline and with a NUL at the end.  Returns 1, 0 at
 * the end of the entry, or COOC_EFORMAT if the line does not fit into room. */
int byte_reader_line(struct byte_reader *b, char *out, size_t room, size_t *len,
                     struct cooc_err *err);

struct dump {
    const char *path;
    cooc_dump_fn about;
    cooc_cell_fn fn;
    void *self;
    struct cooc_dump_report report;
};

/* Report the format and size of the matrix, after the header has been read. */
int dump_about(struct dump *d, struct cooc_err *err);
/* Pass a cell to the callback.  Returns COOC_EFORMAT if it is outside of the
 * matrix. */
int dump_cell(struct dump *d, uint64_t row, uint64_t column, double value,
              struct cooc_err *err);

/* Print one format.  The stream is at its first entry. */
int dump_mtx(struct dump *d, struct byte_reader *in, struct cooc_err *err);
int dump_glove(struct dump *d, struct byte_reader *in, struct cooc_err *err);
int dump_npz(struct dump *d, struct cooc_err *err);

/* The header of an .npy file: the type and the number of its items. */
struct npy_head {
    char kind;      /* type code of numpy: 'i', 'u', 'f', 'b', 'S', 'U' */
    size_t size;    /* bytes per item */
    uint64_t items;
};

/* Parse the text between the braces of an .npy header.  Returns false if it is
 * not supported. */
bool npy_parse(const char *text, size_t len, struct npy_head *out);

#endif
