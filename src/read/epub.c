/* epub.c - the pages of an electronic book, in the order of the book.
 *
 *     META-INF/container.xml   names the package,
 *     OEBPS/content.opf        which lists files,
 *         <item id="c1" href="text/one.xhtml"/>
 *         <itemref idref="c1"/>        and their order.
 *     META-INF/encryption.xml  lists encrypted files: the book is refused,
 *                              unless they are only fonts or pictures.
 *
 * An archive in a pipe cannot be read in this order, so all files that may be
 * pages are read into memory first.
 */
#include <stdlib.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "cooc.h"
#include "read/html_text.h"
#include "read/office.h"
#include "read/read.h"
#include "read/recode.h"
#include "read/xml_parser.h"

/* A file of the archive, or an item of the package: ranges of bytes. */
struct named {
    const struct buf *bytes;
    size_t name, name_len; /* path, or id */
    size_t from, len;      /* contents, or href */
};

struct names {
    struct named *items;
    size_t n, cap;
};

struct epub {
    const char *name;
    const struct office_limits *limits;
    struct buf bytes; /* of all files, and their paths */
    struct names files, manifest, spine;
    struct names encrypted; /* paths of files; also fonts */
    struct buf texts;  /* of the manifest, the spine and encrypted */
    struct buf folder; /* of the package, with its slash */
    struct buf path, page;
    size_t next; /* item of the spine */
};

static int damaged(const struct epub *e, const char *what, struct cooc_err *err)
{
    return err_path(err, COOC_EFORMAT, e->name, "the book is damaged: %s",
                    what);
}

/* ---- names --------------------------------------------------------------- */

static int compare(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t n = a_len < b_len ? a_len : b_len;
    int order = n ? memcmp(a, b, n) : 0;

    return order ? order : (a_len > b_len) - (a_len < b_len);
}

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = compare(x->bytes->data + x->name, x->name_len,
                        y->bytes->data + y->name, y->name_len);

    return order ? order : (x->name > y->name) - (x->name < y->name);
}

static void sort(struct names *names)
{
    if (names->n)
        qsort(names->items, names->n, sizeof *names->items, by_name);
}

static const struct named *find(const struct names *names, const char *name,
                                size_t len)
{
    size_t low = 0, high = names->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct named *x = &names->items[middle];
        int order = compare(x->bytes->data + x->name, x->name_len, name, len);

        if (order == 0)
            return x;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* Append a name and its contents to bytes, and their place to names. */
static int add_named(struct names *names, struct buf *bytes, const char *name,
                     size_t name_len, const char *text, size_t len,
                     struct cooc_err *err)
{
    struct named new = { bytes, bytes->len, name_len, bytes->len + name_len,
                         len };
    int rc =
        array_grow(&names->items, &names->cap, names->n + 1, sizeof new, err);

    if (rc == 0)
        rc = buf_add(bytes, name, name_len, err);
    if (rc == 0)
        rc = buf_add(bytes, text, len, err);
    if (rc == 0)
        names->items[names->n++] = new;
    return rc;
}

/* ---- the archive --------------------------------------------------------- */

static bool may_be_page(const char *path)
{
    static const char *const tails[] = { ".xhtml", ".html", ".htm",
                                         ".xml",   ".xht",  ".opf" };
    size_t len = strlen(path);

    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        size_t n = strlen(tails[i]);

        if (len > n && ascii_casecmp(path + len - n, tails[i]) == 0)
            return true;
    }
    return false;
}

static int read_file(struct epub *e, struct container *zip, const char *path,
                     struct cooc_err *err)
{
    int rc = add_named(&e->files, &e->bytes, path, strlen(path), "", 0, err);
    const char *data;
    size_t len;

    while (rc >= 0 && (rc = zip->block(zip->self, &data, &len, err)) > 0) {
        if (e->bytes.len > e->limits->max ||
            len > e->limits->max - e->bytes.len)
            return err_path_option(
                err, COOC_ELIMIT, e->name, document_option(e->limits->max),
                "the book is larger than %zu MiB; %s", e->limits->max >> 20,
                document_advice(e->limits->max));
        rc = buf_add(&e->bytes, data, len, err);
        e->files.items[e->files.n - 1].len += rc == 0 ? len : 0;
    }
    return rc;
}

