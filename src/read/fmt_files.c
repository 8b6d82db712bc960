/* fmt_files.c - a document a file: plain text (files), or html.
 *
 * Directories, and archives like them, may hold images and other things
 * that are no text.  A NUL byte gives them away; such a file is stepped
 * over and counted, unless the user named it, or its name or its beginning
 * shows that it is a page: browsers ignore NUL bytes.
 */
#include <string.h>

#include "read/format.h"
#include "read/input.h"

/* Is there a NUL byte in body, and no sign of a page? */
static bool is_binary(const struct input *in)
{
    struct sample s = { .name = in->name,
                        .data = in->body.data,
                        .len = in->body.len < 65536 ? in->body.len : 65536 };

    return s.len && memchr(s.data, 0, s.len) && detect_page(&s) != &format_html;
}

/* The whole entry is in body: 1, or 0 if it is no text. */
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
