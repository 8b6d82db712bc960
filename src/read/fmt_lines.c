/* fmt_lines.c - a document a line: bare (lines), or behind its id (tsv).
 *
 * Both hand out the line where it lies in the block; for tsv that is also
 * where the name is.
 */
#include <string.h>

#include "read/format.h"
#include "read/input.h"
#include "read/read.h"

static int next_line(void *state, struct input *in, struct document *doc,
                     struct cooc_err *err)
{
    (void)state;
    return line_reader_next(&in->lines, &doc->text, &doc->text_len, err);
}

const struct format format_lines = {
    .name = "lines",
    .next = next_line,
};

static int next_tsv(void *state, struct input *in, struct document *doc,
                    struct cooc_err *err)
{
    const char *tab;
    int rc = next_line(state, in, doc, err);

    if (rc <= 0)
        return rc;
    tab = memchr(doc->text, '\t', doc->text_len);
    if (!tab)
        return input_wrong(in, err,
                           "no TAB between an id and a text "
                           "(a document a line without id: lines)");
    doc->name = doc->text;
    doc->name_len = (size_t)(tab - doc->text);
    doc->text = tab + 1;
    doc->text_len -= doc->name_len + 1;
    return 1;
}

const struct format format_tsv = {
    .name = "tsv",
    .next = next_tsv,
};
