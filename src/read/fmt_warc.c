/* fmt_warc.c - web archives: WARC records with pages in them.
 *
 *     WARC/1.0                          a record: header lines,
 *     WARC-Type: response
 *     WARC-Target-URI: http://a.b/c     the document's name
 *     Content-Length: 1234
 *                                       an empty line,
 *     HTTP/1.1 200 OK ...               1234 bytes, two empty lines
 *
 * Documents are the HTML pages and plain texts in records of type response
 * (after an HTTP header), resource and conversion; other contents of these
 * records are counted as skipped.  Records of other types (warcinfo, request,
 * metadata, revisit) are metadata and are ignored.  Lengths count bytes of the
 * file, so the file must not be converted before it gets here.
 */
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "cooc.h"
#include "read/format.h"
#include "read/input.h"
#include "read/recode.h"
#include "read/scan.h"

#define BLANKS " \t\r" /* as in is_blank() */
#define CONTENT_TYPE_MAX 64
#define CHARSET_MAX 40

/* A Content-Type: "text/html; charset=utf-8". */
struct content_type {
    char type[CONTENT_TYPE_MAX]; /* "": missing or too long */
    char charset[CHARSET_MAX];   /* "": not given */
};

/* A crawler stores the response as it was received: a status line, header
 * fields, an empty line, and the body, which may be split into chunks of "SIZE
 * in hex CRLF bytes CRLF".  Some crawlers store the joined body but leave the
 * header unchanged.  So a body that does not begin with a chunk is used whole,
 * and a body in which the chunks stop is used up to that point. */
struct http_response {
    struct content_type type;
    bool encoded; /* compressed, for example by gzip: not readable */
    char *body;   /* the body, its chunks joined in place */
    size_t body_len;
};

/* ---- header fields and HTTP --------------------------------------------- */

/* If line[0..len) is "name: value", set *value to the trimmed value. */
static bool header_value(const char *line, size_t len, const char *name,
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

static struct content_type content_type_of(const char *value, size_t len)
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

/* Read the chunk size at *p and move *p past its line; false if there is
 * none. */
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
        return false; /* text, not a size */
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

/* Parse Content-Encoding or Transfer-Encoding: a list of codings, of which
 * "identity" is a no-op. */
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

/* Parse the HTTP response in data, which is modified; false if it is not
 * one. */
static bool http_response(char *data, size_t len, struct http_response *out)
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

/* ---- records ------------------------------------------------------------- */

enum record_type { RECORD_OTHER, RECORD_RESPONSE, RECORD_PLAIN };

struct warc_state {
    uint64_t record; /* number of the record in its entry, from 1 */
    enum record_type kind;
    bool has_length;
    uint64_t length;
    struct content_type type;
    bool has_uri; /* in label; otherwise label is the record's id */
};

static int wrong(const struct warc_state *s, const struct input *in,
                 const char *why, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, in->name, "record %llu %s",
                    (unsigned long long)s->record, why);
}

static enum record_type record_type(const char *name, size_t len)
{
    if (ascii_is(name, len, "response"))
        return RECORD_RESPONSE;
    return ascii_is(name, len, "resource") || ascii_is(name, len, "conversion")
               ? RECORD_PLAIN : RECORD_OTHER;
}

static int header_line(struct warc_state *s, struct input *in,
                       const char *line, size_t len, struct cooc_err *err)
{
    struct scan c;
    const char *v;
    size_t n;

    if (header_value(line, len, "WARC-Type", &v, &n))
        s->kind = record_type(v, n);
    else if (header_value(line, len, "Content-Length", &v, &n)) {
        c = scan_of(v, n);
        s->has_length = scan_u64(&c, &s->length) && c.at == c.end;
    } else if (header_value(line, len, "Content-Type", &v, &n))
        s->type = content_type_of(v, n);
    else if (header_value(line, len, "WARC-Record-ID", &v, &n)) {
        if (!s->has_uri)
            return buf_set(&in->label, v, n, err);
    } else if (header_value(line, len, "WARC-Target-URI", &v, &n)) {
        if (n > 2 && *v == '<' && v[n - 1] == '>')
            v++, n -= 2; /* some writers put it in <> */
        s->has_uri = n > 0;
        if (s->has_uri)
            return buf_set(&in->label, v, n, err);
    }
    return 0;
}

