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
    int rc = line_reader_next(&in->lines, &doc->text, &doc->text_len, err);

    (void)state;
    if (rc <= 0)
        return rc;
    rc = input_name(in, in->lines.line, doc, err);
    return rc < 0 ? rc : 1;
}

const struct format format_lines = {
    .name = "lines",
    .summary = "a document a line",
    .next = next_line,
};

static int next_tsv(void *state, struct input *in, struct document *doc,
                    struct cooc_err *err)
{
    const char *line, *tab;
    size_t len;
    int rc = line_reader_next(&in->lines, &line, &len, err);

    (void)state;
    if (rc <= 0)
        return rc;
    tab = memchr(line, '\t', len);
    if (!tab)
        return input_wrong(in, err,
                           "no TAB between an id and a text "
                           "(a document a line without id: lines)");
    doc->name = line;
    doc->name_len = (size_t)(tab - line);
    doc->text = tab + 1;
    doc->text_len = len - doc->name_len - 1;
    return 1;
}

const struct format format_tsv = {
    .name = "tsv",
    .summary = "id TAB text, a document a line",
    .next = next_tsv,
};
