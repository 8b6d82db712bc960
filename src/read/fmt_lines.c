/* fmt_lines.c - one document per line: text only (lines), or id TAB text (tsv).
 *
 * Both formats return the line in place, in the block that was read; the name
 * of a tsv document is part of the same line.
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
    .cut = CUT_LINES,
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
    .cut = CUT_LINES,
    .next = next_tsv,
};
