/* warc_http.h - header fields, and the HTTP response inside a record. */
#ifndef COOC_WARC_HTTP_H
#define COOC_WARC_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#define CONTENT_TYPE_MAX 64
#define CHARSET_MAX 40

/* A Content-Type: "text/html; charset=utf-8". */
struct content_type {
    char type[CONTENT_TYPE_MAX]; /* "" : none, or too long to be known */
    char charset[CHARSET_MAX];   /* "" : not said */
};

struct http_response {
    struct content_type type;
    bool encoded; /* gzip or the like: not to be read */
    char *body;   /* what the chunks hold, put together in place */
    size_t body_len;
};

/* If line[0..len) is "name: value", point to the trimmed value. */
bool header_value(const char *line, size_t len, const char *name,
                  const char **value, size_t *value_len);

struct content_type content_type_of(const char *value, size_t len);

/* Take apart the response in data, which is changed; false if it is none. */
bool http_response(char *data, size_t len, struct http_response *out);

#endif
