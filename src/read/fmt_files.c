/* fmt_files.c - a document a file: plain text (files), or html.
 *
 * Directories, and archives like them, may hold images and other things
 * that are no text.  A NUL byte gives them away; such a file is stepped
 * over and counted, unless the user named it, or its name or its beginning
 * shows that it is a page: browsers ignore NUL bytes.
 */
#include <string.h>

#include "cooc.h"
#include "read/detect.h"
#include "read/format.h"
#include "read/html_text.h"
#include "read/input.h"
#include "read/read.h"

/* One state for both: has the entry's only document been handed out? */
struct files_state {
    bool done;
    struct buf plain;
};

static int begin_file(void *state, struct input *in, struct cooc_err *err)
{
    struct files_state *s = state;

    (void)in;
    (void)err;
    s->done = false;
    return 0;
}

static void release_file(void *state)
{
    struct files_state *s = state;

    buf_release(&s->plain);
}

/* Is there a NUL byte in body, and no sign of a page? */
static bool is_binary(const struct input *in)
{
    struct sample s = { .name = in->name,
                        .data = in->body.data,
                        .len = in->body.len < 65536 ? in->body.len : 65536 };

    return s.len && memchr(s.data, 0, s.len) && detect_page(&s) != &format_html;
}

/* The whole entry is in body: 1, or 0 if it is no text. */
static int read_file(struct files_state *s, struct input *in,
                     struct document *doc, struct cooc_err *err)
{
    int rc;

    if (s->done)
        return 0;
    s->done = true;
    rc = input_whole(in, err);
    if (rc < 0)
        return rc;
    if (in->found && is_binary(in)) {
        in->stats->skipped++;
        return 0;
    }
    doc->name = in->name;
    doc->name_len = strlen(in->name);
    doc->text = in->body.len ? in->body.data : "";
    doc->text_len = in->body.len;
    return 1;
}

static int next_file(void *state, struct input *in, struct document *doc,
                     struct cooc_err *err)
{
    return read_file(state, in, doc, err);
}

const struct format format_files = {
    .name = "files",
    .summary = "a document a file",
    .state_size = sizeof(struct files_state),
    .begin = begin_file,
    .next = next_file,
    .release = release_file,
};

static int next_html(void *state, struct input *in, struct document *doc,
                     struct cooc_err *err)
{
    struct files_state *s = state;
    bool known = in->options->encoding || text_is_utf8(&in->text);
    int rc = read_file(s, in, doc, err);

    if (rc <= 0)
        return rc;
    s->plain.len = 0;
    rc = html_text(doc->text, doc->text_len, known ? "UTF-8" : NULL, &s->plain,
                   &in->stats->invalid_bytes, err);
    if (rc < 0)
        return rc;
    doc->text = s->plain.len ? s->plain.data : "";
    doc->text_len = s->plain.len;
    return 1;
}

const struct format format_html = {
    .name = "html",
    .summary = "a document a file, HTML reduced to its text",
    .state_size = sizeof(struct files_state),
    .begin = begin_file,
    .next = next_html,
    .release = release_file,
};
