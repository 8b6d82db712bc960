/* fmt_files.c - one document per file: plain text (files) or HTML (html). */
#include <string.h>

#include "read/format.h"
#include "read/input.h"

/* Read the whole entry into body: 1; 0: it has been read. */
static int next_file(struct input *in, struct cooc_err *err)
{
    int rc;

    if (in->documents)
        return 0;
    rc = input_whole(in, err);
    if (rc < 0)
        return rc;
    in->doc.name = in->name;
    in->doc.name_len = strlen(in->name);
    return 1;
}

const struct format format_files = {
    .name = "files",
    .takes_any = true,
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
    .is_page = true,
    .takes_any = true,
    .next = next_html,
};
