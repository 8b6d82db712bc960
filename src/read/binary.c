/* binary.c - a table of formats that are not text, and of programs that convert
 * them.
 *
 * Some signatures are words: "PAR1", "ORC".  A text may begin with them, so
 * they count only if a control character follows, as in every file of the
 * format.
 */
#include "read/binary.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii_case.h"
#include "base/err.h"
#include "read/format.h"

#define HEAD 512 /* bytes in which a control character is expected */

#define DUCKDB(suffix)                                                       \
    "duckdb -c \"COPY (FROM 'FILE" suffix "') TO 'FILE.csv'\""
#define PANDAS(read, suffix)                                                 \
    "python3 -c \"import pandas; pandas." read "('FILE" suffix               \
    "').to_csv('FILE.csv', index=False)\""
#define ARROW(module, read, suffix)                                          \
    "python3 -c \"import pyarrow." module " as a, pyarrow.csv as c; "        \
    "c.write_csv(a." read "('FILE" suffix "'), 'FILE.csv')\""
#define OFFICE(to, suffix)                                                   \
    "libreoffice --headless --convert-to " to " FILE" suffix
#define SLIDES(suffix)                                                       \
    OFFICE("pdf", suffix) " && pdftotext FILE.pdf FILE.txt"

const struct binary binary_xlsx = { "a spreadsheet (xlsx)",
                                    OFFICE("csv", ".xlsx"), ".xlsx" };
const struct binary binary_pptx = { "a presentation (pptx)", SLIDES(".pptx"),
                                    ".pptx" };
const struct binary binary_ods = { "a spreadsheet (ods)",
                                   OFFICE("csv", ".ods"), ".ods" };
const struct binary binary_odp = { "a presentation (odp)", SLIDES(".odp"),
                                   ".odp" };

struct signature {
    size_t at;
    const char *bytes;
    size_t len;
    bool is_word;     /* needs a control character in the HEAD */
    const char *only; /* only files with this suffix; NULL: any */
    struct binary is;
};

#define MARK(bytes) bytes, sizeof(bytes) - 1
#define SURE 0, NULL
#define WORD 1, NULL
#define NONE NULL, NULL
#define OLE "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