static int read_archive(struct epub *e, struct container *zip,
                        struct cooc_err *err)
{
    struct unpacked entry;
    int rc;

    while ((rc = zip->entry(zip->self, &entry, err)) > 0)
        if (entry.regular && may_be_page(entry.path)) {
            rc = read_file(e, zip, entry.path, err);
            if (rc < 0)
                break;
        }
    sort(&e->files);
    return rc;
}

/* ---- the package --------------------------------------------------------- */

static int add_item(struct epub *e, struct names *to,
                    const struct xml_element *x, const char *name,
                    const char *value, struct cooc_err *err)
{
    size_t name_len = 0, len = 0;
    const char *n = xml_attribute(x, name, strlen(name), &name_len);
    const char *v = xml_attribute(x, value, strlen(value), &len);

    return n ? add_named(to, &e->texts, n, name_len, v ? v : "", v ? len : 0,
                         err)
             : 0;
}

static int start(void *self, const struct xml_element *x, struct cooc_err *err)
{
    struct epub *e = self;
    const char *name = x->path[x->depth];

    if (strcmp(name, "rootfile") == 0 && !e->path.len) {
        size_t len = 0;
        const char *path = xml_attribute(x, "full-path", 9, &len);

        return path ? buf_add(&e->path, path, len, err) : 0;
    }
    if (strcmp(name, "item") == 0)
        return add_item(e, &e->manifest, x, "id", "href", err);
    if (strcmp(name, "itemref") == 0)
        return add_item(e, &e->spine, x, "idref", "idref", err);
    return 0;
}

static int end(void *self, size_t depth, struct cooc_err *err)
{
    (void)self, (void)depth, (void)err;
    return 0;
}

static int text(void *self, const char *text, size_t len, struct cooc_err *err)
{
    (void)self, (void)text, (void)len, (void)err;
    return 0;
}

/* Parse a file of the archive. */
static int parse(struct epub *e, const char *path, size_t len,
                 const struct xml_handler *handler, struct cooc_err *err)
{
    const struct named *file = find(&e->files, path, len);
    struct xml_parser *parser = NULL;
    size_t at = 0;
    int rc;

    if (!file)
        return damaged(e, "its table of contents is missing", err);
    rc = xml_parser_new(&parser, e->name, handler, e, e->limits->invalid, err);
    while (rc == 0 && at < file->len) {
        size_t n = file->len - at < 16384 ? file->len - at : 16384;

        rc = xml_parser_feed(parser, e->bytes.data + file->from + at, n,
                             at + n == file->len, err);
        at += n;
    }
    xml_parser_free(parser);
    return rc;
}

static int read_package(struct epub *e, struct cooc_err *err)
{
    static const struct xml_handler handler = { start, end, text };
    static const char first[] = "META-INF/container.xml";
    const char *slash;
    int rc = parse(e, first, sizeof first - 1, &handler, err);

    if (rc == 0 && !e->path.len)
        return damaged(e, "it names no package", err);
    if (rc == 0) {
        slash = memrchr(e->path.data, '/', e->path.len);
        if (slash)
            rc = buf_add(&e->folder, e->path.data,
                         (size_t)(slash + 1 - e->path.data), err);
    }
    if (rc == 0)
        rc = parse(e, e->path.data, e->path.len, &handler, err);
    sort(&e->manifest);
    return rc;
}

/* ---- paths --------------------------------------------------------------- */

/* Set e->path to the path of href[0..len), relative to the folder:
 * "../a%20b#c" in "x/y/" is "x/a b". */
static int resolve(struct epub *e, const char *folder, size_t folder_len,
                   const char *href, size_t len, struct cooc_err *err)
{
    const char *end = href + len, *hash = len ? memchr(href, '#', len) : NULL;
    int rc;

    end = hash ? hash : end;
    e->path.len = 0;
    rc = buf_add(&e->path, folder, folder_len, err);
    while (end - href >= 3 && memcmp(href, "../", 3) == 0) {
        href += 3;
        if (e->path.len)
            e->path.len--;
        while (e->path.len && e->path.data[e->path.len - 1] != '/')
            e->path.len--;
    }
    while (href < end && rc == 0) {
        bool coded = end - href > 2 && *href == '%' &&
                     ascii_hex(href[1]) >= 0 && ascii_hex(href[2]) >= 0;
        int byte = coded ? ascii_hex(href[1]) * 16 + ascii_hex(href[2])
                         : *href;

        rc = buf_byte(&e->path, (char)byte, err);
        href += coded ? 3 : 1;
    }
    return rc;
}

