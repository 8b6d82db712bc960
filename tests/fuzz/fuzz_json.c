/* fuzz_json.c - a line of JSON, with its long strings cut out before jansson
 * sees it: that must not change what it says. */
#include "fuzz.h"

#include <jansson.h>

#include "read/json_skim.h"
#include "token/utf8.h"

static bool same_string(const struct skim *k, const json_t *reduced,
                        const char *want, size_t want_len)
{
    size_t len = json_string_length(reduced);
    const char *s = skim_string(k, json_string_value(reduced), &len);

    return len == want_len && (!len || !memcmp(s, want, len));
}

/* The values of a parsed line, one without the long strings. */
static bool same(const struct skim *k, const json_t *reduced,
                 const json_t *whole)
{
    const json_t *v, *w;
    const char *key;
    size_t i, len;

    if (json_typeof(reduced) != json_typeof(whole))
        return false;
    if (json_is_string(whole))
        return same_string(k, reduced, json_string_value(whole),
                           json_string_length(whole));
    if (json_is_array(whole)) {
        if (json_array_size(reduced) != json_array_size(whole))
            return false;
        for (i = 0; i < json_array_size(whole); i++)
            if (!same(k, json_array_get(reduced, i),
                      json_array_get(whole, i)))
                return false;
        return true;
    }
    if (!json_is_object(whole))
        return json_equal(reduced, whole);
    for (void *it = json_object_iter((json_t *)(uintptr_t)whole); it;
         it = json_object_iter_next((json_t *)(uintptr_t)whole, it)) {
        key = json_object_iter_key(it);
        len = json_object_iter_key_len(it);
        v = json_object_iter_value(it);
        w = json_object_getn(reduced, key, len);
        if (len < 64 && (!w || !same(k, w, v)))
            return false;
    }
    return true;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct cooc_err err = { 0 };
    struct skim k = { 0 };
    char *line;
    json_t *reduced, *whole;

    if (!utf8_is_valid(data, size) || memchr(data, '\n', size))
        return;
    line = malloc(size ? size : 1);
    MUST(line);
    memcpy(line, data, size);
    whole = json_loadb(line, size, JSON_ALLOW_NUL, NULL);
    if (skim_line(&k, line, size, &err) > 0) {
        reduced = json_loadb(k.reduced.data, k.reduced.len, JSON_ALLOW_NUL,
                             NULL);
        MUST(!reduced || (whole && same(&k, reduced, whole)));
        json_decref(reduced);
    }
    json_decref(whole);
    json_mend_escapes(line, size);
    MUST(json_mend_escapes(line, size) == 0);
    skim_release(&k);
    free(line);
}
