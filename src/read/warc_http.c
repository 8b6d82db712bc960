/* warc_http.c - as much of HTTP as archived pages need.
 *
 * A crawler stores the response as it came over the wire: a status line,
 * header fields, an empty line, the body, perhaps cut into chunks of
 * "SIZE in hex CRLF bytes CRLF".  Some store the body already joined but
 * leave the header as it was, so a body that does not begin with a chunk is
 * taken whole, and one that stops being chunks is taken up to there.
 */
#include "read/warc_http.h"

#include <stdint.h>
#include <string.h>

#include "base/ascii_case.h"
#include "read/scan.h"

#define BLANKS " \t\r" /* is_blank() */

bool header_value(const char *line, size_t len, const char *name,
                  const char **value, size_t *value_len)
{
    size_t n = strlen(name);

    if (len <= n || ascii_ncasecmp(line, name, n) != 0 || line[n] != ':')
        return false;
    *value = line + n + 1;
    *value_len = len - n - 1;
    ascii_trim(value, value_len, BLANKS);
    return true;
}

struct content_type content_type_of(const char *value, size_t len)
{
    struct content_type t = { "", "" };
    size_t n = 0, i;

    while (n < len && value[n] != ';' && !is_blank(value[n]))
        n++;
    if (n < sizeof t.type) {
        memcpy(t.type, value, n);
        t.type[n] = '\0';
    }
    for (i = n; i + 8 < len; i++)
        if (ascii_ncasecmp(value + i, "charset=", 8) == 0)
            break;
    if (i + 8 >= len)
        return t;
    for (i += 8, n = 0; i < len && n < sizeof t.charset - 1; i++)
        if (value[i] == ';' || is_blank(value[i]))
            break;
        else if (value[i] != '"' && value[i] != '\'')
            t.charset[n++] = value[i];
    t.charset[n] = '\0';
    return t;
}

/* The size at *p, which is moved behind its line; false if there is none. */
static bool chunk_size(const char **p, const char *end, size_t *size)
{
    const char *q = *p;
    size_t v = 0, digits = 0;

    for (; q < end && ascii_hex(*q) >= 0; q++, digits++) {
        if (v > SIZE_MAX >> 4)
            return false;
        v = v << 4 | (size_t)ascii_hex(*q);
    }
    while (q < end && is_blank(*q))
        q++;
    if (!digits || q == end || (*q != '\n' && *q != ';'))
        return false; /* words, not a size */
    q = memchr(q, '\n', (size_t)(end - q));
    if (!q)
        return false;
    *p = q + 1;
    *size = v;
    return true;
}

static void join_chunks(struct http_response *r)
{
    const char *p = r->body, *end = p + r->body_len;
    char *out = r->body;
    bool first = true;
    size_t size;

    while (chunk_size(&p, end, &size)) {
        first = false;
        if (size > (size_t)(end - p))
            size = (size_t)(end - p);
        memmove(out, p, size);
        out += size;
        p += size;
        if (size == 0)
            break;
        if (p < end && *p == '\r')
            p++;
        if (p < end && *p == '\n')
            p++;
    }
    if (!first)
        r->body_len = (size_t)(out - r->body);
}

/* Content-Encoding and Transfer-Encoding: lists of codings, of which
 * "identity" does nothing. */
static void note_codings(const char *value, size_t len, bool *chunked,
                         bool *encoded)
{
    const char *end = value + len;

    while (value < end) {
        const char *comma = memchr(value, ',', (size_t)(end - value));
        const char *next = comma ? comma : end;
        size_t n = (size_t)(next - value);

        ascii_trim(&value, &n, BLANKS);
        if (ascii_is(value, n, "chunked"))
            *chunked = true;
        else if (n && !ascii_is(value, n, "identity"))
            *encoded = true;
        value = comma ? comma + 1 : end;
    }
}

bool http_response(char *data, size_t len, struct http_response *out)
{
    char *p = data, *end = data + len;
    bool chunked = false, ignored = false;
    size_t n = 0;

    *out = (struct http_response){ 0 };
    if (len < 5 || memcmp(data, "HTTP/", 5) != 0)
        return false;
    do {
        char *nl = memchr(p, '\n', (size_t)(end - p));
        const char *value;
        size_t vlen;

        n = (size_t)((nl ? nl : end) - p);
        if (n && p[n - 1] == '\r')
            n--;
        if (header_value(p, n, "Content-Type", &value, &vlen))
            out->type = content_type_of(value, vlen);
        else if (header_value(p, n, "Content-Encoding", &value, &vlen))
            note_codings(value, vlen, &ignored, &out->encoded);
        else if (header_value(p, n, "Transfer-Encoding", &value, &vlen))
            note_codings(value, vlen, &chunked, &out->encoded);
        p = nl ? nl + 1 : end;
    } while (n && p < end);
    out->body = p;
    out->body_len = (size_t)(end - p);
    if (chunked)
        join_chunks(out);
    return true;
}
