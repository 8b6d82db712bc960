/* xml_path.c - names of elements and attributes as users write them. */
#include "read/xml_path.h"

#include <string.h>

#include "base/ascii_case.h"
#include "read/xml_parser.h"

/* Remove the prefix of a namespace. */
static struct xml_name local_name(const char *text, size_t len)
{
    const char *colon = len ? memrchr(text, ':', len) : NULL;

    if (colon) {
        len -= (size_t)(colon + 1 - text);
        text = colon + 1;
    }
    return (struct xml_name){ text, len };
}

bool xml_path_set(struct xml_path *p, const char *text, size_t len)
{
    const char *end;

    *p = (struct xml_path){ .n = 0 };
    ascii_trim(&text, &len, ASCII_SPACE);
    for (end = text + len; text < end; text++) {
        const char *slash = memchr(text, '/', (size_t)(end - text));
        size_t n = (size_t)((slash ? slash : end) - text);

        if (n && *text == '@') {
            p->attribute = local_name(text + 1, n - 1);
            return p->attribute.len && !slash;
        }
        if (n && p->n == XML_PATH_MAX)
            return false;
        if (n)
            p->names[p->n++] = local_name(text, n);
        text += n;
    }
    return p->n > 0;
}

bool xml_path_matches(const struct xml_path *p, const struct xml_element *e)
{
    if (p->n > e->depth + 1)
        return false;
    for (size_t i = 0; i < p->n; i++) {
        const struct xml_name *want = &p->names[p->n - 1 - i];
        const char *name = e->path[e->depth - i];

        if (strncmp(name, want->text, want->len) != 0 || name[want->len])
            return false;
    }
    return true;
}
