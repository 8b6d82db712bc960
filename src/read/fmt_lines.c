/* fmt_lines.c - a document a line: bare (lines), or behind its id (tsv).
 *
 * Both hand out the line where it lies in the block; for tsv that is also
 * where the name is.
 */
#include <string.h>

#include "read/format.h"
#include "read/input.h"

static int next_line(struct input *in, struct cooc_err *err)
{
    return text_line(&in->text, &in->doc.text, &in->doc.text_len, err);
}

const struct format format_lines = {
    .name = "lines",
    .next = next_line,
};

static int next_tsv(struct input *in, struct cooc_err *err)
{
    const char *tab;
    int rc = next_line(in, err);

    if (rc <= 0)
        return rc;
    tab = memchr(in->doc.text, '\t', in->doc.text_len);
    if (!tab)
        return input_wrong(in, err,
                           "no TAB between id and text; for one document per "
                           "line without ids, use the format lines");
    in->doc.name = in->doc.text;
    in->doc.name_len = (size_t)(tab - in->doc.text);
    in->doc.text = tab + 1;
    in->doc.text_len -= in->doc.name_len + 1;
    return 1;
}

const struct format format_tsv = {
    .name = "tsv",
    .next = next_tsv,
};
