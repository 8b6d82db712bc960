/* name_list.c - a short sorted set of names in one buffer. */
#include "base/name_list.h"

#include <string.h>

#include "base/buf.h"

const char *name_list_next(const struct buf *list, const char *name)
{
    const char *next = name ? name + strlen(name) + 1 : list->data;

    return list->len && next < list->data + list->len ? next : NULL;
}

static int compare(const char *name, size_t len, const char *with)
{
    int order = strncmp(name, with, len);

    return order ? order : -(with[len] != '\0');
}

/* The offset at which the name is, or at which it must be inserted. */
static size_t find(const struct buf *list, const char *name, size_t len,
                   bool *there)
{
    const char *at = NULL;

    *there = false;
    while ((at = name_list_next(list, at)) != NULL) {
        int order = compare(name, len, at);

        *there = order == 0;
        if (order <= 0)
            return (size_t)(at - list->data);
    }
    return list->len;
}

bool name_list_has(const struct buf *list, const char *name, size_t len)
{
    bool there;

    find(list, name, len, &there);
    return there;
}

int name_list_add(struct buf *list, const char *name, size_t len,
                  struct cooc_err *err)
{
    bool there;
    size_t at = find(list, name, len, &there);
    int rc = there ? 0 : buf_reserve(list, len + 1, err);

    if (there || rc < 0)
        return rc;
    memmove(list->data + at + len + 1, list->data + at, list->len - at);
    memcpy(list->data + at, name, len);
    list->data[at + len] = '\0';
    list->len += len + 1;
    return 0;
}

int name_list_add_all(struct buf *list, const struct buf *more,
                      struct cooc_err *err)
{
    const char *name = NULL;
    int rc = 0;

    while (rc == 0 && (name = name_list_next(more, name)) != NULL)
        rc = name_list_add(list, name, strlen(name), err);
    return rc;
}
