/* dump.h - the inside of cooc_dump(): a file a format. */
#ifndef COOC_DUMP_H
#define COOC_DUMP_H

#include "cooc_export.h"
#include "read/read.h"
#include "read/stream.h"

/* The bytes of an entry, a few at a time. */
struct byte_reader {
    struct stream *stream;
    struct reader_stats stats;
    const char *at;
    size_t left;
};

int byte_reader_open(struct byte_reader *b, const char *path,
                     struct cooc_err *err);
void byte_reader_close(struct byte_reader *b);

/* 1: n bytes; 0: the entry is at its end; COOC_EFORMAT if it ends inside. */
int byte_reader_take(struct byte_reader *b, void *out, size_t n,
                     struct cooc_err *err);

/* 1: a line without its end, and a NUL behind; 0: no more.  COOC_EFORMAT for
 * lines that are longer than room. */
int byte_reader_line(struct byte_reader *b, char *out, size_t room, size_t *len,
                     struct cooc_err *err);

struct dump {
    const char *path;
    cooc_dump_fn about;
    cooc_cell_fn fn;
    void *self;
    struct cooc_dump_report report;
};

/* Tell what the file is, once its head is read. */
int dump_about(struct dump *d, struct cooc_err *err);
/* Hand out a cell; one outside the matrix is COOC_EFORMAT. */
int dump_cell(struct dump *d, uint64_t row, uint64_t column, double value,
              struct cooc_err *err);

/* The stream is at its first entry. */
int dump_mtx(struct dump *d, struct byte_reader *in, struct cooc_err *err);
int dump_glove(struct dump *d, struct byte_reader *in, struct cooc_err *err);
int dump_npz(struct dump *d, struct cooc_err *err);

/* The head of an .npy file: what one item is, and how many there are. */
struct npy_head {
    char kind;      /* 'i', 'u', 'f', 'b', 'S', 'U' as numpy has them */
    size_t size;    /* bytes of an item */
    uint64_t items;
};

/* Read the text between the braces of such a head; false: not understood. */
bool npy_parse(const char *text, size_t len, struct npy_head *out);

#endif
