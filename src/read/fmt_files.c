/* fmt_files.c - one document per file: plain text (files) or HTML (html).
 *
 * Directories and archives may contain images and other files that are not
 * text.  They are recognised by a NUL byte, skipped and counted.  A file is
 * never skipped if the user named it, or if its name or its beginning shows
 * that it is an HTML page: browsers ignore NUL bytes.
 */
#include <string.h>

#include "read/format.h"
#include "read/input.h"

/* Is there a NUL byte in body, and no sign of an HTML page? */
static bool is_binary(const struct input *in)
{
    struct sample s = { .name = in->name,
                        .data = in->body.data,
                        .len = in->body.len < 65536 ? in->body.len : 65536 };

    return s.len && memchr(s.data, 0, s.len) && detect_page(&s) != &format_html;
}

/* Read the whole entry into body: 1, or 0 if it is not text. */
static int next_file(struct input *in, struct cooc_err *err)
{
    int rc;

    if (in->documents)
        return 0;
    rc = input_whole(in, err);
    if (rc < 0)
        return rc;
    if (in->found && is_binary(in)) {
        in->stats->skipped++;
        return 0;
    }
    in->doc.name = in->name;
    in->doc.name_len = strlen(in->name);
    return 1;
}

const struct format format_files = {
    .name = "files",
    .next = next_file,
};

static int next_html(struct input *in, struct cooc_err *err)
{
    int rc = next_file(in, err);

    if (rc <= 0)
        return rc;
    rc = input_page(in, in->body.data, in->body.len, input_charset(in), err);
    return rc < 0 ? rc : 1;
}

const struct format format_html = {
    .name = "html",
    .next = next_html,
};
