/* fmt_medline.c - the MEDLINE format of PubMed (.nbib).
 *
 *     PMID- 7
 *     TI  - Tea and
 *           milk
 *     MH  - Tea
 *     MH  - *Milk
 *
 * A tag of at most four characters is padded to four; records are separated by
 * blank lines.  The asterisks that mark the main topics of a record are not
 * part of its headings and keywords.
 */
#include "base/ascii_case.h"
#include "read/format.h"
#include "read/tagged.h"

static void parse_medline(const char *line, size_t len, struct tag_line *out)
{
    size_t blanks = 0, n = 0;

    while (blanks < len && (line[blanks] == ' ' || line[blanks] == '\t'))
        blanks++;
    *out = (struct tag_line){ .kind = blanks == len ? LINE_BLANK
                                      : blanks      ? LINE_MORE
                                                    : LINE_OTHER };
    if (blanks || len < 5 || line[4] != '-' || (len > 5 && line[5] != ' '))
        return;
    while (n < 4 && ((line[n] >= 'A' && line[n] <= 'Z') ||
                     (n && ascii_is_digit(line[n]))))
        n++;
    for (size_t i = n; i < 4; i++)
        if (line[i] != ' ')
            return;
    if (n)
        *out = (struct tag_line){ .kind = LINE_TAG, .tag = line, .tag_len = n,
                                  .value = line + 5, .value_len = len - 5 };
}

static const char *const text[] = { "TI", NULL, "AB", NULL, NULL };
static const char *const ids[] = { "PMID", NULL };
static const char *const starred[] = { "MH", "OT", NULL };
static const char *const none[] = { NULL };

static const struct tagged_format medline = {
    .what = "a MEDLINE file",
    .names = { .text = text, .ids = ids },
    .begin = "PMID",
    .around = none,
    .lists = none,
    .starred = starred,
    .parse = parse_medline,
};

static int next_medline(struct input *in, struct cooc_err *err)
{
    return tagged_next(in, &medline, err);
}

const struct format format_medline = {
    .name = "medline",
    .uses = USE_FIELDS | USE_ID | USE_SPLIT,
    .state_size = sizeof(struct tagged),
    .begin = tagged_begin,
    .next = next_medline,
    .finish = tagged_finish,
    .release = tagged_release,
};
