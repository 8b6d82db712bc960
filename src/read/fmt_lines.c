/* fmt_lines.c - one document per line, returned in place, in the block that was
 * read. */
#include "read/format.h"
#include "read/input.h"

static int next_line(struct input *in, struct cooc_err *err)
{
    return text_line(&in->text, &in->doc.text, &in->doc.text_len, err);
}

const struct format format_lines = {
    .name = "lines",
    .takes_any = true,
    .cut = CUT_LINES,
    .next = next_line,
};
