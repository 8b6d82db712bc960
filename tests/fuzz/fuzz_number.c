/* fuzz_number.c - numbers as users write them, and as they are printed. */
#include "fuzz.h"

#include <math.h>

#include "base/decimal.h"
#include "ask/number.h"

static void check_integers(const char *text)
{
    uint64_t v = 77, back;
    char out[NUMBER_MAX], *end;
    struct share s = { 77, 0.77 };

    if (parse_u64(text, UINT64_MAX, &v)) {
        MUST(*text >= '0' && *text <= '9');
        MUST(v == strtoull(text, &end, 10) && !*end);
        MUST(v == 0 || !parse_u64(text, v - 1, &back));
    } else {
        MUST(v == 77);
    }
    v = 77;
    if (parse_size(text, &v)) {
        MUST(parse_size(format_size(out, v), &back) && back == v);
        MUST(strlen(format_count(out, v)) < NUMBER_MAX);
    } else {
        MUST(v == 77);
    }
    if (parse_share(text, &s))
        MUST(s.part == 0 || (s.count == 0 && s.part > 0 && s.part <= 1));
    else
        MUST(s.count == 77);
}

static void check_real(double v)
{
    char out[NUMBER_MAX];
    double back = 0, close;

    MUST(strlen(format_exact(out, v)) < NUMBER_MAX);
    if (isfinite(v)) {
        MUST(strtod(out, NULL) == v);
        MUST(parse_real(out, &back) && back == v);
    }
    for (int decimals = 0; decimals <= 9; decimals++)
        MUST(strlen(format_real(out, v, decimals)) < NUMBER_MAX);
    if (v <= 0)
        for (int digits = 1; digits <= 16; digits++)
            MUST(strlen(format_power(out, v, digits)) < NUMBER_MAX);
    if (isnan(v))
        return;
    out[decimal_real(out, v)] = '\0';
    MUST(strlen(out) <= DECIMAL_REAL);
    close = strtod(out, NULL);
    MUST(isinf(v) ? close == v
                  : fabs(close - v) <= 5.1e-9 * fabs(v) ||
                        fabs(v) < 1e-300 || isinf(close));
}

void fuzz_one(const uint8_t *data, size_t size)
{
    struct bytes in = { data, size }, copy = in;
    char *text = take_text(&in, size), *end, out[DECIMAL_U64 + 1];
    uint64_t bits = take_u64(&copy, 8);
    double v = 77, w;

    check_integers(text);
    if (parse_real(text, &v)) {
        w = strtod(text, &end); /* the locale is "C" here */
        MUST(!*end && w == v);
        check_real(v);
    } else {
        MUST(v == 77);
    }
    memcpy(&v, &bits, sizeof v);
    check_real(v);
    out[decimal_u64(out, bits)] = '\0';
    MUST(strtoull(out, NULL, 10) == bits);
    out[decimal_u64(out, (uint32_t)bits)] = '\0';
    MUST(strtoull(out, NULL, 10) == (uint32_t)bits);
    free(text);
}
