/* pattern.c - shell patterns over UTF-8 characters, independent of the locale.
 * */
#include "query/pattern.h"

#include <string.h>

#include "base/utf8.h"

struct text {
    const uint8_t *p, *end;
};

/* Take the next character; an invalid byte is a character that equals only the
 * same byte. */
static int32_t take(struct text *t)
{
    const uint8_t *p = t->p;
    int32_t c;
    size_t n = utf8_next(p, t->end, &c);

    if (c == UTF8_INVALID) {
        t->p++;
        return -(int32_t)*p;
    }
    t->p += n;
    return c;
}

/* Whether c is in the set that begins after '['.  Sets *set to false if the set
 * has no ']'. */
static bool in_set(struct text *pattern, int32_t c, bool *set)
{
    struct text s = *pattern;
    bool not = s.p < s.end && (*s.p == '!' || *s.p == '^'), found = false;

    s.p += not;
    *set = false;
    for (bool first = true; s.p < s.end; first = false) {
        int32_t low = take(&s), high;

        if (low == ']' && !first) {
            pattern->p = s.p;
            *set = true;
            return found != not;
        }
        if (low == '\\' && s.p < s.end)
            low = take(&s);
        high = low;
        if (s.end - s.p > 1 && s.p[0] == '-' && s.p[1] != ']') {
            s.p++;
            high = take(&s);
            if (high == '\\' && s.p < s.end)
                high = take(&s);
        }
        found |= low <= c && c <= high;
    }
    return false;
}

/* Match one character of the text with one item of the pattern other than
 * '*'. */
static bool one(struct text *pattern, struct text *text)
{
    int32_t c = take(text), want = take(pattern);
    bool set, in;

    if (want == '?')
        return true;
    if (want == '[') {
        in = in_set(pattern, c, &set);
        if (set)
            return in;
    } else if (want == '\\' && pattern->p < pattern->end) {
        want = take(pattern);
    }
    return c == want;
}

bool pattern_matches(const char *pattern, size_t n, const char *text,
                     size_t len)
{
    struct text p = { (const uint8_t *)pattern, NULL };
    struct text t = { (const uint8_t *)text, NULL };
    struct text p_star = { 0 }, t_star = { 0 };

    p.end = p.p + n;
    t.end = t.p + len;
    for (;;) {
        if (p.p < p.end && *p.p == '*') { /* try the empty string first */
            p.p++;
            p_star = p;
            t_star = t;
            continue;
        }
        if (p.p == p.end && t.p == t.end)
            return true;
        if (p.p < p.end && t.p < t.end && one(&p, &t))
            continue;
        if (!p_star.p || t_star.p == t_star.end)
            return false;
        take(&t_star); /* let the last '*' match one more character */
        p = p_star;
        t = t_star;
    }
}

size_t pattern_head(const char *pattern, size_t n)
{
    size_t i = 0;

    while (i < n && !memchr("*?[\\", pattern[i], 4))
        i++;
    return i;
}
