/* input_value.c - add the values of fields to a document.
 *
 *     "Deep learning; AI;"   with split ";" and prefix kw
 *     ->  kw:Deep learning \n kw:AI \n
 *
 * A term cannot contain a line end, because terms are passed on one per line.
 * White space is normalised later, together with case (TOKENS_ITEMS), except
 * between the prefix and the item.
 */
#include <string.h>
#include <unicode/uchar.h>

#include "base/ascii_case.h"
#include "base/utf8.h"
#include "read/input.h"

/* Skip white space of any script at the beginning of an item. */
static void skip_blanks(const char **item, size_t *len)
{
    while (*len) {
        const uint8_t *p = (const uint8_t *)*item;
        int32_t c;
        size_t n = utf8_next(p, p + *len, &c);

        if (c == UTF8_INVALID || !u_isUWhiteSpace(c))
            return;
        *item += n;
        *len -= n;
    }
}

static int add_item(struct input *in, const struct field *field,
                    const char *item, size_t len, struct cooc_err *err)
{
    size_t from;
    int rc;

    ascii_trim(&item, &len, ASCII_SPACE);
    if (field->prefix_len)
        skip_blanks(&item, &len);
    if (!len)
        return 0;
    rc = input_room(in, field->prefix_len + len + 2, err);
    if (rc == 0 && field->prefix_len) {
        rc = buf_add(&in->body, field->prefix, field->prefix_len, err);
        if (rc == 0)
            rc = buf_byte(&in->body, ':', err);
    }
    from = in->body.len;
    if (rc == 0)
        rc = buf_add(&in->body, item, len, err);
    if (rc < 0)
        return rc;
    for (char *p = in->body.data + from; (p = memchr(p, '\n', len)) != NULL;) {
        *p++ = ' ';
        len = (size_t)(in->body.data + in->body.len - p);
    }
    return buf_byte(&in->body, '\n', err);
}

static int add_items(struct input *in, const struct field *field,
                     const char *value, size_t len, struct cooc_err *err)
{
    const char *split = in->options->split, *end = value + len, *at;
    size_t n = strlen(split);
    int rc = 0;

    if (!n || !strcmp(split, "none"))
        return add_item(in, field, value, len, err);
    while (rc == 0 && value < end) {
        at = memmem(value, (size_t)(end - value), split, n);
        rc = add_item(in, field, value,
                      (size_t)((at ? at : end) - value), err);
        value = at ? at + n : end;
    }
    return rc;
}

int input_end(struct input *in, bool paragraph, struct cooc_err *err)
{
    return input_end_at(in, in->body.len, paragraph, err);
}

int input_end_at(struct input *in, size_t at, bool paragraph,
                 struct cooc_err *err)
{
    struct text_end end = { .at = at & INT64_MAX, .paragraph = paragraph };
    struct text_end *last;

    if (!at || !in->wants_ends)
        return 0;
    if (in->ends.len) {
        last = (struct text_end *)(void *)(in->ends.data + in->ends.len) - 1;
        if (last->at == end.at) {
            last->paragraph |= paragraph;
            return 0;
        }
    }
    return buf_add(&in->ends, &end, sizeof end, err);
}

int input_add_value(struct input *in, const struct field *field,
                    const char *value, size_t len, struct cooc_err *err)
{
    int rc;

    if (in->options->split)
        return add_items(in, field, value, len, err);
    rc = input_room(in, len + 1, err);
    if (rc == 0 && in->body.len)
        rc = buf_byte(&in->body, '\n', err);
    if (rc == 0)
        rc = input_end(in, true, err);
    return rc < 0 ? rc : buf_add(&in->body, value, len, err);
}
