/* display.c - escape terms and names for each output form. */
#include "ask/display.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Decode the code point at s[0..len), len > 0; returns its length in bytes. */
static size_t next_point(const char *s, size_t len, int32_t *code)
{
    return utf8_next((const uint8_t *)s, (const uint8_t *)s + len, code);
}

struct range {
    int32_t first, last;
};

static bool is_in(const struct range *r, size_t n, int32_t code)
{
    for (size_t i = 0; i < n; i++)
        if (code >= r[i].first && code <= r[i].last)
            return true;
    return false;
}

/* Whether a code point can move the cursor, change colours or change the
 * direction of text. */
static bool is_unsafe(int32_t code)
{
    static const struct range unsafe[] = {
        { 0x00, 0x1f },     { 0x7f, 0x9f },     { 0x061c, 0x061c },
        { 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 },
        { UTF8_INVALID, UTF8_INVALID },
    };

    return is_in(unsafe, sizeof unsafe / sizeof *unsafe, code);
}

void display_terminal(FILE *to, const char *s, size_t len)
{
    for (size_t i = 0; i < len;) {
        int32_t code;
        size_t n = next_point(s + i, len - i, &code);

        if (is_unsafe(code))
            fputs(REPLACEMENT, to);
        else
            fwrite(s + i, 1, n, to);
        i += n;
    }
}

/* An approximation: combining marks take no column, East Asian characters
 * take two. */
size_t display_width(const char *s, size_t len)
{
    static const struct range none[] = {
        { 0x0300, 0x036f }, { 0x200b, 0x200d }, { 0x20d0, 0x20ff },
        { 0xfe00, 0xfe0f },
    };
    static const struct range two[] = {
        { 0x1100, 0x115f },   { 0x2e80, 0x303e },   { 0x3041, 0xa4cf },
        { 0xac00, 0xd7a3 },   { 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },
        { 0xff00, 0xff60 },   { 0xffe0, 0xffe6 },   { 0x1f300, 0x1f64f },
        { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
    };
    size_t columns = 0;

    for (size_t i = 0; i < len;) {
        int32_t code;

        i += next_point(s + i, len - i, &code);
        if (is_in(two, sizeof two / sizeof *two, code))
            columns += 2;
        else if (!is_in(none, sizeof none / sizeof *none, code))
            columns += 1;
    }
    return columns;
}

void display_wrap(FILE *to, const char *text, size_t at, size_t indent,
                  size_t width)
{
    while (*text) {
        size_t len = strcspn(text, " \n");

        if (at > indent && at + 1 + len >= width) {
            fprintf(to, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > indent) {
            putc(' ', to);
            at++;
        }
        at += len;
        for (; len; len--, text++)
            putc(*text == DISPLAY_NO_BREAK ? ' ' : *text, to);
        if (*text == '\n') {
            size_t ends = strspn(text, "\n");

            fprintf(to, "%.*s%*s", (int)ends, text, (int)indent, "");
            text += ends;
            at = indent;
        }
        text += strspn(text, " ");
    }
    putc('\n', to);
}

size_t terminal_width(int fd)
{
    struct winsize w;

    return ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 10 ? w.ws_col : 80;
}

void display_tsv(FILE *to, const char *s, size_t len)
{
    static const char special[] = "\t\n\r\\", letters[] = "tnr\\0";

    for (size_t i = 0; i < len; i++) {
        bool maybe = (uint8_t)s[i] < ' ' || s[i] == '\\';
        const char *at = maybe ? memchr(special, s[i], sizeof special) : NULL;

        if (at)
            putc('\\', to);
        putc(at ? letters[at - special] : s[i], to);
    }
}

void display_json(FILE *to, const char *s, size_t len)
{
    static const char special[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";

    putc('"', to);
    for (size_t i = 0; i < len;) {
        int32_t code;
        size_t n = next_point(s + i, len - i, &code);
        const char *at = code > 0 && code < 0x80 ? strchr(special, code)
                                                 : NULL;

        if (at)
            fprintf(to, "\\%c", letters[at - special]);
        else if (code == UTF8_INVALID)
            fputs(REPLACEMENT, to);
        else if (code < 0x20)
            fprintf(to, "\\u%04x", (unsigned)code);
        else
            fwrite(s + i, 1, n, to);
        i += n;
    }
    putc('"', to);
}
