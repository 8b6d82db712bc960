/* detect.c - find a format by name, or detect the format of an input.
 *
 * The file name decides if it is specific enough (.jsonl, docword.x.txt);
 * compression suffixes are ignored.  Otherwise the first 64 KiB decide: a
 * signature (WARC/, <DOC>, {, <html, <?xml), or a shape that every sampled line
 * has:
 *
 *     3430 / 6906 / 353160 / 1 61 2     uci           three header lines
 *     2 7:1 9:4                         ldac          number of pairs first
 *     -1 7:0.5 9:1 # x                  svmlight
 *     12 7 530                          transactions  integers, blanks
 *     d1 TAB word [TAB 3]               triples       adjacent lines share ids
 *     d1 TAB some text                  tsv
 *
 * Records and annotated text (detect_tagged.c) are recognised before that.
 * Anything else is lines.  In a directory or an archive, shapes are not tested,
 * and text without a more specific name is one document per file, as are plain
 * text files of which several are named.
 */
#include "read/format.h"

#include <string.h>
#include <sys/stat.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "base/json.h"
#include "base/workdir.h"
#include "cooc_build.h"
#include "read/encoding.h"
#include "read/scan.h"

const struct format *const formats[FORMATS] = {
    &format_lines, &format_tsv,  &format_files,    &format_jsonl,
    &format_trec,  &format_html, &format_warc,     &format_triples,
    &format_uci,   &format_ldac, &format_svmlight, &format_transactions,
    &format_csv,   &format_wos,  &format_ris,      &format_medline,
    &format_bibtex, &format_conllu, &format_vertical,
    &format_xml,   &format_ciff,
};

int format_find(const struct format **out, const char *name,
                struct cooc_err *err)
{
    char known[256] = "";

    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i]->name, name) == 0) {
            *out = formats[i];
            return 0;
        }
        if (i)
            strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, formats[i]->name, sizeof known - strlen(known) - 1);
    }
    *out = NULL;
    return err_option(err, COOC_EINVAL, "format",
                      "unknown format '%.60s'; the formats are %s", name,
                      known);
}

int format_compare(const struct format *f, const char *input,
                   const struct format *first, const char *first_input,
                   const struct cooc_index_options *o, struct cooc_err *err)
{
    static const char *const kinds[] = { "text", "terms", "terms to fold" };
    enum document_kind kind = format_kind(f, o), old = format_kind(first, o);

    if (kind != old)
        return err_path_option(err, COOC_EINVAL, input, "format",
                               "is %s (%s), but %.150s is %s (%s), and these "
                               "cannot be in one store; set the format if it "
                               "is recognised wrongly", f->name, kinds[kind],
                               first_input, first->name, kinds[old]);
    return 0;
}

enum format_cut format_cut(const struct format *f,
                           const struct cooc_index_options *o)
{
    bool header = f == &format_tsv && (o->header || o->text_fields);

    /* The header is in the first line.  If a file is bad at some point, what
     * follows may have to be skipped as well. */
    return header || o->skip_bad ? CUT_NEVER : f->cut;
}

int format_expect(const struct format **f, const char *name,
                  const struct reader_before *before, struct cooc_err *err)
{
    bool pages = !strcmp(before->format, "files") ||
                 !strcmp(before->format, "html");

    if (pages && *f == &format_lines)
        *f = &format_files;
    if (pages && (*f == &format_files || *f == &format_html))
        return 0;
    if (*f == &format_lines || *f == &format_files)
        return format_find(f, before->format, err);
    if (!strcmp((*f)->name, before->format))
        return 0;
    return err_path_option(err, COOC_EINVAL, name, "format",
                           "was recognised as %s, but the documents of %.150s "
                           "were read from %s; set the format to add this "
                           "file", (*f)->name, before->store, before->format);
}

int format_check_group(const struct format *f, const char *name,
                       const struct cooc_index_options *o,
                       struct cooc_err *err)
{
    bool numbered = f == &format_triples ||
                    (f == &format_tsv && !o->header && !o->text_fields);

    if (o->group_by && numbered && strcmp(o->group_by, "1") != 0)
        return err_path_option(err, COOC_EINVAL, name, "group_by",
                               "has no column '%.80s', because columns of the "
                               "format %s have no names; group by column 1",
                               o->group_by, f->name);
    if (!o->group_by || f->uses & USE_GROUP)
        return 0;
    return err_path_option(err, COOC_EINVAL, name, "group_by",
                           "is in the format %s, which has no columns to "
                           "group by; leave the file or the option out, or "
                           "set the format if it was recognised wrongly",
                           f->name);
}

int reader_check(const struct cooc_index_options *o, struct cooc_err *err)
{
    struct encoding_choice encoding;
    const struct format *format;
    int rc = o->format ? format_find(&format, o->format, err) : 0;

    if (rc == 0)
        rc = reading_check(o, err);
    return rc == 0 ? encoding_choose(&encoding, o->encoding, err) : rc;
}