static const struct signature signatures[] = {
    /* documents */
    { 0, MARK("%PDF-"), SURE,
      { "a PDF document", "pdftotext FILE.pdf FILE.txt", ".pdf" } },
    { 0, MARK("{\\rtf"), SURE,
      { "an RTF document", OFFICE("txt:Text", ".rtf"), ".rtf" } },
    { 0, MARK(OLE), 0, ".xls",
      { "a spreadsheet (xls)", OFFICE("csv", ".xls"), ".xls" } },
    { 0, MARK(OLE), 0, ".ppt",
      { "a presentation (ppt)", SLIDES(".ppt"), ".ppt" } },
    { 0, MARK(OLE), 0, ".docx",
      { "an encrypted or old Office file", OFFICE("txt:Text", ".docx"),
        ".docx" } },
    { 0, MARK(OLE), SURE,
      { "an encrypted or old Office file (doc)", OFFICE("txt:Text", ".doc"),
        ".doc" } },
    { 0, MARK("AT&TFORM"), WORD,
      { "a DjVu document", "djvutxt FILE.djvu FILE.txt", ".djvu" } },
    { 60, MARK("BOOKMOBI"), WORD,
      { "a Mobipocket book", "ebook-convert FILE.mobi FILE.epub", ".mobi" } },

    /* tables and databases */
    { 0, MARK("PAR1"), WORD,
      { "a Parquet table", DUCKDB(".parquet"), ".parquet" } },
    { 0, MARK("ARROW1\0\0"), SURE,
      { "an Arrow table", ARROW("feather", "read_table", ".arrow"),
        ".arrow" } },
    { 0, MARK("FEA1"), WORD,
      { "a Feather table", ARROW("feather", "read_table", ".feather"),
        ".feather" } },
    { 0, MARK("ORC"), WORD,
      { "an ORC table", ARROW("orc", "read_table", ".orc"), ".orc" } },
    { 0, MARK("Obj\1"), SURE,
      { "an Avro file", "fastavro FILE.avro > FILE.jsonl", ".avro" } },
    { 0, MARK("SQLite format 3\0"), SURE,
      { "an SQLite database",
        "sqlite3 -csv -header FILE.db \"SELECT * FROM name_of_table\" "
        "> FILE.csv", ".db" } },
    { 0, MARK("\0\1\0\0Standard Jet DB"), SURE,
      { "an Access database", "mdb-export FILE.mdb name_of_table > FILE.csv",
        ".mdb" } },
    { 0, MARK("\0\1\0\0Standard ACE DB"), SURE,
      { "an Access database",
        "mdb-export FILE.accdb name_of_table > FILE.csv", ".accdb" } },
    { 0, MARK("<stata_dta>"), WORD,
      { "a Stata file", PANDAS("read_stata", ".dta"), ".dta" } },
    { 1, MARK("\1\1\0"), 0, ".dta",
      { "a Stata file", PANDAS("read_stata", ".dta"), ".dta" } },
    { 1, MARK("\2\1\0"), 0, ".dta",
      { "a Stata file", PANDAS("read_stata", ".dta"), ".dta" } },
    { 0, MARK("$FL2@(#)"), SURE,
      { "an SPSS file", PANDAS("read_spss", ".sav"), ".sav" } },
    { 0, MARK("$FL3@(#)"), SURE,
      { "an SPSS file", PANDAS("read_spss", ".zsav"), ".zsav" } },
    { 0, MARK("\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60"), SURE,
      { "a SAS file", PANDAS("read_sas", ".sas7bdat"), ".sas7bdat" } },
    { 0, MARK("RDX2\n"), WORD,
      { "an R workspace",
        "Rscript -e \"n <- load('FILE.RData'); write.csv(get(n[1]), "
        "'FILE.csv')\"", ".RData" } },
    { 0, MARK("RDX3\n"), WORD,
      { "an R workspace",
        "Rscript -e \"n <- load('FILE.RData'); write.csv(get(n[1]), "
        "'FILE.csv')\"", ".RData" } },
    { 0, MARK("X\n\0\0\0"), SURE,
      { "an R object",
        "Rscript -e \"write.csv(readRDS('FILE.rds'), 'FILE.csv')\"",
        ".rds" } },
    { 0, MARK("\x93NUMPY"), SURE, { "a NumPy array", NONE } },
    { 0, MARK("\x89HDF\r\n\x1a\n"), SURE, { "an HDF5 file", NONE } },
    { 0, MARK("MATLAB 5.0 MAT-file"), WORD, { "a MATLAB file", NONE } },
    { 0, MARK("\x80\3"), WORD, { "a Python pickle", NONE } },
    { 0, MARK("\x80\4\x95"), SURE, { "a Python pickle", NONE } },
    { 0, MARK("\x80\5\x95"), SURE, { "a Python pickle", NONE } },

    /* archives that are not opened */
    { 0, MARK("7z\xbc\xaf\x27\x1c"), SURE,
      { "a 7z archive", "7z x FILE.7z", ".7z" } },
    { 0, MARK("Rar!\x1a\7"), SURE,
      { "a RAR archive", "unrar x FILE.rar", ".rar" } },
    { 0, MARK("\x1f\x9d"), SURE,
      { "a file of compress", "gzip -d FILE.Z", ".Z" } },
    { 0, MARK("LZIP\1"), SURE,
      { "a file of lzip", "lzip -d FILE.lz", ".lz" } },
    { 0, MARK("PK\3\4"), SURE,
      { "a zip or office file in an archive that has to be unpacked", NONE } },

    /* pictures, sound, programs */
    { 0, MARK("\x89PNG\r\n\x1a\n"), SURE, { "a PNG image", NONE } },
    { 0, MARK("\xff\xd8\xff"), SURE, { "a JPEG image", NONE } },
    { 0, MARK("GIF87a"), WORD, { "a GIF image", NONE } },
    { 0, MARK("GIF89a"), WORD, { "a GIF image", NONE } },
    { 0, MARK("II*\0"), SURE, { "a TIFF image", NONE } },
    { 0, MARK("MM\0*"), SURE, { "a TIFF image", NONE } },
    { 8, MARK("WEBP"), WORD, { "a WebP image", NONE } },
    { 0, MARK("8BPS\0"), SURE, { "a Photoshop image", NONE } },
    { 8, MARK("WAVE"), WORD, { "a WAV sound", NONE } },
    { 8, MARK("AVI "), WORD, { "an AVI video", NONE } },
    { 0, MARK("ID3"), WORD, { "an MP3 sound", NONE } },
    { 0, MARK("OggS\0"), SURE, { "an Ogg file", NONE } },
    { 0, MARK("fLaC\0"), SURE, { "a FLAC sound", NONE } },
    { 4, MARK("ftyp"), WORD, { "an MP4 video", NONE } },
    { 0, MARK("\x1a\x45\xdf\xa3"), SURE, { "a Matroska video", NONE } },
    { 0, MARK("\x7f" "ELF"), SURE, { "a program", NONE } },
    { 0, MARK("\xca\xfe\xba\xbe"), SURE, { "a program", NONE } },
    { 0, MARK("\0asm"), SURE, { "a program", NONE } },
};

