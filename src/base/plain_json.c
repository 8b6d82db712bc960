/* plain_json.c - jansson, whatever the locale. */
#include "base/plain_json.h"

#include <stdbool.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/err.h"

json_t *plain_json_load(const char *text, size_t len, size_t flags,
                        json_error_t *why)
{
    locale_t before = decimal_plain();
    json_t *json = json_loadb(text, len, flags, why);

    uselocale(before);
    return json;
}

struct adding {
    struct buf *to;
    struct cooc_err *err;
    int rc;
};

static int add_text(const char *text, size_t len, void *self)
{
    struct adding *a = self;

    if (a->rc == 0)
        a->rc = buf_add(a->to, text, len, a->err);
    return a->rc < 0 ? -1 : 0;
}

/* Not json_dumps(), which leaves out what it has no memory for and tells
 * nobody: it does not look at what becomes of a key. */
int plain_json_add(struct buf *to, const json_t *json, size_t flags,
                   struct cooc_err *err)
{
    struct adding a = { .to = to, .err = err };
    locale_t before = decimal_plain();
    bool written = json && json_dump_callback(json, add_text, &a, flags) == 0;

    uselocale(before);
    return written || a.rc < 0 ? a.rc : err_nomem(err);
}
