/* plain_json.c - jansson, whatever the locale. */
#include "base/plain_json.h"

#include "base/decimal.h"

json_t *plain_json_load(const char *text, size_t len, size_t flags,
                        json_error_t *why)
{
    locale_t before = decimal_plain();
    json_t *json = json_loadb(text, len, flags, why);

    uselocale(before);
    return json;
}

char *plain_json_dump(const json_t *json, size_t flags)
{
    locale_t before = decimal_plain();
    char *text = json_dumps(json, flags);

    uselocale(before);
    return text;
}