enum document_kind format_kind(const struct format *f,
                               const struct cooc_index_options *o)
{
    if (f->kind == KIND_TERMS && o->fold)
        return KIND_ITEMS;
    if (f->uses & USE_COLUMN && o->column && strchr(o->column, '+'))
        return KIND_TERMS; /* annotated.h */
    return o->split && f->uses & USE_SPLIT ? KIND_ITEMS : f->kind;
}

const char *cooc_format_get(unsigned i)
{
    return i < FORMATS ? formats[i]->name : NULL;
}

static bool ends_with(const char *s, size_t len, const char *tail)
{
    size_t n = strlen(tail);

    return len > n && ascii_ncasecmp(s + len - n, tail, n) == 0;
}

static const struct format *by_name(const char *name)
{
    static const char *const packed[] = { ".gz",  ".bz2", ".xz",
                                          ".zst", ".lz4" };
    static const struct {
        const char *tail;
        const struct format *format;
    } tails[] = {
        { ".txt", &format_lines },        { ".text", &format_lines },
        { ".tsv", &format_tsv },          { ".jsonl", &format_jsonl },
        { ".ndjson", &format_jsonl },     { ".json", &format_jsonl },
        { ".html", &format_html },        { ".htm", &format_html },
        { ".xhtml", &format_html },       { ".warc", &format_warc },
        { ".wet", &format_warc },         { ".trec", &format_trec },
        { ".svm", &format_svmlight },     { ".svmlight", &format_svmlight },
        { ".libsvm", &format_svmlight },  { ".ldac", &format_ldac },
        { ".dat", &format_transactions }, { ".basket", &format_transactions },
        { ".csv", &format_csv },
        { ".ciw", &format_wos },          { ".ris", &format_ris },
        { ".nbib", &format_medline },     { ".bib", &format_bibtex },
        { ".conllu", &format_conllu },    { ".conll", &format_conllu },
        { ".vert", &format_vertical },    { ".vrt", &format_vertical },
        { ".xml", &format_xml },          { ".nxml", &format_xml },
        { ".ciff", &format_ciff },
        { ".sgm", &format_trec },         { ".sgml", &format_trec },
    };
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    size_t len = strlen(base);

    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        if (ends_with(base, len, packed[i])) {
            len -= strlen(packed[i]);
            break;
        }
    if (strncmp(base, "docword.", 8) == 0)
        return &format_uci;
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++)
        if (ends_with(base, len, tails[i].tail))
            return tails[i].format;
    return NULL;
}

/* ---- shapes: what every line must look like ---- */

struct shape {
    uint64_t line;    /* number of the line, from 1 */
    uint64_t hits;    /* lines that are evidence for the format */
    struct scan last; /* first field of the previous line */
};

typedef bool line_test(struct shape *shape, struct scan line);

/* Do all complete lines pass the test, and is one of them evidence for the
 * format? */
static bool every_line(const struct sample *s, line_test *test)
{
    struct shape shape = { 0 };
    const char *at = s->data, *end = s->data + s->len;

    while (at < end) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        struct scan line = { at, nl ? nl : end };

        if (!nl && s->cut && shape.line)
            break; /* the last line is incomplete */
        if (line.end > line.at && line.end[-1] == '\r')
            line.end--;
        shape.line++;
        if (!test(&shape, line))
            return false;
        at = nl ? nl + 1 : end;
    }
    return shape.hits > 0;
}

static bool is_tsv(struct shape *shape, struct scan line)
{
    shape->hits++;
    return memchr(line.at, '\t', (size_t)(line.end - line.at)) != NULL;
}

static bool is_triple(struct shape *shape, struct scan line)
{
    struct scan doc = scan_before(&line, '\t');

    if (!scan_char(&line, '\t') || scan_field_end(&line))
        return false;
    while (!scan_field_end(&line))
        line.at++;
    if (scan_char(&line, '\t') && scan_number(&line) == SIGN_NONE)
        return false;
    if (shape->last.at && scan_left(&shape->last) == scan_left(&doc) &&
        memcmp(shape->last.at, doc.at, scan_left(&doc)) == 0)
        shape->hits++;
    shape->last = doc;
    return line.at == line.end;
}

/* Are there only integers in the line?  *n is their number. */
static bool integers(struct scan line, size_t *n)
{
    uint64_t v;

    *n = 0;
    for (scan_blanks(&line); line.at < line.end; scan_blanks(&line)) {
        if (!scan_u64(&line, &v) || !scan_field_end(&line))
            return false;
        ++*n;
    }
    return true;
}

static bool is_transaction(struct shape *shape, struct scan line)
{
    size_t n;
    bool fits = integers(line, &n);

    shape->hits += n > 0;
    return fits;
}

static bool is_uci(struct shape *shape, struct scan line)
{
    size_t n;
    bool fits = integers(line, &n);

    shape->hits += n == 3;
    return fits && n == (shape->line <= 3 ? 1 : 3);
}

