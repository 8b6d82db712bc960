/* fmt_ris.c - RIS, which most databases and reference managers export.
 *
 *     TY  - JOUR
 *     AU  - Ito, A
 *     KW  - tea
 *     KW  - milk
 *     ER  -
 *
 * A tag is repeated for each author or keyword.  A line without a tag continues
 * the line before it; among keywords, it is one of its own, as EndNote writes
 * them.
 */
#include "base/ascii_case.h"
#include "read/format.h"
#include "read/tagged.h"

static void parse_ris(const char *line, size_t len, struct tag_line *out)
{
    size_t blanks = 0;

    while (blanks < len && ascii_space(line[blanks]))
        blanks++;
    *out = (struct tag_line){ .kind = blanks == len ? LINE_BLANK : LINE_MORE };
    if (len < 5 || memcmp(line + 2, "  -", 3) != 0 ||
        (len > 5 && line[5] != ' ') || line[0] < 'A' || line[0] > 'Z' ||
        !((line[1] >= 'A' && line[1] <= 'Z') || ascii_is_digit(line[1])))
        return;
    *out = (struct tag_line){ .kind = LINE_TAG, .tag = line, .tag_len = 2,
                              .value = line + 5, .value_len = len - 5 };
}

static const char *const text[] = { "TI", "T1", "AB", "N2", NULL };
static const char *const ids[] = { "AN", "DO", "ID", NULL };
static const char *const none[] = { NULL };
static const char *const lists[] = { "KW", NULL };

static const struct tagged_format ris = {
    .what = "a RIS file",
    .names = { .text = text, .ids = ids },
    .begin = "TY",
    .must_begin = true,
    .end = "ER",
    .around = none,
    .lists = lists,
    .starred = none,
    .parse = parse_ris,
};

static int next_ris(struct input *in, struct cooc_err *err)
{
    return tagged_next(in, &ris, err);
}

const struct format format_ris = {
    .name = "ris",
    .uses = USE_FIELDS | USE_ID | USE_SPLIT,
    .state_size = sizeof(struct tagged),
    .begin = tagged_begin,
    .next = next_ris,
    .finish = tagged_finish,
    .release = tagged_release,
};
