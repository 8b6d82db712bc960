/* fmt_wos.c - plain text of the Web of Science: a tag of two characters, or
 * three blanks before the continuation of a line.
 *
 *     FN Clarivate Analytics Web of Science
 *     VR 1.0
 *     PT J
 *     AU Ito, A
 *        Roe, B
 *     DE tea; green
 *        tea
 *     UT WOS:7
 *     ER
 *
 *     EF
 *
 * Lists of authors, addresses and cited references have one item per line; all
 * other fields are wrapped text.
 */
#include "read/format.h"
#include "read/tagged.h"

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static void parse_wos(const char *line, size_t len, struct tag_line *out)
{
    size_t blanks = 0;

    while (blanks < len && (line[blanks] == ' ' || line[blanks] == '\t'))
        blanks++;
    *out = (struct tag_line){ .kind = blanks == len ? LINE_BLANK
                                      : blanks      ? LINE_MORE
                                                    : LINE_OTHER };
    if (blanks || len < 2 || (len > 2 && line[2] != ' ') ||
        !is_upper(line[0]) ||
        !(is_upper(line[1]) || (line[1] >= '0' && line[1] <= '9')))
        return;
    *out = (struct tag_line){ .kind = LINE_TAG, .tag = line, .tag_len = 2,
                              .value = line + 2, .value_len = len - 2 };
}

static const char *const text[] = { "TI", NULL, "AB", NULL, NULL };
static const char *const ids[] = { "UT", "DI", NULL };
static const char *const around[] = { "FN", "VR", "EF", NULL };
static const char *const none[] = { NULL };
static const char *const lists[] = { "AU", "AF", "BA", "BF", "BE", "CA", "C1",
                                     "CR", NULL };

static const struct tagged_format wos = {
    .what = "a Web of Science file",
    .names = { .text = text, .ids = ids },
    .begin = "PT",
    .end = "ER",
    .around = around,
    .lists = lists,
    .starred = none,
    .parse = parse_wos,
};

static int next_wos(struct input *in, struct cooc_err *err)
{
    return tagged_next(in, &wos, err);
}

const struct format format_wos = {
    .name = "wos",
    .uses = USE_FIELDS | USE_ID | USE_SPLIT,
    .state_size = sizeof(struct tagged),
    .begin = tagged_begin,
    .next = next_wos,
    .finish = tagged_finish,
    .release = tagged_release,
};