/* 1: the header of the next record was read; 0: no more records; < 0:
 * failed. */
static int read_header(struct warc_state *s, struct input *in,
                       struct cooc_err *err)
{
    const char *line;
    size_t len;
    int rc;

    if (!in->text.line)
        s->record = 0; /* a new entry */
    do
        rc = text_line(&in->text, &line, &len, err);
    while (rc > 0 && len == 0);
    if (rc <= 0)
        return rc;
    s->record++;
    s->kind = RECORD_OTHER;
    s->has_length = false;
    s->type = (struct content_type){ "", "" };
    s->has_uri = false;
    in->label.len = 0;
    if (len < 5 || memcmp(line, "WARC/", 5) != 0)
        return wrong(s, in, "does not begin with WARC/", err);
    while ((rc = text_line(&in->text, &line, &len, err)) > 0) {
        if (len == 0)
            break;
        rc = header_line(s, in, line, len, err);
        if (rc < 0)
            return rc;
    }
    if (rc < 0)
        return rc;
    if (rc == 0)
        return wrong(s, in, "is truncated in its header", err);
    if (!s->has_length)
        return wrong(s, in, "has no valid Content-Length", err);
    return 1;
}

/* Read the record's contents into body, or skip them. */
static int read_contents(struct warc_state *s, struct input *in,
                         struct cooc_err *err)
{
    bool passed = s->kind == RECORD_OTHER;
    int rc;

    in->body.len = 0;
    if (!passed && s->length > in->text.max)
        return err_path_option(err, COOC_ELIMIT, in->name,
                               document_option(in->text.max),
                               "record %llu is larger than %zu MiB; %s",
                               (unsigned long long)s->record,
                               in->text.max >> 20,
                               document_advice(in->text.max));
    rc = text_bytes(&in->text, s->length, passed ? NULL : &in->body,
                           err);
    return rc ? rc : wrong(s, in, "is truncated", err);
}

/* Keep plain text unchanged, unless it is known to be in another encoding. */
static int plain_text(struct input *in, const char *charset,
                      struct cooc_err *err)
{
    int rc;

    if (!charset || encoding_is_utf8(charset) ||
        encoding_check(charset, NULL) < 0)
        return 0;
    in->scratch.len = 0;
    rc = recode(charset, in->doc.text, in->doc.text_len, true, &in->scratch,
                &in->stats->invalid_bytes, err);
    input_text(in, &in->scratch);
    return rc;
}

/* 1: the text of the record in body was extracted; 0: it has no text; < 0:
 * failed. */
static int extract(struct warc_state *s, struct input *in,
                   struct cooc_err *err)
{
    struct http_response http;
    struct content_type type = s->type;
    const char *charset = in->encoding.named;
    int rc;

    input_text(in, &in->body);
    if (s->kind == RECORD_RESPONSE && in->body.len &&
        http_response(in->body.data, in->body.len, &http)) {
        if (http.encoded)
            return 0;
        type = http.type;
        in->doc.text = http.body;
        in->doc.text_len = http.body_len;
    }
    if (type.charset[0])
        charset = type.charset;
    if (ascii_casecmp(type.type, "text/plain") == 0)
        rc = plain_text(in, charset, err);
    else if (ascii_casecmp(type.type, "text/html") == 0 ||
             ascii_casecmp(type.type, "application/xhtml+xml") == 0)
        rc = input_page(in, in->doc.text, in->doc.text_len, charset, err);
    else
        return 0;
    return rc < 0 ? rc : 1;
}

static int next_warc(struct input *in, struct cooc_err *err)
{
    struct warc_state *s = in->state;
    int rc;

    for (;;) {
        rc = read_header(s, in, err);
        if (rc > 0)
            rc = read_contents(s, in, err);
        if (rc <= 0)
            return rc;
        if (s->kind == RECORD_OTHER)
            continue;
        rc = extract(s, in, err);
        if (rc < 0)
            return rc;
        if (rc > 0)
            break;
        in->stats->skipped++;
    }
    if (!in->label.len)
        rc = input_name(in, s->record, err);
    else
        input_label(in);
    return rc < 0 ? rc : 1;
}

const struct format format_warc = {
    .name = "warc",
    .is_raw = true,
    .state_size = sizeof(struct warc_state),
    .next = next_warc,
};
