/* office.c - present a docx, odt or epub file as one page of HTML. */
#include "read/office.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "read/binary.h"
#include "read/zip_header.h"

/* The byte order mark says that the page is in UTF-8, whatever is in it. */
#define HEAD "\xef\xbb\xbf<!DOCTYPE html><html>\n"

struct office {
    struct container zip;
    enum office_kind kind;
    const char *name;
    const struct office_limits *limits;
    bool begun;               /* the entry was returned */
    bool any;                 /* a part with text was found */
    bool encrypted;           /* the manifest of an odt file says so */
    struct buf part;          /* name of the current part, for messages */
    struct office_text *text; /* of the current part, or NULL */
    struct epub *book;
    struct buf out;
};

/* ---- what an archive is -------------------------------------------------- */

static bool is_name(const struct zip_record *r, const char *name)
{
    return r->name_len == strlen(name) &&
           memcmp(r->name, name, r->name_len) == 0;
}

/* The kind that a mimetype says; it is the first entry and not compressed. */
static enum office_kind by_mimetype(const char *p, size_t len)
{
    static const struct {
        const char *type;
        enum office_kind kind;
    } types[] = {
        { "application/vnd.oasis.opendocument.text", OFFICE_ODT },
        { "application/epub+zip", OFFICE_EPUB },
        { "application/vnd.oasis.opendocument.spreadsheet", OFFICE_ODS },
        { "application/vnd.oasis.opendocument.presentation", OFFICE_ODP },
    };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t n = strlen(types[i].type);

        if (len >= n && memcmp(p, types[i].type, n) == 0)
            return types[i].kind;
    }
    return OFFICE_NONE;
}

enum office_kind office_detect(const struct container *zip, const char *head,
                               size_t len)
{
    static const char *const first[] = { "[Content_Types].xml", "_rels/.rels",
                                         "word/document.xml" };
    struct zip_record r;
    size_t used;
    int listed = zip_lists(zip, "word/document.xml");

    if (zip_lists(zip, "[Content_Types].xml") == 1) {
        if (listed == 1)
            return OFFICE_DOCX;
        if (zip_lists(zip, "xl/workbook.xml") == 1)
            return OFFICE_XLSX;
        if (zip_lists(zip, "ppt/presentation.xml") == 1)
            return OFFICE_PPTX;
    }
    if (!zip_local(&r, head, len, &used))
        return OFFICE_NONE;
    if (is_name(&r, "mimetype") && r.method == 0)
        return by_mimetype(head + used, len - used);
    for (size_t i = 0; listed < 0 && i < 3; i++)
        if (is_name(&r, first[i]))
            return OFFICE_DOCX;
    return OFFICE_NONE;
}

const struct binary *office_binary(enum office_kind kind)
{
    static const struct binary *const unread[] = {
        [OFFICE_XLSX] = &binary_xlsx,
        [OFFICE_PPTX] = &binary_pptx,
        [OFFICE_ODS] = &binary_ods,
        [OFFICE_ODP] = &binary_odp,
    };

    return unread[kind];
}

/* ---- its text ------------------------------------------------------------ */

static bool has_text(enum office_kind kind, const char *path)
{
    if (kind == OFFICE_ODT)
        return strcmp(path, "content.xml") == 0;
    return strcmp(path, "word/document.xml") == 0 ||
           strcmp(path, "word/footnotes.xml") == 0 ||
           strcmp(path, "word/endnotes.xml") == 0;
}

#define MANIFEST_MAX ((size_t)1 << 20)

/* Read the manifest of an odt file, which is the current entry. */
static int read_manifest(struct office *o, struct cooc_err *err)
{
    static const char mark[] = "encryption-data";
    struct buf text = { 0 };
    const char *data;
    size_t len;
    int rc;

    while ((rc = o->zip.block(o->zip.self, &data, &len, err)) > 0) {
        rc = text.len > MANIFEST_MAX ? 0 : buf_add(&text, data, len, err);
        if (rc < 0)
            break;
    }
    o->encrypted = rc == 0 && text.len &&
                   memmem(text.data, text.len, mark, sizeof mark - 1);
    buf_release(&text);
    return rc;
}

/* The next regular entry: 1; 0: there are no more; < 0: failed. */
static int next_entry(struct office *o, struct unpacked *entry,
                      struct cooc_err *err)
{
    int rc;

