/* fuzz_json.c - a line of JSON, read as a record: the result must be that of
 * jansson, except that a number may have any size and keeps its text, and half
 * surrogate pairs are replaced. */
#include "fuzz.h"

#include <jansson.h>

#include "base/json.h"
#include "base/utf8.h"

static bool same_number(const json_t *record, const json_t *want)
{
    const char *text = json_string_value(record);
    char *end;

    return text && *text++ == JSON_NUMBER_MARK &&
           strtod(text, &end) == json_number_value(want) && !*end;
}

/* Compare the values of a line by json_read_record() and by jansson. */
static bool same(const json_t *record, const json_t *want)
{
    if (json_is_number(want))
        return same_number(record, want);
    if (json_typeof(record) != json_typeof(want))
        return false;
    if (json_is_array(want)) {
        if (json_array_size(record) != json_array_size(want))
            return false;
        for (size_t i = 0; i < json_array_size(want); i++)
            if (!same(json_array_get(record, i), json_array_get(want, i)))
                return false;
        return true;
    }
    if (!json_is_object(want))
        return json_equal(record, want);
    if (json_object_size(record) != json_object_size(want))
        return false;
    for (void *it = json_object_iter((json_t *)(uintptr_t)want); it;
         it = json_object_iter_next((json_t *)(uintptr_t)want, it)) {
        const json_t *v = json_object_getn(record, json_object_iter_key(it),
                                           json_object_iter_key_len(it));

        if (!v || !same(v, json_object_iter_value(it)))
            return false;
    }
    return true;
}

/* By the grammar of RFC 8259, one character at a time. */
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
    char *line = malloc(size + 16);
    json_error_t why;
    const char *id;
    size_t replaced;
    json_t *j;

    MUST(line);
    memcpy(line, "{\"id\":", 6);
    memcpy(line + 6, data, size);
    line[6 + size] = '}';
    j = json_read_record(line, size + 7, &replaced, &why);
    MUST(j);
    id = json_string_value(json_object_get(j, "id"));
    MUST(id && *id == JSON_NUMBER_MARK && strlen(id) == size + 1);
    MUST(memcmp(id + 1, data, size) == 0);
    json_decref(j);
    free(line);
}

void fuzz_one(const uint8_t *data, size_t size)
{
    json_error_t why = { 0 }, words;
    json_t *record, *want;
    size_t replaced;
    char *line;

    if (size < 100000 && is_number(data, size))
        check_number(data, size);
    if (!utf8_is_valid(data, size) || memchr(data, '\n', size))
        return;
    line = malloc(size ? size : 1);
    MUST(line);
    memcpy(line, data, size);
    want = json_loadb(line, size, JSON_ALLOW_NUL, &why);
    record = json_read_record(line, size, &replaced, &words);
    MUST(!want || (record && !replaced && same(record, want)));
    MUST(!record || want || replaced ||
         json_error_code(&why) == json_error_numeric_overflow);
    MUST(record || (words.text[0] && !json_out_of_memory(&words)));
    json_decref(record);
    json_decref(want);
    free(line);
}
