/* record_help.h - for test_bibliography.c and test_annotated.c: read on after
 * bad records. */
#ifndef COOC_RECORD_HELP_H
#define COOC_RECORD_HELP_H

#include "read_help.h"

struct record_case {
    struct cooc_index_options o;
    const char *data, *want;
};

struct record_error {
    struct cooc_index_options o;
    const char *data;
    int code;
    const char *words[3];
};

/* As check_read(), but an error is !LINE|, and reading continues after it. */
static inline void check_continues(const char *input,
                                   const struct cooc_index_options *o,
                                   const char *want)
{
    struct cooc_err err = { 0 };
    struct buf out = { 0 };
    struct document d;
    struct reader *r;
    int rc;

    CHECK_RC(reader_open(&r, &input, 1, o, NULL, &err), 0, &err);
    while ((rc = reader_next(r, &d, &err)) != 0) {
        const char *line = rc < 0 ? strchr(err.text, ':') + 1 : NULL;

        CHECK_RC(rc, rc < 0 ? COOC_EFORMAT : 1, &err);
        if (rc < 0)
            rc = buf_printf(&out, NULL, "!%.*s|", (int)strcspn(line, ":"),
                            line);
        else
            rc = buf_printf(&out, NULL, "%.*s=%.*s|", (int)d.name_len, d.name,
                            (int)d.text_len, d.text);
        assert_int_equal(rc, 0);
    }
    reader_close(r);
    assert_int_equal(buf_text(&out, NULL), 0);
    for (char *p = out.data; (p = strchr(p, '\n')) != NULL;)
        *p = '/';
    assert_string_equal(out.data, want);
    buf_release(&out);
}

#endif