    while ((rc = o->zip.entry(o->zip.self, entry, err)) > 0) {
        if (!entry->regular)
            continue;
        if (o->kind != OFFICE_ODT ||
            strcmp(entry->path, "META-INF/manifest.xml") != 0)
            return rc;
        rc = read_manifest(o, err);
        if (rc < 0)
            return rc;
    }
    return rc;
}

/* The text of a part cannot be read: find out whether it is encrypted, as the
 * manifest may follow it. */
static int explain(struct office *o, int code, const struct cooc_err *why,
                   struct cooc_err *err)
{
    struct unpacked entry;
    struct cooc_err ignored;

    while (o->kind == OFFICE_ODT && code == COOC_EFORMAT && !o->encrypted &&
           next_entry(o, &entry, &ignored) > 0)
        ;
    return o->encrypted ? err_path(err, COOC_EFORMAT, o->name,
                                   "is encrypted; save it without a password")
                        : err_copy(err, why);
}

/* Begin the next part with text: 1; 0: there are no more; < 0: failed. */
static int next_part(struct office *o, struct cooc_err *err)
{
    struct unpacked entry;
    int rc;

    while ((rc = next_entry(o, &entry, err)) > 0) {
        if (!has_text(o->kind, entry.path))
            continue;
        o->any = true;
        o->part.len = 0;
        rc = buf_printf(&o->part, err, "%s/%s", o->name, entry.path);
        if (rc >= 0)
            rc = office_text_new(&o->text, o->kind, o->part.data,
                                 o->limits->invalid, err);
        return rc < 0 ? rc : 1;
    }
    if (rc == 0 && !o->any)
        return err_path(err, COOC_EFORMAT, o->name,
                        "is an office file without a text document; convert "
                        "it to text");
    return rc;
}

/* Convert the next block of the current part.  1: done, out may be empty; 0: no
 * more parts; < 0: failed. */
static int convert_block(struct office *o, struct cooc_err *err)
{
    const char *data = "";
    size_t len = 0;
    int rc = o->text ? 1 : next_part(o, err), got;

    if (rc <= 0)
        return rc;
    got = o->zip.block(o->zip.self, &data, &len, err);
    if (got < 0)
        return got;
    rc = office_text_feed(o->text, data, got ? len : 0, got == 0, &o->out, err);
    if (got == 0) {
        office_text_free(o->text);
        o->text = NULL;
    }
    return rc < 0 ? rc : 1;
}

static int next_page(struct office *o, const char **data, size_t *len,
                     struct cooc_err *err)
{
    int rc = o->book ? 0 : epub_new(&o->book, &o->zip, o->name, o->limits, err);

    return rc < 0 ? rc : epub_page(o->book, data, len, err);
}

static int office_block(void *self, const char **data, size_t *len,
                        struct cooc_err *err)
{
    struct office *o = self;
    struct cooc_err why = { 0 };
    int rc = 1;

    if (!o->begun) { /* the first block says that this is HTML */
        o->begun = true;
        *data = HEAD;
        *len = strlen(HEAD);
        return 1;
    }
    if (o->kind == OFFICE_EPUB)
        return next_page(o, data, len, err);
    o->out.len = 0;
    while (rc > 0 && !o->out.len)
        rc = convert_block(o, &why);
    if (rc < 0)
        return explain(o, rc, &why, err);
    *data = o->out.data;
    *len = o->out.len;
    return rc;
}

/* ---- the container ------------------------------------------------------- */

static int office_entry(void *self, struct unpacked *out, struct cooc_err *err)
{
    struct office *o = self;
    const char *data;
    size_t len;
    int rc = 1;

    if (!o->begun && !o->part.data) { /* the only entry */
        *out = (struct unpacked){ .regular = true };
        rc = buf_text(&o->part, err);
        return rc < 0 ? rc : 1;
    }
    while (rc > 0) /* find damage in what was not read */
        rc = office_block(o, &data, &len, err);
    return rc;
}

static void office_free(void *self)
{
    struct office *o = self;

    office_text_free(o->text);
    epub_free(o->book);
    if (o->zip.self)
        o->zip.free(o->zip.self);
    buf_release(&o->part);
    buf_release(&o->out);
    mem_free(o);
}

int office_new(struct container *zip, enum office_kind kind, const char *name,
               const struct office_limits *limits, struct cooc_err *err)
{
    struct office *o = mem_zarray(1, sizeof *o);

    if (!o)
        return err_nomem(err);
    o->zip = *zip;
    o->kind = kind;
    o->name = name;
    o->limits = limits;
    *zip = (struct container){ office_entry, office_block, o, office_free };
    return 0;
}
