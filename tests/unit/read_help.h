/* read_help.h - for test_read.c: create inputs, read them, compare. */
#ifndef COOC_READ_HELP_H
#define COOC_READ_HELP_H

#include "cooc_build.h"
#include "harness.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "read/format.h"
#include "read/read.h"

#define TEXT(s) s, sizeof s - 1

static inline int enter(void **state)
{
    char *dir = fresh_dir();

    *state = dir;
    return chdir(dir);
}

static inline int leave(void **state)
{
    if (chdir("/") == 0)
        drop_dir(*state);
    return mem_live() == 0 ? 0 : -1;
}

static inline void put(const char *name, const char *data, size_t len)
{
    FILE *f = fopen(name, "wb");

    if (!f || fwrite(data, 1, len, f) != len || fclose(f) != 0)
        fail_msg("cannot write %s", name);
}

static inline void put_text(const char *name, const char *text)
{
    put(name, text, strlen(text));
}

/* Write a compressed file (entry NULL) or an archive of entries, of which two
 * are hidden or special. */
static inline void pack(const char *name, int filter, int format,
                        const char *const *entries, const char *data,
                        size_t len)
{
    struct archive *a = archive_write_new();
    struct archive_entry *e = archive_entry_new();
    static const char *const plain[] = { "data", NULL };

    setlocale(LC_CTYPE, "C.UTF-8"); /* for the writer, not the reader */
    if (archive_write_add_filter(a, filter) != ARCHIVE_OK ||
        archive_write_set_format(a, format) != ARCHIVE_OK ||
        archive_write_open_filename(a, name) != ARCHIVE_OK)
        fail_msg("%s: %s", name, archive_error_string(a));
    for (entries = entries ? entries : plain; *entries; entries++) {
        bool dir = (*entries)[strlen(*entries) - 1] == '/';

        archive_entry_clear(e);
        archive_entry_update_pathname_utf8(e, *entries);
        archive_entry_set_size(e, dir ? 0 : (la_int64_t)len);
        archive_entry_set_filetype(e, dir ? AE_IFDIR : AE_IFREG);
        archive_entry_set_perm(e, 0644);
        if (archive_write_header(a, e) != ARCHIVE_OK ||
            (!dir && archive_write_data(a, data, len) != (la_ssize_t)len))
            fail_msg("%s: %s", name, archive_error_string(a));
    }
    archive_entry_free(e);
    assert_int_equal(archive_write_close(a), ARCHIVE_OK);
    archive_write_free(a);
    setlocale(LC_CTYPE, "C");
}

static inline size_t slurp(const char *name, char *out, size_t size)
{
    FILE *f = fopen(name, "rb");
    size_t n;

    assert_non_null(f);
    n = fread(out, 1, size, f);
    fclose(f);
    return n;
}

/* Append all documents of the inputs to the text; return the reader's code. */
static inline int read_all(const char *const *inputs, size_t n,
                           const struct cooc_index_options *o, struct buf *out,
                           struct reader_stats *stats, struct cooc_err *err)
{
    static const struct cooc_index_options none;
    struct reader *r = NULL;
    struct document d;
    size_t start;
    int rc = reader_open(&r, inputs, n, o ? o : &none, NULL, err);

    out->len = 0;
    if (rc < 0)
        return rc;
    while ((rc = reader_next(r, &d, err)) > 0) {
        start = out->len;
        rc = buf_add(out, d.name, d.name_len, err);
        if (rc == 0)
            rc = buf_byte(out, '=', err);
        if (rc == 0)
            rc = buf_add(out, d.text, d.text_len, err);
        if (rc == 0)
            rc = buf_byte(out, '|', err);
        if (rc < 0)
            break;
        for (; start < out->len; start++)
            if (out->data[start] == '\n')
                out->data[start] = '/';
    }
    if (stats)
        *stats = reader_stats(r);
    reader_close(r);
    return rc;
}

static inline void check_read(const char *input,
                              const struct cooc_index_options *o,
                              const char *want)
{
    struct cooc_err err = { 0 };
    struct buf out = { 0 };

    CHECK_RC(read_all(&input, 1, o, &out, NULL, &err), 0, &err);
    if (out.len != strlen(want) ||
        (out.len && memcmp(out.data, want, out.len) != 0))
        fail_msg("%s: got  %.*s\nwant %s", input, (int)out.len,
                 out.len ? out.data : "", want);
    buf_release(&out);
}

/* Check that reading fails with this code and a message with all the words. */
static inline void check_fails(const char *input,
                               const struct cooc_index_options *o, int code,
                               const char *const words[3])
{
    struct cooc_err err = { 0 };
    struct buf out = { 0 };
    int rc = read_all(&input, 1, o, &out, NULL, &err);

    if (rc != code)
        fail_msg("%s: returned %d, expected %d: %s", input, rc, code, err.text);
    for (size_t i = 0; i < 3 && words[i]; i++)
        if (!strstr(err.text, words[i]))
            fail_msg("%s: no \"%s\" in: %s", input, words[i], err.text);
    buf_release(&out);
}

/* Fail the 1st allocation, then the 2nd, ... until a run needs no more, which
 * must succeed or, if `may_be_bad`, may find the inputs bad. */
static inline void fail_each_allocation(const char *const *inputs, size_t n,
                                        const struct cooc_index_options *o,
                                        bool may_be_bad)
{
    bool failed = true;

    for (long at = 1; failed; at++) {
        struct cooc_err err = { 0 };
        struct buf out = { 0 };
        bool right;
        int rc;

        mem_fail_at(at);
        rc = read_all(inputs, n, o, &out, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        right = rc == 0 || (may_be_bad && (rc == COOC_EFORMAT ||
                                           rc == COOC_EINVAL));
        if (failed ? rc != COOC_ENOMEM : !right)
            fail_msg("%s, allocation %ld: returned %d, %s", inputs[0], at, rc,
                     err.text);
        buf_release(&out);
        assert_int_equal(mem_live(), 0);
    }
}

struct named_case {
    const char *name, *data, *want, *want_in_directory;
};

/* Check which format each sample is recognised as. */
static inline void check_named(const struct named_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sample s = { .name = c[i].name, .data = c[i].data,
                            .len = strlen(c[i].data) };

        assert_string_equal(detect_format(&s)->name, c[i].want);
        s.many = true;
        assert_string_equal(detect_format(&s)->name, c[i].want_in_directory);
    }
}

#endif
