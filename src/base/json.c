/* json.c - jansson, whatever the locale, and whatever the memory. */
#include "base/json.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/err.h"

/* Have jansson say what is wrong with a text, unless memory ran out. */
static void word_error(const char *text, size_t len, size_t flags, bool nomem,
                       json_error_t *why)
{
    locale_t before = decimal_plain();

    memset(why, 0, sizeof *why);
    if (!nomem)
        json_decref(json_loadb(text, len, flags, why));
    if (!why->text[0]) {
        snprintf(why->text, sizeof why->text, "out of memory");
        why->text[sizeof why->text - 1] = json_error_out_of_memory;
    }
    uselocale(before);
}

json_t *json_read(const char *text, size_t len, size_t flags,
                  json_error_t *why)
{
    struct json_parse_args args = { .nul = flags & JSON_ALLOW_NUL };
    locale_t before = decimal_plain();
    json_t *json = json_parse(text, len, &args);

    uselocale(before);
    if (!json && why)
        word_error(text, len, flags, args.nomem, why);
    return json;
}

json_t *json_read_record(const char *text, size_t len, size_t *replaced,
                         json_error_t *why)
{
    struct json_parse_args args = { .nul = true, .record = true };
    json_t *json = json_parse(text, len, &args);
    struct buf copy = { 0 };

    *replaced = args.replaced;
    if (json)
        return json;
    args.nomem |= buf_add(&copy, text, len, NULL) < 0;
    if (!args.nomem)
        json_sanitise(copy.data, copy.len);
    word_error(copy.data, copy.len, JSON_ALLOW_NUL, args.nomem, why);
    buf_release(&copy);
    return NULL;
}

bool json_out_of_memory(const json_error_t *why)
{
    return json_error_code(why) == json_error_out_of_memory;
}

bool json_get_u64(const json_t *object, const char *key, uint64_t *out)
{
    const json_t *v = json_object_get(object, key);

    if (!json_is_integer(v) || json_integer_value(v) < 0)
        return false;
    *out = (uint64_t)json_integer_value(v);
    return true;
}

bool json_get_u32(const json_t *object, const char *key, uint32_t max,
                  uint32_t *out)
{
    uint64_t v;

    if (!json_get_u64(object, key, &v) || v > max)
        return false;
    *out = (uint32_t)v;
    return true;
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
int json_append(struct buf *to, const json_t *json, size_t flags,
                struct cooc_err *err)
{
    struct adding a = { .to = to, .err = err };
    locale_t before = decimal_plain();
    bool written = json && json_dump_callback(json, add_text, &a, flags) == 0;

    uselocale(before);
    return written || a.rc < 0 ? a.rc : err_nomem(err);
}
