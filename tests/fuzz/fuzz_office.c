/* fuzz_office.c - the parts of docx, odt and epub files.
 *
 *     u8 kind, u8 block size; the parts: a path up to '\n', bytes up to NUL
 */
#include "fuzz.h"

#include "base/buf.h"
#include "base/mem.h"
#include "read/office.h"

#define MAX ((size_t)1 << 20)

struct archive {
    struct bytes left, part;
    size_t block;
    char path[64];
};

static int next_part(void *self, struct unpacked *out, struct cooc_err *err)
{
    struct archive *a = self;
    const uint8_t *line = a->left.p, *end = line + a->left.n, *nl, *nul;
    size_t len;

    (void)err;
    nl = a->left.n ? memchr(line, '\n', a->left.n) : NULL;
    if (!nl)
        return 0;
    len = (size_t)(nl - line) < sizeof a->path - 1 ? (size_t)(nl - line)
                                                   : sizeof a->path - 1;
    memcpy(a->path, line, len);
    a->path[len] = '\0';
    nul = memchr(nl, '\0', (size_t)(end - nl));
    a->part = (struct bytes){ nl + 1, (size_t)((nul ? nul : end) - nl - 1) };
    a->left.p = nul ? nul + 1 : end;
    a->left.n = (size_t)(end - a->left.p);
    *out = (struct unpacked){ .path = a->path, .regular = true };
    return 1;
}

static int next_block(void *self, const char **data, size_t *len,
                      struct cooc_err *err)
{
    struct archive *a = self;

    (void)err;
    *data = (const char *)a->part.p;
    *len = a->part.n < a->block ? a->part.n : a->block;
    a->part.p += *len;
    a->part.n -= *len;
    return *len > 0;
}

static void no_free(void *self)
{
    (void)self;
}

void fuzz_one(const uint8_t *data, size_t size)
{
    static const enum office_kind kinds[] = { OFFICE_DOCX, OFFICE_ODT,
                                              OFFICE_EPUB };
    struct bytes in = { data, size };
    enum office_kind kind = kinds[take_byte(&in) % 3];
    struct archive a = { .block = 1 + take_byte(&in) };
    struct container c = { next_part, next_block, &a, no_free };
    struct cooc_err err = { 0 };
    uint64_t invalid = 0;
    struct office_limits limits = { MAX, &invalid };
    struct unpacked entry;
    size_t total = 0, len;
    const char *page;
    int rc;

    a.left = in;
    MUST(office_new(&c, kind, "f", &limits, &err) == 0);
    rc = c.entry(c.self, &entry, &err);
    MUST(rc == 1 && !entry.path && entry.regular);
    while (total < MAX && (rc = c.block(c.self, &page, &len, &err)) > 0)
        total += len;
    MUST(rc >= 0 || (err.code == rc && err.text[0]));
    if (rc == 0)
        MUST(c.entry(c.self, &entry, &err) == 0);
    c.free(c.self);
}
