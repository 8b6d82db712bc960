/* fmt_csv.c - tables: one document per row (csv), or id TAB text (tsv).
 *
 * A tsv file is a table with named columns, without quotation marks, if the
 * options say that it has a header or if a text field is a name in its first
 * line.  Otherwise the whole line after the first TAB is text, and both are
 * returned in place, in the block that was read.
 */
#include <string.h>

#include "base/err.h"
#include "cooc_build.h"
#include "read/format.h"
#include "read/input.h"
#include "read/reading.h"
#include "read/table.h"

static int begin_csv(struct input *in, struct cooc_err *err)
{
    char delimiter = reading_delimiter(in->options->delimiter);

    return table_begin(in->state, in, delimiter, true, err);
}

static int next_csv(struct input *in, struct cooc_err *err)
{
    return table_next(in->state, in, err);
}

static void release_csv(void *state)
{
    table_release(state);
}

const struct format format_csv = {
    .name = "csv",
    .uses = USE_FIELDS | USE_ID | USE_TABLE | USE_SPLIT | USE_GROUP,
    .state_size = sizeof(struct table),
    .begin = begin_csv,
    .next = next_csv,
    .release = release_csv,
};

/* ---- tsv ----------------------------------------------------------------- */

struct tsv_state {
    struct table table;
    bool is_table; /* the current entry has a header */
};

static int begin_tsv(struct input *in, struct cooc_err *err)
{
    const struct cooc_index_options *o = in->options;
    struct tsv_state *s = in->state;
    const char *line;
    size_t len;
    int rc;

    s->is_table = o->header;
    if (o->text_fields && !o->header) {
        rc = text_peek_line(&in->text, &line, &len, err);
        if (rc < 0)
            return rc;
        s->is_table = rc > 0 && table_is_named(o->text_fields, o->split != NULL,
                                               line, len, '\t');
        in->unfit = rc > 0 && !s->is_table;
        if (in->unfit)
            return err_path_option(err, COOC_EINVAL, in->name, "text_fields",
                                   "line 1 does not name any of the text "
                                   "fields '%.80s'; without a header, a tsv "
                                   "file is 'id TAB text'; to number columns, "
                                   "set the format to csv", o->text_fields);
    }
    return s->is_table ? table_begin(&s->table, in, '\t', false, err) : 0;
}

/* Split the text of the document into terms. */
static int split_text(struct input *in, struct cooc_err *err)
{
    static const struct field plain;
    int rc = input_add_value(in, &plain, in->doc.text, in->doc.text_len, err);

    input_text(in, &in->body);
    return rc < 0 ? rc : 1;
}

static int next_tsv(struct input *in, struct cooc_err *err)
{
    struct tsv_state *s = in->state;
    const char *tab;
    int rc;

    if (s->is_table)
        return table_next(&s->table, in, err);
    rc = text_line(&in->text, &in->doc.text, &in->doc.text_len, err);
    if (rc <= 0)
        return rc;
    tab = memchr(in->doc.text, '\t', in->doc.text_len);
    if (!tab)
        return input_bad_record(in, in->text.line, err,
                                "no TAB between id and text; for one document "
                                "per line without ids, use the format lines");
    in->doc.name = in->doc.text;
    in->doc.name_len = (size_t)(tab - in->doc.text);
    in->doc.text = tab + 1;
    in->doc.text_len -= in->doc.name_len + 1;
    return in->options->split ? split_text(in, err) : 1;
}

static void release_tsv(void *state)
{
    struct tsv_state *s = state;

    table_release(&s->table);
}

const struct format format_tsv = {
    .name = "tsv",
    .uses = USE_FIELDS | USE_ID | USE_TABLE | USE_SPLIT | USE_GROUP,
    .cut = CUT_LINES,
    .state_size = sizeof(struct tsv_state),
    .begin = begin_tsv,
    .next = next_tsv,
    .release = release_tsv,
};