static int start_encrypted(void *self, const struct xml_element *x,
                           struct cooc_err *err)
{
    struct epub *e = self;
    size_t len = 0;
    const char *path;
    int rc;

    if (strcmp(x->path[x->depth], "CipherReference") != 0)
        return 0;
    path = xml_attribute(x, "URI", 3, &len);
    rc = path ? resolve(e, "", 0, path, len, err) : 0;
    if (rc < 0 || !path || !e->path.len)
        return rc;
    return add_named(&e->encrypted, &e->texts, e->path.data, e->path.len, "", 0,
                     err);
}

/* Find out which files are encrypted. */
static int read_encryption(struct epub *e, struct cooc_err *err)
{
    static const struct xml_handler handler = { start_encrypted, end, text };
    static const char path[] = "META-INF/encryption.xml";
    int rc = 0;

    if (find(&e->files, path, sizeof path - 1))
        rc = parse(e, path, sizeof path - 1, &handler, err);
    sort(&e->encrypted);
    return rc;
}

int epub_new(struct epub **out, struct container *zip, const char *name,
             const struct office_limits *limits, struct cooc_err *err)
{
    struct epub *e = *out = mem_zarray(1, sizeof *e);
    int rc;

    if (!e)
        return err_nomem(err);
    e->name = name;
    e->limits = limits;
    rc = read_archive(e, zip, err);
    if (rc == 0)
        rc = read_package(e, err);
    return rc < 0 ? rc : read_encryption(e, err);
}

/* ---- pages --------------------------------------------------------------- */

/* Convert a page to UTF-8, in e->page. */
static int convert(struct epub *e, const char *html, size_t len,
                   struct cooc_err *err)
{
    char charset[HTML_CHARSET_MAX];
    size_t skip = 0;
    bool guessed;
    int rc = html_charset(html, len, NULL, charset, &skip, &guessed, err);

    e->page.len = 0;
    if (rc < 0)
        return rc;
    rc = encoding_is_utf8(charset)
             ? buf_add(&e->page, html + skip, len - skip, err)
             : recode(charset, html + skip, len - skip, true, &e->page,
                      e->limits->invalid, err);
    return rc < 0 ? rc : buf_byte(&e->page, '\n', err);
}

int epub_page(struct epub *e, const char **data, size_t *len,
              struct cooc_err *err)
{
    const struct named *item, *file;
    int rc;

    if (e->next == e->spine.n)
        return 0;
    item = &e->spine.items[e->next++];
    item = find(&e->manifest, e->texts.data + item->name, item->name_len);
    if (!item)
        return damaged(e, "a page is not in its list of files", err);
    rc = resolve(e, e->folder.len ? e->folder.data : "", e->folder.len,
                 e->texts.data + item->from, item->len, err);
    if (rc < 0)
        return rc;
    file = find(&e->files, e->path.len ? e->path.data : "", e->path.len);
    rc = buf_text(&e->path, err);
    if (rc == 0 && !file && may_be_page(e->path.data))
        rc = damaged(e, "a page is missing", err);
    if (rc == 0 && file && find(&e->encrypted, e->path.data, e->path.len))
        rc = err_path(err, COOC_EFORMAT, e->name,
                      "the book is encrypted; save it without copy "
                      "protection");
    if (rc < 0)
        return rc;
    *data = " ";
    *len = 1;
    if (!file)
        return 1; /* a picture */
    rc = convert(e, e->bytes.data + file->from, file->len, err);
    *data = e->page.data;
    *len = e->page.len;
    return rc < 0 ? rc : 1;
}

void epub_free(struct epub *e)
{
    if (!e)
        return;
    mem_free(e->files.items);
    mem_free(e->manifest.items);
    mem_free(e->spine.items);
    mem_free(e->encrypted.items);
    buf_release(&e->bytes);
    buf_release(&e->texts);
    buf_release(&e->folder);
    buf_release(&e->path);
    buf_release(&e->page);
    mem_free(e);
}