static bool has_suffix(const char *name, const char *suffix)
{
    size_t n = strlen(name), k = strlen(suffix);

    return n > k && ascii_casecmp(name + n - k, suffix) == 0;
}

/* Is there a control character that text does not have? */
static bool has_control(const char *p, size_t n)
{
    for (size_t i = 0; i < n && i < HEAD; i++)
        if ((unsigned char)p[i] < ' ' && (p[i] < '\t' || p[i] > '\r'))
            return true;
    return false;
}

const struct binary *binary_detect(const char *name, const char *data,
                                   size_t len)
{
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++) {
        const struct signature *s = &signatures[i];

        if (len < s->at + s->len ||
            memcmp(data + s->at, s->bytes, s->len) != 0 ||
            (s->is_word && !has_control(data, len)) ||
            (s->only && !has_suffix(name, s->only)))
            continue;
        return &s->is;
    }
    return NULL;
}

bool binary_is_unknown(const struct sample *s)
{
    return s->len && memchr(s->data, 0, s->len) &&
           detect_page(s) != &format_html;
}

/* ---- messages ------------------------------------------------------------ */

/* Whether the path needs no quotes in a command. */
static bool is_plain(const char *path)
{
    return *path != '-' &&
           !path[strspn(path,
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_./,+-")];
}

/* Write the command with the name of the file instead of FILE, unless the name
 * is long, has another suffix or would need quotes. */
static void fill_in(const struct binary *b, const char *path, char *out,
                    size_t size)
{
    size_t stem = path ? strlen(path) : 0, k = strlen(b->suffix), n = 0;
    const char *p = b->remedy;

    if (stem > 60 + k || stem <= k || strcmp(path + stem - k, b->suffix) != 0 ||
        !is_plain(path)) {
        path = "FILE";
        stem = 4;
    } else {
        stem -= k;
    }
    while (*p && n + stem + 1 < size) {
        if (strncmp(p, "FILE", 4) != 0) {
            out[n++] = *p++;
            continue;
        }
        memcpy(out + n, path, stem);
        n += stem;
        p += 4;
    }
    out[n] = '\0';
}

int binary_refuse(const struct binary *b, const char *path,
                  struct cooc_err *err)
{
    char command[BINARY_TEXT_MAX];

    if (!b)
        return err_path_option(err, COOC_EFORMAT, path, "format",
                               "is not text: it has NUL bytes; convert it to "
                               "text, or set the format to read it anyway");
    if (!b->remedy)
        return err_path(err, COOC_EFORMAT, path,
                        "is %s, not text; leave it out", b->what);
    fill_in(b, path, command, sizeof command);
    return err_path(err, COOC_EFORMAT, path,
                    "is %s, not text; convert it first: %s", b->what, command);
}

void binary_describe(const struct binary *b, char text[BINARY_TEXT_MAX])
{
    char command[BINARY_TEXT_MAX] = "";
    const char *what = b ? strchr(b->what, ' ') : NULL;

    if (b && b->remedy)
        fill_in(b, NULL, command, sizeof command);
    snprintf(text, BINARY_TEXT_MAX, "%.60s%s%.240s", what ? what + 1 : "",
             *command ? "; convert it with: " : "", command);
}
