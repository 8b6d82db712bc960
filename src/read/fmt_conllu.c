/* fmt_conllu.c - CoNLL-U, the format of Universal Dependencies.
 *
 *     # newdoc id = tea
 *     # newpar
 *     # text = Don't!
 *     1-2  Don't  _    _     ...
 *     1    Do     do   AUX   ...
 *     2    n't    not  PART  ...
 *     3    !      !    PUNCT ...
 *
 * A sentence ends at a blank line.  A range such as 1-2 is a word as written;
 * the words in it follow.  Usually the ranges are skipped; with the column
 * "surface", they replace their words.  Then a part of speech is one of the
 * words of the range.  Empty nodes such as 8.1 are skipped.
 */
#include <string.h>

#include "base/ascii_case.h"
#include "cooc_build.h"
#include "read/annotated.h"
#include "read/format.h"
#include "read/input.h"
#include "read/scan.h"

#define COLUMNS 10
#define POS 4

struct conllu_state {
    struct annotated a;
    uint64_t range_end; /* the last word of the current range; 0: none */
    bool waiting;       /* the range is kept if one of its words is */
    struct buf range;   /* its line */
};

static const char *const names[] = { "id",    "form", "lemma",  "upos",
                                     "xpos",  "feats", "head",  "deprel",
                                     "deps",  "misc", NULL };
static const struct column_names columns = { names, COLUMNS, true, POS };

static int begin_conllu(struct input *in, struct cooc_err *err)
{
    struct conllu_state *s = in->state;

    s->range_end = 0;
    s->waiting = false;
    return annotated_begin(&s->a, in, &columns, err);
}

/* Does the comment p[0..len) begin with this word?  If so, the rest is in
 * *value. */
static bool is_comment(const char *p, size_t len, const char *word,
                       struct cell *value)
{
    struct scan s = scan_of(p, len);

    scan_char(&s, '#');
    scan_blanks(&s);
    if (scan_left(&s) < strlen(word) || memcmp(s.at, word, strlen(word)) != 0)
        return false;
    s.at += strlen(word);
    if (!scan_field_end(&s))
        return false;
    scan_blanks(&s);
    *value = (struct cell){ s.at, scan_left(&s) };
    return true;
}

/* 1: the current document is complete; 0: continue; < 0: failed. */
static int read_comment(struct conllu_state *s, struct input *in,
                        const char *line, size_t len, struct cooc_err *err)
{
    struct cell value;
    struct scan id;

    if (is_comment(line, len, "newpar", &value))
        annotated_end(&s->a, true);
    if (!is_comment(line, len, "newdoc", &value))
        return 0;
    id = scan_of(value.at, value.len);
    if (!scan_char(&id, 'i') || !scan_char(&id, 'd')) {
        id.at = id.end;
    } else {
        scan_blanks(&id);
        if (!scan_char(&id, '='))
            id.at = id.end;
    }
    value = (struct cell){ id.at, scan_left(&id) };
    ascii_trim(&value.at, &value.len, ASCII_SPACE);
    return annotated_mark(&s->a, in, &value, err);
}

static int bad_line(struct conllu_state *s, struct input *in,
                    struct cooc_err *err, const struct cell *cells, size_t n)
{
    s->a.open = false;
    s->a.skipping = true;
    s->a.marked = true; /* what follows is not the whole entry */
    if (n != COLUMNS)
        return input_bad_record(in, in->text.line, err,
                                "expected %d columns separated by TABs, found "
                                "%zu", COLUMNS, n);
    return input_bad_record(in, in->text.line, err,
                            "the first column must be a number such as 3, 1-2 "
                            "or 8.1, not '%.*s'",
                            cells->len < 20 ? (int)cells->len : 20, cells->at);
}

/* Add a range, now or when one of its words is kept. */
static int read_range(struct conllu_state *s, struct input *in,
                      const char *line, size_t len, const struct cell *cells,
                      uint64_t last, struct cooc_err *err)
{
    s->range_end = last;
    s->waiting = s->a.columns.pos != 0;
    return s->waiting ? buf_set(&s->range, line, len, err)
                      : annotated_add(&s->a, in, cells, COLUMNS, err);
}

/* Read a word of the current range. */
static int read_part(struct conllu_state *s, struct input *in,
                     const struct cell *cells, struct cooc_err *err)
{
    struct cell range[COLUMNS];

    if (!s->waiting || !annotated_keeps(&s->a, cells, COLUMNS))
        return 0;
    s->waiting = false;
    annotated_split(s->range.data, s->range.len, range, COLUMNS);
    return annotated_add(&s->a, in, range, COLUMNS, err);
}

static int read_token(struct conllu_state *s, struct input *in,
                      const char *line, size_t len, struct cooc_err *err)
{
    struct cell cells[COLUMNS];
    size_t n = annotated_split(line, len, cells, COLUMNS);
    struct scan id = scan_of(cells->at, cells->len);
    uint64_t first, last = 0;
    bool range;

    if (n != COLUMNS || !scan_u64(&id, &first))
        return bad_line(s, in, err, cells, n);
    range = scan_char(&id, '-');
    if (range ? !scan_u64(&id, &last)
              : scan_char(&id, '.') && !scan_u64(&id, &last))
        return bad_line(s, in, err, cells, n);
    if (scan_left(&id))
        return bad_line(s, in, err, cells, n);
    annotated_line(&s->a, in, n);
    if (range)
        return s->a.columns.surface
                   ? read_range(s, in, line, len, cells, last, err)
                   : 0;
    if (memchr(cells->at, '.', cells->len))
        return 0;
    if (first <= s->range_end)
        return read_part(s, in, cells, err);
    return annotated_keeps(&s->a, cells, n)
               ? annotated_add(&s->a, in, cells, n, err)
               : 0;
}

static bool is_blank_line(const char *line, size_t len)
{
    ascii_trim(&line, &len, ASCII_SPACE);
    return !len;
}

static int next_conllu(struct input *in, struct cooc_err *err)
{
    struct conllu_state *s = in->state;
    const char *line;
    size_t len;
    int rc;

    annotated_resume(&s->a);
    while ((rc = text_line(&in->text, &line, &len, err)) > 0) {
        if (is_blank_line(line, len)) {
            annotated_end(&s->a, false);
            s->range_end = 0;
            rc = 0;
        } else if (*line == '#') {
            rc = read_comment(s, in, line, len, err);
        } else {
            rc = s->a.skipping ? 0 : read_token(s, in, line, len, err);
        }
        if (rc != 0)
            break;
    }
    return rc < 0 ? rc : annotated_document(&s->a, in, rc == 0, err);
}

static void finish_conllu(struct input *in)
{
    const struct conllu_state *s = in->state;

    annotated_finish(&s->a, in);
}

static void release_conllu(void *state)
{
    struct conllu_state *s = state;

    annotated_release(&s->a);
    buf_release(&s->range);
}

const struct format format_conllu = {
    .name = "conllu",
    .kind = KIND_ITEMS,
    .uses = USE_COLUMN,
    .state_size = sizeof(struct conllu_state),
    .begin = begin_conllu,
    .next = next_conllu,
    .finish = finish_conllu,
    .release = release_conllu,
};
