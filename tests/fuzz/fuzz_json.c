/* fuzz_json.c - a line of JSON, with its long strings and its numbers cut out
 * before jansson sees it: that must not change what it says.  A number may have
 * any size and is kept as it is written. */
#include "fuzz.h"

#include <jansson.h>

#include "base/utf8.h"
#include "read/json_skim.h"

static bool same_string(const struct skim *k, const json_t *reduced,
                        const char *want, size_t want_len)
{
    size_t len = json_string_length(reduced);
    const char *s = skim_string(k, json_string_value(reduced), &len);

    return len == want_len && (!len || !memcmp(s, want, len));
}

static bool same_number(const struct skim *k, const json_t *reduced,
                        const json_t *want)
{
    size_t len = json_string_length(reduced);
    const char *value = json_string_value(reduced);
    char *text, *end;
    bool same;

    if (!skim_is_number(k, value, len))
        return false;
    value = skim_string(k, value, &len);
    text = strndup(value, len);
    MUST(text);
    same = strtod(text, &end) == json_number_value(want) && !*end;
    free(text);
    return same;
}

/* The values of a parsed line, one without the long strings. */
static bool same(const struct skim *k, const json_t *reduced,
                 const json_t *whole)
{
    const json_t *v, *w;
    const char *key;
    size_t i, len;

    if (json_is_number(whole) && json_is_string(reduced))
        return same_number(k, reduced, whole);
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

/* By the grammar of RFC 8259, a character at a time. */
static bool is_number(const uint8_t *p, size_t n)
{
    /* after: - 0 digit . digit e sign digit; the next state for each */
    enum { START, MINUS, ZERO, INT, POINT, FRACTION, E, SIGN, POWER, BAD };
    int state = START;

    for (size_t i = 0; i < n; i++) {
        bool digit = p[i] >= '0' && p[i] <= '9', e = (p[i] | 32) == 'e';

        if (state <= MINUS)
            state = digit ? p[i] == '0' ? ZERO : INT
                          : p[i] == '-' && state == START ? MINUS : BAD;
        else if (state == ZERO || state == INT)
            state = digit && state == INT ? INT
                    : p[i] == '.' ? POINT : e ? E : BAD;
        else if (state == POINT || state == FRACTION)
            state = digit ? FRACTION : e && state == FRACTION ? E : BAD;
        else if (state == E)
            state = digit ? POWER
                          : p[i] == '+' || p[i] == '-' ? SIGN : BAD;
        else
            state = digit && state != BAD ? POWER : BAD;
    }
    return state == ZERO || state == INT || state == FRACTION ||
           state == POWER;
}

/* {"id":NUMBER} is a record if the bytes are a number, and keeps its text. */
static void check_number(const uint8_t *data, size_t size)
{
    struct cooc_err err = { 0 };
    struct skim k = { 0 };
    char *line = malloc(size + 16);
    json_t *j, *id;
    size_t len;

    MUST(line);
    memcpy(line, "{\"id\":", 6);
    memcpy(line + 6, data, size);
    line[6 + size] = '}';
    MUST(skim_line(&k, line, size + 7, &err) > 0);
    j = json_loadb(k.reduced.data, k.reduced.len, 0, NULL);
    MUST(j);
    id = json_object_get(j, "id");
    if (json_is_string(id)) {
        len = json_string_length(id);
        MUST(skim_is_number(&k, json_string_value(id), len));
        MUST(same_string(&k, id, (const char *)data, size));
    } else {
        char text[32];

        MUST(json_is_integer(id));
        len = (size_t)snprintf(text, sizeof text, "%lld",
                               (long long)json_integer_value(id));
        MUST(len == size && memcmp(text, data, len) == 0);
    }
    json_decref(j);
    skim_release(&k);
    free(line);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct cooc_err err = { 0 };
    struct skim k = { 0 };
    char *line;
    json_t *reduced, *whole;
    json_error_t why = { 0 };

    if (size < 100000 && is_number(data, size))
        check_number(data, size);
    if (!utf8_is_valid(data, size) || memchr(data, '\n', size))
        return;
    line = malloc(size ? size : 1);
    MUST(line);
    memcpy(line, data, size);
    whole = json_loadb(line, size, JSON_ALLOW_NUL, &why);
    if (skim_line(&k, line, size, &err) > 0) {
        reduced = json_loadb(k.reduced.data, k.reduced.len, JSON_ALLOW_NUL,
                             NULL);
        MUST(!reduced || whole ||
             json_error_code(&why) == json_error_numeric_overflow);
        MUST(!whole || (reduced && same(&k, reduced, whole)));
        json_decref(reduced);
    }
    json_decref(whole);
    json_mend_escapes(line, size);
    MUST(json_mend_escapes(line, size) == 0);
    skim_release(&k);
    free(line);
}