/* Are there only id:value pairs, up to the end or a comment?  *n is their
 * number. */
static bool pairs(struct scan line, uint64_t *n)
{
    uint64_t id;

    *n = 0;
    for (scan_blanks(&line); line.at < line.end && *line.at != '#';
         scan_blanks(&line)) {
        if (*n == 0 && line.end - line.at > 4 && !memcmp(line.at, "qid:", 4))
            line.at += 4;
        else if (!scan_u64(&line, &id) || !scan_char(&line, ':'))
            return false;
        if (scan_number(&line) == SIGN_NONE || !scan_field_end(&line))
            return false;
        ++*n;
    }
    return true;
}

static bool is_ldac(struct shape *shape, struct scan line)
{
    uint64_t said, n;

    scan_blanks(&line);
    if (line.at == line.end)
        return true; /* a document without terms */
    if (!scan_u64(&line, &said) || !scan_field_end(&line) || !pairs(line, &n))
        return false;
    shape->hits += n > 0;
    return n == said;
}

static bool is_svmlight(struct shape *shape, struct scan line)
{
    uint64_t n;

    scan_blanks(&line);
    if (line.at == line.end || *line.at == '#')
        return true;
    if (scan_number(&line) == SIGN_NONE || !scan_field_end(&line) ||
        !pairs(line, &n))
        return false;
    shape->hits += n > 0;
    return true;
}

/* ---- signatures ---- */

/* Is this an HTML page, possibly after an XML declaration and comments? */
static bool is_html(const char *p, size_t n)
{
    if (n == 0 || *p != '<')
        return false;
    if (n > 1024)
        n = 1024;
    for (size_t i = 0; i < n; i++)
        if (ascii_begins(p + i, n - i, "<html") ||
            ascii_begins(p + i, n - i, "<!doctype html"))
            return true;
    return false;
}

static bool is_json(const struct sample *s, const char *p, size_t n)
{
    const char *nl;
    json_error_t why;
    json_t *json;

    if (n == 0 || *p != '{')
        return false;
    nl = memchr(p, '\n', n);
    if (!nl && s->cut)
        return true; /* a long first record: trust its brace */
    json = json_read(p, nl ? (size_t)(nl - p) : n, JSON_ALLOW_NUL,
                     &why);
    json_decref(json);
    /* fmt_jsonl.c accepts numbers that are too large for jansson.  Lack of
     * memory is reported when the record is read. */
    return json || json_out_of_memory(&why) ||
           json_error_code(&why) == json_error_numeric_overflow;
}

static const struct format *by_signature(const struct sample *s)
{
    const char *p = s->data;
    size_t n = s->len;

    if (ascii_begins(p, n, "WARC/"))
        return &format_warc;
    while (n && (is_blank(*p) || *p == '\n'))
        p++, n--;
    if (ascii_begins(p, n, "<DOC>") || ascii_begins(p, n, "<DOC "))
        return &format_trec;
    if (is_html(p, n))
        return &format_html;
    if (!s->many && ascii_begins(p, n, "<?xml "))
        return &format_xml;
    return is_json(s, p, n) ? &format_jsonl : NULL;
}

static const struct format *by_shape(const struct sample *s)
{
    static const struct {
        line_test *test;
        const struct format *format;
    } shapes[] = {
        { is_uci, &format_uci },   { is_triple, &format_triples },
        { is_tsv, &format_tsv },   { is_transaction, &format_transactions },
        { is_ldac, &format_ldac }, { is_svmlight, &format_svmlight },
    };

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (every_line(s, shapes[i].test))
            return shapes[i].format;
    return NULL;
}

bool inputs_have_texts(const char *const *inputs, size_t n)
{
    size_t texts = 0, folders = 0;
    struct stat st;

    for (size_t i = 0; i < n; i++) {
        texts += by_name(inputs[i]) == &format_lines;
        folders += strcmp(inputs[i], "-") != 0 &&
                   workdir_stat(inputs[i], &st) == 0 && S_ISDIR(st.st_mode);
    }
    return texts > 1 || (texts && folders);
}

const struct format *detect_format(const struct sample *s)
{
    const struct format *f = by_name(s->name), *tagged = NULL;

    if (!f || f == &format_lines) /* databases export .txt files */
        tagged = detect_tagged(s, f != NULL);
    if (tagged)
        return tagged;
    if (f == &format_tsv && every_line(s, is_triple))
        return &format_triples;
    if (f == &format_lines && (s->many || s->many_texts))
        return detect_page(s);
    if (f == &format_transactions && s->many && !every_line(s, is_transaction))
        return &format_files;
    if (f)
        return f;
    f = by_signature(s);
    if (!f && !s->many)
        f = by_shape(s);
    if (!f)
        f = s->many ? &format_files : &format_lines;
    return f;
}

const struct format *detect_page(const struct sample *s)
{
    if (by_name(s->name) == &format_html || by_signature(s) == &format_html)
        return &format_html;
    return &format_files;
}
