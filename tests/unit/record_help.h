/* record_help.h - for test_bibliography.c and test_annotated.c: read on after
 * bad records, and fail each allocation. */
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

/* Fail the 1st allocation, then the 2nd, ... until a run needs no more. */
static inline void check_no_memory(const char *input,
                                   const struct cooc_index_options *o)
{
    bool failed = true;

    for (long at = 1; failed; at++) {
        struct cooc_err err = { 0 };
        struct buf out = { 0 };
        int rc;

        mem_fail_at(at);
        rc = read_all(&input, 1, o, &out, NULL, &err);
        failed = mem_failed();
        mem_fail_at(0);
        if (failed ? rc != COOC_ENOMEM
                   : rc < 0 && rc != COOC_EFORMAT && rc != COOC_EINVAL)
            fail_msg("allocation %ld: returned %d, %s", at, rc, err.text);
        buf_release(&out);
        assert_int_equal(mem_live(), 0);
    }
}

#endif
